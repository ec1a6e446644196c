import { type Dates, isOver } from '../dates.ts'
import { type DatedMapping, type DesiredMapping, type Given, heldMapping } from '../desired.ts'
import { fileInvalid } from '../hold.ts'
import { type GroupName, listOf, type Mapping, type Target, targetText } from '../mapping.ts'
import { isKeyIn, type Matches, patternId, selected } from '../matches.ts'
import type { FileRights, FrozenFile, FrozenNames, Rule, WorkspaceDeclaration } from '../rule.ts'
import type { Claim } from './claims.ts'
import { produce } from './produce.ts'

type FrozenInput = {
  readonly matches: Matches
  /** Whether a directory or a mapping has the name. Another one is in no match of a pattern, so it counts as inside a fence. */
  readonly isKnown: (group: GroupName) => boolean
  /** Undefined for a mapping that the journal does not know, or knows otherwise. */
  readonly givenOf: (mapping: Mapping) => Given | undefined
}

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
 * | gave or adopted the mapping, and the end that the    | any                                       | as if the file were gone |
 * | journal knows has come                               |                                           | and the rule had ended   |
 * | gave or adopted the mapping, or names the key inside | with more rights                          | as that file says        |
 * | its fence                                            | else                                      | held                     |
 * | cannot be read whole, and its fence has the key      | yes: both would contradict each other     | as that file says        |
 * |                                                      | no                                        | held                     |
 *
 * Rights: a file without limits, then one inside a fence, then one that no fence matches.
 */
export function openFrozen({ frozen = [] }: Pick<WorkspaceDeclaration, 'frozen'>, { matches, isKnown, givenOf }: FrozenInput) {
  const files = frozen.map((file) => ({ file, isNamed: openNames(file.names, matches) }))
  const isInside = ({ fence }: FrozenFile, group: GroupName, target: Target) =>
    fence === undefined || !isKnown(group) || isKeyIn(fence, group, target, matches)
  const givenBy = ({ paths }: FrozenFile, mapped: readonly Mapping[]) =>
    mapped.flatMap((one) => givenOf(one) ?? []).find(({ file }) => paths.some((path) => path === file || file.startsWith(`${path}/`)))

  function judge(
    { group, target, claims, mapped }: FrozenKey,
    dates: Dates,
  ): { readonly by: FrozenFile; readonly has: 'held' | 'ended' } | undefined {
    let ended: FrozenFile | undefined
    for (const { file, isNamed } of files) {
      const given = givenBy(file, mapped)
      if (given?.endMs !== undefined && isOver(given.endMs, dates) === 'yes') {
        ended ??= file
        continue
      }
      const exact = claims.filter(isExact)
      const inside = isInside(file, group, target)
      const isAbout = given !== undefined || (inside && isNamed(group, target))
      const others = isAbout ? exact.filter((claim) => rightsOf(claim) > ranks[file.rights]) : exact
      if ((isAbout || (inside && !file.isWhole)) && others.length === 0) return { by: file, has: 'held' }
    }
    return ended && { by: ended, has: 'ended' }
  }
  return {
    isEmpty: frozen.length === 0,
    /** Whether a frozen file names the key, or gave its mapping. Then the key is owned. */
    isAbout: (group: GroupName, target: Target, mapped: readonly Mapping[]): boolean =>
      files.some(({ file, isNamed }) => givenBy(file, mapped) !== undefined || (isInside(file, group, target) && isNamed(group, target))),
    /** What becomes of a key in place of `wanted`; undefined if the frozen files change nothing. */
    corrected(key: FrozenKey, wanted: DesiredMapping | undefined, dates: Dates): DesiredMapping | undefined {
      const found = judge(key, dates)
      if (found === undefined) return undefined
      const { group, target } = key
      const { because } = found.by
      if (found.has === 'ended') return wanted === undefined ? { group, target, because, kind: 'absent', why: 'expired' } : undefined
      const reason = fileInvalid(found.by)
      if (wanted === undefined) return { group, target, because, kind: 'unknown', reason }
      const { previously } = wanted
      const held = { ...heldMapping(wanted, reason, undefined), because }
      return previously === undefined ? held : { ...held, previously }
    },
    /** The ends that have come of mappings that frozen files gave. */
    endedOf: (mapped: readonly Mapping[], dates: Dates): readonly number[] =>
      files.flatMap(({ file }) => givenBy(file, mapped)?.endMs ?? []).filter((atMs) => isOver(atMs, dates) === 'yes'),
    /** The end of a mapping that a frozen file gave, if it comes up to this moment. */
    turn({ mapped, ...key }: FrozenKey, untilMs: number): DatedMapping | undefined {
      const [atMs] = files.flatMap(({ file }) => givenBy(file, mapped)?.endMs ?? []).toSorted((a, b) => a - b)
      if (atMs === undefined || atMs > untilMs) return undefined
      const wanted = this.corrected({ mapped, ...key }, undefined, { hereMs: atMs, thereMs: undefined })
      return wanted?.kind === 'absent' ? { atMs, wanted, isWeak: false, starts: false } : undefined
    },
  }
}

const ranks: Readonly<Record<FileRights, number>> = { unlimited: 2, fenced: 1, none: 0 }
const rightsOf = ({ fenced }: Claim): number => ranks[fenced === true ? 'fenced' : 'unlimited']

const isExact = ({ notStarted, weight, wanted }: Claim): boolean =>
  notStarted !== true && weight !== 'pattern' && (weight === 'removed' || wanted.kind !== 'absent')

/** Whether one of the entries names a group on a target. There may be thousands of entries and of keys. */
function openNames(all: readonly FrozenNames[], matches: Matches): (group: GroupName, target: Target) => boolean {
  const byGroup = new Map<GroupName, FrozenNames[]>()
  for (const entry of all)
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
          : targets.some((one) => targetText(one) === targetText(target)),
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
    if (given === undefined || (given.endMs !== undefined && isOver(given.endMs, dates) === 'yes')) return undefined
    const rule = clipped.find((one) => {
      const isFrom = given.isGone || given.file === one.because.at.file
      return isFrom && targetsNamed(one, group, matches).some((named) => targetText(named) === targetText(target))
    })
    if (rule === undefined) return undefined
    const { because } = rule
    const why = 'its pattern names this group, and the fence of the file does not contain it'
    return { group, target, because, kind: 'unknown', reason: { kind: 'fileInvalid', at: because.at, why } }
  }
}

/** The targets on which a pattern names a group, inside and outside of its fence. */
function targetsNamed({ groups, target, ...rule }: Rule, group: GroupName, matches: Matches): readonly Target[] {
  const captured = groups.kind === 'exact' || groups.except.has(group) ? undefined : matches.get(patternId(groups.pattern))?.get(group)
  if (captured === undefined) return []
  if (target.kind === 'fixed') return [target.target]
  const { only: _, ...unlimited } = target
  return produce({ ...rule, groups, target: unlimited }, captured).targets
}
