import type { Change, MappingChange } from '../change.ts'
import type { CountedEffect, PeopleLimits, PeopleOver } from '../peopleEffect.ts'
import { direction, isProtected, type RoleSettings } from '../roles.ts'
import type { GuardSettings } from './guardSettings.ts'

/**
 * The first limit of `guards.people` that the change exceeds. A revocation that a file asks for is never among them (`removed`, `expires`, a lowering):
 * a person who may add people to a group must not be able to stop it.
 */
export function peopleOver(change: Change, limits: PeopleLimits, roles: RoleSettings): PeopleOver | undefined {
  if (change.action === 'settings') return undefined
  if (change.action === 'delete')
    return change.why === 'undeclared' ? over(change, 'lose', limits, (effect) => effect.lost + effect.lowered) : undefined
  if (change.action === 'patch' && direction(change.before, change.role, roles) === 'lower') return undefined
  // If the role is not protected, then people of the group who are not known get no protected role by it.
  const protects = isProtected(change.role, change.target, roles)
  return (
    over(change, 'gainProtected', limits, (effect) => effect.gainProtected, protects) ??
    over(change, 'raise', limits, (effect) => effect.newly + effect.raised)
  )
}

function over(
  { id, effect }: MappingChange,
  name: keyof PeopleLimits,
  limits: PeopleLimits,
  numberIn: (effect: CountedEffect) => number,
  mayBeMore = true,
): PeopleOver | undefined {
  const limit = limits[name]
  if (limit === undefined) return undefined
  const setting = `guards.people.${name}`
  if (effect?.kind !== 'counted') return mayBeMore ? { over: name, limit, setting, pass: `${id}:any` } : undefined
  const people = numberIn(effect)
  if (effect.atLeast === true && mayBeMore) return { over: name, atLeast: people, limit, setting, pass: `${id}:any` }
  return people <= limit ? undefined : { over: name, people, limit, setting, pass: `${id}:${people}` }
}

/** Whether a number of people can hold a change. */
export const limitsPeople = ({ people = {} }: GuardSettings): boolean => Object.values(people).some((limit) => limit !== undefined)

/** Whether a waiver's name lets the change pass with this number of people: `ID:160` for 160 people and fewer, `ID:any` for every number. */
export function passesPeople(waiver: string, { id }: Change, people: number | undefined): boolean {
  const [name, number] = waiver.split(':')
  return name === id && (number === 'any' || (people !== undefined && number !== undefined && people <= Number(number)))
}
