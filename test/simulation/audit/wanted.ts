import {
  type DeclaredRule,
  type DeclaredWorkspace,
  hasEnded,
  hasStarted,
  keyOf,
  lives,
  matches,
  type Place,
  rulesIn,
  rulesOf,
  type TeamFile,
  targetsOf,
} from '../declared.ts'
import { contains, names as namesGroup } from '../fences.ts'

/** The desired state of one key. `unknown`: no mapping may be created or deleted. */
export type Wanted = { readonly is: 'role'; readonly role: string } | { readonly is: 'absent' | 'unknown' | 'undeclared' | 'unmanaged' }

export type Facts = {
  /** Whether a directory contains the group. */
  readonly known: boolean
  readonly nowMs: number
  /** Whether rules that skip unknown projects say nothing about the project. */
  readonly skips?: boolean
  /** Whether the mapping certainly exists. It shows its group to patterns, also if no directory contains the group. */
  readonly mapped?: boolean
  /** Whether a mapping of the group certainly exists, on this target or another one of the list. */
  readonly groupMapped?: boolean
}

export function wanted(one: DeclaredWorkspace, place: Place, facts: Facts): Wanted {
  const { group, at } = place
  const { known, nowMs, skips = false } = facts
  if (one.unmanaged.some((glob) => matches(glob, group))) return { is: 'unmanaged' }
  if (one.teams !== undefined) {
    const frozen = heldByFrozen(one, place, facts)
    return frozen ?? wantedByFiles(one, one.teams, place, facts)
  }
  if (one.removed.some((removed) => keyOf(removed) === keyOf(place))) return { is: 'absent' }
  const named = rulesOf(one).filter((rule) => targetsOf(rule, group).includes(at) && !(skips && isSkipping(rule)))
  // A rule that has not started claims nothing. What exists for it stays until another rule decides.
  const rules = named.filter((rule) => hasStarted(rule, nowMs))
  if (named.length > 0 && rules.length === 0) return { is: 'unknown' }
  const exact = rules.filter((rule) => 'group' in rule)
  const patterns = rules.filter((rule) => !('group' in rule))
  if (exact.length + patterns.length === 0) return { is: 'undeclared' }
  const living = exact.find((rule) => lives(rule, nowMs))
  if (living !== undefined) return known || ('send' in living && living.send) ? { is: 'role', role: living.role } : { is: 'unknown' }
  const roles = new Set(patterns.filter((rule) => lives(rule, nowMs)).map(({ role }) => role))
  if (roles.size === 0) return { is: 'absent' }
  const [role] = roles
  return roles.size === 1 && known && role !== undefined ? { is: 'role', role } : { is: 'unknown' }
}

/** Whether nothing of a file is used. The declaration does not prove then that a mapping is undeclared. */
export const isFrozen = ({ frozen, frozenOpen }: DeclaredWorkspace): boolean => frozen !== undefined || frozenOpen !== undefined

/**
 * What invalid files make of a key: it is held if such a file names it, or cannot be read and no other file names it exactly. A pattern names only groups that
 * directories or mappings show. A rule of its file that has ended before has ended.
 */
function heldByFrozen(one: DeclaredWorkspace, place: Place, { known, mapped, groupMapped, nowMs }: Facts): Wanted | undefined {
  const { frozen = [], frozenOpen } = one
  const isShown = known || mapped === true || groupMapped === true
  const isNamed = isNamedWithoutLimits(one, place, nowMs)
  const isExact =
    isNamed || (one.teams ?? []).some((team) => isNamedWithoutLimits({ ...team, name: one.name, unmanaged: [] }, place, nowMs))
  const hasEndedIn = (rules: readonly DeclaredRule[]) =>
    rules.some((rule) => targetsOf(rule, place.group).includes(place.at) && hasEnded(rule, nowMs))
  if (frozenOpen !== undefined && !isExact)
    return { is: frozenOpen.some((earlier) => hasEndedIn(rulesOf({ ...earlier, teams: [] }))) ? 'absent' : 'unknown' }
  const holding = frozen.filter((file) => {
    if (!contains(file.fence, place)) return false
    return file.broken !== 'text' && isSpoken(file, place, isShown) ? !isNamed : file.broken === 'text' && !isExact
  })
  if (holding.length === 0) return undefined
  const hasEndedBefore = holding.some(({ earlier }) => hasEndedIn(earlier.flatMap(rulesIn)))
  return { is: hasEndedBefore ? 'absent' : 'unknown' }
}

