import { expect, test } from 'vitest'
import { proxyOf } from '../../../src/compose/bounds.ts'

test.each([
  ['a usual one', 'abcd', ['abcd']],
  ['an encoded one', 'ab%40cd', ['ab@cd']],
  ['one that only looks encoded', 'ab%zz', ['ab%zz']],
  ['one that is too short, since every line would change', 'abc', []],
  ['one that is too short, with more characters while it is encoded', '%61%62', []],
  ['one that is too short, among blanks', '%20ab%20', []],
])('the password of a proxy is a secret: %s', (_which, password, expected) => {
  const seen: string[] = []
  const https = `http://ann:${password}@127.0.0.1:9`
  expect(proxyOf({ env: { https_proxy: https }, secretSeen: (secret) => void seen.push(secret) })).toEqual({ https })
  expect(seen).toEqual(expected)
})
