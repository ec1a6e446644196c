import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { LdapFailure } from '../../../src/directories/ldap/failure.ts'
import { firstThatWorks } from '../../../src/directories/ldap/firstServer.ts'
import { findPeople } from '../../../src/directories/ldap/people.ts'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { type FakeAnswer, type FakeEntry, type FakeOptions, type FakeSearch, startFakeLdap } from '../directories/fakeLdap.ts'
import { manyValues, numbered, rawEntry } from '../directories/rawEntry.ts'
import { seen } from './said.ts'

type Over = Partial<Omit<LdapSettings, 'groups'>> & { readonly groups?: Partial<LdapSettings['groups']> }

const base = 'ou=groups'
const dn = 'cn=reader'
const password = () => Promise.resolve('secret')
const entry = (cn: string, attributes: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `cn=${cn},${base}`,
  attributes: { cn: [cn], ...attributes },
})
const two: FakeAnswer = { entries: [entry('a'), entry('b')], cookie: '' }

async function reading(
  options: FakeOptions | FakeOptions['search'],
  { groups, ...over }: Over = {},
  read: (settings: LdapSettings, signal: AbortSignal) => Promise<Reading<unknown>> = (settings, signal) =>
    readLdap(settings, { now: Date.now }, signal),
): Promise<Reading<unknown>> {
  await using server = await startFakeLdap(typeof options === 'function' ? { search: options } : options)
  const settings: LdapSettings = {
    addresses: [server.url],
    bind: { dn, password },
    pageSize: 3,
    timeoutMs: 2_000,
    groupsMax: 100,
    membersMax: 100,
    referrals: 'fail',
    ...over,
    groups: { base, scope: 'sub', filter: '(objectClass=*)', name: 'cn', ...groups },
  }
  return await read(settings, AbortSignal.timeout(20_000))
}

/** The members of one group. */
const members = (search: FakeOptions['search'], over: Over = {}) =>
  reading(
    search,
    {
      people: { base: 'ou=people', filter: '(objectClass=person)', identity: 'mail', nested: false },
      groups: { members: 'member' },
      ...over,
    },
    (settings, signal) => {
      const group: Group = { name: 'a' as GroupName, id: `cn=a,${base}`, place: `cn=a,${base}` }
      return readLdapMembers(settings, [group], 0, { now: Date.now }, signal)
    },
  )
const person = (uid: string, attributes: FakeEntry['attributes'] = { mail: [`${uid}@x`] }): FakeEntry => ({
  dn: `uid=${uid},ou=people`,
  attributes,
})
const ofPeople =
  (people: (search: FakeSearch, number: number) => FakeAnswer) =>
  (search: FakeSearch, number: number): FakeAnswer =>
    search.base === 'ou=people' ? people(search, number) : { entries: [entry('a', { member: [] })], cookie: '' }

/** A server without "Who am I?" and tokenGroups. */
const unproved = (own: FakeAnswer, others: FakeAnswer): FakeOptions => ({
  whoAmI: 2,
  search: ({ base: asked, boundAs }) => (asked === '' ? {} : boundAs === '' ? others : own),
})
const proof = (proof: 'whoAmI' | 'tokenGroups') => ({ bind: { dn, password, proof } })

