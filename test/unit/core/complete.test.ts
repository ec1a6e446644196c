import { expect, test } from 'vitest'
import { complete } from '../../../src/core/optionalFields.ts'

type Options = { readonly needed: number; readonly wanted?: string }

test('what is undefined is left out', () => {
  expect(Object.entries(complete<Options>({ needed: 0, wanted: undefined }))).toEqual([['needed', 0]])
  expect(complete<Options>({ needed: 0, wanted: '' })).toEqual({ needed: 0, wanted: '' })
})

test('the compiler refuses what is forgotten, misnamed or without a type', () => {
  // @ts-expect-error `wanted` is forgotten
  complete<Options>({ needed: 1 })
  // @ts-expect-error `wished` is no option
  complete<Options>({ needed: 1, wanted: undefined, wished: 'x' })
  // @ts-expect-error `needed` may not be left out
  complete<Options>({ needed: undefined, wanted: undefined })
  // @ts-expect-error the type of the options is not given
  expect(complete({ needed: 1 })).toEqual({ needed: 1 })
})
