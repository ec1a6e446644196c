import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { declarationFindings } from '../../../src/core/findings/notices.ts'
import { renamedGroups } from '../../../src/core/findings/renamedGroups.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { acme, judging, planIn } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { view } from '../render/sample.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'
import { holds } from './runs.ts'

/** Ids that an earlier cycle may have stored for the groups. */
const groupIds: Readonly<Record<string, string>> = { 'corp/old': 'a@ou=groups', 'lab/old': 'b@ou=groups', 'corp/ghost': 'c@ou=groups' }

function planned(world: AnyWorld): Plan {
  const { declared, directories } = world
  const before = (name: string) => groupIds[name]
  return planIn(world, declarationFindings(declared, directories, renamedGroups(declared, directories, before), before))
}
const textOf = (plan: Plan): string => plansText([view({}, { judged: judge(plan, judging) })], { colour: false, width: 100 })

/** The same world in another order. The positions stay: those of a file do not depend on when it is read. */
function reordered(world: AnyWorld, seed: number): AnyWorld {
  const { declared, directories, existing, projects } = world
  const map = <K, V>(from: ReadonlyMap<K, V>): ReadonlyMap<K, V> => new Map(shuffled([...from], seed))
  const readings = <K, V>(from: ReadonlyMap<K, Reading<V>>, change: (value: V) => V): ReadonlyMap<K, Reading<V>> =>
    new Map([...map(from)].map(([name, reading]) => [name, changed(reading, change)]))
  return {
    ...world,
    declared: {
      ...declared,
      rules: shuffled(declared.rules, seed),
      removed: shuffled(declared.removed, seed),
      unmanaged: shuffled(declared.unmanaged, seed),
      owns: new Set(shuffled([...declared.owns], seed)),
    },
    directories: readings(directories, (index) => new Map([...map(index)].map(([group, places]) => [group, shuffled(places, seed)]))),
    existing: { ...existing, lists: readings(existing.lists, (rows) => shuffled(rows, seed)) },
    projects: changed(projects, (known) => new Map(shuffled([...known], seed))),
  }
}

const changed = <T>(reading: Reading<T>, change: (value: T) => T): Reading<T> =>
  reading.status === 'failed' ? reading : { ...reading, value: change(reading.value) }

/** Items in an order that depends on the seed alone. Seed 0 keeps the order. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const rank = (index: number) => Math.imul((index + 1) * 2_654_435_761 + seed, 0x9e37_79b1) >>> 0
  return seed === 0
    ? items
    : items
        .map((item, index) => [rank(index), item] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, item]) => item)
}

describe('order of the input', () => {
  const seed = fc.nat(0xffff_ffff)
  holds(
    'A plan and its text are the same, in whatever order the rules and the items of the readings come',
    1_500,
    fc.property(anyWorld, seed, (world, other) => {
      const [one, two] = [planned(world), planned(reordered(world, other))]
      expect(two).toEqual(one)
      expect(textOf(two)).toBe(textOf(one))
    }),
  )
})

/** Files of several teams that repeat each other, but never differ in a role: each group has one role. */
const anyFile = fc.record(
  {
    version: fc.constant(1),
    owner: fc.constantFrom('ann', 'bob'),
    workspaces: fc.record({
      acme: fc.record({ projectRoles: fc.array(anyEntry(), { maxLength: 4 }), groupSync: anyGroupSync() }, { requiredKeys: [] }),
    }),
  },
  { requiredKeys: ['version', 'workspaces'] },
)

function anyEntry() {
  const more = fc.record(
    {
      expires: fc.constantFrom('2027-01-31', '2027-02-28'),
      allowProtected: fc.boolean(),
      reason: fc.constantFrom('x', 'y'),
      from: fc.constantFrom('corp', 'lab'),
    },
    { requiredKeys: [] },
  )
  return fc
    .record({ group: fc.constantFrom('a', 'b'), project: fc.constantFrom('ENG', 'OPS'), more })
    .map(({ group, project, more: rest }) => ({ group, project, role: group === 'a' ? 'guest' : 'admin', ...rest }))
}

function anyGroupSync() {
  return fc.constantFrom({ enabled: true }, { autoRemove: false }, { enabled: true, autoRemove: false })
}

describe('order of the files', () => {
  holds(
    'If several files repeat a rule, the plan names the same place, reason and owner for it, in whatever order the files are read',
    300,
    fc.property(fc.array(anyFile, { minLength: 2, maxLength: 4 }), anyWorld, fc.nat(99), (files, world, seed) => {
      const named = files.map((file, index) => [`${index}.yaml`, JSON.stringify(file)] as const)
      const planFrom = (some: readonly (readonly [string, string])[]) => {
        const loaded = load(Object.fromEntries(some))
        const declared = loaded.valid ? loaded.declaration.get(acme) : undefined
        if (declared === undefined) throw new Error('valid' in loaded && !loaded.valid ? loaded.text : 'nothing declared')
        return planIn({
          ...world,
          declared,
          existing: { lists: listsSeen(declared, world.stored), groupSync: { enabled: false, autoRemove: true } },
        })
      }
      expect(planFrom(shuffled(named, seed))).toEqual(planFrom(named))
    }),
  )
})
