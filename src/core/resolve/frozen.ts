import { type Dates, isOver } from '../dates.ts'
import { type DesiredMapping, type Given, heldMapping } from '../desired.ts'
import { fileInvalid } from '../hold.ts'
import { type GroupName, listOf, type Mapping, type Target, targetText } from '../mapping.ts'
import { isKeyIn, isSelected, type Matches, patternId, selected } from '../matches.ts'
import type { FileRights, FrozenFile, FrozenNames, Rule, WorkspaceDeclaration } from '../rule.ts'
import type { Claim } from './claims.ts'
import { produce } from './produce.ts'
import { isEnded } from './recordedEnds.ts'

type FrozenInput = {
  readonly matches: Matches
  /** Whether a directory or a mapping has the name. Another one is in no match of a pattern, so it counts as inside a fence. */
  readonly isKnown: (group: GroupName) => boolean
  /** Undefined for a mapping that the journal does not know, or knows otherwise. */
  readonly givenOf: (mapping: Mapping) => Given | undefined
}

/** `claims`: as they are at the date that is asked for. */
type FrozenKey = {
  readonly group: GroupName
  readonly target: Target
  readonly claims: readonly Claim[]
  readonly mapped: readonly Mapping[]
}

/**
 * What files of which nothing is used do to a key.
 *
 * | the frozen file                                      | a file that is used names the key exactly | the key                  |
 * |------------------------------------------------------|-------------------------------------------|--------------------------|
 * | gave or adopted the mapping, or names the key inside | with more rights                          | as that file says        |
 * | its fence                                            | else                                      | held                     |
 * | cannot be read whole, and its fence has the key      | yes: both would contradict each other     | as that file says        |
 * |                                                      | no                                        | held                     |
 *
 * No broken file makes an access longer. If the end has come that the journal knows of the mapping, and
 *
 * | the other files say nothing, or nothing yet     | the key is absent                 |
 * | the frozen file, or a gone one, gave it         | the key is as the other files say |
 * | a file that is used says that it ends           | the key is absent                 |
 *
 * Rights: a file without limits, then one inside a fence, then one that no fence matches.
 */
