import { once } from 'node:events'
import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer as createTlsServer, DEFAULT_CIPHERS, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { connectOrigin, NoAnswer } from '../../../src/http/origin.ts'
import { startFakeLdap } from '../directories/fakeLdap.ts'
import { type MadeCertificates, makeChain } from './madeCertificates.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/** What a person reads if TLS or a bind fails: made with real servers, and kept in causes.txt, which a person reads when it changes. */

const signal = new AbortController().signal
let made: MadeCertificates
let slapd: Slapd
const said: string[] = []

const account = (cn: string, ...lines: readonly string[]) =>
  [
    `dn: cn=${cn},dc=example,dc=org`,
    'objectClass: applicationProcess',
    'objectClass: simpleSecurityObject',
    `cn: ${cn}`,
    `userPassword:: ${Buffer.from('reader "pä$$" word').toString('base64')}`,
    ...lines,
    '',
  ].join('\n')

const policy = [
  'dn: cn=policy,dc=example,dc=org',
  ...['objectClass: device', 'objectClass: pwdPolicy', 'cn: policy', 'pwdAttribute: userPassword', 'pwdLockout: TRUE'],
  ...['pwdMaxFailure: 5', 'pwdMaxAge: 86400', 'pwdMustChange: TRUE', ''],
].join('\n')

beforeAll(async () => {
  made = makeChain()
  slapd = await startSlapd({
    groups: 3,
    members: 1,
    certificateNames: 'DNS:ldap.example.com,DNS:ldap2.example.com',
    global: 'moduleload ppolicy',
    access:
      'overlay ppolicy\nppolicy_default "cn=policy,dc=example,dc=org"\nppolicy_use_lockout\naccess to * by dn.exact="cn=blind,dc=example,dc=org" none by * read',
    ldif: [
      policy,
      account('expired', 'pwdChangedTime: 20200101000000Z'),
      account('locked', 'pwdAccountLockedTime: 000001010000Z'),
      account('reset', 'pwdReset: TRUE'),
      account('blind'),
    ].join('\n'),
  })
})
afterAll(async () => {
  made?.[Symbol.dispose]()
  await slapd?.[Symbol.asyncDispose]()
})

type Given = Partial<LdapSettings> & { readonly cn?: string; readonly password?: string }

async function ldapSays({ cn = 'reader', password = slapd.reader.password, ...given }: Given): Promise<string> {
  const settings: LdapSettings = {
    addresses: [slapd.ldap],
    bind: { dn: `cn=${cn},dc=example,dc=org`, password: () => Promise.resolve(password) },
    pageSize: 500,
    timeoutMs: 5_000,
    groupsMax: 100,
    membersMax: 100,
    referrals: 'fail',
    groups: { base: slapd.groupsBase, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn' },
    ...given,
  }
  const reading = await readLdap(settings, { now: Date.now }, signal)
  return reading.status === 'failed' ? `${reading.why}\n    ${reading.cure}` : reading.status
}

async function httpSays(port: number, ca: string | undefined): Promise<string> {
  const options = { deadlineMs: 5_000, bytesMax: 1_000, idleMs: 1_000, connections: 1, now: Date.now }
  const origin = connectOrigin(new URL(`https://localhost:${port}`), { ...options, ...(ca === undefined ? {} : { ca }) })
  try {
    return String((await origin.request({ method: 'GET', path: '/groups' }, signal)).status)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return `${error.message}\n    ${error.cure}`
  } finally {
    await origin.close()
  }
}

/** The ports of this run, and the place in the code of OpenSSL, differ each time. */
const lasting = (text: string): string => text.replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1:PORT')

/** What both protocols say about this server. */
async function bothSay(server: Server, ca: string | undefined): Promise<readonly string[]> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  try {
    const trust = ca === undefined ? {} : { ca, caFile: 'ca.pem' }
    return [await httpSays(address.port, ca), await ldapSays({ addresses: [`ldaps://localhost:${address.port}`], ...trust })]
  } finally {
    server.close()
  }
}

