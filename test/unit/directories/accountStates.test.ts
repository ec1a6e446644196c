import { FilterParser } from 'ldapts'
import { describe, expect, test } from 'vitest'
import { accountStates, unread } from '../../../scripts/generate/accountStates.ts'
import { type AccountState, byState } from '../../../src/directories/accountState.ts'
import { entraState } from '../../../src/directories/entra/members.ts'
import { googleState } from '../../../src/directories/google/members.ts'
import { keycloakState } from '../../../src/directories/keycloak/members.ts'
import { ldapAccountState, ldapStates, noPeople } from '../../../src/directories/ldap/accounts.ts'
import { generalizedTimeMs } from '../../../src/directories/ldap/generalizedTime.ts'
import { personKeys } from '../../../src/directories/ldap/people.ts'
import { oktaState } from '../../../src/directories/okta/members.ts'
import { scimUser } from '../../../src/directories/scim/answers.ts'
import { attributesOf } from './ldapAttribute.ts'

type Values = Readonly<Record<string, readonly (string | Buffer)[]>>
type Shown = 'works' | 'ended' | 'unclear'
const shown = (state: AccountState): Shown => (typeof state === 'string' ? state : 'unclear')

/** A moment with a fraction of a second, as clocks have them. */
const now = Date.UTC(2026, 10, 29, 12, 30, 15, 250)
const second = 1_000
const state = (attributes: Values, asOfMs = now, classes: readonly string[] = []) =>
  shown(ldapAccountState(attributesOf(attributes), classes, asOfMs))

const fileTime = (atMs: number) => `${(BigInt(atMs) + 11_644_473_600_000n) * 10_000n}`
const generalized = (atMs: number) => new Date(atMs).toISOString().replace(/[-:T]/g, '')

