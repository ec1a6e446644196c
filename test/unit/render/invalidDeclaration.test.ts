import { expect, test } from 'vitest'
import { invalidDeclarationText, invalidFilesText, mistakesText, savedBesideDaemonText } from '../../../src/render/invalidDeclaration.ts'
import { at, remove } from './sample.ts'

const mistake = (n: number) => `a.yaml:${n}:1: mistake ${n}\n  ${n} | text\n      ^^^^\n  a cure`
const kept = 'a.yaml:1:1: "x" is no role'

test('a valid declaration needs no words', () => {
  expect(invalidDeclarationText({})).toBe('')
})

test('an invalid file without an owner: its first mistake, and what is used', () => {
  expect(invalidDeclarationText({ kept, keptFiles: [{ file: 'a.yaml', isUsed: true }] })).toBe(
    'Invalid: a.yaml. The last valid text stays in use: a.yaml:1:1: "x" is no role',
  )
})

const team = (name: string, isUsed: boolean) => ({ file: `teams/${name}.yaml`, owner: `team-${name}`, isUsed })
test.each([
  [
    'of which one cannot be read',
    [{ file: 'groups', isUsed: true, unread: true } as const, team('a', true)],
    'Not read: groups. Invalid: teams/a.yaml (team-a). The last valid text stays in use: ',
  ],
  ['with their last valid text', [team('a', true)], 'Invalid: teams/a.yaml (team-a). The last valid text stays in use: '],
  [
    'without one',
    [team('a', false)],
    'Invalid: teams/a.yaml (team-a). Nothing of it is used, since no valid text of it was read before: what it names or gave is held, and nothing undeclared is deleted: ',
  ],
  [
    'both',
    [team('a', true), team('b', false)],
    'Invalid: teams/a.yaml (team-a) and teams/b.yaml (team-b, nothing of it is used). The last valid text stays in use; without one, what the file names or gave is held, and nothing undeclared is deleted: ',
  ],
])('invalid files inside fences, %s', (_how, keptFiles, text) => {
  expect(invalidDeclarationText({ kept, keptFiles })).toBe(text + kept)
})

const unused = { kept, keptFiles: [team('a', false)] }
test('beside a daemon, which has texts of its own, a plan says that the daemon may plan otherwise', () => {
  expect(invalidDeclarationText({ ...unused, besideDaemon: true })).toBe(
    `Invalid: teams/a.yaml (team-a). A running daemon uses the last valid text of it, if it has one, so it may plan otherwise. Here nothing of it is used: what it names or gave is held, and nothing undeclared is deleted: ${kept}`,
  )
  expect(invalidDeclarationText({ kept, keptFiles: [], besideDaemon: true })).toBe(invalidDeclarationText({ kept, keptFiles: [] }))
})

test('a saved plan with such a file says that the daemon applies it from its own text', () => {
  const two = { kept, keptFiles: [team('a', false), team('b', false)], besideDaemon: true }
  expect(savedBesideDaemonText({ ...unused, besideDaemon: true }, 'apply p.json')).toBe(
    'Invalid: teams/a.yaml (team-a). apply p.json decides from the last valid text of it, if the running daemon has one, and refuses this plan as stale where that text gives another one. Correct the file, then plan again.',
  )
  expect(savedBesideDaemonText(two, 'apply FILE')).toMatch(/of them, if.*Correct the files/)
  for (const none of [unused, {}, { kept, keptFiles: [], besideDaemon: true }]) expect(savedBesideDaemonText(none, 'apply')).toBe('')
})

test('an end that the journal recorded is told where a plan has one of the file', () => {
  const end = (file: string) => ({ changes: [remove('ENG', 'g9', 'guest', 'expired', at(`${file}:1`))] })
  const other = { changes: [remove('ENG', 'g9', 'guest', 'removed', at('teams/a.yaml:1'))] }
  const told = 'what it names or gave is held until the end that the journal has recorded, and nothing undeclared is deleted'
  expect(invalidDeclarationText(unused, [other, end('teams/a.yaml')])).toContain(told)
  expect(invalidFilesText(unused, [end('teams/a.yaml')])).toContain(told)
  for (const plans of [[], [other], [end('teams/b.yaml')]]) expect(invalidDeclarationText(unused, plans)).not.toContain('recorded')
})

test('a command shows the mistakes as validate does, and what they mean', () => {
  expect(invalidFilesText({})).toBe('')
  expect(invalidFilesText({ kept: mistake(3), keptFiles: [team('a', true)] })).toBe(
    `${mistake(3)}\n\nInvalid: teams/a.yaml (team-a). The last valid text stays in use.`,
  )
  expect(invalidFilesText({ kept, keptFiles: [] })).toBe(
    `${kept}\n\nFiles contradict each other, and what is in dispute is held, or decided by a file without limits.`,
  )
})

test('files that contradict each other', () => {
  expect(invalidDeclarationText({ kept, keptFiles: [] })).toBe(
    `Files contradict each other, and what is in dispute is held, or decided by a file without limits: ${kept}`,
  )
})

test('three mistakes are named, and the others are counted', () => {
  const text = (mistakes: number) => mistakesText(Array.from({ length: mistakes }, (_, n) => mistake(n + 1)).join('\n\n'))
  const validate = 'plane-group-sync validate shows what to correct'
  expect(text(1)).toBe(`a.yaml:1:1: mistake 1; ${validate}`)
  expect(text(3)).toBe(`a.yaml:1:1: mistake 1; a.yaml:2:1: mistake 2; a.yaml:3:1: mistake 3; ${validate}`)
  expect(text(5)).toBe(`a.yaml:1:1: mistake 1; a.yaml:2:1: mistake 2; a.yaml:3:1: mistake 3; and 2 more; ${validate}`)
  expect(mistakesText('a.yaml: \u001b[2J')).toBe('a.yaml: \\u{1b}[2J')
  expect(mistakesText('')).toBe('')
})

test('two files of which nothing is used are "them"', () => {
  const two = ['a.yaml', 'b.yaml'].map((file) => ({ file, isUsed: false }))
  expect(invalidDeclarationText({ kept: 'bad', keptFiles: two })).toBe(
    'Invalid: a.yaml and b.yaml. Nothing of them is used, since no valid text of them was read before: what they name or gave is held, and nothing undeclared is deleted: bad',
  )
})
