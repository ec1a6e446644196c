import { describe, expect, test } from 'vitest'
import type { Key, MappingId } from '../../../src/core/mapping.ts'
import { emptyMemory, type Memory } from '../../../src/core/memory/memory.ts'
import { emptySmallMap, put, shardedMapOf } from '../../../src/core/memory/shardedMap.ts'
import type { DeclaredWaiver } from '../../../src/core/rule.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { planSettingsOf } from '../../../src/cycle/planSettings.ts'
import type { Declared, WorkspaceBinding, WorkspaceCycle } from '../../../src/cycle/workspaceContext.ts'
import { acme, guards, hash, roles } from '../core/smallWorld.ts'

const nowMs = 10 * 86_400_000
const at = (steadyMs: number) => ({ steadyMs, wallMs: steadyMs })
const waiver = (source: string, more: Partial<Waiver> = {}): Waiver => ({ ids: [], by: 'ann', untilMs: 9e15, source, ...more })
const words = { changes: [{ key: 'acme/project/ENG/leads' as Key }] }
const inFile = (file: string, owner?: string): DeclaredWaiver => ({
  words,
  untilMs: 100,
  because: { at: { file, line: 9, column: 5 }, ...(owner === undefined ? {} : { owner }) },
})
const declaredWith = (waivers: readonly DeclaredWaiver[], more: Partial<Declared> = {}): Declared => ({
  workspaces: new Map([[acme, { workspace: acme, owns: new Set(), rules: [], removed: [], unmanaged: [], waivers }]]),
  hash: 'f'.repeat(64),
  files: 1,
  ...more,
})

type Given = {
  readonly declared?: Declared
  readonly memory?: Partial<Memory>
  readonly binding?: Partial<WorkspaceBinding>
  readonly cycle?: Partial<WorkspaceCycle>
  readonly more?: readonly Waiver[]
}
function settingsOf({ declared = declaredWith([]), memory = {}, binding = {}, cycle = {}, more = [] }: Given) {
  const whole: Memory = { ...emptyMemory, ...memory }
  const unused = () => {
    throw new Error('not used')
  }
  return planSettingsOf(
    {
      binding: {
        workspace: acme,
        read: unused as never,
        horizonMs: 0,
        hasJournal: true,
        options: { origin: 'h/acme', policy: 'exclusive', roles, doors: 'any', hash },
        guards,
        waivers: [],
        suspend: false,
        dates: () => ({ hereMs: 50, thereMs: undefined }),
        ...binding,
      },
      declared,
      cycle: {
        now: () => nowMs,
        wall: () => nowMs,
        began: at(nowMs),
        memory: () => whole,
        run: { waitForEarlier: unused, tally: unused, book: unused, leave: unused },
        countPeople: () => () => Promise.resolve({}) as never,
        ...cycle,
      },
      readAt: at(nowMs),
    },
    more,
  )
}

test('accounts end as of the start of the cycle, also in a later slice', () => {
  const asked: number[] = []
  const counter = ({ asOfMs }: { readonly asOfMs: number }) => {
    asked.push(asOfMs)
    return () => Promise.resolve({}) as never
  }
  settingsOf({ cycle: { began: { steadyMs: 3, wallMs: 7 }, wall: () => nowMs, countPeople: counter } })
  expect(asked).toEqual([7])
})

describe('the waivers of a slice', () => {
  test('are those of the settings, the files, approvals, earlier cycles and earlier slices', () => {
    const approval = { name: 'a', workspace: acme, passes: ['eng'], by: 'ann', account: 'root', reason: 'x', fromMs: 0, untilMs: 60 }
    const { waivers } = settingsOf({
      declared: declaredWith([inFile('a.yaml', 'platform')]),
      memory: { approvals: [approval] },
      binding: { waivers: [waiver('--allow')] },
      cycle: { waived: [waiver('an earlier cycle')] },
      more: [waiver('an earlier slice')],
    })
    expect(waivers.map(({ source }) => source)).toEqual(['--allow', 'a.yaml:9:5', 'approval a', 'an earlier cycle', 'an earlier slice'])
    expect(waivers[1]).toEqual({
      ids: [],
      words,
      at: { file: 'a.yaml', line: 9, column: 5 },
      by: 'platform',
      untilMs: 100,
      source: 'a.yaml:9:5',
    })
  })

  test('of a file without an owner are those of the file', () => {
    expect(settingsOf({ declared: declaredWith([inFile('a.yaml')]) }).waivers.map(({ by }) => by)).toEqual(['a.yaml'])
  })

  test('of another workspace do not count', () => {
    const none = { ...declaredWith([inFile('a.yaml')]), workspaces: new Map() }
    expect(settingsOf({ declared: none }).waivers).toEqual([])
  })
})

test('the gate gets the suspension and the declaration', () => {
  const { gate } = settingsOf({ declared: declaredWith([]), binding: { suspend: 'grants' } })
  expect(gate).toStrictEqual({ suspend: 'grants', declaration: 'f'.repeat(64) })
})

describe('what is remembered', () => {
  test('belongs to the workspace and to the list', () => {
    const [key, ids] = ['acme/project/ENG/devs' as Key, ['m1' as MappingId, 'm2' as MappingId]] as const
    const settings = settingsOf({
      memory: {
        echoes: { 'acme/projectRoles': { guest: 'viewer', member: 'admin' }, 'beta/projectRoles': { guest: 'x' } },
        mappings: shardedMapOf({ 'acme/projectRoles': { ids: put(emptySmallMap, { [key]: ids }) } }),
        groupIds: shardedMapOf({ 'corp/devs': 'id-1' as never }),
        projectIds: shardedMapOf({ acme: { ENG: 'p1' } as never, beta: { OPS: 'p2' } as never }),
      },
    })
    expect(settings.diff.echoes).toEqual({ workspaceRoles: {}, projectRoles: { guest: 'viewer' } })
    const { sizeOf, known } = settings.remembered
    expect([sizeOf('projectRoles'), sizeOf('workspaceRoles')]).toEqual([2, undefined])
    expect([known.idsOf('projectRoles', key), known.idsOf('workspaceRoles', key)]).toEqual([ids, []])
    expect([known.keysOf('projectRoles', ids[1]), known.keysOf('workspaceRoles', ids[1])]).toEqual([[key], []])
    expect(settings.remembered.projects.ids).toEqual({ ENG: 'p1' })
    expect([settings.remembered.groups.lastId('corp/devs'), settings.remembered.groups.lastId('corp/ops')]).toEqual(['id-1', undefined])
    expect(settingsOf({}).remembered.projects.ids).toEqual({})
  })

  test.each([
    ['a waiver that lasts', 51, 'eng', true],
    ['a waiver that ends now', 50, 'eng', false],
    ['a waiver for another id', 51, 'ops', false],
  ])('an id is accepted by %s', (_what, untilMs, id, is) => {
    const { remembered } = settingsOf({ more: [waiver('--allow', { ids: ['x', id], untilMs })] })
    expect([remembered.groups.isWaived('eng'), remembered.projects.isWaived('eng')]).toEqual([is, is])
  })
})

test.each([[true], [false], [undefined]])(
  'mappings that stay as they are are listed only if the cycle asks for it: %s',
  (listsUnchanged) => {
    const { diff } = settingsOf({ cycle: listsUnchanged === undefined ? {} : { listsUnchanged } })
    expect(diff.listsUnchanged).toBe(listsUnchanged === true)
  },
)
