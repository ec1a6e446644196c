import { describe, expect, test } from 'vitest'
import { declarationFindings, invalidFileFindings, unmatchedFinding } from '../../../src/core/findings/notices.ts'
import { renamedGroups } from '../../../src/core/findings/renamedGroups.ts'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import type { GroupIds } from '../../../src/core/memory/entry.ts'
import type { MeantIds } from '../../../src/core/memory/meantIds.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { lastGroupIds } from '../../../src/core/resolve/lastGroupIds.ts'
import type { FencedKeys, FrozenFile, Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { acme, complete, failed, partial, pattern, rule } from './smallWorld.ts'

const declared = (...rules: readonly Rule[]): WorkspaceDeclaration => ({
  workspace: acme,
  owns: new Set(),
  rules,
  removed: [],
  unmanaged: [],
})
const knows = (groups: Readonly<Record<string, string>>) =>
  indexGroups(Object.entries(groups).map(([name, id]) => ({ name: name as GroupName, id, place: name })))
type Directories = ReadonlyMap<string, Reading<GroupIndex>>
const noticesFrom = (of: WorkspaceDeclaration, directories: Directories, before: (name: string) => string | undefined, meant?: MeantIds) =>
  declarationFindings(of, directories, renamedGroups(of, directories, before), before, meant)
const noticesOf = (of: WorkspaceDeclaration, directories: Directories, before: GroupIds) =>
  noticesFrom(of, directories, (name) => before[name])
const devs = rule('devs', 'ENG', 'member')

describe('a group that was renamed in its directory', () => {
  const before = { 'corp/devs': 'id-1' }
  test('is told with the edit to make, as long as the rule has the old name', () => {
    const [found] = noticesOf(declared(devs), new Map([['corp', complete(knows({ developers: 'id-1' }))]]), before)
    expect(found).toMatchObject({
      code: 'group-renamed',
      sentence: 'group devs of corp is called developers now',
      cure: 'write in a rule with this group alone: group: developers, previously: devs',
    })
  })
  test('is told without an edit that the file could not have, or with the rule that has the name', () => {
    const cureOf = (now: string, ...more: readonly Rule[]) =>
      noticesOf(declared(devs, ...more), new Map([['corp', complete(knows({ [now]: 'id-1' }))]]), before)[0]?.cure
    expect(cureOf('dev\u200b')).toMatch(/^"dev\\u\{200b\}" cannot be written here/)
    expect(cureOf('Devs')).toBe('write in a rule with this group alone: group: Devs, previously: devs (differs only in letter case)')
    const theirs = rule('ops', 'OPS', 'guest', { because: { at: { file: 'b.yaml', line: 7, column: 1 }, owner: 'team-b' } })
    expect(cureOf('ops', theirs)).toBe(
      'write in a rule with this group alone: group: ops, previously: devs (another entry has it: b.yaml:7 of team-b)',
    )
  })
  test('of a file inside a fence is offered if it is inside, too; whether the fence allows "previously" is left open', () => {
    const because = { at: { file: 'web.yaml', line: 3, column: 1 } }
    const exact = (name: string) => ({ kind: 'exact', name: name as GroupName }) as const
    const keys: FencedKeys = {
      ...{ list: 'projectRoles', groups: ['devs', 'developers'].map(exact), allProjects: false, because },
      projects: { named: new Set(['ENG' as ProjectIdentifier]) },
    }
    const cureOf = (now: string) => {
      const of = { ...declared({ ...devs, because, fenced: true }), ownsKeys: [keys] }
      return noticesOf(of, new Map([['corp', complete(knows({ [now]: 'id-1' }))]]), before)[0]?.cure
    }
    expect(cureOf('developers')).toBe(
      'write in a rule with this group alone: group: developers, previously: devs, if the fence allows "previously"',
    )
    expect(cureOf('engineers')).toBe(
      '"engineers" is outside of the fence of this file; in the settings, let the fence of this file have the new name, then rename it in the file. This holds for each renamed group outside of its fence',
    )
    const placed = (line: number) => ({ because: { at: { file: 'web.yaml', line, column: 1 } }, fenced: true as const })
    const two = [rule('devs', 'ENG', 'guest', placed(3)), rule('ops', 'ENG', 'guest', placed(4))]
    const ids = { 'corp/devs': 'id-1', 'corp/ops': 'id-2' }
    const now = new Map([['corp', complete(knows({ engineers: 'id-1', workers: 'id-2', a: '3', b: '4', c: '5' }))]])
    const cures = noticesOf(declared(...two), now, ids).map(({ cure = '' }) => cure.includes('in the settings'))
    expect(cures).toEqual([true, false])
  })
  test.each([
    ['still there', complete(knows({ devs: 'id-1', developers: 'id-2' })), before],
    ['gone', complete(knows({ developers: 'id-2' })), before],
    ['never seen', complete(knows({ developers: 'id-1' })), {}],
    ['in half a reading', partial(knows({ developers: 'id-1' })), before],
    ['in no reading', failed, before],
  ])('not one that is %s', (_name, reading, ids) => expect(noticesOf(declared(devs), new Map([['corp', reading]]), ids)).toEqual([]))
})

describe('many groups that were renamed in one directory, as with their parent', () => {
  const placed = (name: string, line: number, more: Partial<Rule> = {}) =>
    rule(name, 'ENG', 'member', { because: { at: { file: 'a.yaml', line, column: 9 } }, ...more })
  const teams = ['web', 'api', 'ops', 'data']
  const same = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, `id-${name}`]))
  /** All teams but the last ones are below a parent with another name now. */
  const told = (renamed: number, rules: readonly Rule[], more: Partial<WorkspaceDeclaration> = {}) => {
    const now = Object.fromEntries(teams.map((team, n) => [`/${n < renamed ? 'engineering' : 'eng'}/${team}`, `id-${team}`]))
    const before = Object.fromEntries([
      ...teams.map((team) => [`corp//eng/${team}`, `id-${team}`]),
      ...Object.keys(same).map((name) => [`corp/${name}`, `id-${name}`]),
    ])
    const all = [...rules, ...Object.keys(same).map((name, n) => placed(name, 50 + n))]
    return noticesOf({ ...declared(...all), ...more }, new Map([['corp', complete(knows({ ...now, ...same }))]]), before)
  }
  const rules = teams.map((team, n) => placed(`/eng/${team}`, n + 1))

  test('are one finding, whose cure is the command that prints their rules', () => {
    expect(told(4, rules)).toEqual([
      {
        code: 'group-renamed',
        severity: 'warning',
        place: 'corp',
        sentence:
          'the groups of 4 rules have other names in corp now: /eng/web is /engineering/web, /eng/api is /engineering/api, /eng/ops is /engineering/ops and 1 more',
        cure: 'put what export --workspace acme --renamed prints in the place of these rules',
      },
    ])
  })
  test('up to three are told at their places', () => {
    expect(told(3, rules).map(({ place }) => place)).toEqual(['a.yaml:1:9', 'a.yaml:2:9', 'a.yaml:3:9'])
  })
  test('name a group of several rules once, and one entry for several projects is one rule', () => {
    const twice = [1, 2, 3, 4].map((line) => placed('/eng/web', line))
    const [found, ...others] = told(1, [...twice, rule('/eng/web', 'OPS', 'member', { because: (twice[0] as Rule).because })])
    expect(others).toEqual([])
    expect(found?.sentence).toBe('the groups of 4 rules have other names in corp now: /eng/web is /engineering/web')
  })
  test('say how many new names are outside of the fence of their file', () => {
    const because = { at: { file: 'a.yaml', line: 1, column: 1 } }
    const keys: FencedKeys = {
      ...{ list: 'projectRoles', groups: [], allProjects: false, because },
      projects: { named: new Set(['ENG' as ProjectIdentifier]) },
    }
    const fenced = rules.map((of, n) => (n === 0 ? of : { ...of, fenced: true as const }))
    expect(told(4, fenced, { ownsKeys: [keys] })[0]?.cure).toBe(
      'put what export --workspace acme --renamed prints in the place of these rules; before that, let the fences in the settings have the new names that are outside of them (3)',
    )
  })
})

