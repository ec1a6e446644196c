import { by } from '../compare.ts'
import type { DesiredMapping, DesiredMappings } from '../desired.ts'
import { isProjectIn } from '../fencedProjects.ts'
import type { Group } from '../group.ts'
import type { HoldReason } from '../hold.ts'
import {
  type GroupName,
  isProjectIdentifier,
  type Key,
  keyOf,
  listOf,
  type ProjectIdentifier,
  type Target,
  targetText,
} from '../mapping.ts'
import { isSelected } from '../matches.ts'
import { differenceOf, nearest } from '../nearest.ts'
import { defined } from '../optionalFields.ts'
import { valueIfRead } from '../reading.ts'
import { comparePositions, type Provenance, positionText, type Rule, ruleText, type WorkspaceDeclaration } from '../rule.ts'
import { unsafeName, visible } from '../safeName.ts'
import type { ResolveInput } from './desiredMapping.ts'
import { fullName } from './groupIds.ts'

/** The most unknown names that get a suggestion. The first few, by key, help a person; thousands only cost time. */
const hintsMax = 20

type OfName = Extract<HoldReason, { kind: 'groupUnknown' | 'projectUnknown' }>
const isOfName = (reason: HoldReason): reason is OfName => reason.kind === 'groupUnknown' || reason.kind === 'projectUnknown'
type Unknown = Extract<DesiredMapping, { kind: 'unknown' }>

/** What is said of a similar name. `near`: a name that the file may have in the place of the unknown one. `nearNote`: what to know of it. */
type Hint = Pick<OfName, 'near' | 'nearNote'>

/**
 * The first mappings that wait for an unknown name, with the name that was probably meant. A name that once was right has no suggestion: only an id
 * says what it is called now.
 *
 * | the similar name                                | said of it                                                    |
 * |-------------------------------------------------|---------------------------------------------------------------|
 * | no mapping can be written for it                | not offered; where it is, and why it cannot be written        |
 * | is outside the fence of the file                | not offered; that it is outside                               |
 * | is declared for this target                     | not offered; the rule that declares it                        |
 * | is in another rule, of any owner and workspace  | offered, with that rule and its owner                         |
 * | is named by a frozen file, or may be            | offered; that this file may have it                           |
 * | any other                                       | offered                                                       |
 *
 * Each time it is said in what the two names differ, if people read them as one.
 */
export function withSuggestions(
  mappings: DesiredMappings,
  input: ResolveInput,
  declared: WorkspaceDeclaration,
): readonly (readonly [Key, DesiredMapping])[] {
  const around = { mappings, declared, matches: input.matches, others: input.others ?? [] }
  return [...mappings]
    .flatMap(([key, wanted]) => (wanted.kind === 'unknown' && isOfName(wanted.reason) ? [{ key, wanted, reason: wanted.reason }] : []))
    .toSorted(by(({ key }) => key))
    .slice(0, hintsMax)
    .flatMap(({ key, wanted, reason }) => {
      const hint =
        reason.kind === 'projectUnknown' ? projectHint(reason.project, wanted, input, around) : groupHint(wanted, reason, input, around)
      return hint === undefined ? [] : [[key, { ...wanted, reason: withHint(reason, hint) }] as const]
    })
}

function withHint(reason: OfName, hint: Hint): OfName {
  const { near: _, ...rest } = reason
  return { ...rest, ...hint }
}

type Entry = Pick<DesiredMapping, 'group' | 'target' | 'because' | 'fenced' | 'previously'>
/** What is declared around an entry. */
export type HintContext = Pick<ResolveInput, 'matches'> &
  Required<Pick<ResolveInput, 'others'>> & { readonly mappings: DesiredMappings; readonly declared: WorkspaceDeclaration }

function projectHint(name: string, wanted: Unknown, { projects }: ResolveInput, around: HintContext): Hint | undefined {
  const near = nearest(name, valueIfRead(projects)?.keys() ?? []) as ProjectIdentifier | undefined
  if (near === undefined || !isProjectIdentifier(near)) return undefined
  const target: Target = { kind: 'project', project: near }
  const fence = fenceOf(wanted, around.declared)
  const isInside = fence === undefined || fence.some(({ projects: inside }) => isProjectIn(inside, near))
  const uses = usesOf(around.declared, (rule) =>
    rule.target.kind === 'fixed'
      ? sameProject(rule.target.target, near)
      : [...rule.target.map.values()].some((identifiers) => identifiers.includes(near)),
  )
  const removals = around.declared.removed.flatMap(({ target: removedTarget, because }) =>
    sameProject(removedTarget, near) ? [because] : [],
  )
  // A project is usually in many rules of one owner.
  const ofOthers = [...uses, ...removals].filter(({ owner }) => owner !== wanted.because.owner)
  return hintOf({ name, near, isInside }, { ...wanted, target }, ofOthers, around)
}

const sameProject = (target: Target, project: ProjectIdentifier): boolean => target.kind === 'project' && target.project === project

