import { expect, test } from 'vitest'
import { withQuietCalls } from '../../../src/compose/binding.ts'
import type { List, MappingId } from '../../../src/core/mapping.ts'
import type { Reader } from '../../../src/cycle/readExisting.ts'
import { complete, failed, projectsOf } from '../core/smallWorld.ts'

const never = new AbortController().signal
const seeing = (projects: number): Reader => ({
  mappings: async () => complete([]),
  mapping: async () => ({ is: 'gone' }),
  projects: async () => (projects < 0 ? failed : complete(projectsOf(...Array.from({ length: projects }, (_, n) => `P${n}`)))),
  groupSync: async () => ({}),
})
async function counted(projects: number): Promise<number> {
  const { read, quietCalls } = withQuietCalls(seeing(projects))
  await Promise.all([read.mappings('workspaceRoles', never), read.mappings('projectRoles', never), read.projects(never)])
  await read.mappings('projectRoles', never)
  return quietCalls()
}

test.each([
  ['no project', 0, 3],
  ['a full page', 100, 3],
  ['250 projects', 250, 5],
  ['projects that could not be read', -1, 2],
])('%s', async (_name, projects, calls) => expect(await counted(projects)).toBe(calls))

test('all calls of a reading are counted, until the number is asked for', async () => {
  const { read, quietCalls, readCalls } = withQuietCalls(seeing(250))
  const ask = (list: List) => read.mapping(list, 'm1' as MappingId, never)
  await Promise.all([read.mappings('workspaceRoles', never), read.mappings('projectRoles', never)])
  await read.projects(never)
  await Promise.all([ask('projectRoles'), ask('projectRoles'), ask('workspaceRoles')])
  await read.mappings('projectRoles', never)
  expect([readCalls(), quietCalls()]).toEqual([9, 5])
  await read.mappings('projectRoles', never)
  expect([readCalls(), readCalls()]).toEqual([1, 0])
})

test('before anything was read: two lists and a page', () => expect(withQuietCalls(seeing(0)).quietCalls()).toBe(3))
