import { expect, test } from 'vitest'
import { isPageHost } from '../../../src/settings/page.ts'
import { everySetting } from './everySetting.ts'
import { problemsOf } from './problems.ts'

const token = { file: 'page-password' }
const problems = async (http: unknown, more: object = {}) =>
  (await problemsOf({ ...everySetting, ...more, http })).map((problem) => (typeof problem === 'string' ? problem : JSON.stringify(problem)))

test.each([
  ['a password on loopback', { listen: '127.0.0.1:9464', page: { token } }],
  ['a password on loopback of IPv6', { listen: '[::1]:9464', page: { token } }],
  ['a password on localhost', { listen: 'localhost:9464', page: { token } }],
  ['a password behind TLS', { listen: ':9464', page: { token, behindTls: true } }],
  ['open on loopback', { listen: '127.0.0.1:9464', page: { open: true, hosts: ['status.example.com'] } }],
])('%s is valid', async (_, http) => {
  expect(await problems(http)).toEqual([])
})

test.each<[string, unknown, RegExp, object?]>([
  [
    'a password without TLS',
    { listen: ':9464', page: { token } },
    /the password would cross the network without TLS: http\.listen, :9464, is no loopback address/,
  ],
  ['the same on every address of IPv4', { listen: '0.0.0.0:9464', page: { token } }, /would cross the network without TLS/],
  [
    'open on a network',
    { listen: '10.0.0.7:9464', page: { open: true } },
    /everyone who reaches http\.listen, 10\.0\.0\.7:9464, would see who has access/,
  ],
  ['both', { page: { token, open: true } }, /./],
  ['neither', { page: {} }, /./],
  ['open: false', { page: { open: false } }, /./],
  ['the password itself', { page: { token: 'hunter2hunter2' } }, /./],
  ['a host with a port', { page: { open: true, hosts: ['a:80'] } }, /this is not the name of a host/],
  ['no journal', { page: { token } }, /the page shows what the daemon leaves beside its journal/, { journal: 'none' }],
])('%s is a problem', async (_, http, message, more) => {
  const found = await problems(http, more ?? {})
  expect(found.join('\n')).toMatch(message)
  expect(found.join('\n')).not.toContain('hunter2')
})

test.each([undefined, '', ':9464', '[', 'localhost:', 'localhost:x', '127.0.0.1 evil'])('no host is named by %j', (header) => {
  expect(isPageHost(header, [''])).toBe(false)
})
