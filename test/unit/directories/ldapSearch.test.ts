import { PagedResultsControl, SearchResponse } from 'ldapts'
import { describe, expect, test } from 'vitest'
import type { LdapEntry } from '../../../src/directories/ldap/ber.ts'
import type { Connection } from '../../../src/directories/ldap/connection.ts'
import { nothingFound } from '../../../src/directories/ldap/found.ts'
import { openSeenEntries, readBase } from '../../../src/directories/ldap/search.ts'
import { type LdapSettings, type Search, searchesOf } from '../../../src/directories/ldap/settings.ts'
import { attributesOf } from './ldapAttribute.ts'

/** An answer of the server. It has a cookie, so another page follows, unless it is the last answer. */
type Page = { readonly entries: readonly LdapEntry[]; readonly isConnectionLost?: true }

const base = 'ou=groups,dc=x'
const entry = (cn: string, attributes: Readonly<Record<string, readonly string[]>> = {}): LdapEntry => ({
  dn: `cn=${cn},${base}`,
  attributes: attributesOf({ cn: [cn], member: ['uid=a'], ...attributes }),
})
const namedTimes = (count: number) => ({ cn: Array.from({ length: count }, (_, n) => `n${n}`) })

/** A connection over which these pages arrive, without a socket. */
function connectionTo(pages: readonly Page[]) {
  const asked: string[] = []
  let isBound = true
  const connection: Pick<Connection, 'address' | 'isBound' | 'brokenBy'> & { readonly client: unknown; readonly incoming: unknown } = {
    address: 'ldap://127.0.0.1',
    isBound: () => isBound,
    brokenBy: () => undefined,
    client: { search: () => Promise.resolve({ searchReferences: [] }) },
    incoming: {
      during: (...[attributes, listener, search]: Parameters<Connection['incoming']['during']>) => {
        const page = pages[asked.length]
        asked.push(attributes.join(' '))
        for (const one of page?.entries ?? []) listener.entry(one)
        const cookie = Buffer.from(asked.length < pages.length ? 'more' : '')
        listener.done(new SearchResponse({ messageId: asked.length, controls: [new PagedResultsControl({ value: { size: 0, cookie } })] }))
        if (page?.isConnectionLost) isBound = false
        return search()
      },
    },
  }
  return { connection: connection as Connection, asked }
}

async function readFrom(pages: readonly Page[], groups: Partial<LdapSettings['groups']> = {}) {
  const settings: LdapSettings = {
    addresses: ['ldap://127.0.0.1'],
    bind: 'anonymous',
    pageSize: 3,
    timeoutMs: 1_000,
    groupsMax: 10_000,
    membersMax: 100,
    referrals: 'fail',
    groups: { base, scope: 'sub', filter: '(objectClass=*)', name: 'cn', members: 'member', ...groups },
  }
  const { connection, asked } = connectionTo(pages)
  const found = nothingFound()
  const [search] = searchesOf(settings) as [Search]
  await readBase({ connection, settings, search, foundGroups: found, seen: openSeenEntries()(), log: () => undefined, onPage: undefined })
  return { found, names: [...found.index.keys()], pages: asked.length }
}

const [x, y, z] = ['x', 'y', 'z'].map((cn) => entry(cn)) as [LdapEntry, LdapEntry, LdapEntry]

describe('an entry that came on an earlier page', () => {
  test('is noted, and the next page is read if this one also has a new entry', async () => {
    const { found, names, pages } = await readFrom([{ entries: [x] }, { entries: [x, y] }, { entries: [z] }])
    expect({ names, pages }).toEqual({ names: ['x', 'y', 'z'], pages: 3 })
    expect(found.repeated).toEqual({ count: 1, first: [`"${x.dn}"`] })
  })
  test('ends the reading if its page has no new entry: the server may repeat this page for ever', async () => {
    const { found, names, pages } = await readFrom([{ entries: [x, y] }, { entries: [x, y] }, { entries: [z] }])
    expect({ names, pages }).toEqual({ names: ['x', 'y'], pages: 2 })
    expect(found.repeated.count).toBe(2)
  })
  test('is not a page without entries, after which the next page is read', async () => {
    const { found, names } = await readFrom([{ entries: [x] }, { entries: [] }, { entries: [z] }])
    expect(names).toEqual(['x', 'z'])
    expect(found.repeated.count).toBe(0)
  })
})

test('a page is not used if its connection was lost meanwhile, although the answer looks complete', async () => {
  await expect(readFrom([{ entries: [x], isConnectionLost: true }])).rejects.toThrow('the connection ended before the answer was complete')
})

describe('an entry with more than 1,000 names', () => {
  const many = entry('x', namedTimes(1_001))
  const placesOf = async (entries: readonly LdapEntry[], name = 'cn') => {
    const { found } = await readFrom([{ entries }], { name })
    return { many: found.manyNames.first, endless: found.endlessNames.first }
  }
  test('is noted, and its names are kept', async () => {
    expect(await placesOf([many])).toEqual({ many: [`"${many.dn}"`], endless: [] })
  })
  test('may have any name if its names cannot be kept, since a template joins two attributes', async () => {
    const template = '{cn}-{o}'
    expect(await placesOf([entry('x', { ...namedTimes(1_001), o: ['a'] })], template)).toEqual({ many: [], endless: [`"${many.dn}"`] })
  })
  test('is not one with 1,000 names', async () => {
    expect(await placesOf([entry('x', namedTimes(1_000))])).toEqual({ many: [], endless: [] })
  })
})

describe('two entries with one id', () => {
  const sameIds = async (...entries: readonly LdapEntry[]) => (await readFrom([{ entries }])).found.sameId.first
  const withId = (cn: string, id: string) => entry(cn, { entryUUID: [id] })
  test('are noted by the later one, since the list may have changed meanwhile', async () => {
    expect(await sameIds(withId('x', '1'), withId('y', '2'), withId('z', '1'))).toEqual([`"${z.dn}"`])
  })
  test('are not two entries without an id, nor one entry that comes twice', async () => {
    expect(await sameIds(x, y, withId('z', '1'), withId('z', '1'))).toEqual([])
  })
  test('are not an entry without an id and one that has the DN of the first as its id', async () => {
    expect(await sameIds(x, withId('y', x.dn))).toEqual([])
  })
})
