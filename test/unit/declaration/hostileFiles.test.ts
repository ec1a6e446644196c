import { describe, expect, test } from 'vitest'
import { listsInScope } from '../../../src/core/existing.ts'
import { listOf } from '../../../src/core/mapping.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { acme, changeLine, complete, mapping, planIn, seenOf } from '../core/smallWorld.ts'
import { load } from './declare.ts'
import { hostileFiles, pay, rule } from './hostileFiles.ts'

const dateMs = Date.parse('2026-01-01')
const groups = ['pay-devs', 'pay-leads', 'all-staff', 'ops-devs', 'admins', 'PAY-devs', 'p\u0430y-devs', 'pay-caf\u00e9', 'pay-web']
const existing = [
  ...['ENG admins admin', 'PAY ops-devs member', 'PAY pay-leads guest', 'ENG pay-devs member'],
  ...['* all-staff guest', 'workspace pay-devs admin', 'OPS old-pay member'],
]

/** The changes of a file of the team, or its problems as `line:column message`. */
function outcome(
  text: string,
  fence: FenceText,
  file = 'teams/pay/a.yaml',
): { readonly changes?: readonly string[]; readonly refused?: readonly string[] } {
  const loaded = load({ [file]: text }, { fences: { 'teams/pay/**': fence, 'platform/**': 'everything' }, dateMs })
  if (!loaded.valid) return { refused: loaded.problems.map(({ at, message }) => `${at.file}:${at.line}:${at.column} ${message}`) }
  const declared = [...loaded.declaration.values()].find(({ workspace }) => workspace === acme) as WorkspaceDeclaration
  const stored = existing.map(mapping)
  const lists = new Map([...listsInScope(declared)].map((list) => [list, complete(stored.filter(({ target }) => listOf(target) === list))]))
  const seen = seenOf({ directories: { corp: groups }, projects: ['PAY', 'ENG', 'OPS'], existing, policy: 'exclusive', nowMs: dateMs })
  return { changes: planIn({ ...seen, declared, existing: { lists, groupSync: { autoRemove: false } } }).changes.map(changeLine) }
}

describe('a file that tries to reach beyond its fence', () => {
  test.each(hostileFiles.map((one) => [one[0], one] as const))('%s', (_what, [, text, seen, fence = pay]) => {
    const { refused, changes } = outcome(text, fence)
    if (seen instanceof RegExp) {
      expect(changes).toBeUndefined()
      expect(refused?.join('\n')).toMatch(seen)
      for (const problem of refused ?? []) expect(problem).toMatch(/^teams\/pay\/a\.yaml:[1-9]\d*:[1-9]\d* /)
    } else expect({ refused, changes: changes?.toSorted() }).toEqual({ refused: undefined, changes: seen.toSorted() })
  })

  test.each(['./teams/pay/a.yaml', 'teams/Pay/a.yaml', 'teams/pay', 'teams/p\u0430y/a.yaml', 'teams\\pay\\a.yaml'])(
    'a file with the path %j',
    (file) => {
      const { refused } = outcome(rule('group: admins, project: ENG, role: admin'), pay, file)
      expect(refused?.join('\n')).toContain('no fence of the settings matches this file')
    },
  )
})
