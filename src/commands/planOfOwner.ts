import type { Change } from '../core/change.ts'
import { compare } from '../core/compare.ts'
import type { Hold } from '../core/hold.ts'
import { withParts } from '../core/judge/guards.ts'
import type { PlanParts } from '../core/planDifference.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { OwnerView } from '../render/view.ts'
import type { Differences } from './recordedPlan.ts'

type Row = { readonly because?: { readonly owner?: string } }
type Narrowed = { readonly report: CycleReport; readonly differences?: Differences; readonly owner: OwnerView }

/**
 * The report with only the rows that the rules of one owner make, and the invalid files of this owner. A set of changes that wait stays whole if one of them is of this owner,
 * since its ID passes all of them. The delete of a mapping whose line is gone stays: no rule says any more whose it was. A finding about a place in a file is left out if no row of this owner comes from the file.
 */
export function reportOfOwner(report: CycleReport, differences: Differences | undefined, owner: string): Narrowed {
  const owners = new Set<string>()
  let others = 0
  const isTheirs = ({ because }: Row) => {
    if (because?.owner !== undefined) owners.add(because.owner)
    return because?.owner === owner
  }
  const isLineGone = (change: Change | undefined) => change?.action === 'delete' && change.because === undefined
  const theirs = (parts: PlanParts): PlanParts => {
    const isOwn = (hold: Hold) => isTheirs(hold) || isLineGone(hold.change)
    const sets = new Set(parts.holds.filter(isOwn).flatMap((hold) => setOf(hold) ?? []))
    const narrow = {
      changes: parts.changes.filter((change) => isTheirs(change) || isLineGone(change)),
      holds: parts.holds.filter((hold) => isOwn(hold) || sets.has(setOf(hold) ?? '')),
      later: parts.later.filter(isTheirs),
    }
    const files = new Set(
      [...narrow.changes, ...narrow.holds, ...narrow.later].filter(isTheirs).flatMap(({ because }) => because?.at.file ?? []),
    )
    return { ...narrow, findings: parts.findings.filter(({ place }) => isAbout(place, files)) }
  }
  const rows = ({ changes, holds, later }: PlanParts) => changes.length + holds.length + later.length
  const workspaces = report.workspaces.map((workspace) => {
    if (workspace.kind !== 'judged') return workspace
    const parts = theirs(workspace.judged.plan)
    others += rows(workspace.judged.plan) - rows(parts)
    return { ...workspace, judged: withParts(workspace.judged, parts) }
  })
  const narrowed = [...(differences ?? [])].map(([workspace, { gone, same, left, causeOf }]) => {
    const parts = { gone: theirs(gone), same: theirs(same), left: left.filter(isTheirs), causeOf }
    return [workspace, parts] as const
  })
  return {
    report: { ...report, workspaces, declaration: declarationOf(report.declaration, owner) },
    ...(differences === undefined ? {} : { differences: new Map(narrowed) }),
    owner: { name: owner, others, known: owners.has(owner) ? [] : [...owners].toSorted(compare) },
  }
}

const setOf = ({ reason }: Hold): string | undefined => (reason.kind === 'approval' && reason.why === 'limit' ? reason.pass : undefined)

/** Whether a finding is about the whole plan, or about one of these files. */
function isAbout(place: string, files: ReadonlySet<string>): boolean {
  const file = /^(.*):\d+:\d+$/.exec(place)?.[1]
  return file === undefined || files.has(file)
}

/** Invalid files of others do not count. Files that contradict each other have no owner of their own. */
function declarationOf(declaration: CycleReport['declaration'], owner: string): CycleReport['declaration'] {
  const { kept, keptFiles = [], ...valid } = declaration
  const own = keptFiles.filter((file) => file.owner === owner)
  return kept === undefined || (own.length === 0 && keptFiles.length > 0) ? valid : { ...declaration, keptFiles: own }
}
