import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import type { ExternalBind, LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { composed, readCorp, usual } from '../everySetting/composed.ts'
import { issueCertificate, makeCertificates, type Slapd, startSlapd } from './slapd.ts'

const reader = '/O=Example/CN=reader'
const mapped = 'authz-regexp "^cn=reader,o=Example$" "cn=reader,dc=example,dc=org"'
const startServer = (verify: string) => startSlapd({ groups: 3, members: 1, global: `TLSVerifyClient ${verify}\n${mapped}` })

type Pair = { readonly certificateFile: string; readonly keyFile: string }
type Over = { readonly dn?: string; readonly how?: 'ldaps' | 'StartTLS' }

const bindWith = ({ certificateFile, keyFile }: Pair, dn: string): ExternalBind => ({
  dn,
  external: { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') },
  certificateFile,
  keyFile,
})

const settingsFor = (slapd: Slapd, pair: Pair, { dn = slapd.reader.dn, how = 'ldaps' }: Over = {}): LdapSettings => ({
  addresses: [how === 'ldaps' ? slapd.ldaps : slapd.ldap],
  startTls: how === 'StartTLS',
  ca: slapd.ca,
  caFile: slapd.caFile,
  bind: bindWith(pair, dn),
  pageSize: 500,
  timeoutMs: 10_000,
  groupsMax: 1_000,
  membersMax: 1_000,
  referrals: 'fail',
  groups: { base: slapd.groupsBase, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn' },
})

async function outcome(settings: LdapSettings, log: string[] = []) {
  const reading = await readLdap(settings, { now: Date.now, log: (line) => log.push(line) }, new AbortController().signal)
  return reading.status === 'failed' ? { why: reading.why, cure: reading.cure } : { [reading.status]: reading.value.size }
}

/** A certificate of another CA with the same name. */
function foreign(slapd: Slapd): Pair {
  const folder = join(dirname(slapd.caFile), 'other-ca')
  execFileSync('mkdir', ['-p', folder])
  makeCertificates(folder)
  return issueCertificate(join(folder, 'ca.pem'), reader)
}

describe('a server that demands a client certificate', () => {
  let slapd: Slapd
  beforeAll(async () => {
    slapd = await startServer('demand')
  })
  afterAll(async () => {
    await slapd?.[Symbol.asyncDispose]()
  })

  test.each(['ldaps', 'StartTLS'] as const)('the groups are read by a certificate over %s', async (how) => {
    expect(await outcome(settingsFor(slapd, issueCertificate(slapd.caFile, reader), { how }))).toEqual({ complete: 3 })
  })

  test('the logged command finds the same, pasted into a shell', async () => {
    const log: string[] = []
    const pair = issueCertificate(slapd.caFile, reader)
    await outcome(settingsFor(slapd, pair), log)
    expect(log[0]).not.toContain(readFileSync(pair.keyFile, 'utf8').split('\n')[1])
    const found = execFileSync('sh', ['-c', log[0] ?? ''], { encoding: 'utf8' })
    expect(found.match(/^dn: /gm)).toHaveLength(3)
  })

  test.each([
    ['of another CA', () => foreign(slapd)],
    ['that has expired', () => issueCertificate(slapd.caFile, reader, -1)],
  ])('a certificate %s: the connection ends, and the cure names the certificate with its last day', async (_, pair) => {
    const shown = pair()
    for (const how of ['ldaps', 'StartTLS'] as const)
      expect(await outcome(settingsFor(slapd, shown, { how }))).toEqual({
        why: expect.stringContaining('the connection ended before the answer was complete'),
        cure: expect.stringMatching(
          /the server accepts the certificate "O=Example, CN=reader", valid until \d{4}-\d\d-\d\dT.*, of .*\.pem: .*CA.*expired.*server's log/,
        ),
      })
  })

  test('no certificate: a bind with a password cannot be tried', async () => {
    const { bind: _, ...settings } = settingsFor(slapd, issueCertificate(slapd.caFile, reader))
    const bind = { dn: slapd.reader.dn, password: () => Promise.resolve(slapd.reader.password) }
    expect(await outcome({ ...settings, bind })).toMatchObject({ why: expect.stringContaining('the connection ended') })
  })

  test.each([
    ['a certificate that the server maps to no account', '/O=Example/CN=other', undefined, '"cn=other,o=example"'],
    ['a certificate of another account than bind.dn', reader, 'cn=admin,dc=example,dc=org', '"cn=reader,dc=example,dc=org"'],
  ])('%s is refused, and the name by which the server knows it is said', async (_, subject, dn, known) => {
    expect(await outcome(settingsFor(slapd, issueCertificate(slapd.caFile, subject), dn === undefined ? {} : { dn }))).toEqual({
      why: `${slapd.ldaps}: proof of identity: the server knows "${dn ?? slapd.reader.dn}" as ${known}`,
      cure: expect.stringContaining('authz-regexp'),
    })
  })

  test('the program reads certificate and key again at each reading, and refuses a wrong pair', async () => {
    const [first, second] = [issueCertificate(slapd.caFile, reader), issueCertificate(slapd.caFile, reader)]
    const folder = dirname(slapd.caFile)
    const external = { certificateFile: join(folder, 'now.pem'), key: { file: join(folder, 'now.key') } }
    await copyFile(first.certificateFile, external.certificateFile)
    await copyFile(first.keyFile, external.key.file)
    const bind = { dn: slapd.reader.dn, external }
    const corp = { kind: 'ldap', addresses: [slapd.ldaps], caFile: slapd.caFile, bind, groups: { base: slapd.groupsBase } }
    await using program = await composed({ ...usual, directories: { corp } })
    const whole = { complete: ['g0000', 'g0001', 'g0002'] }

    expect(await readCorp(program)).toEqual(whole)
    await copyFile(second.certificateFile, external.certificateFile)
    expect(await readCorp(program)).toEqual({
      failed: expect.stringMatching(
        /^the certificate and the key of bind.dn "cn=reader,dc=example,dc=org" cannot be used together \(ERR_OSSL\w+\)/,
      ),
    })
    await copyFile(second.keyFile, external.key.file)
    expect(await readCorp(program)).toEqual(whole)
  })
})

test('a server that asks for no certificate does not offer the bind', async () => {
  await using slapd = await startServer('never')
  expect(await outcome(settingsFor(slapd, issueCertificate(slapd.caFile, reader)))).toEqual({
    why: expect.stringContaining('the server does not know this kind of bind (result 7'),
    cure: expect.stringContaining('TLSVerifyClient demand'),
  })
})

test('without TLS no certificate can be shown, so nothing is sent', async () => {
  await using slapd = await startServer('demand')
  const settings = { ...settingsFor(slapd, issueCertificate(slapd.caFile, reader)), addresses: [slapd.ldap], allowPlaintext: true }
  expect(await outcome(settings)).toEqual({
    why: `${slapd.ldap} has no TLS, in which the certificate of bind.external would be shown`,
    cure: 'use ldaps:// or startTls: true',
  })
})
