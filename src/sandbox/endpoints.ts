type Endpoint = { readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'; readonly path: string; readonly does: string }

/** Every endpoint of the sandbox itself. docs/dev/sandbox-reference.md and `--help` show this table. It is apart from their code, so that `--help` loads no package. */
export const endpoints = [
  {
    method: 'GET',
    path: '/_sandbox/',
    does: 'these endpoints, the workspaces and the limit. It answers as soon as the sandbox is ready',
  },
  {
    method: 'GET',
    path: '/_sandbox/faults',
    does: 'the faults; of each one, how many requests matched it, and how many it struck',
  },
  {
    method: 'PUT',
    path: '/_sandbox/faults',
    does: 'replaces all faults: `{"faults": ["POST project-mappings: 503, once"]}`',
  },
  {
    method: 'POST',
    path: '/_sandbox/faults',
    does: 'adds faults, in the same form',
  },
  {
    method: 'DELETE',
    path: '/_sandbox/faults',
    does: 'removes all faults',
  },
  {
    method: 'GET',
    path: '/_sandbox/requests',
    does: 'the last requests to the service, newest last. `?method=POST`, `?path=project-mappings` (as in a fault) and `?since=2026-01-31T12:00:00Z` choose among them',
  },
  {
    method: 'DELETE',
    path: '/_sandbox/requests',
    does: 'forgets the requests',
  },
  {
    method: 'GET',
    path: '/_sandbox/state',
    does: 'the whole state with its keys, as a file for `--state`',
  },
  {
    method: 'PUT',
    path: '/_sandbox/state',
    does: 'replaces the state by such a file, in JSON or YAML',
  },
  {
    method: 'POST',
    path: '/_sandbox/reset',
    does: 'state, faults, requests, limiter and random numbers are as after the start',
  },
] as const satisfies readonly Endpoint[]

type Each = (typeof endpoints)[number]
type NameOf<One extends Endpoint> = One extends Endpoint ? `${One['method']} ${One['path']}` : never
/** `GET /_sandbox/faults` */
export type EndpointName = NameOf<Each>

export const endpointName = ({ method, path }: Each): EndpointName => `${method} ${path}` as EndpointName
