import { expect, test } from 'vitest'
import type { GroupSync } from '../../../src/core/groupSync.ts'
import type { Role } from '../../../src/core/mapping.ts'
import { type Outcome, withoutSameRole } from '../../../src/core/outcome.ts'
import { planOf } from './smallWorld.ts'

const aliases = { member: 'contributor' }
const roleIs = (defaultWorkspaceRole: string | null): GroupSync => ({ defaultWorkspaceRole: defaultWorkspaceRole as Role | null })
const because = { at: { file: 'g', line: 1, column: 1 } }

test.each<[string, GroupSync, Outcome]>([
  ["the service's own name for the default role", roleIs('contributor'), { kind: 'done' }],
  ['another default role', roleIs('admin'), { kind: 'done', answered: roleIs('admin') }],
  ['no default role', roleIs(null), { kind: 'done', answered: roleIs(null) }],
  ['another setting, too', { ...roleIs('contributor'), autoRemove: true }, { kind: 'done', answered: { autoRemove: true } }],
])('an answer with %s', (_what, answered, expected) => {
  const { changes } = planOf({
    groupSync: { wanted: { ...roleIs('member'), autoRemove: false }, because },
    existingSync: { ...roleIs('guest'), autoRemove: true },
    roles: { aliases },
  })
  expect(changes.map((change) => withoutSameRole(change, { kind: 'done', answered }, aliases))).toEqual([expected])
})
