import { describe, expect, test } from 'vitest'
import { lackingIn } from '../../../src/commands/takeRecording.ts'
import { type GroupName, lists, type WorkspaceName } from '../../../src/core/mapping.ts'
import { nothingDeclared, type Rule, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { openReadingsKeeper } from '../../../src/recording/readings.ts'
import { acme, complete } from '../core/smallWorld.ts'

const signal = new AbortController().signal
const beta = 'beta' as WorkspaceName
const rule = (from: string) =>
  ({ from: [from], groups: { kind: 'exact', name: 'devs' as GroupName }, target: { kind: 'fixed' } }) as unknown as Rule
const managing = (workspace: WorkspaceName, from: string): WorkspaceDeclaration => ({
  ...nothingDeclared(workspace),
  owns: new Set(['projectRoles']),
  rules: [rule(from)],
})

/** A program that reads both lists and both directories in each cycle. */
async function program() {
  const keeper = openReadingsKeeper()
  const declared = {
    workspaces: new Map([
      [acme, managing(acme, 'corp')],
      [beta, managing(beta, 'partner')],
    ]),
    hash: 'h',
    files: 1,
  }
  const answer = async () => complete(new Map())
  const directories = keeper.directories(
    new Map(
      ['corp', 'partner'].map((name) => [
        name,
        { kind: 'file', read: answer, members: async (_, asOfMs) => complete(new Map([['1', { people: [`ann as of ${asOfMs}`] }]])) },
      ]),
    ),
  )
  const readers = [acme, beta].map((name) =>
    keeper.reader(name, {
      mappings: async () => complete([]),
      mapping: async () => ({ is: 'gone' }),
      projects: async () => complete(new Map()),
      groupSync: async () => ({}),
    }),
  )
  await keeper.declaration(async () => declared)(signal)
  for (const directory of directories.values()) await directory.read(signal)
  for (const reader of readers) {
    for (const list of lists) await reader.mappings(list, signal)
    await reader.mapping('projectRoles', 'm1' as never, signal)
    await reader.projects(signal)
  }
  return { keeper, declared, directories }
}

describe('the answers that are kept', () => {
  test('are dropped at the next cycle if no rule is about them any more, or if they are about one mapping', async () => {
    const { keeper, declared } = await program()
    expect([...keeper.readings.directories.keys()]).toEqual(['corp', 'partner'])
    const [, ...without] = [...declared.workspaces].toReversed()
    await keeper.declaration(async () => ({ ...declared, workspaces: new Map(without) }))(signal)
    expect([...keeper.readings.directories.keys()]).toEqual(['corp'])
    const of = (name: WorkspaceName) => keeper.readings.workspaces.get(name)
    expect([...(of(acme)?.lists.keys() ?? [])]).toEqual(['projectRoles'])
    expect([...(of(beta)?.lists.keys() ?? [])]).toEqual([])
    expect([of(acme)?.byId.size, of(beta)?.projects]).toEqual([0, undefined])
  })

  test('say of which groups the members were asked for, also without an answer', async () => {
    const { keeper, directories } = await program()
    const groups = ['1', '2'].map((id) => ({ id, name: id as GroupName, place: id }))
    await directories.get('corp')?.members?.(groups, 7, signal)
    const kept = [...(keeper.readings.members.get('corp') ?? [])].map(([id, { members }]) => [id, members?.people])
    expect(kept).toEqual([
      ['1', ['ann as of 7']],
      ['2', undefined],
    ])
  })
})

describe('what a recording lacks', () => {
  const bound = { workspace: acme } as never
  const sources = { directories: new Map(), bindings: new Map([['default', [bound]]]) }
  const declared = (more: object) => ({ workspaces: new Map([[acme, { ...managing(acme, 'corp'), ...more }]]), hash: 'h', files: 1 })
  const mapping = { id: 'm1' } as never
  const read = (more: object) =>
    ({
      directories: new Map(),
      workspaces: new Map([
        [acme, { lists: new Map([['projectRoles', complete([mapping])]]), byId: new Map(), projects: complete(new Map()), ...more }],
      ]),
    }) as never

  test.each([
    ['settings that no rule is about', {}, {}, 'unasked'],
    ['settings that the declaration has', {}, { groupSync: {} }, 'unread'],
  ] as const)('%s', (_, more, wanted, part) => {
    const lacking = lackingIn(read(more), sources, declared(wanted))
    expect(lacking[part]).toContain('the group-sync settings of acme')
    expect(lackingIn(read({ groupSync: {} }), sources, declared(wanted))[part]).not.toContain('the group-sync settings of acme')
  })

  test('a list is incomplete if Plane has a mapping that it lacks', () => {
    const incomplete = (is: string) => lackingIn(read({ byId: new Map([['m2', { is }]]) }), sources, declared({})).incomplete
    expect([incomplete('gone'), incomplete('there')]).toEqual([[], ['the project mappings of acme']])
  })
})
