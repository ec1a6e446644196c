import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from '../process/program.ts'
import { startKeycloak } from './keycloak.ts'
import { groupsTotal, realm, secret } from './keycloakRealm.ts'
import { type Slapd, startSlapd } from './slapd.ts'

const declaration = (role: string) => ({
  version: 1,
  workspaces: { acme: { projectRoles: [{ groupRegex: 'g24(?<n>[0-9]{2})', project: 'ENG', role }] } },
})
const mapped = (role: string) => Array.from({ length: 100 }, (_, n) => `ENG g24${String(n).padStart(2, '0')} → ${role}`)

const ofSlapd = (slapd: Slapd, address = slapd.ldap) => ({
  directories: {
    corp: {
      kind: 'ldap',
      addresses: [address],
      startTls: true,
      caFile: slapd.caFile,
      bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
      groups: { base: slapd.groupsBase, filter: '(objectClass=groupOfNames)', member: 'member' },
    },
  },
})
const groupsOf2500 = () =>
  startSlapd({ groups: 2_500, members: 3, access: 'access to * by dn.exact="cn=reader,dc=example,dc=org" write by * read' })

/** `plan` and the like with the password in the environment. */
const runner = (place: Place, env: Record<string, string>) => async (args: readonly string[], code: number) => {
  const ended = await place.run(args, { env })
  expect(ended.code, ended.out + ended.err).toBe(code)
  return ended
}

test('2,500 groups of a real slapd: a pattern makes a hundred mappings, once; a group that goes leaves its mapping dangling', async () => {
  await using slapd = await groupsOf2500()
  await using place = await openPlace({
    declaration: declaration('member'),
    groups: [],
    settings: { ...ofSlapd(slapd), policy: 'exclusive' },
  })
  const { sandbox } = place
  const run = runner(place, { LDAP_PASSWORD: slapd.reader.password })

  expect((await run(['plan'], 0)).out).toContain('corp: complete, 2,500 groups')
  const first = await run(['apply', '--yes'], 0)
  expect(stateOf(sandbox)).toEqual(mapped('member'))
  expect(first.out).toContain('100 of 100 written')

  const second = await run(['run', '--once'], 0)
  expect(second.err).toContain('in sync')
  expect(writesTo(sandbox)).toHaveLength(100)
  await run(['plan', '--detailed-exitcode'], 0)

  const { dn, password } = slapd.reader
  execFileSync('ldapdelete', ['-x', '-H', slapd.ldap, '-D', dn, '-w', password, `cn=g2407,${slapd.groupsBase}`])
  const third = await run(['run', '--once'], 0)
  expect(third.err).toContain('1 dangling')
  expect(stateOf(sandbox)).toEqual(mapped('member'))
  expect(writesTo(sandbox)).toHaveLength(100)
  await run(['plan', '--fail-on', 'dangling'], 2)
})

test('a person who adds a name to a group of a real slapd holds that name, not the directory', async () => {
  const real = `dn: cn=admins,ou=groups,dc=example,dc=org\nobjectClass: groupOfNames\ncn: admins\nmember: uid=a\n`
  await using slapd = await startSlapd({ groups: 10, members: 3, ldif: real, access: 'access to * by * write' })
  const declared = (role: string) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ groups: ['admins', 'g0001', 'g0002', 'g0003'], project: 'ENG', role }] } },
  })
  await using place = await openPlace({ declaration: declared('member'), groups: [], settings: ofSlapd(slapd) })
  const run = runner(place, { LDAP_PASSWORD: slapd.reader.password })
  await run(['apply', '--yes'], 0)

  const { dn, password } = slapd.reader
  const claim = `dn: cn=g0001,${slapd.groupsBase}\nchangetype: modify\nadd: cn\ncn: admins\n${Array.from({ length: 50 }, (_, n) => `cn: n${n}\n`).join('')}`
  execFileSync('ldapmodify', ['-x', '-H', slapd.ldap, '-D', dn, '-w', password], { input: claim, stdio: ['pipe', 'ignore', 'inherit'] })
  await place.write('groups.yaml', declared('guest'))
  const applied = await run(['apply', '--yes'], 0)
  expect(stateOf(place.sandbox).toSorted()).toEqual(['ENG admins → member', 'ENG g0001 → member', 'ENG g0002 → guest', 'ENG g0003 → guest'])
  const { out } = await run(['plan'], 0)
  expect(applied.out + out).toContain('corp: complete, 11 groups')
  expect(out.replaceAll(/\s+/g, ' ')).toContain('warning group-several-names: the group has several names (admins, g0001, n0, ')
  expect(out.replaceAll(/\s+/g, ' ')).toContain('rules or mappings use admins and g0001')
  expect(out).toContain('group-several-names')
  expect((await run(['groups', '--match', 'admins'], 0)).out).toContain(`cn=g0001,${slapd.groupsBase} (names: admins, g0001, n0,`)
})

