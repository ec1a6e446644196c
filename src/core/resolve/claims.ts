import {
  type ClaimLoss,
  type DesiredMapping,
  heldMapping,
  type RoleResult,
  type RuleDates,
  type RuleResult,
  ruleResult,
} from '../desired.ts'
import { type HoldReason } from '../hold.ts'
import { mayEndWithoutEdit } from '../holdEffects.ts'
import { comparePositions, type Rule } from '../rule.ts'
import { outranked, roleInside } from './outranked.ts'

export type Claim = {
  readonly weight: (typeof weights)[number]
  /** The text is of a file inside a fence. */
  readonly fenced?: true
  readonly wanted: DesiredMapping
  /** The rule that makes the claim; absent for a removal. */
  readonly rule?: Rule
  /** The dates at which the rule will start or end, epoch ms, and the claim as it is from such a date on. */
  readonly later?: { readonly datesMs: readonly number[]; readonly at: (dateMs: number) => Claim }
  /** A weak claim counts only beside another claim, or if the mapping exists. */
  readonly weak?: boolean
  /** The rule starts later. The claim counts only if the key has no other claim. It is weak. */
  readonly notStarted?: boolean
  /** Two clocks disagree whether the rule has ended. This is its role if it has not. */
  readonly unlessEnded?: RoleResult
  /** Used instead of `wanted` if no existing mapping shows that the project exists. */
  readonly ifProjectUnknown?: DesiredMapping
  /**
   * The rule says `unknownProjects: send`. This program may have written the rule's mapping itself, so that mapping is no evidence that the
   * project exists.
   */
  readonly trustsUnknownProject?: boolean
  /**
   * The hold that replaces the delete. It is set only if `wanted.kind` is `absent` and the project of this text has changed or is unconfirmed. Another
   * text may ask for the same delete, and its project may still be the one that it meant. Then this hold is not used.
   */
  readonly ifProjectChanged?: DesiredMapping
}

/** The strongest first. */
const weights = ['removed', 'exact', 'pattern'] as const

/** Resolves all claims on one key to one desired mapping. The table above `resolve` lists the cases. */
export function resolveConflict(claims: readonly Claim[]): DesiredMapping {
  if (claims.length === 1) return (claims[0] as Claim).wanted
  const current = currentClaims(claims)
  const fenced = current.filter((claim) => claim.fenced === true)
  if (fenced.length === 0 || fenced.length === current.length) return resolveEqual(claims)
  const isOpen = (claim: Claim) => claim.fenced !== true
  // Also those of rules that start later: they may keep the mapping under an earlier name.
  const open = resolveEqual(claims.filter(isOpen))
  if (current.filter(isOpen).some(({ weight }) => weight !== 'pattern')) return open
  const inside = resolveEqual(fenced)
  if (ruleResultText(open) === ruleResultText(inside)) return open
  return withEarlierNames(heldMapping(inside, outranked(open, roleInside(inside)), undefined), claims)
}

