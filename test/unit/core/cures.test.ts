import { expect, test } from 'vitest'
import { cureText } from '../../../src/core/cures.ts'
import { findingCodes } from '../../../src/core/finding.ts'
import { holdKinds } from '../../../src/core/holdEffects.ts'

test('what to look at stands before the cure, and nothing stands alone', () => {
  expect(cureText('group-renamed', 'rename it')).toBe('first look in the claim of a login which name the group has there; then: rename it')
  expect(cureText('clock-differs', 'set the clock')).toBe('set the clock')
  expect(cureText('group-renamed', '')).toBe('')
})

test.each([...holdKinds, 'dangling', ...findingCodes] as const)('%s: what is to be looked at first is said', (of) => {
  expect(cureText(of, 'do it')).toMatch(/^(?:first \S.{9,}; then: )?do it$/)
})
