import { expect } from 'vitest'
import { never } from '../planeWorld.ts'
import { page, sticky } from '../specification-world.ts'
import { needsScope } from './acts.ts'
import type { Section } from './row.ts'

const forbidden = { code: 'forbidden', status: 403 }
const html = '<p>the milk</p>'

export const sections: readonly Section[] = [
  {
    section: 'Sticky',
    rows: [
      {
        line: '| description_html | string | HTML content |',
        raw: async ({ ask }) => expect((await ask('GET', `stickies/${sticky}/`)).json.description_html).toBe(html),
        client: async ({ client }) => expect((await client().reader.sticky(sticky, {}, never))?.html).toBe(html),
      },
    ],
  },
  {
    section: 'Wiki page',
    rows: [
      {
        line: '| description | string | |',
        raw: async ({ ask }) => expect((await ask('GET', `pages/${page}/`)).json.description).toBe('How we work'),
        client: async ({ client }) => expect((await client().reader.wikiPage(page, {}, never))?.text).toBe('How we work'),
      },
    ],
  },
  {
    section: 'Retrieve a sticky',
    rows: [
      {
        line: '`GET /api/v1/workspaces/{workspace_slug}/stickies/{resource_id}/`',
        raw: async ({ ask }) =>
          expect((await ask('GET', `stickies/${sticky}/`)).json).toMatchObject({
            id: sticky,
            name: 'Remember',
            description_html: html,
            created_at: expect.any(String),
          }),
        client: async ({ client }) =>
          expect(await client().reader.sticky(sticky, {}, never)).toMatchObject({
            id: sticky,
            name: 'Remember',
            html,
            createdAtMs: expect.any(Number) as number,
            updatedAtMs: expect.any(Number) as number,
          }),
      },
      {
        line: 'Required scope: `stickies:read`',
        raw: (world) => needsScope(world, 'stickies:read', (token) => world.ask('GET', `stickies/${sticky}/`, { token })),
        client: async ({ client, as }) => {
          const read = (scope: string) => client(as.oauth(scope)).reader.sticky(sticky, {}, never)
          expect(await read('stickies:read')).toMatchObject({ id: sticky })
          await expect(read('projects:read')).rejects.toMatchObject(forbidden)
        },
      },
    ],
  },
  {
    section: 'Retrieve a wiki page',
    rows: [
      {
        line: '`GET /api/v1/workspaces/{workspace_slug}/pages/{page_id}/`',
        raw: async ({ ask }) =>
          expect((await ask('GET', `pages/${page}/`)).json).toMatchObject({
            id: page,
            name: 'Handbook',
            description: 'How we work',
            created_at: expect.any(String),
          }),
        client: async ({ client }) =>
          expect(await client().reader.wikiPage(page, {}, never)).toMatchObject({
            id: page,
            name: 'Handbook',
            text: 'How we work',
            createdAtMs: expect.any(Number) as number,
          }),
      },
      {
        line: 'Required scope: `wiki.pages:read`',
        raw: (world) => needsScope(world, 'wiki.pages:read', (token) => world.ask('GET', `pages/${page}/`, { token })),
        client: async ({ client, as }) => {
          const read = (scope: string) => client(as.oauth(scope)).reader.wikiPage(page, {}, never)
          expect(await read('wiki.pages:read')).toMatchObject({ id: page })
          await expect(read('projects:read')).rejects.toMatchObject(forbidden)
        },
      },
    ],
  },
]
