import { describe, expect, test } from 'vitest'
import { type FakeEntry, startFakeLdap } from '../directories/fakeLdap.ts'
import { openPlace, stateOf } from './program.ts'

const groups = ['devs', 'ops']
const rule = (more: object) => ({ projectRoles: [{ project: 'ENG', role: 'member', ...more }] })
const workspaces = { acme: { projects: ['ENG'] }, beta: { projects: ['ENG'] } }
/** `acme` asks only the file, `beta` asks all directories. */
const declaration = { version: 1, workspaces: { acme: rule({ group: 'devs', from: 'corp' }), beta: rule({ group: 'ops' }) } }
const ldap = (address: string, more: object) => ({
  workspaces: { acme: {}, beta: {} },
  directories: { slow: { kind: 'ldap', addresses: [address], bind: 'anonymous', groups: { base: 'ou=groups' }, ...more } },
})
const silent = () => startFakeLdap({ search: () => 'silence' })

describe.concurrent('a directory that does not end', () => {
  test('a workspace whose rules do not ask it is written meanwhile, and the rest is held with the reason', async () => {
    await using server = await silent()
    const settings = ldap(server.url, { timeout: '60s', readingTimeout: '4s' })
    await using place = await openPlace({ declaration, groups, workspaces, settings })
    const daemon = place.start(['run'])
    await daemon.until(() => stateOf(place.sandbox).length === 1)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
    expect(daemon.log().some(({ event }) => event === 'summary')).toBe(false)
    await daemon.until(() => daemon.log().filter(({ event }) => event === 'summary').length === 2)
    expect(daemon.log().find(({ event }) => event === 'directory')).toMatchObject({
      level: 'error',
      directory: 'slow',
      msg: expect.stringContaining(
        'slow: failed: it was not read to its end within 4 s: find out why it is slow, or raise directories.slow.readingTimeout',
      ),
    })
    expect(stateOf(place.sandbox, 'beta')).toEqual([])
    expect(daemon.log().find(({ event, workspace }) => event === 'summary' && workspace === 'beta')?.outcome).toBe('incomplete')
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
  })

  test('a plan that needs only another directory does not ask it', async () => {
    await using server = await silent()
    await using place = await openPlace({ declaration, groups, workspaces, settings: ldap(server.url, {}) })
    const { code, out, tookMs } = await place.run(['plan', '--workspace', 'acme'])
    expect(code, out).toBe(0)
    expect(out).toContain('devs')
    expect(out).not.toContain('slow')
    expect(tookMs).toBeLessThan(50_000)
    expect(server.connections()).toBe(0)
  })

  test('one page after the other, for ever', async () => {
    const entry = (n: number): FakeEntry => ({ dn: `cn=g${n},ou=groups`, attributes: { cn: [`g${n}`] } })
    await using server = await startFakeLdap({ search: (_search, number) => ({ entries: [entry(number)], cookie: 'more' }) })
    await using place = await openPlace({ declaration, groups, workspaces, settings: ldap(server.url, { readingTimeout: '2s' }) })
    const { code, out, tookMs } = await place.run(['groups'])
    expect(code, out).toBe(1)
    expect(out).toContain('it was not read to its end within 2 s')
    expect(tookMs).toBeLessThan(50_000)
  })

  test('SIGTERM ends the reading, and it is told from a failure', async () => {
    await using server = await silent()
    await using place = await openPlace({ declaration, groups, workspaces, settings: ldap(server.url, { timeout: '60s' }) })
    const daemon = place.start(['run'])
    await daemon.until(() => server.searches.length > 0)
    const askedMs = performance.now()
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(20_000)
    expect(daemon.log().filter(({ level }) => level === 'error')).toEqual([])
    expect(daemon.log().find(({ directory }) => directory === 'slow')?.msg).toBe('slow: stopped while it was read')
  })
})
