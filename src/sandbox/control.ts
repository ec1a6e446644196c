import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { localOnly } from './control-guard.ts'
import type { Controls } from './controls.ts'
import { type EndpointName, endpointName, endpoints } from './endpoints.ts'
import { loadState, stateBytesMax } from './load.ts'
import { SandboxError } from './problem.ts'
import { detail, error, indented, type Reply } from './reply.ts'
import { type BodyBytes, readBytes, type Target } from './request.ts'
import { shownRequests } from './shown-requests.ts'
import { stateDocument } from './state-document.ts'

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
  return parsed.data.faults.map((one) => (typeof one === 'string' ? one : one.fault))
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
  const there = endpoints.filter((endpoint) => endpoint.path.replace(/\/$/, '') === path.replace(/\/$/, ''))
  if (there.length === 0) return error(404, `${path} is no endpoint of the sandbox: GET /_sandbox/ lists them`)
  const endpoint = there.find((one) => one.method === method)
  if (endpoint !== undefined) return runs[endpointName(endpoint)]({ controls, query: new URLSearchParams(query), body })
  const allowed = there.map((one) => one.method).join(', ')
  return { ...error(405, `${path} has the methods ${allowed}`), headers: { Allow: allowed } }
}

/** The table of docs/sandbox.md, between its `endpoints:begin` and `endpoints:end` markers. */
export function renderEndpoints(): string {
  return [
    '| endpoint | what it does |',
    '|---|---|',
    ...endpoints.map(({ method, path, does }) => `| \`${method} ${path}\` | ${does} |`),
  ].join('\n')
}
