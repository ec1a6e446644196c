import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Mapping } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { planDifference } from '../../../src/core/planDifference.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { guards, judging, planIn } from '../core/smallWorld.ts'
import { anyDeclaration } from './anyDeclaration.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'
import { holds } from './runs.ts'

/** An edit of some rules: most of the declaration stays as it is. */
const anyPair = fc
  .record({ world: anyWorld, other: anyDeclaration, left: fc.nat(30), taken: fc.nat(3), moved: fc.nat(9) })
  .map(({ world, other, left, taken, moved }) => {
    const { rules } = world.declared
    const own = rules.filter((_, index) => index !== left)
    const edited = [...own, ...other.rules.slice(0, taken)].map((rule) => withKnownDirectories(rule, world))
    const branch: WorkspaceDeclaration = { ...world.declared, rules: edited.map((rule) => movedBy(rule, moved)) }
    return { world, branch }
  })

function withKnownDirectories({ from, ...rule }: Rule, { directories }: AnyWorld): Rule {
  const known = from?.filter((name) => directories.has(name)) ?? []
  return known.length === 0 ? rule : { ...rule, from: known }
}
const movedBy = (rule: Rule, lines: number): Rule => ({
  ...rule,
  because: { ...rule.because, at: { ...rule.because.at, line: rule.because.at.line + lines }, reason: `moved by ${lines}` },
})

function planned(world: AnyWorld, declared: WorkspaceDeclaration): Plan {
  const lists = listsSeen(declared, world.stored)
  const existing = { lists, ...(declared.groupSync === undefined ? {} : { groupSync: world.existing.groupSync ?? {} }) }
  const plan = planIn({ ...world, declared, existing })
  return judge(plan, { ...judging, guards: { ...guards, deletes: { count: 1, share: 1, minExisting: 1 } } }).plan
}

/** What is stored for each mapping after the changes: an independent account of what a plan does. */
function after(stored: readonly Mapping[], changes: readonly Change[]): ReadonlyMap<string, string> {
  const rows = new Map(stored.map(({ id, key, role }) => [id as string, `${key} = ${role}`]))
  for (const change of changes) {
    if (change.action === 'settings') rows.set('settings', JSON.stringify(change.after))
    else if (change.action === 'create') rows.set(`new ${change.key}`, `${change.key} = ${change.role}`)
    else if (change.action === 'delete') rows.delete(change.mapping)
    else rows.set(change.mapping, `${change.key} = ${change.role}`)
  }
  return rows
}
const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name)))
const touchedBy = (change: Change): string =>
  change.action === 'settings' ? 'settings' : change.action === 'create' ? `new ${change.key}` : change.mapping

describe('what a branch changes beside its base', () => {
  holds(
    'is a row for each mapping that is stored otherwise after it, and for no other',
    1_000,
    fc.property(anyPair, ({ world, branch }) => {
      const [base, next] = [planned(world, world.declared), planned(world, branch)]
      const { added, gone, same } = planDifference(base, next)
      const stored = differing(after(world.stored, base.changes), after(world.stored, next.changes))
      const wanted = (plan: Plan) => [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
      const meant = differing(after(world.stored, wanted(base)), after(world.stored, wanted(next)))
      const shown = new Set([...wanted({ ...next, ...added }), ...wanted({ ...base, ...gone })].map(touchedBy))
      for (const name of [...stored, ...meant]) expect(shown).toContain(name)
      for (const { id } of same.changes) expect(stored).not.toContain(touchedBy(base.changes.find((one) => one.id === id) as Change))
      // Each entry of the branch's plan is in one of the two parts.
      expect([...same.changes, ...added.changes].map(({ id }) => id).toSorted()).toEqual(next.changes.map(({ id }) => id).toSorted())
      expect(same.holds.length + added.holds.length).toBe(next.holds.length)
      expect(same.later.length + added.later.length).toBe(next.later.length)
    }),
  )

  holds(
    'is nothing if only lines and reasons move',
    200,
    fc.property(anyWorld, fc.nat(50), (world, lines) => {
      const moved = { ...world.declared, rules: world.declared.rules.map((rule) => movedBy(rule, lines)) }
      const { added, gone } = planDifference(planned(world, world.declared), planned(world, moved))
      expect([added.changes, added.holds, added.later, gone.changes, gone.holds, gone.later].flat()).toEqual([])
    }),
  )
})
