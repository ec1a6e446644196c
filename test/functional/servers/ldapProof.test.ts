import { describe, expect, test } from 'vitest'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { openPlace } from '../process/program.ts'
import { type Slapd, type SlapdOptions, startSlapd } from './slapd.ts'

/** OpenLDAP without "Who am I?", as authentik's outpost and Google Secure LDAP are. It has no `tokenGroups`. */
const without = 'restrict extended=1.3.6.1.4.1.4203.1.11.3'
const onlyReader = 'access to attrs=userPassword by anonymous auth\naccess to * by users read by * none'

type Proof = 'whoAmI' | 'tokenGroups' | 'anonymousSeesLess' | 'none'
async function reading(options: Partial<SlapdOptions>, proof?: Proof, over: (slapd: Slapd) => Partial<LdapSettings> = () => ({})) {
  await using slapd = await startSlapd({ groups: 30, members: 2, ...options, global: [without, options.global ?? ''].join('\n') })
  const { dn, password } = slapd.reader
  const settings: LdapSettings = {
    addresses: [slapd.ldap],
    ca: slapd.ca,
    bind: { dn, password: () => Promise.resolve(password), ...(proof === undefined ? {} : { proof }) },
    pageSize: 20,
    timeoutMs: 10_000,
    groupsMax: 1_000,
    membersMax: 1_000,
    referrals: 'fail',
    groups: { base: slapd.groupsBase, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn' },
    ...over(slapd),
  }
  const read = await readLdap(settings, { now: Date.now }, new AbortController().signal)
  return read.status === 'failed'
    ? { status: read.status, why: read.why, cure: read.cure }
    : { status: read.status, groups: read.value.size }
}

const whole = { status: 'complete', groups: 30 }

describe('the default proof', () => {
  test.each<[string, Partial<SlapdOptions>]>([
    ['anonymous sees nothing', { access: onlyReader }],
    ['anonymous sees some groups', { access: `access to dn.regex="^cn=g000[0-9]," by * read\n${onlyReader}` }],
    [
      'anonymous sees all but one',
      {
        access: `access to dn.base="cn=g0007,ou=groups,dc=example,dc=org" by users read by * none\naccess to attrs=userPassword by anonymous auth\naccess to * by * read`,
      },
    ],
    ['no anonymous bind, and nothing without a bind', { global: 'disallow bind_anon\nrequire authc' }],
    ['no anonymous bind, and nothing to see', { global: 'disallow bind_anon', access: onlyReader }],
  ])('%s', async (_, options) => {
    expect(await reading(options)).toEqual(whole)
  })

  test('over StartTLS and ldaps', async () => {
    expect(await reading({ access: onlyReader }, undefined, () => ({ startTls: true }))).toEqual(whole)
    expect(await reading({ access: onlyReader }, undefined, ({ ldaps }) => ({ addresses: [ldaps] }))).toEqual(whole)
  })

  test.each<[string, Partial<SlapdOptions>]>([
    ['everybody sees all', {}],
    ['no anonymous bind, but all without a bind', { global: 'disallow bind_anon' }],
  ])('fails: %s', async (_, options) => {
    expect(await reading(options)).toEqual({
      status: 'failed',
      why: expect.stringMatching(
        /: proof of identity: the server answers neither "Who am I\?" nor a request for tokenGroups, and an anonymous connection sees 30 groups, and "cn=reader,dc=example,dc=org" sees 30, so it is not known which account the server sees$/,
      ),
      cure: 'if everybody may read these groups, write bind: anonymous; if not, let only cn=reader,dc=example,dc=org read them; or set bind.proof: none together with expect, which names groups that the account sees',
    })
  })
})

test('a named proof that the server does not offer', async () => {
  expect(await reading({ access: onlyReader }, 'whoAmI')).toMatchObject({ why: expect.stringContaining('does not answer "Who am I?"') })
  expect(await reading({ access: onlyReader }, 'tokenGroups')).toMatchObject({
    why: expect.stringContaining('does not answer a request for tokenGroups'),
  })
  expect(await reading({}, 'none')).toEqual(whole)
})

test('none needs expect, and what lacks an expected group is partial', async () => {
  await using slapd = await startSlapd({ groups: 30, members: 2, global: without })
  const { dn, password } = slapd.reader
  const corp = {
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn, password: { env: 'LDAP_PASSWORD' }, proof: 'none' },
    groups: { base: slapd.groupsBase, filter: '(objectClass=groupOfNames)' },
  }
  const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'g0001', project: 'OPS', role: 'guest' }] } } }
  await using place = await openPlace({ declaration, groups: [], settings: {} })
  const groups = async (expected?: object) => {
    await place.settings({ directories: { lab: { ...corp, ...(expected && { expect: expected }) } } })
    const { code, out, err } = await place.run(['groups', '--directory', 'lab'], { env: { LDAP_PASSWORD: password } })
    return { code, text: `${out}${err}`.replaceAll(/\s+/g, ' ') }
  }
  expect(await groups()).toEqual({ code: 78, text: expect.stringContaining('"proof: none" needs "expect"') })
  expect(await groups({ names: ['g0001', 'g0029'] })).toEqual({ code: 0, text: expect.stringContaining('lab (ldap) complete · 30 groups') })
  expect(await groups({ names: ['g0001', 'staff'] })).toEqual({
    code: 1,
    text: expect.stringContaining('lab (ldap) partial: it lacks staff, and directories.lab.expect.names requires this group'),
  })
})
