import { isUnknown } from '../core/bounds.ts'
import type { ChangeId, Hash } from '../core/change.ts'
import { ageMs, type Clock, type Moment, momentOf } from '../core/clock.ts'
import { type Existing, mappingsAndProjects } from '../core/existing.ts'
import type { Finding } from '../core/finding.ts'
import type { GroupIndex } from '../core/group.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { peopleEffects } from '../core/people/peopleEffects.ts'
import { rosterOf } from '../core/people/roster.ts'
import { changedTargets, groupsOn, textsOfRows } from '../core/people/rows.ts'
import type { PeopleOfChange } from '../core/peopleEffect.ts'
import type { PeopleTogether, Plan } from '../core/plan.ts'
import type { Reading } from '../core/reading.ts'
import type { RoleSettings } from '../core/roles.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'
import { openStages, openYielder } from './turns.ts'

/** How many people the changes of a plan concern, and findings about directories that did not say it. */
type PeopleCount = {
  readonly people: ReadonlyMap<ChangeId, PeopleOfChange>
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
type CounterOptions = {
  readonly roles: RoleSettings
  readonly hash: Hash
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /** As `ReadMembers` takes it. */
  readonly asOfMs: number
}

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

  return ({ roles, hash, clock, asOfMs }) =>
    async (plan, existing, directories, age, signal) => {
      if (!canCount || plan.changes.every(({ action }) => action === 'settings')) return { people: new Map(), findings: [], isKept: false }
      const mappings = mappingsAndProjects(existing).existing
      const stage = openStages(plan.changes.length + mappings.length, signal)
      await stage()
      const targets = changedTargets(plan.changes, mappings, roles)
      await stage()
      const located = locate(groupsOn(targets.values()), [...readers.keys()], directories)
      await stage()
      const of = hash(JSON.stringify([plan.fingerprint, [...located], textsOfRows(targets.values())]))
      const last = kept.get(plan.workspace)
      const at = momentOf(clock)
      if (age === 'kept' && last?.of === of && ageMs(last.at, at) < countsKeptMs) return { ...last.count, isKept: true }

      await stage()
      const { members, findings } = await readPeople(located, readers, asOfMs, signal)
      await stage()
      const roster = rosterOf(members)
      await stage()
      const turn = openYielder(signal)
      const counting = peopleEffects(plan.changes, targets, roster, roles)
      let step = counting.next()
      while (step.done !== true) {
        await turn(step.value)
        step = counting.next()
      }
      const { effects, together } = step.value
      await stage()
      const people = new Map(
        plan.changes.flatMap((change) => {
          const effect = effects.get(change.id)
          if (effect === undefined || change.action === 'settings') return []
          const size = roster.sizeOf(change.group)
          // Then the list of groups may have a number.
          return [[change.id, isUnknown(size) ? { effect } : { effect, size }] as const]
        }),
      )
      const count: PeopleCount = { people, together, findings }
      if (findings.every(({ code }) => code !== 'people-unread')) kept.set(plan.workspace, { of, at, count })
      return { ...count, isKept: false }
    }
}
