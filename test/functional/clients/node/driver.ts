import { createInterface } from 'node:readline'
import { BaseResource, Configuration, OAuthClient, PlaneClient } from '@makeplane/plane-node-sdk'
import type { Address, Call, Outcome } from '../call.ts'

/**
 * Calls Plane's official Node client.
 *
 *     driver.ts              a line of JSON in is one call, a line of JSON out is its outcome (types: see call.ts)
 *     driver.ts addresses    prints every operation that the client has
 */

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** Operations for which the client has no method. They use the general request function of the client. */
class GroupSync extends BaseResource {
  read = (path: string) => this.get(`/workspaces/${path}/`)
  create = (path: string, body: unknown) => this.post(`/workspaces/${path}/`, body)
  update = (path: string, body: unknown) => this.patch(`/workspaces/${path}/`, body)
  remove = (path: string) => this.httpDelete(`/workspaces/${path}/`)
}

async function outcome(call: Call): Promise<Outcome> {
  const [resource = '', name = ''] = call.call.split('.')
  const methods = find(resource, call)
  const args = call.query === undefined ? call.arguments : [...call.arguments, call.query]
  try {
    return { value: (await methods[name]?.(...args)) ?? null }
  } catch (error) {
    // The client's own error has `statusCode`, the HTTP library's has `status`.
    const { constructor, statusCode, status, response } = error as Error & { statusCode?: number; status?: number; response?: unknown }
    return { error: constructor.name, status: statusCode ?? status, body: statusCode === undefined ? undefined : response }
  }
}

function find(resource: string, { url, key, token, application }: Call): Record<string, Method> {
  if (application !== undefined) {
    return asMethods(new OAuthClient({ baseUrl: url, clientId: application.id, clientSecret: application.secret, redirectUri: '' }))
  }
  const credential = { ...(key !== undefined && { apiKey: key }), ...(token !== undefined && { accessToken: token }) }
  if (resource === 'groupSync') return asMethods(new GroupSync(new Configuration({ baseUrl: url, ...credential })))
  return asMethods(new PlaneClient({ baseUrl: url, ...credential })[resource as keyof PlaneClient])
}

const asMethods = (methods: object) => methods as Record<string, Method>

/** Each method of the client is called with made-up arguments, and nothing is sent. */
async function addresses(): Promise<readonly Address[]> {
  const sent: { method: string; path: string }[] = []
  const unsent = (method: string) => (endpoint: string) => {
    sent.push({ method, path: `/api/v1${endpoint}` })
    return Promise.resolve([])
  }
  const requests = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', httpDelete: 'DELETE' }
  Object.assign(BaseResource.prototype, Object.fromEntries(Object.entries(requests).map(([name, method]) => [name, unsent(method)])))
  const found: Address[] = []
  for (const [resource, methods] of resources('', new PlaneClient({ baseUrl: 'http://127.0.0.1', apiKey: 'x' }))) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(methods))) {
      if (name === 'constructor') continue
      sent.length = 0
      await asMethods(methods)[name]?.(...Array.from({ length: 6 }, () => anything))
      if (sent.length === 0) throw new Error(`${resource}.${name} sent nothing`)
      found.push(...sent.map((address) => ({ call: `${resource}.${name}`, ...address })))
    }
  }
  return found
}

/** An argument that serves as an identifier, a body, a list of names or a query. */
const anything = { toString: () => 'x', join: () => 'x', name: 'x', identifier: 'x' }

function resources(prefix: string, owner: object): readonly (readonly [string, object])[] {
  return Object.entries(owner).flatMap(([name, value]) =>
    value instanceof BaseResource ? [[`${prefix}${name}`, value] as const, ...resources(`${prefix}${name}.`, value)] : [],
  )
}

const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)

if (process.argv[2] === 'addresses') print(await addresses())
else for await (const line of createInterface({ input: process.stdin })) print(await outcome(JSON.parse(line) as Call))
