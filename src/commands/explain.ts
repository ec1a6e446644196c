import { compare } from '../core/compare.ts'
import type { Explanation } from '../core/explain/explanation.ts'
import type { KeyEvent } from '../core/explain/keyEvents.ts'
import type { AskedKey } from '../core/explain/nearRules.ts'
import { originOf } from '../core/explain/origin.ts'
import { type GroupName, isProjectIdentifier, projectIdentifier, type Target, type WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { complete } from '../core/optionalFields.ts'
import { visible } from '../core/safeName.ts'
import { type CycleReport, stoppedText } from '../cycle/cycleReport.ts'
import { explainJson } from '../render/explainJson.ts'
import { type ExplainView, explainText } from '../render/explainText.ts'
import type { RecordedView } from '../render/view.ts'
import { type Call, type Command, choice, exitCodes, text, UsageError } from './command.ts'
import { groupFormats } from './description.ts'
import { claimedName, runningDaemon } from './orders/askDaemon.ts'
import { failuresText } from './render.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, positionals, terminal, signal }) {
    const format = choice('format', values.format, groupFormats, 'text')
    const { workspace, ...asked } = askedFor(positionals)
    const call = { workspace, asked, values, terminal }
    const read =
      text(values.recorded) === undefined
        ? ((await explainByDaemon(call, signal)) ?? (await explainNow(call, signal)))
        : await explainRecorded(call, signal)
    const [planned] = read.report.workspaces
    if (planned?.kind === 'failed') throw planned.error
    if (planned?.kind !== 'judged' || planned.explained === undefined) {
      terminal.err(`${visible(workspace)}: ${stoppedText}\n`)
      return exitCodes.failed
    }
    const view = viewOf({ ...planned, explained: planned.explained }, read)
    const colour = hasColours(terminal.env, terminal.isTerminal.out, values)
    terminal.out(format === 'json' ? `${explainJson(view)}\n` : explainText(view, { colour, width: terminal.columns }))
    terminal.err(failuresText(read.report, terminal))
    const isAnswered = view.explained.mappingsUnread === undefined || view.explained.mappings.length > 0
    return isAnswered && !signal.aborted ? exitCodes.done : exitCodes.failed
  },
}

/** The most entries of the journal that are shown. */
const eventsMax = 10

/** `memory`: that of the journal; absent without one. */
type Read = {
  readonly report: CycleReport
  readonly memory?: Memory
  readonly events?: readonly KeyEvent[]
  readonly recorded?: RecordedView
  /** It is what the daemon has read last. */
  readonly byDaemon?: true
  /** The names of all directories. */
  readonly directories: readonly string[]
  readonly nowMs: number
}

type Question = { readonly workspace: WorkspaceName; readonly asked: AskedKey } & Pick<Call, 'values' | 'terminal'>

type Explained = Extract<CycleReport['workspaces'][number], { kind: 'judged' }> & { readonly explained: Explanation }

const viewOf = (
  { about, judged, explained }: Explained,
  { report, memory, events, recorded, byDaemon, directories, nowMs }: Read,
): ExplainView =>
  complete<ExplainView>({
    about,
    judged,
    explained,
    declaration: report.declaration,
    origins: memory && new Map(explained.mappings.map((mapping) => [mapping.id, originOf(mapping, about.workspace, memory)])),
    events,
    recorded,
    byDaemon,
    unasked: directories.filter((name) => !explained.directories.some((asked) => asked.name === name)).toSorted(compare),
    nowMs,
  })

/** Explains from what the daemon has read last: nothing is asked. Undefined if no daemon has the journal open. */
async function explainByDaemon({ workspace, asked, values, terminal }: Question, signal: AbortSignal): Promise<Read | undefined> {
  if (values.fresh === true) return undefined
  const loaded = await openSettingsWithoutKey(values, terminal, signal)
  const daemon = await runningDaemon(loaded, { ...values, quiet: true }, terminal)
  if (daemon === undefined) return undefined
  const only = onlyWorkspaces({ workspace: [workspace] }, loaded.settings)
  const answer = await daemon.ask({ kind: 'record', memberships: false, declaredGroups: false, by: claimedName(values, terminal) }, signal)
  const [{ openedRecording }, { recordingFrom }, { planOnly }, { keyEventsOf }, { realClock }] = await Promise.all([
    import('./openRecorded.ts'),
    import('../recording/stored.ts'),
    import('./planOnly.ts'),
    import('./open.ts'),
    import('../compose/realClock.ts'),
  ])
  const read = recordingFrom(answer.out)
  if (read.kind === 'unreadable')
    throw new OperationalError('NotAnswered', `the daemon did not say what it has read: ${answer.err.trim()}`, {
      cure: 'explain --fresh asks Plane and the directories',
    })
  const { recording } = read
  const { place, nowMs, partsOf } = await openedRecording(recording, values, terminal, [], realClock.wall(), signal)
  const report = await planOnly(partsOf(place), { only, listsUnchanged: true, asked }, signal)
  const [planned] = report.workspaces
  const key = planned?.kind === 'judged' ? planned.explained?.key : undefined
  const events = key === undefined ? undefined : await keyEventsOf(loaded, key, eventsMax, terminal, signal)
  const known = events !== undefined && { memory: recording.memory, events }
  return { report, nowMs, directories: [...recording.directories.keys()], byDaemon: true, ...known }
}

/** Asks Plane and the directories, as a plan of the workspace does. */
async function explainNow({ workspace, asked, values, terminal }: Question, signal: AbortSignal): Promise<Read> {
  const alone = onlyRecorded.find((name) => values[name] !== undefined)
  if (alone !== undefined) throw new UsageError(`--${alone} belongs to --recorded FILE`)
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

const onlyRecorded = ['recorded-max-age', 'declaration', 'at'] as const

/** Explains from a recording alone. It has what the journal knows, but none of its entries. */
async function explainRecorded({ workspace, asked, values, terminal }: Question, signal: AbortSignal): Promise<Read> {
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
