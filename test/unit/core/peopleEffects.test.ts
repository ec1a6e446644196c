import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bounds, isExact } from '../../../src/core/bounds.ts'
import type { Change, MappingChange } from '../../../src/core/change.ts'
import type { GroupName, Target } from '../../../src/core/mapping.ts'
import { peopleEffects } from '../../../src/core/people/peopleEffects.ts'
import { type NamedMembers, rosterOf } from '../../../src/core/people/roster.ts'
import { changedTargets } from '../../../src/core/people/rows.ts'
import type { CountedEffect, PeopleEffect, PeopleLimits } from '../../../src/core/peopleEffect.ts'
import { atLeast, between, counted } from '../bounds.ts'
import { holds } from '../properties/runs.ts'
import { mapping, planIn, planOf, roles, rule, type SmallWorld, seenOf } from './smallWorld.ts'

/** Group → its members: its people as one letter each, or with gaps. */
type People = Readonly<Record<string, string | NamedMembers>>
const membersOf = (members: string | NamedMembers): NamedMembers => (typeof members === 'string' ? { people: members.split('') } : members)

/** The effects of the plan of a small world, by key, and how many memberships each step looked at. */
function countedIn(world: SmallWorld, people: People) {
  const plan = planOf({ directories: {}, ...world })
  const targets = changedTargets(plan.changes, (world.existing ?? []).map(mapping), roles)
  const roster = rosterOf(new Map(Object.entries(people).map(([group, all]) => [group as GroupName, membersOf(all)])))
  const counting = peopleEffects(plan.changes, targets, roster, { ...roles, ...world.roles })
  const steps: number[] = []
  let step = counting.next()
  while (step.done !== true) {
    steps.push(step.value)
    step = counting.next()
  }
  const names = new Map(plan.changes.map(({ id, key, action }) => [id, `${action} ${key.replace('acme/', '')}`]))
  const { effects, together } = step.value
  const named: Readonly<Record<string, PeopleEffect>> = Object.fromEntries(
    [...effects].map(([id, effect]) => [names.get(id) ?? `unknown ${id}`, effect]),
  )
  const all = plan.changes.map(({ id }) => id)
  return { effects: named, together: (limit: keyof PeopleLimits) => together(limit, all), steps }
}
const effectsIn = (world: SmallWorld, people: People) => countedIn(world, people).effects

test('a create gives the role to the people who have none there yet, and raises those who have a lower one', () => {
  const world: SmallWorld = { rules: [rule('devs', 'ENG', 'member'), rule('staff', 'ENG', 'guest')], existing: ['ENG staff guest'] }
  expect(effectsIn(world, { devs: 'abc', staff: 'cd' })).toEqual({ 'create project/ENG/devs': counted({ newly: 2, raised: 1 }) })
})

test('a person keeps the highest role of their groups', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'guest'), rule('leads', 'ENG', 'member')],
    existing: ['ENG devs member', 'ENG leads member'],
  }
  expect(effectsIn(world, { devs: 'abc', leads: 'c' })).toEqual({ 'patch project/ENG/devs': counted({ lowered: 2 }) })
})

test('a delete takes the role from people who have it by no other group', () => {
  const world: SmallWorld = {
    removed: ['ENG devs'],
    rules: [rule('staff', 'ENG', 'guest')],
    existing: ['ENG devs member', 'ENG staff guest'],
  }
  expect(effectsIn(world, { devs: 'abc', staff: 'c' })).toEqual({ 'delete project/ENG/devs': counted({ lost: 2, lowered: 1 }) })
})

test('a move of people from one group to another changes nothing for them', () => {
  const world: SmallWorld = { removed: ['ENG old'], rules: [rule('new', 'ENG', 'member')], existing: ['ENG old member'] }
  expect(effectsIn(world, { old: 'ab', new: 'ab' })).toEqual({
    'create project/ENG/new': counted({}),
    'delete project/ENG/old': counted({}),
  })
})

