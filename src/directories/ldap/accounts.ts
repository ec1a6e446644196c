import { type AccountState, endAt, notUnderstood, type StateRow } from '../accountState.ts'
import type { Attribute } from './attribute.ts'
import { generalizedTimeMs } from './generalizedTime.ts'
import { sidAttribute } from './settings.ts'

/**
 * Which entries of LDAP are people who can sign in. docs/directories.md shows these tables.
 */

/** Object classes of entries that are no people, whatever `people.filter` says. In Active Directory most of them are kinds of the class `person`. */
export const noPeople = {
  computer: 'a computer',
  contact: 'a contact',
  'msDS-ManagedServiceAccount': 'a managed service account',
  'msDS-GroupManagedServiceAccount': 'a group managed service account',
  'msDS-DelegatedManagedServiceAccount': 'a delegated managed service account',
  foreignSecurityPrincipal: 'an account of another forest',
  group: 'a group',
  groupOfNames: 'a group',
  groupOfUniqueNames: 'a group',
  groupOfMembers: 'a group',
  groupOfEntries: 'a group',
  groupOfURLs: 'a group',
} as const

const noPeopleClasses: ReadonlySet<string> = new Set(Object.keys(noPeople).map((name) => name.toLowerCase()))

/** @param classes in lower case */
export const isNoPerson = (classes: readonly string[]): boolean => classes.some((name) => noPeopleClasses.has(name))

/** 2^63 - 1 means never. It is also later than each moment. */
const never = 0x7fff_ffff_ffff_ffffn
/** A FILETIME is the number of 100 ns since 1601. */
const fileTimeOf = (epochMs: number): bigint => (BigInt(Math.floor(epochMs)) + 11_644_473_600_000n) * 10_000n
const dayMs = 86_400_000

/** ACCOUNTDISABLE, INTERDOMAIN_TRUST_ACCOUNT, WORKSTATION_TRUST_ACCOUNT, SERVER_TRUST_ACCOUNT. */
const noSignIn = 0x2 | 0x800 | 0x1000 | 0x2000

/** `asOfMs`: epoch ms; an end that is not later has come. */
type LdapRow = StateRow<[value: string, asOfMs: number]>

const isTrue = (attribute: string, value: string): AccountState => {
  const word = value.toLowerCase()
  return word === 'true' ? 'ended' : word === 'false' ? 'works' : notUnderstood(attribute)
}
const flag = (attribute: string, of: string, source: string): LdapRow => ({
  of,
  attribute,
  ended: '`TRUE`',
  source,
  stateOf: (value) => isTrue(attribute, value),
})
const time = (attribute: string, of: string, source: string): LdapRow => ({
  of,
  attribute,
  ended: 'a time that has come',
  source,
  stateOf: (value, asOfMs) => endAt(generalizedTimeMs(value), asOfMs, attribute),
})

/** slapd takes another time for one before 1970 or after 6 February 2106: it counts seconds in 32 bits, and 2100 as a leap year (measured on 2.5.13). */
const slapdTimesMs = Date.UTC(2100, 0, 1)
const ppolicy = 'https://www.openldap.org/software/man.cgi?query=slapo-ppolicy'
const opendj = 'https://backstage.forgerock.com/docs/ds/7.3/schemaref/'
const [userAccountControl, accountExpires, accountDisabled] = ['userAccountControl', 'accountExpires', 'msDS-UserAccountDisabled']