function groupHint(
  wanted: Unknown,
  { directories: asked, elsewhere, mapped, near: labelled, nearLabel }: Extract<HoldReason, { kind: 'groupUnknown' }>,
  { directories, lastId }: ResolveInput,
  around: HintContext,
): (Hint & Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'nearLabel'>) | undefined {
  const name = wanted.group
  const indexes = asked.flatMap((directory) => valueIfRead(directories.get(directory)) ?? [])
  const groups = indexes.flatMap((index) => [...index.values()].flat())
  const only = (is: (group: Group) => boolean): GroupName | undefined => {
    const [match, ...others] = groups.filter(is)
    return others.length === 0 ? match?.name : undefined
  }
  const hint = (near: GroupName): Hint => hintOfGroup(near, wanted, around)
  // The rule has a label, and one group has it.
  if (labelled !== undefined) return { ...hint(labelled as GroupName), ...defined({ nearLabel }) }
  // A directory that the rule does not ask has this very name: a similar name is not what was meant.
  if (elsewhere !== undefined) return undefined
  if (mapped || asked.some((directory) => lastId(fullName(directory, name)) !== undefined)) return undefined
  // Where names are ids, a person writes the label first.
  const called = only(({ label }) => label === name)
  if (called !== undefined) return { ...hint(called), nearLabel: name }
  // Where names are no ids, a person may copy the id from the address of a page. Case does not count in the ids of Entra.
  const withId = only(({ id }) => id.length === name.length && id.toLowerCase() === name.toLowerCase())
  const near = withId ?? (nearest(name, new Set(indexes.flatMap((index) => [...index.keys()]))) as GroupName | undefined)
  return near === undefined ? undefined : hint(near)
}

/** What is said of a group that an entry of a file may have in the place of its own. */
export function hintOfGroup(near: GroupName, entry: Entry, around: HintContext): Hint {
  const { matches } = around
  const fence = fenceOf(entry, around.declared)
  const isInside = fence === undefined || fence.some((keys) => isSelected(keys.groups, near, matches))
  // The patterns of other workspaces were not matched with this name.
  const declarations = [around.declared, ...around.others]
  const uses = declarations.flatMap((declared) => [
    ...usesOf(declared, (rule) => rule.previously === near || isSelected([rule.groups], near, matches)),
    ...declared.removed.flatMap(({ group, because }) => (group === near ? [because] : [])),
    ...declared.unmanaged.flatMap(({ groups, because }) => (isSelected([groups], near, matches) ? [because] : [])),
  ])
  const unread = declarations
    .flatMap(({ frozen = [] }) => frozen)
    .flatMap(({ because, names, fence = [], isWhole }) => {
      const named = isWhole ? names : [...names, ...fence]
      const isOfOther = because.owner === undefined || because.owner !== entry.because.owner
      return isOfOther && named.some(({ groups }) => isSelected(groups, near, matches)) ? [because] : []
    })
  return hintOf({ name: entry.group, near, isInside, fault: unsafeName(near) }, { ...entry, group: near }, uses, around, unread)
}

/** The keys of the fence in which the rule is; undefined if its file has no limits. */
function fenceOf({ fenced, because, target }: Entry, { ownsKeys = [] }: WorkspaceDeclaration) {
  if (fenced !== true) return undefined
  return ownsKeys.filter((keys) => keys.because.at.file === because.at.file && keys.list === listOf(target))
}

const usesOf = ({ rules }: WorkspaceDeclaration, isUse: (rule: Rule) => boolean): readonly Provenance[] =>
  rules.flatMap((rule) => (isUse(rule) ? [rule.because] : []))

export const outsideOfFence = 'is outside of the fence of this file'

type Similar = { readonly name: string; readonly near: string; readonly isInside: boolean; readonly fault?: string | undefined }

/** @param meant the mapping with the similar name in the place of the unknown one */
function hintOf(
  { name, near, isInside, fault }: Similar,
  meant: Entry,
  uses: readonly Provenance[],
  { mappings, declared, matches }: HintContext,
  [unread]: readonly Provenance[] = [],
): Hint {
  const difference = differenceOf(name, near)
  const differs = difference === undefined ? '' : `differs only in ${difference}`
  const it = `"${visible(near)}"${differs === '' ? '' : ` ${differs}, and`}`
  if (fault !== undefined)
    return { nearNote: `${it} cannot be written here: ${fault}; if it is the one that is meant, give it another name in its directory` }
  if (!isInside) return { nearNote: `${it} ${outsideOfFence}` }
  if (meant.previously?.includes(meant.group)) return { nearNote: `${it} is the former name, which this rule has in "previously"` }
  const unmanaged = declared.unmanaged.find(
    ({ groups, target }) =>
      isSelected([groups], meant.group, matches) && (target === undefined || targetText(target) === targetText(meant.target)),
  )
  const entry = mappings.get(keyOf(declared.workspace, meant.target, meant.group)) ?? unmanaged
  if (entry !== undefined)
    return { nearNote: `${it} has an entry for this target already, ${ruleText(entry.because)}; if both mean the same, remove this one` }
  const others = uses
    .filter(({ at }) => positionText(at) !== positionText(meant.because.at))
    .toSorted((a, b) => comparePositions(a.at, b.at))
  const otherUse = others.find(({ owner }) => owner !== meant.because.owner) ?? others[0]
  const used = otherUse === undefined ? '' : `another entry has it: ${ruleText(otherUse)}`
  const mayBeUsed = unread === undefined ? '' : `an invalid file may have it: ${ruleText(unread)}`
  const note = [differs, used, mayBeUsed].filter((part) => part !== '').join(', and ')
  return { near, ...(note === '' ? {} : { nearNote: note }) }
}
