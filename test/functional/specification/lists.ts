import { expect } from 'vitest'
import { never } from '../planeWorld.ts'
import { project } from '../specification-world.ts'
import { asked, growProjectsTo, items, keysOf, notCalled } from './acts.ts'
import type { Section } from './row.ts'

export const sections: readonly Section[] = [
  {
    section: 'Paginated list envelope',
    rows: [
      {
        line: 'List responses use this object',
        differs: ['envelope'],
        raw: async ({ ask, by }) => {
          const { json, results } = await ask('GET', `${items}?per_page=3&cursor=3:1:0`)
          const more = by<object>({
            specification: { extra_stats: {} },
            plane: { grouped_by: null, sub_grouped_by: null, total_count: 7, extra_stats: null },
          })
          expect({ ...json, results: results.length }).toEqual({
            ...more,
            next_cursor: '3:2:0',
            prev_cursor: '3:0:1',
            next_page_results: true,
            prev_page_results: true,
            count: 3,
            total_pages: 3,
            total_results: 7,
            results: 3,
          })
        },
        client: async (world) => {
          growProjectsTo(201, world)
          const { reader } = world.client()
          expect(await reader.projects(never)).toMatchObject({ status: 'complete', value: { length: 201 } })
          world.sandbox.setFaults(['GET projects: list grows'])
          expect(await reader.projects(never)).toMatchObject({ status: 'partial' })
        },
      },
    ],
  },
  {
    section: 'List endpoints mentioned with pagination',
    rows: [
      {
        line: '`GET /api/v1/workspaces/{workspace_slug}/projects/` lists projects of a workspace.',
        raw: async ({ ask }) => {
          const { results } = await ask('GET', 'projects/')
          expect(results.map(({ identifier }) => identifier)).toEqual(['ENG', 'OPS'])
        },
        client: async ({ client }) =>
          expect(await client().reader.projects(never)).toMatchObject({
            status: 'complete',
            value: [{ id: project, identifier: 'ENG', archived: false }, { identifier: 'OPS' }],
          }),
      },
      {
        line: '`GET /api/v1/workspaces/{workspace_slug}/projects/{project_id}/work-items/` lists work items of a project',
        raw: async ({ ask }) => expect((await ask('GET', items)).json).toMatchObject({ total_results: 7, count: 7 }),
        clientless: notCalled,
      },
      {
        line: 'A trailing-slash-less form of this path also appears in a pagination example.',
        differs: ['slashless'],
        raw: async ({ ask, by }) => {
          const { status, headers } = await ask('GET', `${items.slice(0, -1)}?per_page=5`)
          const expected = by<[number, string | null]>({
            specification: [200, null],
            plane: [301, `/api/v1/workspaces/acme/${items}?per_page=5`],
          })
          expect([status, headers.get('location')]).toEqual(expected)
        },
        client: async ({ client, sandbox }) => {
          expect(await client().reader.projects(never)).toMatchObject({ status: 'complete' })
          expect(sandbox.requests.map(({ path }) => path)).toEqual(['/api/v1/workspaces/acme/projects/'])
        },
      },
      {
        line: 'Both return the paginated list envelope.',
        raw: async ({ ask }) => {
          const [projects, workItems] = [await ask('GET', 'projects/'), await ask('GET', items)]
          expect(keysOf(projects.json)).toEqual(keysOf(workItems.json))
          expect(projects.json).toMatchObject({ count: 2, total_results: 2, next_page_results: false })
        },
        client: async (world) => {
          const { reader } = world.client()
          expect(await reader.projects(never)).toMatchObject({ status: 'complete', value: { length: 2 } })
          expect(asked(world, 'per_page')).toEqual(['100'])
        },
      },
    ],
  },
]
