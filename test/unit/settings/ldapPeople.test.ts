import { expect, test } from 'vitest'
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

test('each base of the people must be a DN', async () => {
  expect(await problemsOf(settings({ member: 'member' }, { base: [people.base, 'people'] }))).toEqual(['this is not a DN'])
  expect(await problemsOf(settings({ member: 'member' }, { base: '' }))).toEqual([])
})
