import { type Change, type MappingChange } from '../change.ts'
import { type Flood } from '../hold.ts'
import { type List, listOf } from '../mapping.ts'
import { type CountedEffect, type PeopleLimits, type PeopleOver } from '../peopleEffect.ts'
import { type Plan } from '../plan.ts'
import { counted, partOf } from '../quantity.ts'
import { direction, isAdministrator, isProtected, type RoleSettings } from '../roles.ts'
import { type GuardName } from '../waiverWords.ts'
import { type ChangeCounts, type GuardSettings, type Limit } from './guardSettings.ts'

export type Refusal = {
  readonly guard: GuardName
  readonly count: number
  readonly limit: number
  /** The number of owned mappings that the count is compared with; absent if the guard has no share. */
  readonly owned?: number
  /** The setting of the limit. */
  readonly setting: string
  readonly sentence: string
}

/** The changes that count besides this plan. `plan`: those of its earlier slices; absent in the first one. */
export type Tally = { readonly run: ChangeCounts; readonly day: ChangeCounts; readonly plan?: EarlierSlices }
/** The changes of the earlier slices of a plan. `owned`: the number of owned mappings before the first of them, which a share is compared with. */
export type EarlierSlices = ChangeCounts & { readonly owned: number }

/** The refusal of a plan guard, and the changes that a waiver would have to name. */
export type GuardResult = { readonly refusal: Refusal; readonly affected: readonly Change[] }

/** `echoes`, for the list of workspace mappings: the role that was sent → the role that the service answered with. */
export type GuardInput = {
  readonly guards: GuardSettings
  readonly roles: RoleSettings
  readonly tally: Tally
  readonly echoes?: Readonly<Record<string, string>>
}

/** The plan guards: each looks at the whole plan, before anything of it is written. */
export function guardResults(plan: Plan, { guards, roles, tally, echoes }: GuardInput): readonly GuardResult[] {
  const owned = tally.plan?.owned ?? ownedMappings(plan)
  const deletes = plan.changes.filter(({ action }) => action === 'delete')
  const revising = plan.changes.filter(({ action }) => action !== 'create')
  return [
    ...overLimit('changes', revising, tally.plan?.changes ?? 0, guards.changes, owned),
    ...overLimit('deletes', deletes, tally.plan?.deletes ?? 0, guards.deletes, owned),
    ...emptiedLists(plan),
    ...lastAdministrator(plan, roles, echoes),
    ...(['run', 'day'] as const).flatMap((span) => [
      ...overSum(span, 'changes', revising, tally[span].changes, guards[span].changes),
      ...overSum(span, 'deletes', deletes, tally[span].deletes, guards[span].deletes),
    ]),
  ]
}

/** The number of mappings in the lists that the declaration manages. */
export const ownedMappings = ({ owned }: Plan): number => Object.values(owned).reduce((sum, count) => sum + count, 0)

function overLimit(
  guard: 'changes' | 'deletes',
  affected: readonly Change[],
  sofar: number,
  { count, share, minExisting }: Limit,
  owned: number,
): GuardResult[] {
  const allowed = Math.max(minExisting, Math.floor(partOf(share, owned)))
  const limit = Math.min(count, allowed)
  const total = sofar + affected.length
  if (affected.length === 0 || total <= limit) return []
  const { setting, bound } = decisive(guard, { count, share, minExisting }, owned, allowed)
  return [
    {
      affected,
      refusal: {
        guard,
        count: total,
        limit,
        owned,
        setting,
        sentence: `${changesText(guard, affected.length)}${onTopOf(sofar, spans.plan)}${ofOwned(affected.length, owned)}; ${bound}`,
      },
    },
  ]
}

/** Which of the three settings of a limit decides, and what it allows. */
function decisive(guard: string, { count, share, minExisting }: Limit, owned: number, allowed: number) {
  const name = count <= allowed ? 'count' : minExisting <= partOf(share, owned) ? 'share' : 'minExisting'
  const part = `${percent(share)} of ${counted(owned, 'owned mapping')}`
  const bounds = { count: `${count}`, share: `${part}, which is ${allowed}`, minExisting: `${allowed}, which is more than ${part}` }
  return { setting: `guards.${guard}.${name}`, bound: `guards.${guard}.${name} allows ${bounds[name]}` }
}

/**
 * More creates than a limit allows; undefined if no limit is exceeded. All creates are then held, since it is unknown which of them are too
 * many. Of the other changes, only those that require a held create wait: a pattern that suddenly matches everything must not delay a revocation.
 */
