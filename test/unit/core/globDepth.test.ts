import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { globDepthFindings } from '../../../src/core/findings/patterns.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { compileRegex, patternOf } from '../../../src/declaration/pattern.ts'
import { desiredIn, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const paths = ['/g001', '/g002', '/g001/sub', '/g001/sub/leaf', '/other']

function glob(source: string, more: Partial<Rule> = {}): Rule {
  const groups = { kind: 'pattern', pattern: patternOf('glob', source), except: new Set<never>() } as const
  return rule('', 'ENG', 'member', { groups, ...more })
}

const findings = (rules: readonly Rule[], more: Partial<SmallWorld> = {}) => {
  const seen = seenOf({ rules, directories: { corp: paths }, ...more })
  return globDepthFindings(rules, desiredIn(seen))
}

describe('a glob whose * crosses a slash', () => {
  test('is told with how many groups lie deeper, and both ways to go on', () => {
    const made = glob('/g00*')
    const { at } = made.because
    expect(findings([made])).toEqual([
      {
        code: 'glob-crosses-slash',
        severity: 'warning',
        place: `${at.file}:${at.line}:${at.column}`,
        sentence: 'in groupGlob "/g00*" the * also stands for /, so 2 of its 4 groups lie deeper, such as /g001/sub',
        cure: "if they are meant, write ** instead of *; if not, write groupRegex: '/g00[^/]*'",
      },
    ])
  })
  test('is told once for all its targets', () => {
    const one = glob('/g00*')
    const two = glob('/g00*', { because: one.because, target: { kind: 'fixed', target: { kind: 'workspace' } } })
    expect(findings([one, two]).map(({ sentence }) => sentence)).toEqual([
      'in groupGlob "/g00*" the * also stands for /, so 2 of its 4 groups lie deeper, such as /g001/sub',
    ])
  })
  test.each([
    ['says that it is meant', glob('/g00**')],
    ['has no slash', glob('*sub*')],
    ['matches no group below', glob('/g002*')],
    ['names the levels', glob('/g001/su?')],
    [
      'is a regular expression',
      rule('', 'ENG', 'member', { groups: { kind: 'pattern', pattern: patternOf('regex', '/g00.*'), except: new Set<never>() } }),
    ],
    ['has expired', glob('/g00*', { expiresMs: 0 })],
    ['matches groups of its own level only', glob('/*r')],
  ])('is not told if it %s', (_, made) => expect(findings([made])).toEqual([]))
  test('is not told for mappings that are to be deleted', () =>
    expect(findings([glob('/g00*', { expiresMs: 0 })], { existing: ['ENG /g001/sub member'] })).toEqual([]))
  test('is not told because of the groups of another rule', () => {
    const exact = rule('/g001/sub', 'ENG', 'guest')
    expect(findings([exact, glob('/o*')])).toEqual([])
    expect(findings([glob('/o*'), glob('*')])).toEqual([])
  })
  test('is told for ?, and where a mapping of a group that is gone is kept', () => {
    expect(findings([glob('/g00??sub')])).toHaveLength(1)
    expect(findings([glob('/h*')], { existing: ['ENG /h/gone member'] })).toHaveLength(1)
  })
  test('** means the same as *', () => {
    for (const source of ['/g00**', '/g00*'])
      expect([...desiredIn(seenOf({ rules: [glob(source)], directories: { corp: paths } })).mappings.keys()]).toHaveLength(4)
  })
})

test('a ? in the cure does not match a slash, and quotes are doubled as YAML asks', () => {
  const [finding] = findings([glob("/i?s'*")], { directories: { corp: ["/its'a", "/its'a/b"] } })
  expect(finding?.cure).toContain("write groupRegex: '/i[^/]s''[^/]*'")
})

test('the regular expression in the cure matches the groups of the same level, whatever the glob has in it', () => {
  const [finding] = findings([glob("/it's a.b+c (d)$^|\\*")], {
    directories: { corp: ["/it's a.b+c (d)$^|\\x", "/it's a.b+c (d)$^|\\x/y"] },
  })
  const source = (parse(/groupRegex: .*$/.exec(finding?.cure ?? '')?.[0] ?? '') as { groupRegex: string }).groupRegex
  const made = compileRegex(source)
  if ('fault' in made) throw new Error(made.fault)
  expect(
    ["/it's a.b+c (d)$^|\\x", "/it's a.b+c (d)$^|\\x/y", "/it's aXb+c (d)$^|\\x"].map((name) => made.matches(name) !== undefined),
  ).toEqual([true, false, false])
})
