import { expect, test } from 'vitest'
import { cureText } from '../../../src/core/cures.ts'

test('what to look at stands before the cure, and nothing stands alone', () => {
  expect(cureText('group-renamed', 'rename it')).toBe('first look in the claim of a login which name the group has there; then: rename it')
  expect(cureText('clock-differs', 'set the clock')).toBe('set the clock')
  expect(cureText('group-renamed', '')).toBe('')
})
