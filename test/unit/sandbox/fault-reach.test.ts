import { expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { armFaults, newState } from '../../../src/sandbox/controls.ts'
import { SandboxError } from '../../../src/sandbox/sandboxError.ts'

const state = newState({ workspaces: { acme: {}, 'a b': {} } }, chanceFrom(1), 0)
const armed = (...texts: readonly string[]) => armFaults(texts, [], state).map(({ text }) => text)

test.each([
  '*: 503',
  'POST *: 503',
  'POST project-mappings: 503',
  'PATCH project-mappings/*: 503',
  'DELETE project-mappings/0190f0a0-0000-4000-a000-000000000001/: 503',
  'GET projects: 503',
  'GET acme/projects/: 503',
  'GET a%20b/projects/: 503',
  '/api/v1: 503',
  '/auth: 503',
  'POST token/: 503',
  'GET users/me/: 503',
  'GET acme/*/project-mappings/: 503',
  '*: duplicates 409',
  'GET *: envelope of 5',
  'GET *: list grows',
  'PATCH *: role a becomes b',
])('may strike: %s', (text) => expect(armed(text)).toEqual([text]))

test.each([
  ['POST project-mapping: 503', 'no address has the path project-mapping. The addresses are /auth/o/token/ · '],
  ['GET elsewhere/projects: 503', 'no address has the path elsewhere/projects'],
  ['/projects: 503', 'no address has the path /projects'],
  ['project-mappings/not-an-id: 503', 'no address has the path'],
  ['GET projects/*/: 503', 'no address has the path projects/*/'],
  ['PUT *: 503', 'no operation there has the method PUT. The methods are POST · GET · PATCH · DELETE'],
  ['HEAD *: 503', 'no operation there has the method HEAD'],
  ['POST projects/: 503', 'no operation there has the method POST. The methods are GET'],
  ['DELETE project-mappings/: 503', 'The methods are GET · POST'],
  ['GET *: duplicates 409', 'it changes nothing there. It is for POST group-sync/project-mappings/'],
  ['DELETE *: role a becomes b', 'it changes nothing there'],
  ['POST *: envelope of 5', 'it changes nothing there. It is for GET group-sync/project-mappings/'],
  ['GET roles: list grows', 'it changes nothing there'],
  ['GET stickies: list repeats', 'it changes nothing there'],
  ['_sandbox: 503', 'no address has the path _sandbox'],
])('can never strike: %s', (text, why) => {
  expect(() => armed(text)).toThrow(SandboxError)
  expect(() => armed(text)).toThrow(`fault "${text}" can never strike: `)
  expect(() => armed(text)).toThrow(why)
})

test.each([
  [['*: 503'], '*: 429'],
  [['*: 503'], 'POST project-mappings: reset'],
  [['GET projects: 503'], 'GET projects/: html'],
  [['acme: 503'], 'acme: 502'],
  [['POST *: 503, 100%'], 'POST workspace-mappings: 429'],
  [['latency', '*: html'], '*: truncated'],
])('after %j this one can never strike: %s', (before, text) => {
  const faults = before.map((one) => (one === 'latency' ? '*: latency 1ms' : one))
  expect(() => armed(...faults, text)).toThrow('an earlier fault strikes each of these requests')
})

test.each([
  [['*: 503, once'], '*: 429'],
  [['*: 503, 99%'], '*: 429'],
  [['*: 503, from the 2nd'], '*: 429'],
  [['*: 503, every 2nd'], '*: 429'],
  [['GET *: 503'], '*: 429'],
  [['projects/: 503'], 'projects: 429'],
  [['acme: 503'], 'projects/: 429'],
  [['*: latency 5ms'], '*: latency 5ms'],
  [['*: 503'], '*: latency 5ms'],
  [['*: list grows'], '*: 503'],
])('after %j this one may strike: %s', (before, text) => expect(armed(...before, text)).toHaveLength(before.length + 1))

test('their number has a limit', () => {
  const many = Array.from({ length: 1_000 }, () => '*: latency 1ms')
  expect(armed(...many)).toHaveLength(1_000)
  expect(() => armed(...many, '*: 503')).toThrow('at most 1000 faults')
})
