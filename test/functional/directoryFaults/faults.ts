/** The kinds of directories, in the order of the columns. */
export const kinds = ['ldap', 'keycloak', 'entra', 'okta', 'google', 'scim', 'scimCursor', 'file'] as const
export type Kind = (typeof kinds)[number]

/**
 * What comes of a fault.
 *
 * | value | meaning |
 * |---|---|
 * | held | the reading is not complete: no change that needs the directory is written, all others are |
 * | whole | the reading is complete, because the program asked again or the fault hides no group: all changes are written |
 * | names held | the reading is complete, and the changes for the names of `heldNames` are held |
 * | none | this kind of directory has no such fault |
 */
export type Effect = 'held' | 'whole' | 'names held' | 'none'

/** One fault, and what comes of it in each kind. docs/dev/directory-faults.md is generated from these rows. */
export type Fault = {
  readonly what: string
  readonly does: Readonly<Record<Kind, Effect>>
  /** The reason that the report of the directory has, where the changes are held. */
  readonly says?: RegExp
  readonly heldNames?: readonly string[]
  /** Why some kinds have no such fault, or behave in another way. */
  readonly note?: string
  /** Only `readingTimeout` ends the reading. */
  readonly endless?: true
  /** An earlier cycle read the whole directory, so that its size and the ids of its groups are known. */
  readonly knownBefore?: true
  /** The settings have `expect: { atLeast: 12 }`. */
  readonly expects?: true
}

type Some = Partial<Record<Kind, Effect>>
const all = (effect: Effect, other: Some = {}): Fault['does'] => ({
  ...{ ldap: effect, keycloak: effect, entra: effect, okta: effect, google: effect, scim: effect, scimCursor: effect, file: effect },
  ...other,
})

/** A fault of a page, or of a connection. The reading stays incomplete. */
const paged = (what: string, says: RegExp, more: Partial<Fault> & { readonly but?: Some } = {}): Fault => {
  const { but, ...rest } = more
  return { what, does: all('held', { file: 'none', ...but }), says, note: 'A file has no pages, and no connection to a server.', ...rest }
}
const http = (what: string, effect: Effect, more: Partial<Fault> = {}): Fault => ({
  what,
  does: all(effect, { ldap: 'none', file: 'none' }),
  note: 'Only HTTP has these: tokens that expire, and the header `Retry-After`.',
  ...more,
})

const failed = /: 500[ ,]|result 80\)/
const ended = /the connection ended before the answer was complete/
const late = /^it was not read to its end within 5 s: .*readingTimeout$/
const killed = /cannot connect|the connection ended before/
const shrunk = /(?:1|2) now, 1[23] before: \d\d % fewer/
const stalls = { endless: true } as const

