import { type GroupName, type Key, keyOf, type Target, targetText, type WorkspaceName } from '../core/mapping.ts'
import { isUnmanaged, type Position, positionText, type Rule } from '../core/rule.ts'
import { problemAt } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { Part, Statement } from './compile.ts'

/**
 * Finds rules that contradict each other, in the same or in different files. Only exact names are compared, because no directory is read yet.
 *
 * | one key has                     | problem at         |
 * |---------------------------------|--------------------|
 * | two exact rules, two roles      | the later rule     |
 * | an exact rule and `removed`     | `removed`          |
 * | an exact rule and `unmanaged`   | the rule           |
 * | `removed` and `unmanaged`       | `removed`          |
 *
 * Two different values for one `groupSync` setting of a workspace are a problem too. The result does not depend on the day: an expired rule counts.
 */
export function contradictions(parts: readonly Part[]): Problem[] {
  const rules = parts.flatMap((part) => part.rules.flatMap((said) => exactOf(part, said) ?? []))
  const byKey = new Map<Key, Exact>()
  const problems: Problem[] = []
  for (const rule of rules) {
    const first = byKey.get(rule.key)
    if (first === undefined) byKey.set(rule.key, rule)
    else if (first.role !== rule.role) {
      const message = `${naming(rule)} is ${quoted(rule.role)} here and ${quoted(first.role)} at ${positionText(first.at)}`
      problems.push(
        problemAt(rule.document, rule.path, message, 'a group has one role on a target: remove one of the two, or give both the same role'),
      )
    }
  }
  for (const part of parts) {
    for (const { what, document, path } of part.removed) {
      const rule = byKey.get(keyOf(part.workspace, what.target, what.group))
      if (rule === undefined) continue
      const message = `${naming(rule)} is removed here and ${quoted(rule.role)} at ${positionText(rule.at)}`
      problems.push(problemAt(document, path, message, 'remove one of the two'))
    }
  }
  return [...problems, ...unmanagedProblems(parts, rules), ...groupSyncProblems(parts)]
}

type Exact = {
  readonly workspace: WorkspaceName
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly role: string
  readonly at: Position
} & Omit<Statement<Rule>, 'what'>

/** The rule if its group, target and role are exact; undefined for a pattern or a capture. */
function exactOf({ workspace }: Part, { what, document, path }: Statement<Rule>): Exact | undefined {
  if (what.groups.kind !== 'exact' || what.target.kind !== 'fixed' || what.role.kind !== 'fixed') return undefined
  const { name: group } = what.groups
  const { target } = what.target
  return { workspace, key: keyOf(workspace, target, group), group, target, role: what.role.role, at: what.because.at, document, path }
}

function unmanagedProblems(parts: readonly Part[], rules: readonly Exact[]): Problem[] {
  const problems: Problem[] = []
  for (const workspace of new Set(parts.map((part) => part.workspace))) {
    const mine = parts.filter((part) => part.workspace === workspace)
    const all = mine.flatMap((part) => part.unmanaged.map(({ what }) => what))
    if (all.length === 0) continue
    const byName = Map.groupBy(all, ({ groups }) => (groups.kind === 'exact' ? groups.name : undefined))
    const check = (group: GroupName, target: Target, verb: string, { document, path }: Pick<Statement<unknown>, 'document' | 'path'>) => {
      const candidates = [...(byName.get(group) ?? []), ...(byName.get(undefined) ?? [])]
      const entry = candidates.find((candidate) => isUnmanaged([candidate], group, target))
      if (entry === undefined) return
      const message = `${naming({ group, target })} is ${verb} here and unmanaged at ${positionText(entry.because.at)}`
      problems.push(
        problemAt(document, path, message, 'an unmanaged mapping is never touched: remove one of the two, or narrow "unmanaged"'),
      )
    }
    for (const rule of rules) if (rule.workspace === workspace) check(rule.group, rule.target, 'declared', rule)
    for (const said of mine.flatMap(({ removed }) => removed)) check(said.what.group, said.what.target, 'removed', said)
  }
  return problems
}

function groupSyncProblems(parts: readonly Part[]): Problem[] {
  const first = new Map<string, { readonly value: unknown; readonly at: string }>()
  const problems: Problem[] = []
  for (const { workspace, groupSync } of parts) {
    if (groupSync === undefined) continue
    for (const [key, value] of Object.entries(groupSync.what.wanted)) {
      const path = [...groupSync.path, key]
      const problem = problemAt(groupSync.document, path, '', undefined, 'key')
      const earlier = first.get(`${workspace}/${key}`)
      if (earlier === undefined) first.set(`${workspace}/${key}`, { value, at: positionText(problem.at) })
      else if (earlier.value !== value) {
        const message = `"${key}" is ${JSON.stringify(value)} here and ${JSON.stringify(earlier.value)} at ${earlier.at}`
        problems.push({ ...problem, message, cure: 'a workspace has one value for each setting: set it in one file' })
      }
    }
  }
  return problems
}

const quoted = (text: string): string => `"${text}"`
const naming = ({ group, target }: { readonly group: GroupName; readonly target: Target }): string =>
  `"${group}" ${target.kind === 'workspace' ? 'in the workspace' : `in ${targetText(target)}`}`