export const ldapDoubts = {
  'ldap.noWhoAmI': seen(/does not answer "Who am I\?"/, () => reading(unproved(two, {}), proof('whoAmI'))),
  'ldap.noTokenGroups': seen(/does not answer a request for tokenGroups/, () => reading(unproved(two, {}), proof('tokenGroups'))),
  'ldap.anonymousSeesAsMuch': seen(/an anonymous connection sees 2 groups/, () => reading(unproved(two, two))),
  'ldap.anonymousIsUnclear': seen(/whether an anonymous connection sees less/, () => reading(unproved(two, { result: 51 }))),
  'ldap.seesNothing': seen(/"cn=reader" sees no group/, () => reading(unproved({ cookie: '' }, { cookie: '' }))),
  'ldap.seenAsAnonymous': seen(/as anonymous, in spite of the bind/, () => reading({ search: () => two, whoAmI: '' })),
  'ldap.seenAsOther': seen(/the server knows "cn=reader" as "cn=other"/, () => reading({ search: () => two, whoAmI: 'dn:cn=other' })),
  'ldap.endsAtProof': seen(/after it was asked "Who am I\?"/, () => reading({ search: () => two, whoAmI: 'end' })),
  'ldap.noCookie': seen(/does not say whether more pages follow/, () => reading(() => ({ entries: [entry('a')] }))),
  'ldap.emptyPages': seen(/more than 1000 empty pages/, () => reading((_, number) => ({ cookie: `${number}` }))),
  'ldap.elsewhere': seen(/a part of it is on another server/, () => reading(() => ({ ...two, references: ['ldap://other/ou=x'] }))),
  'ldap.entryTwice': seen(/on two pages came/, () => reading((_, number) => ({ ...two, cookie: number === 1 ? 'x' : '' }))),
  'ldap.idTwice': seen(/with one id came twice/, () =>
    reading(() => ({ entries: ['a', 'b'].map((cn) => entry(cn, { uid: ['1'] })), cookie: '' }), { groups: { id: 'uid' } }),
  ),
  'ldap.endlessNames': seen(/too many to be compared/, () =>
    reading(
      () => ({ raw: (id) => rawEntry(id, `cn=a,${base}`, ...['cn', 'ou'].map((type) => manyValues(type, 40, numbered(6)))), cookie: '' }),
      {
        groups: { name: '{cn}{ou}' },
        groupsMax: 10_000,
      },
    ),
  ),
  'ldap.nameless': seen(/the attribute cn has no value/, () => reading(() => ({ entries: [{ dn: 'ou=x', attributes: {} }], cookie: '' }))),
  'ldap.groupsMax': seen(/: more than 1 group:/, () => reading(() => two, { groupsMax: 1 })),
  'ldap.peoplePageTwice': seen(/repeats a page, or the list changed/, () =>
    members(ofPeople((_, number) => ({ entries: [person('u')], cookie: `${number}` }))),
  ),
  'ldap.noPeople': seen(/found no people/, () => members(ofPeople(() => ({ cookie: '' })))),
  'ldap.noIdentity': seen(/none of 1 person has a value of mail/, () =>
    members(ofPeople(() => ({ entries: [person('u', {})], cookie: '' }))),
  ),
  'ldap.peopleMax': seen(/: more than 1 person:/, () =>
    reading(() => ({ entries: [person('a'), person('b')], cookie: '' }), {}, firstPeople),
  ),
  'ldap.namesMax': seen(/people name groups more than 10,000,000 times/, () =>
    members(
      ofPeople(({ attributes }) =>
        attributes.includes('memberof')
          ? {
              raw: (id) =>
                Buffer.concat(
                  ['a', 'b'].map((uid) =>
                    rawEntry(
                      id,
                      `uid=${uid},ou=people`,
                      manyValues('memberOf', 5_100_000, () => ''),
                    ),
                  ),
                ),
              cookie: '',
            }
          : { entries: [person('u')], cookie: '' },
      ),
      { timeoutMs: 60_000 },
    ),
  ),
}

/** Reads at most one person. */
async function firstPeople(settings: LdapSettings, signal: AbortSignal): Promise<Reading<unknown>> {
  const people = { base: 'ou=people', filter: '(objectClass=*)', identity: 'mail', nested: false }
  const connection = await firstThatWorks(settings, { now: Date.now }, signal)
  try {
    await findPeople(connection, settings, people, { form: 'dn', asOfMs: 0 }, () => undefined, 1)
  } catch (error) {
    if (error instanceof LdapFailure) return { status: 'failed', why: error.message, cure: error.cure ?? '', atMs: 0, tookMs: 0 }
    throw error
  } finally {
    connection.destroy()
  }
  return { status: 'complete', value: undefined, atMs: 0, tookMs: 0 }
}
