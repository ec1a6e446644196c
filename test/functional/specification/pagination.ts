import { expect } from 'vitest'
import { never } from '../planeWorld.ts'
import type { World } from '../specification-world.ts'
import { asked, growProjectsTo, growTo, items } from './acts.ts'
import type { Section } from './row.ts'

/** The client reads `count` projects. */
async function walk(world: World, count: number): Promise<void> {
  growProjectsTo(count, world)
  expect(await world.client().reader.projects(never)).toMatchObject({ status: 'complete', value: { length: count } })
}
/** A list of several pages without a stable order is walked twice, so each parameter is seen twice. */
const twice = <T>(walked: readonly T[]): readonly T[] => [...walked, ...walked]

export const sections: readonly Section[] = [
  {
    section: 'Pagination',
    rows: [
      {
        line: 'items per page; default 100; maximum 100',
        raw: async (world) => {
          const { ask, sandbox } = world
          growTo(101, world)
          expect((await ask('GET', items)).json).toMatchObject({ count: 100, total_results: 101, next_page_results: true })
          expect((await ask('GET', `${items}?per_page=100`)).json.count).toBe(100)
          sandbox.state.workspaces.acme?.projects[0]?.workItems.pop()
          expect((await ask('GET', items)).json).toMatchObject({ count: 100, next_page_results: false })
          expect((await ask('GET', `${items}?per_page=101`)).status).toBe(400)
        },
        client: async (world) => {
          await walk(world, 100)
          expect(asked(world, 'per_page')).toEqual(['100'])
          await walk(world, 101)
          expect(asked(world, 'per_page').slice(1)).toEqual(['100', '100'])
        },
      },
      {
        line: 'position; when absent the first page is returned',
        raw: async ({ ask }) =>
          expect((await ask('GET', `${items}?per_page=3`)).json.results).toEqual(
            (await ask('GET', `${items}?per_page=3&cursor=3:0:0`)).json.results,
          ),
        client: async (world) => {
          await walk(world, 7)
          expect(asked(world, 'cursor')).toEqual([null])
        },
      },
      {
        line: 'Cursor format: `value:offset:is_prev`, where value = page size, offset = current page number starting at 0',
        raw: async ({ ask }) => {
          const names = async (query: string) =>
            (await ask('GET', `${items}?per_page=3&fields=name&${query}`)).results.map(({ name }) => name)
          expect(await names('cursor=3:1:0')).toEqual(['Work 3', 'Work 4', 'Work 5'])
          expect(await names('cursor=3:9:0')).toEqual([])
          expect((await ask('GET', `${items}?cursor=nonsense`)).status).toBe(400)
        },
        client: async (world) => {
          await walk(world, 201)
          expect(asked(world, 'cursor')).toEqual([null, '100:1:0', '100:2:0'])
        },
      },
      {
        line: 'is_prev = 1 when moving to the previous page',
        raw: async ({ ask }) =>
          expect((await ask('GET', `${items}?per_page=3&cursor=3:0:1`)).results).toMatchObject(
            [0, 1, 2].map((n) => ({ name: `Work ${n}` })),
          ),
        clientless: 'the client reads lists from the first page to the last, and never back',
      },
      {
        line: 'value = page size',
        differs: ['cursorSize'],
        raw: async ({ ask, by }) => {
          // Without per_page the cursor alone gives the size. The running service uses 100 instead, and this page is past the end.
          const { results } = await ask('GET', `${items}?cursor=3:1:0`)
          expect(results).toHaveLength(by({ specification: 3, plane: 0 }))
        },
        client: async (world) => {
          // This list has pages of three, even if a request asks for the largest size. The cursor names the size.
          const { reader } = world.client()
          const names = Array.from({ length: 7 }, (_, index) => `g${index}`)
          for (const idp_group_name of names)
            await world.ask('POST', 'group-sync/workspace-mappings/', { body: { idp_group_name, role: 'member' } })
          world.sandbox.setFaults(['GET workspace-mappings/: envelope of 3'])
          const value = names.map((group) => ({ group }))
          expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value })
          expect(asked(world, 'per_page').slice(7)).toEqual([null, ...twice(['100', '3', '3'])])
        },
      },
      {
        line: 'On the first page, prev_cursor is an empty string, prev_page_results is false.',
        differs: ['firstPrevCursor'],
        raw: async ({ ask, by }) =>
          expect((await ask('GET', `${items}?per_page=3`)).json).toMatchObject({
            prev_cursor: by({ specification: '', plane: '3:-1:1' }),
            prev_page_results: false,
          }),
        client: async (world) => {
          await walk(world, 101)
          // The client never sends `prev_cursor` back, in either dialect.
          expect(asked(world, 'cursor')).toEqual([null, '100:1:0'])
        },
      },
      {
        line: 'With per_page=N and a first page, next_cursor has the form `N:1:0`',
        raw: async ({ ask }) => expect((await ask('GET', `${items}?per_page=3`)).json.next_cursor).toBe('3:1:0'),
        client: async (world) => {
          await walk(world, 200)
          expect(asked(world, 'cursor').at(1)).toBe('100:1:0')
        },
      },
      {
        line: 'requesting the cursor `N:1:0` yields a next_cursor of `N:2:0` and a prev_cursor of `N:0:1`',
        raw: async ({ ask }) =>
          expect((await ask('GET', `${items}?per_page=3&cursor=3:1:0`)).json).toMatchObject({ next_cursor: '3:2:0', prev_cursor: '3:0:1' }),
        client: async (world) => {
          await walk(world, 301)
          expect(asked(world, 'cursor').slice(1, 4)).toEqual(['100:1:0', '100:2:0', '100:3:0'])
        },
      },
    ],
  },
]
