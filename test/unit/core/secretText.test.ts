import { describe, expect, test } from 'vitest'
import { givesAway, isFilePath, isVariableName, namesSecret, secretValueIn, withoutSecretForms } from '../../../src/core/secretText.ts'

test.each([
  ...[
    'apiKey',
    'api_key',
    'API-KEY',
    'key',
    'password',
    'bindPassword',
    'passwd',
    'Passphrase',
    'pwd',
    'bindpw',
    'pass',
    'dbPass',
    'token',
    'accessToken',
  ],
  ...['secret', 'clientSecret', 'credentials', 'authorization', 'auth', 'cookie', 'client-key-data', 'PLANE_API_KEY', 'pin', 'keys'],
])('%s names a secret', (name) => {
  expect(namesSecret(name)).toBe(true)
})

test.each(['group', 'projectRoles', 'role', 'expires', 'owner', 'baseUrl', 'timezone', 'keycloak', 'path', 'pinned', 'author', 'map'])(
  '%s does not',
  (name) => {
    expect(namesSecret(name)).toBe(false)
  },
)

describe('without secret forms', () => {
  test.each([
    ['https://u:p@host/x', 'https://•••@host/x'],
    ['at ldaps://u:p@ss@host:636, and http://h', 'at ldaps://•••@host:636, and http://h'],
    ['https%3A%2F%2Fu%3Ap%40host', 'https%3A%2F%2F•••%40host'],
    ['https://host/a@b', 'https://•••@b'],
    ['https://host?x=1&access_token=abc&y=2#z', 'https://host?x=1&access_token=•••&y=2#z'],
    ['the key plane_api_0123456789abcdef is wrong', 'the key ••• is wrong'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx', '•••\nx'],
    ['-----BEGIN PRIVATE KEY-----\nabc', '•••'],
  ])('%s', (text, expected) => {
    expect(withoutSecretForms(text)).toBe(expected)
  })

  test.each([
    'ann@host.example',
    'https://host:8443/x',
    'groups.yaml:5:9: no',
    'plane_group_sync_up',
    '-----BEGIN CERTIFICATE-----',
    'a?b=c',
  ])('%s stays', (text) => {
    expect(withoutSecretForms(text)).toBe(text)
  })

  test.each([
    ['schemes', 'a://'.repeat(250_000)],
    ['signs', '@'.repeat(1_000_000)],
    ['colons', ':'.repeat(1_000_000)],
    ['parameters', `?${'key'.repeat(330_000)}`],
    ['question marks', '?key'.repeat(250_000)],
    ['keys', '-----BEGIN PRIVATE KEY-----'.repeat(37_000)],
    ['dashes', '-'.repeat(1_000_000)],
    ['names', 'plane_'.repeat(160_000)],
  ])('a megabyte of %s in no time', (_, text) => {
    const beganMs = performance.now()
    withoutSecretForms(text)
    givesAway(text)
    secretValueIn(text)
    isFilePath(text)
    namesSecret(text)
    expect(performance.now() - beganMs).toBeLessThan(2_000)
  })
})

test.each([
  ['https://u:p@h', true],
  ['u:p@h', true],
  ['https%3A%2F%2Fu%3Ap%40h', true],
  ['reader@corp.example', false],
  ['https://h:1', false],
  ['password=p', true],
  ['PLANE_API_KEY: p', true],
  ['"p\\u0061ssword": p', true],
  ['the password', false],
  ['plane_api_0123456789abcdef', true],
])('%s gives a secret away: %s', (text, expected) => {
  expect(givesAway(text)).toBe(expected)
})

test.each([
  ['PLANE_API_KEY', true],
  ['K', true],
  ['plane_api_key', false],
  ['9KEY', false],
  ['KEY-1', false],
  ['Canary', false],
])('a variable may be called %s: %s', (name, expected) => {
  expect(isVariableName(name)).toBe(expected)
})

test.each([
  ['/run/secrets/plane/Key1', true],
  ['./a', true],
  ['../a', true],
  ['~/a', true],
  ['C:\\keys\\Plane', true],
  ['secrets/key-1.txt', true],
  ['api-key', true],
  ['key.pem', true],
  ['plane_api_0123456789', false],
  ['/plane_api_0123456789', false],
  ['hunter2', false],
  ['Key', false],
  ['wJalrXUtnFEMI/K7MDENG/bPxRfiCY', false],
  ['a b', false],
  ['/a\0b', false],
  ['', false],
])('a file may be called %j: %s', (path, expected) => {
  expect(isFilePath(path)).toBe(expected)
})