describe('an account of LDAP', () => {
  const ends = Date.UTC(2027, 0, 1)
  test.each([
    ['accountExpires', fileTime(ends)],
    ['shadowExpire', `${ends / 86_400_000}`],
    ['krbPrincipalExpiration', '20270101000000Z'],
    ['pwdEndTime', '20270101000000Z'],
    ['ds-pwp-account-expiration-time', '20270101000000.000Z'],
    ['loginExpirationTime', '202701010130+0130'],
  ])('ends by %s at its moment: one second before it works, one second after it has ended', (attribute, value) => {
    const at = (asOfMs: number) => state({ [attribute]: [value] }, asOfMs)
    expect([at(ends - second), at(ends - 1), at(ends), at(ends + second)]).toEqual(['works', 'works', 'ended', 'ended'])
    expect(at(ends + 1.5)).toBe('ended')
  })

  test('has all rows whose end is a moment in the test above', () => {
    const words = ldapStates.filter(({ ended }) => /time that has come|day that has begun/.test(ended)).map(({ attribute }) => attribute)
    expect(words.toSorted()).toEqual(
      [
        ...['accountExpires', 'ds-pwp-account-expiration-time', 'krbPrincipalExpiration', 'loginExpirationTime', 'pwdEndTime'],
        'shadowExpire',
      ].toSorted(),
    )
  })

  test.each<[attribute: string, value: string, expected: Shown]>([
    ['userAccountControl', '512', 'works'],
    ['userAccountControl', '66048', 'works'],
    ['userAccountControl', '514', 'ended'],
    ['userAccountControl', '66050', 'ended'],
    ['userAccountControl', '4096', 'ended'],
    ['userAccountControl', '532480', 'ended'],
    ['userAccountControl', '2080', 'ended'],
    // Locked, or with a password that has expired, the person can sign in again.
    ['userAccountControl', `${512 | 0x10 | 0x800000}`, 'works'],
    ['userAccountControl', '-2147483136', 'works'],
    ['userAccountControl', '-2147483134', 'ended'],
    ['userAccountControl', '0x202', 'unclear'],
    ['userAccountControl', 'disabled', 'unclear'],
    ['userAccountControl', '', 'unclear'],
    ['accountExpires', '0', 'works'],
    ['accountExpires', '9223372036854775807', 'works'],
    ['accountExpires', '9223372036854775806', 'works'],
    ['accountExpires', '9223372036854775808', 'unclear'],
    // The year 9999, and the first moment of 1601.
    ['accountExpires', '2650467743990000000', 'works'],
    ['accountExpires', '1', 'ended'],
    ['accountExpires', '-1', 'unclear'],
    ['accountExpires', 'never', 'unclear'],
    ['accountExpires', '20270101000000Z', 'unclear'],
    ['accountExpires', ' 0', 'unclear'],
    ['msDS-UserAccountDisabled', 'TRUE', 'ended'],
    ['msDS-UserAccountDisabled', 'FALSE', 'works'],
    ['shadowExpire', '-1', 'works'],
    ['shadowExpire', '99999', 'works'],
    ['shadowExpire', '2147483647', 'works'],
    ['shadowExpire', '1', 'ended'],
    // shadow(5): "should not be used", and programs read it in two ways.
    ['shadowExpire', '0', 'unclear'],
    ['shadowExpire', '-2', 'unclear'],
    ['shadowExpire', '2027-01-01', 'unclear'],
    ['shadowExpire', '20271.5', 'unclear'],
    ['nsAccountLock', 'TRUE', 'ended'],
    ['nsaccountlock', 'true', 'ended'],
    ['nsAccountLock', 'False', 'works'],
    ['nsAccountLock', 'yes', 'unclear'],
    ['krbPrincipalExpiration', '19700101000000Z', 'works'],
    ['krbPrincipalExpiration', '19700101000001Z', 'ended'],
    ['krbPrincipalExpiration', '19691231235959Z', 'unclear'],
    ['krbPrincipalExpiration', '99991231235959Z', 'works'],
    ['pwdAccountLockedTime', '000001010000Z', 'ended'],
    ['pwdAccountLockedTime', '00000101000000Z', 'ended'],
    ['pwdAccountLockedTime', '20260101000000Z', 'works'],
    ['pwdAccountLockedTime', 'forever', 'unclear'],
    // OpenLDAP itself reads another time.
    ['pwdEndTime', '16010101000000Z', 'unclear'],
    ['pwdEndTime', '19691231235959Z', 'unclear'],
    ['pwdEndTime', '19700101000000Z', 'ended'],
    ['pwdEndTime', '20991231235959Z', 'works'],
    ['pwdEndTime', '21000101000000Z', 'unclear'],
    ['pwdEndTime', '99991231235959Z', 'unclear'],
    ['loginExpirationTime', '16010101000000Z', 'ended'],
    ['loginExpirationTime', '99991231235959Z', 'works'],
    ['pwdEndTime', '20260230000000Z', 'unclear'],
    ['ds-pwp-account-disabled', 'true', 'ended'],
    ['loginDisabled', 'TRUE', 'ended'],
    ['ibm-pwdAccountLocked', 'FALSE', 'works'],
  ])('%s: %s → %s', (attribute, value, expected) => {
    expect(state({ [attribute]: [value] })).toBe(expected)
  })

  test('works if no attribute says otherwise', () => {
    expect(state({})).toBe('works')
    expect(state(Object.fromEntries(ldapStates.map(({ attribute }) => [attribute, []])))).toBe('works')
  })

  test('has ended by one attribute, whatever the others say; values of one attribute that differ are not understood', () => {
    expect(state({ nsAccountLock: ['x'], userAccountControl: ['514'], accountExpires: ['0'] })).toBe('ended')
    expect(state({ userAccountControl: ['512'], shadowExpire: ['x'] })).toBe('unclear')
    expect(state({ nsAccountLock: ['TRUE', 'FALSE'] })).toBe('unclear')
    expect(state({ nsAccountLock: ['TRUE', 'true'] })).toBe('ended')
    expect(ldapAccountState(attributesOf({ shadowExpire: ['x'] }), [], now)).toEqual({
      unclear: 'shadowExpire of a member has a value that is not understood, so it is not known whether this account can sign in',
    })
  })

  test('of Active Directory is not known if an attribute is hidden that each user has', () => {
    const user = ['top', 'person', 'organizationalperson', 'user']
    const of = (attributes: Values, classes = user) =>
      ldapAccountState(attributesOf({ objectSid: [Buffer.alloc(28)], ...attributes }), classes, now)
    expect(of({ userAccountControl: ['512'], accountExpires: ['0'] })).toBe('works')
    expect(of({})).toEqual({
      unclear: expect.stringMatching(/^userAccountControl and accountExpires of a member cannot be read.*let the account/),
    })
    // A global catalogue.
    expect(of({ userAccountControl: ['512'] })).toEqual({ unclear: expect.stringMatching(/^accountExpires of a member cannot be read/) })
    expect(of({ userAccountControl: ['514'] })).toBe('ended')
    expect(of({ accountExpires: ['1'] })).toBe('ended')
    // AD LDS, and another directory.
    expect(of({ 'msDS-UserAccountDisabled': ['FALSE'] })).toBe('works')
    expect(of({}, ['inetorgperson'])).toBe('works')
    expect(shown(ldapAccountState(attributesOf({}), user, now))).toBe('works')
  })

  test.each([...Object.keys(noPeople), 'COMPUTER'])('of the object class %s is no person', (name) => {
    const classes = (...names: readonly string[]) => ({ dn: 'cn=a', attributes: attributesOf({ objectClass: names }) })
    expect(personKeys(classes('top', 'person', name), 'dn')).toBeUndefined()
    expect(personKeys(classes('top', 'person', 'user'), 'dn')).toEqual(['cn=a'])
  })
})

