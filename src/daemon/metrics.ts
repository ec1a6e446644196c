import { collectDefaultMetrics, Registry } from 'prom-client'
import { scheduleLoads } from '../core/findings/scheduleLoad.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import { limitNames } from '../core/hold.ts'
import { endingSoon } from '../core/later.ts'
import type { cycleTimes } from '../core/memory/lastCycle.ts'
import { type FenceOwnerOf, type OwnedRow, ownerOfRow } from '../core/ownerOf.ts'
import type { Plan } from '../core/plan.ts'
import type { DirectoryReport } from '../core/report.ts'
import { isOwner, namesTeam } from '../core/team.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import { countsOf, sectionsOf, setsOf } from '../render/sections.ts'
import type { Trigger } from './loop.ts'
import { heldReasons, reportFindings } from './metricTable.ts'
import { openSeries, type Series, type SeriesNames } from './series.ts'

/** The metrics page for Prometheus, and the functions that update its values. Times in reports are by the steady clock. */
export type Metrics = {
  /** Creates the series of these names with 0. Call it at the start and after every reload. */
  readonly expect: (known: SeriesNames & { readonly owners?: readonly string[]; readonly ownerOfFile?: FenceOwnerOf }) => void
  /** Takes the times of the last cycle of an earlier process. @param nowMs by the clock of the machine, which may have been set back since */
  readonly observeEarlier: (times: ReturnType<typeof cycleTimes>, nowMs: number) => void
  readonly observeBegin: (trigger: Trigger) => void
  /** @param whole the last report of each workspace, if the cycle was about some workspaces only */
  readonly observeReport: (report: CycleReport, whole?: CycleReport) => void
  /** Counts a cycle that ended without a report. */
  readonly observeThrow: () => void
  /** @param atMs by the clock of the machine */
  readonly observeNext: (atMs: number) => void
  readonly observeRequest: (request: ObservedRequest) => void
  /** Counts a message to a receiver of `notify`. */
  readonly observeMessage: (result: 'sent' | 'dropped') => void
  /** `hash`: SHA-256 in hex of the part that is in use. */
  readonly observeConfiguration: (part: 'settings' | 'declaration', valid: boolean, hash: string) => void
  readonly render: () => Promise<{ readonly contentType: string; readonly body: string }>
}

type ObservedRequest = { readonly operation: string; readonly tookMs: number } & (
  | { readonly status: number }
  | { readonly failure: string }
)

/** One credential's queue as it is now. */
type Queue = {
  readonly credential: string
  readonly view: {
    readonly limit: number
    readonly remaining: number
    readonly others: number
    readonly waitMs: number
    readonly length: number
    readonly circuit: { readonly open: boolean }
  }
}

export type MetricsOptions = {
  readonly version: string
  readonly node: string
  /** Called for each request of the page. */
  readonly queues: () => readonly Queue[]
  /** The date of a steady time. Prometheus compares it with its own clock. */
  readonly dateOf: (atMs: number) => number
  /** Lines of the log that were dropped since the start. Called for each request of the page. */
  readonly linesLost?: () => number
  /** Called with the error of a metric that could not be read. The page leaves that metric out. */
  readonly onError: (error: unknown) => void
}

