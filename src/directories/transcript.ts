import { parseJson } from '../http/json.ts'
import type { Answer, Request } from '../http/origin.ts'

/** A request to a directory and its answer, without values that say something about a company. */
export type Exchange = {
  readonly server: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What is left of the JSON; undefined if the body is none. */
  readonly body: unknown
}

/** `url`: the address of the server that was asked. */
type Heard = { readonly url: URL; readonly request: Pick<Request, 'method' | 'path' | 'query'>; readonly answer: Answer }

/** A list shows its first items; the others are counted. */
const itemsMax = 3
/** A server may send lists in lists without an end. */
const depthMax = 12

/**
 * Reduces answers to their shape. Equal texts get equal names over all of them, so that it is visible which value comes again. Kept are truth values, words
 * of the vendor, numbers that count something, and the names of known parameters and fields.
 */
export function openShapes(): (heard: Heard) => Exchange {
  const names = new Map<string, string>()
  const named = (kind: string, text: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = nameFor(kind, names.size + 1)
    names.set(text, name)
    return name
  }

  const parameters = (entries: Iterable<readonly [string, string]>): readonly (readonly [string, string])[] =>
    Array.from(entries, ([name, value]) => [parametersKnown.has(name) ? name : named('parameter', name), parameter(name, value)])
  function parameter(name: string, value: string): string {
    if (parametersOfNumbers.has(name) && /^\d{1,6}$/.test(value)) return value
    return value.split(',').every((part) => parameterWords.has(part) || fieldsRead.has(part)) ? value : named('text', value)
  }
  const pathShape = (path: string): string =>
    path
      .split('/')
      .map((segment) => (segment === '' || wordsOfPaths.has(segment) ? segment : named('id', decoded(segment))))
      .join('/')

  function linkShape(link: string): string {
    if (!URL.canParse(link)) return named('text', link)
    const url = new URL(link)
    const query = parameters(url.searchParams)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    return `${named('server', url.origin)}${pathShape(url.pathname)}${query === '' ? '' : `?${query}`}`
  }

  function textShape(text: string): string {
    if (vendorWords.has(text) || scimSchemaName.test(text)) return text
    if (/^https?:\/\//.test(text)) return linkShape(text)
    if (/^[^@\s]+@[^@\s]+$/.test(text)) return named('address', text)
    return named(/^[0-9a-f-]{32,36}$/i.test(text) ? 'id' : 'text', text)
  }

  function shapeOf(value: unknown, field: string, depth: number): unknown {
    if (depth > depthMax) return 'deeper'
    if (typeof value === 'string') return textShape(value)
    if (typeof value === 'number') return fieldsOfNumbers.has(field) ? value : named('number', `${value}`)
    if (Array.isArray(value)) {
      const shown = value.slice(0, itemsMax).map((item) => shapeOf(item, field, depth + 1))
      return value.length > itemsMax ? [...shown, `${value.length - itemsMax} more`] : shown
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, fieldValue]) =>
        fieldsRead.has(name) ? [[name, shapeOf(fieldValue, name, depth + 1)] as const] : [],
      ),
    )
  }

  function headerShape(name: string, value: string): string | undefined {
    if (name === 'link')
      return Array.from(
        value.matchAll(/<([^>]*)>;\s*rel="?(next|self)"?/g),
        ([, link = '', rel]) => `<${linkShape(link)}>; rel="${rel}"`,
      ).join(', ')
    const form = headersRead.get(name)
    return form === undefined ? undefined : (form.exec(value)?.[0] ?? named('text', value))
  }

  return ({ url, request: { method, path, query = {} }, answer }) => {
    const { status, headers } = answer
    const [own = '', inPath = ''] = path.split('?', 2)
    return {
      server: named('server', url.origin),
      method,
      path: pathShape(own),
      query: Object.fromEntries(parameters([...new URLSearchParams(inPath), ...Object.entries(query)])),
      status,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => {
          const shown = headerShape(name, value)
          return shown === undefined ? [] : [[name, shown]]
        }),
      ),
      body: shapeOf(parsed(answer), '', 0),
    }
  }
}