describe('an account over HTTP', () => {
  test('of Keycloak and Entra is enabled or not', () => {
    expect([true, false, undefined, null, 'false', 1].map((enabled) => shown(keycloakState.stateOf(enabled)))).toEqual([
      ...['works', 'ended'],
      ...['unclear', 'unclear', 'unclear', 'unclear'],
    ])
    expect([true, false].map((isEnabled) => entraState.stateOf(isEnabled))).toEqual(['works', 'ended'])
  })

  test('of Okta and Google has a status', () => {
    const okta = (...statuses: readonly string[]) => new Set(statuses.map((status) => shown(oktaState.stateOf(status))))
    expect(okta('ACTIVE', 'PROVISIONED', 'RECOVERY', 'PASSWORD_EXPIRED', 'LOCKED_OUT')).toEqual(new Set(['works']))
    expect(okta('STAGED', 'SUSPENDED', 'DEPROVISIONED')).toEqual(new Set(['ended']))
    expect(okta('', 'active', 'NEW')).toEqual(new Set(['unclear']))
    expect(['ACTIVE', 'SUSPENDED', 'ARCHIVED', undefined, 'INVITED'].map((status) => shown(googleState.stateOf(status)))).toEqual([
      ...['works', 'ended', 'ended', 'unclear', 'unclear'],
    ])
  })

  test('of SCIM is active, also if the server writes that as a text, or not at all', () => {
    const active = (value: unknown) => shown(scimUser.parse({ id: '1', active: value }).account)
    expect([true, 'True', null, undefined].map(active)).toEqual(['works', 'works', 'works', 'works'])
    expect(shown(scimUser.parse({ id: '1' }).account)).toBe('works')
    expect([false, 'false', 'False'].map(active)).toEqual(['ended', 'ended', 'ended'])
    expect(['no', '', 0, [], {}, { toString: null }].map(active)).toEqual([
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
      'unclear',
    ])
  })
})

test('who may be a person is doubtful, and who cannot sign in is no person', () => {
  const states: readonly AccountState[] = ['works', 'ended', { unclear: 'x' }, 'ended']
  const person = (at: number) => ({ id: `${at}`, key: '' })
  expect(byState(states.keys(), (at) => states[at] as AccountState, person)).toEqual({
    people: [person(0)],
    doubtful: { members: [person(2)], why: 'x' },
    notCounted: { disabled: 2 },
  })
})

describe('a generalized time', () => {
  test.each([
    ['20270101000000Z', '2027-01-01T00:00:00.000Z'],
    ['2027010100Z', '2027-01-01T00:00:00.000Z'],
    ['202701010000Z', '2027-01-01T00:00:00.000Z'],
    ['20270101000000.0Z', '2027-01-01T00:00:00.000Z'],
    ['20270101000000,75Z', '2027-01-01T00:00:00.750Z'],
    ['202701010030.5Z', '2027-01-01T00:30:30.000Z'],
    ['2027010100.25Z', '2027-01-01T00:15:00.000Z'],
    ['20270101000000+0100', '2026-12-31T23:00:00.000Z'],
    ['20270101000000-08', '2027-01-01T08:00:00.000Z'],
    ['20270101000000.5-0130', '2027-01-01T01:30:00.500Z'],
    ['20261231235960Z', '2027-01-01T00:00:00.000Z'],
    ['20280229000000Z', '2028-02-29T00:00:00.000Z'],
    ['16010101000000Z', '1601-01-01T00:00:00.000Z'],
    ['99991231235959Z', '9999-12-31T23:59:59.000Z'],
    ['000001010000Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(generalizedTimeMs(text)).toBe(new Date(expected).getTime())
  })

  test.each([
    ...['', 'never', '20270101000000', '20270101', '20270230000000Z', '20270229000000Z', '20271301000000Z', '20270001000000Z'],
    ...[
      '20270100000000Z',
      '20270101240000Z',
      '20270101006000Z',
      '20270101000061Z',
      '20270101000000+2400',
      '20270101000000+0060',
      '270101000000Z',
    ],
    ...['20270101000000.Z', '20270101000000z', '2027-01-01T00:00:00Z', ' 20270101000000Z', '20270101000000Z\n'],
  ])('"%s" is none', (text) => {
    expect(generalizedTimeMs(text)).toBeUndefined()
  })

  test('is written back as it was read', () => {
    expect(generalizedTimeMs(generalized(now))).toBe(now)
  })
})

describe('the table in docs/directories.md', () => {
  test('has each attribute once, with a page', () => {
    const attributes = ldapStates.map(({ attribute }) => attribute.toLowerCase())
    expect(new Set(attributes).size).toBe(attributes.length)
    for (const { source } of ldapStates) expect(source).toMatch(/^https:\/\//)
    for (const line of accountStates()
      .split('\n')
      .filter((text) => text.startsWith('|')))
      expect(line.match(/\|/g), line).toSatisfy(isRow)
  })
  const isRow = (bars: readonly string[] | null) => bars?.length === 4 || bars?.length === 5

  test('names as not read what is not read, and its filters are filters of LDAP', () => {
    const read = new Set(ldapStates.map(({ attribute }) => attribute.toLowerCase()))
    for (const { attributes, of, so } of unread) {
      if (!['Google', 'a file'].includes(of)) for (const name of attributes) expect(read.has(name.toLowerCase()), name).toBe(false)
      for (const [, filter = ''] of so.matchAll(/`(\([^`]*\))`/g)) expect(() => FilterParser.parseString(filter), filter).not.toThrow()
    }
    expect(unread.filter(({ so }) => so.includes('`(')).length).toBeGreaterThan(5)
  })
})
