import { expect, test } from 'vitest'
import { repeatedProblems } from '../../../src/declaration/names.ts'
import type { Context } from '../../../src/declaration/understand.ts'
import { longTest } from '../../long.ts'
import { parseDeclaration } from './parseDeclaration.ts'

const context: Context = {
  workspaces: ['acme'],
  directories: ['corp'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
}
const file = (number: number, workspace: string, from = 'corp') => ({
  file: `f${String(number).padStart(4, '0')}.yaml`,
  bytes: Buffer.from(
    `version: 1\nworkspaces:\n  ${workspace}:\n    projectRoles:\n      - { group: g${number}, from: ${from}, project: ENG, role: member }\n`,
  ),
})
const filesOf = (count: number, ...rest: [workspace: string, from?: string]) =>
  Array.from({ length: count }, (_, index) => file(index + 1, ...rest))
const problemsOf = (files: ReturnType<typeof filesOf>) => {
  const read = parseDeclaration({ files, hash: '' }, context)
  return read.valid ? [] : read.problems.map(({ at, message, cure = '' }) => `${at.file}:${at.line}:${at.column} ${message} | ${cure}`)
}

test('a workspace that left the settings is one problem, with the number of its places and the first three', () => {
  expect(problemsOf(filesOf(40, 'gone'))).toEqual([
    'f0001.yaml:3:3 the settings name no workspace "gone" (40 places) | The settings have these workspaces: acme; the same is in f0002.yaml:3:3, f0003.yaml:3:3 and 37 other places',
  ])
  expect(problemsOf(filesOf(4, 'gone'))[0]).toContain('and 1 other place')
})

test('in up to three places each has its problem', () => {
  const one = 'the settings name no workspace "gone" | The settings have these workspaces: acme'
  expect(problemsOf(filesOf(3, 'gone'))).toEqual([`f0001.yaml:3:3 ${one}`, `f0002.yaml:3:3 ${one}`, `f0003.yaml:3:3 ${one}`])
})

longTest('all places count, also more than the problems that are kept; other mistakes stay beside it', () => {
  const problems = problemsOf([...filesOf(1_500, 'gone'), file(1_501, 'acme', 'crop')])
  expect(problems).toHaveLength(2)
  expect(problems[0]).toContain('(1,500 places)')
  expect(problems[1]).toContain('the settings name no directory "crop"')
})

test('mistakes with one message and different cures are different mistakes, and a mistake may have no cure', () => {
  const at = (line: number) => ({ file: 'a.yaml', line, column: 1 })
  const found = repeatedProblems()
  for (const line of [1, 2, 3, 4]) found.add({ at: at(line), message: 'it is wrong' })
  found.add({ at: at(5), message: 'it is wrong', cure: 'take it out' })
  found.add({ at: at(6), message: 'it is wrong', cure: 'write it anew' })
  expect(found.size()).toBe(3)
  expect(found.problems()).toEqual([
    { at: at(1), message: 'it is wrong (4 places)', cure: 'the same is in a.yaml:2:1, a.yaml:3:1 and 1 other place' },
    { at: at(5), message: 'it is wrong', cure: 'take it out' },
    { at: at(6), message: 'it is wrong', cure: 'write it anew' },
  ])
})
