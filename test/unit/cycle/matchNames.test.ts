import { describe, expect, test } from 'vitest'
import type { GroupName, Mapping, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { patternId, selected } from '../../../src/core/matches.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { matchNames } from '../../../src/cycle/matchNames.ts'
import { acme, complete, failed, groups, mapping, pattern, rule, target } from '../core/smallWorld.ts'

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

  test('that only a rule sends are matched with the patterns of unmanaged entries, and with no others', async () => {
    const [unmanaged, other] = [counting('a.*'), counting('[a-z]+')]
    const sends = (group: string, unknownGroups: Rule['unknownGroups']): Rule => ({ ...rule(group, 'ENG', 'guest'), unknownGroups })
    const declared = declaredBy(
      [other.rule, sends('ab', 'send'), sends('ac', 'hold'), sends('a', 'send')],
      [{ groups: unmanaged.rule.groups, because: unmanaged.rule.because }],
    )
    const { matches } = await matchNames(declared, directories('a'), [], signal)
    expect([unmanaged.asked, other.asked]).toEqual([['a', 'ab'], ['a']])
    expect([...selected(unmanaged.rule.groups, matches)].map(([name]) => name)).toEqual(['a', 'ab'])
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
    const declared = declaredBy([rule('a', 'ENG', 'guest')])
    expect(await matchNames(declared, directories('a'), [], signal)).toEqual({ declared, matches: new Map() })
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

describe('patterns of files inside fences', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${index < 100 ? 'pay' : index < 600 ? 'ops' : 'x'}-${index}`)
  const inside = (owner: string, source: string, where: string, steps = 10): Rule => {
    const { groups: selector, because, ...rest } = pattern(source, where, 'guest')
    const limit = pattern(`${owner}-.*`, where, 'guest').groups
    if (selector.kind === 'exact' || limit.kind === 'exact') throw new Error('a pattern is none')
    const groups = { ...selector, pattern: { ...selector.pattern, steps }, within: [limit] }
    return { ...rest, groups, fenced: true, because: { ...because, owner } }
  }
  const rulesOf = (owner: string, count: number, steps?: number) =>
    Array.from({ length: count }, (_, index) => inside(owner, owner === 'pay' ? '.*' : `${owner}.*`, `P${index}`, steps))
  const open = pattern('x.*', 'ENG', 'guest')
  const selectedBy = async (rules: readonly Rule[], all = names) => {
    const { declared, matches, unmatched } = await matchNames(declaredBy(rules), directories(...all), [], signal)
    const count = (of: (one: Rule) => boolean) =>
      declared.rules.filter(of).reduce((sum, { groups: one }) => sum + [...selected(one, matches)].length, 0)
    const owner = (name: string) => count(({ because }) => because.owner === name)
    return { open: count(({ fenced }) => fenced !== true), pay: owner('pay'), ops: owner('ops'), why: unmatched?.why, unmatched }
  }

  test('count only for the mappings inside', async () => {
    expect(await selectedBy([...rulesOf('pay', 1_990), open])).toMatchObject({ open: 400, pay: 199_000, why: undefined })
  })
  test('of the owner with most mappings are left out if there are too many, and no others', async () => {
    expect(await selectedBy([...rulesOf('pay', 2_000), ...rulesOf('ops', 1), open])).toMatchObject({
      open: 400,
      pay: 0,
      ops: 500,
      why: 'the patterns of pay stand for too many mappings: all patterns together may stand for 200000',
    })
  })
  test('of the owner with most steps are left out if they cost too much, and no others', async () => {
    const costly = Array.from({ length: 10 }, (_, index) => inside('pay', `a{${index}}.*`, 'ENG', 100_000))
    const seen = await selectedBy([...costly, ...rulesOf('ops', 1), open])
    expect(seen).toMatchObject({ open: 400, pay: 0, ops: 500 })
    expect(seen.why).toMatch(/^the limit is 4000000000 steps, and 10 patterns of pay need 1000000 steps/)
  })
  test('that are left out may be about the mappings inside of their fence', async () => {
    const { unmatched } = await selectedBy([...rulesOf('pay', 2_000), open])
    const may = (group: string, where: string) => unmatched?.mayDeclare?.(group as GroupName, target(where))
    expect([may('pay-1', 'P7'), may('pay-1', 'P2001'), may('pay-1', '*'), may('ops-1', 'P7')]).toEqual([true, false, false, false])
  })
  test('leave files without limits their matches, but not the other way round', async () => {
    const large = Array.from({ length: 501 }, (_, index) => pattern('x.*', `P${index}`, 'guest'))
    expect(await selectedBy([...large, ...rulesOf('ops', 1)])).toMatchObject({
      open: 0,
      ops: 0,
      why: 'the patterns stand for more than 200000 mappings',
    })
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
