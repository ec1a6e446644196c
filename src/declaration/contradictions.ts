import { type Key, keyOf } from '../core/mapping.ts'
import { positionText, type Rule } from '../core/rule.ts'
import { type Path, position, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import { type Contradiction, exactNameOf, exactText } from './exactName.ts'
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
 * | two exact rules, two roles      | the later rule     |
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
  for (const { workspace, rules: mine } of parts) {
    for (const said of mine) {
      const exact = exactNameOf(said.what)
      if (exact === undefined) continue
      const key = keyOf(workspace, exact.target, exact.group)
      const first = rules.get(key)
      if (first === undefined) rules.set(key, said)
      else if (roleOf(first) !== roleOf(said)) {
        const message = `${exactText(exact)} is "${roleOf(said)}" here and "${roleOf(first)}" at ${positionText(first.what.because.at)}`
        yield { said, message, cure: 'a group has one role on a target: remove one of the two, or give both the same role' }
      }
    }
  }
  for (const { workspace, removed } of parts) {
    for (const said of removed) {
      const rule = rules.get(keyOf(workspace, said.what.target, said.what.group))
      if (rule === undefined) continue
      const message = `${exactText(said.what)} is removed here and "${roleOf(rule)}" at ${positionText(rule.what.because.at)}`
      yield { said, message, cure: 'remove one of the two' }
    }
  }
}

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