export function openFrozen({ frozen = [] }: Pick<WorkspaceDeclaration, 'frozen'>, { matches, isKnown, givenOf }: FrozenInput) {
  const files = frozen.map((file) => ({ file, isNamed: openNames(file.names, matches) }))
  const isInside = ({ fence }: FrozenFile, group: GroupName, target: Target) =>
    fence === undefined || !isKnown(group) || isKeyIn(fence, group, target, matches)
  const givenTo = (mapped: readonly Mapping[]) => mapped.flatMap((mapping) => givenOf(mapping) ?? [])
  const isGiverOf =
    ({ paths }: FrozenFile) =>
    ({ file }: Given) =>
      paths.some((path) => path === file || file.startsWith(`${path}/`))
  const givenBy = (file: FrozenFile, mapped: readonly Mapping[]) => givenTo(mapped).find(isGiverOf(file))

  /** The file that holds the key, and whether it gave the mapping. */
  function holderOf({ group, target, claims, mapped }: FrozenKey): { readonly file: FrozenFile; readonly isGiver: boolean } | undefined {
    const exact = claims.filter(isExact)
    const about = files.flatMap(({ file, isNamed }) => {
      const isGiver = givenBy(file, mapped) !== undefined
      const inside = isInside(file, group, target)
      const isAbout = isGiver || (inside && isNamed(group, target))
      const others = isAbout ? exact.filter((claim) => rightsOf(claim) > ranks[file.rights]) : exact
      return (isAbout || (inside && !file.isWhole)) && others.length === 0 ? [{ file, isGiver }] : []
    })
    return about.find(({ isGiver }) => isGiver) ?? about[0]
  }
  return {
    isEmpty: frozen.length === 0,
    /** Whether a frozen file names the key, or gave its mapping. Then the key is owned. */
    isAbout: (group: GroupName, target: Target, mapped: readonly Mapping[]): boolean =>
      files.some(({ file, isNamed }) => givenBy(file, mapped) !== undefined || (isInside(file, group, target) && isNamed(group, target))),
    /** What becomes of a key in place of `wanted`; undefined if the frozen files change nothing. */
    corrected(key: FrozenKey, wanted: DesiredMapping | undefined, dates: Dates): DesiredMapping | undefined {
      const holder = holderOf(key)
      if (holder === undefined) return undefined
      const { group, target } = key
      const { because } = holder.file
      const given = givenTo(key.mapped)
      if (given.some((origin) => isEnded(origin, dates))) {
        // A rule that starts later does not keep the mapping until then.
        const isOpen = wanted === undefined || (wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted')
        if (isOpen) return { group, target, because, kind: 'absent', why: 'expired' }
        if (holder.isGiver || given.some(({ isGone }) => isGone) || wanted.kind === 'absent') return undefined
      }
      const reason = fileInvalid(holder.file)
      if (wanted === undefined) return { group, target, because, kind: 'unknown', reason }
      const { previously } = wanted
      const held = { ...heldMapping(wanted, reason, undefined), because }
      return previously === undefined ? held : { ...held, previously }
    },
    /** The ends, by the journal, of the rules with which frozen files, or files that are gone, gave the mappings. */
    endsOf: (mapped: readonly Mapping[]): readonly number[] =>
      givenTo(mapped).flatMap((given) => (given.isGone || files.some(({ file }) => isGiverOf(file)(given)) ? (given.endMs ?? []) : [])),
  }
}

const ranks: Readonly<Record<FileRights, number>> = { unlimited: 2, fenced: 1, none: 0 }
const rightsOf = ({ fenced }: Claim): number => ranks[fenced === true ? 'fenced' : 'unlimited']

const isExact = ({ notStarted, weight, wanted }: Claim): boolean =>
  notStarted !== true && weight !== 'pattern' && (weight === 'removed' || wanted.kind !== 'absent')

/** Whether one of the entries names a group on a target. There may be thousands of entries and of keys. */
function openNames(entries: readonly FrozenNames[], matches: Matches): (group: GroupName, target: Target) => boolean {
  const byGroup = new Map<GroupName, FrozenNames[]>()
  for (const entry of entries)
    for (const groups of entry.groups)
      for (const [group] of selected(groups, matches)) {
        const before = byGroup.get(group)
        if (before === undefined) byGroup.set(group, [entry])
        else before.push(entry)
      }
  return (group, target) =>
    byGroup
      .get(group)
      ?.some(({ list, targets }) =>
        targets === undefined
          ? list === undefined || list === listOf(target)
          : targets.some((place) => targetText(place) === targetText(target)),
      ) === true
}

/**
 * The pattern that names a mapping outside of its fence, if its file gave the mapping, or if the file that gave it is gone, since it may have been moved. The
 * fence became narrower, or was another one: that alone takes no access.
 */
export function openClipped({ rules }: Pick<WorkspaceDeclaration, 'rules'>, matches: Matches, dates: Dates) {
  const clipped = rules.filter(({ groups, expiresMs }) => {
    const isLimited = groups.kind === 'pattern' && groups.within !== undefined
    return isLimited && (expiresMs === undefined || isOver(expiresMs, dates) !== 'yes')
  })
  return ({ group, target }: Mapping, given: Given | undefined): DesiredMapping | undefined => {
    if (given === undefined || isEnded(given, dates)) return undefined
    const rule = clipped.find(
      (candidate) => (given.isGone || given.file === candidate.because.at.file) && namesOutside(candidate, group, target, matches),
    )
    if (rule === undefined) return undefined
    const { because } = rule
    const why = 'its pattern names this group, and the fence of the file does not contain it'
    return { group, target, because, kind: 'unknown', reason: { kind: 'fileInvalid', at: because.at, why, isOutside: true } }
  }
}

/** Whether the pattern of a rule names a mapping, without regard to the fence of its file. */
function namesOutside({ groups, target, ...rule }: Rule, group: GroupName, place: Target, matches: Matches): boolean {
  if (groups.kind === 'exact') return false
  const { within: _, ...pattern } = groups
  const captured = isSelected([pattern], group, matches) ? matches.get(patternId(groups.pattern))?.get(group) : undefined
  if (captured === undefined) return false
  const { only: __, ...anywhere } = { only: undefined, ...target }
  return produce({ ...rule, groups, target: anywhere }, captured).targets.some(
    (producedTarget) => targetText(producedTarget) === targetText(place),
  )
}
