import { expect, test } from 'vitest'
import { problemsOf } from './problems.ts'

const settings = (directories: object, more: object = { guards: { people: { raise: 10 } } }) => ({
  version: 1,
  service: { baseUrl: 'https://plane.example.com', credential: { apiKey: { env: 'KEY' } } },
  workspaces: { acme: {} },
  declaration: './groups',
  directories,
  ...more,
})

test('limits on people need a directory that says who the members of groups are', async () => {
  const corp = { kind: 'ldap', addresses: ['ldaps://ldap.example.com'], bind: 'anonymous', groups: { base: 'dc=example,dc=com' } }
  expect(await problemsOf(settings({ corp }))).toEqual([expect.stringContaining('this limit would hold every such change')])
  const file = { corp, more: { kind: 'file', path: 'more.yaml' } }
  expect(await problemsOf(settings(file))).toEqual([])
  const own = { workspaces: { acme: { guards: { people: { lose: 3 } } } } }
  expect(await problemsOf(settings({ corp }, own))).toEqual([expect.stringMatching(/this limit would hold every such change/)])
  expect(await problemsOf(settings(file, own))).toEqual([])
})
