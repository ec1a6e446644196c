import { expect, test } from 'vitest'
import { columnsOf } from '../../../src/commands/terminal.ts'

test('COLUMNS is a number of columns; anything else does not count', () => {
  expect(['80', '1', '9999'].map((COLUMNS) => columnsOf({ COLUMNS }))).toEqual([80, 1, 9999])
  for (const COLUMNS of ['', '0', '080', '-1', '80 ', '1e3', '10000', 'wide']) expect(columnsOf({ COLUMNS })).toBeUndefined()
  expect(columnsOf({})).toBeUndefined()
})
