import { hash } from 'node:crypto'
import { pastRows } from '../core/access/access.ts'
import { jsonIn } from '../core/jsonText.ts'
import { lists, type WorkspaceName } from '../core/mapping.ts'
import { listName } from '../core/memory/knownMappings.ts'
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
import { type ReportView, timeText } from '../render/reportDocument.ts'
import { reportMarkdown, reportText } from '../render/reportText.ts'
import { durationMs } from '../settings/patterns/time.ts'
import { serviceOf } from '../settings/service.ts'
import { type Call, type Command, choice, exitCodes, text, texts, UsageError } from './command.ts'
import { reportFormats } from './description.ts'
import { stream } from './input.ts'
import { claimedName, runningDaemon, showOf } from './orders/askDaemon.ts'
import { failuresText } from './render.ts'
import { reportedWorkspaces } from './reportedWorkspaces.ts'
import { type AskedFilter, evidenceNow, filteredReport, nothingKnown, viewOfReadings } from './reportReadings.ts'
import { saveOut } from './saveOut.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, reportFormats, 'text')
    const out = text(values.out)
    const isSaved = out !== undefined && out !== stream
    const { report, errors } = await reportOf({ values, terminal }, filterOf(values), signal)
    const colour = !isSaved && hasColours(terminal.env, terminal.isTerminal.out, values)
    const shown = rendered(report, format, { colour, width: terminal.columns })
    if (isSaved) await saveOut(out, 'the report', terminal.secrets.scrub(shown), signal)
    else terminal.out(shown)
    terminal.err(errors)
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

function filterOf(values: Call['values']): AskedFilter {
  const within = text(values['expires-within'])
  const endsWithinMs = within === undefined ? undefined : durationMs(within)
  if (within !== undefined && endsWithinMs === undefined)
    throw new UsageError(`--expires-within takes a duration, such as 30d or 12h, not "${visible(within)}"`)
  return { roles: texts(values.role), owners: texts(values.owner), groups: texts(values.group), ...defined({ endsWithinMs }) }
}

/** `errors`: what went wrong, for standard error. */
type Viewed = { readonly view: ReportView; readonly errors: string }
type Asked = Pick<Call, 'values' | 'terminal'>

/** The rows that the filter chooses. `errors`: also a line for each word of the filter that no row has. */
async function reportOf(
  asked: Asked,
  filter: AskedFilter,
  signal: AbortSignal,
): Promise<{ readonly report: ReportDocument; readonly errors: string }> {
  const { values } = asked
  const notAsked = (['recorded', 'at'] as const).find((name) => values[name] !== undefined)
  if (values.fresh === true && notAsked !== undefined)
    throw new UsageError(`--${notAsked} asks neither Plane nor a directory, so --fresh means nothing beside it`)
  const filtered = async (viewing: Promise<Viewed>) => {
    const { view, errors } = await viewing
    const { report, notFound } = filteredReport(view, filter)
    return { report, errors: errors + notFound }
  }
  if (text(values.recorded) !== undefined) return filtered(viewRecorded(asked, signal))
  const alone = (['recorded-max-age', 'declaration'] as const).find((name) => values[name] !== undefined)
  if (alone !== undefined) throw new UsageError(`--${alone} belongs to --recorded FILE`)
  if (text(values.at) !== undefined) return filtered(viewPast(asked, signal))
  return (await reportOfDaemon(asked, filter, signal)) ?? filtered(viewNow(asked, signal))
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

/** The answer of the daemon, from what it has read last: nothing is asked. Undefined if no daemon has the journal open. */
async function reportOfDaemon({ values, terminal }: Asked, filter: AskedFilter, signal: AbortSignal) {
  if (values.fresh === true) return undefined
  const loaded = await openSettingsWithoutKey(values, terminal, signal)
  const only = onlyWorkspaces(values, loaded.settings)
  const daemon = await runningDaemon(loaded, { ...values, quiet: true }, terminal)
  if (daemon === undefined) return undefined
  const about = { ...(only && { only: [...only] }), filter, by: claimedName(values, terminal), show: showOf(values, 'json', terminal) }
  const { out, err } = await daemon.ask({ kind: 'report', ...about }, signal)
  const { reportSchema } = await import('../documents/report.ts')
  const read = reportSchema.safeParse(jsonIn(out))
  if (read.success) return { report: read.data as ReportDocument, errors: err }
  throw new OperationalError('NotAnswered', `the daemon did not say what it has read: ${out === '' ? err.trim() : otherVersion}`, {
    cure: 'report --fresh asks Plane and the directories',
  })
}

const otherVersion = 'it gave an answer that this version does not understand'

/** What a recording has. The journal is not asked. */
async function viewRecorded({ values, terminal }: Asked, signal: AbortSignal): Promise<Viewed> {
  const [{ openRecorded }, { planOnly }, { realClock }] = await Promise.all([
    import('./openRecorded.ts'),
    import('./planOnly.ts'),
    import('../compose/realClock.ts'),
  ])
  const { recording, place, partsOf, view } = await openRecorded(
    text(values.recorded) ?? '',
    values,
    terminal,
    [],
    realClock.wall(),
    signal,
  )
  const only = onlyWorkspaces(values, recording.settings)
  const report = await planOnly(partsOf(place), { only, listsUnchanged: true }, signal)
  const about = { ...nothingKnown, atMs: view.takenMs, plannedMs: view.planMs }
  return { view: viewOfReadings(report, recording, about), errors: failuresText(report, terminal) }
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
  const { journal, ...evidence } = await evidenceNow(loaded, terminal, open.world.clock.wall(), signal)
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