/** What the attributes of an account say. An attribute without a value says nothing, but for `alwaysThere`. */
export const ldapStates: readonly LdapRow[] = [
  {
    of: 'Active Directory, Samba',
    attribute: userAccountControl,
    ended: 'bit 0x2 (disabled); bits 0x800, 0x1000, 0x2000 (the account of a domain or a computer)',
    source: 'https://learn.microsoft.com/troubleshoot/windows-server/active-directory/useraccountcontrol-manipulate-account-properties',
    stateOf: (value) =>
      !/^-?\d{1,10}$/.test(value) ? notUnderstood(userAccountControl) : (Number(value) & noSignIn) !== 0 ? 'ended' : 'works',
  },
  {
    of: 'Active Directory, Samba',
    attribute: accountExpires,
    ended: 'a time that has come, in 100 ns since 1601; 0 and 9223372036854775807: never',
    source: 'https://learn.microsoft.com/openspecs/windows_protocols/ms-ada1/130eca00-3894-4501-b661-9714e2783c64',
    stateOf(value, asOfMs) {
      const ends = /^\d{1,19}$/.test(value) ? BigInt(value) : -1n
      if (ends < 0n || ends > never) return notUnderstood(accountExpires)
      return ends === 0n || ends > fileTimeOf(asOfMs) ? 'works' : 'ended'
    },
  },
  flag(accountDisabled, 'AD LDS', 'https://learn.microsoft.com/windows/win32/adschema/a-msds-useraccountdisabled'),
  {
    of: 'POSIX (RFC 2307)',
    attribute: 'shadowExpire',
    ended: 'a day that has begun by UTC, in days since 1970; -1: never; 0: not known',
    source: 'https://man7.org/linux/man-pages/man5/shadow.5.html',
    stateOf: (value, asOfMs) =>
      value === '-1'
        ? 'works'
        : endAt(/^\d{1,10}$/.test(value) && Number(value) > 0 ? Number(value) * dayMs : undefined, asOfMs, 'shadowExpire'),
  },
  flag('nsAccountLock', '389-ds, FreeIPA, Oracle DSEE', 'https://www.port389.org/docs/389ds/howto/howto-account-inactivation.html'),
  {
    of: 'FreeIPA, MIT Kerberos',
    attribute: 'krbPrincipalExpiration',
    ended: 'a time that has come; `19700101000000Z`: never',
    source: 'https://github.com/freeipa/freeipa/blob/master/daemons/ipa-slapi-plugins/ipa-pwd-extop/prepost.c',
    stateOf(value, asOfMs) {
      const endsMs = generalizedTimeMs(value)
      if (endsMs === 0) return 'works'
      return endAt(endsMs !== undefined && endsMs > 0 ? endsMs : undefined, asOfMs, 'krbPrincipalExpiration')
    },
  },
  {
    of: 'OpenLDAP (ppolicy)',
    attribute: 'pwdAccountLockedTime',
    ended: '`000001010000Z`: until an administrator acts',
    source: ppolicy,
    stateOf: (value) =>
      generalizedTimeMs(value) === undefined ? notUnderstood('pwdAccountLockedTime') : value.startsWith('0000') ? 'ended' : 'works',
  },
  {
    of: 'OpenLDAP (ppolicy)',
    attribute: 'pwdEndTime',
    ended: 'a time that has come; before 1970 and from 2100 on: not known',
    source: ppolicy,
    stateOf(value, asOfMs) {
      const endsMs = generalizedTimeMs(value)
      return endAt(endsMs !== undefined && endsMs >= 0 && endsMs < slapdTimesMs ? endsMs : undefined, asOfMs, 'pwdEndTime')
    },
  },
  flag('ds-pwp-account-disabled', 'OpenDJ, PingDirectory', `${opendj}at-ds-pwp-account-disabled.html`),
  time('ds-pwp-account-expiration-time', 'OpenDJ, PingDirectory', `${opendj}at-ds-pwp-account-expiration-time.html`),
  flag('loginDisabled', 'eDirectory', 'https://ldapwiki.com/wiki/Administratively%20Disabled'),
  time('loginExpirationTime', 'eDirectory', 'https://ldapwiki.com/wiki/Account%20Expiration'),
  flag(
    'ibm-pwdAccountLocked',
    'IBM Security Directory Server',
    'https://www.ibm.com/docs/en/sdse/6.3.0?topic=SSVJJU_6.3.0/com.ibm.IBMDS.doc/admin_gd533.htm',
  ),
]

/** Each user of Active Directory has these attributes: where one is not shown, the account that reads has no right to it. A global catalogue lacks the second. */
const alwaysThere = [userAccountControl, accountExpires]

export const stateAttributes: readonly string[] = ldapStates.map(({ attribute }) => attribute)
const rows: ReadonlyMap<string, LdapRow> = new Map(ldapStates.map((row) => [row.attribute.toLowerCase(), row]))

/**
 * What is known of an account. One attribute with which nobody can sign in is enough. Values of one attribute that say different things are not understood.
 *
 * @param classes in lower case
 */
export function ldapAccountState(
  attributes: readonly Pick<Attribute, 'type' | 'count' | 'values'>[],
  classes: readonly string[],
  asOfMs: number,
): AccountState {
  const present = new Set<string>()
  let state: AccountState = 'works'
  for (const attribute of attributes) {
    if (attribute.count === 0) continue
    const type = attribute.type.toLowerCase()
    present.add(type)
    const row = rows.get(type)
    if (row === undefined) continue
    const [first = 'works', ...others] = attribute.values(valuesMax).map((value) => row.stateOf(value.toString('latin1'), asOfMs))
    const said = others.every((other) => other === first) ? first : notUnderstood(row.attribute)
    if (said === 'ended') return said
    if (said !== 'works') state = said
  }
  // Users of AD LDS have the class and the SID, too.
  if (!classes.includes('user') || !present.has(sidAttribute.toLowerCase()) || present.has(accountDisabled.toLowerCase())) return state
  const hidden = alwaysThere.filter((name) => !present.has(name.toLowerCase()))
  return hidden.length === 0 ? state : notShown(hidden.join(' and '))
}

/** All of them have one value. */
const valuesMax = 10

const notShown = (attributes: string): AccountState => ({
  unclear: `${attributes} of a member cannot be read, so it is not known whether this account can sign in: let the account of this directory read it, at a domain controller and not at a global catalogue`,
})
