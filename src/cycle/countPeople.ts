import type { ChangeId, Hash } from '../core/change.ts'
import type { Finding } from '../core/finding.ts'
import type { GroupIndex } from '../core/group.ts'
import type { Mapping, WorkspaceName } from '../core/mapping.ts'
import { peopleEffects } from '../core/people/peopleEffects.ts'
import { rosterOf } from '../core/people/roster.ts'
import { changedTargets, groupsOn, rowsOf } from '../core/people/rows.ts'
import type { PeopleEffect } from '../core/peopleEffect.ts'
import type { Plan } from '../core/plan.ts'
import type { Reading } from '../core/reading.ts'
import type { RoleSettings } from '../core/roles.ts'
import { locate, type ReadMembers, readPeople } from './readPeople.ts'
import { openTurns } from './turns.ts'

/** How many people the changes of a plan concern, and findings about directories that did not say it. */
type PeopleCount = { readonly effects: ReadonlyMap<ChangeId, PeopleEffect>; readonly findings: readonly Finding[] }

/** @param existing all mappings that were read */
export type CountPeople = (
  plan: Plan,
  existing: readonly Mapping[],
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  signal: AbortSignal,
) => Promise<PeopleCount>

export type PeopleCounter = (options: CounterOptions) => CountPeople
type CounterOptions = { readonly roles: RoleSettings; readonly hash: Hash }

/**
 * Counts the people of plans. It asks for the members of each group that has, had or gets a role on a target of a change. The last count of each
 * workspace is kept while the changes and these groups stay the same: a change that waits for a week causes no requests every ten minutes.
 *
 * @param readers name of each directory in the settings → the reader of its members; undefined if it reads none
 */
export function openPeopleCounter(readers: ReadonlyMap<string, ReadMembers | undefined>): PeopleCounter {
  const kept = new Map<WorkspaceName, { readonly of: string; readonly count: PeopleCount }>()
  const canCount = [...readers.values()].some((reader) => reader !== undefined)

  return ({ roles, hash }) =>
    async (plan, existing, directories, signal) => {
      const nothing: PeopleCount = { effects: new Map(), findings: [] }
      if (!canCount || plan.changes.every(({ action }) => action === 'settings')) return nothing
      const targets = changedTargets(plan.changes, rowsOf(existing, plan.changes))
      const located = locate(groupsOn(targets.values()), [...readers.keys()], directories)
      const of = hash(JSON.stringify([plan.fingerprint, [...located]]))
      const last = kept.get(plan.workspace)
      if (last?.of === of) return last.count

      const { people, findings } = await readPeople(located, readers, signal)
      const turn = openTurns(signal)
      const counting = peopleEffects(plan.changes, targets, rosterOf(people), roles)
      let step = counting.next()
      while (step.done !== true) {
        await turn(step.value)
        step = counting.next()
      }
      const count = { effects: step.value, findings }
      if (findings.length === 0) kept.set(plan.workspace, { of, count })
      return count
    }
}
