import type { Hash } from '../change.ts'
import { targetText } from '../mapping.ts'
import type { GroupSelector, Removal, Rule, TextHash, Unmanaged, WorkspaceDeclaration } from '../rule.ts'

const digits = 16
/** A cache of a pure function. The texts of a declaration stay the same objects until its files change. */
const names = new WeakMap<object, TextHash>()

function nameOf(text: object, words: () => readonly unknown[], hash: Hash): TextHash {
  const before = names.get(text)
  if (before !== undefined) return before
  const name = hash(JSON.stringify(words())).slice(0, digits) as TextHash
  names.set(text, name)
  return name
}

/**
 * The hash covers what a person wrote about this rule alone: its groups, target, role, dates, former name and reason. An edit of one of them shows
 * that the person means the project and the group of today.
 *
 * It leaves out `from`, `unknownGroups` and `unknownProjects`, whether they stand in the rule or above it. A file, a workspace or the settings may set
 * them for all rules, and such an edit must not change what all these rules mean. Group ids are remembered for each directory, so another `from` asks
 * for ids of its own. It leaves out the map of a captured project, since one more project in the map changes nothing about the others. Absent fields
 * are not part of the hash, so that a later version with more fields gives old texts their old hashes.
 */
export const ruleHash = (rule: Rule, hash: Hash): TextHash =>
  nameOf(
    rule,
    () => [
      'rule',
      selectorWords(rule.groups),
      rule.target.kind === 'fixed' ? targetText(rule.target.target) : ['capture', rule.target.capture],
      rule.role.kind === 'fixed' ? rule.role.role : ['capture', rule.role.capture, [...rule.role.map]],
      Object.entries({
        allowProtected: rule.allowProtected ? true : undefined,
        expiresMs: rule.expiresMs,
        previously: rule.previously,
        reason: rule.because.reason,
        startsMs: rule.startsMs,
      }).filter(([, word]) => word !== undefined),
    ],
    hash,
  )

export const removalHash = (removal: Removal, hash: Hash): TextHash =>
  nameOf(removal, () => ['removed', removal.group, targetText(removal.target), removal.because.reason], hash)

export const unmanagedHash = (entry: Unmanaged, hash: Hash): TextHash =>
  nameOf(
    entry,
    () => ['unmanaged', selectorWords(entry.groups), entry.target === undefined ? null : targetText(entry.target), entry.because.reason],
    hash,
  )

/** The hashes of all texts that name a project, or can name one by a capture. */
export function textsNamingProjects({ rules, removed, unmanaged }: WorkspaceDeclaration, hash: Hash): ReadonlySet<TextHash> {
  return new Set([
    ...rules.flatMap((rule) => (rule.target.kind === 'captured' || rule.target.target.kind === 'project' ? [ruleHash(rule, hash)] : [])),
    ...removed.flatMap((removal) => (removal.target.kind === 'project' ? [removalHash(removal, hash)] : [])),
    ...unmanaged.flatMap((entry) => (entry.target?.kind === 'project' ? [unmanagedHash(entry, hash)] : [])),
  ])
}

const selectorWords = (groups: GroupSelector): unknown =>
  groups.kind === 'exact' ? groups.name : ['pattern', groups.pattern.source, [...groups.except].toSorted()]
