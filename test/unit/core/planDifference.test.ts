import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Finding } from '../../../src/core/finding.ts'
import type { Hold, HoldReason } from '../../../src/core/hold.ts'
import type { Later } from '../../../src/core/later.ts'
import type { UnchangedMapping } from '../../../src/core/plan.ts'
import { isNothing, planDifference } from '../../../src/core/planDifference.ts'

type Parts = Parameters<typeof planDifference>[0]
const plan = (more: Partial<Parts> = {}): Parts => ({ changes: [], holds: [], later: [], findings: [], ...more })
const change = (id: string, more: object = {}) =>
  ({ id, key: `acme/project/ENG/${id}`, action: 'create', requires: [], ...more }) as unknown as Change
const approval: HoldReason = { kind: 'approval', why: 'protectedRole' }
const ofSet = (pass: string) => ({ kind: 'approval', why: 'limit', name: 'raises', pass }) as unknown as HoldReason
const held = (made: Change, reason: HoldReason) => ({ key: made.key, change: made, reason }) as Hold
const unknown: HoldReason = { kind: 'groupUnknown', directories: [], mapped: false }
const keyHeld = (key: string, reason: HoldReason, would?: object) =>
  ({ key, reason, ...(would === undefined ? {} : { would }) }) as unknown as Hold
const later = (more: object = {}) => ({ key: 'k', atMs: 1, write: 'starts', ...more }) as unknown as Later
const finding = (place: string, sentence = 'said', code = 'pattern-unused') => ({ code, severity: 'info', place, sentence }) as Finding
const mapping = (id: string, key = `key of ${id}`) => ({ id, key }) as unknown as UnchangedMapping

/** The entries of each part, by what tells them apart. */
const names = ({ changes, holds, later: rows, findings }: Omit<Parts, 'unchangedMappings'>) => [
  ...changes.map(({ id }) => `change ${id}`),
  ...holds.map(({ change: made, key }) => `hold ${made?.id ?? key}`),
  ...rows.map(({ key, atMs }) => `later ${key} ${atMs}`),
  ...findings.map(({ place }) => `finding ${place}`),
]
function differenceOf(base: Partial<Parts>, branch: Partial<Parts>) {
  const { added, gone, same, left } = planDifference(plan(base), plan(branch))
  return { added: names(added), gone: names(gone), same: names(same), left: left.map(({ id }): string => id) }
}
const nothing = { added: [], gone: [], same: [], left: [] }
const a = change('a')

describe('a branch beside its base', () => {
  test.each<readonly [string, Partial<Parts>, Partial<Parts>, Partial<ReturnType<typeof differenceOf>>]>([
    ['a change that both write', { changes: [a] }, { changes: [a] }, { same: ['change a'] }],
    ['a change that waits now', { changes: [a] }, { holds: [held(a, approval)] }, { added: ['hold a'] }],
    ['a change that waits no more', { holds: [held(a, approval)] }, { changes: [a] }, { added: ['change a'] }],
    ['another reason to wait', { holds: [held(a, approval)] }, { holds: [held(a, unknown)] }, { added: ['hold a'] }],
    ['the same reason', { holds: [held(a, approval)] }, { holds: [held(a, { ...approval })] }, { same: ['hold a'] }],
    ['a set with one more change', { holds: [held(a, ofSet('s1'))] }, { holds: [held(a, ofSet('s2'))] }, { added: ['hold a'] }],
    [
      'another limit of the same set',
      { holds: [held(a, ofSet('s1'))] },
      { holds: [held(a, { ...ofSet('s1'), name: 'lowers' } as never)] },
      { added: ['hold a'] },
    ],
    ['the same set', { holds: [held(a, ofSet('s1'))] }, { holds: [held(a, ofSet('s1'))] }, { same: ['hold a'] }],
    ['a change that is written no more', { changes: [a] }, {}, { gone: ['change a'] }],
    ['a change that waited, and is gone', { holds: [held(a, approval)] }, {}, { gone: ['hold a'] }],
    ['a new change', {}, { changes: [a] }, { added: ['change a'] }],
    [
      'a held key that both have',
      { holds: [keyHeld('k', unknown)] },
      { holds: [keyHeld('k', { ...unknown, near: 'x' })] },
      { same: ['hold k'] },
    ],
    [
      'a held key with another role',
      { holds: [keyHeld('k', unknown, { role: 'a' })] },
      { holds: [keyHeld('k', unknown, { role: 'b' })] },
      { added: ['hold k'], gone: ['hold k'] },
    ],
    ['two held keys', { holds: [keyHeld('k', unknown)] }, { holds: [keyHeld('l', unknown)] }, { added: ['hold l'], gone: ['hold k'] }],
    ['a date that both have', { later: [later()] }, { later: [later()] }, { same: ['later k 1'] }],
    ['another date', { later: [later()] }, { later: [later({ atMs: 2 })] }, { added: ['later k 2'], gone: ['later k 1'] }],
    ['another role at the date', { later: [later()] }, { later: [later({ write: 'other' })] }, { added: ['later k 1'] }],
    ['a date that waits', { later: [later()] }, { later: [later({ waits: approval })] }, { added: ['later k 1'] }],
    [
      'a date that waits otherwise',
      { later: [later({ waits: unknown })] },
      { later: [later({ waits: approval })] },
      { added: ['later k 1'] },
    ],
    [
      'a finding that has moved',
      { findings: [finding('a.yaml:3:1', 'see b.yml:9')] },
      { findings: [finding('a.yaml:5:2', 'see b.yml:12')] },
      { same: ['finding a.yaml:5:2'] },
    ],
    [
      'another sentence',
      { findings: [finding('p', 'one')] },
      { findings: [finding('p', 'two')] },
      { added: ['finding p'], gone: ['finding p'] },
    ],
    [
      'another code',
      { findings: [finding('p')] },
      { findings: [finding('p', 'said', 'list-left')] },
      { added: ['finding p'], gone: ['finding p'] },
    ],
    [
      'another file',
      { findings: [finding('a.yaml:3')] },
      { findings: [finding('b.yaml:3')] },
      { added: ['finding b.yaml:3'], gone: ['finding a.yaml:3'] },
    ],
    ['a mapping of which nothing is said any more', { unchangedMappings: [mapping('m')] }, { unchangedMappings: [] }, { left: ['m'] }],
    ['a mapping that stays declared', { unchangedMappings: [mapping('m')] }, { unchangedMappings: [mapping('m')] }, {}],
    [
      'a mapping that a change names',
      { unchangedMappings: [mapping('m')] },
      { changes: [change('b', { mapping: 'm' })] },
      { added: ['change b'] },
    ],
    [
      'a mapping that a held change names',
      { unchangedMappings: [mapping('m')] },
      { holds: [held(change('b', { mapping: 'm' }), approval)] },
      { added: ['hold b'] },
    ],
    ['a mapping whose key is held', { unchangedMappings: [mapping('m', 'k')] }, { holds: [keyHeld('k', unknown)] }, { added: ['hold k'] }],
    [
      'a mapping beside another held key',
      { unchangedMappings: [mapping('m', 'k')] },
      { holds: [keyHeld('l', unknown)] },
      { added: ['hold l'], left: ['m'] },
    ],
    ['plans without lists of mappings', {}, {}, {}],
  ])('%s', (_, base, branch, expected) => {
    expect(differenceOf(base, branch)).toEqual({ ...nothing, ...expected })
  })

  test.each(['changes', 'holds', 'later', 'findings'] as const)('is not nothing with %s', (part) => {
    expect([isNothing(plan()), isNothing({ ...plan(), [part]: [{}] })]).toEqual([true, false])
  })
})
