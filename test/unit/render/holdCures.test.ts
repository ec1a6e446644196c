import { expect, test } from 'vitest'
import { isOneDirectory } from '../../../src/render/hold.ts'

test('the places of a group are in one directory if they begin with its whole name', () => {
  expect(isOneDirectory(['corp: cn=a,ou=x', 'corp: cn=a,ou=y'])).toBe(true)
  expect(isOneDirectory(['corp: cn=a', 'club: cn=a'])).toBe(false)
})
