import { expect, test } from 'vitest'
import { lowerInProjectFindings } from '../../../src/core/findings/planFindings.ts'
import { desiredIn, planIn, roles, rule, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })
const inAll = rule('devs', '*', 'member', at(9))

function sentences(...rules: readonly ReturnType<typeof rule>[]): readonly string[] {
  const seen = seenOf({ rules, directories: { corp: ['devs', 'ops'] } })
  expect(planIn(seen).changes).toHaveLength(rules.length)
  return lowerInProjectFindings(desiredIn(seen), roles).map(({ severity, place, sentence }) => `${severity} ${place}: ${sentence}`)
}

test('a role in a project that is no higher than that of the same group in all projects narrows nothing', () => {
  const lower = 'info g:3:7: 1 role in a project gives no more than the role of the same group in all projects: devs is'
  expect(sentences(inAll, rule('devs', 'ENG', 'guest', at(3)))).toEqual([`${lower} guest in ENG, and member in all projects by g:9`])
  expect(sentences(inAll, rule('devs', 'ENG', 'member', at(3)))).toEqual([`${lower} member in ENG, and member in all projects by g:9`])
  expect(sentences(inAll, rule('devs', 'ENG', 'guest', at(3)), rule('devs', 'OPS', 'guest', at(2)))[0]).toMatch(
    /^info g:2:7: 2 roles in a project give no more .*: devs is guest in OPS, .* and devs is guest in ENG, /,
  )
})

test('a higher role, another group, the workspace, and a role without a rank are no finding', () => {
  expect(sentences(inAll, rule('devs', 'ENG', 'admin', { ...at(3), allowProtected: true }))).toEqual([])
  expect(sentences(inAll, rule('ops', 'ENG', 'guest', at(3)))).toEqual([])
  expect(sentences(inAll, rule('devs', 'workspace', 'guest', at(3)))).toEqual([])
  expect(sentences(inAll, rule('devs', 'ENG', 'own-role', { ...at(3), allowProtected: true }))).toEqual([])
  expect(sentences(rule('devs', 'ENG', 'guest', at(3)))).toEqual([])
})
