import { expect } from 'vitest'
import { inProject, never } from '../planeWorld.ts'
import { projectMappings } from '../specification-world.ts'
import { bodies, create, creation, engineers, keysOf, made, needsScope, writeNeedsScope } from './acts.ts'
import type { Section } from './row.ts'

const scope = 'workspaces.group_sync:write'

export const sections: readonly Section[] = [
  {
    section: 'Create project group mapping',
    rows: [
      {
        line: '`POST /api/v1/workspaces/{workspace_slug}/group-sync/project-mappings/`',
        raw: async (world) => {
          const { status, id } = await create(world)
          expect(status).toBe(201)
          expect(world.sandbox.state.workspaces.acme?.projectMappings).toMatchObject([{ id, project: 'ENG', role: 'member' }])
        },
        client: async (world) => {
          const id = await made(world.client())
          expect(world.sandbox.state.workspaces.acme?.projectMappings).toMatchObject([{ id, project: 'ENG', role: 'member' }])
        },
      },
      {
        line: 'Required scope: `workspaces.group_sync:write`',
        raw: (world) =>
          needsScope(world, scope, (token) => world.ask('POST', projectMappings, { token, body: { ...engineers, project: 'ENG' } })),
        client: (world) => writeNeedsScope(world, ({ writer }) => writer.write(creation(inProject('ENG')), never)),
      },
      {
        line: '| idp_group_name | string | yes |',
        raw: async (world) => {
          const { status, json } = await world.ask('POST', projectMappings, { body: { role: 'member', project: 'ENG' } })
          expect([status, keysOf(json)]).toEqual([400, ['idp_group_name']])
        },
        client: async ({ client }) =>
          expect(await client().writer.write(creation(inProject('ENG'), ''), never)).toMatchObject({
            kind: 'refused',
            code: 'rejected',
            sentence: expect.stringContaining('idp_group_name') as string,
          }),
      },
      {
        line: '| role | string | yes |',
        raw: async (world) => {
          const { status, json } = await world.ask('POST', projectMappings, { body: { idp_group_name: 'g', project: 'ENG' } })
          expect([status, keysOf(json)]).toEqual([400, ['role']])
        },
        client: async ({ client }) =>
          expect(await client().writer.write(creation(inProject('ENG'), 'g', ''), never)).toMatchObject({
            kind: 'refused',
            code: 'rejected',
            sentence: expect.stringContaining('role') as string,
          }),
      },
      {
        line: '| project | string | no |',
        raw: async (world) => expect((await create(world, { project: 'ops' })).json.project).toBe('OPS'),
        client: async (world) => {
          const client = world.client()
          const id = await made(client, inProject('OPS'))
          expect(await client.reader.mapping('projectRoles', id, never)).toMatchObject({ target: inProject('OPS') })
        },
      },
      {
        line: '| all_projects | boolean | no |',
        raw: async (world) => {
          const { status, json } = await create(world, { all_projects: true })
          expect([status, json.all_projects, json.project]).toEqual([201, true, null])
        },
        client: async (world) => {
          const client = world.client()
          const id = await made(client, { kind: 'allProjects' })
          expect(bodies(world)).toEqual([{ ...engineers, all_projects: true }])
          expect(await client.reader.mapping('projectRoles', id, never)).toMatchObject({ target: { kind: 'allProjects' } })
        },
      },
    ],
  },
]
