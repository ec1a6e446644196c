import { describe, expect, test } from 'vitest'
import { exactly } from '../../../src/core/bounds.ts'
import type { Change } from '../../../src/core/change.ts'
import { idThatWaits } from '../../../src/core/hold.ts'
import type { GuardSettings } from '../../../src/core/judge/guardSettings.ts'
import { idsForTooFew, type JudgeInput, judge } from '../../../src/core/judge/guards.ts'
import type { GroupName, Mapping, WorkspaceName } from '../../../src/core/mapping.ts'
import { type Approvals, waiversOfApprovals, withoutWritten } from '../../../src/core/memory/approvals.ts'
import { peopleEffects } from '../../../src/core/people/peopleEffects.ts'
import { rosterOf } from '../../../src/core/people/roster.ts'
import { changedTargets } from '../../../src/core/people/rows.ts'
import { peopleIn, withPeople } from '../../../src/core/plan.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import type { WaiverWords } from '../../../src/core/waiverWords.ts'
import { waitingParts } from '../../../src/render/approved.ts'
import { counted } from '../bounds.ts'
import { about, create, hash, nowMs, patch, plan, remove, view } from '../render/sample.ts'

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
  const roster = rosterOf(new Map(Object.entries(members).map(([group, texts]) => [group as GroupName, { people: texts }])))
  const counting = peopleEffects(changes, changedTargets(changes, existing, about.roles), roster, about.roles)
  let step = counting.next()
  while (step.done !== true) step = counting.next()
  const { effects, together } = step.value
  const counted = withPeople(plan({ changes }), new Map([...effects].map(([id, effect]) => [id, { effect }])))
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
    expect(setOf(of)?.sentence).toBe('450 people would newly get a role, or a higher one, by 10 changes; guards.people.raise allows 100')
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

  test('what passed is named with the number for all of it, so that a later cycle lets no more people pass', () => {
    const { waived } = judged(ten.changes, ten.members, { waivers: [waiver(`${id}:450`)] })
    expect(waived.map(({ ids, used, together }) => [ids.toSorted(), used, together])).toEqual([
      [ten.changes.map(({ id }) => id).toSorted(), [`${id}:450`], 450],
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
    expect(written(0).plan.holds[0]?.reason).toMatchObject({ over: 'raise', people: exactly(50) })
    expect([8, 49, 50].map((n) => result(written(n)).written)).toEqual([[], [], ['big']])
  })
})

const rowOf = (of: Change): Mapping => ({ ...of, id: `m-${of.key}`, role: (of as { role: string }).role }) as unknown as Mapping
const allowed = (waits: ReturnType<typeof judged>) =>
  waits.plan.holds.flatMap((hold) => {
    const id = idThatWaits(hold)
    return id === undefined ? [] : [id]
  })

