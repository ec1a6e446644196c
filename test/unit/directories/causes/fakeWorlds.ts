import { generateKeyPairSync } from 'node:crypto'
import type { GroupName } from '../../../../src/core/mapping.ts'
import type { Reading } from '../../../../src/core/reading.ts'
import { noDeadline } from '../../../../src/directories/deadline.ts'
import { entra } from '../../../../src/directories/entra/read.ts'
import { google } from '../../../../src/directories/google/read.ts'
import { keycloak } from '../../../../src/directories/keycloak/read.ts'
import { okta } from '../../../../src/directories/okta/read.ts'
import type { DirectoryReader, HttpEnvironment } from '../../../../src/directories/overHttp/reader.ts'
import { scim } from '../../../../src/directories/scim/read.ts'
import type { Answer, Request } from '../../../../src/http/origin.ts'

/** What a server of one kind answers if nothing is wrong, and how it words an error: the smallest world that has a request of each sort. */

export type Kind = 'keycloak' | 'okta' | 'google' | 'entra' | 'scim'
export type Sort = 'token' | 'list' | 'members' | 'person'

/** Who may not appear in a sentence about members. */
export const person = 'alice.smith@example.com'

type World = {
  readonly reader: (around: HttpEnvironment) => DirectoryReader
  /** The sort of the request with this path. */
  readonly sortOf: (path: string) => Sort | 'other'
  /** The JSON of a good answer. `pages`: how many pages the list of groups has. */
  readonly good: (path: string) => unknown
  /** The body of an error, as the vendor writes it, with a person in its text. */
  readonly errorBody: (status: number, sort: Sort) => unknown
  readonly group: string
}

const clientKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey
const serviceKey = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey

const secret = async () => 'not-a-real-secret'
const url = new URL('https://h.example.com')
const limits = { pageSize: 100, groupsMax: 1_000, attemptsMax: 3 }
const token = { access_token: 'a-token-of-this-test', token_type: 'Bearer', expires_in: 3_600 }
const text = `it cannot be done for ${person}`
const oauth = (status: number) => ({
  error: status === 401 ? 'invalid_client' : status === 400 ? 'invalid_request' : 'server_error',
  error_description: 'the reason of the server',
})
const guid = '11111111-1111-4111-8111-111111111111'

