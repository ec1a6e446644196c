import { describe, expect, test } from 'vitest'
import {
  dots,
  givesAway,
  isFilePath,
  isPlainName,
  isVariableName,
  namesSecret,
  secretValueIn,
  withoutSecretForms,
} from '../../../src/core/secretText.ts'

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

describe('the value of a secret begins behind', () => {
  test.each([
    ['password: p', 'password:'],
    ['role = member, pwd = p', 'role = member, pwd ='],
    ['"password": "p"', '"password":'],
    ["{ 'db.password' : p }", "{ 'db.password' :"],
    ['"\\u0070assword": p', '"\\u0070assword":'],
    ['"pass\\u0077ord": p', '"pass\\u0077ord":'],
  ])('in %s: %s', (text, before) => {
    expect(text.slice(0, secretValueIn(text))).toBe(before)
  })

  test.each(['the password', 'role = member', '"role": "member"'])('nothing in %s', (text) => {
    expect(secretValueIn(text)).toBeUndefined()
  })
})

describe('without secret forms', () => {
  test.each([
    ['https://u:p@host/x', 'https://•••@host/x'],
    ['at ldaps://u:p@ss@host:636, and http://h', 'at ldaps://•••@host:636, and http://h'],
    ['https%3A%2F%2Fu%3Ap%40host', 'https%3A%2F%2F•••%40host'],
    ['https://host/a@b', 'https://•••@b'],
    ['http:u:p@host, ldap:u:p@host', 'http:•••@host, ldap:•••@host'],
    ['redis://u:p@host', 'redis://•••@host'],
    ['https://host?x=1&access_token=abc&y=2#z', 'https://host?x=1&access_token=•••&y=2#z'],
    ['https://host?key=abc', 'https://host?key=•••'],
    ['?client_secret_2=abc&old-token.v1=def', '?client_secret_2=•••&old-token.v1=•••'],
    ['the key plane_api_0123456789abcdef is wrong', 'the key ••• is wrong'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx', '•••\nx'],
    ['-----BEGIN PRIVATE KEY-----\nabc', '•••'],
  ])('%s', (text, expected) => {
    expect(withoutSecretForms(text)).toBe(expected)
  })

  test.each([
    'ann@host.example',
    'https://host:8443/x',
    'https://@host',
    'C:/ann@home',
    'groups.yaml:5:9: no',
    'plane_group_sync_up',
    '-----BEGIN CERTIFICATE-----',
    'a?b=c',
  ])('%s stays', (text) => {
    expect(withoutSecretForms(text)).toBe(text)
  })

  test('only the secret is replaced, and the address around it stays', () => {
    expect(withoutSecretForms('at https://ann:pw@host/x', dots)).toBe('at https://••••••@host/x')
  })
})

test.each([
  ['https://u:p@h', true],
  ['u:p@h', true],
  ['https%3A%2F%2Fu%3Ap%40h', true],
  ['u%3ap@h', true],
  ['u:p%40h', true],
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
  ['default', true],
  ['plane-prod', true],
  ['a_b.c', true],
  ['acme-2', true],
  ['acme12', true],
  ['acme-', true],
  ['acme123', false],
  ['acme-2-b', false],
  ['acme--b', false],
  ['acme/b', false],
  ['2acme', false],
  ['Acme', false],
  ['hunter2x', false],
  ['', false],
])('%j looks like a name that a person chose: %s', (text, expected) => {
  expect(isPlainName(text)).toBe(expected)
})

test.each([
  ['/run/secrets/plane/Key1', true],
  ['./a', true],
  ['../a', true],
  ['../Key', true],
  ['~/a', true],
  ['C:\\keys\\Plane', true],
  ['secrets/key-1.txt', true],
  ['secrets/plane/key', true],
  ['plane', true],
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
