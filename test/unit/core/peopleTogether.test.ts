import { describe, expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { GuardSettings } from '../../../src/core/judge/guardSettings.ts'
import { idsForTooFew, type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import type { GroupName, Mapping } from '../../../src/core/mapping.ts'
import { peopleEffects } from '../../../src/core/people/peopleEffects.ts'
import { rosterOf } from '../../../src/core/people/roster.ts'
import { changedTargets, rowsOf } from '../../../src/core/people/rows.ts'
import { withEffects } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { about, create, hash, nowMs, patch, plan, remove } from '../render/sample.ts'

const many = { count: 1_000, share: 1, minExisting: 1_000 }
const sum = { creates: 1_000, raises: 1_000, lowers: 1_000, deletes: 1_000 }
const guards: GuardSettings = {
  ...{ creates: many, raises: many, lowers: many, deletes: many, run: sum, day: sum, protectedGroups: [] },
  flapping: { rounds: 3, span: 1 },
  people: { raise: 100, lose: 100 },
}
const none = { creates: 0, raises: 0, lowers: 0, deletes: 0 }

/** The people `from` … `from + n - 1`. */
const people = (n: number, from = 0) => Array.from({ length: n }, (_, index) => `p${from + index}`)

/** What the guards judge: these changes, with the people of their groups. A group that is absent has unknown people. */
function inputOf(
  changes: readonly Change[],
  members: Readonly<Record<string, readonly string[]>>,
  more: Partial<JudgeInput> = {},
  existing: readonly Mapping[] = [],
) {
  const roster = rosterOf(new Map(Object.entries(members).map(([group, texts]) => [group as GroupName, texts])))
  const counting = peopleEffects(changes, changedTargets(changes, rowsOf(existing, changes)), roster, about.roles)
  let step = counting.next()
  while (step.done !== true) step = counting.next()
  const { effects, together } = step.value
  const counted = withEffects(plan({ changes }), effects)
  const tally = { run: none, day: none }
  return { plan: counted, guards, roles: about.roles, tally, hash, waivers: [], dateMs: nowMs, together, ...more }
}

function judged(...of: Parameters<typeof inputOf>) {
  const input = inputOf(...of)
  return judge(input.plan, input)
}

const result = (of: ReturnType<typeof judged>) => ({
  written: of.plan.changes.map((change) => ('group' in change ? change.group : '')),
  waits: of.plan.holds.map(({ group, reason }) => [group, reason.kind === 'approval' ? reason.why : reason.kind]),
})
const setOf = (of: ReturnType<typeof judged>) => {
  const reasons = of.plan.holds.flatMap(({ reason }) => (reason.kind === 'approval' && reason.why === 'limit' ? [reason] : []))
  return reasons[0]
}
const waiver = (...ids: readonly string[]): Waiver => ({ ids, by: 'ann', untilMs: Number.POSITIVE_INFINITY, source: '--allow' })

const tenOf = (n: number, of: (index: number) => readonly string[]) => {
  const names = Array.from({ length: n }, (_, index) => `g${index}`)
  return {
    changes: names.map((name, index) => create(`P${index}`, name, 'member')),
    members: Object.fromEntries(names.map((name, index) => [name, of(index)])),
  }
}
const ten = tenOf(10, (index) => people(45, 45 * index))

describe('people are counted over all changes, each once', () => {
  test('ten groups of 45 do not pass a limit of 100: they wait as one set, with the number that they are', () => {
    const of = judged(ten.changes, ten.members)
    expect(result(of).written).toEqual([])
    expect(of.plan.holds).toHaveLength(10)
    expect(setOf(of)).toMatchObject({ name: 'people', count: 450, limit: 100, setting: 'guards.people.raise' })
    expect(new Set(of.plan.holds.map(({ reason }) => 'pass' in reason && reason.pass)).size).toBe(1)
  })

  test('ten groups of the same 45 pass, and two groups of 50', () => {
    const same = tenOf(10, () => people(45))
    expect(result(judged(same.changes, same.members)).waits).toEqual([])
    const two = tenOf(2, (index) => people(50, 50 * index))
    expect(result(judged(two.changes, two.members)).waits).toEqual([])
    const more = tenOf(2, (index) => people(51, 50 * index))
    expect(result(judged(more.changes, more.members)).waits).toHaveLength(2)
  })

  test('without the people themselves the numbers are added', () => {
    const same = tenOf(3, () => people(45))
    const { together: _, ...input } = inputOf(same.changes, same.members)
    expect(result(judge(input.plan, input)).waits).toHaveLength(3)
  })

  test('a group that is above the limit alone, or whose people are not known, waits alone, and does not count', () => {
    const changes = [
      create('A', 'big', 'member'),
      create('B', 'hidden', 'member'),
      create('C', 'small', 'member'),
      create('D', 'empty', 'member'),
    ]
    const of = judged(changes, { big: people(450), small: people(60, 1_000), empty: [] })
    expect(result(of)).toEqual({
      written: ['small', 'empty'],
      waits: [
        ['big', 'people'],
        ['hidden', 'people'],
      ],
    })
  })

  test('a change that gives nobody anything does not wait with the others', () => {
    const of = judged([...ten.changes, create('Z', 'empty', 'member')], { ...ten.members, empty: [] })
    expect(result(of).written).toEqual(['empty'])
  })

  test('a change that waits for another reason does not count', () => {
    const changes = [create('A', 'boss', 'admin'), create('B', 'small', 'member')]
    expect(result(judged(changes, { boss: people(60), small: people(60, 100) }))).toEqual({
      written: ['small'],
      waits: [['boss', 'protectedRole']],
    })
  })

  test('people who lose a role by undeclared deletes are a sum of their own; a removal and a lowering never wait', () => {
    const groups = ['a', 'b', 'c']
    const members = { a: people(45), b: people(45, 45), c: people(45, 90), low: people(300) }
    const deletes = (why: 'undeclared' | 'removed') =>
      groups.map((group): Change => ({ ...remove(group, group, 'member', why), mapping: `m-${group}` as never }) as Change)
    const existing = (changes: readonly Change[]) =>
      changes.flatMap((change) =>
        'before' in change && change.action !== 'settings'
          ? [{ ...change, id: 'mapping' in change ? change.mapping : '', role: change.before }]
          : [],
      )
    const of = (changes: readonly Change[]) => result(judged(changes, members, {}, existing(changes) as never))
    expect(of(deletes('undeclared')).waits.map(([, why]) => why)).toEqual(['limit', 'limit', 'limit'])
    expect(of([...deletes('removed'), patch('L', 'low', 'member', 'guest')]).waits).toEqual([])
  })
})

describe('words for a number of people', () => {
  const words = (changes: readonly Change[], most: number | 'any'): Waiver => ({
    ...waiver(),
    words: {
      changes: changes.flatMap((change) => (change.action === 'create' ? [{ key: change.key, after: change.role }] : [])),
      people: most,
    },
  })
  test.each([
    ['ten changes of 150 people, each above the limit alone', tenOf(10, (index) => people(150, 150 * index)), 160, 0],
    ['the same, for all their people', tenOf(10, (index) => people(150, 150 * index)), 1_500, 10],
    ['ten changes of the same 150 people', tenOf(10, () => people(150)), 160, 10],
    ['one change of 150 people, and nine of 16', tenOf(10, (index) => (index === 0 ? people(150) : people(16, 150 + 16 * index))), 160, 0],
  ])('let pass as many people together: %s', (_what, { changes, members }, most, written) => {
    expect(result(judged(changes, members, { waivers: [words(changes, most)] })).written).toHaveLength(written)
  })
  test('a group whose people are not known waits alone, and the others pass up to the number', () => {
    const { changes, members } = tenOf(2, (index) => people(60, 60 * index))
    const all = [...changes, create('H', 'hidden', 'member')]
    expect(result(judged(all, members, { waivers: [words(all, 120)] }))).toEqual({ written: ['g0', 'g1'], waits: [['hidden', 'people']] })
    expect(result(judged(all, members, { waivers: [words(all, 'any')] })).waits).toEqual([])
  })
})

describe('what lets the set pass', () => {
  const id = setOf(judged(ten.changes, ten.members))?.pass ?? ''
  const waitsWith = (...ids: readonly string[]) => result(judged(ten.changes, ten.members, { waivers: [waiver(...ids)] })).waits.length

  test('its ID with the number of people, or with any; not with fewer, and not without a number', () => {
    expect([`${id}:450`, `${id}:900`, `${id}:any`, `${id}:449`, id].map((one) => waitsWith(one))).toEqual([0, 0, 0, 10, 10])
  })

  test('the ID of the plan does not', () => {
    expect(waitsWith(plan({ changes: ten.changes }).fingerprint)).toBe(10)
  })

  test('one change passes by its own ID with its own number, and fills the limit no more', () => {
    const own = ten.changes.map((change) => `${change.id}:45`)
    expect(waitsWith(...own.slice(0, 7))).toBe(3)
    // Two groups of 45 are below the limit.
    expect(waitsWith(...own.slice(0, 8))).toBe(0)
    expect(waitsWith(`${ten.changes[0]?.id}:44`)).toBe(10)
  })

  test('words let their changes pass for as many people together as they say', () => {
    const words = (n: number | 'any', of: readonly Change[]): Waiver => ({
      ...waiver(),
      words: { changes: of.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])), people: n },
    })
    const waits = (...waivers: readonly Waiver[]) => result(judged(ten.changes, ten.members, { waivers })).waits.length
    expect([450, 'any', 449, 45].map((n) => waits(words(n as number | 'any', ten.changes)))).toEqual([0, 0, 10, 10])
    expect(waits(words(360, ten.changes.slice(0, 8)))).toBe(0)
    expect(waits(words(315, ten.changes.slice(0, 7)))).toBe(3)
  })

  test('a waiver for too few people, by ID or in words, is not used', () => {
    const described: Waiver = {
      ...waiver(),
      words: { changes: ten.changes.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])), people: 449 },
    }
    const few = waiver(...ten.changes.map((change) => change.id))
    for (const one of [described, few]) expect(judged(ten.changes, ten.members, { waivers: [one] }).waived).toEqual([])
  })

  test('the ID of one change of the set, without its number, says which ID lets the set pass', () => {
    const judgedTen = judged(ten.changes, ten.members)
    const [first] = ten.changes
    expect(idsForTooFew([`${first?.id}`, id, 'other'], [judgedTen])).toEqual([
      { given: first?.id, needs: `${id}:450`, changes: 10 },
      { given: id, needs: `${id}:450`, changes: 10 },
    ])
  })

  test('what passed is named with its own number, so that a later cycle lets no more people pass', () => {
    const { waived } = judged(ten.changes, ten.members, { waivers: [waiver(`${id}:450`)] })
    expect(waived.map(({ ids, used }) => [ids.toSorted(), used])).toEqual([
      [ten.changes.map((change) => `${change.id}:45`).toSorted(), [`${id}:450`]],
    ])
  })

  test('a change that passes by its own number fills the limit no more, also if it exceeds it alone', () => {
    const changes = [create('A', 'big', 'member'), create('B', 'small', 'member')]
    const members = { big: people(150), small: people(60, 150) }
    const waivers = [waiver(`${changes[0]?.id}:150`)]
    expect(result(judged(changes, members, { waivers }))).toEqual({ written: ['big', 'small'], waits: [] })
  })

  test('a number for one limit lets no more people pass another limit', () => {
    const owners = create('A', 'big', 'owner')
    const members = { old: people(42), big: people(50) }
    const admins = [{ ...owners, id: 'old', group: 'old', role: 'admin' }] as unknown as readonly Mapping[]
    const limits = { guards: { ...guards, people: { gainProtected: 5, raise: 40 } } }
    const written = (n: number) => judged([owners], members, { ...limits, waivers: [waiver(`${owners.id}:${n}`)] }, admins)
    expect(result(written(0)).waits).toEqual([['big', 'people']])
    expect(written(0).plan.holds[0]?.reason).toMatchObject({ over: 'raise', people: 50 })
    expect([8, 49, 50].map((n) => result(written(n)).written)).toEqual([[], [], ['big']])
  })

  test('in a later slice, what the first slice approved does not count', () => {
    const approvedBefore = new Set<ChangeId>(ten.changes.map((change) => change.id))
    expect(result(judged(ten.changes, ten.members, { approvedBefore })).waits).toEqual([])
  })
})
