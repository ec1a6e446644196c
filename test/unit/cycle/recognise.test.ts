import { describe, expect, test } from 'vitest'
import type { List, MappingId, ProjectId, ProjectIdentifier, WorkspaceName } from '../../../src/core/mapping.ts'
import { boundService, confirmedService, rebindings, type SlugChange } from '../../../src/core/memory/confirmed.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { recognise } from '../../../src/cycle/recognise.ts'
import { acme, changeOf, complete, failed, partial } from '../core/smallWorld.ts'
import { reopened } from '../journal/reopened.ts'
import { storedMemory } from '../journal/storedForms.ts'

const host = 'plane.example.com'
const stamp = { atMs: 10, run: 'r' }
const about = { ...stamp, declaration: 'd1' }
const beta = 'beta' as WorkspaceName
const corp = 'corp' as WorkspaceName

type Slugs = Readonly<Record<string, string>>
const start = (slugs: Slugs): Entry => ({
  ...{ ...stamp, kind: 'start', version: '1', command: 'run', waits: 'no', service: { host, slugs } },
})
const end: Entry = { ...stamp, kind: 'end' }
const projects = (workspace: WorkspaceName, id: string): Entry => ({
  ...{ ...stamp, kind: 'projects', workspace, ids: { ENG: { [id]: ['t1'] } } },
})
const listed = (workspace: WorkspaceName, list: List, ids: Readonly<Record<string, string>>): Entry => ({
  ...{ ...stamp, kind: 'mappings', workspace, list },
  ids: Object.fromEntries(Object.entries(ids).map(([key, id]) => [`${workspace}/${key}`, [id as MappingId]])),
})
const lost: Entry = {
  ...{ ...about, workspace: acme, kind: 'result', change: changeOf('create ENG a = member') },
  outcome: { kind: 'unknown', why: 'cut', lastByteMs: 10 },
}
const approved: Entry = {
  ...{ ...stamp, kind: 'approval' },
  approval: {
    ...{ name: 'a1', workspace: acme, passes: ['p'], by: 'ann', account: 'ann', reason: 'INC-1', fromMs: 0, untilMs: 1_000_000 },
  },
}
const past = (entries: readonly Entry[], from: Memory = emptyMemory): Memory =>
  entries.reduce((memory, entry) => remember(memory, entry, 100), from)

/** What Plane shows under a slug. A slug that it does not have answers 404. */
type Shown = {
  readonly projects?: readonly string[] | 'failed'
  readonly workspaceRoles?: readonly string[]
  readonly projectRoles?: readonly string[]
}
type Plane = Readonly<Record<string, Shown | 'partial'>>

/** A journal and a Plane. `cycle` recognises the workspaces of settings at the same time. */
function world(entries: readonly Entry[], plane: Plane) {
  let memory = past(entries)
  let asked = 0
  const read = (slug: string) => {
    const reading = <T>(shown: (at: Shown) => T, none: T): Reading<T> => {
      asked++
      const there = plane[slug]
      if (there === undefined) return failed
      return there === 'partial' ? partial(none) : complete(shown(there))
    }
    return {
      mappings: async (list: List) => reading((at) => (at[list] ?? []).map((id) => ({ id }) as never), []),
      projects: async () => {
        const index = (ids: readonly string[]) =>
          new Map(ids.map((id) => [`P-${id}` as ProjectIdentifier, { id: id as ProjectId, archived: false }]))
        const there = plane[slug]
        if (there !== undefined && there !== 'partial' && there.projects === 'failed') return failed
        return reading((at) => index((at.projects as readonly string[] | undefined) ?? []), index([]))
      },
    }
  }
  const rebind = async (moved: SlugChange) => {
    for (const service of rebindings(memory, moved)) memory = remember(memory, { ...stamp, kind: 'service', service }, 100)
  }
  async function cycle(slugs: Slugs) {
    memory = past([{ ...stamp, kind: 'service', service: boundService(memory, { host, slugs }) }], memory)
    const names = Object.keys(slugs) as WorkspaceName[]
    const ends = await Promise.allSettled(
      names.map((workspace) => {
        const slug = slugs[workspace] as string
        const named = { workspace, slug, read: read(slug) }
        return recognise(named, slugs, { memory: () => memory, rebind }, new AbortController().signal)
      }),
    )
    return Object.fromEntries(
      names.map((name, n) => [name, ends[n]?.status === 'rejected' ? (ends[n].reason as Error).message : 'recognised']),
    )
  }
  return {
    cycle,
    asked: () => asked,
    memory: () => memory,
    slugs: () => confirmedService(memory)?.slugs,
    restart(slugs: Slugs) {
      memory = past([end, start(boundService(memory, { host, slugs }).slugs)], reopened(memory))
    },
  }
}

const withoutService = (memory: Memory) => ({ ...storedMemory(memory), service: undefined, unconfirmed: undefined })

