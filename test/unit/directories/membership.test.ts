import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasKey, personKey, textIn } from '../../../src/core/people/members.ts'
import { noDeadline } from '../../../src/directories/deadline.ts'
import { type DirectMembers, readMemberships } from '../../../src/directories/membership.ts'

const signal = new AbortController().signal

/**
 * `{ devs: 'a b ?c @ops 7=a …' }`: group → its people, after `?` who are doubtful, and after `@` the groups inside. `7=a`: the id of the person, and the
 * attribute by which people are known. `…`: there may be more.
 */
function sourceOf(groups: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const read = async (group: string): Promise<DirectMembers | { readonly missing: string }> => {
    asked.push(group)
    const text = groups[group]
    if (text === undefined) return { missing: `${group} cannot be read` }
    const words = text.split(' ').filter((word) => word !== '')
    const inside = words.filter((word) => word.startsWith('@')).map((word) => word.slice(1))
    const personOf = (word: string) => {
      const [id = '', identity = id] = word.split('=')
      return { id, key: personKey(identity) }
    }
    const doubtful = words.filter((word) => word.startsWith('?')).map((word) => personOf(word.slice(1)))
    return {
      people: words.filter((word) => !/^[@?…]/.test(word)).map(personOf),
      groups: inside,
      ...(doubtful.length === 0 ? {} : { doubtful: { members: doubtful, why: `${group} does not say who they are` } }),
      ...(words.includes('…') ? { more: `${group} hides some` } : {}),
    }
  }
  return { read, asked }
}

async function membersIn(groups: Readonly<Record<string, string>>, wanted: readonly string[], nested = true) {
  const { read, asked } = sourceOf(groups)
  const { memberships, missing } = await readMemberships(
    wanted,
    read,
    { nested, atOnce: 2, deadline: noDeadline, explained: () => undefined },
    signal,
  )
  const members = Object.fromEntries([...memberships].map(([group, { people }]) => [group, people.toSorted().join(' ')]))
  return { members, missing, asked, memberships }
}

test('direct members only: groups inside a group are not read, and are counted apart', async () => {
  const { members, asked, memberships } = await membersIn({ devs: 'a a b @ops', ops: 'c' }, ['devs'], false)
  expect(members).toEqual({ devs: 'a b' })
  expect(asked).toEqual(['devs'])
  expect(memberships.get('devs')?.notCounted).toEqual({ disabled: 0, groups: 1 })
})

test('nested: members of groups inside count once, each group is read once, and circles end', async () => {
  const { members, missing, asked } = await membersIn({ a: 'x @b @c', b: 'y @c', c: 'x z @a' }, ['a', 'b', 'c'])
  expect(members).toEqual({ a: 'x y z', b: 'x y z', c: 'x y z' })
  expect(missing).toBeUndefined()
  expect(asked.toSorted()).toEqual(['a', 'b', 'c'])
})

test('a group with an unreadable group inside may have more people than it shows, and an unreadable group is not known', async () => {
  const { memberships, missing } = await membersIn({ a: 'x @gone', b: 'y' }, ['a', 'b', 'gone'])
  expect(Object.fromEntries(memberships)).toEqual({ a: { people: ['x'], more: 'gone cannot be read' }, b: { people: ['y'] } })
  expect(missing).toBe('gone cannot be read')
})

test('doubtful members of groups inside count once, and not if they are people elsewhere in the group', async () => {
  const { memberships } = await membersIn({ a: '?x ?y @b', b: 'y ?x ?z', c: '?x ?y' }, ['a', 'b', 'c'])
  const doubtful = (group: string, ...members: readonly string[]) => ({ members, why: `${group} does not say who they are` })
  expect(Object.fromEntries(memberships)).toEqual({
    a: { people: ['y'], doubtful: doubtful('a', 'x', 'z') },
    b: { people: ['y'], doubtful: doubtful('b', 'x', 'z') },
    c: { people: [], doubtful: doubtful('c', 'x', 'y') },
  })
})

test('a group that contains one with a gap has the gap, too; groups inside that are not read have none', async () => {
  const groups = { a: 'x @b', b: 'y …', c: 'z' }
  expect(Object.fromEntries((await membersIn(groups, ['a', 'c'])).memberships)).toEqual({
    a: { people: ['x', 'y'], more: 'b hides some' },
    c: { people: ['z'] },
  })
  expect((await membersIn(groups, ['a'], false)).memberships.get('a')).toEqual({ people: ['x'], notCounted: { disabled: 0, groups: 1 } })
})

test('a chain of 50 groups is read, and a longer one may have more', async () => {
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, i) => [`g${i}`, i === length - 1 ? 'last' : `@g${i + 1}`]))
  expect((await membersIn(chain(50), ['g0'])).members).toEqual({ g0: 'last' })
  const longer = await membersIn(chain(51), ['g0'])
  const why = 'a group is more than 50 groups deep inside other groups'
  expect(longer.memberships.get('g0')).toEqual({ people: [], more: why })
  expect(longer.missing).toBe(why)
})

test('nested members are those that a walk from each group finds', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const world = fc.dictionary(
    fc.constantFrom(...names),
    fc.array(fc.constantFrom('x', 'y', 'z', ...names.map((name) => `@${name}`)), { maxLength: 5 }),
  )
  await fc.assert(
    fc.asyncProperty(world, async (words) => {
      const groups = Object.fromEntries(names.map((name) => [name, (words[name] ?? []).join(' ')]))
      const { members } = await membersIn(groups, names)
      for (const name of names) {
        const reached = new Set<string>()
        const walk = (group: string) => {
          if (reached.has(group)) return
          reached.add(group)
          for (const word of words[group] ?? []) if (word.startsWith('@')) walk(word.slice(1))
        }
        walk(name)
        const people = [...reached].flatMap((group) => (words[group] ?? []).filter((word) => !word.startsWith('@')))
        expect(members[name]).toBe([...new Set(people)].toSorted().join(' '))
      }
    }),
  )
})

test('a person is known by the attribute, in any case and Unicode form, and without one by the id of the directory', async () => {
  expect(personKey(' Ann@Example.com')).toBe('ann@example.com')
  expect(personKey('e\u0301')).toBe('\u00e9')
  expect([personKey(undefined), personKey('  ')]).toEqual(['', ''])
  expect((await membersIn({ devs: '7= 8= 9=Ann 9=Ann' }, ['devs'])).members).toEqual({ devs: '\u00007 \u00008 ann' })
})

test('several ids with the same attribute are several people, in one group and in several', async () => {
  const { members } = await membersIn({ devs: '7=ann 8=Ann 9=bob', ops: '8=ann', sre: '@ops 9=bob' }, ['devs', 'ops', 'sre'])
  expect(members).toEqual({ devs: 'ann\u00007 ann\u00008 bob', ops: 'ann\u00008', sre: 'ann\u00008 bob' })
  expect((await membersIn({ devs: '7=ann', ops: '8=ann' }, ['devs'], false)).members).toEqual({ devs: 'ann' })
})

test('a person whose attribute changes while groups are read stays one person', async () => {
  expect((await membersIn({ devs: '7=ann', ops: '7=anna' }, ['devs', 'ops'])).members).toEqual({ devs: 'ann', ops: 'ann' })
})

test('a person who is known by an id is known in one directory only, and is found by the attribute', () => {
  expect(['ann', 'ann\u00007', '\u00007'].map((text) => textIn('corp', text))).toEqual(['ann', 'ann\u00007 corp', '\u00007 corp'])
  expect(['ann', 'ann\u00007', '\u00007', 'anna'].map((text) => hasKey(text, 'ann'))).toEqual([true, true, false, false])
})
