import { expect, test } from 'vitest'
import { withQuietCalls } from '../../../src/compose/quietCalls.ts'
import type { Reader } from '../../../src/cycle/readExisting.ts'
import { complete, failed, projectsOf } from '../core/smallWorld.ts'

const never = new AbortController().signal
const seeing = (projects: number): Reader => ({
  mappings: async () => complete([]),
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

test('before anything was read: two lists and a page', () => expect(withQuietCalls(seeing(0)).quietCalls()).toBe(3))