const nameFor = (kind: string, number: number): string => {
  switch (kind) {
    case 'server':
      return `https://server-${number}.example.com`
    case 'address':
      return `person-${number}@example.com`
    case 'id':
      return `00000000-0000-0000-0000-${`${number}`.padStart(12, '0')}`
    default:
      return `${kind} ${number}`
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function parsed(answer: Answer): unknown {
  try {
    return parseJson(answer)
  } catch {
    return undefined
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/**
 * The fields of answers that readers of directories read, over all kinds. A transcript has no other field, since a server may answer more than was asked:
 * descriptions, names and addresses of people.
 */
const fieldsRead = words(
  `value @odata.nextLink @odata.count Resources totalResults startIndex itemsPerPage nextCursor groups members nextPageToken count
   id name displayName externalId email path subGroupCount profile type kind securityEnabled groupTypes principalId principalType resourceId
   samAccountName windowsDomainQualifiedName onPremisesSamAccountName onPremisesNetBiosName mailNickname clientId composite visibility
   mail userPrincipalName accountEnabled enabled active status username userName emails login primary role @odata.type $ref
   error code errorCode errors reason scimType schemas filter pagination supported`,
)

/** Fields whose numbers count something. Another number may be an id. */
const fieldsOfNumbers = words('totalResults startIndex itemsPerPage count subGroupCount @odata.count status')

/** Words of the vendors, which say nothing about a company. Any other text is replaced. */
const vendorWords = words(
  `User Group Device Application user group USER GROUP EXTERNAL CUSTOMER OWNER MANAGER MEMBER Unified DynamicMembership
   OKTA_GROUP APP_GROUP BUILT_IN ACTIVE STAGED PROVISIONED RECOVERY PASSWORD_EXPIRED LOCKED_OUT SUSPENDED DEPROVISIONED ARCHIVED
   #microsoft.graph.user #microsoft.graph.group #microsoft.graph.device #microsoft.graph.servicePrincipal #microsoft.graph.orgContact
   admin#directory#group admin#directory#groups admin#directory#member admin#directory#members Public Private HiddenMembership work home other
   ServicePrincipal Authorization_RequestDenied Request_ResourceNotFound Request_UnsupportedQuery Directory_ExpiredPageToken InvalidAuthenticationToken
   TooManyRequests rateLimitExceeded userRateLimitExceeded quotaExceeded forbidden notFound notAuthorized insufficientPermissions domainNotFound
   invalidFilter tooMany invalidSyntax invalidValue noTarget sensitive E0000004 E0000006 E0000007 E0000011 E0000022 E0000047`,
)
/** Schemas of SCIM itself. */
const scimSchemaName = /^urn:ietf:params:scim:(?:schemas:core|api:messages):2\.0:[A-Za-z]{1,40}$/

/** Parameters whose numbers are sizes and places of pages. */
const parametersOfNumbers = words('$top $skip first max count startIndex limit maxResults pageSize')
/** The names of parameters that readers and servers use. */
const parametersKnown = words(
  `$top $skip $skiptoken $select $filter $count $orderby first max count startIndex limit maxResults pageSize cursor after filter search attributes
   excludedAttributes briefRepresentation pageToken customer domain orderBy sortOrder clientId includeDerivedMembership`,
)
/** Values of parameters that the readers write themselves, apart from lists of fields. */
const parameterWords = words('true false members id email ASCENDING DESCENDING my_customer')

/** The segments of paths that the readers write themselves. */
const wordsOfPaths = words(
  `groups Groups members transitiveMembers users Users Schemas children count roles composites clients v1.0 api v1 scim v2 admin directory
   servicePrincipals appRoleAssignedTo ServiceProviderConfig organization .well-known openid-configuration`,
)

/** Headers of answers that readers use, with the form of a value that says nothing about a company. */
const headersRead: ReadonlyMap<string, RegExp> = new Map([
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
