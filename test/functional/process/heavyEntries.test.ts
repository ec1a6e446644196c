import { describe, expect, test } from 'vitest'
import { startFakeLdap } from '../directories/fakeLdap.ts'
import { manyAttributes, manyValues, numbered, rawEntry } from '../directories/rawEntry.ts'
import { measured } from './measured.ts'
import { openPlace } from './program.ts'

/** One entry of LDAP that is nearly as large as a message can be, beside a usual group. A person who may write the entry can make it so. */

const name = manyValues('cn', 1, () => 'heavy')
const heavy: readonly (readonly [what: string, attributes: () => readonly Buffer[], code: number, says: string])[] = [
  ['5,000,000 equal names', () => [manyValues('cn', 5_000_000, () => 'a')], 0, 'devs'],
  ['2,200,000 names', () => [manyValues('cn', 2_200_000, numbered(5))], 0, 'devs'],
  ['1,500,000 attributes', () => [manyAttributes(1_500_000, numbered(5)), name], 1, 'has more than 1,000 attributes'],
  ['500,000 attributes with options', () => [manyAttributes(500_000, (index) => `cn;lang-${numbered(4)(index)}`), name], 0, 'heavy'],
  ['2,000,000 ids', () => [manyValues('entryUUID', 2_000_000, numbered(5)), name], 0, 'heavy'],
  ['900,000 members', () => [manyValues('member', 900_000, (index) => `cn=${numbered(8)(index)}`), name], 0, 'heavy'],
]

describe('an entry', () => {
  test.each(heavy)('with %s needs little memory', async (_, attributes, expected, says) => {
    const parts = attributes()
    const devs = { dn: 'cn=devs,dc=x', attributes: { cn: ['devs'], member: ['uid=a'] } }
    await using server = await startFakeLdap({
      search: () => ({ entries: [devs], raw: (id) => rawEntry(id, 'cn=heavy,dc=x', ...parts), cookie: '' }),
    })
    const corp = { kind: 'ldap', addresses: [server.url], bind: 'anonymous', groups: { base: 'dc=x', member: 'member' } }
    await using place = await openPlace({ declaration: { version: 1, workspaces: { acme: {} } }, groups: [] })
    await place.settings({ directories: { corp } })
    const { code, text, megabytes } = await measured(place, ['groups'])
    expect(code, text).toBe(expected)
    expect(text).toContain(says)
    expect(megabytes).toBeGreaterThan(50)
    expect(megabytes).toBeLessThan(250)
  })
})
