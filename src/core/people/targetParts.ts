import type { Change, ChangeId, MappingChange } from '../change.ts'
import type { Target } from '../mapping.ts'
import { isUndeclared, type MappingRow, nameOf, type Rows, type TargetRows } from './rows.ts'

/**
 * Targets on which equal changes do the same to the same people: one target, or several projects. `changes`: those of each of these targets alone, in the
 * same order.
 */
export type TargetPart = { readonly rows: TargetRows; readonly changes: readonly (readonly MappingChange[])[] }

const isMappingChange = (change: Change): change is MappingChange => change.action !== 'settings'
const allProjects = nameOf({ kind: 'allProjects' })

/** What the deletes of undeclared mappings require. */
type Required = {
  /** The rows that count on a target. */
  on(target: Target, change: MappingChange): readonly MappingRow[]
  /** Whether the change requires rows on some target. */
  has(change: MappingChange): boolean
  /** The names of the targets whose rows it requires. */
  targets(change: MappingChange): Iterable<string>
}

export function openRequired(changes: readonly Change[]): Required {
  const byId = new Map(changes.map((change) => [change.id, change]))
  const rows = new Map<ChangeId, ReadonlyMap<string, readonly MappingRow[]>>()
  for (const { id, requires } of changes.filter(isUndeclared)) {
    const given = requires.flatMap((one): readonly MappingRow[] => {
      const change = byId.get(one)
      return change !== undefined && 'role' in change ? [change] : []
    })
    if (given.length > 0)
      rows.set(
        id,
        Map.groupBy(given, ({ target }) => nameOf(target)),
      )
  }
  return {
    has: ({ id }) => rows.has(id),
    targets: ({ id }) => rows.get(id)?.keys() ?? [],
    on(target, { id }) {
      const given = rows.get(id)
      if (given === undefined) return []
      return [...(given.get(nameOf(target)) ?? []), ...(target.kind === 'project' ? (given.get(allProjects) ?? []) : [])]
    },
  }
}

/** Projects with equal rows and changes of their own are one part. `projects`: all parts but the workspace, in the order of the targets. */
export function targetParts(
  changes: readonly Change[],
  targets: ReadonlyMap<string, TargetRows>,
  required: Required,
): { readonly workspace?: TargetPart; readonly projects: readonly TargetPart[]; readonly general: readonly MappingChange[] } {
  const ownTo = Map.groupBy(changes.filter(isMappingChange), ({ target }) => nameOf(target))
  const general = ownTo.get(allProjects) ?? []
  const requiring = Map.groupBy(
    general.flatMap((change) => [...required.targets(change)].map((name) => ({ name, change }))),
    ({ name }) => name,
  )
  const parts = new Map<string, { readonly rows: TargetRows; readonly changes: (readonly MappingChange[])[] }>()
  for (const [name, rows] of targets) {
    const own = ownTo.get(name) ?? []
    const text =
      rows.target.kind === 'project'
        ? projectText(
            rows,
            own,
            (requiring.get(name) ?? []).map(({ change }) => change),
            required,
          )
        : name
    const part = parts.get(text) ?? { rows, changes: [] }
    part.changes.push(own)
    parts.set(text, part)
  }
  const workspace = parts.get(nameOf({ kind: 'workspace' }))
  const projects = [...parts.values()].filter((part) => part !== workspace)
  return { ...(workspace && { workspace }), projects, general }
}

/**
 * Equal texts: the same happens to the same people on both projects.
 *
 * @param requiring changes for all projects that require rows of this project
 */
function projectText(
  { target, own }: TargetRows,
  changes: readonly MappingChange[],
  requiring: readonly MappingChange[],
  required: Required,
): string {
  const rowTexts = (rows: readonly MappingRow[]) => rows.map(({ group, role, alsoIn }) => [group, role, alsoIn])
  const texts = ({ before, after, least }: Rows) => [before, after, least].map(rowTexts)
  const changeTexts = changes.map((change) => [
    change.action,
    change.group,
    'role' in change && change.role,
    change.action === 'delete' && change.why,
    change.action === 'rename' && [change.fromGroup, change.sameGroup],
    rowTexts(required.on(target, change)),
  ])
  const requiredHere = requiring.map((change) => [change.id, rowTexts(required.on(target, change))])
  return JSON.stringify([texts(own), changeTexts, requiredHere])
}