const known = [
  start({ acme: 'acme-old' }),
  projects(acme, 'p1'),
  listed(acme, 'projectRoles', { 'project/ENG/x': 'm1' }),
  listed(acme, 'workspaceRoles', { 'workspace/it': 'w1' }),
  lost,
  approved,
]
const foreign =
  'the workspace with the slug "acme-new" is not the one that the journal has as acme with the slug "acme-old": it shows none of the projects and mappings whose ids the journal has, so nothing is written to it'

describe('a known workspace under another slug', () => {
  test.each<[string, Shown]>([
    ['a project', { projects: ['p0', 'p1'] }],
    ['a mapping of a project', { projects: ['p0'], projectRoles: ['m1'] }],
    ['a mapping of the workspace', { workspaceRoles: ['w0', 'w1'] }],
  ])('is the same one if it shows %s that the memory knows by id: all memory goes on', async (_what, shown) => {
    const { cycle, memory, slugs } = world(known, { 'acme-new': shown })
    expect(await cycle({ acme: 'acme-new' })).toEqual({ acme: 'recognised' })
    expect(slugs()).toEqual({ acme: 'acme-new' })
    expect(withoutService(memory())).toEqual(withoutService(past(known)))
    expect(reopened(memory())).toEqual(memory())
  })

  test.each<[string, Shown]>([
    ['another one', { projects: ['q1'], projectRoles: ['n1'], workspaceRoles: ['v1'] }],
    ['an empty one', {}],
    ['one with the same id in the other list', { projectRoles: ['w1'], workspaceRoles: ['m1'] }],
  ])('is not %s, and its memory is not touched', async (_what, shown) => {
    const { cycle, memory, slugs } = world(known, { 'acme-new': shown })
    expect(await cycle({ acme: 'acme-new' })).toEqual({ acme: foreign })
    expect(slugs()).toEqual({ acme: 'acme-old' })
    expect(memory()).toEqual(past(known))
  })

  test('is not another one, if the journal has ids of one list only', async () => {
    const entries = [start({ acme: 'acme-old' }), listed(acme, 'workspaceRoles', { 'workspace/it': 'w1' })]
    expect(await world(entries, { 'acme-new': {} }).cycle({ acme: 'acme-new' })).toEqual({ acme: foreign })
  })

  test('is not known if no reading was whole, and a part that shows an id is enough', async () => {
    for (const plane of [{}, { 'acme-new': 'partial' }] as const) {
      const { cycle, memory } = world(known, plane)
      const { acme: why } = await cycle({ acme: 'acme-new' })
      expect(why).toContain('whether the workspace with the slug "acme-new" is one that the journal has (acme with the slug "acme-old")')
      expect(memory()).toEqual(past(known))
    }
  })

  test('is asked no further than the first id, and not at all under its own slug', async () => {
    const { cycle, asked } = world(known, { 'acme-new': { projects: ['p1'] }, 'acme-old': {} })
    await cycle({ acme: 'acme-old' })
    expect(asked()).toBe(0)
    await cycle({ acme: 'acme-new' })
    expect(asked()).toBe(1)
    await cycle({ acme: 'acme-new' })
    expect(asked()).toBe(1)
  })

  test('keeps its confirmed slug over restarts until an answer confirmed the new one, and may go back', async () => {
    const { cycle, restart, slugs, memory } = world(known, { 'acme-new': { projects: ['q1'] }, 'acme-old': { projects: ['p1'] } })
    restart({ acme: 'acme-new' })
    expect(slugs()).toEqual({ acme: 'acme-old' })
    expect(await cycle({ acme: 'acme-new' })).toEqual({ acme: foreign })
    restart({ acme: 'acme-new' })
    expect(await cycle({ acme: 'acme-new' })).toEqual({ acme: foreign })
    restart({ acme: 'acme-old' })
    expect(await cycle({ acme: 'acme-old' })).toEqual({ acme: 'recognised' })
    expect(memory().approvals).toHaveLength(1)
  })

  test('goes back to the old slug as it came', async () => {
    const shown = { projects: ['p1'] }
    const { cycle, restart, slugs } = world(known, { 'acme-new': shown, 'acme-old': shown })
    await cycle({ acme: 'acme-new' })
    restart({ acme: 'acme-old' })
    expect(slugs()).toEqual({ acme: 'acme-new' })
    expect(await cycle({ acme: 'acme-old' })).toEqual({ acme: 'recognised' })
    expect(slugs()).toEqual({ acme: 'acme-old' })
  })

  test('of which the memory has no id begins under the new slug; its quarantine stays, and an approval does not', async () => {
    const entries = [start({ acme: 'acme-old' }), listed(acme, 'projectRoles', {}), lost, approved]
    const { cycle, memory, slugs, asked } = world(entries, { 'acme-new': { projects: ['q1'] } })
    expect(await cycle({ acme: 'acme-new' })).toEqual({ acme: 'recognised' })
    expect([slugs(), asked()]).toEqual([{ acme: 'acme-new' }, 0])
    expect(memory().quarantine).toEqual(past(entries).quarantine)
    expect(Object.keys(memory().quarantine)).toHaveLength(1)
    expect(memory().approvals).toEqual([])
  })
})

