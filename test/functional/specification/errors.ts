import { expect } from 'vitest'
import { usualRetries } from '../../../src/plane/rate/retry.ts'
import { change, everywhere, inProject, never } from '../planeWorld.ts'
import { page, projectMappings, sticky, type World, workspaceMappings } from '../specification-world.ts'
import { create, creation, made } from './acts.ts'
import type { Row, Section } from './row.ts'

/** The row of a status. The client reports this status. It repeats a read, but never a write. */
const failing = (status: number): Row => ({
  line: `| ${status} |`,
  raw: async (world) => {
    world.sandbox.setFaults([`GET ${projectMappings}: ${status}`])
    expect((await world.ask('GET', projectMappings)).status).toBe(status)
  },
  client: async ({ client, sandbox }) => {
    const { reader, writer } = client()
    sandbox.setFaults([`${projectMappings}: ${status}`])
    const why = expect.stringContaining(`the service failed (${status}`) as string
    expect(await reader.mappings('projectRoles', never)).toMatchObject({ status: 'failed', why })
    expect(await writer.write(creation(inProject('ENG')), never)).toMatchObject({ kind: 'unknown', why })
    expect(sandbox.requests.map(({ method }) => method)).toEqual([...Array<string>(usualRetries.attemptsMax).fill('GET'), 'POST'])
  },
})

const statuses = ({ sandbox }: World) => sandbox.requests.map(({ status }) => status)

export const sections: readonly Section[] = [
  {
    section: 'Errors',
    rows: [
      {
        line: '| 200 | request succeeded; typical for GET and PATCH |',
        raw: async (world) => {
          const { id } = await create(world)
          const answers = [
            await world.ask('GET', projectMappings),
            await world.ask('PATCH', `${projectMappings}${id}/`, { body: { role: 'guest' } }),
          ]
          expect(answers.map(({ status }) => status)).toEqual([200, 200])
        },
        client: async (world) => {
          const client = world.client()
          const mapping = await made(client)
          const patch = change('engineers', inProject('ENG'), { action: 'patch', mapping, role: 'guest' })
          expect(await client.writer.write(patch, never)).toEqual({ kind: 'done', mapping, echoed: 'guest' })
          expect(await client.reader.mapping('projectRoles', mapping, never)).toMatchObject({ role: 'guest' })
          expect(statuses(world)).toEqual([201, 200, 200])
        },
      },
      {
        line: '| 201 | resource created; typical for POST',
        raw: async (world) => expect((await create(world, {}, workspaceMappings)).status).toBe(201),
        client: async (world) => {
          const id = await made(world.client(), everywhere)
          expect(statuses(world)).toEqual([201])
          expect(world.sandbox.state.workspaces.acme?.workspaceMappings).toMatchObject([{ id }])
        },
      },
      {
        line: '| 204 | succeeded, no body; typical for DELETE |',
        raw: async (world) => {
          const { id } = await create(world)
          const { status, text } = await world.ask('DELETE', `${projectMappings}${id}/`)
          expect([status, text, world.sandbox.state.workspaces.acme?.projectMappings]).toEqual([204, '', []])
        },
        client: async (world) => {
          const client = world.client()
          const mapping = await made(client)
          const outcome = await client.writer.write(change('engineers', inProject('ENG'), { action: 'delete', mapping }), never)
          expect(outcome).toEqual({ kind: 'done' })
          expect(world.sandbox.state.workspaces.acme?.projectMappings).toEqual([])
        },
      },
      {
        line: '| 400 | client error in the request |',
        raw: async (world) =>
          expect((await create(world, { project: 'NOWHERE' })).json).toEqual({ project: [expect.stringContaining('NOWHERE')] }),
        client: async (world) => {
          const sentence = expect.stringMatching(/^project: .*"NOWHERE"/) as string
          const outcome = await world.client().writer.write(creation(inProject('NOWHERE')), never)
          expect(outcome).toMatchObject({ kind: 'refused', status: 400, code: 'rejected', sentence })
        },
      },
      {
        line: '| 401 | unauthenticated: credential missing, invalid or expired |',
        raw: async ({ ask }) => expect((await ask('GET', 'projects/', { token: 'no-such-token' })).status).toBe(401),
        client: async (world) => {
          const { reader } = world.client(world.as.oauth('projects:read'))
          await reader.projects(never)
          // A request with a refused token was not executed. So the client gets a new token once, and sends the request again.
          world.sandbox.state.tokens = []
          expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
          expect(statuses(world)).toEqual([200, 200, 401, 200, 200])
        },
      },
      {
        line: '| 404 | resource or URL not found |',
        raw: async ({ ask }) => {
          for (const path of [`stickies/${page}/`, `pages/${sticky}/`, `${projectMappings}${page}/`, 'nowhere/', '/nowhere/']) {
            expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
          }
        },
        client: async ({ client }) => {
          const { reader, writer } = client()
          expect(await reader.mapping('projectRoles', page as never, never)).toBeUndefined()
          const gone = change('engineers', everywhere, { action: 'delete', mapping: page })
          expect(await writer.write(gone, never)).toMatchObject({ kind: 'refused', status: 404, code: 'gone' })
          const cure = expect.stringContaining('the address of Plane (service.baseUrl, or PLANE_BASE_URL) is wrong') as string
          const elsewhere = client({}, '/nowhere').reader.mapping('projectRoles', page as never, never)
          await expect(elsewhere).rejects.toMatchObject({ code: 'notFound', cure })
        },
      },
      {
        line: '| 429 | throttled: too many requests; retry later |',
        differs: ['rateHeaders', 'retryAfter'],
        raw: async ({ ask, by }) => {
          const answers = []
          for (let n = 0; n < 4; n += 1) answers.push(await ask('GET', 'projects/', { key: 'slow-key' }))
          expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
          const { headers } = answers[3] ?? { headers: new Headers() }
          expect(headers.get('x-ratelimit-remaining')).toBe(by({ specification: '0', plane: null }))
          expect(headers.get('retry-after')).toEqual(by({ specification: null, plane: expect.stringMatching(/^(?:5[5-9]|60)$/) }))
        },
        client: async ({ ask, as, by, client }) => {
          const { queue, writer } = client({ ...as.key('slow-key'), plane: { retries: { ...usualRetries, throttledMax: 0 } } })
          for (let n = 0; n < 3; n += 1) await ask('GET', 'projects/', { key: 'slow-key' })
          const outcome = await writer.write(creation(everywhere), never)
          expect(outcome).toMatchObject({ kind: 'refused', status: 429, code: 'throttled' })
          const told = expect.toSatisfy((ms: number) => ms % 1_000 === 0 && ms >= 55_000 && ms <= 60_000) as number
          expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toEqual(by({ specification: undefined, plane: told }))
          // In both dialects the client knows the time of the next try, from Retry-After or from Reset.
          expect(queue.view().blockedUntilMs - Date.now()).toBeGreaterThan(50_000)
        },
      },
      ...[500, 502, 503, 504].map(failing),
    ],
  },
]
