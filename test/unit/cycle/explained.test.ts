import { expect, test } from 'vitest'
import { type GroupName, type List, listOf } from '../../../src/core/mapping.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { type DraftSettings, draftPlan } from '../../../src/cycle/draftPlan.ts'
import { type Reader, Stopped } from '../../../src/cycle/readExisting.ts'
import { acme, complete, failed, groups, hash, mapping, projectsOf, roles, rule, target } from '../core/smallWorld.ts'

const rows = ['ENG devs guest', 'workspace devs admin', '* devs guest'].map(mapping)
const declared: WorkspaceDeclaration = {
  ...{ workspace: acme, owns: new Set<List>(['projectRoles']), removed: [], unmanaged: [] },
  rules: [rule('devs', 'ENG', 'member')],
}
const directories = new Map([['corp', complete(groups('devs'))]])

function reader(more: Partial<Reader> = {}) {
  const asked: List[] = []
  const read: Reader = {
    mappings: async (list) => {
      asked.push(list)
      return complete(rows.filter((row) => listOf(row.target) === list))
    },
    mapping: async () => ({ is: 'gone' }),
    projects: async () => complete(projectsOf('ENG')),
    groupSync: async () => ({}),
    ...more,
  }
  return { read, asked }
}

function settings(where?: string): DraftSettings {
  return {
    diff: { origin: 'x', policy: 'sync', roles, doors: 'any', echoes: {}, hash, laterUntilMs: 0 },
    remembered: {
      groups: { ids: {}, lastId: () => undefined, countOf: () => 0, isWaived: () => false },
      projects: { ids: {}, isWaived: () => false },
      sizeOf: () => 1,
      known: { idsOf: () => [], keysOf: () => [], keysOfGroup: () => [], isSettled: () => true },
      lastApplied: () => [],
    },
    dates: () => ({ hereMs: 0, thereMs: undefined }),
    others: [],
    ...(where === undefined ? {} : { asked: { group: 'devs' as GroupName, target: target(where) } }),
  }
}
const draft = (read: Reader, where?: string, signal = AbortSignal.any([])) =>
  draftPlan(declared, directories, read, settings(where), signal, undefined)

test('What is asked about changes nothing of the plan', async () => {
  const plain = await draft(reader().read)
  expect(plain).not.toHaveProperty('explained')
  for (const where of ['ENG', 'workspace', '*']) {
    const { plan, explained } = await draft(reader().read, where)
    expect(plan).toEqual(plain.plan)
    expect(explained?.target).toEqual(target(where))
  }
})

test('A list that the declaration does not manage is read for the answer, and only then', async () => {
  const [plain, project, workspace] = [reader(), reader(), reader()]
  await draft(plain.read)
  const inProject = await draft(project.read, 'ENG')
  const inWorkspace = await draft(workspace.read, 'workspace')
  expect([plain.asked, project.asked, workspace.asked]).toEqual([['projectRoles'], ['projectRoles'], ['projectRoles', 'workspaceRoles']])
  expect(inProject.explained).toMatchObject({ mappings: [{ role: 'guest' }], everywhere: [{ role: 'guest' }], isManaged: true })
  expect(inWorkspace.explained).toMatchObject({ mappings: [{ role: 'admin' }], everywhere: [], isManaged: false })
})

test('If this list cannot be read, the answer says so, and the plan is made', async () => {
  const { read } = reader()
  const mappings: Reader['mappings'] = async (list, signal) => (list === 'workspaceRoles' ? failed : read.mappings(list, signal))
  const { plan, explained } = await draft({ ...read, mappings }, 'workspace')
  expect(plan.changes).toHaveLength(1)
  expect(explained).toMatchObject({ mappings: [], mappingsUnread: 'cannot connect' })
})

test('A signal while this list is read stops the plan', async () => {
  const stop = new AbortController()
  const { read } = reader()
  const mappings: Reader['mappings'] = async (list, signal) => {
    if (list === 'workspaceRoles') stop.abort()
    return read.mappings(list, signal)
  }
  await expect(draft({ ...read, mappings }, 'workspace', stop.signal)).rejects.toThrow(Stopped)
})
