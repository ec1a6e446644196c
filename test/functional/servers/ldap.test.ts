import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { type Capabilities, readLdap } from '../../../src/directories/ldap/read.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { members } from '../../unit/bounds.ts'
import { makeCertificates, type Slapd, startSlapd } from './slapd.ts'

type Over = Partial<Omit<LdapSettings, 'groups'>> & { groups?: Partial<LdapSettings['groups']> }

const settingsFor = (slapd: Slapd, { groups, ...over }: Over = {}): LdapSettings => ({
  addresses: [slapd.ldap],
  ca: slapd.ca,
  bind: { dn: slapd.reader.dn, password: () => Promise.resolve(slapd.reader.password) },
  pageSize: 500,
  timeoutMs: 10_000,
  groupsMax: 100_000,
  membersMax: 100_000,
  referrals: 'fail',
  ...over,
  groups: { base: slapd.groupsBase, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn', members: 'member', ...groups },
})

const read = (slapd: Slapd, over?: Over, more?: Partial<Capabilities>) =>
  readLdap(settingsFor(slapd, over), { now: () => performance.now(), ...more }, new AbortController().signal)

/** Status and size, or status and reason, so that a failed expectation shows them. */
async function outcome(reading: ReturnType<typeof read>) {
  const answer = await reading
  return answer.status === 'failed'
    ? { status: answer.status, why: answer.why, cure: answer.cure }
    : { status: answer.status, groups: answer.value.size }
}

describe('2,500 groups of 10', () => {
  let slapd: Slapd
  beforeAll(async () => {
    slapd = await startSlapd({ groups: 2_500, members: 10 })
  })
  afterAll(async () => {
    await slapd?.[Symbol.asyncDispose]()
  })
  const whole = { status: 'complete', groups: 2_500 }

  test('are read whole and counted, whatever the limit of unpaged searches', async () => {
    const numbers: number[] = []
    const reading = await read(slapd, {}, { onPage: ({ groups }) => void numbers.push(groups) })
    expect(reading.status).toBe('complete')
    if (reading.status !== 'complete') return
    expect(numbers.slice(0, 5)).toEqual([500, 1_000, 1_500, 2_000, 2_500])
    expect(reading.value.get('g1234' as GroupName)).toEqual([
      { name: 'g1234', id: expect.stringMatching(/^[0-9a-f-]{36}$/), place: 'cn=g1234,ou=groups,dc=example,dc=org', size: members(10) },
    ])
    expect(new Set([...reading.value.values()].flat().map(({ size }) => size?.most))).toEqual(new Set([10]))
  })

  test('are cut by the limit of unpaged searches where pages are off', async () => {
    expect(await outcome(read(slapd, { pageSize: 0 }))).toMatchObject({ status: 'failed', why: expect.stringContaining('(result 4)') })
  })

  test.each([
    ['ldaps://', (): Over => ({ addresses: [slapd.ldaps] })],
    ['StartTLS', (): Over => ({ startTls: true })],
    ['StartTLS by host name', (): Over => ({ startTls: true, addresses: [slapd.ldap.replace('127.0.0.1', 'localhost')] })],
    ['a name of the certificate', (): Over => ({ addresses: [slapd.ldaps], serverName: 'localhost' })],
    ['the second address', (): Over => ({ addresses: ['ldap://127.0.0.1:1', 'ldaps://nowhere.invalid', slapd.ldaps] })],
    ['a page of odd size', (): Over => ({ pageSize: 7 })],
  ])('are read over %s', async (_, over) => {
    expect(await outcome(read(slapd, over()))).toEqual(whole)
  })

  test.each([['ldaps://'], ['StartTLS']])('another CA is refused over %s, and the system knows none', async (how) => {
    const over: Over = how === 'StartTLS' ? { startTls: true } : { addresses: [slapd.ldaps] }
    const folder = mkdtempSync(join(tmpdir(), 'other-ca-'))
    makeCertificates(folder)
    const ca = readFileSync(join(folder, 'ca.pem'), 'utf8')
    rmSync(folder, { recursive: true })
    const { ca: _, ...system } = settingsFor(slapd, over)
    for (const reading of [read(slapd, { ...over, ca }), readLdap(system, { now: Date.now }, new AbortController().signal)]) {
      expect(await outcome(reading)).toMatchObject({
        status: 'failed',
        why: expect.stringContaining('the certificate is refused'),
        cure: expect.stringContaining('CA'),
      })
    }
  })

  test.each([['ldaps://'], ['StartTLS']])('a certificate for another name is refused over %s', async (how) => {
    const over: Over = how === 'StartTLS' ? { startTls: true } : { addresses: [slapd.ldaps] }
    const why = expect.stringContaining('the certificate is for another name')
    expect(await outcome(read(slapd, { ...over, serverName: 'ldap.example.com' }))).toMatchObject({ status: 'failed', why })
  })

  test('plain text that somebody adds to the answer to StartTLS', async () => {
    const injected = Buffer.from('30500201', 'hex')
    await using proxy = await injectingProxy(Number(new URL(slapd.ldap).port), injected)
    expect(await outcome(read(slapd, { startTls: true, addresses: [`ldap://127.0.0.1:${proxy.port}`] }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('plain text follows the answer to StartTLS'),
    })
    await using honest = await injectingProxy(Number(new URL(slapd.ldap).port), Buffer.alloc(0))
    expect(await outcome(read(slapd, { startTls: true, addresses: [`ldap://127.0.0.1:${honest.port}`] }))).toEqual(whole)
  })

  test('ldaps:// on the plain port says so', async () => {
    const address = slapd.ldap.replace('ldap:', 'ldaps:')
    expect(await outcome(read(slapd, { addresses: [address] }))).toMatchObject({ status: 'failed', cure: expect.stringContaining('port') })
  })

  test('a wrong password', async () => {
    const bind = { dn: slapd.reader.dn, password: () => Promise.resolve('wr0ng') }
    const answer = await outcome(read(slapd, { bind }))
    expect(answer).toEqual({
      status: 'failed',
      why: `${slapd.ldap}: bind as "cn=reader,dc=example,dc=org": the name or the password is wrong (result 49)`,
      cure: expect.stringMatching(/^check bind\.dn and the password; .*locked, disabled or expired/),
    })
  })

  test('a base that is not there, and one that is no DN', async () => {
    const missing = await outcome(read(slapd, { groups: { base: 'ou=nowhere,dc=example,dc=org' } }))
    expect(missing).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('"ou=nowhere,dc=example,dc=org": there is no such entry'),
    })
    expect(await outcome(read(slapd, { groups: { base: 'groups' } }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('(result 34'),
    })
  })

  test('the logged command finds the same, pasted into a shell', async () => {
    const log: string[] = []
    await read(slapd, { startTls: true, caFile: slapd.caFile }, { log: (line) => log.push(line) })
    expect(log[0]).toContain(' -W ')
    const options = { encoding: 'utf8', maxBuffer: 10_000_000, env: { ...process.env, PASSWORD: slapd.reader.password } } as const
    const found = execFileSync('sh', ['-c', log[0]?.replace(' -W ', ' -w "$PASSWORD" ') ?? ''], options)
    expect(found.match(/^dn: /gm)).toHaveLength(2_500)
  })

  test('a filter that matches nothing', async () => {
    const log: string[] = []
    const reading = read(slapd, { groups: { filter: '(cn=nobody)' } }, { log: (line) => log.push(line) })
    expect(await outcome(reading)).toEqual({ status: 'complete', groups: 0 })
    expect(log.at(-1)).toContain('"(cn=nobody)" matches nothing')
  })
})

describe.each([['plain'], ['StartTLS'], ['ldaps']])('slapd killed on page three over %s', (how) => {
  test('fails, and does not wait for the timeout', async () => {
    await using slapd = await startSlapd({ groups: 2_500, members: 1 })
    const over: Over = how === 'plain' ? {} : how === 'StartTLS' ? { startTls: true } : { addresses: [slapd.ldaps] }
    const onPage: Capabilities['onPage'] = async ({ number }) => {
      if (number !== 2) return
      await slapd.kill()
      await sleep(50)
    }
    const reading = await read(slapd, over, { onPage })
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('on page 3 after 1,000 groups') })
    expect(reading.tookMs).toBeLessThan(9_000)
  })
})

