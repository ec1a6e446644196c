import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Controls } from './controls.ts'
import { type EndpointName, endpointName, endpoints } from './endpoints.ts'
import { matchesPath } from './fault.ts'
import { loadState, stateBytesMax } from './load.ts'
import { detail, error, indented, type Reply } from './reply.ts'
import { type BodyBytes, readBytes, type Target } from './request.ts'
import type { LoggedRequest } from './request-log.ts'
import { SandboxError } from './sandboxError.ts'
import type { State } from './state.ts'

type Call = { readonly controls: Controls; readonly query: URLSearchParams; readonly body: string }
/** The code of each endpoint. */
const runs: Readonly<Record<EndpointName, (call: Call) => Reply>> = {
  'GET /_sandbox/': ({ controls: { state } }) =>
    indented({
      sandbox: 'plane-group-sync',
      workspaces: Object.keys(state.workspaces),
      limit: state.limit,
      endpoints: endpoints.map(({ method, path, does }) => ({ method, path, does })),
    }),
  'GET /_sandbox/faults': ({ controls }) => shownFaults(controls),
  'PUT /_sandbox/faults': ({ controls, body }) => (controls.setFaults(faultsIn(body)), shownFaults(controls)),
  'POST /_sandbox/faults': ({ controls, body }) => (controls.addFaults(faultsIn(body)), shownFaults(controls)),
  'DELETE /_sandbox/faults': ({ controls }) => (controls.setFaults([]), done),
  'GET /_sandbox/requests': ({ controls, query }) => indented(shownRequests(controls, query)),
  'DELETE /_sandbox/requests': ({ controls }) => (controls.forgetRequests(), done),
  'GET /_sandbox/state': ({ controls }) => indented(stateDocument(controls.state)),
  'PUT /_sandbox/state': ({ controls, body }) => (controls.setState(loadState({ name: 'state', text: body })), done),
  'POST /_sandbox/reset': ({ controls }) => (controls.reset(), done),
}

const done: Reply = { status: 204 }

const shownFaults = ({ faults }: Controls): Reply =>
  indented({ faults: faults.map(({ text, matched, struck }) => ({ fault: text, matched, struck })) })

const faultsSchema = z.strictObject({ faults: z.array(z.union([z.string(), z.object({ fault: z.string() })])) })

/** The texts of faults, also in the form of `GET /_sandbox/faults`. @throws {SandboxError} */
function faultsIn(body: string): readonly string[] {
  const parsed = faultsSchema.safeParse(jsonOf(body))
  if (!parsed.success) throw new SandboxError('write the body as {"faults": ["POST project-mappings: 503, once"]}')
  return parsed.data.faults.map((entry) => (typeof entry === 'string' ? entry : entry.fault))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isControl = (path: string): boolean => path === '/_sandbox' || path.startsWith('/_sandbox/')

/** Answers a request to the sandbox itself. No fault strikes it, no limit counts it, and it needs no credential. */
export async function control(
  { controls, bytes }: { readonly controls: Controls; readonly bytes: BodyBytes },
  target: Target,
  incoming: IncomingMessage,
): Promise<Reply> {
  const body = await readBytes(incoming, stateBytesMax, bytes)
  try {
    const refusal = localOnly(incoming, target)
    if (refusal !== undefined) return error(403, refusal)
    if (typeof body === 'string') return detail(413, `The body is larger than ${stateBytesMax} bytes.`)
    return run(controls, target, incoming.method ?? 'GET', body.toString())
  } catch (cause) {
    if (cause instanceof SandboxError) return error(400, cause.message)
    throw cause
  } finally {
    if (typeof body !== 'string') bytes.held -= body.length
  }
}

function run(controls: Controls, { path, query }: Target, asked: string, body: string): Reply {
  const method = asked === 'HEAD' ? 'GET' : asked
  const candidates = endpoints.filter((endpoint) => endpoint.path.replace(/\/$/, '') === path.replace(/\/$/, ''))
  if (candidates.length === 0) return error(404, `${path} is no endpoint of the sandbox: GET /_sandbox/ lists them`)
  const endpoint = candidates.find((candidate) => candidate.method === method)
  if (endpoint !== undefined) return runs[endpointName(endpoint)]({ controls, query: new URLSearchParams(query), body })
  const allowed = candidates.map((candidate) => candidate.method).join(', ')
  return { ...error(405, `${path} has the methods ${allowed}`), headers: { Allow: allowed } }
}

/**
 * Why a request may not use `/_sandbox/`; undefined if it may. These endpoints need no credential, so only programs on this machine may use them.
 * A page in a browser on this machine is not one of them, whatever name its server's address has (DNS rebinding).
 */
function localOnly({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, target: Target): string | undefined {
  const peer = socket.remoteAddress
  if (peer === undefined || !isLoopbackAddress(peer))
    return `/_sandbox/ is only for this machine, and this request came from ${peer ?? 'elsewhere'}`
  const host = target.host ?? headers.host
  if (host !== undefined && !isLoopbackHost(host)) {
    return `/_sandbox/ is only for this machine: ask it by localhost, 127.0.0.1 or [::1], and not by ${host}`
  }
  const site = headers['sec-fetch-site']
  const isOfPage = headers.origin !== undefined || (site !== undefined && site !== 'none')
  return isOfPage ? '/_sandbox/ is not for pages in a browser: this request has the header Origin or Sec-Fetch-Site' : undefined
}

const isLoopbackAddress = (address: string): boolean => /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address)

function isLoopbackHost(host: string): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/.exec(host) ?? []
  return name.toLowerCase() === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
}