export function openMetrics({ version, node, queues, dateOf, linesLost = () => 0, onError }: MetricsOptions): Metrics {
  const registry = new Registry()
  const series = openSeries(registry)
  collectDefaultMetrics({ register: registry })
  series.set('buildInfo', { version, node }, 1)
  let lostBefore = 0
  const byOwner = openOwnerMetrics(series)
  const byCode = openFindingMetrics(series)
  const infos = new Map<'settings' | 'declaration', string>()

  function observeConfiguration(part: 'settings' | 'declaration', valid: boolean, hash: string): void {
    infos.set(part, hash)
    series.set('configurationValid', { part }, Number(valid))
    series.drop('configurationInfo')
    for (const [part, hash] of infos) series.set('configurationInfo', { part, hash: hash.slice(0, 8) }, 1)
  }

  function observeLinesLost(): void {
    const lost = linesLost()
    series.add('linesLost', {}, lost - lostBefore)
    lostBefore = lost
  }

  async function render() {
    observeLinesLost()
    try {
      for (const queue of queues()) observeQueue(series, queue)
    } catch (error) {
      onError(error)
    }
    // One by one, so that a default metric whose `collect` throws does not fail the whole page.
    const names = registry.getMetricsAsArray().map(({ name }) => name)
    const texts = await Promise.allSettled(names.map(async (name) => registry.getSingleMetricAsString(name)))
    for (const text of texts) if (text.status === 'rejected') onError(text.reason)
    const made = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []))
    return { contentType: registry.contentType, body: `${[...series.texts(), ...made].join('\n\n')}\n` }
  }

  return {
    expect(known) {
      series.expect(known)
      byOwner.expect(known.owners ?? [], known.workspaces, known.ownerOfFile ?? (() => undefined))
      byCode.expect(known.workspaces)
    },
    observeEarlier(times, nowMs) {
      for (const { workspace, attemptedMs, succeededMs } of times) {
        series.set('lastAttempt', { workspace }, Math.min(attemptedMs, nowMs) / 1000)
        series.set('lastSuccess', { workspace }, Math.min(succeededMs, nowMs) / 1000)
      }
    },
    observeBegin: (trigger) => series.add('cyclesBegun', { trigger }),
    observeReport(report, { workspaces: allWorkspaces } = report) {
      const { declaration, directories, workspaces, startedMs, tookMs } = report
      observeConfiguration('declaration', declaration.kept === undefined, declaration.hash)
      series.drop('declarationFilesInvalid')
      for (const [owner, files] of Map.groupBy(declaration.keptFiles ?? [], (file) => file.owner ?? 'none'))
        series.set('declarationFilesInvalid', { owner }, files.length)
      if (declaration.kept === undefined) series.set('declarationLastValid', {}, dateOf(startedMs) / 1000)
      series.observe('cycleDuration', {}, tookMs / 1000)
      for (const directory of directories) observeDirectory(series, directory, dateOf(directory.atMs) / 1000)
      for (const workspace of workspaces) observeWorkspace(series, workspace, dateOf(startedMs + tookMs) / 1000)
      byOwner.observe(workspaces, dateOf(startedMs))
      byCode.observe(workspaces, allWorkspaces)
      for (const { credential, calls, allowed } of scheduleLoads(allWorkspaces))
        series.set('scheduleLoad', { credential }, calls / Math.max(1, allowed))
    },
    observeThrow: () => series.add('cyclesThrown', {}),
    observeNext: (atMs) => series.set('nextRun', {}, atMs / 1000),
    observeRequest({ operation, tookMs, ...what }) {
      series.add('requests', { operation, status: 'status' in what ? String(what.status) : what.failure })
      series.observe('requestDuration', { operation }, tookMs / 1000)
    },
    observeMessage: (result) => series.add('messages', { result }),
    observeConfiguration,
    render,
  }
}

/** A failed workspace keeps the numbers of its last plan. Otherwise a failed cycle would end an alert on them. */
function observeWorkspace(series: Series, report: CycleReport['workspaces'][number], atSeconds: number): void {
  const { workspace, about } = report
  const outcome = cycleOutcome(report)
  series.add('cycles', { workspace, outcome })
  series.set('lastAttempt', { workspace }, atSeconds)
  if (outcome === 'success') series.set('lastSuccess', { workspace }, atSeconds)
  series.set('suspended', { workspace, what: 'all' }, Number(about.suspend === true))
  series.set('suspended', { workspace, what: 'grants' }, Number(about.suspend === 'grants'))
  series.set('observing', { workspace }, Number(about.policy === 'observe'))
  if (report.kind !== 'judged') return

  const { judged, applied } = report
  const plan: Plan = judged.plan
  const results = applied?.results ?? []
  for (const { change, outcome } of results) series.add('changes', { workspace, action: change.action, result: outcome.kind })
  const done = results.filter(({ outcome }) => outcome.kind === 'done').length
  const stopped = applied?.holds ?? []
  series.set('pending', { workspace }, Math.max(0, plan.changes.length - done - stopped.length))

  const { waiting, held: open, kept, dangling, undeclared } = sectionsOf(plan)
  const held = [...open, ...kept, ...dangling]
  series.set('waitingForApproval', { workspace }, waiting.length)
  for (const limit of limitNames)
    series.set('waitingSets', { workspace, limit }, setsOf(waiting).filter(({ over }) => over.name === limit).length)
  series.set('dangling', { workspace }, dangling.length)
  series.set('undeclared', { workspace }, undeclared.length)
  for (const reason of heldReasons) series.set('held', { workspace, reason }, held.filter((hold) => hold.reason.kind === reason).length)
  series.set('unchanged', { workspace }, plan.unchanged)
  const { later, protected: grants } = countsOf(plan, about)
  series.set('later', { workspace, role: 'protected' }, grants.later)
  series.set('later', { workspace, role: 'ordinary' }, later - grants.later)
  for (const list of ['workspaceRoles', 'projectRoles'] as const) series.set('owned', { workspace, list }, plan.owned[list] ?? 0)
}

function observeDirectory(series: Series, { name: directory, status, groups, tookMs }: DirectoryReport, atSeconds: number): void {
  series.add('readings', { directory, status })
  series.observe('readingDuration', { directory }, tookMs / 1000)
  if (status !== 'failed') series.set('directoryGroups', { directory }, groups)
  if (status === 'complete') series.set('directoryComplete', { directory }, atSeconds)
}

