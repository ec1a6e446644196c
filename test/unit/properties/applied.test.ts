import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { keyOf, listOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import { acme, planIn } from '../core/smallWorld.ts'
import { saidBy } from './anyDeclaration.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'
import { holds } from './runs.ts'
import { isLeftAlone, isSpokenOf, meaningOf } from './said.ts'
import { type Place, placeOf, type Row, written } from './serviceTable.ts'

/** The role that the service stores for a role that is sent: the one that it answered before. */
const storing =
  ({ echoes }: AnyWorld) =>
  (role: string, target: Mapping['target']): string =>
    echoes[listOf(target)]?.[role] ?? role

/** The states of the table while a plan is written: first the one before all writes, then one after each write. */
function statesOf(world: AnyWorld, changes: readonly Change[]): readonly (readonly Row[])[] {
  let rows: readonly Row[] = world.stored.map(({ id, group, target, role }) => ({ id, group, target, role }))
  return [rows, ...changes.map((change) => (rows = written(rows, change, storing(world))))]
}

/** The world as a fresh read would show it. */
function readAgain(world: AnyWorld, rows: readonly Row[], changes: readonly Change[]): AnyWorld {
  const stored = rows.map(
    ({ id, group, target, role }): Mapping => ({
      id: id as MappingId,
      key: keyOf(acme, target, group),
      group,
      target,
      role: role as Role,
    }),
  )
  const settings = changes.findLast((change) => change.action === 'settings')
  const groupSync = world.existing.groupSync === undefined ? {} : { groupSync: { ...world.existing.groupSync, ...settings?.after } }
  return { ...world, stored, existing: { lists: listsSeen(world.declared, stored), ...groupSync } }
}

const lastOf = (states: readonly (readonly Row[])[]): readonly Row[] => states.at(-1) ?? []

/** The plan, the states of the table while it is written, and the world as read after it. */
function applied(world: AnyWorld) {
  const plan = planIn(world)
  const states = statesOf(world, plan.changes)
  const after = readAgain(world, lastOf(states), plan.changes)
  return { plan, states, before: states[0] ?? [], rows: lastOf(states), after }
}

describe('applied plans', () => {
  holds(
    'After a plan is applied, the next plan has no changes',
    1_000,
    fc.property(anyWorld, (world) => {
      const first = applied(world)
      const second = applied(first.after)
      // A rule that skips unknown projects is held while a mapping names the project. If the plan deletes the last such mapping, the rule is left out
      // from the next plan on, and another rule of the same key can then be written.
      const waited = new Set(first.plan.holds.flatMap(({ key, reason }) => (reason.kind === 'projectUnknown' ? [key] : [])))
      expect(second.plan.changes.filter(({ key }) => !waited.has(key))).toEqual([])
      expect(applied(second.after).plan.changes).toEqual([])
    }),
  )

  holds(
    'A plan changes no unmanaged mapping, and in a list that the declaration does not own only mappings that a `removed` entry names',
    1_000,
    fc.property(anyWorld, (world) => {
      const { rows, before } = applied(world)
      const { owns, removed } = world.declared
      const isOurs = (row: Place) =>
        !isLeftAlone(row, world.declared) && (owns.has(listOf(row.target)) || removed.some((one) => placeOf(one) === placeOf(row)))
      const others = (all: readonly Row[]) => all.filter((row) => !isOurs(row))
      expect(others(rows)).toEqual(others(before))
    }),
  )

  holds(
    'Unless the policy is `sync`, a plan deletes only mappings that a `removed` entry or an expired rule names',
    1_000,
    fc.property(anyWorld, (world) => {
      const { plan, rows, before } = applied(world)
      const gone = before.filter((row) => !rows.some(({ id }) => id === row.id))
      const renamed = new Set(plan.changes.flatMap((change) => (change.action === 'rename' ? [change.mapping as string] : [])))
      const changed = before.filter((row) =>
        rows.some(({ id, role, group }) => id === row.id && (role !== row.role || group !== row.group)),
      )
      if (world.policy === 'observe') expect([...gone, ...changed]).toEqual([])
      if (world.policy === 'create-only') expect(changed).toEqual([])
      if (world.policy !== 'exclusive') expect(gone.filter((row) => meaningOf(row, world) !== 'absent')).toEqual([])
      expect(changed.filter((row) => !isSpokenOf(row, world.declared) && !renamed.has(row.id))).toEqual([])
    }),
  )

  holds(
    'A mapping under the former name of a rule (`previously`) is not deleted before the mapping of this rule exists',
    1_000,
    fc.property(anyWorld, (world) => {
      const { rows, before } = applied(world)
      const gone = before.filter((row) => !rows.some(({ id }) => id === row.id) && !isSpokenOf(row, world.declared))
      const waiting = world.declared.rules.flatMap(({ groups, target, previously, expiresMs = Infinity }) => {
        if (previously === undefined || groups.kind === 'pattern' || target.kind === 'captured' || expiresMs <= world.nowMs) return []
        const has = rows.some((row) => placeOf(row) === placeOf({ group: groups.name, target: target.target }))
        return has ? [] : [placeOf({ group: previously, target: target.target })]
      })
      const left = new Set(waiting)
      expect(gone.filter((row) => left.has(placeOf(row)))).toEqual([])
    }),
  )

  holds(
    'A create or a rename never makes a second mapping for a key, at any moment of a plan',
    1_000,
    fc.property(anyWorld, (world) => {
      const { plan, states } = applied(world)
      for (const [index, change] of plan.changes.entries()) {
        if (change.action !== 'create' && change.action !== 'rename') continue
        expect(states[index]?.filter((row) => placeOf(row) === placeOf(change))).toEqual([])
      }
    }),
  )

  holds(
    'After a plan is applied, each declared mapping has its role, and each removed or expired mapping is gone',
    1_500,
    fc.property(anyWorld, (world) => {
      const { plan, before, rows } = applied(world)
      const { owns } = world.declared
      // A change that requires a held change is held too, so the state of its key is not checked.
      const waiting = new Set(plan.holds.flatMap(({ key, reason }) => (reason.kind === 'requires' ? [key] : [])))
      for (const place of placesOf(world)) {
        const meaning = meaningOf(place, world)
        const here = rows.filter((row) => placeOf(row) === placeOf(place))
        if (meaning === 'unsure' || world.policy === 'observe' || waiting.has(keyOf(acme, place.target, place.group))) continue
        if (meaning === 'absent') expect(here).toEqual([])
        else if (owns.has(listOf(place.target)) && world.policy !== 'create-only') {
          const sent = storing(world)(meaning.role, place.target)
          const right = new Set<string | null | undefined>([meaning.role, sent, world.roles.aliases[meaning.role]])
          expect(here.filter(({ role }) => !right.has(role))).toEqual([])
          expect(here.length).toBeGreaterThan(0)
          if (world.policy === 'exclusive') expect(here).toHaveLength(1)
          const wasRight = before.filter((row) => placeOf(row) === placeOf(place) && right.has(row.role))
          if (wasRight.length > 0)
            expect(here.some((row) => wasRight.some(({ id, role }) => id === row.id && role === row.role))).toBe(true)
        }
      }
    }),
  )
})

/** All places that the declaration names or that the service stores. */
const placesOf = ({ declared, stored }: AnyWorld): readonly Place[] => [...saidBy(declared), ...stored]
