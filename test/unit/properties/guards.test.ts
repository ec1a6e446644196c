import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Amounts, amountNames } from '../../../src/core/amounts.ts'
import { type Change, waiverDigits } from '../../../src/core/change.ts'
import type { GuardSettings } from '../../../src/core/judge/guardSettings.ts'
import { type Judged, type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import { amountsOf } from '../../../src/core/judge/limits.ts'
import { type List, listOf } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { hash, guards as usualGuards, roles as usualRoles } from '../core/smallWorld.ts'
import { anyPlan, type PlanOverRows } from './anyPlan.ts'
import { holds } from './runs.ts'
import { type Row, written } from './serviceTable.ts'

const ordinary: Readonly<Record<string, readonly string[]>> = {
  workspace: ['guest', 'member'],
  project: ['guest', 'contributor', 'member', 'admin'],
  allProjects: ['guest', 'contributor', 'member', 'admin'],
}
const roles = { ...usualRoles, ordinary: { project: ordinary['project'] ?? [], workspace: ordinary['workspace'] ?? [] } }
/** The settings have shares as percentages, here with one decimal. */
const limit = fc.record({ count: fc.nat(14), share: fc.nat(1_000).map((thousandths) => thousandths / 1_000), minExisting: fc.nat(8) })
const sum: fc.Arbitrary<Amounts> = fc.record({ creates: fc.nat(12), raises: fc.nat(16), lowers: fc.nat(16), deletes: fc.nat(14) })
const { flapping } = usualGuards
const generous: GuardSettings = {
  raises: { count: 99, share: 1, minExisting: 99 },
  lowers: { count: 99, share: 1, minExisting: 99 },
  deletes: { count: 99, share: 1, minExisting: 99 },
  creates: { count: 99 },
  run: { creates: 99, raises: 99, lowers: 99, deletes: 99 },
  day: { creates: 99, raises: 99, lowers: 99, deletes: 99 },
  flapping,
  protectedGroups: [],
}
/** Each limit is random or generous, so often only one limit is near. */
const anyGuards: fc.Arbitrary<GuardSettings> = fc
  .record(
    {
      raises: limit,
      lowers: limit,
      deletes: limit,
      creates: fc.record({ count: fc.nat(6) }),
      run: sum,
      day: sum,
      protectedGroups: fc.subarray(['g0', 'g1', 'new0', 'new1'], { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((said) => ({ ...generous, ...said }))

/** Waivers with ids of the plan and of its changes, whole or cut, and with ids of other plans. */
const anyWaivers = ({ plan }: PlanOverRows): fc.Arbitrary<readonly Waiver[]> => {
  const ids = plan.changes.map(({ id }) => id as string)
  const name = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(plan.fingerprint, plan.fingerprint.slice(0, waiverDigits), 'f'.repeat(waiverDigits)) },
    { weight: 3, arbitrary: fc.constantFrom(...ids, 'e'.repeat(waiverDigits)) },
  )
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.array(name, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.subarray(ids, { minLength: Math.min(ids.length, 1) }) },
  )
  const waiver = fc.record({ ids: some, by: fc.constant('ann'), source: fc.constant('--allow'), untilMs: fc.constantFrom(0, 1, 9) })
  return fc.array(waiver, { maxLength: 3 })
}

type Case = PlanOverRows & { readonly judging: JudgeInput }
const anyCase: fc.Arbitrary<Case> = anyPlan.chain((over) =>
  fc
    .record({
      guards: anyGuards,
      waivers: anyWaivers(over),
      tally: fc.record({ run: sum, day: sum }),
      free: fc.boolean(),
      tight: fc.boolean(),
      files: fc.option(fc.infiniteStream(fc.constantFrom('a.yaml', 'b.yaml', undefined)), { nil: undefined }),
    })
    .map(({ guards: said, waivers, tally, free, tight, files }) => {
      const none: Amounts = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
      // The limit equals the number of creates that need no approval.
      const count = over.plan.changes.filter((one) => one.action === 'create' && !isDelicate(one, said.protectedGroups)).length
      const guards = tight ? { ...said, creates: { count } } : said
      const judging = { guards, roles, waivers, tally: free ? { run: none, day: none } : tally, dateMs: 0, hash }
      return { ...over, judging: files === undefined ? judging : { ...judging, gone: goneIn(over.plan, files) } }
    }),
)

/** Files that are gone gave some of the mappings that are deleted. */
function goneIn({ changes }: Plan, files: Iterator<string | undefined>): NonNullable<JudgeInput['gone']> {
  const given = new Map(changes.flatMap(({ id, action }) => (action === 'delete' ? [[id, files.next().value] as const] : [])))
  return { of: ({ id }) => given.get(id), giving: () => 3 }
}

const idsOf = (changes: readonly Change[]): readonly Change['id'][] => changes.map(({ id }) => id)

/** ID of a set → the ids of its changes. */
const setsOf = ({ plan: { holds: all } }: Judged): ReadonlyMap<string, readonly string[]> => {
  const held = all.flatMap(({ change, reason }) =>
    change !== undefined && reason.kind === 'approval' && reason.why === 'limit' ? [{ id: change.id, pass: reason.pass }] : [],
  )
  return new Map([...Map.groupBy(held, ({ pass }) => pass)].map(([pass, set]) => [pass, set.map(({ id }) => id)]))
}

/** How many changes count in each kind: those that no person approved. */
const amountsIn = (changes: readonly Change[]): Amounts => {
  const kinds = changes.flatMap((change) => (change.uncounted !== undefined ? [] : amountsOf(change, roles)))
  return Object.fromEntries(amountNames.map((name) => [name, kinds.filter((one) => one === name).length])) as Amounts
}

/** The smallest number that a limit of the kind does not allow any more; by the exact share, in thousandths. */
function mostOf(name: keyof Amounts, stored: number, { guards, tally }: JudgeInput): number {
  const { count, share = 1, minExisting = 99 }: { count: number; share?: number; minExisting?: number } = guards[name]
  const ofShare = Math.max(minExisting, Math.floor((Math.round(share * 1_000) * stored) / 1_000))
  return Math.min(count, ofShare, ...spans.map((span) => Math.max(0, guards[span][name] - tally[span][name])))
}

describe('guards', () => {
  holds(
    'The guards divide the changes of a plan into approved and held ones, and neither lose nor reorder a change',
    500,
    fc.property(anyCase, ({ plan, judging }) => {
      const judged = judge(plan, judging)
      const waiting = judged.plan.holds.flatMap(({ change }) => change?.id ?? [])
      expect([...idsOf(judged.plan.changes), ...waiting].toSorted()).toEqual(idsOf(plan.changes).toSorted())
      expect(idsOf(judged.plan.changes)).toEqual(idsOf(plan.changes).filter((id) => !waiting.includes(id)))
      expect(judged.plan.fingerprint).toBe(plan.fingerprint)
      for (const { requires } of judged.plan.changes) expect(requires.filter((id) => waiting.includes(id))).toEqual([])
    }),
  )

  holds(
    'What is written and was not approved fits into each limit',
    2_000,
    fc.property(anyCase, ({ plan, stored, judging }) => {
      const amounts = amountsIn(judge(plan, judging).plan.changes)
      for (const name of amountNames) expect(amounts[name]).toBeLessThanOrEqual(mostOf(name, stored.length, judging))
    }),
  )

  holds(
    'A change waits for a limit on amounts only if the changes of its kind that may be written exceed it, or if it is a grant beside such an accident',
    2_000,
    fc.property(anyCase, ({ plan, stored, judging }) => {
      const judged = judge(plan, judging)
      const reasons = new Map(
        judged.plan.holds.flatMap(({ change, reason }) => (change === undefined ? [] : [[change.id, reason] as const])),
      )
      for (const [pass, ids] of setsOf(judged)) {
        const reason = reasons.get(ids[0] as Change['id'])
        if (reason?.kind !== 'approval' || reason.why !== 'limit') throw new Error(pass)
        const { name, count, limit } = reason
        expect(count).toBeGreaterThan(limit)
        if (name === 'beside') {
          const beside = [...reasons.values()].flatMap((one) => (one.kind === 'approval' && one.why === 'limit' ? [one.name] : []))
          expect(beside.some((one) => one === 'raises' || one === 'lowers' || one === 'deletes' || one === 'fileGone')).toBe(true)
        }
        const isGone = (id: string) => plan.changes.some((change) => change.id === id && judging.gone?.of(change) !== undefined)
        if (name !== 'lastAdministrator') expect(ids.map(isGone)).toEqual(ids.map(() => name === 'fileGone'))
        const kind = amountNames.find((one) => one === name)
        if (kind !== undefined)
          expect(amountsIn(plan.changes)[kind]).toBeGreaterThan(
            mostOf(kind, stored.length, { ...judging, tally: { run: zero, day: zero } }),
          )
      }
    }),
  )

  holds(
    'Without limits, only changes that need an approval of their own wait, and what requires them',
    500,
    fc.property(anyCase, ({ plan, judging }) => {
      const { protectedGroups } = judging.guards
      const { plan: judged } = judge(plan, {
        ...judging,
        waivers: [],
        tally: { run: zero, day: zero },
        guards: { ...generous, protectedGroups },
      })
      const delicate = plan.changes.filter((change) => isDelicate(change, protectedGroups))
      const alone = judged.holds.flatMap(({ change, reason }) =>
        change !== undefined && reason.kind === 'approval' && reason.why !== 'limit' ? [change.id] : [],
      )
      expect(alone.toSorted()).toEqual(idsOf(delicate).toSorted())
      for (const { change, reason } of judged.holds)
        if (reason.kind === 'requires')
          expect(change?.requires.some((id) => judged.holds.some((hold) => hold.change?.id === id))).toBe(true)
    }),
  )

  holds(
    'The ID of a set lets exactly its changes pass; sets of other changes go on waiting',
    2_000,
    fc.property(anyCase, ({ plan, judging }) => {
      const before = judge(plan, judging)
      for (const [pass, ids] of setsOf(before)) {
        const waiver = { ids: [pass], by: 'ann', source: '--allow', untilMs: 1 }
        const after = judge(plan, { ...judging, waivers: [...judging.waivers, waiver] })
        const reasons = new Map(
          after.plan.holds.flatMap(({ change, reason }) => (change === undefined ? [] : [[change.id, reason.kind] as const])),
        )
        // A change of the set may require one that waits alone.
        for (const id of ids) expect(reasons.get(id as Change['id']) ?? 'requires').toBe('requires')
        const written = new Set(idsOf(before.plan.changes))
        const others = after.plan.changes.filter(({ id, requires }) => !written.has(id) && !ids.includes(id) && requires.length === 0)
        // What waited beside the set, for its sake, may go on: grants, and deletes that exceed the limit only with those because files are gone.
        const isPair = before.plan.holds.some(
          ({ reason }) => reason.kind === 'approval' && reason.why === 'limit' && reason.name === 'fileGone',
        )
        const besides = isPair ? ['creates', 'raises', 'deletes'] : ['creates', 'raises']
        expect(others.filter((change) => !amountsOf(change, roles).some((one) => besides.includes(one)))).toEqual([])
      }
    }),
  )

  holds(
    'A waiver with the fingerprint of a plan lets all changes of this plan pass',
    300,
    fc.property(anyCase, fc.integer({ min: waiverDigits, max: 64 }), ({ plan, judging }, digits) => {
      const waiver = { ids: [plan.fingerprint.slice(0, digits)], by: 'ann', source: '--allow', untilMs: 1 }
      const judged = judge(plan, { ...judging, waivers: [...judging.waivers, waiver] })
      expect(idsOf(judged.plan.changes)).toEqual(idsOf(plan.changes))
    }),
  )

  holds(
    'A waiver for a plan also covers what waited and is left of it under a new fingerprint, and no other change',
    1_000,
    fc.property(anyCase, anyPlan, fc.nat(20), ({ plan, judging }, { plan: other }, count) => {
      const waiver = { ids: [plan.fingerprint], by: 'ann', source: '--allow', untilMs: 1 }
      const { plan: approved, waived } = judge(plan, { ...judging, waivers: [waiver] })
      const left: Plan = { ...plan, changes: plan.changes.slice(count), fingerprint: other.fingerprint }
      const passed = new Set(approved.changes.flatMap((change) => (change.uncounted === 'approved' ? [change.id] : [])))
      const judged = judge(left, { ...judging, waivers: waived })
      const waits = judged.plan.holds.flatMap(({ change, reason }) =>
        change !== undefined && reason.kind === 'approval' ? [change.id] : [],
      )
      expect(waits.filter((id) => passed.has(id))).toEqual([])
      const strange = { ...other, changes: other.changes.filter(({ id }) => !idsOf(plan.changes).includes(id)) }
      expect(judge(strange, { ...judging, waivers: waived })).toEqual(judge(strange, { ...judging, waivers: [] }))
    }),
  )

  holds(
    'A waiver has no effect if its id is too short, too long or altered',
    300,
    fc.property(anyCase, fc.nat(waiverDigits - 1), ({ plan, judging }, digits) => {
      const cut = (name: string) => name.slice(0, digits)
      const ids = [...idsOf(plan.changes), plan.fingerprint].flatMap((name) => [
        cut(name),
        name.slice(1),
        `${name}0`,
        name.toUpperCase() + 'g',
      ])
      const waiver = { ids, by: 'ann', source: '--allow', untilMs: 1 }
      expect(judge(plan, { ...judging, waivers: [...judging.waivers, waiver] })).toEqual(judge(plan, judging))
    }),
  )

  holds(
    'Without a waiver nothing is written that can empty a list or remove the last administrator, whichever writes fail',
    4_000,
    fc.property(anyCase, fc.infiniteStream(fc.boolean()), ({ plan, stored, judging }, fails) => {
      const judged = judge(plan, { ...judging, waivers: [] })
      const done = new Set<string>()
      let rows: readonly Row[] = stored.map(({ id, group, target, role }) => ({ id, group, target, role }))
      const start = countsOf(rows)
      for (const change of judged.plan.changes) {
        if (fails.next().value || !change.requires.every((id) => done.has(id))) continue
        rows = written(rows, change, (role) => role)
        done.add(change.id)
        const now = countsOf(rows)
        for (const what of ['workspaceRoles', 'projectRoles', 'administrators'] as const)
          if (start[what] > 0) expect({ what, left: now[what] }).not.toEqual({ what, left: 0 })
      }
    }),
  )
})

const zero: Amounts = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
const spans = ['run', 'day'] as const

/** Whether a change needs an approval: see docs/guards.md. */
function isDelicate(change: Change, protectedGroups: readonly string[]): boolean {
  if (change.action === 'settings') return true
  if (protectedGroups.includes(change.group) || (change.action === 'rename' && protectedGroups.includes(change.fromGroup))) return true
  if (change.action === 'delete' || ordinary[change.target.kind]?.includes(change.role) === true) return false
  const place = (role: string | null) => roles.order.indexOf(role ?? '')
  if (change.action === 'patch' && place(change.role) >= 0 && place(change.before) > place(change.role)) return false
  return change.allowProtected !== true || change.target.kind === 'allProjects'
}

function countsOf(rows: readonly Row[]) {
  const of = (list: List) => rows.filter(({ target }) => listOf(target) === list)
  const administrators = of('workspaceRoles').filter(({ role }) => role === 'admin' || role === 'owner')
  return { workspaceRoles: of('workspaceRoles').length, projectRoles: of('projectRoles').length, administrators: administrators.length }
}
