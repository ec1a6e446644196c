import { type Bounds, compareWith, exactly, isExact, mostOf, sumOf } from '../bounds.ts'
import type { Change, ChangeId, Hash, MappingChange } from '../change.ts'
import type { LimitOver } from '../hold.ts'
import { bareId, idText, peopleMost } from '../idWithPeople.ts'
import type { WorkspaceName } from '../mapping.ts'
import type { PeopleLimits, PeopleOver } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import { boundsText, boundsWord, counted } from '../quantity.ts'
import { direction, isProtected, type RoleSettings } from '../roles.ts'
import { type GuardSettings, settingOf } from './guardSettings.ts'
import { setId } from './limits.ts'

/*
 * | limit of `guards.people` | counts, each person once                                     | of these changes             |
 * |--------------------------|--------------------------------------------------------------|------------------------------|
 * | raise                    | people who newly get a role, or a higher one                 | creates, raises, renames     |
 * | gainProtected            | people who get a protected role, and had none there          | grants of a protected role   |
 * | lose                     | people who lose the role, or keep a lower one, while no      | deletes of what is undeclared |
 * |                          | grant is written but those that the delete requires          |                              |
 *
 * 1. A change that exceeds a limit by itself, or perhaps exceeds it, waits by itself: a limit is kept if the most that is possible is within it.
 * 2. The others are added up; above the limit they wait as one set. If they are only perhaps above it, each of them whose number is not exact waits by itself.
 * 3. What passes only by an approval, and what requires it, is added on top. If that exceeds the limit, each of these changes waits by itself.
 *
 * A revocation that a file asks for is never among them (`removed`, `expires`, a lowering): a person who may add people to a group must not be able to stop it.
 *
 * An approval for N people lets a change or a set pass if no limit counts more than N people in it. Whom `gainProtected` counts, `raise` counts, too. So
 * `raise` is the first limit that is judged, and what passes it passes `gainProtected`.
 */

/** A limit of the settings, and its name there; undefined if there is none. */
type LimitOf = (name: keyof PeopleLimits) => { readonly limit: number; readonly setting: string } | undefined

export const peopleLimits =
  (guards: GuardSettings, workspace: WorkspaceName): LimitOf =>
  (name) => {
    const limit = guards.people?.[name]
    return limit === undefined ? undefined : { limit, setting: settingOf(guards, workspace, 'people', name) }
  }

/** The limit that the change exceeds alone; of several, that with most people, so that an approval for them is enough for each. */
export function peopleOver(change: Change, limitOf: LimitOf, roles: RoleSettings): PeopleOver | undefined {
  const overs = limitsOf(change, roles).flatMap((name) => overOne(change as MappingChange, name, limitOf, roles) ?? [])
  return overs.reduce<PeopleOver | undefined>(
    (most, over) => (most !== undefined && mostOf(most.people) >= mostOf(over.people) ? most : over),
    undefined,
  )
}

/** The limits in which a change counts. */
function limitsOf(change: Change, roles: RoleSettings): readonly (keyof PeopleLimits)[] {
  if (change.action === 'settings') return []
  if (change.action === 'delete') return change.why === 'undeclared' ? ['lose'] : []
  if (change.action === 'patch' && direction(change.before, change.role, roles) === 'lower') return []
  return ['gainProtected', 'raise']
}

function overOne(change: MappingChange, name: keyof PeopleLimits, limitOf: LimitOf, roles: RoleSettings): PeopleOver | undefined {
  const of = limitOf(name)
  if (of === undefined || change.effect?.kind === 'notRecorded') return undefined
  const { limit, setting } = of
  const people = ownPeople(change, name, roles)
  return compareWith(limit, people) === 'within' ? undefined : { over: name, people, limit, setting, pass: passFor(change, people) }
}

/** The waiver that lets a change pass for as many people as it may concern. */
const passFor = ({ id }: Change, { most }: Bounds): string => idText(id, most ?? 'any')

/**
 * Changes that exceed a limit together. `over.count`: the most people that they may concern. `total`: with those of changes that count beside them. `isUnsure`:
 * perhaps they do not exceed it; then each of them waits by itself.
 */
export type PeopleSet = {
  readonly limit: keyof PeopleLimits
  readonly over: LimitOver
  readonly total: Bounds
  readonly isUnsure: boolean
  readonly changes: readonly Change[]
}

const verbs: Readonly<Record<keyof PeopleLimits, string>> = {
  gainProtected: 'newly get a protected role',
  raise: 'newly get a role, or a higher one',
  lose: 'lose a role, or keep a lower one',
}

