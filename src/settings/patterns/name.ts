import { hostPattern } from './address.ts'
import type { Keywords } from './text.ts'

/** A workspace's slug is part of the service's addresses, where `../admin` would be another path. */
export const slugPattern = '^[A-Za-z0-9_-]+$'

/** Characters that are invisible or change the direction of a text, as RE2 and JavaScript both know them. */
const unseen = '\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}'

/** A text without these characters, and without blanks at its ends. */
const without = (refused: string): string => `^[^ ${refused}](?:[^${refused}]*[^ ${refused}])?$`

/**
 * A name of a workspace, a directory or a credential in the settings: no blanks at its ends, no invisible characters. A slash ends it in keys, and in
 * the names under which the journal remembers lists and groups.
 */
export const settingsName = without(`/${unseen}`)
export const roleNamePattern = without(unseen)
/** The name of one group, which is no glob. */
export const exactGroupPattern = without(`*?${unseen}`)

/** Any text without control characters. */
export const plainTextPattern = '^[^\\x00-\\x1f\\x7f]*$'

/** The same, but no path below `~`. It has no lookahead, since Helm checks the chart's values with RE2. */
export const homelessPathPattern = '^(?:|~[^/\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*|[^~\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*)$'

/** An attribute of LDAP by its name (RFC 4512 §1.4), with options, or by its OID. */
const attribute = '(?:[A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\\.[0-9]+)+)(?:;[A-Za-z0-9-]+)*'
export const attributePattern = `^${attribute}$`

const aroundAttributes = '[^{}\\x00-\\x1f\\x7f]*'
/** An attribute, or a text with attributes in braces: `AD\\{sAMAccountName}`. */
export const nameTemplatePattern = `^(?:${attribute}|${aroundAttributes}(?:\\{${attribute}\\}${aroundAttributes})+)$`

export const hostNamePattern = `^${hostPattern}$`

/** The path of a group from the top, with a slash before each name. */
export const groupPathPattern = '^(?:/[^/\\x00-\\x1f\\x7f]+)+$'

/** https://cloud.google.com/iam/docs/reference/rest/v1/projects.locations.workloadIdentityPools.providers */
export const identityProviderPattern = '^projects/[1-9]\\d*/locations/global/workloadIdentityPools/[a-z0-9-]+/providers/[a-z0-9-]+$'

/** The customer id of a Google Workspace, or its alias for the customer of the account. */
export const customerIdPattern = '^(?:my_customer|C[0-9A-Za-z]+)$'

export const emailAddressPattern = '^[^@\\s\\x00-\\x1f\\x7f]+@[^@\\s\\x00-\\x1f\\x7f]+$'

const realmRefused = `/${unseen}`
const realmEdge = `[^ ${realmRefused}]`
const realmNoDot = `[^. ${realmRefused}]`
/** The realm is a part of addresses, so `.` and `..` would be another path. RE2 has no lookahead. */
export const realmPattern = `^(?:${realmNoDot}(?:[^${realmRefused}]*${realmEdge})?|\\.(?:${realmNoDot}|[^${realmRefused}]+${realmEdge}))$`

const hexDigits = (count: number) => `[0-9A-Fa-f]{${count}}`
const guid = `${hexDigits(8)}-${hexDigits(4)}-${hexDigits(4)}-${hexDigits(4)}-${hexDigits(12)}`
/** An id of Microsoft, such as the application (client) id. */
export const guidPattern = `^${guid}$`
/** A tenant by its id, or by a domain, which has a dot: `common` and `organizations` are no tenant to which an application could belong. */
export const tenantPattern = `^(?:${guid}|(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9]))$`

/** RFC 6749 §3.3: printable ASCII without blank, quote and backslash. */
export const scopePattern = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$'

/** A workspace without a `slug` has a name that is a slug. */
export const slugOrName: Keywords = {
  allOf: [{ patternProperties: { [slugPattern]: {} }, additionalProperties: { required: ['slug'] } }],
}