test.each([
  ['IP:127.0.0.1', 'complete'],
  ['DNS:localhost', 'failed'],
] as const)('a certificate for %s at 127.0.0.1: %s', async (certificateNames, status) => {
  await using slapd = await startSlapd({ groups: 1, members: 1, certificateNames })
  expect((await read(slapd, { startTls: true })).status).toBe(status)
  expect((await read(slapd, { addresses: [slapd.ldaps] })).status).toBe(status)
})

test('a size limit of 500 that also counts pages is not complete', async () => {
  await using slapd = await startSlapd({ groups: 2_500, members: 1, limits: 'size.soft=500 size.hard=500 size.prtotal=500' })
  expect(await outcome(read(slapd))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('size limit'),
    cure: expect.stringContaining('prtotal'),
  })
})

test('an account that may read nothing gets success, and no groups', async () => {
  const access = `access to dn.children="ou=groups,dc=example,dc=org" by anonymous auth by * none\naccess to * by * read`
  await using slapd = await startSlapd({ groups: 50, members: 1, access })
  const log: string[] = []
  expect(await outcome(read(slapd, {}, { log: (line) => log.push(line) }))).toEqual({ status: 'complete', groups: 0 })
  expect(log.at(-1)).toContain('may lack the right')
})

test('an account that may not see the base is told that there is none', async () => {
  const access = `access to dn.subtree="ou=groups,dc=example,dc=org" by * none\naccess to * by * read`
  await using slapd = await startSlapd({ groups: 50, members: 1, access })
  const answer = await outcome(read(slapd))
  expect(answer).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('may not see it'),
    cure: expect.stringContaining(slapd.reader.dn),
  })
})

