import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import { withRounds } from '../core/judge/guards.ts'
import type { Key } from '../core/mapping.ts'
import type { Plan } from '../core/plan.ts'
import type { Applied, Result } from '../core/report.ts'
import type { CycleReport, WorkspaceReport } from '../cycle/report.ts'

/**
 * All rounds as one report: the plan of the first round, the last result of each change, and the holds and untried changes of the last round. If the last
 * round has no plan, the report ends with the round before.
 */
export function joined(reports: readonly [CycleReport, ...CycleReport[]]): CycleReport {
  const last = reports.at(-1) ?? reports[0]
  return { ...last, workspaces: last.workspaces.map((one) => joinedWorkspace(one, reports)) }
}

type Judged = Extract<WorkspaceReport, { readonly kind: 'judged' }>
type Written = Judged & { readonly applied: Applied }

function joinedWorkspace(last: WorkspaceReport, reports: readonly CycleReport[]): WorkspaceReport {
  const rounds = reports.flatMap(({ workspaces }) => workspaces.filter(({ workspace }) => workspace === last.workspace))
  const written = rounds.filter((one): one is Written => one.kind === 'judged' && one.applied !== undefined)
  const [first] = written
  const latest = written.at(-1)
  if (rounds.length === 1 || first === undefined || latest === undefined) return last
  const results = latestResults(written, last)
  // The guards refuse what is left: the plan of the last round says why.
  if (last.kind === 'judged' && !last.verdict.approved) return { ...last, applied: { results, holds: [], left: last.verdict.plan.changes } }
  const tried = new Set(
    results.flatMap(({ change, outcome }) => (outcome.kind === 'notSent' && outcome.hold !== undefined ? [] : [change.id])),
  )
  const untried = ({ change }: Hold) => change === undefined || !tried.has(change.id)
  const changes = new Map(written.flatMap(({ verdict }) => verdict.plan.changes.map((change) => [change.id, change] as const)))
  const verdict = withRounds(first.verdict, [...changes.values()], latest.verdict.plan.holds.filter(untried))
  return { ...latest, about: last.about, verdict, applied: { ...latest.applied, ...endedBy(last), results } }
}

const endedBy = ({ kind }: WorkspaceReport): Pick<Applied, 'stopped'> =>
  kind === 'failed' ? { stopped: 'unreachable' } : kind === 'stopped' ? { stopped: 'signal' } : {}

/** The last result of each change. A write of unknown outcome is done if the last round finds nothing to do for its mapping. */
function latestResults(written: readonly Written[], last: WorkspaceReport): readonly Result[] {
  const open = last.kind === 'judged' ? openKeys(last.verdict.plan) : undefined
  const results = new Map(written.flatMap(({ applied }) => applied.results.map((one) => [one.change.id, one] as const)))
  return [...results.values()].map(({ change, outcome }): Result => {
    const isFound = outcome.kind === 'unknown' && open !== undefined && keysOf(change).every((key) => !open.has(key))
    return { change, outcome: isFound ? { kind: 'done' } : outcome }
  })
}

/** The keys for which a plan has a change or a hold; undefined if a list or a directory was not read whole. */
function openKeys({ changes, holds, findings }: Plan): ReadonlySet<Key> | undefined {
  if (findings.some(({ code }) => code === 'reading-incomplete')) return undefined
  return new Set([
    ...changes.flatMap(keysOf),
    ...holds.flatMap((hold) => [hold.key, ...(hold.change === undefined ? [] : keysOf(hold.change))]),
  ])
}

const keysOf = (change: Change): readonly Key[] => (change.action === 'rename' ? [change.from, change.key] : [change.key])
