import { expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import { type HoldReason, holdFor } from '../../../src/core/hold.ts'
import type { Key } from '../../../src/core/mapping.ts'
import { changeOf, target } from './smallWorld.ts'

const because = { at: { file: 'groups.yaml', line: 3, column: 5 } }
const reason: HoldReason = { kind: 'suspended', what: 'all' }

test('a change that waits says all that is known of it, and nothing else', () => {
  const change = changeOf('create ENG devs = member')
  const about = { key: 'acme/project/ENG/devs', group: 'devs', target: target('ENG'), reason }
  expect(holdFor(change, reason)).toStrictEqual({ ...about, change })
  expect(holdFor(change, reason, 9)).toStrictEqual({ ...about, change, untilMs: 9 })
  expect(holdFor({ ...change, because }, reason)).toStrictEqual({ ...about, change: { ...change, because }, because })
})

test('settings that wait are those of no group', () => {
  const about = { key: 'acme/groupSync' as Key, because }
  const change: Change = { ...about, action: 'settings', id: 'x' as ChangeId, requires: [], before: {}, after: {} }
  expect(holdFor(change, reason)).toStrictEqual({ ...about, change, reason })
})
