import { expect, test } from 'vitest'
import { commands } from '../../../src/commands/all.ts'
import { candidatesOf, candidatesText } from '../../../src/commands/candidates.ts'
import { commonOptions, failOn, formats, generalOptions } from '../../../src/commands/description.ts'

async function complete(...words: readonly string[]): Promise<readonly string[] | 'files'> {
  const found = await candidatesOf(words)
  return found.kind === 'files' ? 'files' : found.words.map(([word]) => word)
}

const names = Object.keys(commands)
const before = [...Object.keys(commonOptions), ...Object.keys(generalOptions)].map((name) => `--${name}`)

test.each([
  [[''], [...names, 'help']],
  [[], [...names, 'help']],
  [['p'], ['plan']],
  [['-'], before],
  [['--no'], ['--no-color']],
  [['help', ''], names],
  [['help', 'va'], ['validate']],
  [['--config', ''], 'files'],
  [['-c', 'conf'], 'files'],
  [['-q', 'pl'], ['plan']],
  [['-c', 'a.yaml', 'appl'], ['apply']],
  [['plan', ''], []],
  [['plan', '--form'], ['--format']],
  [['plan', '--format', ''], formats],
  [['plan', '-o', 'm'], ['markdown']],
  [['plan', '--format=m'], ['--format=markdown']],
  [['plan', '--format', '='], formats],
  [['plan', '--format', '=', 'j'], ['json']],
  [['plan', '--out', ''], 'files'],
  [['plan', '--out=pl'], 'files'],
  [
    ['plan', '--fail-on', 'held,und'],
    ['held,undeclared', 'held,undeclared-protected'],
  ],
  [['plan', '--fail-on', 'held,'], failOn.filter((one) => one !== 'held').map((one) => `held,${one}`)],
  [['plan', '--allow', ''], []],
  [['apply', ''], 'files'],
  [['apply', '--yes', 'pl'], 'files'],
  [['apply', 'plan.json', ''], []],
  [['apply', '--format', 'json', 'pl'], 'files'],
  [['-c', 'apply', 'apply', ''], 'files'],
  [
    ['schema', ''],
    [
      'declaration',
      'settings',
      'fences',
      'plan',
      'applied',
      'groups',
      'who',
      'explain',
      'report',
      'validate',
      'status',
      'doctor',
      'last',
      'recording',
      'notice',
    ],
  ],
  [
    ['schema', 's'],
    ['settings', 'status'],
  ],
  [
    ['schema', '--'],
    ['--help', '--version'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['sandbox', '--dialect', 'p'], ['plane']],
  [['run', '--log-level', 'd'], ['debug']],
  [
    ['explain', 'acme', ''],
    ['workspace', 'allProjects'],
  ],
  [['explain', 'acme', 'ENG', ''], []],
  [['nosuch', ''], []],
] as const)('%j: %j', async (words, expected) => expect(await complete(...words)).toEqual(expected))

test('the text for the scripts has the kind, then a word and its explanation on each line', async () => {
  expect(await candidatesText(['va'])).toBe('words\nvalidate\tcheck settings and declaration, offline\n')
  expect(await candidatesText(['-c', ''])).toBe('files\n')
})
