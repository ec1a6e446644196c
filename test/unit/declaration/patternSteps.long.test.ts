import { expect, test } from 'vitest'
import { problemsOf } from './declare.ts'

const pattern = (index: number) => `  - { groupRegex: "[ab]{400}${index}", role: guest, project: ENG }\n`
const rules = (count: number) => `projectRoles:\n${Array.from({ length: count }, (_, index) => pattern(index)).join('')}`

test('the programs of all patterns together have a limit', () => {
  expect(problemsOf(rules(110))).toEqual([])
  const problems = problemsOf(rules(400))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/with this pattern, all patterns together compile to 50\d{3} steps/)
})

test('equal patterns count once', () => {
  expect(problemsOf(`projectRoles:\n${pattern(1).repeat(400)}`)).toEqual([])
})

test('patterns of unmanaged entries are not compared with names for minutes', () => {
  const unmanaged = `unmanaged:\n${Array.from({ length: 100 }, (_, index) => `  - { groupRegex: "[ab]{400}${index}" }\n`).join('')}`
  const groups = Array.from({ length: 4_000 }, (_, index) => `${'x'.repeat(60)}${index}`).join(', ')
  const problems = problemsOf(`${unmanaged}projectRoles:\n  - { groups: [${groups}], role: guest, project: ENG }\n`)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('comparing the patterns of "unmanaged" with the declared names takes too long')
})
