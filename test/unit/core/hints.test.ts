import { describe, expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { GroupName, ProjectIdentifier, WorkspaceName } from '../../../src/core/mapping.ts'
import { differenceOf } from '../../../src/core/nearest.ts'
import { type FrozenFile, nothingDeclared, type Rule, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { explainHold } from '../../../src/render/hold.ts'
import { declaredBy, planOfFiles } from './fencedFiles.ts'
import { pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const by = (file: string, owner?: string): Partial<Rule> => ({
  because: { at: { file, line: 6, column: 5 }, ...(owner === undefined ? {} : { owner }) },
})
const mine = (name: string, where = 'ENG') => rule(name, where, 'guest', by('mine.yaml', 'me'))
const cureOf = (holds: readonly Hold[]) =>
  holds.flatMap((hold) => (hold.because?.at.file === 'mine.yaml' ? [explainHold(hold, { doors: 'any' }).cure] : []))
const cured = (world: SmallWorld) => cureOf(planOf(world).holds)

describe('a group with a similar name', () => {
  test.each([
    ['devs', 'Devs', 'did you mean Devs? (differs only in letter case)'],
    ['web-devs', 'web_devs', 'did you mean web_devs? (differs only in a hyphen, a dot or an underscore)'],
    ['web devs', 'webdevs', 'did you mean webdevs? (differs only in a blank)'],
    ['dеvs', 'devs', 'did you mean devs? (differs only in a letter of another script that looks the same)'],
    ['Web-Devs', 'webdevs', 'did you mean webdevs? (differs only in letter case and a hyphen, a dot or an underscore)'],
    ['devz', 'devs', 'did you mean devs?'],
  ])('for %s, %s: %s', (name, known, expected) => {
    expect(cured({ rules: [mine(name)], directories: { corp: [known] } })).toEqual([expected])
  })

  test.each([
    ['dévs', 'de\u0301vs', 'differs only in the form of Unicode', 'not Unicode NFC'],
    ['devs', 'devs\u200b', '"devs\\u{200b}" cannot be written here', 'U+200B'],
    ['devs', 'devs ', '"devs " differs only in a blank, and cannot be written here', 'ends with a blank'],
    ['d'.repeat(255), 'd'.repeat(256), 'cannot be written here', '256 characters'],
  ])('for which no mapping can be written is not offered: %s, %j', (name, known, ...parts) => {
    const world = { rules: [mine(name)], directories: { corp: [] as string[] } }
    const index = new Map([[known as GroupName, [{ name: known as GroupName, id: 'g', place: 'cn=g' }]]])
    const [cure = ''] = cured({ ...world, directories: { corp: { status: 'complete', value: index, atMs: 0, tookMs: 0 } } })
    expect(cure).not.toContain('did you mean')
    for (const part of parts) expect(cure).toContain(part)
  })

  const corp = { corp: ['Devs'] }
  const used = 'did you mean Devs? (differs only in letter case, and another entry has it: theirs.yaml:6 of team-b)'
  test.each<[string, SmallWorld, string]>([
    ['an exact rule', { rules: [rule('Devs', 'OPS', 'guest', by('theirs.yaml', 'team-b'))] }, used],
    ['a pattern', { rules: [pattern('De.*', 'OPS', 'guest', by('theirs.yaml', 'team-b'))] }, used],
    ['"previously"', { rules: [rule('x', 'OPS', 'guest', { previously: 'Devs' as GroupName, ...by('theirs.yaml', 'team-b') })] }, used],
    [
      'an unmanaged entry',
      {
        unmanaged: [{ ...rule('Devs', 'OPS', '', by('theirs.yaml', 'team-b')), target: { kind: 'workspace' } }],
      },
      used,
    ],
    [
      'one rule of mine and one of another owner',
      { rules: [rule('Devs', 'OPS', 'guest', by('a.yaml', 'me')), rule('Devs', 'OPS', 'guest', by('theirs.yaml', 'team-b'))] },
      used,
    ],
    ['a removal', { removed: ['OPS Devs'] }, 'did you mean Devs? (differs only in letter case, and another entry has it: groups.yaml:99)'],
    [
      'a rule for the same target',
      { rules: [rule('Devs', 'ENG', 'member', by('theirs.yaml', 'team-b'))] },
      '"Devs" differs only in letter case, and has an entry for this target already, theirs.yaml:6 of team-b; if both mean the same, remove this one',
    ],
    [
      'an unmanaged entry for the same target',
      { unmanaged: [{ groups: { kind: 'exact', name: 'Devs' as GroupName }, because: { at: { file: 'u.yaml', line: 1, column: 1 } } }] },
      '"Devs" differs only in letter case, and has an entry for this target already, u.yaml:1; if both mean the same, remove this one',
    ],
  ])('that %s has is named with it', (_, { rules = [], ...world }, expected) => {
    expect(cured({ rules: [mine('devs'), ...rules], directories: corp, ...world })).toEqual([expected])
  })

  test.each<[string, Partial<WorkspaceDeclaration>]>([
    ['an exact rule', { rules: [rule('Devs', 'OPS', 'guest', by('theirs.yaml', 'team-b'))] }],
    ['"previously"', { rules: [rule('x', 'OPS', 'guest', { previously: 'Devs' as GroupName, ...by('theirs.yaml', 'team-b') })] }],
    [
      'a removal',
      { removed: [{ group: 'Devs' as GroupName, target: { kind: 'workspace' }, because: by('theirs.yaml', 'team-b').because! }] },
    ],
    [
      'an unmanaged entry',
      { unmanaged: [{ groups: { kind: 'exact', name: 'Devs' as GroupName }, because: by('theirs.yaml', 'team-b').because! }] },
    ],
  ])('that %s of another workspace has is named with it', (_, other) => {
    const others = [{ ...nothingDeclared('beta' as WorkspaceName), ...other }]
    expect(cured({ rules: [mine('devs')], directories: corp, others })).toEqual([used])
  })

  test('that is the former name of the same rule is not offered', () => {
    const renamed = { ...mine('devs'), previously: 'Devs' as GroupName }
    expect(cured({ rules: [renamed], directories: corp })[0]).toContain('is the former name, which this rule has in "previously"')
  })

  test('that is outside the fence of the file is not offered', () => {
    const held = (group: string, known: string) => {
      const { holds } = planOfFiles({ pay: `projectRoles: [{ group: ${group}, project: PAY, role: guest }]` }, [], {
        directories: { corp: [known] },
      })
      return holds.map((hold) => explainHold(hold, { doors: 'any' }).cure)
    }
    expect(held('pay-devz', 'pay-devs')).toEqual(['did you mean pay-devs?'])
    expect(held('pay-devs', 'Pay-devs')).toEqual(['"Pay-devs" differs only in letter case, and is outside of the fence of this file'])
  })

  test('that is inside the fence of another team, whose file is invalid, is named with this file', () => {
    const files = { pay: 'projectRoles: [{ group: pay-devz, project: PAY, role: guest }]' }
    const [own] = declaredBy(files).ownsKeys ?? []
    const theirs: FrozenFile = {
      because: by('web/a.yaml', 'team-web').because!,
      why: 'the role is missing',
      paths: ['web/a.yaml'],
      names: [],
      isWhole: false,
      rights: 'fenced',
      fence: [{ ...own!, projects: { named: new Set(['WEB' as ProjectIdentifier]) } }],
    }
    const cures = planOfFiles(files, [], { directories: { corp: ['pay-devs'] } }, { frozen: [theirs] }).holds.flatMap(
      (hold) => explainHold(hold, { doors: 'any' }).cure ?? [],
    )
    expect(cures.join(' ')).toContain('did you mean pay-devs? (an invalid file may have it: web/a.yaml:6 of team-web)')
  })

  test('and this label is named with the rule that has it', () => {
    const labelled = new Map([['9ab2' as GroupName, [{ name: '9ab2' as GroupName, id: 'g', place: 'cn=g', label: 'Sales' }]]])
    const directories = { entra: { status: 'complete', value: labelled, atMs: 0, tookMs: 0 } } as const
    const theirs = rule('9ab2', 'OPS', 'guest', by('theirs.yaml', 'team-b'))
    expect(cured({ rules: [mine('Sales'), theirs], directories })).toEqual([
      'did you mean 9ab2, which is called Sales? (another entry has it: theirs.yaml:6 of team-b)',
    ])
    expect(cured({ rules: [{ ...mine('3f1c'), label: 'Sales' }, theirs], directories })[0]).toContain(
      '"Sales" now: 9ab2 (another entry has it: theirs.yaml:6 of team-b); if it is the group that is meant',
    )
  })
})

describe('a project with a similar identifier', () => {
  const corp = { corp: ['devs', 'ops'] }
  test.each<[string, readonly Rule[], string]>([
    ['nobody', [], 'did you mean EN?'],
    ['only its own owner', [rule('ops', 'EN', 'guest', by('a.yaml', 'me'))], 'did you mean EN?'],
    ['another owner', [rule('ops', 'EN', 'guest', by('b.yaml', 'team-b'))], 'did you mean EN? (another entry has it: b.yaml:6 of team-b)'],
    [
      'a rule for the same group',
      [rule('devs', 'EN', 'member', by('b.yaml', 'team-b'))],
      '"EN" has an entry for this target already, b.yaml:6 of team-b; if both mean the same, remove this one',
    ],
  ])('that %s has', (_, rules, expected) => {
    expect(cured({ rules: [mine('devs'), ...rules], directories: corp, projects: ['EN'] })).toEqual([expected])
  })
})

test.each([
  ['a', 'b', undefined],
  ['a\u00a0b', 'a b', 'the form of Unicode (one of them has letters that are composed of parts)'],
  ['ΑΒΓ', 'ABΓ', 'a letter of another script that looks the same'],
])('%j and %j differ in %s', (a, b, expected) => expect(differenceOf(a, b)).toBe(expected))
