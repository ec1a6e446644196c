import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { whyMore } from '../../../src/core/people/members.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { type FakeAnswer, type FakeEntry, startFakeLdap } from './fakeLdap.ts'

/** Members that a server knows by a DN of another form: `userid=ann` is `uid=ann`, and so is `uid=#0403616e6e`. */

const staff = 'ou=people,dc=x'
const devs = 'cn=devs,ou=groups,dc=x'
const person = (uid: string, more: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `uid=${uid},${staff}`,
  attributes: { entryUUID: [`id-${uid}`], mail: [`${uid}@x`], objectClass: ['person'], ...more },
})

type World = {
  readonly members: readonly string[]
  /** Name of a member → the entry that the server sends for it. `isPerson`: whether it matches `people.filter`. */
  readonly entries: Readonly<Record<string, FakeEntry & { readonly isPerson?: boolean }>>
  readonly nested?: boolean
}

async function membersIn({ members, entries, nested = false }: World) {
  await using server = await startFakeLdap({
    search({ base, scope, filter, typesOnly }): FakeAnswer {
      if (scope === 'sub') return { entries: [person('ann'), person('bob'), person('off', { nsAccountLock: ['true'] })], cookie: '' }
      if (base === devs) return { entries: [{ dn: devs, attributes: { objectClass: ['groupOfNames'], member: members } }] }
      const entry = entries[base]
      if (entry === undefined) return { result: 32 }
      if (filter.startsWith('(|')) return {}
      return !typesOnly && entry.isPerson !== true ? {} : { entries: [entry] }
    },
  })
  const settings: LdapSettings = {
    addresses: [server.url],
    bind: 'anonymous',
    pageSize: 10,
    timeoutMs: 1_000,
    groupsMax: 10,
    membersMax: 10,
    referrals: 'fail',
    groups: { base: 'ou=groups,dc=x', scope: 'sub', filter: '(cn=*)', name: 'cn', members: 'member' },
    people: { base: staff, filter: '(objectClass=person)', identity: 'mail', nested },
  }
  const wanted = [{ name: 'devs' as GroupName, id: devs, place: devs }]
  const reading = await readLdapMembers(settings, wanted, 0, { now: () => 0 }, new AbortController().signal)
  if (reading.status === 'failed') throw new Error(reading.why)
  const found = reading.value.get(devs)
  return {
    people: found?.people.toSorted(),
    disabled: found?.notCounted?.disabled,
    missing: reading.status === 'partial' ? reading.missing : undefined,
    why: found === undefined ? undefined : whyMore(found),
    asked: server.searches.filter(({ base }) => base in entries).map(({ typesOnly }) => typesOnly),
  }
}

const forms = [
  `userid=ann,${staff}`,
  `0.9.2342.19200300.100.1.1=ann,${staff}`,
  `uid=#0403616e6e,${staff}`,
  'uid=ann,organizationalUnitName=people,dc=x',
  `cn=alias,${staff}`,
]

describe('a member', () => {
  test.each(forms)('that the server knows as a person who was read is this person: %s', async (name) => {
    const found = await membersIn({ members: [`uid=bob,${staff}`, name], entries: { [name]: { dn: `UID=ann, ${staff}`, attributes: {} } } })
    expect(found).toMatchObject({ people: ['ann@x', 'bob@x'], missing: undefined, asked: [true] })
  })

  test('by two names is one person, and a disabled one is not counted', async () => {
    const entries = { [forms[0] as string]: person('ann'), [`userid=off,${staff}`]: person('off') }
    const found = await membersIn({ members: [`uid=ann,${staff}`, ...Object.keys(entries)], entries })
    expect(found).toMatchObject({ people: ['ann@x'], disabled: 1, missing: undefined })
  })

  test.each([false, true])(
    'below people.base that matches people.filter, and was not read, is perhaps a person (nested: %s)',
    async (nested) => {
      const name = `uid=new,${staff}`
      const found = await membersIn({ members: [name], entries: { [name]: { ...person('new'), isPerson: true } }, nested })
      expect(found).toMatchObject({ people: [], missing: undefined })
      expect(found.why).toContain('one of them matches people.filter below people.base, and was not there when the people were read')
    },
  )

  test.each<[string, string, FakeEntry & { readonly isPerson?: boolean }]>([
    ['does not match people.filter', `uid=svc,${staff}`, person('svc')],
    ['is a computer', `uid=pc,${staff}`, { ...person('pc', { objectClass: ['person', 'computer'] }), isPerson: true }],
    ['is elsewhere', 'uid=svc,ou=services,dc=x', { dn: 'uid=svc,ou=services,dc=x', attributes: {}, isPerson: true }],
  ])('that %s is still none of the people', async (_, name, entry) => {
    expect(await membersIn({ members: [name], entries: { [name]: entry } })).toMatchObject({ people: [], missing: undefined })
  })
})