test('names, bases and filters of every sort', async () => {
  const names = ['R&D (core)*', 'a/b\\c', 'say "hi", you', 'Größe', '開発', '#hash + <x>;=y']
  const entry = (dn: string, name: string) =>
    `dn:: ${Buffer.from(dn).toString('base64')}\nobjectClass: groupOfNames\ncn:: ${Buffer.from(name).toString('base64')}\nmember: uid=a\n`
  const escaped = (name: string) => name.replaceAll(/[,+"\\<>;=#]/g, '\\$&')
  const odd = String.raw`ou=Ops\, EU \"north\",dc=example,dc=org`
  const ldif = [
    `dn: ${odd}\nobjectClass: organizationalUnit\nou: Ops, EU "north"\n`,
    ...names.map((name) => entry(`cn=${escaped(name)},${odd}`, name)),
  ].join('\n')
  await using slapd = await startSlapd({ groups: 3, members: 1, ldif })

  const reading = await read(slapd, { groups: { base: odd } })
  expect(reading.status === 'complete' && [...reading.value.keys()].toSorted()).toEqual(names.toSorted())
  const one = await read(slapd, {
    groups: { base: odd, filter: String.raw`(&(objectClass=groupOfNames)(|(cn=R&D \28core\29\2a)(cn=a/b\5cc)(cn=開*)))` },
  })
  expect(one.status === 'complete' && [...one.value.keys()].toSorted()).toEqual(['R&D (core)*', 'a/b\\c', '開発'])
  const two = await read(slapd, { groups: { base: [slapd.groupsBase, odd, 'dc=example,dc=org'] } })
  expect(two.status === 'complete' && two.value.size).toBe(names.length + 3)
  expect(two.status === 'complete' && [...two.value.values()].every((same) => same.length === 1)).toBe(true)
})

test('a group of two names is under both, and the reading is complete', async () => {
  const ldif = 'dn: cn=two,ou=groups,dc=example,dc=org\nobjectClass: groupOfNames\ncn: two\ncn: too\nmember: uid=a\n'
  await using slapd = await startSlapd({ groups: 3, members: 1, ldif })
  const reading = await read(slapd)
  if (reading.status !== 'complete') throw new Error(reading.status)
  const [two, too] = ['two', 'too'].map((name) => reading.value.get(name as GroupName)?.[0])
  expect(too).toMatchObject({ place: 'cn=two,ou=groups,dc=example,dc=org', names: ['too', 'two'] })
  expect(two).toEqual({ ...too, name: 'two' })
})

test('the number of members of a group is unknown, not 0, where nobody can know it', async () => {
  const entry = (cn: string, ...lines: string[]) => `dn: cn=${cn},ou=groups,dc=example,dc=org\ncn: ${cn}\n${lines.join('\n')}\n`
  const ldif = [
    entry('unique', 'objectClass: groupOfUniqueNames', 'uniqueMember: uid=a'),
    entry('outer', 'objectClass: groupOfNames', 'member: uid=a', 'member: cn=g0000,ou=groups,dc=example,dc=org'),
    entry('outmost', 'objectClass: groupOfNames', 'member: CN=outer,OU=groups,DC=example,DC=org'),
    entry('empty', 'objectClass: groupOfNames', 'member:'),
  ].join('\n')
  const access = `access to dn.exact="cn=g0001,ou=groups,dc=example,dc=org" attrs=member by * none\naccess to * by * read`
  await using slapd = await startSlapd({ groups: 3, members: 4, ldif, access })
  const filter = '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames))'
  const reading = await read(slapd, { groups: { filter } })
  if (reading.status !== 'complete') throw new Error(reading.status)
  const numbers = Object.fromEntries([...reading.value].map(([name, [group]]) => [name, group?.size?.most]))
  const unknown = undefined
  expect(numbers).toEqual({ g0000: 4, g0001: unknown, g0002: 4, unique: unknown, outer: 2, outmost: 1, empty: 0 })
  expect(reading.notes).toBeUndefined()
})

test('an account that may not read members is said, and no group has a number', async () => {
  await using slapd = await startSlapd({ groups: 3, members: 4, access: 'access to attrs=member by * none\naccess to * by * read' })
  const reading = await read(slapd)
  if (reading.status !== 'complete') throw new Error(reading.status)
  expect([...reading.value.values()].flat().map(({ size }) => size?.most)).toEqual([undefined, undefined, undefined])
  expect(reading.notes).toMatchObject([{ code: 'members-unreadable', sentence: expect.stringContaining(slapd.reader.dn) as string }])
})

test('a reference to another server is decided', async () => {
  const ldif =
    'dn: ou=elsewhere,ou=groups,dc=example,dc=org\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ldap://other.example.org/ou=elsewhere\n'
  await using slapd = await startSlapd({ groups: 3, members: 1, ldif })
  expect(await outcome(read(slapd))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('ldap://other.example.org/ou=elsewhere'),
  })
  expect(await outcome(read(slapd, { referrals: 'ignore' }))).toEqual({ status: 'complete', groups: 3 })
})

/** Passes on all bytes, and adds some to the first answer of the server. */
async function injectingProxy(port: number, bytes: Buffer): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.on('error', () => undefined).pipe(upstream.on('error', () => undefined))
    upstream.once('data', (first: Buffer) => {
      client.write(Buffer.concat([first, bytes]))
      upstream.pipe(client)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, [Symbol.asyncDispose]: async () => void server.close() }
}