function observeQueue(series: Series, { credential, view }: Queue): void {
  series.set('budgetLimit', { credential }, view.limit)
  series.set('budgetRemaining', { credential }, view.remaining)
  series.set('budgetOthers', { credential }, view.others)
  series.set('budgetWait', { credential }, view.waitMs / 1000)
  series.set('queueLength', { credential }, view.length)
  series.set('circuitOpen', { credential }, view.circuit.open ? 1 : 0)
}

/** What waits, is held, or ends soon, by the owner of the rules. A workspace that failed keeps the numbers of its last plan. */
type Owners = {
  /** The owners that the fences of the settings name, also by a template. All others count as `none`, so that the number of series is bounded. */
  readonly expect: (owners: readonly string[], workspaces: readonly string[], ownerOfFile: FenceOwnerOf) => void
  /** @param dateMs of the report, epoch ms */
  readonly observe: (workspaces: CycleReport['workspaces'], dateMs: number) => void
}

const metricKeys = ['ownerWaiting', 'ownerHeld', 'ownerExpiring'] as const
type Numbers = Readonly<Record<(typeof metricKeys)[number], ReadonlyMap<string, number>>>

const noOwner = 'none'
/** Templates could give any number of owners. */
const ownersMax = 1_000

function openOwnerMetrics(series: Series): Owners {
  let known = new Set<string>([noOwner])
  let templates: readonly string[] = []
  /** An owner by a template has a series from when it is first seen. */
  const ownerOf = (name: string): string => {
    const isNew = !known.has(name) && known.size < ownersMax && templates.some((owner) => isOwner(owner, name))
    if (isNew) known.add(name)
    return known.has(name) ? name : noOwner
  }
  let ownerOfFile: FenceOwnerOf = () => undefined
  const last = new Map<string, Numbers>()

  function show(): void {
    for (const key of metricKeys) {
      const sums = new Map([...known].map((owner) => [owner, 0]))
      for (const numbers of last.values())
        for (const [name, number] of numbers[key]) {
          const owner = ownerOf(name)
          sums.set(owner, (sums.get(owner) ?? 0) + number)
        }
      series.drop(key)
      for (const [owner, sum] of sums) series.set(key, { owner }, sum)
    }
  }

  return {
    expect(owners, workspaces, ofFile) {
      ownerOfFile = ofFile
      templates = owners.filter(namesTeam)
      known = new Set([
        noOwner,
        ...owners.filter((owner) => !namesTeam(owner)),
        ...[...known].filter((name) => templates.some((owner) => isOwner(owner, name))),
      ])
      for (const name of last.keys()) if (!workspaces.includes(name)) last.delete(name)
      show()
    },
    observe(workspaces, dateMs) {
      for (const workspace of workspaces) {
        const numbers = numbersOf(workspace, dateMs, ownerOfFile)
        if (numbers !== undefined) last.set(workspace.workspace, numbers)
      }
      show()
    },
  }
}

function numbersOf(report: CycleReport['workspaces'][number], dateMs: number, ownerOfFile: FenceOwnerOf): Numbers | undefined {
  if (report.kind !== 'judged') return undefined
  const { plan } = report.judged
  const { waiting, held, kept, dangling } = sectionsOf(plan)
  const countByOwner = (rows: readonly OwnedRow[]) => countsBy(rows, (row) => ownerOfRow(row, ownerOfFile) ?? '')
  return {
    ownerWaiting: countByOwner(waiting),
    ownerHeld: countByOwner([...held, ...kept, ...dangling]),
    ownerExpiring: countByOwner(endingSoon(plan.later, dateMs)),
  }
}

function countsBy<T>(rows: readonly T[], nameOf: (row: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1)
  return counts
}

/** How many findings of each code there are. A workspace that failed keeps those of its last plan: a failed cycle must not end an alert on them. */
type FindingMetrics = {
  readonly expect: (workspaces: readonly string[]) => void
  /** @param allWorkspaces the last report of each workspace, also of those that the cycle was not about */
  readonly observe: (workspaces: CycleReport['workspaces'], allWorkspaces: CycleReport['workspaces']) => void
}

function openFindingMetrics(series: Series): FindingMetrics {
  const codesOf = new Map<string, readonly string[]>()
  return {
    expect(workspaces) {
      for (const name of codesOf.keys()) if (!workspaces.includes(name)) codesOf.delete(name)
    },
    observe(workspaces, allWorkspaces) {
      for (const workspace of workspaces)
        if (workspace.kind === 'judged' || workspace.kind === 'moved')
          codesOf.set(
            workspace.workspace,
            workspace.judged.plan.findings.map(({ code }) => code),
          )
      const codes = [...[...codesOf.values()].flat(), ...sharedFindings(allWorkspaces).map(({ code }) => code)]
      for (const code of reportFindings) series.set('findings', { code }, codes.filter((countedCode) => countedCode === code).length)
    },
  }
}
