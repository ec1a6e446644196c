import { expect, test } from 'vitest'
import { approvedWrites, waitingParts } from '../../../src/render/approved.ts'
import { about, create, held, patch, view } from './sample.ts'

test('protected roles are approved in the file or by a waiver; in all projects only by a waiver', () => {
  const allowed = { allowProtected: true }
  const writes = [
    create('ENG', 'a', 'admin', allowed),
    create('ENG', 'b', 'admin'),
    create('*', 'c', 'admin', allowed),
    patch('ENG', 'd', 'admin', 'guest'),
  ]
  expect(
    approvedWrites(writes, about).map(({ title, changes }) => [title, ...changes.map((change) => ('group' in change ? change.group : ''))]),
  ).toEqual([
    ['2 protected roles, approved by a waiver', 'b', 'c'],
    ['1 protected role, approved in the file (allowProtected)', 'a'],
  ])
})

test('too many creates say their reason and cure once, and those of protected roles stand apart', () => {
  const flood = { count: 3, limit: 1, setting: 'guards.creates.count', sentence: '3 creates; guards.creates.count allows 1' }
  const reason = { kind: 'approval', why: 'creates', pass: 'f'.repeat(32), ...flood } as const
  const single = held(create('ENG', 'leads', 'admin'), { kind: 'approval', why: 'protectedRole' })
  const holds = [held(create('ENG', 'a', 'guest'), reason), held(create('ENG', 'b', 'admin'), reason), single]
  const parts = waitingParts(holds, view({ holds }))
  const silent = { why: '', cure: '', sharedCure: '' }
  expect(parts.single).toEqual([single])
  expect(parts.creates).toMatchObject([{ group: 'a', ...silent }])
  expect(parts.protectedCreates).toMatchObject([{ group: 'b', ...silent }])
  expect(parts.flood).toEqual([
    {
      sentence: flood.sentence,
      cure: expect.stringContaining('to approve all 2 creates (1 protected), and also 1 protected change: --allow'),
    },
  ])
  expect(waitingParts([single], view({ holds: [single] })).flood).toEqual([])
})
