import { describe, expect, test } from 'vitest'
import { nameAttributes, nameCount, namesOf } from '../../../src/directories/ldap/attribute.ts'
import { nameTemplatePattern } from '../../../src/settings/patterns/name.ts'
import { attributeOf } from './ldapAttribute.ts'

const attribute = (type: string, ...values: readonly string[]) => attributeOf(type, values)
const entry = [attribute('cn', 'devs'), attribute('sAMAccountName', 'Devs'), attribute('ou', 'a', 'b'), attribute('empty', '')]
const names = (name: string) => namesOf(entry, name).map(String)

test.each([
  ['cn', ['cn'], ['devs']],
  ['CN', ['CN'], ['devs']],
  ['AD\\{samaccountname}', ['samaccountname'], ['AD\\Devs']],
  ['{ou}/{cn}', ['ou', 'cn'], ['a/devs', 'b/devs']],
  ['{ou}{ou}', ['ou'], ['aa', 'ab', 'ba', 'bb']],
  ['{cn}@example.com', ['cn'], ['devs@example.com']],
  ['x{missing}', ['missing'], []],
  ['x{empty}', ['empty'], []],
  ['empty', ['empty'], ['']],
])('%s', (name, attributes, made) => {
  expect([nameAttributes(name), names(name)]).toEqual([attributes, made])
  expect(name).toMatch(new RegExp(nameTemplatePattern, 'u'))
})

test('values that are not UTF-8 stay as they are', () => {
  const bytes = Buffer.from([0xff])
  expect(namesOf([attributeOf('cn', [bytes])], 'AD\\{cn}')).toEqual([Buffer.concat([Buffer.from('AD\\'), bytes])])
})

test('an entry with very many names has a bounded number', () => {
  const many = Array.from({ length: 2_000 }, (_, n) => `${n}`)
  expect(namesOf([attribute('a', ...many), attribute('b', ...many)], '{a}-{b}')).toHaveLength(1_000)
})

test('names are counted before they are made', () => {
  const [many, empty] = [attribute('cn', ...Array.from({ length: 50 }, (_, n) => `${n}`)), attribute('CN', '', '')]
  const entry = [many, empty, attribute('ou', 'a', 'b', '')]
  expect(['cn', 'x{cn}', '{cn}{ou}', '{cn}{missing}', 'missing'].map((name) => nameCount(entry, name))).toEqual([52, 50, 100, 0, 0])
})

describe('what is no template', () => {
  test.each(['', '{}', 'AD\\{c n}', 'AD\\{cn', 'AD}cn', '{cn}}', 'AD\\cn', '{c{n}}', '{cn}\u001b'])('%j', (text) => {
    expect(text).not.toMatch(new RegExp(nameTemplatePattern, 'u'))
  })
})
