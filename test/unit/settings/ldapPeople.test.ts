import { expect, test } from 'vitest'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'
import { problemsOf } from './problems.ts'

const corp = { kind: 'ldap', addresses: ['ldaps://ldap.example.com'], bind: 'anonymous' }
const settings = (groups: object, people?: object) => ({
  version: 1,
  service: { baseUrl: 'https://plane.example.com', credential: { apiKey: { env: 'KEY' } } },
  workspaces: { acme: {} },
  declaration: './groups',
  directories: { corp: { ...corp, groups: { base: 'dc=example,dc=com', ...groups }, ...(people && { people }) } },
})
const people = { base: 'ou=people,dc=example,dc=com' }

test('members of an LDAP directory need the attribute that has them', async () => {
  expect(await problemsOf(settings({}))).toEqual([])
  expect(await problemsOf(settings({ member: 'member' }, people))).toEqual([])
  expect(await problemsOf(settings({}, people))).toEqual([expect.stringContaining('"groups.member" is missing')])
})

test.each([undefined, null])('a bind that is %s has its forms as the cure', (bind) => {
  const value = { ...settings({}), directories: { corp: { ...corp, bind, groups: { base: 'dc=x' } } } }
  const { document } = parseYaml(new TextEncoder().encode('{}'), { file: 'config.yaml', schema: settingsSchema })
  const checked = validate(Object.assign({}, document, { value }), settingsSchema)
  expect(checked.valid ? [] : checked.problems.map(({ cure }) => cure)).toEqual([
    expect.stringContaining('`{ dn: …, password: { file: … } }`'),
  ])
})

test('each base of the people must be a DN', async () => {
  expect(await problemsOf(settings({ member: 'member' }, { base: [people.base, 'people'] }))).toEqual(['this is not a DN'])
  expect(await problemsOf(settings({ member: 'member' }, { base: '' }))).toEqual([])
})
