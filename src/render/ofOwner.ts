import { type FenceOwnerOf, type OwnedRow, ownerOfRow } from '../core/ownerOf.ts'
import { counted, listedFirst } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { LastDocument, LastWorkspace } from '../documents/last.ts'
import { hasPlan } from './hasPlan.ts'
import type { OwnerView } from './view.ts'

/**
 * The document with only the rows of one owner and their results, and that owner's invalid files. A set stays if one of their changes is in it, and a
 * finding if it says why rows are kept.
 */
export function ofOwner(last: LastDocument, owner: string, ownerOfFile: FenceOwnerOf): LastDocument {
  const isTheirs = (row: OwnedRow) => ownerOfRow(row, ownerOfFile) === owner
  const { keptFiles } = last.declaration
  const workspaces = last.workspaces.map((workspace): LastWorkspace => {
    if (!hasPlan(workspace)) return workspace
    const { applied, ...plan } = workspace.plan
    const changes = plan.changes.filter(isTheirs)
    const holds = plan.holds.filter(isTheirs)
    const waiting = new Set(holds.map(({ change }) => change?.id))
    const sets = plan.sets.filter((set) => set.changes.some((id) => waiting.has(id)))
    const findings = plan.findings.filter(({ code }) => code === 'reading-incomplete')
    const own = { ...plan, changes, sets, holds, later: plan.later.filter(isTheirs), findings }
    if (applied === undefined) return { ...workspace, plan: own }
    const ids = new Set(changes.map(({ id }) => id))
    const results = applied.results.filter(({ change }) => ids.has(change))
    const left = applied.left.filter((id) => ids.has(id))
    return { ...workspace, plan: { ...own, applied: { ...applied, results, left, holds: applied.holds.filter(isTheirs) } } }
  })
  return {
    ...last,
    workspaces,
    approvals: [],
    findings: [],
    declaration: { ...last.declaration, keptFiles: keptFiles?.filter((file) => file.owner === owner) },
  }
}

/** The owners of the rows of the document. */
export const ownersIn = ({ workspaces }: LastDocument, ownerOfFile: FenceOwnerOf): ReadonlySet<string> =>
  new Set(
    workspaces.flatMap((workspace) =>
      hasPlan(workspace)
        ? [...workspace.plan.changes, ...workspace.plan.holds, ...workspace.plan.later].flatMap((row) => ownerOfRow(row, ownerOfFile) ?? [])
        : [],
    ),
  )

const ownersMax = 10

/** `Only what rules of team-web do: 12 rows of others are not shown`, and the owners that have rows if this one has none. */
export function onlyOwnerText({ name, others, known }: OwnerView): string {
  const named = listedFirst(
    known.slice(0, ownersMax).map((owner) => oneLine(owner, 100)),
    known.length,
  )
  const instead = known.length === 0 ? '' : `. It has none; these owners have rows: ${named}`
  return `Only what rules of ${oneLine(name, 100)} do: ${counted(others, 'row')} of others ${others === 1 ? 'is' : 'are'} not shown${instead}`
}
