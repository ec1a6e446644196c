import { type Key, keyOf } from '../core/mapping.ts'
import { comparePositions, positionText, type Rule } from '../core/rule.ts'
import { type Path, position, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import { type Contradiction, exactNameOf, exactText } from './exactName.ts'
import { compareNumbers, endMs, startMs } from './time.ts'
import { unmanagedContradictions } from './unmanaged.ts'

/** After this many contradictions of one kind the others are not reported. */
const problemsMax = 100

/** A file of the declaration, for the places of problems. */
export type DocumentOf = (file: string) => YamlDocument | undefined

/**
 * Finds rules that contradict each other, in the same or in different files. Only exact names are compared, because no directory is read yet.
 *
 * | one key has                     | problem at         |
 * |---------------------------------|--------------------|
 * | two exact rules, two roles,     | the later rule     |
 * | and times that overlap          |                    |
 * | an exact rule and `removed`     | `removed`          |
 * | an exact rule and `unmanaged`   | the rule           |
 * | `removed` and `unmanaged`       | `removed`          |
 *
 * Two different values for one `groupSync` setting of a workspace are a problem too. The result does not depend on the day: an expired rule counts.
 */
export function contradictions(parts: readonly Part[], documentOf: DocumentOf): readonly Problem[] {
  const found = [rolesAndRemovals(parts), unmanagedContradictions(parts)].flatMap((all) => all.take(problemsMax).toArray())
  const problems = found.map(({ said, message, cure }) => {
    const document = documentOf(said.list.file)
    return document === undefined ? [] : [problemAt(document, entryPath(said), message, cure)]
  })
  return [...problems.flat(), ...groupSyncProblems(parts, documentOf)]
}

function* rolesAndRemovals(parts: readonly Part[]): Generator<Contradiction> {
  const rules = new Map<Key, Statement<Rule>>()
  const more = new Map<Key, Statement<Rule>[]>()
  for (const { workspace, rules: mine } of parts) {
    for (const said of mine) {
      const exact = exactNameOf(said.what)
      if (exact === undefined) continue
      const key = keyOf(workspace, exact.target, exact.group)
      const first = rules.get(key)
      const others = more.get(key)
      if (first === undefined) rules.set(key, said)
      else if (others === undefined) more.set(key, [first, said])
      else others.push(said)
    }
  }
  for (const same of more.values()) yield* twoRoles(same)
  for (const { workspace, removed } of parts) {
    for (const said of removed) {
      const rule = rules.get(keyOf(workspace, said.what.target, said.what.group))
      if (rule === undefined) continue
      const message = `${exactText(said.what)} is removed here and "${roleOf(rule)}" at ${positionText(rule.what.because.at)}`
      yield { said, message, cure: 'remove one of the two' }
    }
  }
}

/** Rules of one key that give it two roles at the same time. */
function* twoRoles(same: readonly Statement<Rule>[]): Generator<Contradiction> {
  /** Of the rules so far, the one that ends last. It overlaps each rule that overlaps any of them. */
  let last: Statement<Rule> | undefined
  for (const said of same.toSorted((a, b) => compareNumbers(startMs(a.what), startMs(b.what)))) {
    if (last === undefined || startMs(said.what) >= endMs(last.what) || roleOf(said) === roleOf(last)) {
      if (last === undefined || endMs(said.what) > endMs(last.what)) last = said
      continue
    }
    const [first, second] = [last, said].toSorted((a, b) => comparePositions(a.what.because.at, b.what.because.at)) as [
      typeof said,
      typeof said,
    ]
    const exact = exactNameOf(second.what)
    if (exact === undefined) continue
    const message = `${exactText(exact)} is "${roleOf(second)}" here and "${roleOf(first)}" at ${positionText(first.what.because.at)}`
    yield { said: second, message, cure: isDated(first) || isDated(second) ? datedCure : undatedCure }
  }
}

const undatedCure = 'a group has one role on a target: remove one of the two, or give both the same role'
const datedCure =
  'a group has one role on a target at a time: give both the same role, or let one end ("expires") before the other one begins ("starts")'
const isDated = ({ what: { startsMs, expiresMs } }: Statement<Rule>): boolean => startsMs !== undefined || expiresMs !== undefined

const roleOf = ({ what: { role } }: Statement<Rule>): string => (role.kind === 'fixed' ? role.role : '')

function groupSyncProblems(parts: readonly Part[], documentOf: DocumentOf): Problem[] {
  const first = new Map<string, { readonly value: unknown; readonly file: string; readonly path: Path }>()
  const problems: Problem[] = []
  for (const { workspace, groupSync } of parts) {
    if (groupSync === undefined) continue
    const { file, base } = groupSync.place
    for (const [key, value] of Object.entries(groupSync.wanted)) {
      const path = [...base, key]
      const earlier = first.get(`${workspace}/${key}`)
      if (earlier === undefined) first.set(`${workspace}/${key}`, { value, file, path })
      else if (earlier.value !== value && problems.length < problemsMax) {
        const before = documentOf(earlier.file)
        const at = before === undefined ? earlier.file : positionText(position(before, earlier.path, 'key'))
        const here = documentOf(file)
        const message = `"${key}" is ${JSON.stringify(value)} here and ${JSON.stringify(earlier.value)} at ${at}`
        const cure = 'a workspace has one value for each setting: set it in one file'
        if (here !== undefined) problems.push(problemAt(here, path, message, cure, 'key'))
      }
    }
  }
  return problems
}
