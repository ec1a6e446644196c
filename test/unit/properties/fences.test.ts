import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { DesiredMapping } from '../../../src/core/desired.ts'
import { keyOf, type Mapping, type MappingId, type Role, type Target } from '../../../src/core/mapping.ts'
import { type Policy, policies } from '../../../src/core/policy.ts'
import { nothingDeclared, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { longTest } from '../../long.ts'
import { acme, changeLine, desiredIn, planIn, type Seen, seenOf, target } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { anyFence, anyFile, isInside, mayGive, names, projects } from './anyFence.ts'
import { listsSeen } from './anyWorld.ts'
import { holds, sampleOf } from './runs.ts'

type World = {
  readonly team: string
  readonly platform: string
  readonly fence: FenceText
  readonly groups: readonly string[]
  readonly existing: readonly (readonly [where: string, group: string, role: string])[]
  readonly here: readonly string[]
  readonly policy: Policy
}

const nowMs = Date.parse('2026-01-01')
const places = ['workspace', '*', ...projects]
const anyWorld: fc.Arbitrary<World> = anyFence.chain((fence) =>
  fc.record({
    fence: fc.constant(fence),
    team: anyFile(fence),
    platform: anyFile(undefined),
    groups: fc.subarray(names, { minLength: 4 }),
    existing: fc.array(
      fc.tuple(fc.constantFrom(...places), fc.constantFrom(...names), fc.constantFrom('guest', 'member', 'admin', 'owner')),
      { maxLength: 12 },
    ),
    here: fc.subarray(projects, { minLength: 3 }),
    policy: fc.constantFrom(...policies, 'exclusive' as const),
  }),
)

/** What the files declare for the workspace; undefined if they are refused. */
function declaredBy(files: Readonly<Record<string, string>>, fence: FenceText): WorkspaceDeclaration | undefined {
  const loaded = load(files, { fences: { 'teams/pay/**': fence, 'platform/**': 'everything' }, dateMs: nowMs })
  return loaded.valid ? (loaded.declaration.get(acme) ?? nothingDeclared(acme)) : undefined
}

function seenIn({ groups, existing, here, policy }: World, declared: WorkspaceDeclaration): Seen {
  const stored = existing.map(([where, group, role], index): Mapping => {
    const at = target(where)
    return { id: `m${index}` as MappingId, key: keyOf(acme, at, group as never), group: group as never, target: at, role: role as Role }
  })
  const seen = seenOf({ directories: { corp: groups, lab: [] }, projects: here, policy, nowMs })
  const sync = declared.groupSync === undefined ? {} : { groupSync: { autoRemove: false } }
  return { ...seen, declared, existing: { lists: listsSeen(declared, stored), ...sync } }
}

/** The key, or both keys, that a change touches. */
function touched(change: Exclude<Change, { action: 'settings' }>): readonly string[] {
  return change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]
}

/** Why a file inside the fence must not make this change. */
function* faults(change: Change, fence: FenceText): Generator<string> {
  const may = new Set<string>(Object.keys(fence.demand.expires).length > 0 ? [...fence.may, 'expires'] : fence.may)
  if (change.action === 'settings') {
    if (!may.has('groupSync')) yield 'groupSync'
    return
  }
  for (const group of touched(change)) if (!isInside(fence, change.target, group)) yield `outside: ${group}`
  if (change.action === 'rename' && !may.has('previously')) yield 'previously'
  if (change.action === 'delete') {
    if ((change.why === 'removed' || change.why === 'expired') && !may.has(change.why === 'removed' ? 'removed' : 'expires'))
      yield change.why
  } else if (!mayGive(fence, change.target, change.role)) yield `role: ${change.role}`
}

describe('a file inside a fence', () => {
  const alone = (world: World) => declaredBy({ 'teams/pay/a.yaml': world.team }, world.fence)
  const without = (world: World) => declaredBy({ 'platform/a.yaml': world.platform }, world.fence)
  const beside = (world: World) => declaredBy({ 'platform/a.yaml': world.platform, 'teams/pay/a.yaml': world.team }, world.fence)

  holds(
    'changes nothing outside of it, whatever its words, the directories, the mappings and the policy are',
    100,
    fc.property(anyWorld, (world) => {
      const declared = alone(world)
      if (declared === undefined) return
      const { changes } = planIn(seenIn(world, declared))
      expect(changes.flatMap((change) => [...faults(change, world.fence)].map((fault) => `${changeLine(change)}: ${fault}`))).toEqual([])
    }),
  )
  longTest('is often accepted, and then often changes something', () => {
    const worlds = sampleOf(anyWorld)
    const changes = worlds.flatMap((world) => {
      const declared = alone(world)
      return declared === undefined ? [] : [planIn(seenIn(world, declared)).changes.length]
    })
    expect(changes.length).toBeGreaterThan(worlds.length / 5)
    expect(changes.filter((count) => count > 0).length).toBeGreaterThan(worlds.length / 10)
  })

  holds(
    'never changes what a file without limits says, nor what is outside, and stops no change there',
    100,
    fc.property(anyWorld, (world) => {
      const first = without(world)
      const both = beside(world)
      if (first === undefined || both === undefined) return
      const before = seenIn(world, first)
      const said = new Set([...desiredIn(before).mappings].flatMap(([key, wanted]) => (isCurrent(wanted) ? [key] : [])))
      const mine = (change: Change) =>
        change.action === 'settings'
          ? first.groupSync !== undefined
          : touched(change).some((group) => !isInside(world.fence, change.target, group) || said.has(keyIn(change.target, group)))
      const allowed = new Set(planIn(before).changes.map(changeLine))
      const { changes: now, holds } = planIn(seenIn(world, both))
      expect(now.filter((change) => mine(change) && !allowed.has(changeLine(change))).map(changeLine)).toEqual([])
      const lines = new Set(now.map(changeLine))
      // A rule whose project does not exist holds deletes of its group in other projects: the project may have been renamed.
      const waits = new Set(holds.flatMap(({ key, reason }) => (reason.kind === 'perhapsRenamed' ? [key] : [])))
      const isFar = (change: Change) =>
        change.action !== 'settings' &&
        !waits.has(change.key) &&
        touched(change).every((group) => !isInside(world.fence, change.target, group))
      expect(
        planIn(before)
          .changes.filter((change) => isFar(change) && !lines.has(changeLine(change)))
          .map(changeLine),
      ).toEqual([])
    }),
  )
  longTest('is often tried beside one without limits that changes something', () => {
    const changes = sampleOf(anyWorld).flatMap((world) => {
      const first = without(world)
      return first === undefined || beside(world) === undefined ? [] : [planIn(seenIn(world, first)).changes.length]
    })
    expect(changes.length).toBeGreaterThan(20)
    expect(changes.filter((count) => count > 0).length).toBeGreaterThan(changes.length / 5)
  })
})

/** A rule that has ended, or starts later, says nothing now. */
const isCurrent = (wanted: DesiredMapping): boolean =>
  !(wanted.kind === 'absent' && wanted.why === 'expired') && !(wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted')

const keyIn = (at: Target, group: string) => keyOf(acme, at, group as never)