export function flood(creates: number, { guards, tally }: GuardInput): Flood | undefined {
  const over = (setting: string, sofar: number, limit: number, span: string): Flood[] => {
    const count = sofar + creates
    const sentence = `${counted(creates, 'create')}${onTopOf(sofar, span)}; ${setting} allows ${limit}`
    return count <= limit ? [] : [{ count, limit, setting, sentence }]
  }
  return [
    ...over('guards.creates.count', tally.plan?.creates ?? 0, guards.creates.count, spans.plan),
    ...over('guards.run.creates', tally.run.creates, guards.run.creates, spans.run),
    ...over('guards.day.creates', tally.day.creates, guards.day.creates, spans.day),
  ][0]
}

const spans = { plan: 'this plan', run: 'this run', day: 'the last 24 hours' } as const
const onTopOf = (sofar: number, span: string): string => (sofar === 0 ? '' : ` on top of ${sofar} in ${span}`)

/** Without this guard, a plan of 100 deletes could be written as ten plans of ten. */
function overSum(
  guard: 'run' | 'day',
  what: 'changes' | 'deletes',
  affected: readonly Change[],
  sofar: number,
  limit: number,
): GuardResult[] {
  const count = sofar + affected.length
  if (affected.length === 0 || count <= limit) return []
  const setting = `guards.${guard}.${what}`
  const sentence = `${changesText(what, affected.length)}${onTopOf(sofar, spans[guard])}; ${setting} allows ${limit}`
  return [{ affected, refusal: { guard, count, limit, setting, sentence } }]
}

/**
 * The changes are counted one by one in the order of writing, and the list must not be empty after any of them: a run may end anywhere, and the
 * gate may stop the changes that come after.
 */
function emptiedLists(plan: Plan): GuardResult[] {
  return (Object.entries(plan.owned) as [List, number][]).flatMap(([list, before]) => {
    const here = plan.changes.filter((change) => change.action !== 'settings' && listOf(change.target) === list)
    const affected = here.filter(({ action }) => action === 'delete')
    let left = before
    let emptied = false
    for (const { action } of here) {
      if (action === 'create') left++
      if (action === 'delete') emptied = --left === 0 || emptied
    }
    if (!emptied) return []
    const kind = list === 'workspaceRoles' ? 'workspace' : 'project'
    const sentence = `${before === 1 ? 'the only' : 'all'} ${before === 1 ? `${kind} mapping` : counted(before, `${kind} mapping`)} would be deleted${left > 0 ? ' before the first new one exists' : ', and none would be left'}`
    return [
      {
        affected,
        refusal: {
          guard: 'emptiesList' as const,
          count: affected.length,
          limit: before - 1,
          owned: before,
          setting: 'no setting: only a waiver lets this plan pass',
          sentence,
        },
      },
    ]
  })
}

/**
 * A run may end at any point, and any of its changes may fail or be held. In each of these cases a mapping to an administrator role must be left.
 * A new such mapping makes up for a lost one only if the change that takes the role away requires the change that gives it: then the giving change is
 * written first. A new mapping makes up for at most one lost mapping.
 *
 * @param echoes a role that the service once answered for an administrator role may be its name for it, or a lower role. So a mapping that has it counts
 *   as one that goes, but not as one that is left
 */
function lastAdministrator(plan: Plan, roles: RoleSettings, echoes: GuardInput['echoes']): GuardResult[] {
  const had = (change: MappingChange) => 'before' in change && isAdministrator(change.before, roles, echoes)
  const has = (change: MappingChange) => 'role' in change && isAdministrator(change.role, roles, echoes)
  const here = plan.changes.flatMap((change) => (change.action !== 'settings' && change.target.kind === 'workspace' ? [change] : []))
  const replacements = new Set(here.filter((change) => has(change) && !had(change)).map(({ id }) => id))
  const going = here.filter((change) => had(change) && !has(change) && !change.requires.some((id) => replacements.delete(id)))
  const left = plan.administrators - going.filter((change) => 'before' in change && isAdministrator(change.before, roles)).length
  const last = going[plan.administrators - 1] ?? going[0]
  if (last === undefined || left > 0) return []
  const sentence = `${last.group} has the last mapping to a workspace administrator role; without it no group gives that role`
  return [
    {
      // Any of these changes may turn out to be the last one, so a waiver is needed for all of them.
      affected: going,
      refusal: {
        guard: 'lastAdministrator',
        count: plan.administrators,
        limit: Math.max(0, plan.administrators - 1),
        setting: 'no setting: only a waiver lets this plan pass',
        sentence,
      },
    },
  ]
}

/** `1 delete`, `2 deletes`; `1 patch or delete`, `2 patches and deletes`. */
const changesText = (what: 'changes' | 'deletes', n: number): string =>
  what === 'deletes' ? counted(n, 'delete') : counted(n, 'patch or delete', 'patches and deletes')

const percent = (share: number): string => `${Math.round(share * 100)} %`
const ofOwned = (count: number, owned: number): string =>
  owned === 0 ? '' : ` (${percent(count / owned)} of ${counted(owned, 'owned mapping')})`

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
