import { expect } from 'vitest'
import type { MappingId } from '../../../src/core/mapping.ts'
import { inProject, never } from '../planeWorld.ts'
import { page, projectMappings } from '../specification-world.ts'
import { bodies, create, creation, engineers, made, readAll } from './acts.ts'
import type { Section } from './row.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+02:00$/

const groupSync = '/api/v1/workspaces/acme/group-sync/'
const id = page as MappingId

export const sections: readonly Section[] = [
  {
    section: 'What the service does',
    rows: [
      {
        line: 'request bodies are JSON (`application/json`), responses are JSON',
        differs: ['formBodies'],
        raw: async (world) => {
          expect((await create(world)).headers.get('content-type')).toBe('application/json')
          const as = (type: string) => ({ body: engineers, headers: { 'Content-Type': type } })
          expect((await world.ask('POST', projectMappings, as('text/plain'))).status).toBe(415)
          const form = await world.ask('POST', projectMappings, as('application/x-www-form-urlencoded'))
          expect(form.status).toBe(world.by({ specification: 415, plane: 400 }))
        },
        client: async (world) => {
          const { reader, writer } = world.client()
          expect(await writer.write(creation(inProject('ENG')), never)).toMatchObject({ kind: 'done' })
          expect(bodies(world)).toEqual([{ ...engineers, project: 'ENG', all_projects: false }])
          world.sandbox.setFaults(['GET projects/: html'])
          expect(await reader.projects(never)).toMatchObject({ status: 'failed', why: expect.stringContaining('a web page') as string })
        },
      },
      {
        line: 'The base address is `{base_url}`. It is prefixed to every path.',
        raw: async ({ ask }) => expect((await ask('GET', '/api/v1/users/me/')).status).toBe(200),
        client: async ({ as, client, sandbox }) => {
          await client({}, '/').reader.groupSync(never)
          const read = (options: Parameters<typeof client>[0]) =>
            client(options, '/behind/a/proxy').reader.mapping('projectRoles', id, never)
          await expect(read({})).rejects.toMatchObject({ code: 'notFound' })
          await expect(read(as.oauth('projects:read'))).rejects.toMatchObject({ code: 'credential' })
          const behind = [`${groupSync}project-mappings/${id}/`, '/auth/o/token/'].map((path) => `/behind/a/proxy${path}`)
          expect(sandbox.requests.map(({ path }) => path)).toEqual([`${groupSync}config/`, ...behind])
        },
      },
    ],
  },
  {
    section: 'Resources',
    rows: [
      {
        line: 'All identifiers are strings (UUID-shaped).',
        raw: async (world) => {
          const ids = [(await create(world)).id, ...(await world.ask('GET', 'projects/')).results.map(({ id }) => id)]
          for (const id of ids) expect(id).toMatch(uuid)
        },
        client: async (world) => {
          const client = world.client()
          const id = await made(client)
          const projects = await client.reader.projects(never)
          for (const one of [id, ...(projects.status === 'complete' ? projects.value.map((project) => project.id) : [''])]) {
            expect(one).toMatch(uuid)
          }
          expect(await client.reader.mapping('projectRoles', id, never)).toMatchObject({ id })
        },
      },
      {
        line: 'All timestamps are strings in ISO 8601 UTC form',
        differs: ['timestamps'],
        raw: async (world) => expect((await create(world)).json.created_at).toMatch(world.by({ specification: utc, plane: withOffset })),
        clientless: 'the program reads no timestamp of the service',
      },
    ],
  },
  {
    section: 'Versioning',
    rows: [
      {
        line: 'all endpoints begin with `/api/v1/`',
        raw: async ({ ask }) => expect((await ask('GET', '/api/v2/workspaces/acme/projects/')).status).toBe(404),
        client: async (world) => {
          const client = world.client()
          await readAll(client)
          await made(client)
          expect(world.sandbox.requests.filter(({ path }) => !path.startsWith('/api/v1/'))).toEqual([])
        },
      },
    ],
  },
]
