import { by } from '../core/compare.ts'
import { type Key, keyOf } from '../core/mapping.ts'
import { comparePositions, type Position, positionText, type Removal, type Rule, type Unmanaged } from '../core/rule.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import { compareNumbers, endMs, startMs } from './merge.ts'
import { type Contradiction, type ExactName, exactNameOf, exactText, unmanagedContradictions } from './unmanaged.ts'

/** After this many contradictions of one kind the others are not reported. */
const problemsMax = 100

/** A file inside a fence cannot make a file without limits wrong. It is wrong itself (`namedTwice`), or the key is held. */
const isOfOpenFile = ({ statement, against }: Contradiction): boolean => statement.what.fenced !== true && against?.fenced === true

/** A file of the declaration, for the places of problems. */
type DocumentOf = (file: string) => YamlDocument | undefined

/**
 * Finds rules that contradict each other. In one file this makes the file invalid. Between files both are used: the key is held, or the file without
 * limits decides. Only exact names are compared, because no directory is read yet.
 *
 * | one key has                     | problem at         |
 * |---------------------------------|--------------------|
 * | two exact rules, two roles,     | the later rule     |
 * | and times that overlap          |                    |
 * | two exact rules, two labels,    | the later rule     |
 * | and the same `from`             |                    |
 * | an exact rule and `removed`     | `removed`          |
 * | an exact rule and `unmanaged`   | the rule           |
 * | `removed` and `unmanaged`       | `removed`          |
 *
 * Two different values for one `groupSync` setting of a workspace are a problem too. The result does not depend on the day: an expired rule counts.
 *
 * @param keysHaveOneFile with fences a key that two files name is a problem, also if they agree
 */
export function contradictions(parts: readonly Part[], documentOf: DocumentOf, keysHaveOneFile: boolean): readonly Problem[] {
  const twice = keysHaveOneFile ? namedTwice(parts) : []
  const conflicts = [Iterator.from(twice), rolesAndRemovals(parts), unmanagedContradictions(parts)].flatMap((iterator) =>
    iterator
      .filter((contradiction) => !isOfOpenFile(contradiction))
      .take(problemsMax)
      .toArray(),
  )
  // One file after another, since `documentOf` parses a file again when another one was asked for.
  const placed = [...conflicts.map(placedAt), ...groupSyncContradictions(parts)].toSorted(by(({ file }) => file))
  return placed.flatMap(({ file, path, part, message, cure }) => {
    const document = documentOf(file)
    return document === undefined ? [] : [problemAt(document, path, message, cure, part)]
  })
}

type Placed = Pick<Contradiction, 'message' | 'cure'> & { readonly file: string; readonly path: Path; readonly part?: 'key' }

const placedAt = ({ statement, message, cure }: Contradiction): Placed => ({
  file: statement.list.file,
  path: entryPath(statement),
  message,
  cure,
})

function* rolesAndRemovals(parts: readonly Part[]): Generator<Contradiction> {
  const rules = new Map<Key, Statement<Rule>>()
  const more = new Map<Key, Statement<Rule>[]>()
  for (const { workspace, rules: statements } of parts) {
    for (const statement of statements) {
      const exact = exactNameOf(statement.what)
      if (exact === undefined) continue
      const key = keyOf(workspace, exact.target, exact.group)
      const first = rules.get(key)
      const others = more.get(key)
      if (first === undefined) rules.set(key, statement)
      else if (others === undefined) more.set(key, [first, statement])
      else others.push(statement)
    }
  }
  for (const ofKey of more.values()) {
    yield* twoRoles(ofKey)
    for (const alike of Map.groupBy(ofKey, ({ what: { from } }) => from?.join(' ')).values()) yield* twoLabels(alike)
  }
  for (const { workspace, removed } of parts) {
    for (const statement of removed) {
      const rule = rules.get(keyOf(workspace, statement.what.target, statement.what.group))
      if (rule === undefined) continue
      const message = `${exactText(statement.what)} is removed here and "${roleOf(rule)}" at ${positionText(rule.what.because.at)}`
      yield { statement, against: rule.what, message, cure: 'remove one of the two' }
    }
  }
}