test('a rename counts the people of both groups', () => {
  const world: SmallWorld = { rules: [rule('new', 'ENG', 'member', { previously: 'old' as GroupName })], existing: ['ENG old member'] }
  expect(effectsIn(world, { old: 'ab', new: 'bc' })).toEqual({ 'rename project/ENG/new': counted({ newly: 1, lost: 1 }) })
})

test('a mapping without a role gives its people none', () => {
  const world: SmallWorld = { rules: [rule('devs', 'ENG', 'guest')], existing: ['ENG devs -'] }
  expect(effectsIn(world, { devs: 'ab' })).toEqual({ 'patch project/ENG/devs': counted({ newly: 2 }) })
})

test('a grant that gives a protected role counts those who get it, also if another change gives them a higher role that is not protected', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'contributor', { allowProtected: true }), rule('staff', 'ENG', 'member')],
    existing: [],
    roles: { ordinary: ['guest', 'member'] },
  }
  expect(effectsIn(world, { devs: 'abc', staff: 'ab' })).toEqual({
    'create project/ENG/devs': counted({ newly: 3, gainProtected: 3 }),
    'create project/ENG/staff': counted({ newly: 2 }),
  })
})

test('a rename of the same group concerns nobody: it had its people under the old name', () => {
  const world: SmallWorld = { rules: [rule('new', 'ENG', 'member', { previously: 'old' as GroupName })], existing: ['ENG old member'] }
  const plan = planOf({ directories: {}, ...world })
  const changes = plan.changes.map((change) => ({ ...change, sameGroup: true }) as Change)
  const targets = changedTargets(changes, ['ENG old member'].map(mapping), roles)
  const counting = peopleEffects(changes, targets, rosterOf(new Map([['new' as GroupName, membersOf('ab')]])), roles)
  let step = counting.next()
  while (step.done !== true) step = counting.next()
  expect([...step.value.effects.values()]).toEqual([counted({})])
})

test('a delete gives no protected role: a person who gets one by another change is counted there', () => {
  const world: SmallWorld = {
    removed: ['ENG devs'],
    rules: [rule('leads', 'ENG', 'admin', { allowProtected: true })],
    existing: ['ENG devs member'],
    roles: { aliases: { guest: 'g', commenter: 'c', contributor: 'k', member: 'm' } },
  }
  expect(effectsIn(world, { devs: 'a', leads: 'a' })).toEqual({
    'create project/ENG/leads': counted({ raised: 1, gainProtected: 1 }),
    'delete project/ENG/devs': counted({ raised: 1 }),
  })
})

test('people who get a protected role are counted, unless they had one', () => {
  const world: SmallWorld = {
    rules: [rule('it', 'workspace', 'owner', { allowProtected: true }), rule('heads', 'workspace', 'admin', { allowProtected: true })],
    existing: ['workspace heads admin'],
  }
  expect(effectsIn(world, { it: 'abc', heads: 'c' })).toEqual({ 'create workspace/it': counted({ newly: 2, raised: 1, gainProtected: 2 }) })
})

test('only a change to a protected role counts people who get one', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'member'), rule('leads', 'ENG', 'admin', { allowProtected: true })],
    existing: [],
  }
  expect(effectsIn(world, { devs: 'abc', leads: 'ad' })).toEqual({
    'create project/ENG/devs': counted({ newly: 3 }),
    'create project/ENG/leads': counted({ newly: 2, gainProtected: 2 }),
  })
})

test('people who get a lower role gain no protected role, even if the lower role is protected', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'contributor', { allowProtected: true })],
    existing: ['ENG devs member'],
    roles: { ordinary: ['guest', 'member'] },
  }
  expect(effectsIn(world, { devs: 'ab' })).toEqual({ 'patch project/ENG/devs': counted({ lowered: 2 }) })
})

test('a change of settings concerns no people, and the changes beside it are counted', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'member')],
    groupSync: { wanted: { autoRemove: true }, because: { at: { file: 'groups.yaml', line: 1, column: 1 } } },
    existingSync: { autoRemove: false },
  }
  expect(planOf({ directories: {}, ...world }).changes.map(({ action }) => action)).toContain('settings')
  expect(effectsIn(world, { devs: 'ab' })).toEqual({ 'create project/ENG/devs': counted({ newly: 2 }) })
})