/** Whether a rule of a file that is used has ended, while an invalid file holds its key. A journal that has recorded this end lets it happen. */
export const mayEndWhileHeld = (one: DeclaredWorkspace, place: Place, facts: Facts): boolean =>
  isFrozen(one) &&
  wantedByFiles(one, one.teams ?? [], place, facts).is === 'absent' &&
  rulesOf(one).some((rule) => targetsOf(rule, place.group).includes(place.at) && hasEnded(rule, facts.nowMs))

/** Whether a rule of this declaration gave the mapping, and has ended. */
export const gaveUntil = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  rulesOf(one).some((rule) => targetsOf(rule, place.group).includes(place.at) && hasEnded(rule, nowMs))

/** Whether a rule that counts now asks for the role that the mapping has. A hold then keeps it, also after the end of an earlier rule. */
export const isAskedFor = (one: DeclaredWorkspace, place: Place & { readonly role?: string | null }, nowMs: number): boolean =>
  rulesOf(one).some((rule) => targetsOf(rule, place.group).includes(place.at) && lives(rule, nowMs) && rule.role === place.role)

const isSpoken = (file: TeamFile, place: Place, isShown: boolean): boolean =>
  rulesIn(file).some((rule) => (isShown || 'group' in rule) && targetsOf(rule, place.group).includes(place.at)) ||
  file.removed.some((one) => keyOf(one) === keyOf(place)) ||
  file.unmanagedAt.some(({ group, at }) => at === place.at && (isShown ? namesGroup(group, place.group) : group === place.group))

/** Whether the file without limits removes the mapping, or names it in a rule that counts now. */
const isNamedWithoutLimits = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  one.removed.some((removed) => keyOf(removed) === keyOf(place)) ||
  rulesOf({ ...one, teams: [] }).some(
    (rule) => 'group' in rule && targetsOf(rule, place.group).includes(place.at) && hasStarted(rule, nowMs) && lives(rule, nowMs),
  )

const isSkipping = (rule: DeclaredRule): boolean => 'captured' in rule && rule.skipsProject === true && rule.sendsProject !== true

/**
 * Whether a rule that gives the key its role also allows a protected role for it. A rule gives no role to a group that no directory contains, unless it
 * says so itself. A pattern of a file without limits decides before the file of a team.
 */
export const vouchedFor = (one: DeclaredWorkspace, place: Place, known: boolean, nowMs: number): boolean =>
  rulesOf(one).some(
    (rule) =>
      'group' in rule &&
      targetsOf(rule, place.group).includes(place.at) &&
      rule.allowProtected === true &&
      (known || rule.send === true) &&
      lives(rule, nowMs) &&
      (rule.inside === undefined || !isSaidWithoutLimits(one, place, known, nowMs)),
  )

/** Whether a rule of the file without limits names the mapping now. A pattern names only groups that directories know. */
const isSaidWithoutLimits = (one: DeclaredWorkspace, { group, at }: Place, known: boolean, nowMs: number): boolean =>
  rulesOf(one).some(
    (rule) => rule.inside === undefined && (known || 'group' in rule) && targetsOf(rule, group).includes(at) && lives(rule, nowMs),
  )

/** One statement about a mapping. `is`: what it wants now. `file`: of a team; absent: the file without limits. */
type Said = {
  readonly weight: 'removed' | 'exact' | 'pattern'
  readonly file?: string | undefined
  readonly is: 'role' | 'absent' | 'unknown'
  readonly role: string
}

