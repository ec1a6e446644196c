import { describe, expect, test } from 'vitest'
import type { Mapping, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { patternId } from '../../../src/core/matches.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { matchNames } from '../../../src/cycle/matchNames.ts'
import { acme, complete, failed, groups, mapping, pattern, rule } from '../core/smallWorld.ts'

const { signal } = new AbortController()
const declaredBy = (rules: readonly Rule[], unmanaged: WorkspaceDeclaration['unmanaged'] = []): WorkspaceDeclaration => ({
  workspace: acme,
  owns: new Set(['projectRoles']),
  rules,
  removed: [],
  unmanaged,
})
const directories = (...names: readonly string[]) => new Map([['corp', complete(groups(...names))]])

/** A rule whose pattern counts the names that it is asked about. */
function counting(source: string, where = 'ENG', steps = 10) {
  const one = pattern(source, where, 'guest')
  if (one.groups.kind === 'exact') throw new Error('a pattern is none')
  const asked: string[] = []
  const match = one.groups.pattern.compile()
  const compile = () => (name: string) => {
    asked.push(name)
    return match(name)
  }
  return { asked, rule: { ...one, groups: { ...one.groups, pattern: { ...one.groups.pattern, steps, compile } } } satisfies Rule }
}

describe('names', () => {
  test('of directories and of existing mappings are matched, with what is captured', async () => {
    const one = pattern('plane-(?<app>[a-z]+)', 'ENG', 'guest')
    const existing: readonly Mapping[] = [mapping('ENG plane-old guest', 1), mapping('ENG ops guest', 2)]
    const { matches, unmatched } = await matchNames(declaredBy([one]), directories('plane-web', 'ops'), existing, signal)
    expect(unmatched).toBeUndefined()
    expect([...matches.values()]).toEqual([
      new Map([
        ['plane-web', { app: 'web' }],
        ['plane-old', { app: 'old' }],
      ]),
    ])
  })

  test('are matched once with a pattern that several rules have', async () => {
    const { asked, rule: first } = counting('a.*')
    const second = { ...first, role: { kind: 'fixed', role: 'member' } } as Rule
    const unmanaged = [{ groups: first.groups, because: first.because }]
    await matchNames(declaredBy([first, second], unmanaged), directories('a', 'b'), [mapping('ENG a guest', 1)], signal)
    expect(asked).toEqual(['a', 'b'])
  })

  test('of one reading are not matched again for another slice or workspace', async () => {
    const { asked, rule: one } = counting('a.*')
    const seen = directories('a', 'b')
    await matchNames(declaredBy([one]), seen, [], signal)
    const { matches } = await matchNames(declaredBy([one]), seen, [mapping('ENG abc guest', 1)], signal)
    expect(asked).toEqual(['a', 'b', 'abc'])
    expect([...(matches.values().next().value ?? [])].map(([name]) => name)).toEqual(['a', 'abc'])
  })

  test('are those of mappings alone where no directory was read', async () => {
    const { matches } = await matchNames(
      declaredBy([pattern('a.*', 'ENG', 'guest')]),
      new Map([['corp', failed]]),
      [mapping('ENG abc guest', 1)],
      signal,
    )
    expect([...(matches.values().next().value ?? [])].map(([name]) => name)).toEqual(['abc'])
  })

  test('are not looked at without a pattern', async () => {
    expect(await matchNames(declaredBy([rule('a', 'ENG', 'guest')]), directories('a'), [], signal)).toEqual({ matches: new Map() })
  })
})

describe('patterns that cost too much', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`)

  test('are not matched at all, and the numbers are told', async () => {
    const { asked, rule: one } = counting('a.*', 'ENG', 60_000_000)
    const { matches, unmatched } = await matchNames(declaredBy([one]), directories(...many(30)), [], signal)
    expect([asked, matches]).toEqual([[], new Map()])
    expect(unmatched).toEqual({
      because: one.because,
      why: 'the limit is 4000000000 steps, and 1 pattern needs 60000000 steps of their programs × 80 characters of the names',
    })
  })

  test('in mappings count each project that a captured text stands for', async () => {
    const given = async (names: number) => {
      const projects = Array.from({ length: 500 }, (_, index) => `P${index}` as ProjectIdentifier)
      const target: Rule['target'] = { kind: 'captured', capture: 'app', map: new Map([['a', projects]]) }
      const one = pattern('(?<app>a|b).*', 'ENG', 'guest', { target })
      return (await matchNames(declaredBy([one]), directories(...many(names), 'b'), [], signal)).unmatched?.why
    }
    expect(await given(399)).toBeUndefined()
    expect(await given(400)).toBe('the patterns stand for more than 200000 mappings')
  })

  test('in mappings are given up where they exceed the limit', async () => {
    const rules = Array.from({ length: 500 }, (_, index) => pattern('a.*', `P${index}`, 'guest'))
    const { matches, unmatched } = await matchNames(declaredBy(rules), directories(...many(401)), [], signal)
    expect(matches.size).toBe(0)
    expect(unmatched?.why).toBe('the patterns stand for more than 200000 mappings')
    const fewer = await matchNames(declaredBy(rules), directories(...many(400)), [], signal)
    expect(fewer.unmatched).toBeUndefined()
  })
})

test('other work has its turn, and a request to stop is heard', async () => {
  const { asked, rule: one } = counting('a.*', 'ENG', 1_000_000)
  const seen = directories(...Array.from({ length: 100 }, (_, index) => `a${index}`))
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  await expect(matchNames(declaredBy([one]), seen, [], stop.signal)).rejects.toThrow('stopped before the plan was made')
  expect(asked.length).toBeLessThan(10)
})

test('the id of a pattern tells a glob from a regular expression', () => {
  expect(patternId({ syntax: 'glob', source: 'a' })).not.toBe(patternId({ syntax: 'regex', source: 'a' }))
})
