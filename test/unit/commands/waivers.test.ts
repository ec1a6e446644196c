import { expect, test } from 'vitest'
import { waiversOf } from '../../../src/commands/allowOption.ts'

const id = '2e6e3a15d68fd23db9b06e6eb306ed68'

test.each([
  ['ann', { USER: 'ann' }],
  ['operator', { USER: '' }],
  ['operator', {}],
])('--allow is recorded as an approval by %s', (by, env) => {
  expect(waiversOf({ allow: [id] }, { env }).map((one) => one.by)).toEqual([by])
})
