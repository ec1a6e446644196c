import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctorCodes } from '../../../src/core/doctor/check.ts'
import { findingCodes } from '../../../src/core/finding.ts'
import { holdKinds } from '../../../src/core/holdEffects.ts'
import { validationSchema } from '../../../src/documents/validation.ts'
import { entryKinds } from '../../../src/journal/stored.ts'
import { root } from './files.ts'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The word in backticks at the begin of each row below a head. */
function firstWords(page: string, head: string): readonly string[] {
  const [, rest = ''] = textOf(page).split(`\n${head}\n|---|---|---|\n`)
  const [table = ''] = rest.split('\n\n', 1)
  return [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, word = '']) => word)
}

describe('the words that the program uses as codes are in the docs', () => {
  test('each reason of a hold has a row in docs/messages.md', () => {
    const explained = firstWords('docs/messages.md', '| reason | a plan says | what to do |')
    expect(explained.toSorted()).toEqual([...holdKinds].toSorted())
  })

  test('each code of a finding is on a page about findings, also those of the commands validate and doctor', () => {
    const page = ['messages', 'renames', 'watching', 'operations', 'guards'].map((name) => textOf(`docs/${name}.md`)).join('\n')
    const checked = validationSchema.shape.problems.element.shape.code.options.filter(
      (code) => code !== 'settings' && code !== 'declaration',
    )
    expect(checked.length).toBeGreaterThan(2)
    expect([...findingCodes, ...doctorCodes, ...checked].filter((code) => !page.includes(`\`${code}\``))).toEqual([])
  })

  test('each kind of entry has a row in docs/journal.md', () => {
    expect(firstWords('docs/journal.md', '| `entry` | written | contains |').toSorted()).toEqual(entryKinds.toSorted())
  })
})