test('the rows of each target are a step that tells how many memberships it looked at, before and after the change', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'member'), rule('staff', 'ENG', 'guest'), rule('devs', 'OPS', 'guest')],
    existing: ['ENG staff guest'],
  }
  const { steps } = countedIn(world, { devs: 'abc', staff: 'cd' })
  expect(steps).toEqual(expect.arrayContaining([3, 2 + 3 + 2]))
})

describe('all projects', () => {
  test('a change for all projects concerns each project that has rows, and not the workspace', () => {
    const existing = ['workspace devs guest', 'ENG devs guest', 'OPS old guest'].map(mapping)
    const { changes } = planOf({ rules: [rule('staff', '*', 'guest')], directories: {} })
    expect([...changedTargets(changes, existing, roles).keys()].toSorted()).toEqual(['allProjects', 'project ENG', 'project OPS'])
  })
  test('a role in all projects counts in each project, also in one with a row of its own', () => {
    const world: SmallWorld = {
      rules: [rule('staff', '*', 'guest'), rule('devs', 'ENG', 'member')],
      existing: ['ENG devs member'],
    }
    // c is a member of ENG already, and a guest of all others newly.
    expect(effectsIn(world, { staff: 'abc', devs: 'c' })).toEqual({ 'create allProjects/staff': counted({ newly: 3 }) })
  })
  test('a change for one project knows the roles of all projects', () => {
    const world: SmallWorld = {
      rules: [rule('staff', '*', 'guest'), rule('devs', 'ENG', 'member')],
      existing: ['* staff guest'],
    }
    expect(effectsIn(world, { staff: 'abc', devs: 'cd' })).toEqual({ 'create project/ENG/devs': counted({ newly: 1, raised: 1 }) })
  })
  test('one person may be raised in one project, and get a role newly in the others', () => {
    const world: SmallWorld = {
      rules: [rule('staff', '*', 'member'), rule('devs', 'ENG', 'guest')],
      existing: ['ENG devs guest'],
    }
    expect(effectsIn(world, { staff: 'a', devs: 'a' })).toEqual({ 'create allProjects/staff': counted({ newly: 1, raised: 1, raise: 1 }) })
  })
})

