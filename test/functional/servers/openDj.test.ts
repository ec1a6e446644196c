import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { openPlace } from '../process/program.ts'
import { type Asked, groupsIn, membersIn, outcomeOf } from './ldapReadings.ts'
import { type OpenDj, root, startOpenDj, suffix } from './openDj.ts'

/** A real OpenDJ: static, dynamic and virtual static groups, `isMemberOf`, and states of accounts that an account may read only with a right of its own. */

const [groupsBase, teams, people, hidden] = [`ou=groups,${suffix}`, `ou=teams,${suffix}`, `ou=people,${suffix}`, `ou=hidden,${suffix}`]
const password = 'reader "pä$$" word'
const groupsTotal = 1_200

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string, ...lines: readonly string[]) =>
  entry(dn, 'objectClass: organizationalUnit', `ou: ${/=(.*?),/.exec(dn)?.[1]}`, ...lines)
const account = (name: string, ...more: readonly string[]) =>
  entry(
    `cn=${name},${suffix}`,
    'objectClass: applicationProcess',
    'objectClass: simpleSecurityObject',
    `cn: ${name}`,
    `userPassword:: ${Buffer.from(password).toString('base64')}`,
    ...more,
  )
const at = (uid: string) => `uid=${uid},${people}`
const person = (uid: string, ...more: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`, ...more)
const team = (cn: string) => `cn=${cn},${teams}`
const group = (dn: string, ...members: readonly string[]) =>
  entry(dn, 'objectClass: groupOfNames', `cn: ${/=(.*?),/.exec(dn)?.[1]}`, ...members.map((member) => `member: ${member}`))
const other = (cn: string, ...lines: readonly string[]) => entry(team(cn), `cn: ${cn}`, ...lines)
const nameOf = (n: number) => `g${`${n}`.padStart(4, '0')}`
const aci = (name: string, rule: string) => `aci: (version 3.0; acl "${name}"; ${rule})`.replace('(version', `${rule.split(' ')[0]}(version`)

/**
 * By default each account may read all but operational attributes such as `ds-pwp-account-disabled`. `judge` may read these, too; `shy` no `member`,
 * `blind` nothing below the hidden unit.
 */
const world = [
  ...['reader', 'judge', 'shy'].map((name) => account(name)),
  account('stopped', 'ds-pwp-account-disabled: true'),
  unit(groupsBase),
  ...Array.from({ length: groupsTotal }, (_, n) => group(`cn=${nameOf(n)},${groupsBase}`, at('ann'), at('bob'), at('cem'))),
  unit(
    people,
    `aci: (targetattr="ds-pwp-account-disabled || ds-pwp-account-expiration-time")(version 3.0; acl "states"; allow (read, search, compare) userdn="ldap:///cn=judge,${suffix}";)`,
  ),
  ...['ann', 'bob', 'cem'].map((uid) => person(uid)),
  person('off', 'ds-pwp-account-disabled: true'),
  person('past', 'ds-pwp-account-expiration-time: 20200101000000Z'),
  person('soon', 'ds-pwp-account-expiration-time: 20990101000000Z'),
  unit(
    teams,
    `aci: (targetattr="member")(version 3.0; acl "members"; deny (read, search, compare) userdn="ldap:///cn=shy,${suffix}";)`,
  ),
  group(team('inner'), `UID=Bob , OU=People,${suffix}`, at('soon'), at('gone')),
  group(team('outer'), at('ann'), team('inner')),
  group(team('empty')),
  group(team('states'), at('ann'), at('off'), at('past'), at('soon')),
  other('entries', 'objectClass: groupOfEntries', `member: ${at('ann')}`),
  other('unique', 'objectClass: groupOfUniqueNames', `uniqueMember: ${at('bob')}`, `uniqueMember: ${at('cem')}`),
  other('dynamic', 'objectClass: groupOfURLs', `memberURL: ldap:///${people}??sub?(uid=b*)`),
  other('virtual', 'objectClass: groupOfNames', 'objectClass: ds-virtual-static-group', `ds-target-group-dn: ${team('dynamic')}`),
  unit(hidden, `aci: (targetattr="*")(version 3.0; acl "hidden"; deny (all) userdn="ldap:///cn=reader,${suffix}";)`),
  group(`cn=secret,${hidden}`, at('ann')),
].join('\n')

let server: OpenDj
const run = promisify(execFile)
/** The DNs of the people who are in a group, as the server itself says. */
async function inGroup(dn: string): Promise<readonly string[]> {
  const login = ['-x', '-H', server.ldap, '-D', root.dn, '-w', root.password]
  const { stdout } = await run('ldapsearch', ['-LLL', '-o', 'ldif-wrap=no', ...login, '-b', people, `(isMemberOf=${dn})`, 'mail'])
  return [...stdout.matchAll(/^mail: (.*)$/gm)].map(([, mail = '']) => mail).toSorted()
}

beforeAll(async () => {
  server = await startOpenDj(world)
})
afterAll(() => server?.[Symbol.asyncDispose]())

type Over = Omit<Partial<Asked>, 'groups' | 'bind'> & { readonly groups?: Partial<Asked['groups']>; readonly account?: string }
const asked = ({ groups, account = 'reader', ...over }: Over = {}): Asked => ({
  addresses: [server.ldap],
  bind: { dn: `cn=${account},${suffix}`, password: async () => password },
  ...over,
  groups: { base: groupsBase, ...groups },
})
const whole = { status: 'complete', groups: groupsTotal }
test('x', async () => {
  console.log(JSON.stringify(await outcomeOf(asked())))
  console.log(JSON.stringify(await outcomeOf(asked({ pageSize: 0 }))))
  console.log(JSON.stringify(await outcomeOf(asked({ startTls: true, ca: server.ca, serverName: 'localhost' }))))
  console.log(JSON.stringify(await outcomeOf(asked({ addresses: [server.ldaps], ca: server.ca }))))
  console.log(JSON.stringify(await outcomeOf(asked({ addresses: [server.ldaps], serverName: 'localhost' }))))
  console.log(JSON.stringify(await outcomeOf(asked({ account: 'stopped' }))))
  console.log(JSON.stringify(await outcomeOf(asked({ bind: { dn: `cn=reader,${suffix}`, password: async () => 'wrong' } } as never))))
  console.log(JSON.stringify(await outcomeOf(asked({ groups: { base: `ou=nowhere,${suffix}` } }))))
  console.log(JSON.stringify(await outcomeOf(asked({ groups: { base: hidden } }))))
  console.log(JSON.stringify(await outcomeOf(asked({ bind: 'anonymous' } as never))))
  for (const account of ['reader', 'judge', 'shy'])
    for (const nested of [false, true]) {
      const m = await membersIn(asked({ account, groups: { base: teams, filter: '(cn=*)' }, people: { base: people, nested } }))
      console.log(account, nested, JSON.stringify(m.reading.status === 'complete' ? 'complete' : m.reading), JSON.stringify(m.known))
      for (const n of ['inner', 'outer', 'empty', 'states', 'entries', 'unique', 'dynamic', 'virtual']) console.log(n, JSON.stringify(m.notCounted(n)), m.more(n))
    }
  const m = await membersIn(asked({ groups: { base: teams, filter: '(cn=*)', members: 'uniqueMember' }, people: { base: people } }))
  console.log(JSON.stringify(m.known), m.more('virtual'))
  for (const n of ['inner', 'outer', 'dynamic', 'virtual']) console.log(n, await inGroup(team(n)))
})
void [openPlace, groupsIn, describe, expect, whole, aci] as unknown as GroupName
