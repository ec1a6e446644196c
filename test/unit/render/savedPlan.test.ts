import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { planJson } from '../../../src/render/json.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import { atLeast, between, counted, people } from '../bounds.ts'
import { at, create, face, patch, remove, rename, settings, view } from './sample.ts'

type Draft = Record<string, unknown>

/** The document of a plan of this one change, after `spoil`. */
function saved(change: Change | Draft, spoil: (draft: Draft) => void = () => undefined) {
  const document = JSON.parse(planJson([view(face)])) as { workspaces: [{ changes: Draft[] }] }
  const draft = structuredClone(change) as Draft
  spoil(draft)
  document.workspaces[0].changes = [draft]
  return parsePlan(JSON.stringify(document))
}
const noChange = { kind: 'unreadable', why: 'workspaces[0].changes[0] is no change that this program knows' }

const because = at('a.yaml:2', { owner: 'team', reason: 'audit', directory: 'corp' })
const changes = {
  create: create('ENG', 'a', 'member', { size: people(3), ...because }),
  patch: patch('*', 'a', 'member', 'guest'),
  rename: rename('workspace', 'a', 'b', 'guest', 'guest'),
  delete: remove('ENG', 'a', 'member', 'expired'),
  settings,
}

test('a byte order mark before a plan is ignored, as in YAML', () => {
  const text = planJson([view(face)])
  expect(parsePlan(`\ufeff${text}`)).toEqual(parsePlan(text))
})

describe('a change comes back', () => {
  test.each(Object.entries(changes))('%s', (_, change) => {
    expect(saved(change)).toMatchObject({ kind: 'plan', plan: { workspaces: [{ changes: [change] }] } })
  })
  test.each<[string, Change | Draft]>([
    ['that requires others', { ...changes.create, requires: ['c1', 'c2'] }],
    ['of a mapping without a role', { ...changes.patch, before: null }],
    ['that renames a mapping without a role', { ...changes.rename, before: null }],
    ['that deletes a mapping without a role', { ...changes.delete, before: null }],
    ['that allows what is protected', { ...changes.create, allowProtected: true }],
    ['whose group people call by a label', { ...changes.create, label: 'Sales EMEA' }],
    [
      'whose settings had a text, nothing and a switch',
      { ...settings, before: { groupAttribute: 'a', defaultWorkspaceRole: null, enabled: false } },
    ],
  ])('%s', (_, change) => {
    expect(saved(change)).toMatchObject({ kind: 'plan', plan: { workspaces: [{ changes: [change] }] } })
  })
})

test.each([
  ['counted', counted({ newly: 1, raised: 2, lowered: 3, lost: 4, gainProtected: 5, lose: 6 })],
  ['bounds', counted({ newly: atLeast(1), raised: between(2, 4), why: 'the people of the group "a" are not known' })],
  ['not recorded', { kind: 'notRecorded' }],
] as const)('the effect on people comes back, as in the document of the plan: %s', (_kind, effect) => {
  const document = planJson([view({ changes: [{ ...changes.create, effect } as Change] })])
  const { kind, ...fields } = effect
  expect(JSON.parse(document).workspaces[0].changes[0]).toMatchObject({
    effect: kind === 'notRecorded' ? { notRecorded: true } : fields,
  })
  expect(parsePlan(document)).toMatchObject({ kind: 'plan', plan: { workspaces: [{ changes: [{ effect }] }] } })
})