const oktaCodes: Readonly<Record<number, string>> = {
  400: 'E0000001',
  401: 'E0000011',
  403: 'E0000006',
  404: 'E0000007',
  429: 'E0000047',
  500: 'E0000009',
}
const googleReasons: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  429: 'rateLimitExceeded',
  500: 'backendError',
  503: 'backendError',
}
const graphCodes: Readonly<Record<number, string>> = {
  400: 'Request_BadRequest',
  401: 'InvalidAuthenticationToken',
  403: 'Authorization_RequestDenied',
  404: 'Request_ResourceNotFound',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

export const worlds: Readonly<Record<Kind, World>> = {
  keycloak: {
    reader: (around) =>
      keycloak(
        {
          url,
          realm: 'main',
          client: { id: 'reader', secret },
          groups: { name: 'path', slashes: 'plain', members: false },
          people: { identity: 'email', nested: false },
          limits,
        },
        around,
      ),
    sortOf: (path) =>
      path.endsWith('/token') ? 'token' : path.includes('/members') ? 'members' : /\/groups(?:\/count)?$/.test(path) ? 'list' : 'other',
    good(path) {
      const issuer = `${url.origin}/realms/main`
      if (path.includes('well-known')) return { issuer, token_endpoint: `${issuer}/protocol/openid-connect/token` }
      if (path.endsWith('/token')) return token
      if (path.endsWith('/count')) return { count: 1 }
      if (path.endsWith('/members')) return [{ id: 'p1', email: person, username: 'alice', enabled: true }]
      return [{ id: 'g1', name: 'devs', path: '/devs', subGroupCount: 0 }]
    },
    errorBody: (status, sort) =>
      sort === 'token' ? oauth(status) : status === 500 ? { error: 'unknown_error', error_description: text } : { error: text },
    group: 'g1',
  },
  okta: {
    reader: (around) =>
      okta(
        {
          url,
          credential: { client: { id: 'app', privateKey: { key: async () => clientKey } } },
          groups: { types: ['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'], name: 'name' },
          people: { identity: 'email' },
          reserve: 0,
          limits,
        },
        around,
      ),
    sortOf: (path) =>
      path.endsWith('/token') ? 'token' : path.includes('/users') ? 'members' : path.includes('/groups') ? 'list' : 'other',
    good(path) {
      if (path.endsWith('/token')) return token
      if (path.includes('/users')) return [{ id: 'p1', status: 'ACTIVE', profile: { email: person, login: person } }]
      return [{ id: 'g1', type: 'BUILT_IN', profile: { name: 'Everyone' } }]
    },
    errorBody: (status, sort) =>
      sort === 'token' ? oauth(status) : { errorCode: oktaCodes[status] ?? 'E0000000', errorSummary: text, errorId: 'x' },
    group: 'g1',
  },
  google: {
    reader: (around) =>
      google(
        {
          url,
          tokenUrl: new URL('https://h.example.com/token'),
          stsUrl: url,
          iamUrl: url,
          asked: { customer: 'my_customer' },
          account: {
            key: async () =>
              JSON.stringify({
                type: 'service_account',
                client_email: 'reader@example.iam.gserviceaccount.com',
                private_key_id: 'k1',
                private_key: serviceKey,
              }),
          },
          name: 'email',
          people: { identity: 'email', nested: false },
          limits,
        },
        around,
      ),
    sortOf: (path) =>
      path.endsWith('/token') ? 'token' : path.includes('/members') ? 'members' : path.includes('/groups') ? 'list' : 'other',
    good(path) {
      if (path.endsWith('/token')) return token
      if (path.includes('/members'))
        return { kind: 'admin#directory#members', members: [{ id: 'p1', email: person, type: 'USER', status: 'ACTIVE' }] }
      return { kind: 'admin#directory#groups', groups: [{ id: 'g1', email: 'devs@example.com', name: 'devs' }] }
    },
    errorBody: (status, sort) =>
      sort === 'token'
        ? oauth(status)
        : {
            error: {
              code: status,
              message: text,
              errors: [{ message: text, domain: 'global', reason: googleReasons[status] ?? 'unknown' }],
            },
          },
    group: 'g1',
  },
  entra: {
    reader: (around) =>
      entra(
        {
          tenant: 'example.com',
          graph: url,
          login: url,
          scope: 'https://graph.microsoft.com/.default',
          client: { id: 'app', secret, authentication: 'client_secret_post' },
          groups: { types: 'all', name: 'displayName', cloudDisplayName: true },
          people: { identity: 'mail', nested: false },
          limits: { ...limits, checkTotal: false },
        },
        around,
      ),
    sortOf: (path) =>
      path.endsWith('/token')
        ? 'token'
        : /\/members$|\/groups\/[^/]+$/.test(path)
          ? 'members'
          : path.includes('/groups')
            ? 'list'
            : 'other',
    good(path) {
      if (path.endsWith('/token')) return token
      if (path.includes('/members'))
        return {
          value: [{ '@odata.type': '#microsoft.graph.user', id: guid, mail: person, userPrincipalName: person, accountEnabled: true }],
        }
      const none = { onPremisesSamAccountName: null, onPremisesDomainName: null, onPremisesNetBiosName: null, securityEnabled: true }
      return { value: [{ id: guid, displayName: 'devs', ...none }] }
    },
    errorBody: (status, sort) =>
      sort === 'token' ? oauth(status) : { error: { code: graphCodes[status] ?? 'UnknownError', message: text } },
    group: guid,
  },
  scim: {
    reader: (around) =>
      scim(
        {
          url,
          credential: { client: { id: 'reader', secret }, server: { tokenAddress: new URL('https://h.example.com/token') }, scopes: [] },
          allowPlaintext: false,
          groups: { name: 'displayName' },
          people: { identity: 'email', nested: false },
          limits,
        },
        around,
      ),
    sortOf: (path) =>
      path.endsWith('/token')
        ? 'token'
        : path.includes('/Users')
          ? 'person'
          : path.includes('/Groups/')
            ? 'members'
            : path.includes('/Groups')
              ? 'list'
              : 'other',
    good(path) {
      if (path.endsWith('/token')) return token
      if (path.includes('/Users')) return { id: 'p1', userName: 'alice', active: true, emails: [{ value: person, primary: true }] }
      if (path.includes('/Groups/')) return { id: 'g1', members: [{ value: 'p1', type: 'User' }] }
      if (path.includes('/Groups')) return { totalResults: 1, Resources: [{ id: 'g1', displayName: 'devs' }] }
      return {}
    },
    errorBody: (status, sort) =>
      sort === 'token' ? oauth(status) : { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: `${status}`, detail: text },
    group: 'g1',
  },
}

/** What a request of the faulty sort gets: an answer, no answer, or the good answer (undefined). */
export type Fault = (
  request: Request,
  errorBody: (status: number) => unknown,
) => (Partial<Answer> & { readonly status: number }) | undefined

/** A group beside the usual one. */
export const otherGroup = '22222222-2222-4222-8222-222222222222'

/** A list by offsets ends after its first page. */
const goodAnswer = (world: World, { path, query }: Request): unknown => (Number(query?.['first'] ?? 0) > 0 ? [] : world.good(path))

export type Told = { readonly why: string; readonly cure: string | undefined; readonly isRetried: boolean }

/** Reads a world in which each request of one sort meets this fault, and tells what a person reads. */
export async function toldOf(kind: Kind, sort: Sort, fault: Fault, more: readonly string[] = []): Promise<Told> {
  const world = worlds[kind]
  let waitedMs = 0
  let isRetried = false
  const now = () => 1_000_000 + waitedMs
  const around: HttpEnvironment = {
    connect: (home) => ({
      url: home,
      async request(request) {
        const isFaulty = world.sortOf(request.path) === sort
        const fine: NonNullable<ReturnType<Fault>> = { status: 200, body: JSON.stringify(goodAnswer(world, request)) }
        const given = (isFaulty ? fault(request, (status) => world.errorBody(status, sort)) : undefined) ?? fine
        const headers = { 'content-type': 'application/json', link: `<${url.origin}${request.path}>; rel="self"`, ...given.headers }
        return { body: '', sentAtMs: now(), receivedAtMs: now(), ...given, headers }
      },
      close: () => Promise.resolve(),
    }),
    now,
    wall: now,
    async wait(ms) {
      waitedMs += ms
      isRetried = true
    },
    random: () => 0,
  }
  const { signal } = new AbortController()
  const reader = world.reader(around)
  const groups = [world.group, ...more].map((id) => ({ name: id as GroupName, id, place: id }))
  const isOfMembers = sort === 'members' || sort === 'person'
  const reading: Reading<unknown> =
    isOfMembers && reader.members !== undefined ? await reader.members(groups, 0, signal, noDeadline) : await reader.read(signal)
  if (reading.status === 'complete') return { why: '(complete)', cure: undefined, isRetried }
  return reading.status === 'partial'
    ? { why: reading.missing, cure: undefined, isRetried }
    : { why: reading.why, cure: reading.cure, isRetried }
}
