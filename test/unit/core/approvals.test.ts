import { describe, expect, test } from 'vitest'
import type { Key, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import {
  type Approval,
  approvalsAfter,
  isApproval,
  isTakenBack,
  renamedApprovals,
  shownAsDone,
  waiversOfApprovals,
  withoutShown,
} from '../../../src/core/memory/approvals.ts'
import type { Waiver } from '../../../src/core/waiver.ts'

const acme = 'acme' as WorkspaceName
const approval = (name: string, more: Partial<Approval> = {}): Approval => ({
  name,
  workspace: acme,
  passes: [],
  by: 'ann',
  account: 'uid 7',
  reason: 'ACC-1',
  fromMs: 100,
  untilMs: 200,
  ...more,
})
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const names = (approvals: readonly Approval[]) => approvals.map(({ name }) => name)

describe('the approvals after a new one', () => {
  test.each([
    ['an approval that still lasts', approval('a'), ['a', 'new']],
    ['one that ends when the new one begins', approval('a', { untilMs: 150 }), ['new']],
    ['one that has ended', approval('a', { untilMs: 149 }), ['new']],
    ['one of the same name', approval('new'), ['new']],
    ['one that was given an hour later', approval('a', { fromMs: 150 + hourMs, untilMs: dayMs }), ['a', 'new']],
    ['one that was given more than an hour later', approval('a', { fromMs: 151 + hourMs, untilMs: dayMs }), ['new']],
  ])('beside %s', (_what, before, after) => {
    const given = approval('new', { fromMs: 150, reason: 'ACC-2' })
    const all = approvalsAfter([before], { kind: 'approval', approval: given })
    expect(names(all)).toEqual(after)
    expect(all.at(-1)).toBe(given)
  })

  test('lack one that is withdrawn', () => {
    expect(names(approvalsAfter([approval('a'), approval('b')], { kind: 'withdrawal', approval: 'a' }))).toEqual(['b'])
  })
})

describe('a change that a reading shows as done', () => {
  const words = { changes: [{ before: { autoRemove: false }, after: { autoRemove: true } }] }
  const shown = (groupSync: object | undefined) => shownAsDone([approval('a', { words })], acme, new Map(), groupSync, () => true)
  test('may be one of the settings of group sync', () => {
    expect([shown({ autoRemove: true, enabled: true }), shown({ autoRemove: false }), shown(undefined)]).toEqual([words.changes, [], []])
    expect(withoutShown([approval('a', { words })], acme, words.changes)[0]?.words?.changes).toEqual([])
  })
})

describe('an approval as a waiver', () => {
  const words = { changes: [{ key: 'acme/project/ENG/leads' as Key, after: 'admin' as Role }] }

  test('has its ids, words, person and end', () => {
    expect(waiversOfApprovals([approval('a', { passes: ['eng'], words })], acme, 150)).toEqual([
      { ids: ['eng'], words, by: 'ann', account: 'uid 7', untilMs: 200, source: 'approval a' },
    ])
  })

  test('has no words if the approval has none', () => {
    expect(waiversOfApprovals([approval('a')], acme, 150)).toStrictEqual([
      { ids: [], by: 'ann', account: 'uid 7', untilMs: 200, source: 'approval a' },
    ])
  })

  test('exists only if it was given at most an hour after now: a clock may be set back a little', () => {
    const given = [approval('a', { fromMs: hourMs + 1, untilMs: dayMs })]
    expect(waiversOfApprovals(given, acme, 1)).toHaveLength(1)
    expect(waiversOfApprovals(given, acme, 0)).toEqual([])
  })

  test('exists only in the workspace of the approval', () => {
    const approvals = [approval('a'), approval('b', { workspace: 'beta' as WorkspaceName })]
    expect(waiversOfApprovals(approvals, acme, 150).map(({ source }) => source)).toEqual(['approval a'])
  })
})

const waiver = (source: string, more: Partial<Waiver> = {}): Waiver => ({ ids: [], by: 'ann', untilMs: 200, source, ...more })

test.each([
  ['of an approval', waiver('approval a'), true],
  ['of an option', waiver('--allow'), false],
  ['whose source has the word elsewhere', waiver('an approval a'), false],
  ['of a file with such a name', waiver('approval a', { at: { file: 'approval a', line: 1, column: 1 } }), false],
])('a waiver %s: it is an approval, or not', (_what, one, is) => {
  expect(isApproval(one)).toBe(is)
})

test.each([
  ['no waiver', [], false],
  ['an approval that exists', ['approval a'], false],
  ['an approval that was withdrawn', ['approval c'], true],
  ['one that exists and one that was withdrawn', ['approval a', 'approval c'], true],
  ['an option', ['--allow'], false],
])('%s: it is taken back, or not', (_what, sources, is) => {
  const waivers = sources.map((source) => waiver(source))
  expect(isTakenBack(waivers, [approval('a'), approval('b')])).toBe(is)
})

describe('approvals of workspaces with new names', () => {
  const renamed = (one: Approval) =>
    renamedApprovals(
      [one],
      (old) => `${old}-stg`,
      (old) => old.replace('acme/', 'acme-stg/') as Key,
    )[0]

  test('have the new names in their workspace and in the keys of their words', () => {
    const words = { people: 3, changes: [{ key: 'acme/project/ENG/leads' as Key }, { before: {}, after: { autoRemove: true } }] }
    expect(renamed(approval('a', { words }))).toEqual(
      approval('a', {
        workspace: 'acme-stg' as WorkspaceName,
        words: { people: 3, changes: [{ key: 'acme-stg/project/ENG/leads' as Key }, { before: {}, after: { autoRemove: true } }] },
      }),
    )
  })

  test('have no words if they had none', () => {
    expect(renamed(approval('a'))).toStrictEqual(approval('a', { workspace: 'acme-stg' as WorkspaceName }))
  })
})