describe('what is not known', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'ENG', 'member'), rule('staff', 'ENG', 'guest'), rule('devs', 'OPS', 'member')],
    existing: ['ENG staff guest'],
  }
  const whyUnknown = (group: string) => `it is not known who is in the group "${group}"`
  test('a group on the target whose people are not known makes bounds of what it can change, and of nothing else', () => {
    // Each of a and b is raised if staff has them, and gets the role newly if not. So both get a role or a higher one.
    const why = whyUnknown('staff')
    expect(effectsIn(world, { devs: 'ab' })).toEqual({
      'create project/ENG/devs': counted({ newly: between(0, 2), raised: between(0, 2), raise: 2, why }),
      'create project/OPS/devs': counted({ newly: 2 }),
    })
  })
  test('a change of a group whose people are not known may concern anyone, and raises only people whom another group has', () => {
    const why = whyUnknown('devs')
    expect(effectsIn(world, { staff: 'ab' })).toEqual({
      'create project/ENG/devs': counted({ newly: atLeast(0), raised: between(0, 2), raise: atLeast(0), why }),
      'create project/OPS/devs': counted({ newly: atLeast(0), why }),
    })
  })
  test('people who are known are counted in a group that may have others', () => {
    const gap: NamedMembers = { people: ['a', 'b'], more: 'it hides some' }
    expect(effectsIn(world, { devs: gap, staff: 'bc' })).toEqual({
      'create project/ENG/devs': counted({ newly: atLeast(1), raised: between(1, 2), raise: atLeast(2), why: 'it hides some' }),
      'create project/OPS/devs': counted({ newly: atLeast(2), why: 'it hides some' }),
    })
  })
  test('a gap of a group that gives less changes nothing for those who have more', () => {
    const world: SmallWorld = {
      removed: ['ENG old'],
      rules: [rule('devs', 'ENG', 'member'), rule('staff', 'ENG', 'guest')],
      existing: ['ENG old guest', 'ENG devs member', 'ENG staff guest'],
    }
    const gap: NamedMembers = { people: [], more: 'it hides some' }
    // a keeps the higher role of devs. c keeps a role if staff has them.
    expect(effectsIn(world, { old: 'ac', devs: 'a', staff: gap })).toEqual({
      'delete project/ENG/old': counted({ lost: between(0, 1), why: 'it hides some' }),
    })
    expect(effectsIn(world, { old: 'a', devs: 'a', staff: gap })).toEqual({ 'delete project/ENG/old': counted({}) })
  })
  test('members who may be no people are counted at most, and bound the number from above', () => {
    const doubtful = { members: ['x', 'y'], why: 'they may be accounts' }
    expect(
      effectsIn(world, { devs: { people: ['a'], doubtful }, staff: { people: ['a'], doubtful: { ...doubtful, members: ['y'] } } }),
    ).toEqual({
      'create project/ENG/devs': counted({ newly: between(0, 1), raised: between(1, 2), raise: between(1, 3), why: doubtful.why }),
      'create project/OPS/devs': counted({ newly: between(1, 3), why: doubtful.why }),
    })
  })
  test('a member who is doubtful in another group only is no person of this one', () => {
    const staff: NamedMembers = { people: [], doubtful: { members: ['x'], why: 'they may be accounts' } }
    expect(effectsIn(world, { devs: 'ab', staff })).toEqual({
      'create project/ENG/devs': counted({ newly: 2 }),
      'create project/OPS/devs': counted({ newly: 2 }),
    })
  })
  test('a group that no directory has counts as empty beside other groups, and its own number is not known', () => {
    const ghosts: NamedMembers = { people: [], more: 'no directory shows it', isNowhere: true }
    const beside: SmallWorld = { rules: [rule('devs', 'ENG', 'member'), rule('ghosts', 'ENG', 'guest')], existing: [] }
    expect(effectsIn(beside, { devs: 'ab', ghosts })).toEqual({
      'create project/ENG/devs': counted({ newly: 2 }),
      'create project/ENG/ghosts': counted({ newly: atLeast(0), why: 'no directory shows it' }),
    })
  })
  test('if the people of the former group are not known, a rename gives at most its new ones a role, and may take it from anyone', () => {
    const world: SmallWorld = { rules: [rule('new', 'ENG', 'member', { previously: 'old' as GroupName })], existing: ['ENG old member'] }
    expect(effectsIn(world, { new: 'bc' })).toEqual({
      'rename project/ENG/new': counted({ newly: between(0, 2), lost: atLeast(0), why: whyUnknown('old') }),
    })
  })
  test('a role that has no place in the order is comparable with no other role', () => {
    const all = { newly: atLeast(0), raised: atLeast(0), lowered: atLeast(0), lost: atLeast(0) }
    const odd: SmallWorld = { ...world, existing: ['ENG staff reviewer'] }
    const effects = effectsIn({ ...odd, rules: [rule('devs', 'ENG', 'member')] }, { devs: 'ab', staff: 'c' })
    expect(effects['create project/ENG/devs']).toEqual(
      counted({ ...all, raise: atLeast(0), why: expect.stringContaining('"reviewer"') as string }),
    )
  })
  test('such a role is known where it is the only one', () => {
    const only: SmallWorld = {
      rules: [rule('devs', 'ENG', 'reviewer'), rule('staff', 'ENG', 'reviewer')],
      existing: ['ENG staff reviewer'],
    }
    expect(effectsIn(only, { devs: 'ab', staff: 'b' })).toEqual({
      'create project/ENG/devs': counted({ newly: 1, gainProtected: 1 }),
    })
  })
})

