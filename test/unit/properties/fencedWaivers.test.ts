import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyOf, type Target } from '../../../src/core/mapping.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { acme } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { anyFence, isInside, mayGive, names, projects } from './anyFence.ts'
import { holds, sampleOf } from './runs.ts'

const nowMs = Date.parse('2026-01-01')
const roles = ['guest', 'member', 'admin', 'none']
const targetKeys = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      project: fc.oneof(fc.constantFrom('PAY', 'PAYWEB', 'pay', ...projects), fc.subarray(projects, { minLength: 1, maxLength: 2 })),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ workspace: true }) },
  { weight: 1, arbitrary: fc.constant({ allProjects: true }) },
)
const likely = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('pay-devs', 'pay-leads', 'all-staff') },
  { weight: 1, arbitrary: fc.constantFrom(...names) },
)
const described = fc
  .tuple(
    targetKeys,
    fc.record({
      group: fc.oneof(likely, fc.array(likely, { minLength: 1, maxLength: 2 })),
    }),
    fc.subarray(roles, { minLength: 2, maxLength: 2 }).chain(([a, b]) => fc.constantFrom({ from: a, to: b }, { from: b, to: a })),
    fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.record({ previously: likely }) }),
  )
  .map((parts) => Object.assign({}, ...parts) as object)
const waiver = fc.oneof(
  { weight: 8, arbitrary: described },
  { weight: 1, arbitrary: described.map((one) => ({ ...one, people: 'any' })) },
  { weight: 1, arbitrary: described.map((one) => ({ guard: 'changes', count: 9, changes: [one] })) },
  { weight: 1, arbitrary: fc.constant({ groupSync: { autoRemove: { from: true, to: false } } }) },
)

const fence = fc.oneof(
  { weight: 1, arbitrary: anyFence },
  { weight: 5, arbitrary: anyFence.map((one): FenceText => ({ ...one, may: ['waivers'] })) },
)

/** The keys of a fence, of all names that the files use. Written apart from the program. */
function keysInside(fence: FenceText): ReadonlyMap<string, Target> {
  const targets: Target[] = [
    { kind: 'workspace' },
    { kind: 'allProjects' },
    ...projects.map((project) => ({ kind: 'project' as const, project: project as never })),
  ]
  return new Map(
    targets.flatMap((target) =>
      names.flatMap((group) => (isInside(fence, target, group) ? [[keyOf(acme, target, group as never), target] as const] : [])),
    ),
  )
}

const anyWaiver = fc.record({ fence, entry: waiver, isNamed: fc.boolean() })

function loadedOf({ fence, entry, isNamed }: { readonly fence: FenceText; readonly entry: object; readonly isNamed: boolean }) {
  const text = JSON.stringify({ version: 1, workspaces: { acme: { waivers: [{ ...entry, until: '2026-01-20', reason: 'x' }] } } })
  const named = isNamed ? { waiverFiles: ['teams/**'] } : {}
  return load({ 'teams/pay/a.yaml': text }, { fences: { 'teams/pay/**': fence }, dateMs: nowMs, ...named })
}

describe('the waivers of a file inside a fence', () => {
  holds(
    'describe only changes of keys inside, to roles that the fence gives or to none',
    1_000,
    fc.property(anyWaiver, (written) => {
      const loaded = loadedOf(written)
      if (!loaded.valid) return
      const { fence } = written
      expect(fence.may).toContain('waivers')
      const inside = keysInside(fence)
      for (const { words, fenced } of loaded.declaration.get(acme)?.waivers ?? []) {
        expect(fenced).toBe(true)
        expect(words.people).toBeUndefined()
        for (const change of words.changes) {
          if (!('key' in change)) throw new Error('a change of settings')
          const target = inside.get(change.key)
          if (target === undefined) throw new Error(`${change.key} is outside`)
          if (change.after !== undefined) expect(mayGive(fence, target, change.after)).toBe(true)
          if (change.fromGroup !== undefined) expect(isInside(fence, target, change.fromGroup)).toBe(true)
        }
      }
    }),
  )
  test('are sometimes accepted', () => {
    const written = sampleOf(anyWaiver)
    expect(written.filter((one) => loadedOf(one).valid).length).toBeGreaterThan(written.length / 100)
  })
})