test('slapd killed in page three: nothing is written', async () => {
  await using slapd = await groupsOf2500()
  await using proxy = await pageProxy(new URL(slapd.ldap), 3, slapd.kill)
  const { corp } = ofSlapd(slapd, proxy.address).directories
  // The guards allow all changes, so only the incomplete reading stops the hundred patches.
  const guards = { raises: { count: 1_000, share: '100%' }, lowers: { count: 1_000, share: '100%' } }
  const settings = { directories: { corp: { ...corp, startTls: false } }, guards, policy: 'exclusive' }
  const rows = mapped('guest').map((line) => ({ idp_group_name: line.split(' ')[1] ?? '', project: 'ENG', role: 'guest' }))
  const workspaces = { acme: { projects: ['ENG'], projectMappings: rows } }
  await using place = await openPlace({ workspaces, declaration: declaration('member'), groups: [], settings })
  const { code, err } = await place.run(['run', '--once'], { env: { LDAP_PASSWORD: slapd.reader.password } })
  expect(code, err).toBe(1)
  expect(err).toMatch(/on page 3 after 1,\d{3} groups/)
  expect(writesTo(place.sandbox)).toEqual([])
  expect(stateOf(place.sandbox)).toEqual(mapped('guest'))
})

test('443 groups of a real Keycloak, three deep: read whole, or refused whole for want of rights', async () => {
  await using keycloak = await startKeycloak()
  const settings = (id: string) => ({
    directories: { corp: { kind: 'keycloak', url: keycloak.url.href, realm, client: { id, secret: { env: 'CLIENT_SECRET' } } } },
  })
  const leaves = {
    version: 1,
    workspaces: { acme: { projectRoles: [{ groupGlob: '/Team 12/sub-12-4/*', project: 'ENG', role: 'member' }] } },
  }
  await using place = await openPlace({ declaration: leaves, groups: [], settings: settings('view-users') })
  const run = runner(place, { CLIENT_SECRET: secret })
  const read = await run(['groups', '--format', 'json'], 0)
  const [directory] = (JSON.parse(read.out) as { directories: { status: string; groups: { name: string }[] }[] }).directories
  expect(directory?.status).toBe('complete')
  expect(directory?.groups).toHaveLength(groupsTotal)
  expect(directory?.groups.map(({ name }) => name)).toContain('/Team 12/sub-12-4/leaf-12-4-5')

  await place.settings(settings('query-groups'))
  const refused = await run(['groups'], 1)
  expect(refused.out).toContain('view-users')
  const dry = await run(['run', '--once'], 1)
  expect(writesTo(place.sandbox)).toEqual([])
  expect(dry.err + refused.out + refused.err).not.toContain(secret)

  await place.settings(settings('view-users'))
  await run(['apply', '--yes'], 0)
  expect(stateOf(place.sandbox)).toEqual([1, 2, 3, 4, 5].map((n) => `ENG /Team 12/sub-12-4/leaf-12-4-${n} → member`))
})

/**
 * Passes everything on. Of the answer to the `page`th page it passes on the first half; then it breaks the server, and closes the connection.
 */
async function pageProxy(
  upstreamUrl: URL,
  page: number,
  breakServer: () => Promise<void>,
): Promise<AsyncDisposable & { readonly address: string }> {
  let asked = 0
  const server = createServer((client) => {
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname)
    client.on('error', () => undefined)
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes: Buffer) => {
      if (isPageRequest(bytes)) asked++
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      const breaks = asked >= page
      client.write(breaks ? bytes.subarray(0, bytes.length >> 1) : bytes)
      if (!breaks) return
      upstream.pause()
      void breakServer().then(() => upstream.destroy())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    address: `ldap://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** The control's name stands in the request as text (RFC 2696). */
const isPageRequest = (bytes: Buffer): boolean => bytes.includes('1.2.840.113556.1.4.319')