describe('a change is refused', () => {
  const mapping = ['id', 'key', 'requires', 'group', 'target', 'action']
  test.each<[keyof typeof changes, readonly string[]]>([
    ['create', [...mapping, 'role']],
    ['patch', [...mapping, 'mapping', 'before', 'role']],
    ['rename', [...mapping, 'mapping', 'before', 'role', 'from', 'fromGroup']],
    ['delete', [...mapping, 'mapping', 'before', 'why']],
    ['settings', ['id', 'key', 'requires', 'before', 'after', 'action']],
  ])('%s: that lacks a part, or has a number in its place', (action, parts) => {
    for (const part of parts) {
      expect([part, saved(changes[action], (draft) => delete draft[part])]).toMatchObject([part, noChange])
      expect([part, saved(changes[action], (draft) => void (draft[part] = 7))]).toMatchObject([part, noChange])
    }
  })

  test.each<[string, Draft]>([
    ['requires what is no text', { requires: ['c1', 7] }],
    ['goes somewhere else', { target: { kind: 'elsewhere', project: 'ENG' } }],
    ['goes to no project', { target: { kind: 'project' } }],
    ['has people of its group in words', { size: 'many' }],
    ['counts people of its group in words', { size: { of: 'people', least: 'many' } }],
    ['does not say of what the size is', { size: { least: 1, most: 1 } }],
    ['calls its group by a number', { label: 7 }],
    ['gives its group a number as id', { groupId: 7 }],
    ['allows what is protected in words', { allowProtected: 'yes' }],
    ['comes from nowhere', { because: {} }],
    ['for a reason that is no record', { because: 'of this' }],
    ['from no file', { because: { at: { line: 1, column: 1 } } }],
    ['from no line', { because: { at: { file: 'a', line: '1', column: 1 } } }],
    ['from no column', { because: { at: { file: 'a', line: 1, column: '1' } } }],
    ['of an owner without a name', { because: { ...because.because, owner: 7 } }],
    ['for a reason without words', { because: { ...because.because, reason: 7 } }],
    ['of a directory without a name', { because: { ...because.because, directory: 7 } }],
  ])('that %s', (_, more) => {
    expect(saved({ ...changes.create, ...more })).toMatchObject(noChange)
  })

  test.each<[string, Draft]>([
    ['a list before', { before: [] }],
    ['a list after', { after: [] }],
    ['a number among them', { after: { enabled: true, syncOnLogin: 7 } }],
  ])('of the settings, with %s', (_, more) => {
    expect(saved({ ...settings, ...more })).toMatchObject(noChange)
  })

  test.each([[null], ['create'], [[]]])('that is %j', (change) => {
    const document = JSON.parse(planJson([view(face)])) as { workspaces: [{ changes: unknown[] }] }
    document.workspaces[0].changes = [change]
    expect(parsePlan(JSON.stringify(document))).toMatchObject(noChange)
  })
})

describe('the holds of a plan', () => {
  const withHolds = (holds: unknown) => {
    const document = JSON.parse(planJson([view(face)])) as { workspaces: [{ holds: unknown }] }
    document.workspaces[0].holds = holds
    return parsePlan(JSON.stringify(document))
  }
  test('name the changes that wait; a hold may be of no change', () => {
    const [limit, people] = [
      { kind: 'approval', why: 'creates' },
      { kind: 'approval', why: 'people' },
    ]
    const holds = [{ change: { id: 'c1' }, reason: limit }, { reason: { kind: 'undeclared' } }, { change: { id: 'c2' }, reason: people }]
    expect(withHolds(holds)).toMatchObject({
      plan: {
        workspaces: [
          {
            waits: [
              { id: 'c1', reason: limit },
              { id: 'c2', reason: people },
            ],
          },
        ],
      },
    })
    expect(withHolds([])).toMatchObject({ plan: { workspaces: [{ waits: [] }] } })
  })
  test.each([
    [undefined],
    [null],
    ['none'],
    [{}],
    [[7]],
    [[null]],
    [[{ change: 'c1' }]],
    [[{ change: {} }]],
    [[{ change: { id: 7 }, reason: { kind: 'policy' } }]],
    [[{ change: { id: 'c1' } }]],
  ])('are refused if they are %j', (holds) => {
    expect(withHolds(holds)).toMatchObject({ kind: 'unreadable', why: 'workspaces[0] has no holds' })
  })
})

test('what is far too large is not even read, and what to do is said', () => {
  expect(parsePlan('x'.repeat(100_000_000))).toMatchObject({ why: 'it is not JSON, or cut off' })
  expect(parsePlan('x'.repeat(100_000_001))).toEqual({
    kind: 'unreadable',
    why: 'it has 100000001 characters',
    cure: 'save it again with plan --out, with this version of the program',
  })
})
