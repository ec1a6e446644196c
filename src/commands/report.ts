import { hash } from 'node:crypto'
import { pastRows } from '../core/access/access.ts'
import { lists, type WorkspaceName } from '../core/mapping.ts'
import { listName } from '../core/memory/knownMappings.ts'
import { emptyMemory } from '../core/memory/memory.ts'
import { editsKeptMs, editsSince } from '../core/memory/seen.ts'
import { at } from '../core/memory/shardedMap.ts'
import { OperationalError } from '../core/operationalError.ts'
import { complete, defined } from '../core/optionalFields.ts'
import { isoTime } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { ReportDocument } from '../documents/report.ts'
import { realDisk } from '../journal/disk.ts'
import { readPast } from '../journal/past.ts'
import { documentText } from '../render/documentText.ts'
import { reportHtml } from '../render/html/report.ts'
import { style } from '../render/html/style.ts'
import { reportCsv } from '../render/reportCsv.ts'
import { notFoundText, type ReportFilter, type ReportView, reportDocument, timeText } from '../render/reportDocument.ts'
import { reportMarkdown, reportText } from '../render/reportText.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { durationMs } from '../settings/patterns/time.ts'
import { serviceOf } from '../settings/service.ts'
import { type Call, type Command, choice, exitCodes, text, texts, UsageError } from './command.ts'
import { reportFormats } from './description.ts'
import { stream } from './input.ts'
import { claimedName, runningDaemon } from './orders/askDaemon.ts'
import { failuresText } from './render.ts'
import { type Evidence, reportedWorkspaces } from './reportedWorkspaces.ts'
import { saveOut } from './saveOut.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, reportFormats, 'text')
    const out = text(values.out)
    const isSaved = out !== undefined && out !== stream
    const { view, errors } = await viewOf({ values, terminal }, signal)
    const filter = filterOf(values, view.plannedMs ?? view.atMs)
    const report = reportDocument(view, filter)
    const colour = !isSaved && hasColours(terminal.env, terminal.isTerminal.out, values)
    const shown = rendered(report, format, { colour, width: terminal.columns })
    if (isSaved) await saveOut(out, 'the report', terminal.secrets.scrub(shown), signal)
    else terminal.out(shown)
    terminal.err(errors + notFoundText(view, filter))
    const isWhole = report.workspaces.every((workspace) => workspace.failed === undefined && workspace.lists.every(isRead))
    return isWhole && !signal.aborted ? exitCodes.done : exitCodes.failed
  },
}

const isRead = ({ status }: ReportDocument['workspaces'][number]['lists'][number]): boolean => status === 'complete'

function rendered(report: ReportDocument, format: (typeof reportFormats)[number], options: Parameters<typeof reportText>[1]): string {
  switch (format) {
    case 'text':
      return reportText(report, options)
    case 'csv':
      return reportCsv(report)
    case 'json':
      return `${documentText(report)}\n`
    case 'html':
      return reportHtml(report, hash('sha256', style, 'base64'))
    case 'markdown':
      return reportMarkdown(report)
    default:
      return format satisfies never
  }
}

function filterOf(values: Call['values'], atMs: number): ReportFilter {
  const within = text(values['expires-within'])
  const withinMs = within === undefined ? undefined : durationMs(within)
  if (within !== undefined && withinMs === undefined)
    throw new UsageError(`--expires-within takes a duration, such as 30d or 12h, not "${visible(within)}"`)
  return {
    ...{ roles: texts(values.role), owners: texts(values.owner), groups: texts(values.group) },
    ...defined({ endsBeforeMs: withinMs === undefined ? undefined : atMs + withinMs }),
  }
}

/** `errors`: what went wrong, for standard error. */
type Viewed = { readonly view: ReportView; readonly errors: string }
type Asked = Pick<Call, 'values' | 'terminal'>

async function viewOf(asked: Asked, signal: AbortSignal): Promise<Viewed> {
  const { values } = asked
  const notAsked = (['recorded', 'at'] as const).find((name) => values[name] !== undefined)
  if (values.fresh === true && notAsked !== undefined)
    throw new UsageError(`--${notAsked} asks neither Plane nor a directory, so --fresh means nothing beside it`)
  if (text(values.recorded) !== undefined) return viewRecorded(asked, signal)
  const alone = (['recorded-max-age', 'declaration'] as const).find((name) => values[name] !== undefined)
  if (alone !== undefined) throw new UsageError(`--${alone} belongs to --recorded FILE`)
  if (text(values.at) !== undefined) return viewPast(asked, signal)
  return (await viewByDaemon(asked, signal)) ?? (await viewNow(asked, signal))
}