describe('in a later slice', () => {
  test('what the first slice let pass waits no more', () => {
    expect(result(judged(ten.changes, ten.members, { before: ten.changes })).waits).toEqual([])
  })

  test('words of a file with a number let it pass as in the first slice, though people are added up there', () => {
    const { changes, members } = tenOf(4, () => people(150))
    const words: WaiverWords = {
      changes: changes.flatMap((change) => (change.action === 'create' ? [{ key: change.key, after: change.role }] : [])),
      people: 160,
    }
    const given = { waivers: [{ ...waiver(), words }] }
    const first = judged(changes, members, given)
    expect(result(first).waits).toEqual([])
    const left = withPeople(plan({ changes: changes.slice(1) }), peopleIn(first.plan))
    const { together: _, ...input } = inputOf(changes.slice(1), members, { ...given, before: first.plan.changes })
    expect(judge(left, { ...input, plan: left } as never).plan.holds).toEqual([])
  })

  test('a change whose approval has ended counts together with what passed before, also if that is written', () => {
    const { changes, members } = tenOf(4, (index) => people(50, 50 * index))
    const first = judged(changes, members, { waivers: [waiver(`${changes[2]?.id}:50`, `${changes[3]?.id}:50`)] })
    expect(result(first).waits).toEqual([])
    const effects = peopleIn(first.plan)
    const later = (left: readonly Change[]) => {
      const before = first.plan.changes.slice(0, 2)
      const plannedLater = withPeople(plan({ changes: left }), effects)
      const { together: _, ...input } = inputOf(left, members, { before })
      return judge(plannedLater, { ...input, plan: plannedLater } as never)
    }
    for (const left of [changes, changes.slice(2)]) {
      const waits = later(left)
      expect(waits.plan.holds.map(({ group }) => group)).toEqual(['g2', 'g3'])
      expect(setOf(waits)).toMatchObject({
        count: 100,
        sentence: '100 people would newly get a role, or a higher one, by 2 changes, on top of 100; guards.people.raise allows 100',
      })
    }
    expect(result(later(changes.slice(2, 3))).waits).toHaveLength(1)
  })

  test('so does a change that another approval lets pass what holds it alone', () => {
    const boss = create('B', 'boss', 'admin')
    const before = ten.changes.slice(0, 2).map((change) => ({ ...change, effect: counted({ raise: 45 }) }) as unknown as Change)
    const waits = (n: number) =>
      result(judged([boss], { boss: people(n) }, { before, together: undefined, waivers: [waiver(boss.id)] } as never)).waits
    expect([waits(10), waits(11)]).toEqual([[], [['boss', 'people']]])
  })
})

describe('people who lose a role by undeclared deletes', () => {
  const old = { ...remove('A', 'old', 'member', 'undeclared'), mapping: 'm-old' } as Change
  const boss = create('A', 'boss', 'admin')
  const existing = [{ ...old, id: 'm-old', role: 'member' }] as unknown as readonly Mapping[]
  const members = { old: people(450), boss: people(450) }

  test('are counted as if no grant were written: a grant may wait, or fail', () => {
    const of = judged([old, boss], members, {}, existing)
    expect(result(of)).toEqual({
      written: [],
      waits: [
        ['boss', 'people'],
        ['old', 'people'],
      ],
    })
    const granted = { ...boss, allowProtected: true } as Change
    expect(
      result(judged([old, granted], { ...members, boss: people(90) }, { guards: { ...guards, people: { lose: 100 } } }, existing)).written,
    ).toEqual(['boss'])
  })

  test('are those who keep it only by a mapping that a rename gives to another group', () => {
    const kept = { ...remove('A', 'g2', 'member', 'undeclared'), mapping: 'm-2' } as unknown as Record<string, unknown>
    const rename = {
      ...kept,
      action: 'rename',
      fromGroup: 'g2',
      group: 'g3',
      before: 'member',
      role: 'member',
      id: 'renamed',
      key: 'acme/project/A/g3',
    } as unknown as Change
    const both = [...existing, { ...kept, id: 'm-2', role: 'member' }] as unknown as readonly Mapping[]
    const more = { guards: { ...guards, people: { lose: 100 } } }
    const losers = (stay: number) => {
      const of = judged([old, rename], { old: people(450), g2: people(450), g3: people(stay) }, more, both)
      return of.plan.holds.map(({ group, reason }) => [group, 'people' in reason ? reason.people : undefined])
    }
    expect([losers(2), losers(349), losers(350)]).toEqual([[['old', exactly(448)]], [['old', exactly(101)]], []])
  })

  test('are not those to whom a grant gives it that the delete requires', () => {
    const requiring = { ...old, requires: [boss.id] } as Change
    const more = { guards: { ...guards, people: { lose: 100 } }, waivers: [waiver(boss.id)] }
    expect(result(judged([boss, requiring], members, more, existing)).waits).toEqual([])
    expect(result(judged([boss, requiring], { ...members, boss: people(349) }, more, existing)).waits).toEqual([['old', 'people']])
    // A delete that requires nothing is written before the grant.
    const other = { ...remove('A', 'other', 'member', 'undeclared'), mapping: 'm-other' } as Change
    const both = [...existing, { ...other, id: 'm-other', role: 'member' }] as unknown as readonly Mapping[]
    const waits = judged([other, boss, requiring], { ...members, other: people(101) }, more, both)
    expect(result(waits).waits).toEqual([['other', 'people']])
  })

  test('pass with a number for all of them, and not with a smaller one', () => {
    const all = { ...members, old: people(551) }
    const withNumber = (n: number) => result(judged([old, boss], all, { waivers: [waiver(`${old.id}:${n}`)] }, existing)).written
    expect([101, 550, 551].map(withNumber)).toEqual([[], [], ['old']])
  })
})

