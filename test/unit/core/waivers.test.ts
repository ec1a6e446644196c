import { expect, test } from 'vitest'
import { exactly } from '../../../src/core/bounds.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import { isForPeople, openWaivers, waiversNaming } from '../../../src/core/judge/waivers.ts'
import type { Role } from '../../../src/core/mapping.ts'
import type { PeopleOver } from '../../../src/core/peopleEffect.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { changeOf } from './smallWorld.ts'

const waiver = (...ids: readonly string[]): Waiver => ({ ids, by: 'ann', untilMs: 1, source: '--allow' })

test('of the waivers that name one of these ids, the other ids are left out', () => {
  expect(waiversNaming(['a', 'b'], [waiver('b', 'x'), waiver('x'), waiver('a')])).toEqual([waiver('b'), waiver('a')])
})

const change = changeOf('create ENG devs = admin')
const plan = { fingerprint: 'f'.repeat(64), changes: [change] }
const open = (...waivers: readonly Waiver[]) => openWaivers(waivers, plan, () => exactly(1))

test('a waiver of a file without limits is used before that of a file inside a fence, which lets less pass', () => {
  const [own, fenced] = [waiver(change.id), { ...waiver(change.id), fenced: true as const }]
  expect(open(fenced, own).ofChange(change)).toBe(own)
  expect(open(own, fenced).ofChange(change)).toBe(own)
})

test('a waiver that names the change and the plan is used by the name of the change', () => {
  const both = waiver(change.id, plan.fingerprint)
  const waivers = open(both)
  waivers.use(both, change)
  expect(waivers.used(() => true)).toMatchObject([{ ids: [change.id], used: [change.id] }])
  expect(waivers.used(() => false)).toEqual([])
})

test('a waiver that names the plan is used by the name of the plan', () => {
  const whole = waiver('a'.repeat(32), plan.fingerprint)
  const waivers = open(whole)
  expect(waivers.ofPlan()).toBe(whole)
  waivers.use(whole, change)
  expect(waivers.used(() => true)).toMatchObject([{ ids: [change.id], used: [plan.fingerprint] }])
})

test('an approval for any number of people counts also for what is left of its changes', () => {
  const changes = [change, changeOf('create OPS devs = admin')].map(({ key }) => ({ key, after: 'admin' as Role }))
  const approved = (people: number | 'any') =>
    open({ ...waiver(), words: { changes, people }, source: 'approval 1' }).ofPeople(change, {
      over: 'raise',
      people: exactly(1),
    } as PeopleOver)
  expect(approved('any')).toBeDefined()
  expect(approved(9)).toBeUndefined()
})

test.each<[string, unknown, boolean]>([
  ['a change of too many people', { kind: 'approval', why: 'people' }, true],
  ['a set of too many people', { kind: 'approval', why: 'limit', name: 'people' }, true],
  ['a set of too many changes', { kind: 'approval', why: 'limit', name: 'deletes' }, false],
  ['a protected role', { kind: 'approval', why: 'protectedRole' }, false],
  ['another hold', { kind: 'policy', policy: 'observe' }, false],
  ['no hold', undefined, false],
])('waits for its people: %s', (_what, reason, expected) => expect(isForPeople(reason as HoldReason | undefined)).toBe(expected))