/** How many people a limit counts in some changes. */
export type PeopleOf = (limit: keyof PeopleLimits, changes: readonly Change[]) => Bounds

/** @param together absent in a later slice: the numbers are then added, so that a person counts in each change */
export const openPeopleOf =
  (changes: readonly Change[], roles: RoleSettings, together: PeopleTogether = addedUp(changes, roles)): PeopleOf =>
  (name, part) =>
    together(
      name,
      part.flatMap((change) => (limitsOf(change, roles).includes(name) ? change.id : [])),
    )

/**
 * The first limit that changes exceed together. A change without people is not among them.
 *
 * @param beside they count, and do not wait
 * @param passes whether a person lets the change pass this limit
 */
export function peopleSetOver(
  changes: readonly Change[],
  beside: readonly Change[],
  passes: (limit: keyof PeopleLimits, change: Change) => boolean,
  limitOf: LimitOf,
  peopleOf: PeopleOf,
  { roles, hash }: { readonly roles: RoleSettings; readonly hash: Hash },
): PeopleSet | undefined {
  for (const name of ['raise', 'gainProtected', 'lose'] as const) {
    const of = limitOf(name)
    if (of === undefined) continue
    const { limit, setting } = of
    const counts = (change: Change) =>
      limitsOf(change, roles).includes(name) && mostOf(ownPeople(change, name, roles)) > 0 && !passes(name, change)
    const all = changes.filter(counts)
    // Without a bound it was approved for any number of people.
    const besideThem = beside.filter((change) => counts(change) && ownPeople(change, name, roles).most !== undefined)
    const total = peopleOf(name, [...all, ...besideThem])
    const comparison = compareWith(limit, total)
    const unsure = all.filter((change) => !isExact(ownPeople(change, name, roles)))
    const isUnsure = comparison === 'unsure' && unsure.length > 0
    const counting = isUnsure ? unsure : all
    if (counting.length === 0 || comparison === 'within') continue
    const people = peopleOf(name, counting)
    const isCounting = new Set(counting)
    const others = peopleOf(name, [...all.filter((change) => !isCounting.has(change)), ...besideThem])
    const onTop = mostOf(others) === 0 ? '' : `, on top of ${boundsWord(others)}`
    const sentence = `${boundsText(people, 'person', 'people')} would ${verbs[name]}, by ${counted(counting.length, 'change')}${onTop}; ${setting} allows ${limit}`
    const over = { name: 'people' as const, count: mostOf(people), limit, setting, sentence, pass: setId(counting, hash) }
    return { limit: name, over, total, isUnsure, changes: counting }
  }
  return undefined
}

/** How one change of a set waits by itself, since it exceeds the limit only together with others. */
export function overTogether(change: Change, { limit, over, total }: PeopleSet, roles: RoleSettings): PeopleOver {
  const people = ownPeople(change, limit, roles)
  return { over: limit, people, together: total, limit: over.limit, setting: over.setting, pass: passFor(change, people) }
}

function addedUp(changes: readonly Change[], roles: RoleSettings): PeopleTogether {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return (name, ids) => sumOf([...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map((change) => ownPeople(change, name, roles)))
}

/** The people of one change. Where none were counted, a limit on protected roles counts none in the grant of another role. */
function ownPeople(change: Change, name: keyof PeopleLimits, roles: RoleSettings): Bounds {
  if (change.action === 'settings' || change.effect?.kind === 'notRecorded') return exactly(0)
  if (change.effect !== undefined) return change.effect[name]
  const gains = 'role' in change && isProtected(change.role, change.target, roles)
  return name === 'gainProtected' && !gains ? exactly(0) : { least: 0 }
}

/** What `--allow` takes to let one change of a set of people pass alone. */
export function passInSet(change: Change, { setting }: Pick<LimitOver, 'setting'>): string {
  const effect = change.action === 'settings' ? undefined : change.effect
  return passFor(change, effect?.kind === 'counted' ? effect[setting.split('.').at(-1) as keyof PeopleLimits] : { least: 0 })
}

/** Whether a limit on people can hold the change. */
export const isLimited = (change: Change, { people = {} }: GuardSettings, roles: RoleSettings): boolean =>
  limitsOf(change, roles).some((name) => people[name] !== undefined)

/** Whether a number of people can hold a change. */
export const limitsPeople = ({ people = {} }: GuardSettings): boolean => Object.values(people).length > 0

/** Whether the ID of a waiver lets a change or a set pass with this number of people; undefined: the number is not known. */
export const passesPeople = (given: string, { id }: { readonly id: ChangeId }, people = Number.POSITIVE_INFINITY): boolean =>
  bareId(given) === id && people <= peopleMost(given)
