import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPlace } from '../process/program.ts'
import { membersIn } from './ldapReadings.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/** Which accounts of a real OpenLDAP are people. Where its password policy decides that, the server itself is asked: it lets an account bind, or does not. */

const suffix = 'dc=example,dc=org'
const [groups, people] = [`ou=groups,${suffix}`, `ou=people,${suffix}`]
const password = 'Passw0rd of a test'

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const at = (uid: string) => `uid=${uid},${people}`
const person = (uid: string, ...more: readonly string[]) =>
  entry(
    at(uid),
    ...['objectClass: inetOrgPerson', 'objectClass: shadowAccount', `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`],
    `userPassword: ${password}`,
    ...more,
  )
const group = (cn: string, uids: readonly string[]) =>
  entry(`cn=${cn},${groups}`, 'objectClass: groupOfNames', `cn: ${cn}`, ...uids.map((uid) => `member: ${at(uid)}`))

const hour = 3_600_000
const day = 24 * hour
const generalized = (atMs: number) =>
  new Date(atMs)
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
    .replace('T', '')
const now = Date.now()

/** uid → what the entry has. */
const byPolicy: Readonly<Record<string, string>> = {
  lockedForGood: 'pwdAccountLockedTime: 000001010000Z',
  lockedLongAgo: `pwdAccountLockedTime: ${generalized(now - 10 * day)}`,
  endedHourAgo: `pwdEndTime: ${generalized(now - hour)}`,
  endsInAnHour: `pwdEndTime: ${generalized(now + hour)}`,
  endsElsewhere: `pwdEndTime: ${generalized(now + hour - 2 * hour).replace('Z', '-0200')}`,
  endedByFraction: `pwdEndTime: ${generalized(now - hour).replace('Z', '.5Z')}`,
  endsIn2099: 'pwdEndTime: 20991231235959Z',
}
/** slapd reads the first as a time of 1971, and the second as one of 2106. */
const odd: Readonly<Record<string, string>> = {
  endsIn2107: 'pwdEndTime: 21071231235959Z',
  endedIn1969: 'pwdEndTime: 19691231235959Z',
}
/** In the year 2079. */
const expiryDay = 40_000
const expiryMs = expiryDay * day
const byShadow: Readonly<Record<string, string>> = {
  expiring: `shadowExpire: ${expiryDay}`,
  expired: 'shadowExpire: 1',
  late: 'shadowExpire: 99999',
  never: 'shadowExpire: -1',
  negative: 'shadowExpire: -7',
  zero: 'shadowExpire: 0',
}

let slapd: Slapd
beforeAll(async () => {
  slapd = await startSlapd({
    groups: 0,
    members: 0,
    global: 'include /etc/ldap/schema/nis.schema\nmoduleload ppolicy',
    access: `access to attrs=userPassword by anonymous auth\naccess to * by * read\noverlay ppolicy\nppolicy_default "cn=policy,${suffix}"`,
    ldif: [
      ...[entry(people, 'objectClass: organizationalUnit', 'ou: people')],
      entry(
        `cn=policy,${suffix}`,
        ...['objectClass: device', 'objectClass: pwdPolicy', 'cn: policy', 'pwdAttribute: userPassword'],
        ...['pwdLockout: TRUE', 'pwdLockoutDuration: 60'],
      ),
      person('ann'),
      ...Object.entries({ ...byPolicy, ...odd, ...byShadow }).map(([uid, line]) => person(uid, line)),
      group('policy', ['ann', ...Object.keys(byPolicy)]),
      group('odd', Object.keys(odd)),
      group('shadow', ['ann', ...Object.keys(byShadow)]),
    ].join('\n'),
  })
})
afterAll(() => slapd?.[Symbol.asyncDispose]())

const run = promisify(execFile)
async function binds(uid: string): Promise<boolean> {
  try {
    await run('ldapwhoami', ['-x', '-H', slapd.ldap, '-D', at(uid), '-w', password])
    return true
  } catch {
    return false
  }
}

async function read(asOfMs?: number) {
  const found = await membersIn({ addresses: [slapd.ldap], groups: { base: groups }, people: { base: people } }, asOfMs)
  const names = new Map([...Object.keys(byPolicy), ...Object.keys(odd), ...Object.keys(byShadow)].map((uid) => [uid.toLowerCase(), uid]))
  const named = (mail: string) => names.get(mail.replace('@example.org', '')) ?? mail.replace('@example.org', '')
  return { ...found, uids: (name: string) => found.known[name]?.map(named).toSorted() }
}

