const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/**
 * The fields of answers that readers of directories read, over all kinds. A transcript has no other field, since a server may answer more than was asked:
 * descriptions, names and addresses of people.
 */
export const fieldsRead = words(
  `value @odata.nextLink @odata.count Resources totalResults startIndex itemsPerPage nextCursor groups members nextPageToken count
   id name displayName externalId email path subGroupCount profile type kind securityEnabled groupTypes principalId principalType resourceId
   samAccountName windowsDomainQualifiedName onPremisesSamAccountName onPremisesNetBiosName mailNickname clientId composite visibility
   mail userPrincipalName accountEnabled enabled active status username userName emails login primary role @odata.type $ref
   error code errorCode errors reason scimType schemas filter pagination supported`,
)

/** Fields whose numbers count something. Another number may be an id. */
export const fieldsOfNumbers = words('totalResults startIndex itemsPerPage count subGroupCount @odata.count status')

/** Words of the vendors, which say nothing about a company. Any other text is replaced. */
export const vendorWords = words(
  `User Group Device Application user group USER GROUP EXTERNAL CUSTOMER OWNER MANAGER MEMBER Unified DynamicMembership
   OKTA_GROUP APP_GROUP BUILT_IN ACTIVE STAGED PROVISIONED RECOVERY PASSWORD_EXPIRED LOCKED_OUT SUSPENDED DEPROVISIONED ARCHIVED
   #microsoft.graph.user #microsoft.graph.group #microsoft.graph.device #microsoft.graph.servicePrincipal #microsoft.graph.orgContact
   admin#directory#group admin#directory#groups admin#directory#member admin#directory#members Public Private HiddenMembership work home other
   ServicePrincipal Authorization_RequestDenied Request_ResourceNotFound Request_UnsupportedQuery Directory_ExpiredPageToken InvalidAuthenticationToken
   TooManyRequests rateLimitExceeded userRateLimitExceeded quotaExceeded forbidden notFound notAuthorized insufficientPermissions domainNotFound
   invalidFilter tooMany invalidSyntax invalidValue noTarget sensitive E0000004 E0000006 E0000007 E0000011 E0000022 E0000047`,
)
/** Schemas of SCIM itself. */
export const scimSchemaName = /^urn:ietf:params:scim:(?:schemas:core|api:messages):2\.0:[A-Za-z]{1,40}$/

/** Parameters whose numbers are sizes and places of pages. */
export const parametersOfNumbers = words('$top $skip first max count startIndex limit maxResults pageSize')
/** The names of parameters that readers and servers use. */
export const parametersKnown = words(
  `$top $skip $skiptoken $select $filter $count $orderby first max count startIndex limit maxResults pageSize cursor after filter search attributes
   excludedAttributes briefRepresentation pageToken customer domain orderBy sortOrder clientId includeDerivedMembership`,
)
/** Values of parameters that the readers write themselves, apart from lists of fields. */
export const parameterWords = words('true false members id email ASCENDING DESCENDING my_customer')

/** The segments of paths that the readers write themselves. */
export const wordsOfPaths = words(
  `groups Groups members transitiveMembers users Users Schemas children count roles composites clients v1.0 api v1 scim v2 admin directory
   servicePrincipals appRoleAssignedTo ServiceProviderConfig organization .well-known openid-configuration`,
)

/** Headers of answers that readers use, with the form of a value that says nothing about a company. */
export const headersRead: ReadonlyMap<string, RegExp> = new Map([
  ['content-type', /^[\w.+-]+\/[\w.+-]+/],
  ['content-encoding', /^[\w-]+$/],
  ['retry-after', /^\d{1,6}$/],
  ...[
    'x-rate-limit-limit',
    'x-rate-limit-remaining',
    'x-rate-limit-reset',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ].map((name) => [name, /^\d{1,12}$/] as const),
])
