import { type List, listOf } from '../core/mapping.ts'
import type { FencedKeys, GroupSelector, Removal, Rule, Unmanaged } from '../core/rule.ts'
import { position, type YamlDocument } from '../yaml/document.ts'
import type { Part, Statement } from './compile.ts'
import type { Fence } from './fence.ts'

/**
 * The part of a file inside a fence: its patterns select only what the fence contains, and it owns the keys inside of the fence in place of whole
 * lists.
 */
export function limitedPart(part: Part, fence: Fence, document: YamlDocument): Part {
  const mark = <T extends Rule | Removal | Unmanaged>(statement: Statement<T>, what: T): Statement<T> => ({
    ...statement,
    what: { ...what, fenced: true },
  })
  return {
    ...part,
    owns: [],
    ownsKeys: part.owns.flatMap((list): FencedKeys | [] => {
      const inside = fence.lists.get(list)
      if (inside === undefined) return []
      const { roles: _, ...keys } = inside
      const at = position(document, ['workspaces', part.workspace, list], 'key')
      return { ...keys, because: { at, owner: fence.owner } }
    }),
    rules: part.rules.map((statement) => mark(statement, limitedRule(statement.what, fence))),
    removed: part.removed.map((statement) => mark(statement, statement.what)),
    unmanaged: part.unmanaged.map((statement) => {
      const { groups, target } = statement.what
      return mark(statement, { ...statement.what, groups: within(groups, target === undefined ? 'projectRoles' : listOf(target), fence) })
    }),
  }
}

function limitedRule(rule: Rule, fence: Fence): Rule {
  const { groups, target } = rule
  const only = fence.lists.get('projectRoles')?.projects
  return {
    ...rule,
    groups: within(groups, target.kind === 'fixed' ? listOf(target.target) : 'projectRoles', fence),
    target: target.kind === 'captured' && only !== undefined ? { ...target, only } : target,
  }
}

const within = (groups: GroupSelector, list: List, { path, lists }: Fence): GroupSelector =>
  groups.kind === 'exact' ? groups : { ...groups, within: lists.get(list)?.groups ?? [], fence: path }
