import { expect } from 'vitest'
import { never } from '../planeWorld.ts'
import { page, project, sticky } from '../specification-world.ts'
import { items, keysOf } from './acts.ts'
import type { Section } from './row.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string

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
        client: async ({ client, by }) => {
          const { reader } = client()
          const all = await reader.sticky(sticky, {}, never)
          const named = by<object | undefined>({ specification: { name: 'Remember' }, plane: all })
          expect(await reader.sticky(sticky, { fields: ['name'] }, never)).toEqual(named)
          expect(await reader.wikiPage(page, { fields: ['name', 'description'] }, never)).toEqual({ name: 'Handbook', text: 'How we work' })
          const listed = await reader.workItems(project, { fields: ['name'] }, never)
          // The id distinguishes rows, so the client always asks for it.
          expect(listed.status === 'complete' && listed.value[0]).toEqual({ id: uuid, name: 'Work 0' })
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
        client: async ({ client, sandbox }) => {
          const { reader } = client()
          const first = async (expand: readonly string[]) => {
            const listed = await reader.workItems(project, { fields: ['state', 'assignees'], expand }, never)
            return listed.status === 'complete' ? listed.value[0] : undefined
          }
          const id = sandbox.state.users[0]?.id
          const plain = await first([])
          expect(plain).toEqual({ id: uuid, state: { id: uuid }, assignees: [{ id }] })
          expect(await first(['state', 'assignees'])).toEqual({
            id: plain?.id,
            state: { id: plain?.state?.id, name: 'Todo', group: 'unstarted' },
            assignees: [{ id, name: 'admin', others: expect.objectContaining({ display_name: 'admin' }) as object }],
          })
        },
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
        client: async ({ client, by }) => {
          const { reader } = client()
          const failed = { status: 'failed', why: expect.stringContaining('nonsense') as string }
          const expected = by<object>({ specification: failed, plane: { status: 'complete' } })
          expect(await reader.workItems(project, { fields: ['id', 'nonsense'] }, never)).toMatchObject(expected)
          expect(await reader.workItems(project, { expand: ['nonsense'] }, never)).toMatchObject(expected)
          const retrieved = reader.sticky(sticky, { expand: ['nonsense'] }, never).catch((error: unknown) => error)
          const refused = { code: 'rejected', status: 400, sentence: expect.stringContaining('nonsense') as string }
          expect(await retrieved).toMatchObject(by<object>({ specification: refused, plane: { id: sticky } }))
        },
      },
    ],
  },
]
