/**
 * The way out of a check: the setting that its message names, by which a server that behaves well in another way can be read all the same. It is another
 * proof or a weaker reading, never a complete reading without proof. `none`: why there is none.
 */
type WayOut = { readonly setting: string } | { readonly none: typeof cut }

const cut = 'it would believe a list that may be cut'
const none = { none: cut } as const
const setting = <const Name extends string>(name: Name) => ({ setting: name })

/**
 * Each check that can refuse the answers of a server, although the server may behave well in another way: of a proof, of the shape of an answer, or of
 * whether a list is whole. `test/functional/doubts` runs each check, and looks for the setting in its message.
 */
export const checks = {
  // Any directory
  'reading.empty': none,
  'reading.shrunken': setting('shrink.share'),
  'reading.lacksExpected': setting('expect'),

  // LDAP
  'ldap.noWhoAmI': setting('bind.proof'),
  'ldap.noTokenGroups': setting('bind.proof'),
  'ldap.anonymousSeesAsMuch': setting('bind.proof'),
  'ldap.anonymousIsUnclear': setting('bind.proof'),
  'ldap.seesNothing': setting('bind.proof'),
  'ldap.seenAsAnonymous': setting('bind.proof'),
  'ldap.seenAsOther': setting('bind.dn'),
  'ldap.endsAtProof': setting('bind.proof'),
  'ldap.noCookie': setting('pageSize: 0'),
  'ldap.emptyPages': setting('groups.base'),
  'ldap.elsewhere': setting('referrals: ignore'),
  'ldap.entryTwice': setting('pageSize: 0'),
  'ldap.idTwice': setting('groups.id'),
  'ldap.endlessNames': setting('groups.filter'),
  'ldap.nameless': setting('groups.filter'),
  'ldap.groupsMax': setting('groupsMax'),
  'ldap.peoplePageTwice': setting('pageSize: 0'),
  'ldap.noPeople': setting('people.filter'),
  'ldap.noIdentity': setting('people.identity'),
  'ldap.peopleMax': setting('people.filter'),
  'ldap.namesMax': setting('people.filter'),

  // All directories over HTTP
  'http.otherShape': none,
  'http.notJson': none,
  'http.compressed': none,
  'http.notUtf8': none,
  'http.tooManyValues': setting('pageSize'),
  'http.tooLarge': setting('pageSize'),
  'http.requestsMax': none,
  'http.pagesMax': none,
  'http.linkToOtherHost': setting('url'),
  'http.linkTwice': none,

  'keycloak.itemTwice': setting('pageSize'),
  'keycloak.rowMoved': setting('pageSize'),
  'keycloak.smallerPages': setting('pageSize'),
  'keycloak.smallerMemberPages': setting('members.pageSize'),
  'keycloak.seesNone': none,
  'keycloak.totalChanged': none,
  'keycloak.notAll': none,
  'keycloak.groupTwice': none,
  'keycloak.groupVanished': none,
  'keycloak.deep': none,
  'keycloak.groupsMax': setting('groupsMax'),
  'keycloak.otherPath': setting('slashes'),
  'keycloak.rolesDiffer': none,

  'entra.itemTwice': none,
  'entra.noTotal': setting('checkTotal: false'),
  'entra.totalIsLess': setting('checkTotal: false'),
  'entra.totalIsMore': none,
  'entra.assignedNotFound': none,
  'entra.notAskedFor': none,
  'entra.groupsMax': setting('groupsMax'),

  'okta.itemTwice': none,
  'okta.emptyPage': none,
  'okta.noOwnLink': none,
  'okta.lostLinks': none,
  'okta.noDate': setting('pageSize'),
  'okta.changed': none,
  'okta.otherType': setting('groups.types'),
  'okta.noEveryone': setting('groups.types'),
  'okta.groupsMax': setting('groupsMax'),

  'google.itemTwice': none,
  'google.emptyLastPage': setting('pageSize'),
  'google.emptyPage': none,
  'google.pageAgain': none,
  'google.orderIgnored': none,
  'google.ordersDiffer': none,
  'google.nameless': setting('groups.name'),
  'google.groupsMax': setting('groupsMax'),

  'scim.itemTwice': setting('pageSize: 0'),
  'scim.noId': none,
  'scim.nameless': setting('groups.filter'),
  'scim.filterIgnored': setting('groups.filter'),
  'scim.cannotPage': setting('pageSize: 0'),
  'scim.noTotal': setting('pageSize: 0'),
  'scim.totalChanged': setting('pageSize: 0'),
  'scim.totalIsLess': setting('pageSize: 0'),
  'scim.endsEarly': none,
  'scim.pageEmpty': setting('pageSize: 0'),
  'scim.firstPageAgain': setting('pageSize: 0'),
  'scim.pageMoved': setting('pageSize: 0'),
  'scim.unpagedDiffers': none,
  'scim.unpagedIsPart': none,
  'scim.groupsMax': setting('groupsMax'),
  'scim.otherResource': none,

  /** The members of one group are left out; the list of groups is whole. No setting says how many there may be. */
  'members.max': none,
} as const satisfies Readonly<Record<string, WayOut>>

export type DoubtName = keyof typeof checks

declare const made: unique symbol
/** Why an answer is not believed. Only `doubt` makes it, so that no check is without a row in `checks`. */
export type Doubt = string & { readonly [made]: true }

/** @param why a sentence; it names the way out, unless that is in the cure beside it */
export const doubt = (_check: DoubtName, why: string): Doubt => why as Doubt