/** Resolves claims of files that have the same rights. */
function resolveEqual(claims: readonly Claim[]): DesiredMapping {
  if (claims.length === 1) return (claims[0] as Claim).wanted
  const deciding = strongestClaims(claims)
  const inDispute = disputed(claims)
  if (inDispute !== undefined) return withEarlierNames(contested(inDispute), claims)
  const wanted = deciding
    .map(({ wanted }) => wanted)
    .toSorted((a, b) => startOf(a) - startOf(b) || comparePositions(a.because.at, b.because.at))
  const undecided = wanted.filter((mapping) => mapping.kind === 'unknown').filter(({ reason }) => reason.kind !== 'groupUnknown')
  // A delete waits for this mapping if the hold may end without an edit. So the order of the rules must not choose the reason.
  const unsure = undecided.find(({ reason }) => mayEndWithoutEdit(reason.kind)) ?? undecided[0]
  const granting = wanted.filter((mapping) => mapping.kind === 'role')
  const roles = new Set(granting.map(({ role }) => role))
  if (roles.size > 1) {
    const [first] = granting as [DesiredMapping]
    const reason: HoldReason = { kind: 'conflict', roles: [...roles].toSorted(), rules: granting.map(({ because }) => because) }
    return { group: first.group, target: first.target, because: first.because, kind: 'unknown', reason }
  }
  // A role beats `unknown`, because it can happen that one rule does not find the group in its directories, and another rule finds the group in other
  // directories. If the group of a rule is still the group that the rule meant, the rule grants at once. It does not wait for another rule whose group
  // changed.
  const atOnce = granting.filter(({ grantsWait }) => grantsWait === undefined)
  const granters = atOnce.length === 0 ? granting : atOnce
  const granted = granters.find(({ allowProtected }) => allowProtected) ?? granters[0]
  // If there is neither a role nor `unsure`, then every claim wants `absent`, or no claim found the group.
  const settled = ((deciding[0]?.weight === 'exact' ? granted : undefined) ?? unsure ?? granted ?? wanted[0]) as DesiredMapping
  // The earlier names are collected from all claims, not only from the one that is used. If the key gets no role now, also from rules that start
  // later: the mapping under the earlier name waits for them.
  const later = settled.kind === 'role' ? [] : claims.flatMap(({ notStarted, wanted: mapping }) => (notStarted === true ? [mapping] : []))
  const previously = [...new Set([...wanted, ...later].flatMap((mapping) => mapping.previously ?? []))]
  const agreed = settled.kind === 'unknown' ? withAgreedResult(settled, wanted) : settled
  return previously.length === 0 ? agreed : { ...agreed, previously }
}

/**
 * Entries of different files that name the key and want different things, also if what one of them wants has to wait, or if it wants it by one of two clocks
 * only. A single file that contradicts itself is invalid.
 */
function disputed(claims: readonly Claim[]): readonly DesiredMapping[] | undefined {
  const named = currentClaims(claims).filter(({ weight, notStarted }) => weight !== 'pattern' && notStarted !== true)
  const results = named.flatMap(({ wanted, unlessEnded }) => unlessEnded ?? ruleResult(wanted) ?? [])
  const files = new Set(named.map(({ wanted: { because } }) => because.at.file))
  return files.size > 1 && new Set(results.map(resultText)).size > 1 ? named.map(({ wanted }) => wanted) : undefined
}

/** A held key keeps the mappings under all earlier names. */
function withEarlierNames(held: DesiredMapping, claims: readonly Claim[]): DesiredMapping {
  const previously = [...new Set(claims.flatMap(({ wanted }) => wanted.previously ?? []))]
  return previously.length === 0 ? held : { ...held, previously }
}

/** The key of entries that contradict each other, held. */
function contested(wanted: readonly DesiredMapping[]): DesiredMapping {
  const [first] = wanted as readonly [DesiredMapping]
  const rules = wanted.map(({ because }) => because).toSorted((a, b) => comparePositions(a.at, b.at))
  return heldMapping(first, { kind: 'contested', rules }, undefined)
}

/** The held mapping without its `would`, if the claims on it would want different things. */
function withAgreedResult(held: Extract<DesiredMapping, { kind: 'unknown' }>, wanted: readonly DesiredMapping[]): DesiredMapping {
  const { would: _, ...rest } = held
  return wanted.every((mapping) => ruleResultText(mapping) === ruleResultText(held)) ? held : rest
}

function ruleResultText(wanted: DesiredMapping): string {
  const result = ruleResult(wanted)
  return result === undefined ? '' : resultText(result)
}

const resultText = (result: RuleResult): string => `${result.kind} ${result.kind === 'role' ? result.role : ''}`

/** Among rules that start later, the one that starts first is shown. */
const startOf = (wanted: DesiredMapping): number =>
  wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted' ? wanted.reason.startsMs : 0

