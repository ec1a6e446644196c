import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { localOnly } from './control-guard.ts'
import type { Controls } from './controls.ts'
import { loadState, stateBytesMax } from './load.ts'
import { SandboxError } from './problem.ts'
import { detail, error, indented, type Reply } from './reply.ts'
import { type BodyBytes, readBytes, type Target } from './request.ts'
import { shownRequests } from './shown-requests.ts'
import { stateDocument } from './state-document.ts'

type Call = { readonly controls: Controls; readonly query: URLSearchParams; readonly body: string }
type Endpoint = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly does: string
  readonly run: (call: Call) => Reply
}

/** Every endpoint of the sandbox itself. docs/sandbox.md and `--help` show the same table. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/_sandbox/',
    does: 'these endpoints, the workspaces and the limit. It answers as soon as the sandbox is ready',
    run: ({ controls: { state } }) =>
      indented({
        sandbox: 'plane-group-sync',
        workspaces: Object.keys(state.workspaces),
        limit: state.limit,
        endpoints: endpoints.map(({ method, path, does }) => ({ method, path, does })),
      }),
  },
  {
    method: 'GET',
    path: '/_sandbox/faults',
    does: 'the faults; of each one, how many requests matched it, and how many it struck',
    run: ({ controls }) => shownFaults(controls),
  },
  {
    method: 'PUT',
    path: '/_sandbox/faults',
    does: 'replaces all faults: `{"faults": ["POST project-mappings: 503, once"]}`',
    run: ({ controls, body }) => (controls.setFaults(faultsIn(body)), shownFaults(controls)),
  },
  {
    method: 'POST',
    path: '/_sandbox/faults',
    does: 'adds faults, in the same form',
    run: ({ controls, body }) => (controls.addFaults(faultsIn(body)), shownFaults(controls)),
  },
  {
    method: 'DELETE',
    path: '/_sandbox/faults',
    does: 'removes all faults',
    run: ({ controls }) => (controls.setFaults([]), done),
  },
  {
    method: 'GET',
    path: '/_sandbox/requests',
    does: 'the last requests to the service, newest last. `?method=POST`, `?path=project-mappings` (as in a fault) and `?since=2026-01-31T12:00:00Z` choose among them',
    run: ({ controls, query }) => indented(shownRequests(controls, query)),
  },
  {
    method: 'DELETE',
    path: '/_sandbox/requests',
    does: 'forgets the requests',
    run: ({ controls }) => (controls.forgetRequests(), done),
  },
  {
    method: 'GET',
    path: '/_sandbox/state',
    does: 'the whole state with its keys, as a file for `--state`',
    run: ({ controls }) => indented(stateDocument(controls.state)),
  },
  {
    method: 'PUT',
    path: '/_sandbox/state',
    does: 'replaces the state by such a file, in JSON or YAML',
    run: ({ controls, body }) => (controls.setState(loadState({ name: 'state', text: body })), done),
  },
  {
    method: 'POST',
    path: '/_sandbox/reset',
    does: 'state, faults, requests, limiter and random numbers are as after the start',
    run: ({ controls }) => (controls.reset(), done),
  },
]

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
  if (endpoint !== undefined) return endpoint.run({ controls, query: new URLSearchParams(query), body })
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
