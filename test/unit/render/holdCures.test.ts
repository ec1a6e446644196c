import { expect, test } from 'vitest'
import type { Provenance } from '../../../src/core/rule.ts'
import { explainHold, isOneDirectory } from '../../../src/render/hold.ts'

test('the places of a group are in one directory if they begin with its whole name', () => {
  expect(isOneDirectory(['corp: cn=a,ou=x', 'corp: cn=a,ou=y'])).toBe(true)
  expect(isOneDirectory(['corp: cn=a', 'club: cn=a'])).toBe(false)
})

test('a dangling mapping of a pattern is never told of "previously", which is an error there', () => {
  const reason = { kind: 'groupUnknown', directories: ['corp'], mapped: true } as const
  const at = { file: 'a.yaml', line: 3, column: 1 }
  const cureOf = (because: Provenance) => explainHold({ reason, because }, { doors: 'any' }).cure
  expect(cureOf({ at })).toContain('"previously" in a rule with this group alone')
  expect(cureOf({ at, pattern: { syntax: 'glob', source: 'eng-*' } })).toMatch(/^(?!.*previously).*let the pattern match/)
})

test.each([
  ['one team', 'team-pay', 'team-pay'],
  ['two teams', 'team-pay', 'team-ops'],
  ['no owner', undefined, undefined],
])('files of %s that contradict each other are not said to have several owners', (_what, first, second) => {
  const named = (file: string, owner: string | undefined) => ({
    at: { file, line: 3, column: 1 },
    ...(owner === undefined ? {} : { owner }),
  })
  const reason = { kind: 'contested', rules: [named('a.yaml', first), named('b.yaml', second)] } as const
  expect(explainHold({ reason }, { doors: 'any' })).toMatchObject({
    sentence: 'files contradict each other here: a.yaml:3, b.yaml:3',
    cure: 'first agree with the owners of these files which one is right; then: let one of them say it; until then nothing is changed here',
  })
})
