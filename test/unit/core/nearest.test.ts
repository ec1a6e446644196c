import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from '../../../src/core/nearest.ts'

describe('the name that was probably meant', () => {
  test.each([
    ['projct', ['project', 'projects', 'role'], 'project'],
    ['crop', ['corp'], 'corp'],
    ['partners-legal', ['partner-legal', 'partners-lega'], 'partner-legal'],
    ['ENG-Admins', ['eng-admins', 'eng-admin'], 'eng-admins'],
    ['инженеры', ['инженер', 'engineers'], 'инженер'],
    ['ab', ['cd'], undefined],
    ['engineering', ['marketing'], undefined],
    ['', ['a'], 'a'],
    ['same', ['same'], undefined],
  ])('%s of %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected)
  })

  test('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 8 }), (name, candidates) => {
        expect(nearest(name, candidates.toReversed())).toBe(nearest(name, candidates))
      }),
    )
  })

  test('of 50,000 names that differ late takes no time that a person notices', () => {
    const candidates = Array.from({ length: 50_000 }, (_, index) => `${'department-of-research-'.repeat(4)}${index}`)
    const before = performance.now()
    expect(nearest(`${'department-of-research-'.repeat(4)}12345x`, candidates)).toBeDefined()
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})
