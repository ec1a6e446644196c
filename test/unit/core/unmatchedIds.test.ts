import { describe, expect, test } from 'vitest'
import { type Change, type ChangeId, waiverId } from '../../../src/core/change.ts'
import { type Hold, type HoldReason, holdFor } from '../../../src/core/hold.ts'
import { idsForTooFew, idsThatWait, judge, unmatchedIds } from '../../../src/core/judge/guards.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { forPeople } from '../bounds.ts'
import { changeOf, guards, hash, judging } from './smallWorld.ts'

const [id, other, fingerprint, none] = ['a', 'b', 'c', 'd'].map((text) => hash(text).slice(0, 32)) as [string, string, string, string]
const change = (line: string, as: string): Change => ({ ...changeOf(line), id: as as ChangeId })
const leads = change('create workspace leads → admin', id)
const devs = change('create ENG devs → member', id)
const replaced = { kind: 'projectChanged', project: 'ENG', replaced: true, pass: other } as HoldReason

function judged(changes: readonly Change[], holds: readonly Hold[] = [], allow: readonly string[] = [], deletesMax = 10, of = fingerprint) {
  const plan = {
    workspace: 'acme',
    changes,
    holds,
    findings: [],
    later: [],
    laterUntilMs: 0,
    unchanged: 0,
    owned: {},
    administrators: 0,
    fingerprint: of.repeat(2),
  }
  const waivers = [{ ids: allow, by: 'ann', untilMs: 1, source: '--allow' }]
  return judge(plan as unknown as Plan, {
    ...judging,
    guards: { ...guards, deletes: { count: deletesMax, share: 0, minExisting: 0 } },
    waivers,
  })
}

describe('an id matches', () => {
  test.each<[string, string, ReturnType<typeof judged>]>([
    ['a change that is written', id, judged([devs])],
    ['a change that waits for approval', id, judged([leads])],
    ['a change that it lets pass', id, judged([leads], [], [id])],
    ['a change that is held for another reason', id, judged([], [holdFor(devs, { kind: 'suspended', what: 'all' })])],
    ['the plan, in 32 digits', fingerprint, judged([devs])],
    ['the plan, in more digits', fingerprint.repeat(2).slice(0, 40), judged([devs])],
    ['a change that waits for its project', id, judged([], [holdFor(devs, replaced)])],
    ['the plan of one of several workspaces', fingerprint, judged([devs])],
    ['a project that it made current', id, { ...judged([]), waived: [{ ids: [id], by: 'ann', untilMs: 1, source: '--allow' }] }],
  ])('%s', (_what, name, one) => {
    expect(unmatchedIds([name], [one])).toEqual([])
    expect(unmatchedIds([none, name], [judged([], [], [], 10, none.toUpperCase()), one])).toEqual([none])
  })
  test('a project that changed, also if no change waits for it', () => {
    expect(unmatchedIds([id, other], [judged([], [{ key: devs.key, reason: replaced }])])).toEqual([id])
  })
  test('nothing else, also beside an id that is used', () => {
    expect(unmatchedIds([other, id], [judged([leads], [], [id, other])])).toEqual([other])
    expect(unmatchedIds([other, fingerprint], [judged([leads], [], [fingerprint, other])])).toEqual([other])
    expect(unmatchedIds([fingerprint.slice(0, 31)], [judged([devs])])).toEqual([fingerprint.slice(0, 31)])
  })
})

test('only the ids of a waiver that name something are reported, also if the change would pass without it', () => {
  expect(judged([leads], [], [other, id]).waived.map(({ ids }) => ids)).toEqual([[id]])
  expect(judged([devs], [], [other, id]).waived.map(({ ids }) => ids)).toEqual([[id]])
  expect(judged([devs], [], [other]).waived).toEqual([])
})

test('the ids that can be allowed: of changes that need approval, of sets, of changed projects; each once', () => {
  expect(idsThatWait([judged([devs]), judged([leads]), judged([leads])])).toEqual([id])
  const deletes = change('delete ENG old = guest (removed)', other)
  expect(idsThatWait([judged([deletes], [], [], 0)])).toEqual([waiverId(hash(JSON.stringify([other])))])
  expect(idsThatWait([judged([], [holdFor(devs, replaced), holdFor(devs, { kind: 'suspended', what: 'all' })])])).toEqual([other])
  const crowd = forPeople({ over: 'raise', people: 160, limit: 100, pass: `${id}:160`, setting: 'guards.people.raise' })
  const people = [judged([], [holdFor(devs, crowd)])]
  expect(idsThatWait(people)).toEqual([`${id}:160`])
  // Without the number, or with a smaller one, it lets nothing pass.
  const needs = { needs: `${id}:160`, changes: 1 }
  expect(idsForTooFew([id, `${id}:1`, other], people)).toEqual([
    { given: id, ...needs },
    { given: `${id}:1`, ...needs },
  ])
  // What waits for something else needs no number, and a hold may lack its change.
  const alone = judged([], [{ key: devs.key, reason: crowd }])
  const isOther = holdFor({ ...devs, id: other as typeof devs.id }, { kind: 'approval', why: 'protectedRole' })
  expect(idsForTooFew([id, other], [judged([], [isOther]), alone])).toEqual([{ given: id, ...needs }])
  // A saved plan may have an approval without its change.
  expect(idsThatWait([judged([], [{ key: devs.key, reason: { kind: 'approval', why: 'protectedRole' } }])])).toEqual([])
})
