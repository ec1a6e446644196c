import { type Directories, directoriesOf } from '../directories.ts'
import { ownId } from '../group.ts'
import type { GroupName } from '../mapping.ts'
import { isSameIds, type MeantIds } from '../memory/meantIds.ts'
import { valueIfRead } from '../reading.ts'
import type { Rule, TextHash } from '../rule.ts'

/** An exact rule, with the hash of its text. */
export type ExactRule = { readonly rule: Rule; readonly name: GroupName; readonly text: TextHash }

/** A group by its directory and id. */
export type GroupId = { readonly directory: string; readonly id: string }

/** A rule, and the group that its text means from now on. */
export type Learned = { readonly one: ExactRule; readonly means: GroupId }

/** Directory and text of a rule → the id of the group that the text means there. */
export function openMeantIds(ids: MeantIds): (directory: string, one: ExactRule) => string | undefined {
  const byName = new Map<string, ReadonlyMap<string, string>>()
  return (directory, { name, text }) => {
    const known = fullName(directory, name)
    const texts = byName.get(known) ?? new Map(Object.entries(ids[known] ?? {}).flatMap(([id, all]) => all.map((each) => [each, id])))
    byName.set(known, texts)
    return texts.get(text)
  }
}

export const fullName = (directory: string, group: string): string => `${directory}/${group}`

/**
 * For each `directory/name` whose ids or texts differ from before: all its ids. The text of a rule that is no longer declared is removed if the
 * group is the same as before. If the group changed or cannot be seen, the text is kept: it may come back with the next commit.
 *
 * @param waived rules whose change a waiver accepts; they are in `learned` too
 */
export function newGroupIds(
  ids: MeantIds,
  directories: Directories,
  exact: readonly ExactRule[],
  learned: readonly Learned[],
  waived: readonly ExactRule[],
): MeantIds {
  const declared = new Set<string>(exact.map(({ text }) => text))
  const former = new Set(
    waived.flatMap((one) => directoriesOf(one.rule, directories).map((name) => `${fullName(name, one.name)}\n${one.text}`)),
  )
  const next = new Map<string, Map<string, Set<string>>>()
  const take = (name: string, id: string, text: string) => {
    const known = next.get(name) ?? new Map<string, Set<string>>()
    next.set(name, known.set(id, (known.get(id) ?? new Set()).add(text)))
  }
  for (const [name, known] of Object.entries(ids)) {
    for (const [id, texts] of Object.entries(known)) {
      const isSame = idNow(name, directories) === id
      for (const text of texts) if (!former.has(`${name}\n${text}`) && (declared.has(text) || !isSame)) take(name, id, text)
    }
  }
  for (const { one, means } of learned) take(fullName(means.directory, one.name), means.id, one.text)
  return Object.fromEntries(
    [...new Set([...Object.keys(ids), ...next.keys()])].flatMap((name) => {
      const now = next.get(name) ?? new Map<string, Set<string>>()
      return isSameIds(ids[name] ?? {}, now) ? [] : [[name, Object.fromEntries([...now].map(([id, texts]) => [id, [...texts]]))]]
    }),
  )
}

/** The id of the group that has a `directory/name` now; undefined if there is none, if there are several, or if it has no id of its own. */
function idNow(name: string, directories: Directories): string | undefined {
  const directory = [...directories.keys()].find((one) => name.startsWith(`${one}/`)) ?? ''
  const [only, ...more] = valueIfRead(directories.get(directory))?.get(name.slice(directory.length + 1) as GroupName) ?? []
  return only === undefined || more.length > 0 ? undefined : ownId(only)
}
