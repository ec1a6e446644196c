import type { Change } from '../core/change.ts'
import { compare } from '../core/compare.ts'
import type { Finding } from '../core/finding.ts'
import type { Hold } from '../core/hold.ts'
import { withParts } from '../core/judge/guards.ts'
import type { Key } from '../core/mapping.ts'
import { type FenceOwnerOf, fileOfRow, type OwnedRow, ownerOfRow } from '../core/ownerOf.ts'
import type { PlanParts } from '../core/planDifference.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { OwnerView } from '../render/view.ts'
import type { Differences } from './recordedPlan.ts'

type Row = OwnedRow & { readonly key?: Key }
type Narrowed = { readonly report: CycleReport; readonly differences?: Differences; readonly owner: OwnerView }

/**
 * The report with only the rows that concern one owner, and the invalid files of this owner.
 *
 * | row                                                                  | because                                                |
 * |----------------------------------------------------------------------|--------------------------------------------------------|
 * | a rule of this owner makes it, or gave the mapping                   |                                                        |
 * | in the base a rule of this owner decided about its key               | an edit of theirs may have let another rule decide     |
 * | its rule is in a file in which this owner has rules in the base      | an edit of theirs may say another owner                |
 * | the delete of a mapping whose line is gone, of no known owner        | no rule says any more whose it was                     |
 * | another one of a set of which one is theirs                          | the ID of the set passes all of them                   |
 *
 * A finding about a place in a file is left out if only rows of others come from the file.
 *
 * @param base the report of the base, if the report shows only what a branch changes
 */
export function reportOfOwner(
  report: CycleReport,
  differences: Differences | undefined,
  owner: string,
  ownerOfFile: FenceOwnerOf,
  base?: CycleReport,
): Narrowed {
  const ownerOf = (row: Row) => ownerOfRow(row, ownerOfFile)
  const before = ownedIn(base, (row) => ownerOf(row) === owner)
  const owners = new Set<string>()
  let others = 0
  const isTheirs = (row: Row): boolean => {
    const { key } = row
    const [known, file] = [ownerOf(row), fileOfRow(row)]
    if (known !== undefined) owners.add(known)
    return known === owner || (key !== undefined && before.keys.has(key)) || (file !== undefined && before.files.has(file))
  }
  const isLineGone = (change: Change | undefined) =>
    change?.action === 'delete' && change.because === undefined && ownerOf(change) === undefined
  const theirs = (parts: PlanParts): PlanParts => {
    const isOwn = (hold: Hold) => isTheirs(hold) || isLineGone(hold.change)
    const sets = new Set(parts.holds.filter(isOwn).flatMap((hold) => setOf(hold) ?? []))
    const narrow = {
      changes: parts.changes.filter((change) => isTheirs(change) || isLineGone(change)),
      holds: parts.holds.filter((hold) => isOwn(hold) || sets.has(setOf(hold) ?? '')),
      later: parts.later.filter(isTheirs),
    }
    const rowsWith: readonly Row[] = [...parts.changes, ...parts.holds, ...parts.later]
    const own = filesOf(rowsWith.filter(isTheirs))
    const ofOthers = filesOf(rowsWith.filter((row) => !isTheirs(row)))
    const isShown = ({ code, place }: Finding) => {
      const file = /^(.*):\d+:\d+$/.exec(place)?.[1]
      return code === 'reading-incomplete' || file === undefined || own.has(file) || !ofOthers.has(file)
    }
    return { ...narrow, findings: parts.findings.filter(isShown) }
  }
  const rows = ({ changes, holds, later }: PlanParts) => changes.length + holds.length + later.length
  const workspaces = report.workspaces.map((workspace) => {
    if (workspace.kind !== 'judged') return workspace
    const parts = theirs(workspace.judged.plan)
    others += rows(workspace.judged.plan) - rows(parts)
    return { ...workspace, judged: withParts(workspace.judged, parts) }
  })
  const narrowed = [...(differences ?? [])].map(([workspace, { gone, same, left }]) => {
    const parts = { gone: theirs(gone), same: theirs(same), left: left.filter(isTheirs) }
    return [workspace, parts] as const
  })
  return {
    report: { ...report, workspaces, declaration: declarationOf(report.declaration, owner) },
    ...(differences === undefined ? {} : { differences: new Map(narrowed) }),
    owner: { name: owner, others, known: owners.has(owner) ? [] : [...owners].toSorted(compare) },
  }
}

const setOf = ({ reason }: Hold): string | undefined => (reason.kind === 'approval' && reason.why === 'limit' ? reason.pass : undefined)

const filesOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.flatMap((row) => fileOfRow(row) ?? []))

/** The keys about which rules of the owner decide in the base, and the files of these rules. */
function ownedIn(
  base: CycleReport | undefined,
  isTheirs: (row: Row) => boolean,
): { readonly keys: ReadonlySet<Key>; readonly files: ReadonlySet<string> } {
  const rows = (base?.workspaces ?? []).flatMap((workspace): readonly Row[] => {
    if (workspace.kind !== 'judged') return []
    const { changes, holds, later, unchangedMappings = [] } = workspace.judged.plan
    return [...changes, ...holds, ...later, ...unchangedMappings]
  })
  const own = rows.filter(isTheirs)
  return { keys: new Set(own.flatMap(({ key }) => key ?? [])), files: filesOf(own) }
}

/** Invalid files of others do not count. A file whose owner is not known may be of this one. */
function declarationOf(declaration: CycleReport['declaration'], owner: string): CycleReport['declaration'] {
  const { kept, keptFiles = [], ...valid } = declaration
  const own = keptFiles.filter((file) => file.owner === undefined || file.owner === owner)
  return kept === undefined || (own.length === 0 && keptFiles.length > 0) ? valid : { ...declaration, keptFiles: own }
}
