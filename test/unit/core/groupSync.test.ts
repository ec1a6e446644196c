import { expect, test } from 'vitest'
import { differingSettings, type GroupSync } from '../../../src/core/groupSync.ts'
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

test.each<[string, GroupSync, GroupSync, readonly string[]]>([
  ['with another value', { enabled: true, autoRemove: true }, { enabled: true, autoRemove: false }, ['autoRemove']],
  ['whose value is not known', { autoRemove: true, ...roleIs('guest') }, {}, ['autoRemove', 'defaultWorkspaceRole']],
  ['that should be none, and is not known', roleIs(null), {}, ['defaultWorkspaceRole']],
  ['that is not wanted', {}, { autoRemove: true }, []],
  ['with another role', roleIs('guest'), roleIs('admin'), ['defaultWorkspaceRole']],
  ['with another role than the one that has a name of the service', roleIs('member'), roleIs('guest'), ['defaultWorkspaceRole']],
  ['with the name of the service for the role', roleIs('member'), roleIs('contributor'), []],
  ['with that name for another role', roleIs('guest'), roleIs('contributor'), ['defaultWorkspaceRole']],
  ['beside a role with the name of the service', { autoRemove: true, ...roleIs('member') }, roleIs('contributor'), ['autoRemove']],
])('a setting %s', (_which, wanted, has, differing) => {
  expect(differingSettings(wanted, has, aliases)).toEqual(differing)
})
