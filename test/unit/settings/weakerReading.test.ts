import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../src/settings/jsonSchemas.ts'
import { edited, everySetting } from './everySetting.ts'
import { problemsOf } from './problems.ts'

/** A reading that proves less than usual needs groups that are expected. */

const acceptedByEditors = new Ajv2020({ strict: false, validateFormats: false }).compile(settingsJsonSchema())
const withExpect = (name: string, expected: unknown, ...more: readonly (readonly [readonly string[], unknown])[]) =>
  more.reduce<unknown>(
    (settings, [path, value]) => edited(settings, ['directories', name, ...path], value),
    edited(everySetting, ['directories', name, 'expect'], expected),
  )

test.each([
  ['corp', '"proof: none" needs "expect": nothing else shows that the server sends all groups which the account may see'],
  ['provisioned', '"pageSize: 0" needs "expect": nothing else shows that the answer is the whole list'],
])('%s', async (name, problem) => {
  for (const nothing of [undefined, {}]) {
    expect(await problemsOf(withExpect(name, nothing))).toEqual([problem])
    expect(acceptedByEditors(withExpect(name, nothing))).toBe(false)
  }
  for (const something of [{ atLeast: 1 }, { names: ['all-staff'] }]) {
    expect(await problemsOf(withExpect(name, something))).toEqual([])
    expect(acceptedByEditors(withExpect(name, something))).toBe(true)
  }
})

test.each<[string, readonly string[], unknown]>([
  ['corp', ['bind', 'proof'], undefined],
  ['corp', ['bind', 'proof'], 'anonymousSeesLess'],
  ['corp', ['bind'], 'anonymous'],
  ['provisioned', ['pageSize'], undefined],
  ['provisioned', ['pageSize'], 7],
])('no other reading does: %s, %j: %j', async (name, path, value) => {
  const settings = withExpect(name, undefined, [path, value])
  expect(await problemsOf(settings)).toEqual([])
  expect(acceptedByEditors(settings)).toBe(true)
})
