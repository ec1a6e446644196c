import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Change, type ChangeId, waiverDigits } from '../../../src/core/change.ts'
import type { GuardSettings, Limit } from '../../../src/core/judge/guardSettings.ts'
import { type JudgeInput, judge, type Verdict } from '../../../src/core/judge/guards.ts'
import { guardResults, type Refusal } from '../../../src/core/judge/limits.ts'
import { type List, listOf } from '../../../src/core/mapping.ts'
import { type Plan, restrict } from '../../../src/core/plan.ts'
import type { Guard, Waiver } from '../../../src/core/waiver.ts'
import { type GuardName, guardNames } from '../../../src/core/waiverWords.ts'
import { guards as usualGuards, roles as usualRoles } from '../core/smallWorld.ts'
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
const sum = fc.record({ changes: fc.nat(20), deletes: fc.nat(14), creates: fc.nat(12) })
const { flapping } = usualGuards
const generous: GuardSettings = {
  changes: { count: 99, share: 1, minExisting: 99 },
  deletes: { count: 99, share: 1, minExisting: 99 },
  creates: { count: 99 },
  run: { changes: 99, deletes: 99, creates: 99 },
  day: { changes: 99, deletes: 99, creates: 99 },
  flapping,
  protectedGroups: [],
}
/** Each limit is random or generous, so often only one limit is near. */
const anyGuards: fc.Arbitrary<GuardSettings> = fc
  .record(
    {
      changes: limit,
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
  const guard = fc.constantFrom<Guard>(...guardNames, 'creates', 'protectedRole', 'protectedGroup', 'groupSync')
  const waiver = fc.record(
    {
      ids: some,
      by: fc.constant('ann'),
      source: fc.constant('--allow'),
      untilMs: fc.constantFrom(0, 1, 9),
      rememberedScope: fc
        .array(fc.tuple(guard, fc.subarray(idsOf(plan.changes) as ChangeId[])))
        .map((all) => new Map(all.map(([name, changes]) => [name, new Set(changes)]))),
    },
    { requiredKeys: ['ids', 'by', 'source', 'untilMs'] },
  )
  return fc.array(waiver, { maxLength: 3 })
}

type Judged = PlanOverRows & { readonly judging: JudgeInput; readonly more: readonly Waiver[] }
const anyJudged: fc.Arbitrary<Judged> = anyPlan.chain((over) =>
  fc
    .record({
      guards: anyGuards,
      waivers: anyWaivers(over),
      more: anyWaivers(over),
      tally: fc.record({ run: sum, day: sum }),
      free: fc.boolean(),
      tight: fc.boolean(),
    })
    .map(({ guards: said, waivers, more, tally, free, tight }) => {
      const none = { changes: 0, deletes: 0, creates: 0 }
      // The limit equals the number of creates that need no approval.
      const count = over.plan.changes.filter((one) => one.action === 'create' && !isDelicate(one, said.protectedGroups)).length
      const guards = tight ? { ...said, creates: { count } } : said
      return { ...over, more, judging: { guards, roles, waivers, tally: free ? { run: none, day: none } : tally, dateMs: 0 } }
    }),
)

const refusalsOf = (verdict: Verdict): readonly Refusal[] => (verdict.approved ? [] : verdict.refusals)
const refusedBy = (verdict: Verdict): ReadonlySet<GuardName> => new Set(refusalsOf(verdict).map(({ guard }) => guard))
const idsOf = (changes: readonly Change[]): readonly Change['id'][] => changes.map(({ id }) => id)

/** The keys that wait for approval by a change guard, not by the limit for creates. */
const waitingIn = ({ plan: { holds: all } }: Verdict): readonly string[] =>
  all.flatMap(({ key, reason }) => (reason.kind === 'approval' && reason.why !== 'creates' ? [key] : []))

/**
 * The additions of the second judgement: holds and refusals. A refusal does not count if it is caused by changes that only the second
 * judgement lets in.
 */
function stricter(plan: Plan, first: JudgeInput, second: JudgeInput): readonly string[] {
  const [before, after] = [judge(plan, first), judge(plan, second)]
  const [passed, passes] = [new Set(idsOf(before.plan.changes)), new Set(idsOf(after.plan.changes))]
  const letIn = after.plan.changes.filter(({ id }) => !passed.has(id))
  const nameOf = ({ guard, setting, sentence }: Refusal) =>
    `${guard} ${setting.replace(/count$|share$|minExisting$/, '')} ${sentence.includes('workspace mapping')}`
  const known = new Set(refusalsOf(before).map(nameOf))
  const added = refusalsOf(after).filter((refusal) => {
    if (known.has(nameOf(refusal))) return false
    // A let-in change may remove one administrator, so that another change removes the last one.
    if (refusal.guard === 'lastAdministrator') return letIn.length === 0
    const found = guardResults(after.plan, second).find((one) => one.refusal.sentence === refusal.sentence)
    return found?.affected.some((change) => letIn.includes(change)) !== true
  })
  const held = [...passed].filter((id) => !passes.has(id))
  return [...held.map((id) => `holds ${id}`), ...added.map(({ sentence }) => sentence)]
}

describe('guards', () => {
  holds(
    'The guards divide the changes of a plan into approved and held ones, and neither lose nor reorder a change',
    500,
    fc.property(anyJudged, ({ plan, judging }) => {
      const verdict = judge(plan, judging)
      const waiting = verdict.plan.holds.flatMap(({ change }) => change?.id ?? [])
      expect([...idsOf(verdict.plan.changes), ...waiting].toSorted()).toEqual(idsOf(plan.changes).toSorted())
      expect(idsOf(verdict.plan.changes)).toEqual(idsOf(plan.changes).filter((id) => !waiting.includes(id)))
      expect(verdict.plan.fingerprint).toBe(plan.fingerprint)
      expect(verdict.approved).toBe(refusedBy(verdict).size === 0)
    }),
  )

  holds(
    'With more patches, renames or deletes in a plan, at least the same guards refuse it',
    1_000,
    fc.property(anyJudged, fc.infiniteStream(fc.boolean()), ({ plan, judging }, coins) => {
      const kept = new Set<string>()
      for (const { id, action, requires } of plan.changes.toSorted((a, b) => a.requires.length - b.requires.length)) {
        if (action === 'create' || (coins.next().value && requires.every((required) => kept.has(required)))) kept.add(id)
      }
      const less = restrict(plan, ({ id }) => kept.has(id))
      const whole = refusedBy(judge(plan, judging))
      for (const guard of refusedBy(judge(less, judging))) expect([...whole]).toContain(guard)
    }),
  )

  holds(
    'Larger limits or fewer earlier writes add no hold. They add a refusal only if changes that they let pass cause the refusal',
    1_000,
    fc.property(anyJudged, anyGuards, fc.record({ run: sum, day: sum }), ({ plan, judging }, add, written) => {
      const { guards, tally } = judging
      const plus = <T extends Record<string, number>>(a: T, b: T): T =>
        Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + (b[name] ?? 0)])) as T
      const wider = {
        ...guards,
        changes: plus(guards.changes, add.changes),
        deletes: plus(guards.deletes, add.deletes),
        creates: plus(guards.creates, add.creates),
        run: plus(guards.run, add.run),
        day: plus(guards.day, add.day),
      }
      const fuller = { run: plus(tally.run, written.run), day: plus(tally.day, written.day) }
      expect(stricter(plan, { ...judging, tally: fuller }, { ...judging, guards: wider })).toEqual([])
    }),
  )

  holds(
    'A waiver adds no hold. It adds a refusal only if changes that it lets pass cause the refusal',
    3_000,
    fc.property(anyJudged, ({ plan, judging, more }) => {
      expect(stricter(plan, judging, { ...judging, waivers: [...judging.waivers, ...more] })).toEqual([])
    }),
  )

  holds(
    'A waiver with the fingerprint of a plan lets all changes of this plan pass',
    300,
    fc.property(anyJudged, fc.integer({ min: waiverDigits, max: 64 }), ({ plan, judging }, digits) => {
      const waiver = { ids: [plan.fingerprint.slice(0, digits)], by: 'ann', source: '--allow', untilMs: 1 }
      const verdict = judge(plan, { ...judging, waivers: [...judging.waivers, waiver] })
      expect([verdict.approved, idsOf(verdict.plan.changes)]).toEqual([true, idsOf(plan.changes)])
    }),
  )

  holds(
    'A waiver for a plan also covers the changes that are left of it under a new fingerprint, and no other change',
    1_000,
    fc.property(anyJudged, anyPlan, fc.nat(20), ({ plan, stored, judging }, { plan: other }, count) => {
      const waiver = { ids: [plan.fingerprint], by: 'ann', source: '--allow', untilMs: 1 }
      const { waived } = judge(plan, { ...judging, waivers: [waiver] })
      const before: readonly Row[] = stored.map(({ id, group, target, role }) => ({ id, group, target, role }))
      const rows = plan.changes.slice(0, count).reduce((sofar, change) => written(sofar, change, (role) => role), before)
      const { administrators, ...owned } = countsOf(rows)
      const left: Plan = { ...plan, administrators, owned, changes: plan.changes.slice(count), fingerprint: other.fingerprint }
      const verdict = judge(left, { ...judging, waivers: waived })
      expect(idsOf(verdict.plan.changes)).toEqual(idsOf(left.changes))
      expect(refusalsOf(verdict)).toEqual([])
      const strange = { ...other, changes: other.changes.filter(({ id }) => !idsOf(plan.changes).includes(id)) }
      expect(judge(strange, { ...judging, waivers: waived })).toEqual(judge(strange, { ...judging, waivers: [] }))
    }),
  )

  holds(
    'A waiver has no effect if its id is too short, too long or altered',
    300,
    fc.property(anyJudged, fc.nat(waiverDigits - 1), ({ plan, judging }, digits) => {
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
    'With more protected roles or groups, or with fewer waivers, at least the same changes need approval',
    500,
    fc.property(
      anyJudged,
      fc.subarray(['guest', 'member', 'contributor']),
      fc.subarray(['g2', 'g3', 'new2']),
      ({ plan, judging, more }, fewer, groups) => {
        const held = (over: Partial<JudgeInput>) => waitingIn(judge(plan, { ...judging, ...over }))
        const guards = { ...judging.guards, protectedGroups: [...judging.guards.protectedGroups, ...groups] }
        const now = held({})
        expect(held({ guards })).toEqual(expect.arrayContaining([...now]))
        expect(
          held({
            roles: { ...roles, ordinary: { project: fewer, workspace: fewer.filter((one) => ordinary['workspace']?.includes(one)) } },
          }),
        ).toEqual(expect.arrayContaining([...now]))
        expect(now).toEqual(expect.arrayContaining([...held({ waivers: [...judging.waivers, ...more] })]))
      },
    ),
  )

  holds(
    'Without a waiver the limits refuse exactly the plans that exceed them, and the guards hold changes that need approval and all creates of a flood',
    1_000,
    fc.property(anyJudged, ({ plan, stored, judging }) => {
      const { guards, tally } = judging
      const verdict = judge(plan, { ...judging, waivers: [] })
      const { changes } = verdict.plan
      const ofKind = (some: readonly Change[], isOne: (action: Change['action']) => boolean) =>
        some.filter(({ action }) => isOne(action)).length
      const allowed = plan.changes.filter((change) => !isDelicate(change, guards.protectedGroups))
      expect(changes.filter((change) => !allowed.includes(change))).toEqual([])

      const creates = ofKind(allowed, (action) => action === 'create')
      const isFlood = creates > guards.creates.count || spans.some((span) => creates + tally[span].creates > guards[span].creates)
      expect(ofKind(changes, (action) => action === 'create')).toBe(isFlood ? 0 : creates)

      const [revisions, deletes] = [ofKind(changes, (action) => action !== 'create'), ofKind(changes, (action) => action === 'delete')]
      const isOver = (n: number, { count, share, minExisting }: Limit) =>
        n > count || (n > minExisting && n * 1_000 > Math.round(share * 1_000) * stored.length)
      const over: GuardName[] = [
        ...(isOver(revisions, guards.changes) ? ['changes' as const] : []),
        ...(isOver(deletes, guards.deletes) ? ['deletes' as const] : []),
        ...spans.filter(
          (span) =>
            (revisions > 0 && revisions + tally[span].changes > guards[span].changes) ||
            (deletes > 0 && deletes + tally[span].deletes > guards[span].deletes),
        ),
      ]
      expect([...refusedBy(verdict)].filter((guard) => guard !== 'emptiesList' && guard !== 'lastAdministrator').toSorted()).toEqual(
        over.toSorted(),
      )
    }),
  )

  holds(
    'Without a waiver the guards approve no plan that can empty a list or remove the last administrator, whichever writes fail',
    4_000,
    fc.property(anyJudged, fc.infiniteStream(fc.boolean()), ({ plan, stored, judging }, fails) => {
      const verdict = judge(plan, { ...judging, guards: { ...generous, protectedGroups: judging.guards.protectedGroups }, waivers: [] })
      if (!verdict.approved) return
      const done = new Set<string>()
      let rows: readonly Row[] = stored.map(({ id, group, target, role }) => ({ id, group, target, role }))
      const start = countsOf(rows)
      for (const change of verdict.plan.changes) {
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
