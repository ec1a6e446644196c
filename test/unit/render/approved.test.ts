import { expect, test } from 'vitest'
import { approvedWrites, waitingParts } from '../../../src/render/approved.ts'
import { people } from '../bounds.ts'
import { about, create, held, inSet, patch, view } from './sample.ts'

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

test('changes of a set say their limit and cure once, and those of protected roles stand apart', () => {
  const over = { name: 'creates', count: 3, limit: 1, setting: 'guards.creates.count', sentence: '3 creates; 1 is allowed' } as const
  const single = held(create('ENG', 'leads', 'admin'), { kind: 'approval', why: 'protectedRole' })
  const [a, b] = [create('ENG', 'a', 'guest', { size: people(2) }), create('ENG', 'b', 'admin', { size: people(3) })]
  const holds = [...inSet([a, b], over), single]
  const parts = waitingParts(holds, view({ holds }))
  expect(parts.single).toEqual([single])
  expect(parts.sets).toMatchObject([
    {
      name: 'creates',
      sentence: over.sentence,
      cure: expect.stringMatching(/^if a pattern .*, correct it · or, if the limit is wrong, change guards.creates.count$/),
      what: 'these 2 changes (5 people)',
      pass: expect.stringMatching(/^[0-9a-f]{32}$/),
      rows: [{ group: 'a', why: '', sharedCure: '', cure: `to approve this change: --allow ${a.id}` }],
      protectedRows: [{ group: 'b', why: '', sharedCure: '', cure: `to approve this change: --allow ${b.id}` }],
    },
  ])
  expect(waitingParts([single], view({ holds: [single] })).sets).toEqual([])
})

test('sets come in the order of their danger, whichever change is first', () => {
  const over = { count: 3, limit: 1, setting: 'none', sentence: 'too many' }
  const holds = (['beside', 'day', 'deletes', 'lastAdministrator'] as const).flatMap((name) =>
    inSet([create('ENG', name, 'guest')], { ...over, name }),
  )
  expect(waitingParts(holds, view({ holds })).sets.map(({ name }) => name)).toEqual(['lastAdministrator', 'deletes', 'day', 'beside'])
})
