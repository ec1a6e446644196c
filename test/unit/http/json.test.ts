import { expect, test } from 'vitest'
import { NotUtf8, parseJson, TooManyValues, valuesMax } from '../../../src/http/json.ts'
import { explanation } from '../../../src/plane/answerBody.ts'
import { codeOf, filesBelow } from '../house/files.ts'

const values = (count: number) => `[${'0,'.repeat(count - 1)}0]`

test('as many values as allowed are parsed, one more is refused', () => {
  expect(parseJson({ body: values(valuesMax) })).toHaveLength(valuesMax)
  expect(() => parseJson({ body: values(valuesMax + 1) })).toThrow(TooManyValues)
  expect(() => parseJson({ body: `[${'{},'.repeat(valuesMax / 2)}{}]` })).toThrow(TooManyValues)
  expect(() => parseJson({ body: '[' })).toThrow(SyntaxError)
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson({ body: '"\ufffd"', notUtf8: true })).toThrow(NotUtf8)
  expect(parseJson({ body: '"\ufffd"' })).toBe('\ufffd')
})

test('a byte order mark before the value is ignored (RFC 8259 §8.1), and one inside a name stays', () => {
  expect(parseJson({ body: '\ufeff{"name":"\ufeffdevs"}' })).toEqual({ name: '\ufeffdevs' })
  expect(() => parseJson({ body: '\ufeff' })).toThrow(SyntaxError)
  expect(() => parseJson({ body: '\ufeff\ufeff1' })).toThrow(SyntaxError)
})

test('a long text is one value', () => {
  expect(parseJson({ body: JSON.stringify('x'.repeat(valuesMax + 1)) })).toHaveLength(valuesMax + 1)
})

test('an error answer of too many values is shown by its beginning', () => {
  const text = explanation({ body: `[${'"no",'.repeat(valuesMax)}"no"]`, headers: { 'content-type': 'application/json' } }, [])
  expect(text).toMatch(/^\["no","no",/)
  expect(text.length).toBeLessThan(500)
})

test('answers are parsed in one place, with a bound', () => {
  const allowed = {
    'src/http/json.ts': 'the bounded parser itself',
    'src/plane/call.ts': 'a text of at most 1,000 characters',
  }
  const parts = filesBelow('src', '.ts').filter(({ path }) => /^src\/(?:plane|directories|http)\//.test(path))
  expect(parts.flatMap((file) => (/\bJSON\.parse\b|\.json\(\)|\bjsonObjectIn\(/.test(codeOf(file)) ? [file.path] : []))).toEqual(
    Object.keys(allowed),
  )
})