export const faults = {
  gone: { what: 'The server is not there; the file is missing', does: all('held'), says: /cannot connect|there is no such file/ },
  errorFirst: paged('An error instead of the first page', failed),
  errorMiddle: paged('An error instead of a page in the middle', failed),
  errorLast: paged('An error instead of the last page', failed),
  errorOnce: {
    what: 'An error instead of a page, once',
    does: all('whole', { ldap: 'held', file: 'none' }),
    says: failed,
    note: 'The cursor of an LDAP search belongs to its connection, so the next reading asks again.',
  },
  cutFirst: paged('The connection ends within the first page', ended),
  cutMiddle: paged('The connection ends within a page in the middle', ended),
  cutLast: paged('The connection ends within the last page', ended),
  resetMiddle: paged('The connection is reset within a page', ended),
  stallFirst: paged('The server stalls within the first page', late, stalls),
  stallMiddle: paged('The server stalls within a page in the middle', late, stalls),
  stallLast: paged('The server stalls within the last page', late, stalls),
  killFirst: paged('The server dies before the first page', killed),
  killMiddle: paged('The server dies before a page in the middle', killed),
  killLast: paged('The server dies before the last page', killed),
  halfEntry: {
    what: 'A group with half of its fields',
    does: all('held'),
    says: /an unexpected shape \(|the attribute cn has no value|has no displayName|"name" is missing/,
  },
  emptyPage: paged('A page without groups, and more pages after it', /empty|page without groups|no longer the same|listed 8/, {
    but: { ldap: 'whole' },
    note: 'In LDAP a page may be empty: Active Directory leaves out what the account may not see.',
  }),
  repeatedPage: paged(
    'The first page once more instead of the second',
    /came twice|on two pages|no longer the same|its first page instead|a next page that was read before/,
  ),
  endlessQuick: paged('Page after page without an end, quickly', late, stalls),
  endlessSlow: paged('Page after page without an end, slowly', late, stalls),
  otherTotal: {
    what: 'A total that is not the number of groups',
    does: all('none', { keycloak: 'held', entra: 'held', scim: 'held', scimCursor: 'held' }),
    says: /12 .*13|13 .*12/,
    note: 'Only Keycloak, Entra and SCIM tell a total.',
  },
  cutText: {
    what: 'An answer that ends in the middle of its text',
    does: all('held'),
    says: /is not whole JSON|not encoded as LDAP requires|not indented like/,
  },
  html: { what: 'A page of HTML as the answer', does: all('held'), says: /\(text\/html\)|is not LDAP|must be a map/ },
  nothing: {
    what: '200 without a body; a search result without a cursor; an empty file',
    does: all('held'),
    says: /its body \(0 characters\)|does not say whether more pages follow|the file has no value/,
  },
  partOnly: paged('206, a part of the answer; the size limit of an LDAP server', /: 206 \(|size limit was reached/),
  tenth: { what: 'A tenth of the usual groups, without an error', does: all('held'), says: shrunk, knownBefore: true },
  seesNothing: { what: 'The account sees no group', does: all('held'), says: /found no group|sees none|among the 0 groups/ },
  seesPart: {
    what: 'The account sees only a part, and `expect` is set',
    does: all('held'),
    says: /expect\.atLeast is 12/,
    expects: true,
  },
  twoNames: { what: 'Two groups have one name; an LDAP entry has two', does: all('names held'), heldNames: ['team-05'] },
  renamed: paged(
    'A group gets a name that belongs on a page that was read before',
    /no longer the same|came twice|made or renamed|changed while it was read/,
    {
      but: { ldap: 'whole' },
      note: 'An LDAP server lists a renamed entry at its old place, with its new name.',
    },
  ),
  swapped: paged('Two groups exchange their names between two pages', /came twice|on two pages|had another name/, {
    but: { entra: 'names held', scim: 'names held', scimCursor: 'names held' },
    heldNames: ['team-02', 'team-11'],
    knownBefore: true,
    note: 'Entra and SCIM show an exchange of names only by the ids of an earlier cycle. The list is then read again, and both names wait for a person.',
  }),
  tokenExpires: http('The token expires between two pages', 'whole'),
  rightsLost: paged('The account loses its rights between two pages', /: 401, |result 50\)/),
  throttledBriefly: http('429 with `Retry-After: 1`', 'whole'),
  throttledLong: http('429 with `Retry-After: 3600`', 'held', { says: /the next request is due in 1 h, and the reading has/ }),
  throttled: paged('429 without `Retry-After`, at each attempt; a busy LDAP server', /: 429[ ,]|is busy .*result 51\)/),
  redirect: paged('A redirect to another server; an LDAP referral', /: 302 \(.*redirect is not followed|another server holds this part/),
  linkElsewhere: {
    what: 'A link to a next page on another server; an LDAP search reference',
    does: all('none', { ldap: 'held', entra: 'held', okta: 'held' }),
    says: /leads to another host|is on another server/,
    note: 'The lists of Keycloak, Google and SCIM have no links.',
  },
  bomb: {
    what: 'A gzip bomb of a gigabyte',
    does: all('held', { ldap: 'none' }),
    says: /is compressed \(content-encoding: gzip\)|control character/,
    note: 'LDAP has no compression.',
  },
  huge: { what: 'An answer of two gigabytes', does: all('held'), says: /more than 33554432 bytes|larger than 16 MiB|larger than 1024 KiB/ },
  deep: {
    what: 'Lists a million deep inside each other; the same in BER; in YAML',
    does: all('held'),
    says: /an unexpected shape \(|not encoded as LDAP requires|nested too deeply/,
  },
  lagging: {
    what: 'The second address answers with an older, much smaller list',
    does: all('none', { ldap: 'held' }),
    says: shrunk,
    note: 'Only LDAP has several addresses.',
    knownBefore: true,
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults
