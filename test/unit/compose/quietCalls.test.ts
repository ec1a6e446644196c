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

test('calls by id are those of the last reading of each list', async () => {
  const { read, quietCalls, callsById } = withQuietCalls(seeing(0))
  const ask = (list: List) => read.mapping(list, 'm1' as MappingId, never)
  await Promise.all([read.mappings('workspaceRoles', never), read.mappings('projectRoles', never)])
  await Promise.all([ask('projectRoles'), ask('projectRoles'), ask('workspaceRoles')])
  expect([callsById(), quietCalls()]).toEqual([3, 2])
  await read.mappings('projectRoles', never)
  expect(callsById()).toBe(1)
})

test('before anything was read: two lists and a page', () => expect(withQuietCalls(seeing(0)).quietCalls()).toBe(3))
