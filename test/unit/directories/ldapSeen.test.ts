import { expect, test } from 'vitest'
import { openSeen } from '../../../src/directories/ldap/seen.ts'

test('a text came before, or not: also among so many that several have one hash', () => {
  const texts = Array.from({ length: 200_000 }, (_, n) => `cn=g${n},dc=x`)
  const seen = openSeen()
  const added = (text: string) => seen.add(text)
  expect(texts.filter(added)).toHaveLength(texts.length)
  expect(texts.filter(added)).toEqual([])
  expect(['cn=other', 'cn=other', 'cn=Other'].map(added)).toEqual([true, false, true])
})
