import { describe, expect, test } from 'vitest'
import { skippedProjectsFinding } from '../../../src/core/findings/planFindings.ts'
import type { ProjectIdentifier } from '../../../src/core/mapping.ts'
import { ruleHash } from '../../../src/core/resolve/textName.ts'
import type { Rule, TargetSelector } from '../../../src/core/rule.ts'
import { desiredIn, failed, hash, lines, partial, pattern, planOf, projectsOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const app: TargetSelector = {
  kind: 'captured',
  capture: 'app',
  map: new Map([['pay', ['PAY', 'PAYX'] as readonly string[] as readonly ProjectIdentifier[]]]),
}
const scheme = (more: Partial<Rule> = {}) =>
  pattern('p-(?<app>[a-z]+)', 'ENG', 'member', {
    target: app,
    unknownProjects: 'skip',
    because: { at: { file: 'g', line: 7, column: 3 } },
    ...more,
  })
const usual: SmallWorld = { rules: [scheme()], directories: { corp: ['p-web', 'p-shop'] }, projects: ['WEB'], policy: 'exclusive' }
const planned = (world: SmallWorld = {}) => lines(planOf({ ...usual, ...world }))
const skipped = (world: SmallWorld = {}) =>
  desiredIn(seenOf({ ...usual, ...world })).skipped.map(({ projects, mappings }) => `${projects.join(' ')}: ${mappings}`)
const text = ruleHash(scheme(), hash)

describe('a project that was never known', () => {
  test.each<[string, SmallWorld, readonly string[], readonly string[]]>([
    ['is neither held nor created, and counted', {}, ['create WEB p-web = member'], ['SHOP: 1']],
    [
      'of a list in the map is left out alone',
      { directories: { corp: ['p-pay'] }, projects: ['PAYX'] },
      ['create PAYX p-pay = member'],
      ['PAY: 1'],
    ],
    [
      'is held if the memory knows it for a text that is still declared',
      { known: { SHOP: { 'id-SHOP': [text] } }, projects: ['WEB'] },
      ['create WEB p-web = member', 'hold acme/project/SHOP/p-shop: projectChanged'],
      [],
    ],
    [
      'is held if the memory knows it for another text that is still declared',
      {
        rules: [scheme(), rule('devs', 'SHOP', 'guest', { unknownGroups: 'send', because: { at: { file: 'g', line: 8, column: 3 } } })],
        known: {
          SHOP: { 'id-SHOP': [ruleHash(rule('devs', 'SHOP', 'guest', { because: { at: { file: 'g', line: 8, column: 3 } } }), hash)] },
        },
      },
      ['create WEB p-web = member', 'hold acme/project/SHOP/devs: projectChanged', 'hold acme/project/SHOP/p-shop: projectUnknown'],
      [],
    ],
    [
      'is left out if the text that knew it is gone',
      { known: { SHOP: { 'id-SHOP': ['other'] } } },
      ['create WEB p-web = member'],
      ['SHOP: 1'],
    ],
    [
      'is held if a mapping names it, although that is no proof',
      {
        rules: [scheme(), rule('devs', 'SHOP', 'guest', { unknownProjects: 'send' })],
        directories: { corp: ['p-shop', 'devs'] },
        existing: ['SHOP devs guest'],
      },
      ['hold acme/project/SHOP/p-shop: projectUnknown'],
      [],
    ],
    ['exists if a mapping shows it', { existing: ['SHOP p-shop member'], directories: { corp: ['p-shop'] } }, [], []],
    [
      'is held while the list is incomplete',
      { projects: partial(projectsOf('WEB')) },
      ['create WEB p-web = member', 'hold acme/project/SHOP/p-shop: readingIncomplete'],
      [],
    ],
    [
      'is held if there is no list',
      { projects: failed },
      ['hold acme/project/SHOP/p-shop: readingIncomplete', 'hold acme/project/WEB/p-web: readingIncomplete'],
      [],
    ],
    [
      'is held if an exact rule names it',
      { rules: [scheme(), rule('p-shop', 'SHOP', 'guest')] },
      ['create WEB p-web = member', 'hold acme/project/SHOP/p-shop: projectUnknown'],
      ['SHOP: 1'],
    ],
    [
      'is no reason to delete a mapping of the group elsewhere: the project may have been renamed',
      { existing: ['WEB p-shop member', 'WEB p-web member'] },
      ['hold acme/project/WEB/p-shop: perhapsRenamed'],
      ['SHOP: 1'],
    ],
    ['is not counted for a rule that starts later', { rules: [scheme({ startsMs: 5 })] }, [], []],
    [
      'is not counted for a group that no directory has',
      { existing: ['WEB p-old guest'], directories: { corp: ['p-web'] } },
      ['create WEB p-web = member', 'hold acme/project/WEB/p-old: perhapsRenamed'],
      [],
    ],
  ])('%s', (_what, world, expected, counted) => {
    expect(planned(world)).toEqual(expected)
    expect(skipped(world)).toEqual(counted)
  })

  test('wants nothing for a rule that has ended, or for a pattern whose directory was not read', () => {
    const keys = (world: SmallWorld) => [...desiredIn(seenOf({ ...usual, ...world })).mappings.keys()]
    const ended = { rules: [rule('devs', 'SHOP', 'guest', { unknownProjects: 'skip', expiresMs: 0 })] }
    expect(keys(ended)).toEqual([])
    expect(skipped(ended)).toEqual([])
    expect(keys({ directories: { corp: failed }, existing: ['workspace p-shop guest'] })).toEqual([])
  })

  test('is counted also for a group that no directory has, if a rule names the group', () => {
    expect(skipped({ rules: [rule('none', 'SHOP', 'guest', { unknownProjects: 'skip' })] })).toEqual(['SHOP: 1'])
  })

  test('is counted for each rule, in the order of the file', () => {
    const at = (line: number) => ({ because: { at: { file: 'g', line, column: 3 } } })
    const rules = [9, 7].map((line) => rule(`p-${line}`, `P${line}`, 'guest', { unknownProjects: 'skip', ...at(line) }))
    expect(skipped({ rules })).toEqual(['P7: 1', 'P9: 1'])
  })

  test('is known if the plan that is carried out was approved with it', () => {
    const knownProjects = new Set(['SHOP' as ProjectIdentifier])
    const desired = desiredIn({ ...seenOf(usual), knownProjects })
    expect(desired.skipped).toEqual([])
    expect([...desired.mappings.values()]).toMatchObject([
      { group: 'p-web', kind: 'role' },
      { group: 'p-shop', kind: 'role' },
    ])
  })

  test('is no question for the workspace', () => {
    expect(planned({ rules: [rule('p-web', 'workspace', 'member', { unknownProjects: 'skip' })] })).toEqual([
      'create workspace p-web = member',
    ])
  })

  test('with an ambiguous group, an unmapped role or an unsafe name is not held either', () => {
    const role: Rule['role'] = { kind: 'captured', capture: 'app', map: new Map() }
    expect(planned({ directories: { corp: ['p-shop@a', 'p-shop@b'] } })).toEqual([])
    expect(planned({ rules: [scheme({ role })], directories: { corp: ['p-shop'] } })).toEqual([])
  })
})

test('the finding counts mappings and projects, and names ten', () => {
  const projects = Array.from({ length: 12 }, (_, n) => `P${n}` as ProjectIdentifier)
  const finding = skippedProjectsFinding({ because: { at: { file: 'g', line: 7, column: 3 } }, projects, mappings: 30 })
  expect(finding).toMatchObject({ code: 'projects-skipped', severity: 'info', place: 'g:7:3' })
  expect(finding.cure).toBe(
    'if one of these projects exists, add the owner of the credential to it, or write its identifier in the map of the rule',
  )
  expect(finding.sentence).toBe(
    'unknownProjects: skip leaves out 30 mappings in 12 projects that Plane has never shown: P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more',
  )
})
