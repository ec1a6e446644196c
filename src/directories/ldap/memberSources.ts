import { type Attribute, hasValuesOf, isType, withoutOptions } from './attribute.ts'

/**
 * By what LDAP servers make members. The number of people of a group is exact only if the group has nothing but what is read: each of its object classes is
 * in `plainClasses`, and none of its attributes makes members beside `groups.member`. docs/directories.md shows these lists.
 */

/**
 * Object classes that make members by nothing but these attributes. An entry of such a class that shows no value of its attributes has none, or the account
 * may not read them: some servers demand a value of a class, others do not.
 */
export const plainClasses = {
  top: [],
  groupOfNames: ['member'],
  groupOfUniqueNames: ['uniqueMember'],
  groupOfMembers: ['member'],
  groupOfEntries: ['member'],
  posixGroup: ['memberUid', 'gidNumber'],
  organizationalRole: ['roleOccupant'],
  // Active Directory.
  group: ['member', 'objectSid'],
  // 389-ds and FreeIPA.
  nsMemberOf: [],
  inetUser: [],
  ipaObject: [],
  ipaUserGroup: ['member'],
  nestedGroup: ['member'],
  ipaNTGroupAttrs: [],
  mepManagedEntry: [],
} as const

/** Attributes of a group that name members, or a search that finds them. Attributes with `member` in their name are recognised without this list. */
export const memberAttributes = [
  ...['member', 'uniqueMember', 'memberUid', 'memberURL', 'roleOccupant', 'labeledURI', 'nisNetgroupTriple', 'memberNisNetgroup'],
  // eDirectory, IBM, FreeIPA, Oracle, Samba 3, Zimbra.
  ...['equivalentToMe', 'memberQueryURL', 'memberQuery', 'groupMember', 'dgIdentity', 'ibm-memberGroup', 'memberUser', 'ipaExternalMember'],
  ...['mgrpRFC822MailMember', 'mgrpDeliverTo', 'sambaSIDList', 'zimbraMailForwardingAddress'],
  // Active Directory and Exchange.
  ...['msDS-AzLDAPQuery', 'msDS-MembersForAzRole', 'nonSecurityMember', 'msSFU30PosixMember', 'msExchDynamicDLFilter', 'msExchQueryFilter'],
] as const

/** Attributes of people that name their groups. */
export const groupAttributes = ['memberOf', 'isMemberOf', 'groupMembership', 'securityEquals', 'dgMemberOf', 'ibm-allGroups'] as const

/** Attributes with `member` in their name that make no members: the groups above, who manages members, a number. Names with `BL` at the end are back links. */
const harmless = /memberOf|memberManager|memberCount|BL$/i

/** Whether only groups have this attribute. People may have the others of the list: `labeledURI` is also the address of a home page. */
export const isOfGroups = (type: string): boolean => /member/i.test(type) && !harmless.test(withoutOptions(type))

function makesMembers(type: string): boolean {
  const bare = withoutOptions(type)
  return isOfGroups(bare) || memberAttributes.some((name) => isType(name, bare))
}

/** Those that are asked for by name, since not every server sends them with `*`. */
export const sourceAttributes = (member: string): readonly string[] => memberAttributes.filter((name) => !isType(name, member))

const plain: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(plainClasses).map(([name, attributes]) => [name.toLowerCase(), attributes]),
)

function classesOf(attributes: readonly Attribute[]): readonly string[] {
  const classes: string[] = []
  for (const attribute of attributes) {
    if (isType(attribute.type, 'objectClass')) attribute.each((bytes, start, end) => classes.push(bytes.toString('latin1', start, end)))
  }
  return classes
}

/**
 * By what a group may have members beside the values of `groups.member`; undefined if it has nothing of this kind.
 * @param attributes of the group, with `objectClass` @param member the setting `groups.member`
 */
export function otherSource(attributes: readonly Attribute[], member: string): string | undefined {
  if (/url|query|filter/i.test(member)) return `${member} says by a search who is a member, and this program does not make that search`
  const other = attributes.find((one) => one.count > one.emptyCount && makesMembers(one.type) && !hasValuesOf(one, member))
  if (other !== undefined) return `${other.type} may give it members, and this program reads only ${member}`
  const unknown = classesOf(attributes).find((name) => !plain.has(name.toLowerCase()))
  return unknown === undefined ? undefined : `this program does not know how its object class ${unknown} makes members`
}

/** Attributes beside `groups.member` that may make members of a group, and of which it shows no value. The account may lack the right to read them. */
export function unshown(attributes: readonly Attribute[], member: string): readonly string[] {
  const classes = classesOf(attributes)
  const names = new Set<string>(classes.length === 0 ? ['objectClass'] : [])
  for (const name of classes) {
    for (const maker of plain.get(name.toLowerCase()) ?? []) if (!isType(maker, member)) names.add(maker)
  }
  return names.size === 0 ? none : [...names].filter((name) => !attributes.some((one) => one.count > 0 && hasValuesOf(one, name)))
}
const none: readonly string[] = []
