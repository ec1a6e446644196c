import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openNesting } from '../../../src/directories/ldap/found.ts'

/** `members`: place of a group → its members. Returns the groups of `places` that have a group as a member. */
function parents(bases: readonly string[], members: Readonly<Record<string, readonly string[]>>, places: readonly string[]) {
  const nesting = openNesting(bases)
  for (const [place, values] of Object.entries(members)) {
    for (const value of values) {
      const bytes = Buffer.from(`xx${value}yy`)
      nesting.look(place, bytes, 2, bytes.length - 2)
    }
  }
  return [...nesting.parents(places)]
}

const base = 'ou=groups,dc=x'
const [a, b, c] = ['a', 'b', 'c'].map((cn) => `cn=${cn},${base}`) as [string, string, string]

describe('a group among the members of another', () => {
  test('is found, whichever of the two is read first', () => {
    expect(parents([base], { [a]: ['uid=u,ou=people,dc=x', b], [b]: ['uid=u,ou=people,dc=x'] }, [a, b])).toEqual([a])
    expect(parents([base], { [b]: [a], [a]: [c] }, [c, b, a])).toEqual([b, a])
  })
  test('is found below each base, and where people and groups have the same base', () => {
    expect(parents(['ou=other', base], { [a]: [b] }, [a, b])).toEqual([a])
    expect(parents(['dc=x'], { [a]: ['uid=u,ou=people,dc=x', b], [c]: ['uid=u,ou=people,dc=x'] }, [a, b, c])).toEqual([a])
    expect(parents([''], { [a]: [b] }, [a, b])).toEqual([a])
  })
  test.each([b.toUpperCase(), b.replaceAll(',', ', '), b.replaceAll('=', ' = ')])('is found as %s', (value) => {
    expect(parents([' OU=Groups, DC=x '], { [a]: [value] }, [a, b])).toEqual([a])
  })
  test.each([
    ['a person', `uid=u,${base}`],
    ['an entry below another base that ends alike', `cn=b,ou=mygroups,dc=x`],
    ['an entry above', 'dc=x'],
    ['no DN', 'u1'],
    ['nothing', ''],
  ])('is not %s', (_, value) => expect(parents([base], { [a]: [value] }, [a, b])).toEqual([]))

  test('counts as found where there are too many members to remember', () => {
    const nesting = openNesting([base], 2)
    for (const [place, member] of [
      [a, `uid=1,${base}`],
      [b, `uid=2,${base}`],
      [b, 'uid=3,ou=people,dc=x'],
      [c, `uid=4,${base}`],
    ] as const)
      nesting.look(place, Buffer.from(member), 0, member.length)
    expect([...nesting.parents([a, b, c])]).toEqual([c])
    const none = openNesting([base], 0)
    none.look(a, Buffer.from(b), 0, b.length)
    expect([...none.parents([a, b])]).toEqual([a])
  })

  test('is found among any DNs, and none of the others', () => {
    const cn = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `cn=${Buffer.from(text).toString('hex')},${base}`)
    fc.assert(
      fc.property(fc.uniqueArray(cn, { minLength: 2 }), fc.uniqueArray(cn), ([one = '', ...groups], others) => {
        const people = others.filter((other) => other !== one && !groups.includes(other))
        expect(parents([base], { [one]: people }, [one, ...groups])).toEqual([])
        expect(parents([base], { [one]: [...people, groups[0] ?? ''] }, [one, ...groups])).toEqual([one])
      }),
    )
  })
})