describe('names in another form', () => {
  const told = (names: Readonly<Record<string, string>>, meant?: MeantIds) => {
    const pairs = Object.entries(names)
    const rules = pairs.map(([name]) => rule(name, 'ENG', 'member'))
    const now = knows(Object.fromEntries(pairs.map(([, name], n) => [name, `id-${n}`])))
    const before = Object.fromEntries(pairs.map(([name], n) => [`corp/${name}`, `id-${n}`]))
    return noticesFrom(declared(...rules), new Map([['corp', complete(now)]]), (name) => before[name], meant)
  }
  test.each([
    [
      'paths of Keycloak become names',
      { '/eng/web': 'web', '/eng/api': 'api', '/ops': 'ops' },
      ', names in the place of paths: "/eng/web" is "web" now',
    ],
    ['names become paths', { web: '/eng/web', api: '/eng/api', ops: '/ops' }, ', paths in the place of names'],
    [
      'cn of LDAP becomes the DN',
      { web: 'cn=web,ou=g', 'a, b': String.raw`cn=a\, b,ou=g`, ops: 'CN=ops,ou=g' },
      ', DNs in the place of names',
    ],
    [
      'a name with a comma becomes a DN that begins with a longer attribute',
      { 'a, b': String.raw`uid=a\, b,ou=g`, 'c, d': String.raw`uid=c\, d,ou=g`, ops: 'uid=ops,ou=g' },
      ', DNs in the place of names',
    ],
    [
      'a DN comes after other text',
      { web: '1 cn=web,ou=g', api: '2 cn=api,ou=g', ops: '3 cn=ops,ou=g' },
      ' come in another form: "web" is "1 cn=web,ou=g" now',
    ],
    ['each in another way', { web: 'web-1', Api: 'api', ops: '2-ops' }, ' come in another form: "web" is "web-1" now'],
    ['the DN becomes cn', { 'cn=web,ou=g': 'web', 'cn=api,ou=h': 'api', 'cn=ops,ou=g': 'ops' }, ', names in the place of DNs'],
    ['displayName of SCIM becomes externalId', { Web: '8a01', Api: '7b22', Ops: '9c90' }, ' come in another form: "Web" is "8a01" now'],
    ['letter case changes', { Web: 'web', API: 'api', Ops: 'ops' }, ', in another letter case'],
    ['Unicode changes', { é1x: 'e\u0301'.concat('1x'), éa: 'e\u0301a', éb: 'e\u0301b' }, ', in another form of Unicode'],
    ['a domain comes before', { web: 'CORP\\web', api: 'CORP\\api', ops: 'CORP\\ops' }, ', with "CORP\\" before them'],
    ['a domain comes after', { web: 'web@corp', api: 'api@corp', ops: 'ops@corp' }, ', with "@corp" after them'],
    ['a prefix goes', { 'eng-web': 'web', 'eng-api': 'api', 'eng-ops': 'ops' }, ', without "eng-" before them'],
    ['a suffix goes', { 'web-g': 'web', 'api-g': 'api', 'ops-g': 'ops' }, ', without "-g" after them'],
  ])('are one finding, and no rule is to be edited: %s', (_, names, part) => {
    const [form, ...others] = told({ ...names, same: 'same' })
    expect(others).toEqual([])
    expect(form).toMatchObject({ code: 'names-in-another-form', severity: 'warning', place: 'corp' })
    expect(form?.sentence).toContain('3 of 4 known groups of corp')
    expect(form?.sentence).toContain(part)
    expect(form?.cure).toMatch(
      /^if logins still send the former names, set groups.name of corp, .*, back; if they send the new ones, see docs\/renames.md/,
    )
    expect(form?.cure).not.toMatch(/previously|removed|rename(?!s\.md)/)
  })
  test.each([
    ['two', { web: 'x', api: 'y' }],
    ['half of them', { web: 'x', api: 'y', ops: 'z', a: 'a', b: 'b', c: 'c' }],
  ])('are renames if %s changed', (_, names) => {
    const codes = told(names).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['group-renamed']))
  })
  test('of which no form has more than half are told without a form', () => {
    const [found] = told({ a: 'a-x', b: 'b-x', C: 'c', D: 'd' })
    expect(found?.sentence).toContain('of 4 known groups of corp come in another form: "a" is "a-x" now')
  })
  test('are those of groups that take over names of each other, and a group that is gone does not count', () => {
    const [found] = told({ a: 'b', b: 'c', c: 'a' })
    expect(found?.sentence).toContain('3 of 3 known groups')
    const before = { 'corp/a': 'id-1', 'corp/b': 'id-2', 'corp/c': 'id-3', 'corp/gone': 'id-4' }
    const rules = ['a', 'b', 'c', 'gone'].map((name) => rule(name, 'ENG', 'member'))
    const seen = new Map([['corp', complete(knows({ A: 'id-1', B: 'id-2', C: 'id-3' }))]])
    expect(noticesOf(declared(...rules), seen, before)[0]?.sentence).toContain('3 of 3 known groups')
  })
  test('are not those of half of the groups, of which one still has its name among several', () => {
    const one = (name: string, id: string) => ({ name: name as GroupName, id, place: name })
    const several = { ...one('e', 'id-5'), names: ['e', 'other'] }
    const index = indexGroups([
      one('A', 'id-1'),
      one('B', 'id-2'),
      one('C', 'id-3'),
      one('d', 'id-4'),
      several,
      one('e', 'id-7'),
      one('f', 'id-6'),
    ])
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const before = Object.fromEntries(names.map((name, n) => [`corp/${name}`, `id-${n + 1}`]))
    const found = noticesOf(declared(...names.map((name) => rule(name, 'ENG', 'member'))), new Map([['corp', complete(index)]]), before)
    expect(found.map(({ code }) => code)).toEqual(['group-renamed', 'group-renamed', 'group-renamed'])
  })
  test('are told of the groups of patterns, too', () => {
    const meant = {
      'corp/eng-web': { 'id-1': ['t'] },
      'corp/eng-api': { 'id-2': ['t'] },
      'corp/eng-ops': { 'id-3': ['t'] },
      'lab/x': { 'id-4': ['t'] },
    }
    const now = knows({ 'ENG-WEB': 'id-1', 'ENG-API': 'id-2', 'ENG-OPS': 'id-3', x: 'id-4' })
    const seen = new Map([['corp', complete(now)]])
    expect(noticesFrom(declared(pattern('eng-.*', 'ENG', 'member')), seen, () => undefined, meant)).toMatchObject([
      { code: 'names-in-another-form', sentence: expect.stringContaining('3 of 3 known groups') as string },
    ])
  })
  test('of one directory say nothing of another', () => {
    const old = { 'corp/a1': '1', 'corp/b1': '2', 'corp/c1': '3', 'lab/devs': '9' }
    const rules = ['a1', 'b1', 'c1'].map((name) => rule(name, 'ENG', 'member', { from: ['corp'] }))
    const lab = rule('devs', 'ENG', 'member', { from: ['lab'] })
    const seen = new Map([
      ['corp', complete(knows({ A1: '1', B1: '2', C1: '3' }))],
      ['lab', complete(knows({ developers: '9' }))],
    ])
    expect(noticesOf(declared(...rules, lab), seen, old).map(({ code }) => code)).toEqual(['names-in-another-form', 'group-renamed'])
  })
})

