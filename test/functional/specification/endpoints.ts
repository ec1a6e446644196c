import { expect } from 'vitest'
import { change, everywhere, inProject, never } from '../planeWorld.ts'
import { projectMappings, workspaceMappings } from '../specification-world.ts'
import { bodies, create, made, needsScope, writeNeedsScope } from './acts.ts'
import type { Section } from './row.ts'

const scope = 'workspaces.group_sync:write'

export const sections: readonly Section[] = [
  {
    section: 'Endpoints',
    rows: [
      {
        line: '`{workspace_slug}` is the unique workspace identifier',
        differs: ['unknownWorkspaceStatus'],
        raw: async ({ ask, by }) =>
          expect((await ask('GET', '/api/v1/workspaces/nowhere/projects/')).status).toBe(by({ specification: 404, plane: 403 })),
        client: async ({ client }) => {
          const cure = expect.stringContaining('check the workspace slug "nowhere"') as string
          expect(await client({ slug: 'nowhere' }).reader.projects(never)).toMatchObject({ status: 'failed', cure })
        },
      },
      {
        line: 'GET (read), POST (create), PATCH (partial update), DELETE (delete)',
        raw: async (world) => {
          for (const kind of [projectMappings, workspaceMappings]) {
            const { id, json } = await create(world, kind === projectMappings ? { project: 'ENG' } : {}, kind)
            expect((await world.ask('GET', `${kind}${id}/`)).json).toEqual(json)
            expect((await world.ask('PATCH', `${kind}${id}/`, { body: { role: 'guest' } })).json.role).toBe('guest')
            expect((await world.ask('GET', kind)).results).toMatchObject([{ id, role: 'guest' }])
            expect((await world.ask('DELETE', `${kind}${id}/`)).status).toBe(204)
            expect((await world.ask('GET', `${kind}${id}/`)).status).toBe(404)
            expect((await world.ask('PUT', kind, { body: {} })).status).toBe(405)
          }
        },
        client: async (world) => {
          for (const [list, target] of [
            ['projectRoles', inProject('ENG')],
            ['workspaceRoles', everywhere],
          ] as const) {
            const client = world.client()
            const mapping = await made(client, target)
            await client.writer.write(change('engineers', target, { action: 'patch', mapping, role: 'guest' }), never)
            expect(await client.reader.mapping(list, mapping, never)).toMatchObject({ role: 'guest' })
            await client.writer.write(change('engineers', target, { action: 'delete', mapping }), never)
            expect(await client.reader.mapping(list, mapping, never)).toBeUndefined()
          }
          const once = ['POST', 'PATCH', 'GET', 'DELETE', 'GET']
          expect(world.sandbox.requests.map(({ method }) => method)).toEqual([...once, ...once])
        },
      },
    ],
  },
  {
    section: 'Update workspace group mapping',
    rows: [
      {
        line: '`PATCH /api/v1/workspaces/{workspace_slug}/group-sync/workspace-mappings/{mapping_id}/`',
        raw: async (world) => {
          const { id } = await create(world, {}, workspaceMappings)
          const patched = await world.ask('PATCH', `${workspaceMappings}${id}/`, { body: { idp_group_name: 'g', role: 'admin' } })
          expect([patched.status, patched.json.idp_group_name, patched.json.role]).toEqual([200, 'g', 'admin'])
        },
        client: async (world) => {
          const client = world.client()
          const mapping = await made(client, everywhere)
          const renamed = change('g', everywhere, { action: 'rename', mapping, fromGroup: 'engineers', role: 'admin' })
          expect(await client.writer.write(renamed, never)).toEqual({ kind: 'done', mapping, echoed: 'admin' })
          expect(await client.reader.mapping('workspaceRoles', mapping, never)).toMatchObject({ group: 'g', role: 'admin' })
        },
      },
      {
        line: 'Required scope: `workspaces.group_sync:write`',
        raw: async (world) => {
          const { id } = await create(world, {}, workspaceMappings)
          const path = `${workspaceMappings}${id}/`
          await needsScope(world, scope, (token) => world.ask('PATCH', path, { token, body: { role: 'admin' } }))
        },
        client: async (world) => {
          const mapping = await made(world.client(), everywhere)
          const patch = change('engineers', everywhere, { action: 'patch', mapping, role: 'admin' })
          await writeNeedsScope(world, ({ writer }) => writer.write(patch, never))
        },
      },
      {
        line: 'Fields not sent keep their values.',
        raw: async (world) => {
          const { id } = await create(world, {}, workspaceMappings)
          for (const body of [{ role: 'admin' }, { idp_group_name: 'g' }]) await world.ask('PATCH', `${workspaceMappings}${id}/`, { body })
          expect((await world.ask('GET', `${workspaceMappings}${id}/`)).json).toMatchObject({ idp_group_name: 'g', role: 'admin' })
        },
        client: async (world) => {
          const client = world.client()
          const mapping = await made(client, everywhere)
          await client.writer.write(change('engineers', everywhere, { action: 'patch', mapping, role: 'admin' }), never)
          await client.writer.write(change('g', everywhere, { action: 'rename', mapping, fromGroup: 'engineers' }), never)
          expect(bodies(world).slice(1)).toEqual([{ role: 'admin' }, { idp_group_name: 'g' }])
          expect(await client.reader.mapping('workspaceRoles', mapping, never)).toMatchObject({ group: 'g', role: 'admin' })
        },
      },
    ],
  },
]
