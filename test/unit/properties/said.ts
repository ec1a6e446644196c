import { type GroupName, projectIdentifier } from '../../../src/core/mapping.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { Seen } from '../core/smallWorld.ts'
import { type Place, placeOf } from './serviceTable.ts'

/**
 * The meaning of the declaration for one place, by its documentation. It is computed a second time here, without code of `resolve`.
 * `unsure`: the mapping is held, or the declaration does not name it.
 */
export type Meaning = { readonly role: string } | 'absent' | 'unsure'

/** The meaning in a world whose readings are complete; other worlds are not supported. */
export function meaningOf(place: Place, seen: Seen): Meaning {
  const { rules, removed } = seen.declared
  if (isLeftAlone(place, seen.declared)) return 'unsure'
  if (removed.some((one) => placeOf(one) === placeOf(place))) return 'absent'
  const all = rules.filter((rule) => roleFor(rule, place) !== undefined)
  const started = all.filter((rule) => isStarted(rule, seen))
  const living = started.filter(({ expiresMs }) => expiresMs === undefined || seen.nowMs < expiresMs)
  if (living.length === 0) return started.length > 0 ? 'absent' : 'unsure'
  if (place.group.trim() !== place.group) return 'unsure'

  const exact = living.filter(({ groups }) => groups.kind === 'exact')
  if (exact.length > 0) {
    const sure = exact.find((rule) => standing(rule, place, seen) === 'sure')
    return sure === undefined ? 'unsure' : { role: roleFor(sure, place) ?? '' }
  }
  const speaking = living.filter((rule) => standing(rule, place, seen) !== 'silent')
  const roles = new Set(speaking.map((rule) => (standing(rule, place, seen) === 'sure' ? roleFor(rule, place) : '')))
  const [role = ''] = roles
  return roles.size === 1 && role !== '' ? { role } : 'unsure'
}

const isStarted = ({ startsMs }: Rule, { nowMs }: Seen): boolean => startsMs === undefined || startsMs <= nowMs

export const isLeftAlone = ({ group, target }: Place, { unmanaged }: WorkspaceDeclaration): boolean =>
  unmanaged.some(
    (one) =>
      picks(one.groups, group) && (one.target === undefined || placeOf({ group, target: one.target }) === placeOf({ group, target })),
  )

/** Whether a rule or an entry of `removed` names the place. The rule may have expired, or may start later. */
export const isSpokenOf = (place: Place, { rules, removed }: WorkspaceDeclaration): boolean =>
  removed.some((one) => placeOf(one) === placeOf(place)) || rules.some((rule) => roleFor(rule, place) !== undefined)

/**
 * Whether a rule applies to the place. `silent`: the rule is a pattern, and none of its directories has the name, or the rule skips a project that
 * nothing shows.
 */
function standing(rule: Rule, { group, target }: Place, seen: Seen): 'sure' | 'unsure' | 'silent' {
  const { directories, existing, projects } = seen
  const asked = [...directories].filter(([name]) => rule.from === undefined || rule.from.includes(name))
  const places = asked.flatMap(([, reading]) => (reading.status === 'complete' ? (reading.value.get(group) ?? []) : [])).length
  const free = rule.groups.kind === 'exact' && (rule.unknownGroups === 'send' || asked.length === 0)
  if (places === 0 && !free) return rule.groups.kind === 'exact' ? 'unsure' : 'silent'
  if (places > 1 || roleFor(rule, { group, target }) === '') return 'unsure'
  if (target.kind !== 'project' || rule.unknownProjects === 'send') return 'sure'
  const vouched = [...existing.lists.values()].some(
    (list) =>
      list.status === 'complete' &&
      list.value.some((one) => one.target.kind === 'project' && one.target.project === target.project && vouches(one, seen)),
  )
  if (vouched || (projects.status === 'complete' && projects.value.has(target.project))) return 'sure'
  const isNamed = [...existing.lists.values()].some(
    (list) =>
      list.status === 'complete' && list.value.some((one) => one.target.kind === 'project' && one.target.project === target.project),
  )
  return rule.unknownProjects === 'skip' && !isNamed ? 'silent' : 'unsure'
}

/** Whether a mapping proves that its project exists: no rule with `unknownProjects: send` asks for this mapping. */
function vouches(place: Place, { declared, nowMs }: Seen): boolean {
  if (isLeftAlone(place, declared) || declared.removed.some((one) => placeOf(one) === placeOf(place))) return true
  const all = declared.rules.filter((rule) => roleFor(rule, place) !== undefined)
  const started = all.filter(({ startsMs }) => startsMs === undefined || startsMs <= nowMs)
  const counting = started.length > 0 ? started : all
  const living = counting.filter(({ expiresMs }) => expiresMs === undefined || nowMs < expiresMs)
  const [some, exact] = [living.length > 0 ? living : counting, ({ groups }: Rule) => groups.kind === 'exact']
  return (some.some(exact) ? some.filter(exact) : some).every(({ unknownProjects }) => unknownProjects !== 'send')
}

/** The role that a rule gives a place. Empty: the map of the rule does not have the captured text. `undefined`: the rule does not name the place. */
function roleFor({ groups, target, role }: Rule, place: Place): string | undefined {
  if (!picks(groups, place.group)) return undefined
  const captured = groups.kind === 'pattern' ? (groups.pattern.compile()(place.group) ?? {}) : {}
  if (target.kind === 'fixed' && placeOf({ ...place, target: target.target }) !== placeOf(place)) return undefined
  if (target.kind === 'captured') {
    const text = captured[target.capture] ?? ''
    const projects = target.map.get(text) ?? [projectIdentifier(text)]
    if (place.target.kind !== 'project' || !projects.includes(place.target.project)) return undefined
  }
  return role.kind === 'fixed' ? role.role : (role.map.get(captured[role.capture] ?? '') ?? '')
}

const picks = (selector: Rule['groups'], group: GroupName): boolean =>
  selector.kind === 'exact' ? selector.name === group : !selector.except.has(group) && selector.pattern.compile()(group) !== undefined
