import { expect, test } from 'vitest'
import { errorChain, errorParts, errorText } from '../../../src/core/errorText.ts'
import { OperationalError } from '../../../src/core/operationalError.ts'

test.each([
  ['an error with a cure', new OperationalError('X', 'it broke', { cure: 'mend it' }), 'it broke; mend it'],
  ['one without', new OperationalError('X', 'it broke'), 'it broke'],
  ['one of a library, which has no cure', Object.assign(new Error('it broke'), { cure: { secret: 1 } }), 'it broke'],
  ['a text', 'SIGTERM', 'SIGTERM'],
  ['nothing', undefined, 'undefined'],
])('%s as text', (_, error, text) => expect(errorText(error)).toBe(text))

test('neither what happened nor what to do shows the form of a secret', () => {
  const error = new OperationalError('X', 'no answer of https://u:SECRET@host', { cure: 'ask https://u:SECRET@host' })
  expect(errorText(error, ': ')).toBe('no answer of https://•••@host: ask https://•••@host')
  expect(errorParts(error)).toStrictEqual({ message: 'no answer of https://•••@host', cure: 'ask https://•••@host' })
})

test('the chain of causes has the outermost first, and an end', () => {
  const inner = new Error('inner', { cause: 'a text' })
  const outer = new Error('outer', { cause: inner })
  expect(errorChain(outer)).toEqual([outer, inner, 'a text'])
  inner.cause = outer
  expect(errorChain(outer)).toHaveLength(5)
})
