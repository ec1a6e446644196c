import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { json, type RawServer, rawServer } from '../rawServer.ts'
import { openPlace, type Place } from './program.ts'

const noAnswer = Symbol('no answer')

/** A server before the sandbox. `change` returns the body that takes the place of the sandbox's, or `noAnswer` if the server is to be silent. */
async function before(sandboxUrl: string, change: (request: IncomingMessage, body: unknown) => unknown): Promise<RawServer> {
  const pass = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    const { method = 'GET', url = '', headers } = request
    const answer = await fetch(new URL(url, sandboxUrl), {
      method,
      headers: { 'x-api-key': String(headers['x-api-key']), 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    const text = await answer.text()
    const changed = change(request, text === '' ? null : JSON.parse(text))
    if (changed !== noAnswer) json(response, answer.status, changed)
  }
  const server: RawServer = await rawServer((request, response, nth) => {
    void pass(request, response, server.requests[nth - 1]?.body ?? '')
  })
  return server
}

const isSettings = ({ url = '' }: IncomingMessage): boolean => url.endsWith('/group-sync/config/')

/** Approves the change of the settings by its id, and applies it. */
async function applySettings(place: Place) {
  const { out } = await place.run(['plan', '--format', 'json'])
  const [, id = ''] = /"id":\s*"([0-9a-f]{32})/.exec(out) ?? []
  return place.run(['apply', '--yes', '--allow', id])
}

test('an apply fails if Plane answers the settings with other values than were sent, and names them', async () => {
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { groupSync: { autoRemove: true, defaultWorkspaceRole: 'guest' } } } },
    groups: ['devs'],
  })
  await using server = await before(place.sandbox.url, (request, body) =>
    isSettings(request) && request.method === 'PATCH' ? { ...(body as object), default_workspace_role: 'owner', auto_remove: false } : body,
  )
  await place.settings({ service: { baseUrl: server.url.href } })
  const { code, out, err } = await applySettings(place)
  const text = out.replaceAll(/\s+/g, ' ')
  expect(code, out + err).toBe(1)
  expect(text).toContain('the service answers auto-remove off instead of on · default role "owner" instead of "guest"')
  expect(text).toContain('Next: do what the rows above say, then apply again')
})

test('an apply shows its result although Plane does not answer a read of the settings', async () => {
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } } },
    groups: ['devs'],
  })
  await using server = await before(place.sandbox.url, (request, body) => (isSettings(request) ? noAnswer : body))
  await place.settings({ service: { baseUrl: server.url.href } })
  const beganMs = performance.now()
  const { code, out, err } = await place.run(['apply', '--yes'])
  expect(code, out + err).toBe(0)
  expect(out).toContain('1 of 1 written')
  expect(performance.now() - beganMs).toBeLessThan(25_000)
  expect(server.requests.filter(({ url }) => url.endsWith('/config/'))).toHaveLength(1)
})