/** The last moment that `--at` names: a day ends after its last second. */
async function atMsOf(values: Call['values']): Promise<number> {
  const { momentNamed } = await import('./openRecorded.ts')
  const named = text(values.at) as string
  const ms = momentNamed(named) as number
  return named.includes('T') ? ms : ms + 86_400_000 - 1
}

/** What the journal knew at a moment. Nothing is asked. */
async function viewPast({ values, terminal }: Asked, signal: AbortSignal): Promise<Viewed> {
  const atMs = await atMsOf(values)
  const [loaded, { realClock }] = await Promise.all([openSettingsWithoutKey(values, terminal, signal), import('../compose/realClock.ts')])
  if (atMs > realClock.wall())
    throw new UsageError(`--at ${visible(text(values.at) ?? '')} is not over`, { cure: 'leave out --at for what is so now' })
  const only = onlyWorkspaces(values, loaded.settings)
  const { journal, service } = loaded.settings
  if (journal === 'none')
    throw new UsageError('these settings have no journal, so nothing is known of the past', { cure: 'name a folder with journal.folder' })
  const folder = loaded.path(journal.folder)
  const past = await readPast(folder, realDisk(terminal.processes), atMs, service.unknownOutcomeWait, signal)
  if (past.memory === undefined)
    throw new OperationalError(
      'NotKnown',
      past.fromMs === undefined
        ? `${folder}: this journal has no entry`
        : `${folder}: this journal goes back to ${isoTime(past.fromMs)}, and knows nothing of ${isoTime(atMs)}`,
      { cure: 'name a later moment with --at, or a copy of the folder from that time with journal.folder' },
    )
  const { memory } = past
  const { requireOwnJournal } = await import('./journal.ts')
  requireOwnJournal(memory, loaded)
  const names = (Object.keys(loaded.settings.workspaces) as WorkspaceName[]).filter((name) => only?.has(name) !== false)
  const workspaces = names.map((workspace) => ({
    workspace,
    lists: lists.map((list) => {
      const known = at(memory.seen, listName(workspace, list))
      if (known === undefined) return { list, status: 'notRead' as const, why: 'the journal has seen no whole reading of it until then' }
      return { list, status: 'complete' as const, read: timeText(known.readMs), seenFrom: timeText(known.fromMs) }
    }),
    rows: pastRows(workspace, { seen: memory.seen, written: past.written, unsure: past.unsure }),
    roles: loaded.settings.roles,
  }))
  return {
    view: complete<ReportView>({
      atMs,
      from: 'journal',
      service: serviceOf(loaded.settings),
      declaration: past.declaration,
      plannedMs: undefined,
      journal: { folder, fromMs: past.fromMs },
      workspaces,
    }),
    errors: '',
  }
}