describe('a group that was renamed in one of two directories', () => {
  const before = { 'corp/devs': 'id-1', 'other/devs': 'id-9' }
  const seen = new Map([
    ['corp', complete(knows({ developers: 'id-1' }))],
    ['other', complete(knows({ devs: 'id-9' }))],
  ])
  const told = (...rules: readonly Rule[]) => noticesOf(declared(...rules), seen, before).map(({ sentence }) => sentence)
  test('is still known by its name in the other', () => expect(told(devs)).toEqual([]))
  test('is told where the rule asks only the one', () => {
    expect(told(rule('devs', 'ENG', 'member', { from: ['corp'] }))).toEqual(['group devs of corp is called developers now'])
    expect(told(rule('devs', 'ENG', 'member', { from: ['other'] }))).toEqual([])
  })
  test('is told with where the rule is, as a warning', () => {
    const { at } = devs.because
    const [found] = noticesOf(declared(devs), new Map([...seen].slice(0, 1)), before)
    expect(found).toMatchObject({ severity: 'warning', place: `groups.yaml:${at.line}:${at.column}` })
  })
  test('is not what a pattern is about, whatever a group is called', () => {
    const ids = { 'corp/undefined': 'id-1' }
    expect(noticesOf(declared(pattern('x-.*', 'ENG', 'member')), new Map([...seen].slice(0, 1)), ids)).toEqual([])
  })
  test('is told once, though several rules name it', () => {
    const twice = { ...devs, role: { kind: 'fixed', role: 'guest' } } as Rule
    expect(noticesOf(declared(devs, twice), new Map([...seen].slice(0, 1)), before)).toHaveLength(1)
  })
})

