import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type RawServer, rawServer } from '../rawServer.ts'
import { openPlace, type Place, stateOf } from './program.ts'

/** The fate of a DELETE: lost before the service gets it, executed but its answer lost, or answered by another server. */
type Fate = 'lost' | 'executed, then lost' | Answer
type Answer = { readonly status: number; readonly type: string; readonly body: string }

const text: Answer = { status: 404, type: 'text/plain; charset=utf-8', body: '404 page not found\n' }
const page: Answer = { status: 404, type: 'text/html', body: '<html><title>404 Not Found</title></html>' }
const address: Answer = { status: 404, type: 'application/json', body: '{"error":"Page not found."}' }
const object: Answer = { status: 404, type: 'application/json', body: '{"error":"The requested resource does not exist."}' }
const gone: Answer = { status: 410, type: 'text/html', body: '<title>410 Gone</title>' }
const signIn: Answer = { status: 200, type: 'text/html', body: '<!doctype html><title>Sign in</title>' }

/** A proxy before the sandbox. Each DELETE gets the next fate of the list. All other requests are passed on. */
async function proxied({ sandbox }: Place, fates: readonly Fate[]): Promise<RawServer & { readonly deletes: () => number }> {
  let deletes = 0
  const server = await rawServer((request, response, nth) => {
    const fate = request.method === 'DELETE' ? fates[deletes++] : undefined
    answer(request, response, server.requests[nth - 1]?.body ?? '', fate).catch(() => response.destroy())
  })
  async function answer(request: IncomingMessage, response: ServerResponse, sent: string, fate?: Fate) {
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { 'content-type': fate.type }).end(fate.body)
      return
    }
    const reply = fate === 'lost' ? undefined : await passedOn(request, sent)
    if (reply === undefined || fate !== undefined) response.destroy()
    else response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(await reply.text())
  }
  function passedOn({ method = '', url = '', headers }: IncomingMessage, sent: string) {
    const { accept = '', 'x-api-key': key = '', 'content-type': type = '' } = headers
    const passed = { accept, 'x-api-key': String(key), ...(type === '' ? {} : { 'content-type': type }) }
    return fetch(new URL(url, sandbox.url), { method, headers: passed, ...(sent === '' ? {} : { body: sent }) })
  }
  return { ...server, deletes: () => deletes }
}

const kept = 'OPS team-0 → member'
const right = 'ENG old → admin'

/** Group `team-0` keeps its mapping; the others lose theirs. */
const world = (old: readonly string[]) =>
  openPlace({
    workspaces: {
      acme: {
        projects: ['ENG', 'OPS'],
        projectMappings: [
          ...old.map((idp_group_name) => ({ idp_group_name, project: 'ENG', role: 'admin' })),
          { idp_group_name: 'team-0', project: 'OPS', role: 'member' },
        ],
      },
    },
    declaration: {
      version: 1,
      workspaces: {
        acme: {
          projectRoles: [{ group: 'team-0', project: 'OPS', role: 'member' }],
          removed: old.map((group) => ({ group, project: 'ENG' })),
        },
      },
    },
    groups: ['team-0', ...old],
    settings: {
      // Δ is longer than the pause before a repetition.
      service: { unknownOutcomeWait: '2s' },
      guards: { raises: { count: 100, share: '100%' }, deletes: { count: 100, share: '100%' } },
    },
  })

/** The output without the line breaks of a terminal. */
const saidBy = ({ out, err }: { readonly out: string; readonly err: string }) => `${out} ${err}`.replaceAll(/\s+/g, ' ')

const commands = [
  ['apply', '--yes'],
  ['run', '--once'],
] as const

describe.concurrent.each<[string, Answer]>([
  ["a proxy's text", text],
  ["a proxy's page", page],
  ["Plane's, of an address", address],
  ["Plane's, of an object", object],
  ['410', gone],
])('after a lost DELETE a 404 is no deletion: %s', (_, answer) => {
  test.each(commands)('the right stays, the run fails and says so, the next one deletes it: %s %s', async (...args) => {
    await using place = await world(['old'])
    await using front = await proxied(place, ['lost', answer, answer])
    const through = { env: { PLANE_BASE_URL: front.url.href } }
    const first = await place.run(args, through)
    const said = saidBy(first)
    expect(first.code, said).toBe(1)
    expect(said).toMatch(
      new RegExp(
        `the repetition says: [^;]*\\(${answer.status}: [^;]+; the next list shows what was executed; this key is not written until`,
      ),
    )
    expect(said).toMatch(/Waiting \d s, until [\d: -]+ UTC, before 1 more change: the answer to an earlier write was lost/)
    expect(said).not.toContain('Written (')
    expect([front.deletes(), stateOf(place.sandbox)]).toEqual([3, [right, kept]])
    const second = await place.run(args, through)
    expect(second.code, second.out + second.err).toBe(0)
    expect([front.deletes(), stateOf(place.sandbox)]).toEqual([4, [kept]])
  })

  test('it is deleted after the wait, where Plane answers again', async () => {
    await using place = await world(['old'])
    await using front = await proxied(place, ['lost', answer])
    const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'], { env: { PLANE_BASE_URL: front.url.href } })
    expect(code, out + err).toBe(0)
    const { workspaces } = JSON.parse(out) as { workspaces: { applied: { results: { outcome: object }[] } }[] }
    expect(workspaces[0]?.applied.results.map(({ outcome }) => outcome)).toMatchObject([{ is: 'done' }])
    expect([front.deletes(), stateOf(place.sandbox)]).toEqual([3, [kept]])
  })

  test('where it was executed the list shows it, and nothing more is sent', async () => {
    await using place = await world(['old'])
    await using front = await proxied(place, ['executed, then lost', answer])
    const { code, out, err } = await place.run(['apply', '--yes'], { env: { PLANE_BASE_URL: front.url.href } })
    expect(code, out + err).toBe(0)
    expect(out).toContain('Outcome unknown (1)')
    expect([front.deletes(), stateOf(place.sandbox)]).toEqual([2, [kept]])
  })
})

test.concurrent('a web page is no deletion either', async () => {
  await using place = await world(['old'])
  await using front = await proxied(place, [signIn, signIn])
  const through = { env: { PLANE_BASE_URL: front.url.href } }
  const { code, out, err } = await place.run(['apply', '--yes'], through)
  expect(code, out + err).toBe(1)
  expect(out).toContain('Outcome unknown (1)')
  expect(saidBy({ out, err })).toContain('a web page instead of JSON (200: a web page "Sign in")')
  expect([front.deletes(), stateOf(place.sandbox)]).toEqual([2, [right, kept]])
})

test.concurrent('a list from which most was deleted, though no answer said so, is believed', async () => {
  const old = Array.from({ length: 7 }, (_, n) => `old-${n}`)
  await using place = await world(old)
  await using front = await proxied(
    place,
    old.flatMap(() => ['executed, then lost', text] as const),
  )
  const { code, out, err } = await place.run(['apply', '--yes'], { env: { PLANE_BASE_URL: front.url.href } })
  expect(code, out + err).toBe(0)
  expect(out).toContain('Outcome unknown (7)')
  expect(stateOf(place.sandbox)).toEqual([kept])
})
