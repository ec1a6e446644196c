import type { Hash } from '../change.ts'
import type { Directories } from '../directories.ts'
import { ownId } from '../group.ts'
import type { GroupName } from '../mapping.ts'
import { isSameIds, type MeantIds } from '../memory/meantIds.ts'
import { valueIfRead } from '../reading.ts'
import type { Rule, TextHash } from '../rule.ts'
import { ruleHash } from './textName.ts'

/** A group that a rule selects, with the hash of the rule's text and the directories that the rule asks. */
export type RuleGroup = { readonly rule: Rule; readonly name: GroupName; readonly text: TextHash; readonly asked: readonly string[] }

/** A group by its directory and id. */
export type GroupId = { readonly directory: string; readonly id: string }

/** A group of a rule, and the group that the rule's text means by this name from now on. */
export type Learned = { readonly ruleGroup: RuleGroup; readonly means: GroupId }

/** Directory and text of a rule → the id of the group that the text means there. */
export function openMeantIds(ids: MeantIds): (directory: string, ruleGroup: RuleGroup) => string | undefined {
  // A group in thousands of projects has thousands of texts, so each name is turned around once.
  const byText = new Map<string, ReadonlyMap<string, string>>()
  return (directory, { name, text }) => {
    const named = fullName(directory, name)
    const known = byText.get(named) ?? new Map(Object.entries(ids[named] ?? {}).flatMap(([id, texts]) => texts.map((each) => [each, id])))
    byText.set(named, known)
    return known.get(text)
  }
}

export const fullName = (directory: string, group: string): string => `${directory}/${group}`

type Selection = {
  /** All groups that rules select. */
  readonly ruleGroups: readonly RuleGroup[]
  readonly rules: readonly Rule[]
  /** Whether a name that no rule selects has no mapping. */
  readonly isWhole: boolean
  readonly learned: readonly Learned[]
  /** Those whose change a waiver accepts; they are in `learned` too. */
  readonly waived: readonly RuleGroup[]
}

/**
 * For each `directory/name` whose ids or texts differ from before: all its ids. The text of a rule that is no longer declared is removed if the
 * group is the same as before. If the group changed or cannot be seen, the text is kept: it may come back with the next commit. The text of a pattern
 * is also removed from a name that neither the directory nor a mapping has, so that the memory does not grow with every group that ever was.
 */
export function newGroupIds(
  ids: MeantIds,
  directories: Directories,
  { ruleGroups, rules, isWhole, learned, waived }: Selection,
  hash: Hash,
): MeantIds {
  const declared = new Set<string>(rules.map((rule) => ruleHash(rule, hash)))
  const names = namesByText(ruleGroups)
  const patterns = new Set<string>(isWhole ? rules.flatMap((rule) => (rule.groups.kind === 'pattern' ? [ruleHash(rule, hash)] : [])) : [])
  const isForgotten = (name: string, text: string) => {
    if (!patterns.has(text)) return false
    const { directory, group } = splitName(name, directories)
    return directories.get(directory)?.status === 'complete' && names.get(text)?.has(group) !== true
  }
  const former = new Set(waived.flatMap(({ asked, name, text }) => asked.map((directory) => `${fullName(directory, name)}\n${text}`)))
  const isKept = (name: string, id: string, text: string) =>
    (former.size === 0 || !former.has(`${name}\n${text}`)) &&
    (declared.has(text) || idNow(name, directories) !== id) &&
    !isForgotten(name, text)
  const touched = new Set(learned.map(({ ruleGroup, means }) => fullName(means.directory, ruleGroup.name)))
  const next = new Map<string, Map<string, Set<string>>>()
  const take = (name: string, id: string, text: string) => {
    const known = next.get(name) ?? new Map<string, Set<string>>()
    next.set(name, known.set(id, (known.get(id) ?? new Set()).add(text)))
  }
  for (const [name, known] of Object.entries(ids)) {
    const pairs = Object.entries(known).flatMap(([id, texts]) => texts.map((text) => ({ id, text })))
    const kept = pairs.filter(({ id, text }) => isKept(name, id, text))
    if (!touched.has(name) && kept.length === pairs.length) continue
    touched.add(name)
    for (const { id, text } of kept) take(name, id, text)
  }
  for (const { ruleGroup, means } of learned) take(fullName(means.directory, ruleGroup.name), means.id, ruleGroup.text)
  return Object.fromEntries(
    [...touched].flatMap((name) => {
      const now = next.get(name) ?? new Map<string, Set<string>>()
      return isSameIds(ids[name] ?? {}, now) ? [] : [[name, Object.fromEntries([...now].map(([id, texts]) => [id, [...texts]]))]]
    }),
  )
}

/** The id of the group that has a `directory/name` now; undefined if there is none, if there are several, or if it has no id of its own. */
function idNow(name: string, directories: Directories): string | undefined {
  const { directory, group } = splitName(name, directories)
  const [only, ...more] = valueIfRead(directories.get(directory))?.get(group) ?? []
  return only === undefined || more.length > 0 ? undefined : ownId(only)
}

function splitName(name: string, directories: Directories): { readonly directory: string; readonly group: GroupName } {
  const directory = [...directories.keys()].find((directoryName) => name.startsWith(`${directoryName}/`)) ?? ''
  return { directory, group: name.slice(directory.length + 1) as GroupName }
}

/** Text of a rule → the names of the groups that it selects. */
function namesByText(ruleGroups: readonly RuleGroup[]): ReadonlyMap<string, ReadonlySet<GroupName>> {
  const names = new Map<string, Set<GroupName>>()
  for (const { text, name } of ruleGroups) names.set(text, (names.get(text) ?? new Set()).add(name))
  return names
}
