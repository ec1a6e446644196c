import { expect, test } from 'vitest'
import { staticToken } from '../../../src/directories/overHttp/token.ts'

const signal = new AbortController().signal

/** The tokens that a reading uses: `texts` are the contents of the file, one after another; the last one stays. */
function readingWith(...texts: readonly string[]) {
  let reads = 0
  const seen: string[] = []
  const tokens = staticToken(async () => texts[Math.min(reads++, texts.length - 1)] ?? '', { secretSeen: (one) => void seen.push(one) })
  return { open: () => tokens.open(undefined, signal), seen, reads: () => reads }
}

test('a token is read once for a reading, without the line end of its file', async () => {
  const { open, seen, reads } = readingWith('abc\n')
  const source = await open()
  expect([await source.token(signal), await source.token(signal)]).toEqual(['abc', 'abc'])
  expect(reads()).toBe(1)
  expect(seen).toEqual(['abc'])
})

test('a refused token is read again, since the file may have a new one', async () => {
  const { open, seen } = readingWith('old', 'new')
  const source = await open()
  const refused = await source.token(signal)
  source.forget(refused)
  source.forget(refused)
  expect(await source.token(signal)).toBe('new')
  source.forget(refused)
  expect(await source.token(signal)).toBe('new')
  expect(seen).toEqual(['old', 'new'])
})

test('each reading has the token of its time', async () => {
  const { open } = readingWith('first', 'second')
  expect(await (await open()).token(signal)).toBe('first')
  expect(await (await open()).token(signal)).toBe('second')
})

test.each([
  ['an empty file', ' \n', 'the token is empty'],
  ['two lines', 'abc\ndef', 'the token has a character that no header may have'],
  ['a letter that no header may have', 'abcé', 'the token has a character that no header may have'],
])('%s is an error that does not show the token', async (_name, text, message) => {
  await expect(readingWith(text).open()).rejects.toMatchObject({ code: 'credentials', message })
})
