import { expect, test } from 'vitest'
import type { GroupName, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import { nothingDeclared, type Provenance, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { pack, unpacking } from '../../../src/declaration/transfer.ts'

test('each field of an origin arrives, also one that the code of the transfer does not name', () => {
  const because: Provenance & { unheardOf: object } = {
    at: { file: 'a.yaml', line: 3, column: 5 },
    owner: 'team',
    reason: 'audit',
    pattern: { syntax: 'glob', source: 'a-*' },
    directory: 'corp',
    expiresMs: 9,
    unheardOf: { text: 'T-7' },
  }
  const [group, groups] = ['a' as GroupName, { kind: 'exact', name: 'a' as GroupName }] as const
  const target = { kind: 'workspace' } as const
  const acme = 'acme' as WorkspaceName
  const declared: WorkspaceDeclaration = {
    ...nothingDeclared(acme),
    rules: [
      {
        groups,
        target: { kind: 'fixed', target },
        role: { kind: 'fixed', role: 'guest' as Role },
        allowProtected: false,
        unknownGroups: 'hold',
        unknownProjects: 'hold',
        because,
      },
    ],
    removed: [{ group, target, because }],
    unmanaged: [{ groups, because }],
    waivers: [{ words: { changes: [] }, untilMs: 7, because }],
    ownsKeys: [{ list: 'workspaceRoles', groups: [groups], projects: { named: new Set() }, allProjects: false, because }],
    frozen: [{ because, why: 'it is invalid', paths: ['b.yaml'], names: [], isWhole: true, rights: 'none' }],
    groupSync: { wanted: { enabled: true }, because },
  }
  const received = unpacking()
  for (const portion of pack(new Map([[acme, declared]]))) received.add(structuredClone(portion))
  expect(received.whole().get(acme)).toEqual(declared)
})