test('without any directory that is said once', () => {
  const found = noticesOf(declared(devs, rule('ops', 'ENG', 'member')), new Map(), {})
  expect(found).toMatchObject([{ code: 'no-directories', place: `groups.yaml:${devs.because.at.line}:5` }])
  expect(noticesOf(declared(), new Map(), {})).toEqual([])
})

test('what is told of a rule does not depend on the order of rules and directories', () => {
  const two = [devs, rule('ops', 'ENG', 'member')]
  expect(noticesOf(declared(...two.toReversed()), new Map(), {})).toEqual(noticesOf(declared(...two), new Map(), {}))
  const directories = (['corp', 'lab'] as const).map((name) => [name, complete(knows({ [`${name}-devs`]: 'id-1' }))] as const)
  const before = { 'corp/devs': 'id-1', 'lab/devs': 'id-1' }
  expect(noticesOf(declared(devs), new Map(directories.toReversed()), before)).toEqual(
    noticesOf(declared(devs), new Map(directories), before),
  )
})

test('ids are kept of unambiguous groups that exact rules name, from complete readings', () => {
  const directories = new Map([
    ['corp', complete(knows({ devs: 'id-1', 'eng-a': 'id-2' }))],
    ['other', partial(knows({ devs: 'id-3' }))],
    ['twice', complete(indexGroups(['x', 'y'].map((id) => ({ name: 'devs' as GroupName, id, place: id }))))],
  ])
  expect(lastGroupIds(declared(devs, pattern('eng-.*', 'ENG', 'member'), rule('none', 'ENG', 'guest')), directories)).toStrictEqual({
    'corp/devs': 'id-1',
  })
  expect(lastGroupIds(declared(rule('devs', 'ENG', 'member', { from: ['other'] })), directories)).toStrictEqual({})
})