/** Rules of one key that give it two roles at the same time. */
function* twoRoles(statements: readonly Statement<Rule>[]): Generator<Contradiction> {
  /** Of the rules so far, the one that ends last. It overlaps each rule that overlaps any of them. */
  let last: Statement<Rule> | undefined
  for (const statement of statements.toSorted((a, b) => compareNumbers(startMs(a.what), startMs(b.what)))) {
    if (last === undefined || startMs(statement.what) >= endMs(last.what) || roleOf(statement) === roleOf(last)) {
      if (last === undefined || endMs(statement.what) > endMs(last.what)) last = statement
      continue
    }
    const [first, second] = [last, statement].toSorted((a, b) => comparePositions(a.what.because.at, b.what.because.at)) as [
      typeof statement,
      typeof statement,
    ]
    const exact = exactNameOf(second.what)
    if (exact === undefined) continue
    const message = `${exactText(exact)} is "${roleOf(second)}" here and "${roleOf(first)}" at ${positionText(first.what.because.at)}`
    yield { statement: second, against: first.what, message, cure: isDated(first) || isDated(second) ? datedCure : undatedCure }
  }
}

/** Only one of two labels can be right. As each rule of a key can be left out of the merged declaration, the wrong one would not be noticed. */
function* twoLabels(statements: readonly Statement<Rule>[]): Generator<Contradiction> {
  const labelled = statements
    .filter(({ what }) => what.label !== undefined)
    .toSorted((a, b) => comparePositions(a.what.because.at, b.what.because.at))
  const [first] = labelled
  const second = labelled.find(({ what }) => what.label !== first?.what.label)
  const exact = second && exactNameOf(second.what)
  if (first === undefined || second === undefined || exact === undefined) return
  const message = `${exactText(exact)} has the label "${second.what.label}" here and "${first.what.label}" at ${positionText(first.what.because.at)}`
  yield { statement: second, message, cure: 'a group has one name in a directory: give both rules the same label' }
}

const undatedCure = 'a group has one role on a target: remove one of the two, or give both the same role'
const datedCure =
  'a group has one role on a target at a time: give both the same role, or let one end ("expires") before the other one begins ("starts")'
const isDated = ({ what: { startsMs, expiresMs } }: Statement<Rule>): boolean => startsMs !== undefined || expiresMs !== undefined

const roleOf = ({ what: { role } }: Statement<Rule>): string => (role.kind === 'fixed' ? role.role : '')

function groupSyncContradictions(parts: readonly Part[]): readonly Placed[] {
  const first = new Map<string, { readonly value: unknown; readonly at: Position }>()
  const problems: Placed[] = []
  // Files without limits come first, so that the problem is in the other file.
  const isFenced = ({ ownsKeys }: Part) => ownsKeys !== undefined
  for (const part of parts.toSorted((a, b) => Number(isFenced(a)) - Number(isFenced(b)))) {
    const { workspace, groupSync } = part
    if (groupSync === undefined) continue
    const { wanted, places, place, because } = groupSync
    for (const [key, value] of Object.entries(wanted)) {
      const earlier = first.get(`${workspace}/${key}`)
      if (earlier === undefined) first.set(`${workspace}/${key}`, { value, at: places.get(key) ?? because.at })
      else if (earlier.value !== value && problems.length < problemsMax) {
        const message = `"${key}" is ${JSON.stringify(value)} here and ${JSON.stringify(earlier.value)} at ${positionText(earlier.at)}`
        const cure = 'a workspace has one value for each setting: set it in one file'
        problems.push({ file: place.file, path: [...place.base, key], part: 'key', message, cure })
      }
    }
  }
  return problems
}

type Named = { readonly statement: Statement<Rule | Removal | Unmanaged>; readonly name: ExactName }

/**
 * With fences each key belongs to one file, so a key that two files name is a problem, also if they agree. The problem is at the file inside a fence,
 * or else at the file that comes later.
 */
function* namedTwice(parts: readonly Part[]): Generator<Contradiction> {
  const first = new Map<Key, Named>()
  for (const part of parts) {
    for (const named of exactNames(part)) {
      const key = keyOf(part.workspace, named.name.target, named.name.group)
      const before = first.get(key)
      if (before === undefined) first.set(key, named)
      else if (before.statement.list.file !== named.statement.list.file) yield twice(before, named)
    }
  }
}

function twice(before: Named, named: Named): Contradiction {
  const isBefore = before.statement.what.fenced === true && named.statement.what.fenced !== true
  const [reported, counterpart] = isBefore ? [before, named] : [named, before]
  return {
    statement: reported.statement,
    against: counterpart.statement.what,
    message: `${exactText(reported.name)} is also at ${positionText(counterpart.statement.what.because.at)}, and with fences one file says it`,
    cure: 'remove one of the two',
  }
}

function* exactNames({ rules, removed, unmanaged }: Part): Generator<Named> {
  for (const statement of rules) {
    const name = exactNameOf(statement.what)
    if (name !== undefined) yield { statement, name }
  }
  for (const statement of removed) yield { statement, name: statement.what }
  for (const statement of unmanaged) {
    const { groups, target } = statement.what
    if (groups.kind === 'exact' && target !== undefined) yield { statement, name: { group: groups.name, target } }
  }
}