/**
 * The claims that decide about a key: those of the strongest weight. A rule that starts later counts only if all claims are such rules. Expired rules
 * count only if all other claims are expired rules.
 */
export function strongestClaims(claims: readonly Claim[]): readonly Claim[] {
  const current = currentClaims(claims)
  const strongest = weights.find((candidate) => current.some(({ weight }) => weight === candidate))
  return current.filter(({ weight }) => weight === strongest)
}

function currentClaims(claims: readonly Claim[]): readonly Claim[] {
  const started = claims.filter(({ notStarted }) => notStarted !== true)
  const candidates = started.length === 0 ? claims : started
  const living = candidates.filter(({ weight, wanted }) => weight === 'removed' || wanted.kind !== 'absent')
  return living.length === 0 ? candidates : living
}

/** What the rules of a key say about its dates, and how those that decide name the mapping. */
export function ruleDates(claims: readonly Claim[]): RuleDates {
  const deciding = strongestClaims(claims).flatMap(({ rule }) => rule ?? [])
  const exact = deciding.filter(({ groups }) => groups.kind === 'exact')
  const startedMs = deciding.reduce((first, { startsMs = Number.NEGATIVE_INFINITY }) => Math.min(first, startsMs), Number.POSITIVE_INFINITY)
  const endMs = deciding.reduce((last, { expiresMs = Number.POSITIVE_INFINITY }) => Math.max(last, expiresMs), Number.NEGATIVE_INFINITY)
  return {
    naming: exact.some(({ fenced, mayRemove }) => fenced !== true || mayRemove === true)
      ? 'adopting'
      : exact.length > 0
        ? 'exact'
        : 'pattern',
    startedMs,
    ...(Number.isFinite(endMs) && { endMs }),
    ended: claims.flatMap(({ rule, wanted }) => (wanted.kind === 'absent' && rule?.expiresMs !== undefined ? [rule.expiresMs] : [])),
  }
}

/**
 * Why each claim does not decide about its key; undefined if it decides, alone or with others. It follows `resolveConflict`.
 *
 * | the claim                                                             | loses as     |
 * |-----------------------------------------------------------------------|--------------|
 * | is of a rule that starts later, and another claim has begun           | `notStarted` |
 * | is of a rule that has ended, and another claim has not                | `ended`      |
 * | is of a file inside a fence, and a file without limits names the key  | `fenced`     |
 * | is of a pattern or an exact rule, and `removed` has the key           | `removed`    |
 * | is of a pattern, and an exact rule has the key                        | `exact`      |
 */
export function lossesOf(claims: readonly Claim[]): ReadonlyMap<Claim, ClaimLoss> {
  const current = currentClaims(claims)
  const open = current.filter(({ fenced }) => fenced !== true)
  const isFenceBeaten = open.length < current.length && open.some(({ weight }) => weight !== 'pattern')
  const contenders = isFenceBeaten ? [open] : [open, current.filter(({ fenced }) => fenced === true)]
  const deciding = contenders.flatMap(decidingAmong)
  const strongest = weights.find((weight) => deciding.some((claim) => claim.weight === weight))
  const lossOf = (claim: Claim): ClaimLoss => {
    if (!current.includes(claim)) return claim.notStarted === true ? 'notStarted' : 'ended'
    if (isFenceBeaten && claim.fenced === true) return 'fenced'
    return strongest === 'removed' ? 'removed' : 'exact'
  }
  return new Map(claims.filter((claim) => !deciding.includes(claim)).map((claim) => [claim, lossOf(claim)]))
}

/** Entries that contradict each other decide together. */
function decidingAmong(claims: readonly Claim[]): readonly Claim[] {
  const inDispute = disputed(claims)
  return inDispute === undefined ? strongestClaims(claims) : claims.filter(({ wanted }) => inDispute.includes(wanted))
}