/** The desired state of a key about which several files speak. A file inside a fence never overrides the file without limits. */
function wantedByFiles(one: DeclaredWorkspace, teams: readonly TeamFile[], place: Place, facts: Facts): Wanted {
  const covering = teamsLeaving(teams, place)
  const removals = [one, ...teams].flatMap((file): Said[] => {
    const name = 'file' in file ? file.file : undefined
    const isRemoved = file.removed.some((removed) => keyOf(removed) === keyOf(place))
    const isHeld = name !== undefined && covering.some((other) => other.file !== name)
    return isRemoved ? [{ weight: 'removed', is: isHeld ? 'unknown' : 'absent', role: '', file: name }] : []
  })
  const speaking = rulesOf(one).filter(
    (rule) => targetsOf(rule, place.group).includes(place.at) && !(facts.skips === true && isSkipping(rule)),
  )
  // A glob covers the groups that directories know, and those of mappings. A mapping on another target may show the group to it.
  const isShown = facts.known || facts.mapped === true
  const isSure = isShown || !speaking.some((rule) => 'group' in rule)
  const leaving = isSure ? covering : covering.filter(({ unmanagedAt }) => unmanagedAt.some((entry) => keyOf(entry) === keyOf(place)))
  const naming = speaking.filter((rule) => !isLeft(rule, leaving))
  const started = naming.filter((rule) => hasStarted(rule, facts.nowMs))
  if (naming.length + removals.length === 0) return { is: leaving.length > 0 ? 'unmanaged' : 'undeclared' }
  if (started.length + removals.length === 0) return { is: 'unknown' }
  const living = started.filter((rule) => leaving.length > 0 || lives(rule, facts.nowMs))
  const all = [...removals, ...living.map((rule) => saidBy(rule, leaving.length > 0, facts))]
  // A pattern speaks of the same groups as a glob.
  const exact = isShown ? [] : all.filter(({ weight }) => weight !== 'pattern')
  const said = exact.length > 0 ? exact : all
  if (said.length === 0) return { is: 'absent' }
  const [open, fenced] = [said.filter(({ file }) => file === undefined), said.filter(({ file }) => file !== undefined)]
  if (open.length === 0 || fenced.length === 0) return decided(said)
  const [first, second] = [decided(open), decided(fenced)]
  if (open.some(({ weight }) => weight !== 'pattern')) return first
  return resultText(first) === resultText(second) ? first : { is: 'unknown' }
}

/** The files of teams in which the mapping is unmanaged. */
const teamsLeaving = (teams: readonly TeamFile[], place: Place): readonly TeamFile[] =>
  teams.filter(({ unmanagedAt, fence }) => {
    const covers = unmanagedAt.some(({ group, at }) => at === place.at && namesGroup(group, place.group))
    return covers && contains(fence, place)
  })

/** With fences: whether a pattern may speak of a group that no directory knows, because a mapping on another target shows it the group. */
export const mayBeShown = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  one.teams !== undefined && (isSaidWithoutLimits(one, place, true, nowMs) || teamsLeaving(one.teams, place).length > 0)

/** An unmanaged entry of a team silences patterns of teams, and exact rules of its own file. It only holds all other rules. */
const isLeft = (rule: DeclaredRule, leaving: readonly TeamFile[]): boolean =>
  rule.inside !== undefined &&
  leaving.length > 0 &&
  !('group' in rule && leaving.some(({ file }) => file !== (rule.inside as NonNullable<typeof rule.inside>).file))

function saidBy(rule: DeclaredRule, isHeld: boolean, { known }: Facts): Said {
  const isKnown = known || ('group' in rule && rule.send === true)
  const is = isHeld || !isKnown ? 'unknown' : 'role'
  return { weight: 'group' in rule ? 'exact' : 'pattern', is, role: rule.role, file: rule.inside?.file }
}

const resultText = (want: Wanted): string => (want.is === 'role' ? `role ${want.role}` : want.is)

/** What statements with equal rights want together. Files of teams that name the mapping and contradict each other hold it. */
function decided(said: readonly Said[]): Wanted {
  const named = said.filter(({ weight, file }) => weight !== 'pattern' && file !== undefined)
  if (new Set(named.map(({ weight, role }) => `${weight === 'removed'} ${role}`)).size > 1) return { is: 'unknown' }
  const weight = (['removed', 'exact', 'pattern'] as const).find((one) => said.some((other) => other.weight === one))
  const speaking = said.filter((one) => one.weight === weight)
  if (weight === 'removed') return { is: speaking.every(({ is }) => is === 'absent') ? 'absent' : 'unknown' }
  const granting = speaking.filter(({ is }) => is === 'role')
  const [first] = granting
  const isSure = weight === 'exact' || granting.length === speaking.length
  return first !== undefined && isSure && new Set(granting.map(({ role }) => role)).size === 1
    ? { is: 'role', role: first.role }
    : { is: 'unknown' }
}