/** What the journal knows now, beside the plans. Without a journal: nothing. */
async function evidenceNow(
  { settings: { journal, service }, path }: LoadedSettings,
  { terminal }: Pick<Asked, 'terminal'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<Pick<Evidence, 'seen' | 'written' | 'edits'> & Pick<ReportView, 'journal'>> {
  if (journal === 'none') return { seen: emptyMemory.seen, written: new Map() }
  const folder = path(journal.folder)
  const past = await readPast(folder, realDisk(terminal.processes), Number.POSITIVE_INFINITY, service.unknownOutcomeWait, signal)
  return {
    seen: past.memory?.seen ?? emptyMemory.seen,
    written: past.memory === undefined ? new Map() : past.written,
    edits: editsSince(past.memory?.edits ?? [], nowMs - editsKeptMs),
    journal: { folder, ...defined({ fromMs: past.fromMs }) },
  }
}

/** What the daemon has read last. Nothing is asked. Undefined if no daemon has the journal open. */
async function viewByDaemon({ values, terminal }: Asked, signal: AbortSignal): Promise<Viewed | undefined> {
  if (values.fresh === true) return undefined
  const loaded = await openSettingsWithoutKey(values, terminal, signal)
  const only = onlyWorkspaces(values, loaded.settings)
  const daemon = await runningDaemon(loaded, { ...values, quiet: true }, terminal)
  if (daemon === undefined) return undefined
  const answer = await daemon.ask({ kind: 'record', memberships: false, declaredGroups: false, by: claimedName(values, terminal) }, signal)
  const [{ openedRecording }, { recordingFrom }, { realClock }] = await Promise.all([
    import('./openRecorded.ts'),
    import('../recording/stored.ts'),
    import('../compose/realClock.ts'),
  ])
  const read = recordingFrom(answer.out)
  if (read.kind === 'unreadable')
    throw new OperationalError('NotAnswered', `the daemon did not say what it has read: ${answer.err.trim()}`, {
      cure: 'report --fresh asks Plane and the directories',
    })
  const opened = await openedRecording(read.recording, values, terminal, [], realClock.wall(), signal)
  const { journal, ...evidence } = await evidenceNow(loaded, { terminal }, realClock.wall(), signal)
  return recordedView(opened, evidence, journal, realClock.wall(), only, terminal, signal)
}

/** What a recording has. The journal is not asked. */
async function viewRecorded({ values, terminal }: Asked, signal: AbortSignal): Promise<Viewed> {
  const [{ openRecorded }, { realClock }] = await Promise.all([import('./openRecorded.ts'), import('../compose/realClock.ts')])
  const opened = await openRecorded(text(values.recorded) ?? '', values, terminal, [], realClock.wall(), signal)
  const only = onlyWorkspaces(values, opened.recording.settings)
  return recordedView(opened, { seen: emptyMemory.seen, written: new Map() }, undefined, opened.view.takenMs, only, terminal, signal)
}

type Opened = Awaited<ReturnType<typeof import('./openRecorded.ts').openedRecording>>

async function recordedView(
  { recording, place, partsOf, view: { planMs: plannedMs } }: Opened,
  evidence: Pick<Evidence, 'seen' | 'written' | 'edits'>,
  journal: ReportView['journal'],
  atMs: number,
  only: ReadonlySet<WorkspaceName> | undefined,
  terminal: Asked['terminal'],
  signal: AbortSignal,
): Promise<Viewed> {
  const { planOnly } = await import('./planOnly.ts')
  const report = await planOnly(partsOf(place), { only, listsUnchanged: true }, signal)
  const { takenMs, steadyMs, workspaces, directories, settings } = recording
  const of = {
    ...evidence,
    lists: (workspace: WorkspaceName) => workspaces.get(workspace)?.lists ?? new Map(),
    directories: new Map([...directories].map(([name, { reading }]) => [name, reading])),
    dateOf: (ms: number) => takenMs + ms - steadyMs,
  }
  const view = complete<ReportView>({
    atMs,
    from: 'readings',
    service: serviceOf(settings),
    declaration: report.declaration,
    plannedMs,
    journal,
    workspaces: reportedWorkspaces(report, of),
  })
  return { view, errors: failuresText(report, terminal) }
}

/** Asks Plane for both lists of each workspace, and the directories that rules ask. */
async function viewNow({ values, terminal }: Asked, signal: AbortSignal): Promise<Viewed> {
  const [{ dryCycle, openProgramOf }, { openReadingsKeeper }, { openSettings }, { dateOf }] = await Promise.all([
    import('./open.ts'),
    import('../recording/readings.ts'),
    import('./settings.ts'),
    import('../core/clock.ts'),
  ])
  const loaded = await openSettings(values, terminal, signal)
  const only = onlyWorkspaces(values, loaded.settings)
  const keeper = openReadingsKeeper()
  await using open = await openProgramOf(loaded, values, terminal, [], signal, keeper)
  const report = await dryCycle(open, { only, listsUnchanged: true }, signal)
  const { readings } = keeper
  const bindings = [...open.program.sources.bindings.values()].flat().filter(({ workspace }) => only?.has(workspace) !== false)
  for (const { workspace, read } of bindings)
    for (const list of lists) if (readings.workspaces.get(workspace)?.lists.get(list) === undefined) await read.mappings(list, signal)
  const { journal, ...evidence } = await evidenceNow(loaded, { terminal }, open.world.clock.wall(), signal)
  const of = {
    ...{ ...evidence, directories: readings.directories },
    lists: (workspace: WorkspaceName) => readings.workspaces.get(workspace)?.lists ?? new Map(),
    dateOf: (ms: number) => dateOf(open.world.clock, ms),
  }
  const view = complete<ReportView>({
    atMs: open.world.clock.wall(),
    from: 'readings',
    service: serviceOf(loaded.settings),
    declaration: report.declaration,
    plannedMs: undefined,
    journal,
    workspaces: reportedWorkspaces(report, of),
  })
  return { view, errors: failuresText(report, terminal) }
}
