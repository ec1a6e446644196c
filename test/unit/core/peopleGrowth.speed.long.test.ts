import { expect, test } from 'vitest'
import type { ChangeId, MappingChange } from '../../../src/core/change.ts'
import { type GroupName, keyOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import { peopleEffects } from '../../../src/core/people/peopleEffects.ts'
import { type NamedMembers, rosterOf } from '../../../src/core/people/roster.ts'
import { changedTargets } from '../../../src/core/people/rows.ts'
import type { PeopleEffect } from '../../../src/core/peopleEffect.ts'
import { atLeast, counted } from '../bounds.ts'
import { cpuMsOf } from '../cpuTime.ts'
import { acme, roles, target } from './smallWorld.ts'

type World = {
  readonly existing: Mapping[]
  readonly changes: MappingChange[]
  readonly members: Map<GroupName, NamedMembers>
}
type Done = 'create' | 'delete' | 'lower' | 'keep'

const [member, guest] = ['member' as Role, 'guest' as Role]

/** Puts a mapping to `member` into the world, and what the plan does to it. Returns the id of the change. */
function put({ existing, changes }: World, done: Done, where: string, group: string, requires: readonly ChangeId[] = []): ChangeId {
  const at = target(where)
  const [id, name] = [`${where} ${group}`, group as GroupName]
  const about = { id: id as ChangeId, key: keyOf(acme, at, name), group: name, target: at, requires: [...requires] }
  const mapping = id as MappingId
  if (done === 'create') changes.push({ ...about, action: 'create', role: member })
  else existing.push({ id: mapping, key: about.key, group: name, target: at, role: member })
  if (done === 'delete') {
    const why = requires.length === 0 ? 'removed' : 'undeclared'
    changes.push({ ...about, action: 'delete', mapping, before: member, why })
  }
  if (done === 'lower') changes.push({ ...about, action: 'patch', mapping, before: member, role: guest })
  return about.id
}

/** @param each puts the item of this number into the world, and returns its groups */
function worldOf(n: number, gap: Partial<NamedMembers>, each: (world: World, index: number) => readonly string[]): World {
  const world: World = { existing: [], changes: [], members: new Map() }
  for (let index = 0; index < n; index++)
    for (const group of each(world, index))
      world.members.set(group as GroupName, {
        people: [`p${index}`, `p${(index * 7) % n}`].filter((one, at, all) => all.indexOf(one) === at),
        ...gap,
      })
  return world
}

function effectsIn({ changes, existing, members }: World): ReadonlyMap<ChangeId, PeopleEffect> {
  const counting = peopleEffects(changes, changedTargets(changes, existing, roles), rosterOf(members), roles)
  let step = counting.next()
  while (step.done !== true) step = counting.next()
  return step.value.effects
}

const inEng = (done: Done) => (world: World, index: number) => {
  put(world, 'create', '*', `g${index}`)
  put(world, done, 'ENG', `g${index}`)
  return [`g${index}`]
}
const inProjects = (world: World, index: number) => {
  put(world, 'create', '*', `g${index}`)
  put(world, 'keep', `P${index}`, `own${index}`)
  return [`g${index}`, `own${index}`]
}
/** Each delete requires the create of another group. */
const replaced = (where: (index: number) => string) => (world: World, index: number) => {
  put(world, 'delete', where(index), `old${index}`, [put(world, 'create', where(index), `new${index}`)])
  return [`old${index}`, `new${index}`]
}

const noGap = {}
const hidden = { more: 'it hides some' }
const kinds: readonly (readonly [string, Partial<NamedMembers>, (world: World, index: number) => readonly string[]])[] = [
  ['groups get a role in all projects and lose it in one', noGap, inEng('delete')],
  ['groups get a role in all projects and a lower one in one', noGap, inEng('lower')],
  ['groups with a gap get a role in all projects and lose it in one', hidden, inEng('delete')],
  ['groups get a role in all projects, and as many projects have a mapping each', noGap, inProjects],
  ['groups with a gap get a role in all projects, and as many projects have a mapping each', hidden, inProjects],
  ['groups of one target are replaced', noGap, replaced(() => 'ENG')],
  ['groups with a gap of one target are replaced', hidden, replaced(() => 'ENG')],
  ['groups of all projects are replaced', noGap, replaced(() => '*')],
  [
    'groups of all projects are replaced, and as many projects have a mapping each',
    noGap,
    (world, index) => [...replaced(() => '*')(world, index), ...inProjects(world, index)],
  ],
]

test.each(kinds)('twice as many: %s. It takes at most 2.5 times as long', (_, gap, each) => {
  const [half, whole] = [worldOf(10_000, gap, each), worldOf(20_000, gap, each)]
  const msOf = (world: World) => Math.min(...[1, 2, 3].map(() => cpuMsOf(() => effectsIn(world))))
  msOf(worldOf(1_000, gap, each))
  expect(msOf(whole) / msOf(half)).toBeLessThan(2.5)
})

test('changes for all projects are counted beside 10,000 projects with mappings of their own', () => {
  const world = worldOf(10_000, noGap, inProjects)
  const effects = effectsIn(world)
  // Each person has a role in some projects already, and gets one newly in the others.
  expect(effects.get('* g0' as ChangeId)).toEqual(counted({ newly: 1, raise: 1 }))
  expect(effects.get('* g9' as ChangeId)).toEqual(counted({ newly: 2, raise: 2 }))
})

test('where 10,000 such changes meet 10,000 projects with gaps of their own, none of them is counted, and a change of one project is', () => {
  const world = worldOf(10_000, hidden, inProjects)
  const own = put(world, 'lower', 'workspace', 'g1')
  const effects = effectsIn(world)
  const [first, last] = ['* g0', '* g9999'].map((id) => effects.get(id as ChangeId))
  const any = { newly: atLeast(0), raised: atLeast(0), lowered: atLeast(0), lost: atLeast(0), raise: atLeast(0) }
  expect(first).toEqual(counted({ ...any, why: expect.stringContaining('too many changes for all projects') as string }))
  expect(last).toEqual(first)
  expect(effects.get(own)).toEqual(counted({ lowered: atLeast(2), why: 'it hides some' }))
})