describe('a directory that could not be read whole', () => {
  const teams = pattern('team-*', 'ENG', 'member')
  test.each([
    ['failed', failed],
    ['partial', partial(knows({ 'team-a': 'id-1' }))],
  ])('%s: is said where a pattern asks it, since nothing is held for a name that nobody saw', (_name, reading) => {
    const found = noticesOf(declared(teams, devs), new Map([['corp', reading]]), {})
    expect(found).toMatchObject([{ code: 'reading-incomplete', place: 'corp' }])
  })

  test('not where only exact rules ask it, which are held', () => {
    expect(noticesOf(declared(devs), new Map([['corp', failed]]), {})).toEqual([])
  })
})

test('each note of a reading that was answered is a finding at its directory', () => {
  const notes = (['group-name-unusable', 'members-unreadable'] as const).map(
    (code) => ({ code, severity: 'info', sentence: code, cure: 'c' }) as const,
  )
  const answer = { value: knows({ devs: 'id-1' }), atMs: 0, tookMs: 0 }
  const directories = new Map<string, Reading<GroupIndex>>([
    ['corp', { ...answer, status: 'complete', notes }],
    ['home', complete(knows({ devs: 'id-2' }))],
    ['lab', { ...answer, status: 'partial', missing: 'page 3', notes: notes.slice(1) }],
    ['torn', failed],
  ])
  expect(noticesOf(declared(devs), directories, {})).toEqual([
    { ...notes[0], place: 'corp' },
    { ...notes[1], place: 'corp' },
    { ...notes[1], place: 'lab' },
  ])
})

test('patterns that were not matched are one finding, which names the owners whose patterns they are', () => {
  const because = { at: { file: 'g.yaml', line: 2, column: 5 } }
  const finding = { code: 'reading-incomplete', severity: 'warning', place: 'g.yaml:2:5' }
  expect(unmatchedFinding({ why: 'too many', because })).toMatchObject({ ...finding, sentence: 'no pattern was matched: too many' })
  expect(unmatchedFinding({ why: 'too many', because, owners: new Set(['team-a', 'team-b']) })).toMatchObject({
    ...finding,
    sentence: 'no pattern of team-a, team-b was matched: too many',
  })
})

test('each file that is not used is a finding at its place, which names the owner', () => {
  const at = { file: 'web.yaml', line: 3, column: 1 }
  const file = (owner: string | undefined): FrozenFile => ({
    ...{ because: { at, ...(owner === undefined ? {} : { owner }) }, why: 'no role' },
    ...{ paths: ['web.yaml'], names: [], isWhole: true, rights: 'fenced' },
  })
  const sentence = (of: string) => `no role; nothing of this file${of} is used, and what it names or gave is held`
  const finding = {
    code: 'file-invalid',
    severity: 'error',
    place: 'web.yaml:3:1',
    cure: 'correct the file: plane-group-sync validate shows all its problems',
  }
  expect(invalidFileFindings({ ...declared(), frozen: [file('team-web'), file(undefined)] })).toEqual([
    { ...finding, sentence: sentence(' of team-web') },
    { ...finding, sentence: sentence('') },
  ])
  expect(invalidFileFindings(declared())).toEqual([])
})
