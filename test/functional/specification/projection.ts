import { expect } from 'vitest'
import { never } from '../planeWorld.ts'
import { page, project, sticky } from '../specification-world.ts'
import { asked, items, keysOf } from './acts.ts'
import type { Section } from './row.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string

const neverExpands = 'the program never sends `expand`'

export const sections: readonly Section[] = [
  {
    section: 'fields and expand',
    rows: [
      {
        line: 'response contains only the named fields of each resource',
        differs: ['stickyProjection'],
        raw: async ({ ask, by }) => {
          expect((await ask('GET', 'projects/?fields=id,identifier')).results.map(keysOf)).toEqual([
            ['id', 'identifier'],
            ['id', 'identifier'],
          ])
          expect(keysOf((await ask('GET', `pages/${page}/?fields=name`)).json)).toEqual(['name'])
          const all = keysOf((await ask('GET', `stickies/${sticky}/`)).json)
          expect(keysOf((await ask('GET', `stickies/${sticky}/?fields=name`)).json)).toEqual(by({ specification: ['name'], plane: all }))
        },
        client: async (world) => {
          const listed = await world.client().reader.projects(never)
          expect(asked(world, 'fields')).toEqual(['id,identifier,name,archived_at'])
          expect(listed.status === 'complete' && listed.value[0]).toEqual({ id: project, identifier: 'ENG', name: 'ENG', archived: false })
        },
      },
      {
        line: 'named related objects are returned expanded instead of as identifiers',
        raw: async ({ ask, sandbox }) => {
          const [user] = sandbox.state.users
          const [plain] = (await ask('GET', `${items}?per_page=1`)).results
          const [expanded] = (await ask('GET', `${items}?per_page=1&expand=assignees,state`)).results
          expect(plain).toMatchObject({ state: uuid, assignees: [user?.id] })
          expect(expanded).toMatchObject({
            state: { id: plain?.state, name: 'Todo' },
            assignees: [{ id: user?.id, display_name: 'admin' }],
          })
        },
        clientless: neverExpands,
      },
      {
        line: 'yield an error response that names the invalid items',
        differs: ['invalidNames'],
        raw: async ({ ask, by }) => {
          for (const query of ['fields=id,nonsense', 'expand=nonsense', 'expand=name,nonsense']) {
            const { status, text } = await ask('GET', `${items}?${query}`)
            expect([status, text.includes('nonsense')]).toEqual(by({ specification: [400, true], plane: [200, false] }))
          }
        },
        clientless: 'the program asks only for names that the service knows',
      },
    ],
  },
]
