import type { AskedKey } from '../core/explain/nearRules.ts'
import { type GroupName, isProjectIdentifier, projectIdentifier, type Target, type WorkspaceName } from '../core/mapping.ts'
import { visible } from '../core/safeName.ts'
import type { OrderAnswer } from '../documents/daemonOrder.ts'
import { type Call, type Command, choice, exitCodes, text, UsageError } from './command.ts'
import { groupFormats } from './description.ts'
import { eventsMax, explainAnswer, type ReadForKey } from './explained.ts'
import { claimedName, printAnswer, runningDaemon, showOf } from './orders/askDaemon.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, positionals, terminal, signal }) {
    const format = choice('format', values.format, groupFormats, 'text')
    const { workspace, ...asked } = askedFor(positionals)
    const call = { workspace, asked, values, terminal }
    const show = { ...showOf(values, format, terminal), format }
    const answered = async (read: ReadForKey) => explainAnswer(workspace, read, show, terminal)
    const answer =
      text(values.recorded) === undefined
        ? ((await answerOfDaemon(call, show, signal)) ?? (await answered(await explainNow(call, signal))))
        : await answered(await explainRecorded(call, signal))
    const exit = printAnswer(answer, terminal)
    return signal.aborted ? exitCodes.failed : exit
  },
}

type Question = { readonly workspace: WorkspaceName; readonly asked: AskedKey } & Pick<Call, 'values' | 'terminal'>

/** The answer of the daemon, from what it has read last: nothing is asked. Undefined if no daemon has the journal open. */
async function answerOfDaemon(
  { workspace, asked, values, terminal }: Question,
  show: ReturnType<typeof showOf>,
  signal: AbortSignal,
): Promise<OrderAnswer | undefined> {
  const alone = onlyRecorded.find((name) => values[name] !== undefined)
  if (alone !== undefined) throw new UsageError(`--${alone} belongs to --recorded FILE`)
  if (values.fresh === true) return undefined
  const loaded = await openSettingsWithoutKey(values, terminal, signal)
  const daemon = await runningDaemon(loaded, { ...values, quiet: true }, terminal)
  if (daemon === undefined) return undefined
  onlyWorkspaces({ workspace: [workspace] }, loaded.settings)
  return daemon.ask({ kind: 'explain', workspace, ...asked, by: claimedName(values, terminal), show }, signal)
}

const onlyRecorded = ['recorded-max-age', 'declaration', 'at'] as const

/** Asks Plane and the directories, as a plan of the workspace does. */
async function explainNow({ workspace, asked, values, terminal }: Question, signal: AbortSignal): Promise<ReadForKey> {
  const { dryCycle, keyEventsOf, openProgram } = await import('./open.ts')
  await using open = await openProgram(values, terminal, [], signal)
  const only = onlyWorkspaces({ workspace: [workspace] }, open.loaded.settings)
  const report = await dryCycle(open, { only, listsUnchanged: true, asked }, signal)
  const nowMs = open.world.clock.now()
  const directories = [...open.program.sources.directories.keys()]
  const [planned] = report.workspaces
  const isExplained = planned?.kind === 'judged' && planned.explained !== undefined
  const events = isExplained ? await keyEventsOf(open.loaded, planned.explained.key, eventsMax, terminal, signal) : undefined
  return { report, directories, nowMs, ...(events !== undefined && { memory: open.memory, events }) }
}

/** Explains from a recording alone. It has what the journal knows, but none of its entries. */
async function explainRecorded({ workspace, asked, values, terminal }: Question, signal: AbortSignal): Promise<ReadForKey> {
  const [{ openRecorded }, { planOnly }, { realClock }] = await Promise.all([
    import('./openRecorded.ts'),
    import('./planOnly.ts'),
    import('../compose/realClock.ts'),
  ])
  const { recording, place, nowMs, view, partsOf } = await openRecorded(
    text(values.recorded) ?? '',
    values,
    terminal,
    [],
    realClock.wall(),
    signal,
  )
  const only = onlyWorkspaces({ workspace: [workspace] }, recording.settings)
  const report = await planOnly(partsOf(place), { only, listsUnchanged: true, asked }, signal)
  const directories = [...recording.directories.keys()]
  return { report, nowMs, directories, recorded: view, ...(recording.settings.hasJournal && { memory: recording.memory }) }
}

/** @throws {UsageError} */
function askedFor([workspace, target, group]: readonly string[]): AskedKey & { readonly workspace: WorkspaceName } {
  if (workspace === undefined || target === undefined || group === undefined || group === '')
    throw new UsageError('explain takes a workspace, a target and a group', {
      cure: 'such as: plane-group-sync explain acme ENG engineering',
    })
  return { workspace: workspace as WorkspaceName, target: targetFrom(target), group: group as GroupName }
}

/** A project is written as in a declaration: in any letter case. */
function targetFrom(word: string): Target {
  if (word === 'workspace') return { kind: 'workspace' }
  if (word === 'allProjects' || word === 'all projects') return { kind: 'allProjects' }
  const project = projectIdentifier(word)
  if (isProjectIdentifier(project)) return { kind: 'project', project }
  throw new UsageError(`"${visible(word)}" is no target`, {
    cure: "write workspace, allProjects, or a project's identifier: 1 to 12 characters without a blank, such as ENG",
  })
}
