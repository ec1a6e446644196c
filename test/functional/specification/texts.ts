import { expect } from 'vitest'
import { page, sticky } from '../specification-world.ts'
import { needsScope, notCalled } from './acts.ts'
import type { Section } from './row.ts'

const html = '<p>the milk</p>'

export const sections: readonly Section[] = [
  {
    section: 'Sticky',
    rows: [
      {
        line: '| description_html | string | HTML content |',
        raw: async ({ ask }) => expect((await ask('GET', `stickies/${sticky}/`)).json.description_html).toBe(html),
        clientless: notCalled,
      },
    ],
  },
  {
    section: 'Wiki page',
    rows: [
      {
        line: '| description | string | |',
        raw: async ({ ask }) => expect((await ask('GET', `pages/${page}/`)).json.description).toBe('How we work'),
        clientless: notCalled,
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
        clientless: notCalled,
      },
      {
        line: 'Required scope: `stickies:read`',
        raw: (world) => needsScope(world, 'stickies:read', (token) => world.ask('GET', `stickies/${sticky}/`, { token })),
        clientless: notCalled,
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
        clientless: notCalled,
      },
      {
        line: 'Required scope: `wiki.pages:read`',
        raw: (world) => needsScope(world, 'wiki.pages:read', (token) => world.ask('GET', `pages/${page}/`, { token })),
        clientless: notCalled,
      },
    ],
  },
]
