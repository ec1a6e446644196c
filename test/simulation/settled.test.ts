import { expect, test } from 'vitest'
import type { DeclaredRule } from './declared.ts'
import { scene } from './scene.ts'
import type { Row, Spec } from './spec.ts'

const rule: DeclaredRule = { group: 'devs', at: 'ENG', role: 'guest' }

/** The end of a world in which the project OPS got the identifier of ENG, which was deleted. Both have a mapping of the group. */
function ended(setting: Partial<Pick<Spec, 'policy' | 'duplicates'>>, roles: readonly [string, string] = ['guest', 'member']) {
  const rows: Row[] = [
    { group: 'devs', at: 'ENG', role: roles[0] },
    { group: 'devs', at: 'OPS', role: roles[1] },
  ]
  const one = scene({
    rows,
    versions: [
      [0, [{ ...rule, role: 'admin' }]],
      [5, [rule]],
    ],
    ...setting,
  })
  one.change({ does: 'vanish', project: 'ENG', takes: false })
  one.change({ does: 'rename', project: 'OPS', to: 'ENG' })
  one.pass(600_000)
  one.settle()
  return one.auditor.violations.map(({ promise, what }) => `${promise}: ${what}`)
}
const wrong = ['settles: acme ENG devs: should be guest; there: guest, member']

test.each([
  ['refuses to change one of two mappings of a key', { policy: 'upsert-only', duplicates: 400 }, []],
  ['refuses it with another status', { policy: 'upsert-only', duplicates: 409 }, []],
  ['refuses it, but the policy deletes one of them', { policy: 'exclusive', duplicates: 400 }, wrong],
  ['changes each of them', { policy: 'upsert-only', duplicates: undefined }, wrong],
] as const)('a world may end with a wrong role if the service %s', (_what, setting, wrongs) => {
  expect(ended(setting)).toEqual(wrongs)
})
