import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { applyPolicy, deletesUndeclared, type Policy, policies } from '../../../src/core/policy.ts'
import { planOf, rule } from './smallWorld.ts'

/** One change of each kind that a policy distinguishes. */
const changesOfAllKinds = () =>
  planOf({
    rules: [
      rule('new', 'ENG', 'member'),
      rule('devs', 'ENG', 'member'),
      rule('developers', 'OPS', 'guest', { previously: 'ops' as GroupName }),
      rule('temps', 'ENG', 'guest', { expiresMs: 1 }),
      rule('twice', 'ENG', 'guest'),
    ],
    removed: ['ENG old'],
    directories: { corp: ['new', 'devs', 'developers', 'temps', 'twice'] },
    existing: [
      'ENG devs guest',
      'OPS ops guest',
      'ENG temps guest',
      'ENG twice guest',
      'ENG twice admin',
      'ENG old guest',
      'ENG left guest',
    ],
    groupSync: { wanted: { autoRemove: true }, because: { at: { file: 'g', line: 1, column: 1 } } },
    existingSync: { autoRemove: false },
    nowMs: 1,
    policy: 'exclusive',
  }).changes
const kindOf = (change: Change) => (change.action === 'delete' ? change.why : change.action)
const kinds = ['create', 'patch', 'rename', 'settings', 'removed', 'expired', 'duplicate', 'undeclared'] as const

describe('what a policy lets through', () => {
  const table: readonly [Policy, string][] = [
    ['observe', ''],
    ['create-only', 'create removed expired'],
    ['upsert-only', 'create patch rename settings removed expired'],
    ['sync', 'create patch rename settings removed expired'],
    ['exclusive', 'create patch rename settings removed expired duplicate undeclared'],
  ]
  test.each(table)('%s: %s', (policy, passing) => {
    const changes = changesOfAllKinds()
    const passed = kinds.filter(
      (kind) =>
        applyPolicy(
          changes.filter((change) => kindOf(change) === kind),
          policy,
          () => false,
        ).changes.length === 1,
    )
    expect(passed.join(' ')).toBe(passing)
  })
  test('upsert-only deletes nothing that is undeclared, also if it is ours', () => {
    const undeclared = changesOfAllKinds().filter((change) => kindOf(change) === 'undeclared')
    expect(applyPolicy(undeclared, 'upsert-only', () => true).changes).toEqual([])
  })
  test('two policies delete what is undeclared', () => expect(policies.filter(deletesUndeclared)).toEqual(['sync', 'exclusive']))
  test('sync deletes what is ours, and nothing else that is undeclared or a duplicate', () => {
    const changes = changesOfAllKinds().filter((change) => change.action === 'delete')
    const isOf = (why: string) => (mapping: string) => changes.some((change) => change.mapping === mapping && change.why === why)
    for (const why of ['duplicate', 'undeclared'])
      expect(applyPolicy(changes, 'sync', isOf(why)).changes.map(kindOf).toSorted()).toEqual(['removed', 'expired', why].toSorted())
  })

  test('holds the rest, each with its change and the name of the policy', () => {
    const changes = changesOfAllKinds()
    const { holds } = applyPolicy(changes, 'observe', () => true)
    expect(holds.map(({ change }) => change)).toEqual(changes)
    expect(holds.map(({ change, reason }) => [kindOf(change as Change), reason])).toEqual(
      expect.arrayContaining(kinds.map((kind) => [kind, { kind: kind === 'undeclared' ? 'undeclared' : 'policy', policy: 'observe' }])),
    )
  })

  test('leaves the order as it is', () => {
    const changes = changesOfAllKinds()
    expect(applyPolicy(changes, 'exclusive', () => false).changes).toEqual(changes)
  })
})
