import { X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { type FakeEntry, type FakeLdap, type FakeOptions, startFakeLdap } from '../directories/fakeLdap.ts'
import { selfSigned } from '../selfSigned.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { ldapPeopleRows } from './ldapPeople.ts'
import { secretRows } from './plane.ts'
import { keyPlaces } from './proofs.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to a server of the kind `ldap`, or the use of its answers. */

const corp: Tree = {
  kind: 'ldap',
  addresses: ['ldap://127.0.0.1:703'],
  bind: { dn: 'cn=reader', password: { env: 'KEY' } },
  groups: { base: 'ou=groups' },
}
const secure = { ...corp, addresses: ['ldaps://127.0.0.1:703'], caFile: 'ca.pem' }
const anonymous = { ...corp, bind: 'anonymous' }

const entry = (cn: string): FakeEntry => ({
  dn: `cn=${cn},ou=groups`,
  attributes: { objectClass: ['groupOfNames'], cn: [cn], ou: [`unit of ${cn}`], member: ['uid=a', 'uid=b'] },
})
const twoGroups = { entries: [entry('devs'), entry('ops')], cookie: '' }

type Seen = {
  readonly reading: unknown
  readonly server: FakeLdap
  readonly binds: readonly (readonly [dn: string, password: string])[]
  readonly shown: ReadonlySet<string> | undefined
}

async function seen<T>(settings: Tree, look: (seen: Seen) => T, options: Partial<FakeOptions> & { readonly tls?: true } = {}): Promise<T> {
  const binds: [string, string][] = []
  const bind = (...account: [string, string]) => {
    binds.push(account)
    return { code: 0 }
  }
  await using server = await startFakeLdap({ search: () => twoGroups, bind, ...options })
  await using tls = options.tls === undefined ? undefined : await behindTls(server.url)
  await using program = await composed(settings, { ports: { [standIn.ldap]: tls?.url ?? server.url } })
  return look({ reading: await readCorp(program), server, binds, shown: tls?.shown })
}

const reading = ({ reading }: Seen) => reading
const firstSearch =
  (of: (search: FakeLdap['searches'][number]) => unknown) =>
  ({ server }: Seen) =>
    server.searches.slice(0, 1).map(of)[0]

const row = rowsOf('ldap', (base = corp) => base, seen)

const complete = { complete: ['devs', 'ops'] }

const withExternal = (external: Tree): Tree => ({ ...secure, bind: { dn: 'cn=reader', external } })
const overTls = { tls: true, whoAmI: 'dn:cn=reader' } as const
const shown = ({ reading, shown }: Seen) => ({ reading, shown: [...(shown ?? [])] })
const shownOnce = { reading: complete, shown: [new X509Certificate(selfSigned.cert).fingerprint256] }
const wrongPair = {
  reading: { failed: expect.stringContaining('the certificate and the key of bind.dn "cn=reader" cannot be used together') },
  shown: [],
}

const tokenGroups: FakeEntry = { dn: '', attributes: { tokenGroups: [Buffer.from('01010000000000050b000000', 'hex')] } }
/** It does not know "Who am I?", and shows nothing to an anonymous client. */
const withTokenGroups: Partial<FakeOptions> = {
  whoAmI: 2,
  search: ({ base, boundAs }) => (base === '' ? { entries: [tokenGroups] } : boundAs === '' ? { cookie: '' } : twoGroups),
}

export const ldapRows: readonly Row[] = [
  row(
    'addresses',
    [
      when(['ldap://127.0.0.1:703'], complete),
      when(['ldap://127.0.0.1:704'], { failed: 'ldap://127.0.0.1: cannot connect (ECONNREFUSED)' }),
    ],
    reading,
  ),
  row(
    'startTls',
    [
      when(false, complete),
      when(true, { failed: 'ldap://127.0.0.1: bind as "cn=reader": the server does not know this request (result 2)' }),
    ],
    reading,
  ),
  row(
    'allowPlaintext',
    [when(false, { failed: 'ldap://0.0.0.0 would send the password and receive the groups in plain text' }), when(true, complete)],
    reading,
    { base: { ...anonymous, addresses: ['ldap://0.0.0.0:703'] } },
  ),
  row(
    'serverName',
    [when(undefined, complete), when('other.example', { failed: expect.stringContaining('the certificate is for another name') })],
    reading,
    { base: secure, server: { tls: true } },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', complete)], reading, {
    base: { ...secure, caFile: undefined },
    server: { tls: true },
  }),
  row(
    'bind',
    [when({ dn: 'cn=reader', password: { env: 'KEY' } }, ['cn=reader', 'firstKey']), when('anonymous', ['', ''])],
    ({ binds }) => binds[0],
  ),
  row(
    'bind.proof',
    [
      when(undefined, { reading: complete, binds: ['cn=reader'], asked: ['Who am I?', 'root', 'ou=groups'] }),
      when('whoAmI', {
        reading: { failed: 'ldap://127.0.0.1: proof of identity: the server does not answer "Who am I?"' },
        binds: ['cn=reader'],
        asked: ['Who am I?'],
      }),
      when('tokenGroups', { reading: complete, binds: ['cn=reader'], asked: ['root', 'ou=groups'] }),
      when('anonymousSeesLess', { reading: complete, binds: ['cn=reader', ''], asked: Array.from({ length: 4 }, () => 'ou=groups') }),
      when('none', { reading: complete, binds: ['cn=reader'], asked: ['ou=groups'] }),
    ],
    ({ reading, binds, server }) => ({
      reading,
      binds: binds.map(([dn]) => dn),
      asked: [
        ...Array.from({ length: server.extended() }, () => 'Who am I?'),
        ...server.searches.map(({ base }) => (base === '' ? 'root' : base)),
      ],
    }),
    { base: { ...corp, expect: { atLeast: 1 } }, server: withTokenGroups },
  ),
  row('bind.dn', [when('cn=reader', 'cn=reader'), when('cn=other', 'cn=other')], ({ binds }) => binds[0]?.[0]),
  ...secretRows('directories.<ldap>.bind.password', withDirectory({ ...corp, bind: { dn: 'cn=reader' } }), (settings) =>
    seen(settings, ({ binds }) => binds[0]?.[1]),
  ),
  row('bind.external.certificateFile', [when('ca.pem', shownOnce), when('leaf.pem', wrongPair)], shown, {
    base: withExternal({ key: { file: 'signing.pem' } }),
    server: overTls,
  }),
  ...keyPlaces.map(([kind, one, other]) =>
    row(`bind.external.key.${kind}`, [when(one, shownOnce), when(other, wrongPair)], shown, {
      base: withExternal({ certificateFile: 'ca.pem' }),
      server: overTls,
    }),
  ),
  row('groups.base', [when('ou=groups', ['ou=groups']), when(['ou=a', 'ou=b'], ['ou=a', 'ou=b'])], ({ server }) =>
    server.searches.map(({ base }) => base),
  ),
  row(
    'groups.scope',
    [when('sub', 'sub'), when('one', 'one'), when('base', 'base')],
    firstSearch(({ scope }) => scope),
  ),
  row(
    'groups.filter',
    [when('(cn=a*)', '(cn=a*)'), when('(cn=b*)', '(cn=b*)')],
    firstSearch(({ filter }) => filter),
  ),
  row(
    'groups.name',
    [
      when('cn', complete),
      when('ou', { complete: ['unit of devs', 'unit of ops'] }),
      when('AD\\{cn}', { complete: ['AD\\devs', 'AD\\ops'] }),
    ],
    reading,
  ),
  row('groups.member', [when(undefined, complete), when('member', { complete: ['devs 2 members', 'ops 2 members'] })], reading),
  row(
    'groups.id',
    [when(undefined, ['cn', 'entryuuid', 'objectguid', 'nsuniqueid']), when('uid', ['cn', 'uid'])],
    firstSearch(({ attributes }) => attributes),
  ),
  ...ldapPeopleRows,
  row(
    'referrals',
    [
      when('fail', { failed: 'ldap://127.0.0.1: groups below "ou=groups": a part of it is on another server: "ldap://other/ou=x"' }),
      when('ignore', complete),
    ],
    reading,
    { server: { search: () => ({ ...twoGroups, references: ['ldap://other/ou=x'] }) } },
  ),
  row(
    'pageSize',
    [when(500, 500), when(7, 7)],
    firstSearch(({ page }) => page?.size),
  ),
  row('membersMax', [when(1, { complete: ['devs', 'ops'] }), when(2, { complete: ['devs 2 members', 'ops 2 members'] })], reading, {
    base: { ...corp, groups: { base: 'ou=groups', member: 'member' } },
  }),
  row('groupsMax', [when(1, { failed: 'ldap://127.0.0.1: groups below "ou=groups": more than 1 group' }), when(2, complete)], reading),
  row(
    'timeout',
    [when('1s', 1), when('2s', 2)],
    firstSearch(({ timeLimitS }) => timeLimitS),
  ),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: { search: () => 'silence' } },
  ),
  ...checkRows('ldap', corp, async (look) => {
    await using server = await startFakeLdap({ search: () => twoGroups })
    return await look({ [standIn.ldap]: server.url })
  }),
]