const tls = (options: TlsOptions): Server => createTlsServer(options, (socket) => socket.on('error', () => undefined).end())
/** A server that uses what is no longer safe. */
const unsafe = (options: TlsOptions): Server => tls({ ...options, ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` })
const plain = (): Server =>
  createTcpServer((socket) => socket.on('error', () => undefined).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))

function told(what: string, texts: readonly string[]): void {
  said.push([what, ...texts.map((text) => `  ${lasting(text)}`)].join('\n'))
}

type Row = { readonly what: string; readonly start: () => Server; readonly expected: RegExp; readonly namesNoCa?: true }

const row = (what: string, start: () => Server, expected: RegExp): Row => ({ what, start, expected })

const servers: readonly Row[] = [
  row('A certificate that is signed with SHA-1', () => unsafe(made.make('sha1', { digest: 'sha1' })), /SHA-1.*\n.*new certificate/),
  row('A certificate with a key of 1,024 bits', () => unsafe(made.make('small', { key: 'rsa:1024' })), /too short.*\n.*2,048 bits/),
  row('A certificate that has expired', () => tls(made.make('old', { days: -1 })), /has expired.*\n.*renew/),
  row(
    'A certificate for another name',
    () => tls(made.make('other', { extensions: 'subjectAltName=DNS:ldap.example.com,DNS:dc1.example.com' })),
    /it is for ldap\.example\.com and dc1\.example\.com, not for localhost.*\n.*name of the certificate/,
  ),
  {
    ...row('A certificate of a CA that nothing names', () => tls(made.make('private')), /neither sent along nor trusted.*\n.*caFile/),
    namesNoCa: true,
  },
  row(
    'A server that does not send its intermediate certificate',
    () => {
      made.make('between', { extensions: 'basicConstraints=CA:TRUE' })
      return tls(made.make('below', { by: 'between' }))
    },
    /neither sent along nor trusted.*\n.*send its intermediate certificates/,
  ),
  row(
    'A certificate for clients',
    () => tls(made.make('client', { extensions: 'subjectAltName=DNS:localhost\nextendedKeyUsage=clientAuth' })),
    /not made for a server.*\n.*serverAuth/,
  ),
  row(
    'A server that speaks only TLS 1.1',
    () => unsafe({ ...made.make('old-tls'), minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }),
    /does not speak TLS 1\.2 or 1\.3.*\n.*switch on TLS/,
  ),
  row(
    'A server without a cipher in common',
    () => tls({ ...made.make('cipher'), maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }),
    /without a reason.*\n.*cipher/,
  ),
  row(
    'A server that demands a client certificate (TLS 1.2)',
    () => tls({ ...made.make('demand'), ca: made.ca, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    /without a reason.*\n.*demands a certificate.*bind\.external/,
  ),
  row('A port without TLS', plain, /the port answers without TLS.*\n.*speaks TLS/),
]

test.each(servers)('$what', async ({ what, start, expected, namesNoCa }) => {
  const texts = await bothSay(start(), namesNoCa === true ? undefined : made.ca)
  told(what, texts)
  expect(texts).toHaveLength(2)
  for (const text of texts) {
    expect(text).toMatch(expected)
    expect(text).not.toMatch(/UNSPECIFIED|undefined|error:0A/)
  }
})

const binds: readonly (readonly [what: string, given: () => Given, expected: RegExp])[] = [
  [
    'StartTLS, and the certificate is for another name',
    () => ({ startTls: true, ca: slapd.ca }),
    /it is for ldap\.example\.com and ldap2.*serverName/s,
  ],
  ['A wrong password (OpenLDAP)', () => ({ password: 'wrong' }), /the name or the password is wrong.*check bind\.dn/s],
  ['An account that does not exist (OpenLDAP)', () => ({ cn: 'nobody' }), /the name or the password is wrong.*check bind\.dn/s],
  ['A password that has expired (OpenLDAP, ppolicy)', () => ({ cn: 'expired' }), /the password has expired.*set a new password/s],
  ['An account that is locked (OpenLDAP, ppolicy)', () => ({ cn: 'locked' }), /the account is locked.*unlock/s],
  ['A password that must be changed (OpenLDAP, ppolicy)', () => ({ cn: 'reset' }), /must be changed first.*need not be changed/s],
  ['An account that may not read (OpenLDAP)', () => ({ cn: 'blind' }), /no such entry, or the account may not see it.*may read it/s],
]

test.each(binds)('%s', async (what, given, expected) => {
  const text = await ldapSays(given())
  told(what, [text])
  expect(text).toMatch(expected)
})

/** Active Directory cannot be run here: a stand-in answers with its texts. */
test.each([
  ['52e', /the name or the password is wrong.*check bind\.dn/s],
  ['530', /may not log on at this time.*Logon Hours/s],
  ['532', /the password has expired.*set a new password/s],
  ['533', /the account is disabled.*enable/s],
  ['701', /the account has expired.*renew/s],
  ['773', /the password must be changed first.*need not be changed/s],
  ['775', /the account is locked.*unlock/s],
])('A refusal of Active Directory: data %s (a stand-in, not verified)', async (number, expected) => {
  const text = `80090308: LdapErr: DSID-0C090449, comment: AcceptSecurityContext error, data ${number}, v4563`
  await using server = await startFakeLdap({ search: () => ({}), bind: () => ({ code: 49, text }) })
  const answer = await ldapSays({ addresses: [server.url] })
  told(`Active Directory refuses the bind: data ${number} (a stand-in)`, [answer])
  expect(answer).toMatch(expected)
})

test('the texts are those that a person has read', async () => {
  expect(said).toHaveLength(servers.length + binds.length + 7)
  await expect(`${said.join('\n\n')}\n`).toMatchFileSnapshot('causes.txt')
})
