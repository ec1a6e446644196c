import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root } from './files.ts'
import { canSay, fixedTextsOf } from './literals.ts'

/**
 * On these pages every text in *italics* is a message of the program, in its own words. Operators search for them. `N`, `…`, figures and the
 * projects of the examples stand for computed parts.
 */
const pages = ['operations', 'messages', 'renames', 'watching', 'journal', 'kubernetes', 'guards', 'policies'].map(
  (name) => `docs/${name}.md`,
)

/** The sandbox is a server of its own. A message may consist of several literals of one file, but not of several files. */
const sources = filesBelow('src', '.ts')
  .filter(({ path }) => !path.startsWith('src/sandbox/'))
  .map(fixedTextsOf)

type Line = { readonly place: string; readonly text: string }

const linesOf = (page: string): readonly Line[] =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((text, index) => ({ place: `${page}:${index + 1}`, text }))

const italicsOf = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll('**', '')
      .matchAll(/\*([^*]+)\*/g),
  ].map(([, found = '']) => found)

const messagesOn = (page: string) => linesOf(page).flatMap(({ place, text }) => italicsOf(text).map((message) => ({ place, message })))

/** Rows of the tables that begin with a column of messages. */
function rowsOn(page: string): readonly Line[] {
  let isTable = false
  return linesOf(page).filter(({ text }) => {
    if (!text.startsWith('|')) isTable = false
    const isHead = /^\| (?:message|hold|finding) \|/.test(text)
    if (isHead) isTable = true
    return isTable && !isHead && !text.startsWith('|---')
  })
}

describe.each(pages)('the messages on %s', (page) => {
  test('are in the source, word for word', () => {
    const untrue = messagesOn(page).filter(({ message }) => !sources.some((fixed) => canSay(fixed, message)))
    expect(untrue.map(({ place, message }) => `${place}: no file in src says "${message}"`)).toEqual([])
  })

  test('have more than one word, so that a search for them finds them', () => {
    expect(messagesOn(page).filter(({ message }) => !/\p{L}{2,}[^\p{L}]+\p{L}{2,}/u.test(message))).toEqual([])
  })

  test('begin and end on one line', () => {
    const halves = linesOf(page).filter(
      ({ text }) => italicsOf(text).length * 2 !== text.replaceAll(/`[^`]*`|\*\*/g, '').split('*').length - 1,
    )
    expect(halves).toEqual([])
  })

  test('stand in every row of a table of messages', () => {
    expect(rowsOn(page).filter(({ text }) => italicsOf(text.split(' | ')[0] ?? '').length === 0)).toEqual([])
  })
})

test('messages are there to be compared', () => {
  expect(messagesOn('docs/messages.md').length).toBeGreaterThan(40)
  expect(rowsOn('docs/messages.md').length).toBeGreaterThan(25)
  expect(sources.flat().length).toBeGreaterThan(3_000)
})

describe('a message that is put together from literals', () => {
  const source = [
    "const one = (n: number) => `tried ${times(n)}, and no answer said so: ${why === '' ? 'it\\'s late' : `because ${why}`}.`",
    'const two = (what: string) => `this line is ${what}` // never said: it is a comment',
    "two('not JSON').replace(/'never said'/, 'x') /* nor this */",
    "const letters = ['a', 's', 'd']",
  ].join('\n')
  const fixed = fixedTextsOf({ path: 'src/one.ts', text: source })

  test.each([
    'no answer said so',
    'tried 3 times, and no answer said so',
    'tried …, and no answer said so: …',
    "tried 3 times, and no answer said so: it's late",
    'no answer said so: because …',
    'this line is not JSON',
    'line is not JSON',
    '…: this line is not JSON',
  ])('is found: %s', (message) => expect(canSay(fixed, message)).toBe(true))

  test.each([
    'no answer says so',
    'tried it, and no answer said so',
    'tried 3 times and no answer said so',
    'this line is no JSON',
    'never said',
    'nor this',
    'sad',
    '…',
  ])('is not found: %s', (message) => expect(canSay(fixed, message)).toBe(false))
})
