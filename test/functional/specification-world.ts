import { realClock } from '../../src/compose/realClock.ts'
import { apiKey, oauthClient } from '../../src/plane/credential.ts'
import { type DialectName, dialectNames } from '../../src/sandbox/dialect.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import type { StateInput } from '../../src/sandbox/state-input.ts'
import { type ClientOptions, client } from './planeWorld.ts'

export { dialectNames }

type Fields = Readonly<Record<string, unknown>>
/** `json` is empty if the answer has no body or is a list. `results` has the rows of a list, with or without an envelope. */
export type Answer = { status: number; headers: Headers; text: string; json: Fields; id: string; results: readonly Fields[] }
export type Ask = { body?: unknown; headers?: Record<string, string>; key?: string | null; token?: string }

/** The world in which a line of the specification is checked: a fresh service in one dialect, a bare HTTP client, and the program's own client. */
export type World = {
  readonly sandbox: Sandbox
  readonly dialect: DialectName
  readonly key: string
  /** Sends a request. `path` is relative to the workspace `acme`, or begins with `/`. */
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>
  /** Picks the expectation for this dialect. */
  readonly by: <T>(expectations: Record<DialectName, T>) => T
  /** Whether the test called `by`. It does so only where the dialects differ. */
  readonly differed: () => boolean
  readonly token: (scope: string) => Promise<string>
  /** The program's client. Default: with the good key. `path` is added to the base address. */
  readonly client: (options?: ClientOptions, path?: string) => ReturnType<typeof client>
  /** For `client`: an application's token with these scopes, or another key. */
  readonly as: { oauth(...scopes: readonly string[]): ClientOptions; key(value: string): ClientOptions }
}

export const project = '0190f0a0-0000-4000-a000-000000000001'
export const sticky = '0190f0a0-0000-4000-a000-000000000002'
export const page = '0190f0a0-0000-4000-a000-000000000003'
const installation = '0190f0a0-0000-4000-a000-000000000004'
export const projectMappings = 'group-sync/project-mappings/'
export const workspaceMappings = 'group-sync/workspace-mappings/'

const state: StateInput = {
  users: [{ name: 'admin', utcOffset: '+02:00' }],
  keys: [
    { value: 'good-key' },
    { value: 'expiring-key', expiresAt: '2100-01-01T00:00:00Z' },
    { value: 'expired-key', expiresAt: '2020-01-01T00:00:00Z' },
    { value: 'slow-key', limit: { requests: 3, windowMs: 60_000 } },
  ],
  applications: [{ clientId: 'an-application', clientSecret: 'a-secret', installationId: installation, owner: 'admin' }],
  workspaces: {
    acme: {
      projects: [
        {
          id: project,
          identifier: 'ENG',
          project_lead: 'admin',
          states: [{ name: 'Todo', group: 'unstarted' }],
          workItems: Array.from({ length: 7 }, (_, index) => ({ name: `Work ${index}`, state: 'Todo', assignees: ['admin'] })),
        },
        'OPS',
      ],
      stickies: [{ id: sticky, name: 'Remember', description_html: '<p>the milk</p>' }],
      pages: [{ id: page, name: 'Handbook', description: 'How we work' }],
    },
  },
}

export async function startWorld(dialect: DialectName, signal: AbortSignal, more: SandboxOptions = {}): Promise<World & AsyncDisposable> {
  const sandbox = await startSandbox({ dialect, state, ...more })
  const key = 'good-key'
  const ask: World['ask'] = async (method, path, { body, headers = {}, key: asked = key, token } = {}) => {
    const credential = token === undefined ? (asked === null ? {} : { 'X-API-Key': asked }) : { Authorization: `Bearer ${token}` }
    const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const address = new URL(path, `${sandbox.url}/api/v1/workspaces/acme/`)
    const answer = await fetch(address, {
      method,
      redirect: 'manual',
      headers: { ...credential, ...content, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    })
    return read(answer.status, answer.headers, await answer.text())
  }
  const token = async (scope: string) => {
    const answer = await fetch(`${sandbox.url}/auth/o/token/`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('an-application:a-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', app_installation_id: installation, scope }),
      signal,
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const as: World['as'] = {
    oauth: (...scopes) => ({
      credential: (origin) =>
        oauthClient('robot', { clientId: 'an-application', clientSecret: async () => 'a-secret', installation, scopes }, origin, realClock),
    }),
    key: (value) => ({ credential: apiKey('default', async () => value) }),
  }
  let differed = false
  const by: World['by'] = (expectations) => {
    differed = true
    return expectations[dialect]
  }
  return {
    ...{ sandbox, dialect, key, ask, token, by, as },
    differed: () => differed,
    client: (options, path = '') => client(`${sandbox.url}${path}`, { ...as.key(key), ...options }),
    [Symbol.asyncDispose]: sandbox.close,
  }
}

function read(status: number, headers: Headers, text: string): Answer {
  const value: unknown = headers.get('content-type') === 'application/json' && text !== '' ? JSON.parse(text) : {}
  const json = Array.isArray(value) ? {} : (value as Fields)
  const results = (Array.isArray(value) ? value : (json.results ?? [])) as Fields[]
  return { status, headers, text, json, id: String(json.id), results }
}
