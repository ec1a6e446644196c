import { expect, test } from 'vitest'
import type { HeldWrite } from '../../../src/core/hold.ts'
import type { Role } from '../../../src/core/mapping.ts'
import { planJson } from '../../../src/render/json.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import {
  about,
  at,
  create,
  everyOutcome,
  everything,
  face,
  held,
  inSet,
  nowMs,
  patch,
  remove,
  rename,
  settings,
  troubledWorld,
  unsure,
  view,
} from './sample.ts'

const changes = [
  remove('ENG', 'old', 'member', 'expired', at('a.yaml:1')),
  settings,
  patch('*', 'all staff', 'member', 'guest', { size: people(3), ...at('a.yaml:2', { owner: 'team', reason: 'audit', directory: 'corp' }) }),
  rename('OPS', 'a', 'b', 'guest', 'guest'),
  create('workspace', 'evil\u202E\u001B\u{E0001}"\\', 'member'),
]

test('the document', async () => {
  const applied: View['applied'] = {
    results: (face.changes ?? []).map((change) => ({ change, outcome: { kind: 'done' } })),
    holds: [],
    left: [],
  }
  await expect(`${planJson([view(face, { applied }), { about, failed: '403' }])}\n`).toMatchFileSnapshot('./snapshots/face.json.txt')
})

test('the document of everything', async () => {
  const waiver = { ids: ['1047bc07'], by: 'jo', source: '--allow' }
  const approved = view(everything, { ...troubledWorld, applied: everyOutcome })
  const waived = [
    { ...waiver, untilMs: nowMs + 60_000 },
    { ...waiver, untilMs: Number.POSITIVE_INFINITY },
  ]
  const whole = { ...approved, judged: { ...approved.judged, waived } }
  const sentence = '30 deletes; guards.deletes.count allows 10'
  const { groupSync: _, ...unread } = about
  const gone = ['a', 'b'].map((group) => remove('ENG', group, 'guest', 'removed'))
  const over = { name: 'deletes', count: 30, limit: 10, owned: 100, setting: 'guards.deletes.count', sentence } as const
  const stopped = view({ holds: inSet(gone, over) }, { about: unread })
  const failed = { about, failed: '403', cure: 'check the key' }
  await expect(`${planJson([whole, stopped, failed])}\n`).toMatchFileSnapshot('./snapshots/everything.json.txt')
})

test('a saved plan comes back as it was', () => {
  const waits = held(create('ENG', 'x', 'admin'), { kind: 'approval', why: 'protectedRole' })
  const saved = view({ changes, holds: [waits] })
  const parsed = parsePlan(planJson([saved]))
  expect(parsed).toEqual({
    kind: 'plan',
    plan: {
      workspaces: [
        {
          workspace: 'acme',
          slug: 'acme',
          host: 'plane.example.com',
          fingerprint: saved.judged.plan.fingerprint,
          laterUntilMs: saved.judged.plan.laterUntilMs,
          changes,
          waits: [{ id: waits.change?.id, reason: waits.reason }],
        },
      ],
    },
  })
})

test('nothing in it controls a terminal', () => {
  const name = 'a\u0085\u202E\u{E0001}'
  expect(planJson([view({ changes: [create('ENG', name, 'member')] })])).toContain(String.raw`"group": "a\u0085\u202e\udb40\udc01"`)
  expect(planJson([view({ changes })])).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
})

type Draft = { format: unknown; version: unknown; workspaces: Record<string, unknown>[] }

test.each<[string, (draft: Draft) => unknown]>([
  ['its format is not plane-group-sync/plan', (draft) => ({ ...draft, format: 'terraform' })],
  ['its format is not plane-group-sync/plan', () => null],
  ['it is of version 2, this program applies version 5', (draft) => ({ ...draft, version: 2 })],
  ['it is of version "4", this program applies version 5', (draft) => ({ ...draft, version: '4' })],
  ['it has no workspaces', (draft) => ({ ...draft, workspaces: {} })],
  ['it has no workspaces', (draft) => ({ ...draft, workspaces: [] })],
  ['workspaces[0] has no name', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], workspace: 7 }] })],
  ['workspaces[0] has no name', (draft) => ({ ...draft, workspaces: [7] })],
  [
    'workspaces[1] names a workspace that an earlier entry names, too',
    (draft) => ({ ...draft, workspaces: [...draft.workspaces, ...draft.workspaces] }),
  ],
  ['the workspace "acme" could not be planned', () => JSON.parse(planJson([{ about, failed: '403' }])) as unknown],
  ['workspaces[0] has no fingerprint', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], fingerprint: 'abcdef01' }] })],
  ['workspaces[0] has no fingerprint', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], fingerprint: 7 }] })],
  ['workspaces[0] has no laterUntil', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], laterUntil: 'soon' }] })],
  ['workspaces[0] has no fingerprint', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], fingerprint: 'a'.repeat(65) }] })],
  ['workspaces[0] has no slug or no host', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], slug: 7 }] })],
  ['workspaces[0] has no slug or no host', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], host: 7 }] })],
  ['workspaces[0] has no changes', (draft) => ({ ...draft, workspaces: [{ ...draft.workspaces[0], changes: null }] })],
  [
    'workspaces[0].changes[1] is no change that this program knows',
    (draft) => {
      const kept = draft.workspaces[0]?.changes as Record<string, unknown>[]
      return { ...draft, workspaces: [{ ...draft.workspaces[0], changes: [kept[0], { ...kept[1], action: 'drop' }] }] }
    },
  ],
])('refuses: %s', (why, spoil) => {
  const draft = JSON.parse(planJson([view(face)])) as Draft
  expect(parsePlan(JSON.stringify(spoil(draft)))).toMatchObject({ kind: 'unreadable', why })
})

test('refuses what is cut off', () => {
  expect(parsePlan(planJson([view(face)]).slice(0, -9))).toMatchObject({ kind: 'unreadable', why: 'it is not JSON, or cut off' })
})

test('what would be written without a hold has its action and its roles', () => {
  const role = 'guest' as Role
  const unread = { kind: 'readingIncomplete', of: 'corp', why: 'no' } as const
  const writes: readonly HeldWrite[] = [
    { action: 'create', role },
    { action: 'patch', before: null, role },
    { action: 'delete', before: role },
    { action: 'keep', before: role },
    { action: 'unknown', before: null },
  ]
  const holds = writes.map((would, n) => ({ ...unsure('ENG', `g${n}`, unread), would }))
  const [workspace] = JSON.parse(planJson([view({ holds })])).workspaces
  expect(workspace.holds.map(({ would }: { would: unknown }) => would)).toStrictEqual(writes)
  expect(workspace.counts).toMatchObject({ held: 5, kept: 2 })
})