describe('what waits keeps its ID when what waits beside it is approved', () => {
  test('a protected role, and a set', () => {
    const all = [create('A', 'a', 'admin'), create('C', 'c', 'member'), create('D', 'd', 'member')]
    const members = { a: people(60), c: people(60, 100), d: people(60, 200) }
    const shown = judged(all, members)
    expect(result(shown).waits).toEqual([
      ['a', 'protectedRole'],
      ['c', 'limit'],
      ['d', 'limit'],
    ])
    const ids = [...new Set(allowed(shown))]
    expect(ids).toHaveLength(2)
    expect(result(judged(all, members, { waivers: [waiver(...ids)] })).waits).toEqual([])
    expect(result(judged(all, members, { waivers: [waiver(ids[0] ?? '')] })).written).toEqual(['a'])
    expect(result(judged(all, members, { waivers: [waiver(ids[1] ?? '')] })).written).toEqual(['c', 'd'])
  })

  test('what is approved waits on top of changes that are within the limit', () => {
    const all = [create('A', 'a', 'admin'), create('C', 'c', 'member'), create('D', 'd', 'member')]
    const members = { a: people(60), c: people(45, 100), d: people(45, 200) }
    const waits = judged(all, members, { waivers: [waiver(all[0]?.id ?? '')] })
    expect(result(waits)).toEqual({ written: ['c', 'd'], waits: [['a', 'people']] })
    expect(waits.plan.holds[0]?.reason).toMatchObject({ people: exactly(60), together: exactly(150), limit: 100, pass: `${all[0]?.id}:60` })
    expect(result(judged(all, members, { waivers: [waiver(`${all[0]?.id}:60`)] })).waits).toEqual([])
    expect(result(judged(all, members, { waivers: [waiver(all[0]?.id ?? '', ...allowed(waits))] })).waits).toEqual([])
  })

  test('several protected roles that exceed the limit together wait alone, each with its own number', () => {
    const all = ['a', 'b', 'c'].map((group) => create(group, group, 'admin'))
    const members = { a: people(40), b: people(40, 100), c: people(40, 200) }
    const ids = allowed(judged(all, members))
    const second = judged(all, members, { waivers: [waiver(...ids)] })
    expect(result(second).waits).toEqual(['a', 'b', 'c'].map((group) => [group, 'people']))
    expect(result(judged(all, members, { waivers: [waiver(...allowed(second))] })).waits).toEqual([])
    const two = judged(all, members, { waivers: [waiver(...ids, ...allowed(second).slice(0, 1))] })
    expect(result(two)).toEqual({ written: ['a', 'b', 'c'], waits: [] })
  })

  test('what requires a change that waits alone, or with a set, is in no set before and after', () => {
    const names = ['d0', 'd1', 'd2', 'old']
    const deletes = names.map(
      (name, index): Change =>
        ({
          ...remove(name, name, 'admin', 'undeclared'),
          mapping: `m-${name}`,
          requires: index === 3 ? [boss.id] : [],
        }) as unknown as Change,
    )
    const existing = deletes.map((change) => ({
      ...change,
      id: (change as { mapping: string }).mapping,
      role: 'admin',
    })) as unknown as readonly Mapping[]
    const members = { d0: people(45), d1: people(45, 100), d2: people(45, 200), old: people(30, 300), new: people(30, 400) }
    const all = [boss, ...deletes]
    const shown = judged(all, members, {}, existing)
    expect(result(shown).waits.map(([, why]) => why)).toEqual(['limit', 'limit', 'limit', 'protectedRole', 'requires'])
    const ids = [...new Set(allowed(shown))]
    expect(ids).toHaveLength(2)
    expect(result(judged(all, members, { waivers: [waiver(...ids)] }, existing)).waits).toEqual([])
    expect(result(judged(all, members, { waivers: [waiver(boss.id)] }, existing)).written.toSorted()).toEqual(['new', 'old'])
  })

  test('what requires a change of a set is in no set before and after', () => {
    const grants = ['c0', 'c1', 'c2'].map((group) => create(group, group, 'member'))
    const names = ['d0', 'd1', 'd2', 'old']
    const deletes = names.map(
      (name, index) =>
        ({
          ...remove(name, name, 'member', 'undeclared'),
          mapping: `m-${name}`,
          requires: index === 3 ? [grants[0]?.id] : [],
        }) as unknown as Change,
    )
    const existing = deletes.map((change) => ({
      ...change,
      id: (change as { mapping: string }).mapping,
      role: 'member',
    })) as unknown as readonly Mapping[]
    const members = Object.fromEntries(
      [...grants, ...deletes].map((change, index) => ['group' in change ? change.group : '', people(45, 100 * index)]),
    )
    const all = [...grants, ...deletes]
    const ids = [...new Set(allowed(judged(all, members, {}, existing)))]
    expect(ids).toHaveLength(2)
    expect(result(judged(all, members, { waivers: [waiver(...ids)] }, existing)).waits).toEqual([])
  })
  const boss = create('old', 'new', 'admin')

  const limits = { guards: { ...guards, people: { gainProtected: 5, raise: 60 } } }
  test('two limits: alone above one, with others above the other', () => {
    const big = create('A', 'big', 'owner', { allowProtected: true })
    const all = [big, create('C', 'c', 'member'), create('D', 'd', 'member')]
    const members = { old: people(42), big: people(50), c: people(50, 100), d: people(50, 200) }
    const admins = [{ ...big, id: 'old', group: 'old', role: 'admin' }] as unknown as readonly Mapping[]
    const shown = judged(all, members, limits, admins)
    expect(result(shown).waits.map(([, why]) => why)).toEqual(['people', 'limit', 'limit'])
    const ids = [...new Set(allowed(shown))]
    expect(ids[0]).toBe(`${big.id}:8`)
    expect(result(judged(all, members, { ...limits, waivers: [waiver(...ids)] }, admins)).waits).toEqual([])
    expect(result(judged(all, members, { ...limits, waivers: [waiver(`${big.id}:7`)] }, admins)).written).toEqual([])
  })

  test('two limits: a set above both shows the larger number', () => {
    const all = [create('A', 'a', 'owner', { allowProtected: true }), create('B', 'b', 'owner', { allowProtected: true })]
    const members = { old: [...people(46), ...people(46, 50)], a: people(50), b: people(50, 50) }
    const admins = all.map((x, i) => ({ ...x, id: `old${i}`, group: 'old', role: 'admin' })) as unknown as readonly Mapping[]
    const set = setOf(judged(all, members, limits, admins))
    expect(set).toMatchObject({ count: 100, setting: 'guards.people.raise' })
    expect(result(judged(all, members, { ...limits, waivers: [waiver(`${set?.pass}:100`)] }, admins)).waits).toEqual([])
    const more = [...all, create('C', 'c', 'member')]
    const three = { ...members, c: people(50, 200) }
    const larger = setOf(judged(more, three, limits, admins))
    expect(result(judged(more, three, { ...limits, waivers: [waiver(`${larger?.pass}:150`)] }, admins)).waits).toEqual([])
    const only = { guards: { ...guards, people: { gainProtected: 5 } } }
    const protectedOnly = setOf(judged(all, members, only, admins))
    expect(protectedOnly).toMatchObject({ count: 8, setting: 'guards.people.gainProtected' })
    expect(result(judged(all, members, { ...only, waivers: [waiver(`${protectedOnly?.pass}:8`)] }, admins)).waits).toEqual([])
  })
})

