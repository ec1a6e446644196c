import { expect, test } from 'vitest'
import type { Check } from '../../../src/core/doctor/check.ts'
import { doctorText } from '../../../src/render/doctorText.ts'

const options = { colour: false, width: 80 }
const check = (place: string, findings: Check['findings'] = []): Check => ({ check: 'access', place, seen: 'can be read', findings })

test('a finding stands below its check, with its cure; a name from outside shows no control character', () => {
  const found = { code: 'owner-not-admin', severity: 'error', place: 'acme', sentence: 'no\u001B[31m admin', cure: 'ask' } as const
  expect(doctorText([check('acme', [found])], options)).toBe(
    ['ERROR    access      acme: can be read', '  error owner-not-admin: no\\u{1b}[31m admin', '      ask', '', '1 error.', ''].join('\n'),
  )
})

test('more than five checks of one name without a finding share a line, and --all shows each', () => {
  const calm = Array.from({ length: 6 }, (_, index) => check(`w${index}`))
  const info = check('odd', [{ code: 'held', severity: 'info', place: 'odd', sentence: '1 key is held' }])
  expect(doctorText([...calm, info], options).split('\n')).toEqual([
    'ok       access      odd: can be read',
    '  info held: 1 key is held',
    'ok       access      6 others without a finding (--all shows each)',
    '',
    'Nothing is wrong.',
    '',
  ])
  expect(doctorText([...calm, info], { ...options, all: true }).match(/^ok/gm)).toHaveLength(7)
})

test('the last line counts errors, warnings and checks that were not made', () => {
  const warning = check('b', [{ code: 'held', severity: 'warning', place: 'elsewhere', sentence: 'odd' }])
  const text = doctorText([{ ...check('a'), skipped: true }, warning], options)
  expect(text).toContain('-        access      a: can be read\n')
  expect(text).toContain('  warning held: odd · elsewhere\n')
  expect(text.trimEnd().split('\n').at(-1)).toBe('1 warning; 1 check could not be made.')
})
