import { describe, expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { arm, matchesPath, type Rule, strike } from '../../../src/sandbox/fault.ts'

const list = '/api/v1/workspaces/acme/group-sync/project-mappings/'
const item = `${list}0190f0a0-0000-4000-a000-000000000001/`

test.each([
  ['*', true, true],
  ['project-mappings', true, true],
  ['project-mappings/', true, false],
  ['project-mappings/*', false, true],
  ['project-mappings/*/', false, true],
  ['group-sync/project-mappings', true, true],
  ['group-sync/*/', true, false],
  ['/api/v1', true, true],
  ['/project-mappings', false, false],
  ['mappings', false, false],
  ['workspace-mappings', false, false],
  ['acme', true, true],
])('%s matches the list: %s, an item: %s', (pattern, matchesList, matchesItem) => {
  expect([matchesPath(pattern, list), matchesPath(pattern, item)]).toEqual([matchesList, matchesItem])
})

/** A request for the list, whose answer can come in pages. */
const target = { method: 'GET', path: list, quirks: ['envelope'] } as const

describe('how often', () => {
  const reset = { kind: 'reset', when: 'before commit' } as const
  const strikesOf = (more: Partial<Rule>, count = 8) => {
    const rules = [arm({ path: '*', fault: reset, ...more }, 'a text')]
    const chance = chanceFrom(7)
    return Array.from({ length: count }, () => (strike(rules, target, chance).wire === undefined ? '.' : 'x')).join('')
  }
  test('always, unless said otherwise', () => expect(strikesOf({})).toBe('xxxxxxxx'))
  test('times', () => expect(strikesOf({ times: 2 })).toBe('xx......'))
  test('from', () => expect(strikesOf({ from: 3 })).toBe('..xxxxxx'))
  test('from and times: exactly the third', () => expect(strikesOf({ from: 3, times: 1 })).toBe('..x.....'))
  test('every', () => expect(strikesOf({ every: 3 })).toBe('..x..x..'))
  test('every, from', () => expect(strikesOf({ every: 3, from: 1 })).toBe('x..x..x.'))
  test('another method is not counted', () => expect(strikesOf({ method: 'POST' })).toBe('........'))
  test('by chance: near the share, and the same again with the same seed', () => {
    const struck = strikesOf({ probability: 0.2 }, 1_000)
    expect(struck.replaceAll('.', '').length).toBeGreaterThan(150)
    expect(struck.replaceAll('.', '').length).toBeLessThan(250)
    expect(strikesOf({ probability: 0.2 }, 1_000)).toBe(struck)
  })
})

test('latencies add up, quirks join, and of the faults on the wire the first strikes while the others wait', () => {
  const armed = (rule: Rule) => arm(rule, rule.fault.kind)
  const rules = [
    armed({ path: '*', fault: { kind: 'latency', fromMs: 10, toMs: 10, when: 'before commit' } }),
    armed({ path: '*', fault: { kind: 'latency', fromMs: 5, toMs: 5, when: 'before commit' } }),
    armed({ path: '*', fault: { kind: 'envelope', perPage: 2 } }),
    armed({ path: '*', times: 1, fault: { kind: 'reset', when: 'before commit' } }),
    armed({ path: '*', times: 1, fault: { kind: 'html', when: 'before commit' } }),
  ]
  const chance = chanceFrom(1)
  const [first, second, third] = [1, 2, 3].map(() => strike(rules, target, chance))
  expect(first).toMatchObject({ latencyMs: { 'before commit': 15, 'after commit': 0 }, quirks: { envelope: { perPage: 2 } } })
  expect([first?.wire?.kind, second?.wire?.kind, third?.wire?.kind]).toEqual(['reset', 'html', undefined])
  expect(first?.texts).toEqual(['latency', 'latency', 'envelope', 'reset'])
})

test('a quirk counts only requests whose operation can show it', () => {
  const rules = [arm({ path: '*', times: 1, fault: { kind: 'duplicates', status: 409 } }, 'a text')]
  const chance = chanceFrom(1)
  expect(strike(rules, target, chance).quirks).toEqual({})
  expect(rules).toMatchObject([{ matched: 0, struck: 0 }])
  expect(strike(rules, { method: 'POST', path: list, quirks: ['duplicates'] }, chance).quirks).toMatchObject({
    duplicates: { status: 409 },
  })
  expect(rules).toMatchObject([{ matched: 1, struck: 1 }])
})
