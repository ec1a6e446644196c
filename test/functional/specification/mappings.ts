import { expect } from 'vitest'
import type { Target } from '../../../src/core/mapping.ts'
import { everywhere, inProject, never } from '../planeWorld.ts'
import { workspaceMappings } from '../specification-world.ts'
import { bodies, create, creation, keysOf, made } from './acts.ts'
import type { Section } from './row.ts'

const rowFields = ['id', 'created_at', 'updated_at']
const allProjects: Target = { kind: 'allProjects' }

export const sections: readonly Section[] = [
  {
    section: 'Project group mapping',
    rows: [
      {
        line: 'Maps an IdP group to a role in one project or in all projects of a workspace.',
        raw: async (world) => {
          const { json } = await create(world)
          expect(keysOf(json)).toEqual([...rowFields, 'idp_group_name', 'project', 'all_projects', 'role'].toSorted())
          expect(json).toMatchObject({ idp_group_name: 'engineers', project: 'ENG', role: 'member' })
        },
        client: async (world) => {
          const client = world.client()
          for (const target of [inProject('ENG'), allProjects]) await made(client, target)
          expect(await client.reader.mappings('projectRoles', never)).toMatchObject({
            status: 'complete',
            value: [
              { group: 'engineers', target: inProject('ENG'), role: 'member' },
              { group: 'engineers', target: allProjects, role: 'member' },
            ],
          })
        },
      },
      {
        line: '`project` and `all_projects: true` are mutually exclusive.',
        raw: async (world) => {
          expect((await create(world, { project: 'ENG', all_projects: true })).status).toBe(400)
          expect(world.sandbox.state.workspaces.acme?.projectMappings).toEqual([])
        },
        client: async (world) => {
          const client = world.client()
          for (const target of [inProject('ENG'), allProjects]) await made(client, target)
          expect(bodies(world).map(keysOf)).toEqual([
            ['all_projects', 'idp_group_name', 'project', 'role'],
            ['all_projects', 'idp_group_name', 'role'],
          ])
          // A row with a project and all_projects contradicts itself, so the client does not accept it.
          for (const row of world.sandbox.state.workspaces.acme?.projectMappings ?? [])
            Object.assign(row, { project: 'ENG', all_projects: true })
          expect(await client.reader.mappings('projectRoles', never)).toMatchObject({
            status: 'failed',
            why: expect.stringContaining('beside all_projects') as string,
          })
        },
      },
      {
        line: 'In a created mapping for a specific project, `all_projects` is false.',
        raw: async (world) => expect((await create(world)).json.all_projects).toBe(false),
        client: async (world) => {
          const client = world.client()
          const id = await made(client)
          expect(bodies(world)).toMatchObject([{ project: 'ENG', all_projects: false }])
          expect(await client.reader.mapping('projectRoles', id, never)).toMatchObject({ target: inProject('ENG') })
        },
      },
    ],
  },
  {
    section: 'Workspace group mapping',
    rows: [
      {
        line: 'Maps an IdP group to a workspace role.',
        raw: async (world) => {
          const { json } = await create(world, {}, workspaceMappings)
          expect(keysOf(json)).toEqual([...rowFields, 'idp_group_name', 'role'].toSorted())
        },
        client: async (world) => {
          const { reader, writer } = world.client()
          await writer.write(creation(everywhere, 'leads', 'admin'), never)
          expect(bodies(world)).toEqual([{ idp_group_name: 'leads', role: 'admin' }])
          expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
            value: [{ group: 'leads', target: everywhere, role: 'admin' }],
          })
        },
      },
    ],
  },
]