const filters = ['method', 'path', 'since']

/** The logged requests that match the filters of a query, with times as ISO 8601. @throws {SandboxError} if a filter cannot be read */
function shownRequests({ requests, forgotten }: Controls, query: URLSearchParams): object {
  const unknown = [...query.keys()].find((name) => !filters.includes(name))
  if (unknown !== undefined) throw new SandboxError(`"${unknown}" is none of the filters ${filters.join(', ')}`)
  const method = query.get('method')?.toUpperCase()
  const path = query.get('path')
  const since = query.get('since')
  const sinceMs = since === null ? Number.NEGATIVE_INFINITY : timeOf(since)
  const isWanted = (request: LoggedRequest) =>
    request.receivedAt >= sinceMs &&
    (method === undefined || request.method === method) &&
    (path === null || matchesPath(path, request.path))
  return { forgotten: forgotten(), requests: requests.filter(isWanted).map(shown) }
}

function shown({ receivedAt, committedAt, answeredAt, ...request }: LoggedRequest): object {
  return {
    ...request,
    receivedAt: iso(receivedAt),
    ...(committedAt !== undefined && { committedAt: iso(committedAt) }),
    ...(answeredAt !== undefined && { answeredAt: iso(answeredAt) }),
  }
}

const iso = (atMs: number): string => new Date(atMs).toISOString()

function timeOf(text: string): number {
  // In a query `+` means a blank. The `+` of an offset such as +01:00 is often sent without being encoded.
  const atMs = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text.replace(' ', '+'))
  if (Number.isNaN(atMs)) throw new SandboxError(`since "${text}" is no time: write it as 2026-01-31T12:00:00Z, or as epoch milliseconds`)
  return atMs
}

/** The state in the form of a state file: `newState` makes the same state of it. Times are ISO 8601. */
export function stateDocument({ users, ...rest }: State): object {
  const document = {
    ...rest,
    users: users.map(({ utcOffsetMinutes, ...user }) => ({ ...user, utcOffset: offsetText(utcOffsetMinutes) })),
  }
  return JSON.parse(JSON.stringify(document, withTimes)) as object
}

const timeFields: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'archived_at', 'expiresAt'])

/** A time that no date can show stays a number. */
function withTimes(name: string, value: unknown): unknown {
  if (!timeFields.has(name) || typeof value !== 'number' || Number.isNaN(new Date(value).getTime())) return value
  return new Date(value).toISOString()
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