test('people are those whom the password policy of the server lets bind', async () => {
  const { reading, uids, notCounted } = await read()
  expect(reading.status).toBe('complete')
  const who = ['ann', ...Object.keys(byPolicy)]
  const able = (await Promise.all(who.map(async (uid) => ((await binds(uid)) ? [uid] : [])))).flat()
  expect(uids('policy')).toEqual(able.toSorted())
  expect(able.toSorted()).toEqual(['ann', 'endsElsewhere', 'endsIn2099', 'endsInAnHour', 'lockedLongAgo'])
  expect(notCounted('policy')).toMatchObject({ disabled: 3 })
})

test('an end by the policy is judged at the moment that the reader gets, not at that of the clock', async () => {
  expect((await read(now + hour + 1_000)).uids('policy')).toEqual(['ann', 'endsIn2099', 'lockedLongAgo'])
  expect((await read(now - 2 * hour)).uids('policy')).toEqual(
    ['ann', 'endedByFraction', 'endedHourAgo', 'endsElsewhere', 'endsInAnHour', 'endsIn2099', 'lockedLongAgo'].toSorted(),
  )
})

test('an end that the server itself takes for another time makes a person doubtful', async () => {
  const { reading, uids } = await read()
  expect(uids('odd')).toEqual([])
  expect(
    reading.status === 'complete' &&
      [...reading.value.values()].map(({ doubtful }) => doubtful?.members.length ?? 0).toSorted((a, b) => a - b),
  ).toEqual([0, 2, 2])
  expect(await Promise.all(Object.keys(odd).map(binds))).toEqual([false, true])
})

describe('shadowExpire', () => {
  test('ends an account with the beginning of its day; -1 never does; a value that is not understood makes a person doubtful', async () => {
    const others = ['ann', 'late', 'never']
    const before = await read(expiryMs - 1_000)
    expect(before.uids('shadow')).toEqual(['expiring', ...others].toSorted())
    expect(before.notCounted('shadow')).toMatchObject({ disabled: 1 })
    const after = await read(expiryMs + 1_000)
    expect(after.uids('shadow')).toEqual(others)
    expect(after.notCounted('shadow')).toMatchObject({ disabled: 2 })
  })

  test('is no matter of the server, which lets the account bind', async () => {
    expect(await binds('expired')).toBe(true)
  })
})

test('the program counts, limits and finds the same people, and no output names one', async () => {
  const corp = {
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
    groups: { base: groups, filter: '(cn=*)', member: 'member' },
    people: { base: people },
  }
  const projectRoles = ['policy', 'shadow'].map((group) => ({ group, project: 'ENG', role: 'member' }))
  const declaration = { version: 1, workspaces: { acme: { projectRoles } } }
  const settings = (raise: number) => ({ directories: { corp }, guards: { people: { raise } } })
  await using place = await openPlace({ declaration, groups: [], settings: settings(99) })
  const run = (...args: readonly string[]) => place.run(args, { env: { LDAP_PASSWORD: slapd.reader.password } })
  const planned = async () => {
    const { out, err } = await run('plan', '--format', 'json')
    expect(out, err).not.toBe('')
    expect(out + err).not.toMatch(/uid=|@example|lockedForGood/)
    const { workspaces } = JSON.parse(out) as {
      workspaces: readonly [{ changes: readonly { group: string; effect: { newly: object } }[]; holds: readonly object[] }]
    }
    return { changes: workspaces[0].changes.map(({ group, effect }) => [group, effect.newly]), holds: workspaces[0].holds.length }
  }
  expect(await planned()).toEqual({
    changes: [
      ['policy', { least: 5, most: 5 }],
      ['shadow', { least: 4, most: 6 }],
    ],
    holds: 0,
  })
  // ann is in both groups.
  await place.settings(settings(10))
  expect(await planned()).toMatchObject({ holds: 0 })
  await place.settings(settings(9))
  expect(await planned()).toMatchObject({ holds: 1 })

  const groupsOf = async (mail: string) => (JSON.parse((await run('who', mail, '--format', 'json')).out) as WhoJson).workspaces[0].groups
  expect(await groupsOf('ann@example.org')).toEqual(['policy', 'shadow'])
  expect(await groupsOf('endedHourAgo@example.org')).toEqual([])
  expect(await groupsOf('zero@example.org')).toEqual([])
})
type WhoJson = { readonly workspaces: readonly [{ readonly groups: readonly string[] }] }
