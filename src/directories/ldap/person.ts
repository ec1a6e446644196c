import { type Person, personKey } from '../../core/people/members.ts'
import type { LdapEntry } from './ber.ts'
import { dnKey } from './dn.ts'
import { stableId } from './entry.ts'
import { valuesOf } from './name.ts'
import { gidAttribute, stableIds } from './settings.ts'
import { isType } from './values.ts'

export type LdapPerson = Person & { readonly canSignIn: boolean }

type PersonEntry = {
  readonly person: LdapPerson
  /** The texts by which groups name the person, as `memberKey` gives them. */
  readonly keys: readonly string[]
  readonly hasIdentity: boolean
  /** The `objectSid` of the person's primary group in Active Directory. */
  readonly primaryGroup: string | undefined
  /** The `gidKey` of the person's primary group in POSIX; empty if there is none. `hidden`: there is one, or may be one, that cannot be read. */
  readonly gid: string
}

/** How the values of the member attribute name a person: by the DN, or by the `uid`, as `memberUid` of posixGroup does (RFC 2307). */
export type MemberForm = 'dn' | 'uid'
export const memberForm = (attribute: string): MemberForm => (isType(attribute, 'memberUid') ? 'uid' : 'dn')

/** A text that is equal for all names of the same entry; undefined if the text is no name of this form. */
export const memberKey = (form: MemberForm, name: string): string | undefined => (form === 'uid' ? name.trim().toLowerCase() : dnKey(name))

/** The name in a value: a value of `uniqueMember` may end with a bit string (RFC 4517 §3.3.21). */
export const memberName = (form: MemberForm, value: string): string =>
  form === 'dn' && value.endsWith("'B") ? value.replace(/#'[01]*'B$/, '') : value

/** Attributes that say whether an account can sign in: of Active Directory, of 389-ds, and of OpenLDAP's password policy. */
const accountControl = 'userAccountControl'
const accountLock = 'nsAccountLock'
const lockedTime = 'pwdAccountLockedTime'
/** Attributes of Active Directory: the id of a person or group, and the last part of the id of a person's primary group. */
export const sidAttribute = 'objectSid'
const primaryGroupId = 'primaryGroupID'

/** The attributes that `takePerson` needs. */
export const personAttributes = (identity: string, form: MemberForm): readonly string[] => [
  ...new Set([
    identity,
    ...stableIds,
    'objectClass',
    accountControl,
    accountLock,
    lockedTime,
    primaryGroupId,
    sidAttribute,
    gidAttribute,
    ...(form === 'uid' ? ['uid'] : []),
  ]),
]

/** In Active Directory these are kinds of the class `person`. None of them can sign in. */
const noPeople: ReadonlySet<string> = new Set(['computer', 'contact'])

/** @returns undefined if the entry is no person */
export function takePerson({ dn, attributes }: LdapEntry, identity: string, form: MemberForm): PersonEntry | undefined {
  const texts = (name: string) => valuesOf(attributes, name).map((value) => value.toString('utf8'))
  const classes = texts('objectClass').map((name) => name.toLowerCase())
  if (classes.some((name) => noPeople.has(name))) return undefined
  const names = form === 'uid' ? texts('uid') : [dn]
  const known = stableId(attributes, identity)
  const gid = gidKey(texts(gidAttribute)[0])
  const hasHiddenGid = gid === '' && (classes.length === 0 || classes.includes('posixaccount'))
  return {
    person: { id: stableId(attributes, undefined) ?? dn, key: personKey(known), canSignIn: !isDisabled(texts) },
    keys: names.flatMap((name) => memberKey(form, name) ?? []),
    hasIdentity: personKey(known) !== '',
    primaryGroup: primaryGroupOf(valuesOf(attributes, sidAttribute)[0], texts(primaryGroupId)[0]),
    gid: hasHiddenGid ? 'hidden' : gid,
  }
}

/** A `gidNumber` without leading zeros; empty if there is none. */
export const gidKey = (gid: string | undefined): string => (gid === undefined ? '' : gid.trim().replace(/^0+(?=.)/, ''))

/** Bit 2 of `userAccountControl` is ACCOUNTDISABLE. The time `000001010000Z` means that only an administrator can end the lock. */
function isDisabled(texts: (name: string) => readonly string[]): boolean {
  const has = (name: string, is: (value: string) => boolean) => texts(name).some(is)
  return (
    has(accountControl, (value) => (Number(value) & 2) !== 0) ||
    has(accountLock, (value) => value.toLowerCase() === 'true') ||
    has(lockedTime, (value) => value.startsWith('000001010000'))
  )
}

/** A SID ends with a number of 32 bits that is unique in the domain. The SID of the primary group has the group's number in its place. */
function primaryGroupOf(own: Buffer | undefined, group: string | undefined): string | undefined {
  if (own === undefined || own.length < 12 || group === undefined || !/^\d{1,10}$/.test(group)) return undefined
  const bytes = Buffer.from(own)
  bytes.writeUInt32LE(Number(group) >>> 0, bytes.length - 4)
  return bytes.toString('latin1')
}

/** The SID of a group, as `primaryGroup` of its people has it. */
export const groupSid = ({ attributes }: LdapEntry): string | undefined => valuesOf(attributes, sidAttribute)[0]?.toString('latin1')