describe('what an approval let pass, in the next plan', () => {
  const shared = tenOf(10, (index) => [...people(99), `own${index}`])
  const set = setOf(judged(shared.changes, shared.members))

  test('a set passes for as many people together as before, and not for more', () => {
    const first = judged(shared.changes, shared.members, { waivers: [waiver(`${set?.pass}:109`)] })
    expect(first.plan.changes).toHaveLength(10)
    const again = (members: Readonly<Record<string, readonly string[]>>) =>
      result(judged(shared.changes, members, { waivers: first.waived })).waits
    expect(again(shared.members)).toEqual([])
    const apart = Object.fromEntries(shared.changes.map((_, index) => [`g${index}`, people(100, 1_000 + 100 * index)]))
    expect(again(apart)).toHaveLength(10)
    expect(again({ ...shared.members, g9: people(110, 5_000) })).not.toEqual([])
    expect(judged(shared.changes, shared.members, { waivers: first.waived }).waived).toEqual(first.waived)
  })

  test('a set that passed for any number passes again', () => {
    const first = judged(shared.changes, shared.members, { waivers: [waiver(`${set?.pass}:any`)] })
    expect(first.waived).toMatchObject([{ together: 'any', used: [`${set?.pass}:any`] }])
    const grown = { ...shared.members, g9: people(900, 5_000) }
    expect(result(judged(shared.changes, grown, { waivers: first.waived })).waits).toEqual([])
    const { g9: _, ...unknown } = shared.members
    expect(result(judged(shared.changes, unknown, { waivers: first.waived })).waits).toEqual([])
  })

  test('the largest of several numbers counts', () => {
    const big = [create('A', 'big', 'member')]
    const members = { big: people(150) }
    for (const names of [
      ['5', '150', '7'],
      ['150', '5'],
      ['5', 'any'],
    ]) {
      const first = judged(big, members, { waivers: [waiver(big[0]?.id ?? '', ...names.map((n) => `${big[0]?.id}:${n}`))] })
      expect(result(judged(big, members, { waivers: first.waived })).written).toEqual(['big'])
    }
    const two = judged(shared.changes, shared.members, { waivers: [waiver(`${set?.pass}:200`, `${set?.pass}:109`)] })
    expect(two.waived.map(({ together }) => together)).toEqual([200])
  })

  test('an ID without its number beside that of the set does not make the number smaller', () => {
    const first = judged(shared.changes, shared.members, { waivers: [waiver(shared.changes[0]?.id ?? '', `${set?.pass}:109`)] })
    expect(result(judged(shared.changes, shared.members, { waivers: first.waived })).waits).toEqual([])
  })

  test('a number holds while all of its changes are to be made: what a reading shows as done is written', () => {
    const first = judged(shared.changes, shared.members, { waivers: [waiver(`${set?.pass}:109`)] })
    const left = shared.changes.slice(1)
    const again = judged(left, shared.members, { waivers: first.waived }, shared.changes.slice(0, 1).map(rowOf))
    expect(result(again).waits).toHaveLength(9)
    // The number does not come back with the names of fewer changes.
    expect(again.waived.every(({ together }) => together === undefined)).toBe(true)
    const any = judged(shared.changes, shared.members, { waivers: [waiver(`${set?.pass}:any`)] })
    expect(result(judged(left, shared.members, { waivers: any.waived })).waits).toEqual([])
  })

  test('so does the number of an approval in the journal, and not that of words in a file', () => {
    const words: WaiverWords = {
      changes: ten.changes.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])),
      people: 450,
    }
    const waits = (source: string, left: readonly Change[]) =>
      result(judged(left, ten.members, { waivers: [{ ...waiver(), ids: [], words, source }] })).waits.length
    const eight = ten.changes.slice(2)
    expect([waits('approval a', ten.changes), waits('approval a', eight)]).toEqual([0, 8])
    expect([waits('a.yaml:1', ten.changes), waits('a.yaml:1', eight)]).toEqual([0, 0])
    const other = ten.changes.map((change, index) => ({ ...change, ...(index === 0 ? { role: 'guest' } : {}) }) as Change)
    expect(waits('approval a', other)).toBe(10)
  })

  test('without its number it passes the other guards', () => {
    const all = [create('A', 'a', 'admin'), ...ten.changes]
    const words: WaiverWords = {
      changes: all.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])),
      people: 460,
    }
    const members = { ...ten.members, a: people(10, 900) }
    const left = judged(all.slice(0, 5), members, { waivers: [{ ...waiver(), words, source: 'approval a' }] })
    expect(result(left).waits).toHaveLength(4)
    expect(result(left).written).toEqual(['a'])
  })

  test('only the names of the set are used', () => {
    const { waived } = judged(shared.changes, shared.members, { waivers: [waiver('f'.repeat(32), `${set?.pass}:109`)] })
    expect(waived.map(({ used }) => used)).toEqual([[`${set?.pass}:109`]])
  })

  test('each change is named once, also if it passes several guards', () => {
    const all = [create('A', 'a', 'admin')]
    const { waived } = judged(all, { a: people(150) }, { waivers: [waiver(all[0]?.id ?? '', `${all[0]?.id}:150`)] })
    expect(waived.map(({ ids }) => ids)).toEqual([[`${all[0]?.id}:150`]])
    const words: WaiverWords = {
      changes: ten.changes.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])),
      people: 450,
    }
    const inWords = judged(ten.changes, ten.members, { waivers: [{ ...waiver(), words }] })
    expect(inWords.waived.map(({ ids }) => ids)).toEqual([ten.changes.map(({ id }) => `${id}:45`)])
  })

  test('a number of an approval is used with the first of its changes', () => {
    const words: WaiverWords = {
      changes: ten.changes.flatMap((change) => ('role' in change ? [{ key: change.key, after: change.role }] : [])),
      people: 450,
    }
    const given = {
      name: 'n',
      workspace: 'acme',
      words,
      passes: [],
      by: 'ann',
      account: 'a',
      reason: 'r',
      fromMs: nowMs,
      untilMs: nowMs + 3_600_000,
    }
    const left = (written: number) => {
      const rest = ten.changes
        .slice(0, written)
        .reduce((all, change) => withoutWritten(all, 'acme' as WorkspaceName, change), [given] as unknown as Approvals)
      const waivers = waiversOfApprovals(rest, 'acme' as WorkspaceName, nowMs)
      return result(judged(ten.changes.slice(written), ten.members, { waivers }, ten.changes.slice(0, written).map(rowOf))).waits
    }
    expect(left(0)).toEqual([])
    expect(left(1)).toHaveLength(9)
    // Two groups of 45 are within the limit.
    expect(left(8)).toEqual([])
  })
})

test('the row of a change of a set shows the ID with the number of its people', () => {
  const of = judged(ten.changes, ten.members)
  const rows = waitingParts(of.plan.holds, view({}, { judged: of }) as never).sets.flatMap((set) => set.rows.map(({ cure }) => cure))
  expect(rows[0]).toBe(`to approve this change: --allow ${ten.changes[0]?.id}:45`)
  const ids = rows.map((cure) => cure.split(' ').at(-1) ?? '')
  expect(result(judged(ten.changes, ten.members, { waivers: [waiver(...ids)] })).waits).toEqual([])
})