describe('any plan', () => {
  const groups = ['a', 'b', 'c', 'd'] as const
  const order = ['guest', 'contributor', 'member', 'admin'] as const
  const place = fc.constantFrom('ENG', 'OPS', '*', 'workspace')
  const row = fc.record({ place, group: fc.constantFrom(...groups), role: fc.constantFrom(...order) })
  const rows = fc.uniqueArray(row, { maxLength: 8, selector: ({ place, group }) => `${place} ${group}` })
  const people = fc.record(Object.fromEntries(groups.map((group) => [group, fc.subarray(['1', '2', '3', '4', '5'])])))

  const placeOf = (target: Target): string => (target.kind === 'project' ? target.project : target.kind === 'workspace' ? 'workspace' : '*')

  /** The highest role of a person, computed person by person. */
  const rankAt = (
    all: readonly { place: string; group: string; role: string }[],
    at: string,
    person: string,
    members: Record<string, string[]>,
  ) =>
    Math.max(
      -1,
      ...all
        .filter((one) => one.place === at || (one.place === '*' && at !== 'workspace'))
        .filter(({ group }) => members[group]?.includes(person) === true)
        .map(({ role }) => order.indexOf(role as (typeof order)[number])),
    )

  holds(
    'the numbers are those of a count person by person',
    300,
    fc.property(rows, rows, people, (before, after, members) => {
      const world: SmallWorld = {
        rules: after.map(({ place, group, role }) => rule(group, place, role, { allowProtected: true })),
        existing: before.map(({ place, group, role }) => `${place} ${group} ${role}`),
        owns: ['projectRoles', 'workspaceRoles'],
        policy: 'exclusive',
      }
      const effects = effectsIn(world, Object.fromEntries(Object.entries(members).map(([group, all]) => [group, all.join('')])))
      const { changes } = planIn(seenOf({ directories: {}, ...world }))
      /** Who loses by an undeclared delete, if all lowerings and deletes are written, and of the grants those that it requires. */
      const losersOf = ({ group, requires }: MappingChange, places: readonly string[]) => {
        const taken = before.flatMap((row) => {
          const kept = after.find((one) => one.place === row.place && one.group === row.group)
          return kept === undefined ? [] : [order.indexOf(kept.role) < order.indexOf(row.role) ? kept : row]
        })
        const given = changes.flatMap((one) =>
          requires.includes(one.id) && 'role' in one
            ? after.filter((row) => row.group === one.group && row.place === placeOf(one.target))
            : [],
        )
        const rows = [...taken, ...given]
        return (members[group] ?? []).filter((person) =>
          places.some((one) => rankAt(rows, one, person, members) < rankAt(before, one, person, members)),
        ).length
      }
      for (const change of changes) {
        if (change.action === 'settings') continue
        const at = placeOf(change.target)
        const places = at === '*' ? ['*', 'ENG', 'OPS'] : [at]
        const seen = (members[change.group] ?? []).map((person) => {
          const kinds = places.map((one) => [rankAt(before, one, person, members), rankAt(after, one, person, members)] as const)
          const some = (test: (had: number, has: number) => boolean) => Number(kinds.some(([had, has]) => test(had, has)))
          return {
            newly: some((had, has) => had < 0 && has >= 0),
            raised: some((had, has) => had >= 0 && has > had),
            lowered: some((had, has) => has >= 0 && has < had),
            lost: some((had, has) => had >= 0 && has < 0),
            gainProtected: some((had, has) => has === 3 && had < 3 && 'role' in change && change.role === 'admin'),
            raise: some((had, has) => has > had),
          }
        })
        const sum = (kind: 'newly' | 'raised' | 'lowered' | 'lost' | 'gainProtected' | 'raise') =>
          seen.reduce((all, one) => all + one[kind], 0)
        const numbers = {
          newly: sum('newly'),
          raised: sum('raised'),
          lowered: sum('lowered'),
          lost: sum('lost'),
          gainProtected: sum('gainProtected'),
          raise: sum('raise'),
        }
        const lose = change.action === 'delete' && change.why === 'undeclared' ? losersOf(change, places) : 0
        expect(effects[`${change.action} ${change.key.replace('acme/', '')}`]).toEqual(counted({ ...numbers, lose }))
      }
    }),
  )

  const subset = (all: string) => fc.subarray(all.split(''))
  const group = fc.record({ people: subset('12345'), doubtful: subset('xy'), hasMore: fc.boolean(), others: subset('12345xyst') })
  const gaps = fc.record(Object.fromEntries(groups.map((name) => [name, group])))

  holds(
    'whoever the members with gaps are, the numbers are within the bounds, alone and together',
    600,
    fc.property(rows, rows, gaps, subset('xy'), (before, after, seen, real) => {
      const world: SmallWorld = {
        rules: after.map(({ place, group, role }) => rule(group, place, role, { allowProtected: true })),
        existing: before.map(({ place, group, role }) => `${place} ${group} ${role}`),
        owns: ['projectRoles', 'workspaceRoles'],
        policy: 'exclusive',
      }
      const shown = Object.entries(seen).map(([name, { people, doubtful, hasMore }]): readonly [string, NamedMembers] => [
        name,
        {
          people,
          ...(doubtful.length === 0 ? {} : { doubtful: { members: doubtful, why: 'x' } }),
          ...(hasMore ? { more: 'y' } : {}),
        },
      ])
      const isPerson = (text: string) => !'xy'.includes(text) || real.includes(text)
      const truth = Object.entries(seen).map(([name, { people, doubtful, hasMore, others }]) => {
        const all = new Set([...people, ...doubtful, ...(hasMore ? others : [])])
        return [name, [...all].filter(isPerson).join('')] as const
      })
      const [bounds, exact] = [countedIn(world, Object.fromEntries(shown)), countedIn(world, Object.fromEntries(truth))]
      const within = (number: Bounds, { least, most = Number.POSITIVE_INFINITY }: Bounds) =>
        isExact(number) && least <= number.least && number.least <= most
      for (const [key, effect] of Object.entries(exact.effects)) {
        const { kind: _, why: __, ...numbers } = bounds.effects[key] as CountedEffect
        for (const [name, number] of Object.entries(numbers))
          expect([
            key,
            name,
            (effect as CountedEffect)[name as 'newly'],
            number,
            within((effect as CountedEffect)[name as 'newly'], number),
          ]).toContain(true)
      }
      for (const limit of ['raise', 'gainProtected', 'lose'] as const)
        expect([limit, exact.together(limit), bounds.together(limit), within(exact.together(limit), bounds.together(limit))]).toContain(
          true,
        )
    }),
  )

  holds(
    'each person who gets a protected role is counted at a change to a protected role',
    300,
    fc.property(rows, rows, people, (before, after, members) => {
      const world: SmallWorld = {
        rules: after.map(({ place, group, role }) => rule(group, place, role, { allowProtected: true })),
        existing: before.map(({ place, group, role }) => `${place} ${group} ${role}`),
        owns: ['projectRoles', 'workspaceRoles'],
        policy: 'exclusive',
      }
      // Each group has one person at most, so a number above 0 says who it is.
      const one = Object.fromEntries(groups.map((group, index) => [group, (members[group] ?? []).length > 2 ? [`${index % 2}`] : []]))
      const effects = Object.entries(effectsIn(world, Object.fromEntries(Object.entries(one).map(([group, all]) => [group, all.join('')]))))
      const counts = new Set(
        effects.flatMap(([key, effect]) =>
          effect.kind === 'counted' && effect.gainProtected.least > 0 ? one[key.split('/').at(-1) ?? ''] : [],
        ),
      )
      for (const at of ['ENG', 'OPS', '*', 'workspace'])
        for (const person of ['0', '1'])
          if (rankAt(after, at, person, one) === 3 && rankAt(before, at, person, one) < 3) expect(counts).toContain(person)
    }),
  )
})