describe('two workspaces', () => {
  const both = [start({ acme: 'a', beta: 'b' }), projects(acme, 'p1'), projects(beta, 'p2')]

  test('whose slugs were swapped in Plane go on, each with its memory', async () => {
    const { cycle, slugs, memory } = world(both, { a: { projects: ['p2'] }, b: { projects: ['p1'] } })
    expect(await cycle({ acme: 'b', beta: 'a' })).toEqual({ acme: 'recognised', beta: 'recognised' })
    expect(slugs()).toEqual({ acme: 'b', beta: 'a' })
    expect(withoutService(memory())).toEqual(withoutService(past(both)))
  })

  test('whose slugs were swapped only in the settings are told apart', async () => {
    const { cycle, memory } = world(both, { a: { projects: ['p1'] }, b: { projects: ['p2'] } })
    const as = (slug: string, name: string) =>
      `the journal knows the workspace with the slug "${slug}" as ${name}, so nothing is written to it under another name`
    expect(await cycle({ acme: 'b', beta: 'a' })).toEqual({ acme: as('b', 'beta'), beta: as('a', 'acme') })
    expect(memory()).toEqual(past(both))
  })

  test('one of which got the slug of the other one, which the settings do not have any more', async () => {
    const { cycle, slugs } = world(both, { b: { projects: ['p1'] } })
    expect(await cycle({ acme: 'b' })).toEqual({ acme: 'recognised' })
    expect(slugs()).toEqual({ acme: 'b', beta: 'b' })
    // The slug tells no name any more, so no memory moves to another name by it.
    const { corp: why } = await cycle({ corp: 'b' })
    expect(why).toContain('as acme, so nothing is written to it under another name')
    expect(await cycle({ acme: 'b' })).toEqual({ acme: 'recognised' })
  })

  test('one of which has the slug of the other one, which the settings do not have any more, but not its name', async () => {
    const { cycle, memory } = world(both, { a: { projects: ['p1'] } })
    expect((await cycle({ beta: 'a' }))['beta']).toContain('"a" as acme, so nothing is written to it under another name')
    expect(memory()).toEqual(past(both))
  })

  test('one of which is foreign: the other one goes on', async () => {
    const { cycle, slugs } = world(both, { x: { projects: ['p9'] }, y: { projects: ['p2'] } })
    expect(await cycle({ acme: 'x', beta: 'y' })).toEqual({
      acme: expect.stringContaining('"x" is not the one') as string,
      beta: 'recognised',
    })
    expect(slugs()).toEqual({ acme: 'a', beta: 'y' })
  })
})

describe('a workspace with a name that the journal does not know', () => {
  test('is the same one with another name and slug if it shows an id of one that the settings do not have any more', async () => {
    const { cycle, restart, slugs, memory } = world(known, { 'corp-new': { projects: ['p1'] } })
    restart({ corp: 'corp-new' })
    expect(await cycle({ corp: 'corp-new' })).toEqual({ corp: 'recognised' })
    expect(slugs()).toEqual({ corp: 'corp-new' })
    expect(Object.keys(memory().quarantine)).toEqual(['corp/project/ENG/a'])
    expect(memory().approvals).toMatchObject([{ workspace: 'corp' }])
    expect(reopened(memory())).toEqual(memory())
  })

  test('is new if it shows none, and is not asked at all if all known ones are where the settings say', async () => {
    const { cycle, slugs, asked, memory } = world(known, { 'corp-new': { projects: ['q1'] } })
    expect(await cycle({ acme: 'acme-old', corp: 'corp-new' })).toEqual({ acme: 'recognised', corp: 'recognised' })
    expect(asked()).toBe(0)
    expect(await cycle({ corp: 'corp-new' })).toEqual({ corp: 'recognised' })
    expect(slugs()).toEqual({ acme: 'acme-old' })
    expect(withoutService(memory())).toEqual(withoutService(past(known)))
  })

  test('is not written to if it is the one whose name now has another slug', async () => {
    const { cycle } = world(known, { 'acme-old': { projects: ['p1'] }, other: { projects: ['q1'] }, moved: { projects: ['p1'] } })
    const ends = await cycle({ acme: 'other', corp: 'acme-old' })
    expect(ends['acme']).toContain('"other" is not the one')
    expect(ends['corp']).toContain('"acme-old" as acme, so nothing is written')
    expect((await cycle({ acme: 'other', corp: 'moved' }))['corp']).toContain('"moved" as acme, so nothing is written')
  })

  test('may be known, so it waits for one whole reading; its projects may stay unread', async () => {
    const { cycle } = world(known, { 'corp-new': 'partial', other: { projects: 'failed', projectRoles: ['n1'] } })
    expect((await cycle({ [corp]: 'corp-new' }))['corp']).toContain('did not show whether')
    expect(await cycle({ corp: 'other' })).toEqual({ corp: 'recognised' })
    expect((await cycle({ acme: 'other' }))['acme']).toContain('did not show whether')
  })
})
