import type { ChangeId, Hash } from '../core/change.ts'
import { ageMs, type Clock, type Moment, momentOf } from '../core/clock.ts'
import { type Existing, mappingsAndProjects } from '../core/existing.ts'
import type { Finding } from '../core/finding.ts'
import { type GroupIndex, quotedGroup } from '../core/group.ts'
import type { GroupName, WorkspaceName } from '../core/mapping.ts'
import { peopleEffects } from '../core/people/peopleEffects.ts'
import { rosterOf } from '../core/people/roster.ts'
import { changedTargets, groupsOn, textsOfRows } from '../core/people/rows.ts'
import type { PeopleEffect } from '../core/peopleEffect.ts'
import type { PeopleTogether, Plan } from '../core/plan.ts'
import type { Reading } from '../core/reading.ts'
import type { RoleSettings } from '../core/roles.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'
import { openYielder } from './turns.ts'

/** How many people the changes of a plan concern, and findings about directories that did not say it. */
type PeopleCount = {
  readonly effects: ReadonlyMap<ChangeId, PeopleEffect>
  /** Absent if nothing was counted. */
  readonly together?: PeopleTogether
  readonly findings: readonly Finding[]
}

/** `kept`: an earlier count will do, if it is not too old. */
export type CountAge = 'kept' | 'new'

/** @returns `isKept`: it is an earlier count */
export type CountPeople = (
  plan: Plan,
  existing: Existing,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  age: CountAge,
  signal: AbortSignal,
) => Promise<PeopleCount & { readonly isKept: boolean }>

export type PeopleCounter = (options: CounterOptions) => CountPeople
type CounterOptions = { readonly roles: RoleSettings; readonly hash: Hash; readonly clock: Pick<Clock, 'now' | 'wall'> }

/** Members may have changed since an earlier count. */
export const countsKeptMs = 24 * 60 * 60 * 1_000

/**
 * Counts the people of plans. It asks for the members of each group that has, had or gets a role on a target of a change. The last count of each
 * workspace is kept for a day while the changes, these groups and the roles on their targets stay the same: a change that waits for a week causes no
 * requests every ten minutes.
 *
 * @param readers name of each directory in the settings → the reader of its members; undefined if it reads none
 */
export function openPeopleCounter(readers: ReadonlyMap<string, ReadMembers | undefined>): PeopleCounter {
  const kept = new Map<WorkspaceName, { readonly of: string; readonly at: Moment; readonly count: PeopleCount }>()
  const canCount = [...readers.values()].some((reader) => reader !== undefined)

  return ({ roles, hash, clock }) =>
    async (plan, existing, directories, age, signal) => {
      if (!canCount || plan.changes.every(({ action }) => action === 'settings')) return { effects: new Map(), findings: [], isKept: false }
      const targets = changedTargets(plan.changes, mappingsAndProjects(existing).existing, roles)
      const located = locate(groupsOn(targets.values()), [...readers.keys()], directories)
      const of = hash(JSON.stringify([plan.fingerprint, [...located], textsOfRows(targets.values())]))
      const last = kept.get(plan.workspace)
      const at = momentOf(clock)
      if (age === 'kept' && last?.of === of && ageMs(last.at, at) < countsKeptMs) return { ...last.count, isKept: true }

      const { people, more, unknown, findings } = await readPeople(located, readers, signal)
      const turn = openYielder(signal)
      const counting = peopleEffects(plan.changes, targets, rosterOf(people, unknown), roles)
      let step = counting.next()
      while (step.done !== true) {
        await turn(step.value)
        step = counting.next()
      }
      const count: PeopleCount = { effects: withUnknown(plan, step.value.effects, located, more), together: step.value.together, findings }
      if (findings.every(({ code }) => code !== 'people-unread')) kept.set(plan.workspace, { of, at, count })
      return { ...count, isKept: false }
    }
}

/**
 * A group that no directory shows may still be in the claim of the identity provider, for instance if the settings read only some groups. So it is not
 * known how many people its own changes concern. If some members of a group are not known, its changes concern at least the others. Beside other groups on
 * a target, people who are not known count as absent, which makes the numbers of the other groups larger.
 *
 * @param more the groups of which some members are not known
 */
function withUnknown(
  { changes }: Plan,
  effects: ReadonlyMap<ChangeId, PeopleEffect>,
  located: ReturnType<typeof locate>,
  more: ReadonlySet<GroupName>,
): ReadonlyMap<ChangeId, PeopleEffect> {
  const unknown = changes.flatMap((change): readonly (readonly [ChangeId, PeopleEffect])[] => {
    if (change.action === 'settings') return []
    if (located.get(change.group)?.kind === 'nowhere')
      return [[change.id, { kind: 'unknown', why: `no directory shows the group ${quotedGroup(change.group, change.label)}` }]]
    const effect = effects.get(change.id)
    const hasMore = more.has(change.group) || (change.action === 'rename' && more.has(change.fromGroup))
    return hasMore && effect?.kind === 'counted' ? [[change.id, { ...effect, atLeast: true }]] : []
  })
  return unknown.length === 0 ? effects : new Map([...effects, ...unknown])
}
