import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { directorySchema } from '../../../src/settings/directories/directory.ts'
import { root } from './files.ts'

/** docs/directories.md says which servers were tried, in which versions, and which were not. */

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const [, section = ''] = /^## Servers that were tried\n([^]*?)\n## /m.exec(textOf('docs/directories.md')) ?? []
const rows = [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \| (.*) ?\|$/gm)]
  .map(([, kind = '', server = '', tests = '']) => ({
    kind: kind.replaceAll('`', ''),
    server,
    tests,
    isTried: !tests.startsWith('*not verified*'),
  }))
  .filter(({ kind }) => kind !== 'kind')
const namedIn = (tests: string): readonly string[] => [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const pathOf = (name: string): string => (name.includes('/') ? name : `test/functional/servers/${name}.test.ts`)
const kinds = directorySchema.options.map(({ shape }) => shape.kind.value).filter((kind) => kind !== 'file')

/** Tests of several servers at once, or of the program beside them. */
const general: ReadonlySet<string> = new Set(['bad-input', 'causes', 'end-to-end', 'firstSteps', 'init'])

/** Versions that this project chooses. Those of OpenLDAP, 389-ds and Samba are Debian's. */
const pinned = {
  OpenDJ: /^version=(.+)$/m.exec(textOf('.ci/install-opendj')),
  Keycloak: /^version=(.+)$/m.exec(textOf('.ci/install-keycloak')),
  'LDAP SDK': /^version=(.+)$/m.exec(textOf('.ci/install-unboundid')),
  'scim2-server': /^scim2-server(?:\[.*\])?==(\S+)/m.exec(textOf('test/functional/servers/scim2-server/requirements.txt')),
  'django-scim2': /^django-scim2==(\S+)/m.exec(textOf('test/functional/servers/django-scim2/requirements.txt')),
  'scimmy-routers': /"scimmy-routers": "(.+)"/.exec(textOf('test/functional/servers/scimmy/package.json')),
  'oidc-provider': /"oidc-provider": "(.+)"/.exec(textOf('test/functional/servers/oidc/package.json')),
}

describe('the table of servers that were tried', () => {
  test('has a row for each kind of directory', () => {
    expect([...new Set(rows.map(({ kind }) => kind))].toSorted()).toEqual([...kinds, 'tokens'].toSorted())
  })

  test('names tests that exist, and each test of a server', () => {
    const named = rows.flatMap(({ tests }) => namedIn(tests))
    expect(named.filter((name) => !existsSync(join(root, pathOf(name))))).toEqual([])
    const files = readdirSync(join(root, 'test/functional/servers')).flatMap((name) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? [])
    expect(files.filter((name) => !named.includes(name) && !general.has(name))).toEqual([])
  })

  test('gives a version for each server that runs, and none for a product that nobody could run', () => {
    expect(rows.filter(({ server, isTried }) => /\d+\.\d+/.test(server) !== isTried)).toEqual([])
    expect(rows.filter(({ isTried }) => !isTried).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['entra', 'okta', 'google']))
  })

  test.each(Object.entries(pinned))('has the version of %s that is installed', (name, found) => {
    const version = found?.[1] ?? 'no version found'
    const naming = rows.filter(({ server }) => server.includes(name))
    expect(naming).not.toEqual([])
    expect(naming.filter(({ server }) => !server.includes(`${name} ${version}`))).toEqual([])
  })

  test('agrees with the section of each kind that was not verified', () => {
    const untried = kinds.filter((kind) => !rows.some((row) => row.kind === kind && row.isTried))
    const sections = textOf('docs/directories.md').split(/^## /m)
    for (const kind of untried) {
      const about = sections.find((text) => text.includes(`kind: ${kind}\n`)) ?? ''
      expect(about.replaceAll(/\s+/g, ' '), kind).toMatch(/not verified against the vendor/i)
    }
  })
})
