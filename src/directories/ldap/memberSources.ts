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
  // OpenDJ and its relatives: the server computes the values of the attribute of the other class.
  'ds-virtual-static-group': [],
} as const

/** What such a group lacks if it shows no value of the attribute. An administrator must allow that it does; a right to read it is not enough. */
export const computedMembers = (classes: readonly string[], member: string): string | undefined =>
  classes.some((name) => isType(name, 'ds-virtual-static-group'))
    ? `the server computes the members of a virtual static group, and does not show them: set allow-retrieving-membership for its virtual attribute ${member} on the server`
    : undefined

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

/** A cache of a pure function: the entries of a reading have the same few attributes. A server may send any number of names, so only the first are kept. */
const makers = new Map<string, boolean>()
const makersMax = 100

function makesMembers(type: string): boolean {
  const known = makers.get(type)
  if (known !== undefined) return known
  const bare = withoutOptions(type)
  const makes = isOfGroups(bare) || memberAttributes.some((name) => isType(name, bare))
  if (makers.size < makersMax) makers.set(type, makes)
  return makes
}

/** Those that are asked for by name, since not every server sends them with `*`. */
export const sourceAttributes = (member: string): readonly string[] => memberAttributes.filter((name) => !isType(name, member))

const plain: ReadonlyMap<string, readonly string[]> = new Map(
  // Most servers send a name as the schema writes it.
  Object.entries(plainClasses).flatMap(([name, attributes]) => [[name, attributes] as const, [name.toLowerCase(), attributes] as const]),
)

/**
 * By what a group may have members beside the values of `groups.member`. `more`: what is sure to be there, or may be; undefined if there is nothing of this
 * kind. `unshown`: attributes that may make members, and of which the group shows no value. The account may lack the right to read them.
 */
type MemberSources = { readonly more: string | undefined; readonly unshown: readonly string[] }

/**
 * @param attributes of the group, with `objectClass`
 * @param member the setting `groups.member`
 */
export function memberSources(attributes: readonly Attribute[], member: string): MemberSources {
  const missing: string[] = []
  let unknownClass: string | undefined
  let hasClass = false
  const note = (name: string) => {
    if (
      !isType(name, member) &&
      !missing.includes(name) &&
      !attributes.some((attribute) => attribute.count > 0 && hasValuesOf(attribute, name))
    )
      missing.push(name)
  }
  for (const attribute of attributes) {
    if (!isType(attribute.type, 'objectClass')) continue
    attribute.each((bytes, start, end) => {
      const name = bytes.toString('latin1', start, end)
      const classMakers = plain.get(name) ?? plain.get(name.toLowerCase())
      hasClass = true
      if (classMakers === undefined) unknownClass ??= name
      else for (const maker of classMakers) note(maker)
    })
  }
  if (!hasClass) note('objectClass')
  return { more: otherSource(attributes, member, unknownClass), unshown: missing }
}

function otherSource(attributes: readonly Attribute[], member: string, unknownClass: string | undefined): string | undefined {
  if (/url|query|filter/i.test(member)) return `${member} says by a search who is a member, and this program does not make that search`
  const source = attributes.find(
    (attribute) => attribute.count > attribute.emptyCount && !hasValuesOf(attribute, member) && makesMembers(attribute.type),
  )
  if (source !== undefined) return `${source.type} may give it members, and this program reads only ${member}`
  return unknownClass === undefined ? undefined : `this program does not know how its object class ${unknownClass} makes members`
}
