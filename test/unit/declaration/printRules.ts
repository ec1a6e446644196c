import type { Target } from '../../../src/core/mapping.ts'
import type { GroupSelector, Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'

/** How a person might write the same declaration. */
export type Style = {
  /** The words `groups` and `projects` for lists. */
  readonly oldWords: boolean
  /** Rules that differ only in their groups, or only in their projects, share an entry. */
  readonly lists: boolean
  /** Where the commonest `from` stands. */
  readonly from: 'rule' | 'workspace' | 'file'
  /** The offset of moments, in hours. */
  readonly offset: number
}

/** The text of a declaration. It says the same in every style. Dates are of the years 2000 to 2999. */
export function printRules({ workspace, owns, rules, removed, unmanaged }: WorkspaceDeclaration, style: Style): string {
  const froms = Map.groupBy(rules, ({ from }) => JSON.stringify(from ?? null))
  const [first] = [...froms.values()].toSorted((a, b) => b.length - a.length)
  // A rule that asks all directories cannot stand below another `from`.
  const common = style.from === 'rule' || rules.some(({ from }) => from === undefined) ? undefined : first?.[0]?.from
  const entries = (list: 'workspaceRoles' | 'projectRoles') => {
    const mine = rules.filter(
      ({ target }) => (target.kind === 'fixed' && target.target.kind === 'workspace') === (list === 'workspaceRoles'),
    )
    return merged(mine, style).map((same) => entryOf(same, common, style))
  }
  const from = common === undefined ? {} : { from: common.length === 1 ? common[0] : common }
  return JSON.stringify({
    version: 1,
    ...(style.from === 'file' ? from : {}),
    workspaces: {
      [workspace]: {
        ...(style.from === 'workspace' ? from : {}),
        ...(owns.has('workspaceRoles') ? { workspaceRoles: entries('workspaceRoles') } : {}),
        ...(owns.has('projectRoles') ? { projectRoles: entries('projectRoles') } : {}),
        removed: removed.map(({ group, target }) => ({
          ...groupKeys([{ kind: 'exact', name: group }], style),
          ...targetKeys([target], style),
        })),
        unmanaged: unmanaged.map(({ groups, target }) => ({
          ...groupKeys([groups], style),
          ...(target === undefined ? {} : targetKeys([target], style)),
        })),
      },
    },
  })
}

/** Rules that one entry can say together. */
function merged(rules: readonly Rule[], { lists }: Style): readonly (readonly Rule[])[] {
  if (!lists) return rules.map((rule) => [rule])
  const text = (rule: Partial<Rule>) => JSON.stringify(plain({ ...rule, because: undefined }))
  const byTarget = Map.groupBy(rules, (rule) => {
    const { groups, ...rest } = rule
    return groups.kind === 'exact' && rule.previously === undefined && rule.label === undefined ? text(rest) : rule
  })
  const byGroups = Map.groupBy(byTarget.values(), (same) => {
    const [{ target, ...rest }] = same as [Rule]
    const isProject = target.kind === 'fixed' && target.target.kind === 'project'
    return isProject ? text(rest) + same.map(({ groups }) => text({ groups })).join() : same
  })
  return [...byGroups.values()].map((same) => same.flat())
}

function entryOf(same: readonly Rule[], common: Rule['from'], style: Style): object {
  const [rule] = same as [Rule]
  const { role, target, from, startsMs, expiresMs } = rule
  const groups = [...new Map(same.map((one) => [JSON.stringify(plain(one.groups)), one.groups])).values()]
  const targets = new Map(
    same.flatMap((one) => (one.target.kind === 'fixed' ? [[JSON.stringify(one.target), one.target.target] as const] : [])),
  )
  const isWorkspace = target.kind === 'fixed' && target.target.kind === 'workspace'
  const isSaid = from !== undefined && JSON.stringify(from) !== JSON.stringify(common)
  return {
    ...groupKeys(groups, style),
    ...(target.kind === 'captured' ? { project: captureOf(target) } : isWorkspace ? {} : targetKeys([...targets.values()], style)),
    role: role.kind === 'fixed' ? role.role : captureOf(role),
    ...(isSaid ? { from: from.length === 1 ? from[0] : from } : {}),
    ...(rule.allowProtected ? { allowProtected: true } : {}),
    ...(rule.unknownGroups === 'hold' ? {} : { unknownGroups: rule.unknownGroups }),
    ...(rule.unknownProjects === 'hold' ? {} : { unknownProjects: rule.unknownProjects }),
    ...(startsMs === undefined ? {} : { starts: dateText(startsMs, 0, style) }),
    ...(expiresMs === undefined ? {} : { expires: dateText(expiresMs, -86_400_000, style) }),
    ...(rule.previously === undefined ? {} : { previously: rule.previously }),
    ...(rule.label === undefined ? {} : { label: rule.label }),
  }
}

const captureOf = ({ capture, map }: { readonly capture: string; readonly map: ReadonlyMap<string, unknown> }): object => ({
  capture,
  map: Object.fromEntries(map),
})

/** A day if the moment is midnight in UTC; else the moment with Z or an offset. */
function dateText(ms: number, dayMs: number, { offset }: Style): string {
  if (ms % 86_400_000 === 0) return new Date(ms + dayMs).toISOString().slice(0, 10)
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`
  return new Date(ms + offset * 3_600_000).toISOString().slice(0, 19) + zone
}

function groupKeys(groups: readonly GroupSelector[], { oldWords }: Style): object {
  const names = groups.flatMap((one) => (one.kind === 'exact' ? [one.name] : []))
  const [first] = groups
  if (first?.kind === 'pattern') {
    const except = first.except.size === 0 ? {} : { except: [...first.except] }
    return { [first.pattern.syntax === 'glob' ? 'groupGlob' : 'groupRegex']: first.pattern.source, ...except }
  }
  return names.length === 1 ? { group: names[0] } : { [oldWords ? 'groups' : 'group']: names }
}

function targetKeys(targets: readonly Target[], { oldWords }: Style): object {
  const projects = targets.flatMap((target) => (target.kind === 'project' ? [target.project] : []))
  if (projects.length > 1) return { [oldWords ? 'projects' : 'project']: projects }
  if (projects.length === 1) return { project: projects[0] }
  return targets[0]?.kind === 'allProjects' ? { allProjects: true } : { workspace: true }
}

/** A value without functions, whose maps and sets are arrays, so that two of them can be compared as JSON. */
export function plain(value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value].map(plain)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined && typeof one !== 'function')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, plain(one)]),
  )
}
