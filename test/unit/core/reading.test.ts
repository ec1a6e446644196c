import { describe, expect, test } from 'vitest'
import { checkShrink, isComplete, type ShrinkCheck, valueIfRead, whyIncomplete } from '../../../src/core/reading.ts'
import { complete, failed, partial } from './smallWorld.ts'

const limit = { share: 0.2, minExisting: 5 }
const doubt = (more: Partial<ShrinkCheck> = {}): ShrinkCheck => ({
  baseline: undefined,
  limit,
  setting: 'directories.corp.shrink',
  ...more,
})
const list = (size: number) => complete(Array.from({ length: size }, (_, index) => index))
const believed = (size: number, more: Partial<ShrinkCheck> = {}) => checkShrink(list(size), ({ length }) => length, doubt(more))
const sayWhatIsMissing = (size: number, more: Partial<ShrinkCheck> = {}) => {
  const reading = believed(size, more)
  return reading.status === 'partial' ? reading.missing : reading.status
}

describe('a complete answer with nothing in it', () => {
  const noGroup =
    'the read succeeded but found no group, which proves nothing; check that the account may read groups, and that the place where they are looked for exists'
  test.each<[string, Partial<ShrinkCheck>, string]>([
    ['of a directory', {}, noGroup],
    ['of a directory that had groups', { baseline: 9 }, noGroup],
    ['of a directory, though it had none before', { baseline: 0 }, noGroup],
  ])('%s: %s', (_name, more, expected) => expect(sayWhatIsMissing(0, more)).toBe(expected))
})

describe('a complete answer with less than the last one', () => {
  const cure = 'if that is right, set directories.corp.shrink.share to 100% for one cycle'
  test.each<[string, number, number | undefined, string]>([
    ['the first one', 1, undefined, 'complete'],
    ['more', 20, 10, 'complete'],
    ['the small number that may always go', 5, 10, 'complete'],
    ['one more', 4, 10, `4 now, 10 before: 60 % fewer; ${cure}`],
    ['the share', 80, 100, 'complete'],
    ['the share and one', 79, 100, `79 now, 100 before: 21 % fewer; ${cure}`],
    ['a percentage, rounded', 2, 9, `2 now, 9 before: 78 % fewer; ${cure}`],
  ])('%s: %i after %s', (_name, now, before, expected) => expect(sayWhatIsMissing(now, { baseline: before })).toBe(expected))

  test('may lack exactly the share', () => {
    const exact = { baseline: 100, limit: { share: 0.29, minExisting: 5 } }
    expect(sayWhatIsMissing(71, exact)).toBe('complete')
    expect(sayWhatIsMissing(70, exact)).toContain('70 now, 100 before')
  })
  test('keeps what was read, and when', () => {
    expect(believed(1, { baseline: 100 })).toEqual({ ...partial([0]), missing: expect.stringContaining('99 % fewer') as string })
  })
  test('of a share of 100 % is believed, but not if nothing is left', () => {
    const all = { baseline: 100, limit: { share: 1, minExisting: 0 } }
    expect(believed(1, all)).toEqual(list(1))
    expect(believed(0, all).status).toBe('partial')
  })
})

test('what proves nothing anyway stays as it is', () => {
  const size = ({ length }: readonly number[]) => length
  for (const reading of [partial([]), failed]) expect(checkShrink(reading, size, doubt({ baseline: 9 }))).toBe(reading)
})

test('what was seen, and why it is not all', () => {
  expect([complete(1), partial(1), failed, undefined].map(valueIfRead)).toEqual([1, 1, undefined, undefined])
  expect([complete(1), partial(1), failed, undefined].map(whyIncomplete)).toEqual([
    undefined,
    'page 3',
    'cannot connect',
    'they were not read',
  ])
})

test('only a complete reading proves what it lacks', () => {
  expect([complete([]), partial([]), failed].map(isComplete)).toEqual([true, false, false])
})
