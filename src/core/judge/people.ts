import type { Change, ChangeId, Hash, MappingChange } from '../change.ts'
import type { LimitOver } from '../hold.ts'
import { bareId, idText, peopleMost } from '../idWithPeople.ts'
import type { WorkspaceName } from '../mapping.ts'
import type { PeopleLimits, PeopleOver } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import { counted } from '../quantity.ts'
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
 * 1. A change that exceeds a limit by itself, or whose people are not known, waits by itself.
 * 2. The others are added up; above the limit they wait as one set.
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
  const overs = limitsOf(change, roles).flatMap((name) => {
    // If the role is not protected, then people of the group who are not known get no protected role by it.
    const mayBeMore = name !== 'gainProtected' || ('role' in change && isProtected(change.role, change.target, roles))
    return overOne(change as MappingChange, name, limitOf, mayBeMore) ?? []
  })
  const people = (over: PeopleOver) => over.people ?? Number.POSITIVE_INFINITY
  return overs.reduce<PeopleOver | undefined>((most, over) => (most !== undefined && people(most) >= people(over) ? most : over), undefined)
}

/** The limits in which a change counts. */
function limitsOf(change: Change, roles: RoleSettings): readonly (keyof PeopleLimits)[] {
  if (change.action === 'settings') return []
  if (change.action === 'delete') return change.why === 'undeclared' ? ['lose'] : []
  if (change.action === 'patch' && direction(change.before, change.role, roles) === 'lower') return []
  return ['gainProtected', 'raise']
}

function overOne({ id, effect }: MappingChange, name: keyof PeopleLimits, limitOf: LimitOf, mayBeMore: boolean): PeopleOver | undefined {
  const of = limitOf(name)
  if (of === undefined) return undefined
  const { limit, setting } = of
  if (effect?.kind === 'notRecorded') return undefined
  if (effect?.kind !== 'counted') return mayBeMore ? { over: name, limit, setting, pass: idText(id, 'any') } : undefined
  const people = effect[name]
  if (effect.atLeast === true && mayBeMore) return { over: name, atLeast: people, limit, setting, pass: idText(id, 'any') }
  return people <= limit ? undefined : { over: name, people, limit, setting, pass: idText(id, people) }
}

/** Changes that exceed a limit together. `over.count`: their people. `total`: with those of changes that count beside them. */
export type PeopleSet = {
  readonly limit: keyof PeopleLimits
  readonly over: LimitOver
  readonly total: number
  readonly changes: readonly Change[]
}

const verbs: Readonly<Record<keyof PeopleLimits, string>> = {
  gainProtected: 'newly get a protected role',
  raise: 'newly get a role, or a higher one',
  lose: 'lose a role, or keep a lower one',
}

/** How many people a limit counts in some changes. A person whom the directory does not know is not among them. */
export type PeopleOf = (limit: keyof PeopleLimits, changes: readonly Change[]) => number

/** @param together absent in a later slice: the numbers are then added, so that a person counts in each change */
export const openPeopleOf =
  (changes: readonly Change[], roles: RoleSettings, together: PeopleTogether = addedUp(changes)): PeopleOf =>
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
    const counts = (change: Change) => limitsOf(change, roles).includes(name) && ownPeople(change, name) > 0 && !passes(name, change)
    const counting = changes.filter(counts)
    const total = peopleOf(name, [...counting, ...beside.filter(counts)])
    if (counting.length === 0 || total <= limit) continue
    const people = peopleOf(name, counting)
    const onTop = total === people ? '' : `, on top of ${total - people}`
    const sentence = `${counted(people, 'person', 'people')} would ${verbs[name]}, by ${counted(counting.length, 'change')}${onTop}; ${setting} allows ${limit}`
    const over = { name: 'people' as const, count: people, limit, setting, sentence, pass: setId(counting, hash) }
    return { limit: name, over, total, changes: counting }
  }
  return undefined
}

/** How one change of a set waits by itself, since it exceeds the limit only together with others. */
export function overTogether(change: Change, { limit, over, total }: PeopleSet): PeopleOver {
  const people = ownPeople(change, limit)
  return { over: limit, people, together: total, limit: over.limit, setting: over.setting, pass: idText(change.id, people) }
}

const addedUp =
  (changes: readonly Change[]): PeopleTogether =>
  (name, ids) => {
    const named = new Set(ids)
    return changes.reduce((sum, change) => sum + (named.has(change.id) ? ownPeople(change, name) : 0), 0)
  }

/** The people of one change, as far as they are known. */
const ownPeople = (change: Change, name: keyof PeopleLimits): number =>
  'effect' in change && change.effect?.kind === 'counted' ? change.effect[name] : 0

/** What `--allow` takes to let one change of a set of people pass alone. */
export function passInSet(change: Change, { setting }: Pick<LimitOver, 'setting'>): string {
  return idText(change.id, ownPeople(change, setting.split('.').at(-1) as keyof PeopleLimits))
}

/** Whether a limit on people can hold the change. */
export const isLimited = (change: Change, { people = {} }: GuardSettings, roles: RoleSettings): boolean =>
  limitsOf(change, roles).some((name) => people[name] !== undefined)

/** Whether a number of people can hold a change. */
export const limitsPeople = ({ people = {} }: GuardSettings): boolean => Object.values(people).length > 0

/** Whether the ID of a waiver lets a change or a set pass with this number of people; undefined: the number is not known. */
export const passesPeople = (given: string, { id }: { readonly id: ChangeId }, people = Number.POSITIVE_INFINITY): boolean =>
  bareId(given) === id && people <= peopleMost(given)
