import { describe, expect, test } from 'vitest'
import { bundleParts, factOf, kindsText, namesWithin, rowWords } from '../../../src/render/bundle.ts'
import { changeEntry, holdEntries, type PlanEntry } from '../../../src/render/entry.ts'
import { type Bundle, type Fold, foldByRule } from '../../../src/render/fold.ts'
import { atLeast, between, counted, forPeople, type Numbers, people } from '../bounds.ts'
import { about, at, create, held, patch, remove, settings, unsure, view } from './sample.ts'

const entryOf = (change: Parameters<typeof changeEntry>[0]) => changeEntry(change, about.roles)
const bundleOf = (entries: readonly PlanEntry[]) => foldByRule(entries) as unknown as Bundle

test('names have room, up to the last character', () => {
  const names = (charactersMax: number) => namesWithin(['API', 'PAY', 'WEB'], charactersMax)
  expect([0, 7, 8, 12, 13].map(names)).toEqual(['API …', 'API …', 'API, PAY …', 'API, PAY …', 'API, PAY, WEB'])
  expect(namesWithin([], 10)).toBe('')
})

test('what has no row is counted by kind, but for holds', () => {
  const changes = [create('A', 'x', 'guest'), create('A', 'y', 'guest'), create('A', 'z', 'admin'), remove('A', 'u', 'guest', 'removed')]
  expect(kindsText(changes.map(entryOf))).toBe('2 create, 1 protected, 1 delete')
  expect(kindsText(holdEntries([unsure('A', 'x', { kind: 'clocksDiffer' })], { symbol: '?', style: 'yellow' }, view()))).toBe('')
})

describe('one row for all of these changes', () => {
  const row = (entries: readonly PlanEntry[]) => bundleParts(bundleOf(entries))
  const grantOf = (project: string, group: string, role: string, line: string, owner?: string) =>
    entryOf(create(project, group, role, at(line, owner === undefined ? {} : { owner })))

  test('has the reason that they share', () => {
    const because = (line: string, reason: string) => entryOf(create('ENG', `g${line}`, 'guest', at(`a.yaml:${line}`, { reason })))
    expect(row([because('1', 'audit'), because('2', 'audit')]).reason).toBe('"audit"')
    expect(row([because('1', 'audit'), because('2', 'on-call')]).reason).toBe('')
  })
  test('has the former role that they share, and otherwise none', () => {
    const patches = (before: string) => entryOf(patch('ENG', `g-${before}`, before, 'member', at('a.yaml:1')))
    expect(row([patches('guest'), patches('guest')]).before).toBe('guest')
    expect(row([patches('guest'), patches('commenter')])).not.toHaveProperty('before')
  })
  test('counts the changes of one group that has different roles', () => {
    expect(row([grantOf('A', 'devs', 'guest', 'a.yaml:1'), grantOf('B', 'devs', 'member', 'a.yaml:1')])).toMatchObject({
      who: 'devs',
      role: '→ member, guest',
      where: '2 projects: A, B',
      fact: '2 changes',
    })
  })
  test('counts the changes of two groups, also if each is in a project of its own', () => {
    expect(row([grantOf('A', 'x', 'guest', 'a.yaml:1'), grantOf('B', 'y', 'guest', 'a.yaml:1')])).toMatchObject({
      who: '2 groups: x, y',
      where: '2 projects: A, B',
      fact: '2 changes',
    })
  })
  test('names up to six roles', () => {
    const roles = Array.from({ length: 6 }, (_, n) => grantOf('A', `g${n}`, `r${n}`, 'a.yaml:1'))
    expect(row(roles).role).toBe('→ r0, r1, r2, r3, r4, r5')
  })
  test('leaves out a role that is not known', () => {
    const holds = [
      unsure('A', 'x', { kind: 'patternsUnmatched', why: 'too many' }),
      held(create('A', 'y', 'guest'), { kind: 'suspended', what: 'all' }),
    ]
    expect(row(holdEntries(holds, { symbol: '?', style: 'yellow' }, view()))).toMatchObject({
      short: '2 groups',
      role: '→ guest',
      place: '',
    })
  })
  test('of the settings has no role', () => {
    expect(row([entryOf(settings)])).toMatchObject({ role: '', where: 'settings', fact: '1 change', place: 'platform/acme.yaml:30' })
  })
  test.each<[string, readonly string[], string]>([
    ['one file with two owners', ['t/a.yaml:1 a', 't/a.yaml:2 b'], 't/a.yaml'],
    ['one file with one owner', ['t/a.yaml:1 a', 't/a.yaml:2 a'], 't/a.yaml · a'],
    ['files of one folder', ['t/a.yaml:1', 't/b.yaml:1'], 't/ (2 files)'],
    ['files of no folder', ['a.yaml:1', 'b.yaml:1'], '2 files'],
    ['files of two folders', ['t/a.yaml:1', 'u/b.yaml:1', 'b.yaml:1'], '3 files'],
  ])('has the place of %s', (_what, lines, place) => {
    const grants = lines.map((text, n) => {
      const [line = '', owner] = text.split(' ')
      return grantOf('ENG', `g${n}`, 'guest', line, owner)
    })
    expect(row(grants).place).toBe(place)
  })
  test('counts no file for a mapping that no rule declares', () => {
    const deletes = [remove('ENG', 'r', 'guest', 'removed', at('teams/a.yaml:7')), remove('ENG', 'u', 'guest', 'undeclared')]
    expect(row(deletes.map(entryOf)).place).toBe('teams/a.yaml')
    expect(row([...deletes, remove('ENG', 's', 'guest', 'removed', at('teams/b.yaml:1'))].map(entryOf)).place).toBe('teams/ (2 files)')
  })
})

describe('one row for changes that are alike', () => {
  const row = (...changes: Parameters<typeof changeEntry>[0][]) => bundleParts(bundleOf(changes.map(entryOf)))
  const because = (line: string) => at(line, { owner: 'team-a' })
  test('says the groups, the roles, the targets, the changes, the people and the file', () => {
    const grants = ['v', 'w', 'x'].map((group, n) => create('ENG', group, 'guest', { size: people(3), ...because(`a.yaml:${n}`) }))
    expect(row(...grants)).toMatchObject({
      who: '3 groups: v, w, x',
      short: '3 groups',
      role: '→ guest',
      where: 'ENG',
      fact: '3 changes, 9 people',
      place: 'a.yaml · team-a',
    })
  })
  test('counts people once, says of how many groups the size is unknown, and takes a size from another row of the group', () => {
    const of = (group: string, project: string, n?: number) =>
      create(project, group, 'guest', { ...(n === undefined ? {} : { size: people(n) }), ...at(`a.yaml:${group.charCodeAt(0)}`) })
    expect(row(of('x', 'A', 3), of('x', 'B', 3), of('y', 'A', 4)).fact).toBe('3 changes, 7 people')
    expect(row(of('x', 'A', 3), of('x', 'B'), of('y', 'A')).fact).toBe('3 changes, 3 people and 1 group of unknown size')
    expect(row(of('x', 'A'), of('y', 'A')).fact).toBe('2 changes')
  })
  test('says why mappings are deleted, and when new ones end', () => {
    const deletes = (groups: string, why: 'removed' | 'undeclared') => groups.split('').map((group) => remove('ENG', group, 'guest', why))
    expect(row(...deletes('abcd', 'undeclared')).fact).toBe('4 changes, undeclared')
    expect(row(...deletes('abc', 'removed'), ...deletes('defgh', 'undeclared')).fact).toBe('8 changes, undeclared (5) and removed (3)')
    const until = (day: number) => ({ because: { ...at('a.yaml:1').because, expiresMs: Date.UTC(2027, 0, day) } })
    const grants = (groups: string, day: number) => groups.split('').map((group) => create('ENG', group, 'guest', until(day)))
    expect(row(...grants('abcd', 2)).fact).toBe('4 changes, until 2027-01-01')
    expect(row(...grants('ab', 2), ...grants('cd', 3), ...grants('ef', 4), ...grants('gh', 5), create('ENG', 'z', 'guest')).fact).toBe(
      '9 changes, until 2027-01-01 (2), until 2027-01-02 (2), until 2027-01-03 (2) and 1 more',
    )
  })
  test('does not count the changes of one group, if the number of projects says it', () => {
    const of = (...projects: readonly string[]) =>
      row(...projects.map((project, n) => create(project, 'devs', 'guest', { size: people(3), ...because(`a.yaml:${n}`) })))
    expect(of('A', 'B')).toMatchObject({ who: 'devs', where: '2 projects: A, B', fact: '3 people' })
    expect(of('A', 'A', 'B')).toMatchObject({ where: '2 projects: A, B', fact: '3 changes, 3 people' })
  })
  test('names the roles, the highest first, and the first projects', () => {
    const grants = ['guest', 'member', 'custom'].map((role, n) => create(`PROJECT-${n}`, 'devs', role, at('a.yaml:1')))
    expect(row(...grants)).toMatchObject({ role: '→ custom, member, guest', where: '3 projects: PROJECT-0, PROJECT-1 …' })
    const eight = Array.from({ length: 8 }, (_, n) => create('ENG', `g${n}`, `r${n}`))
    expect(row(...eight).role).toBe('→ r0, r1, r2, r3, r4, r5, 2 more roles')
  })
})

describe('the reason of one row for several holds', () => {
  const words = (...reasons: readonly Parameters<typeof unsure>[2][]) => {
    const holds = reasons.map((reason, n) => unsure('ENG', `g${n}`, reason, at(`a.yaml:${n}`)))
    return rowWords(bundleOf(holdEntries(holds, { symbol: '?', style: 'yellow' }, view())))
  }
  const project = (name: string) => ({ kind: 'projectUnknown', project: name, captured: true }) as never
  const unknown = (near?: string) =>
    ({ kind: 'groupUnknown', directories: ['corp'], mapped: false, ...(near === undefined ? {} : { near }) }) as const
  test('is said once, if it is one', () => {
    expect(words(unknown(), unknown())).toMatchObject({
      why: 'corp does not know this group',
      cure: expect.stringMatching(/^correct the name, or create the group/),
    })
  })
  test('lists what differs, and keeps the sentence that the cure speaks of', () => {
    expect(words(project('LAB'), project('OPS'), project('WEB'))).toMatchObject({
      why: 'the credential sees no project LAB, OPS and WEB',
      cure: expect.stringMatching(/^correct it, add the owner of the credential/),
    })
    const many = words(...Array.from({ length: 60 }, (_, n) => project(`PROJECT${10 + n}`)))
    expect(many.why).toMatch(/^the credential sees no project PROJECT10, PROJECT11, .* and 46 more$/)
    expect(words(unknown('dev'), unknown('ops')).cure).toBe('did you mean dev? and ops?')
  })
  test('shows the first ones, if they are different sentences, and counts the others', () => {
    const different = words(unknown(), { kind: 'clocksDiffer' }, project('LAB'), { kind: 'suspended', what: 'all' })
    expect(different.why.split(' · ')).toEqual([
      'corp does not know this group',
      expect.stringContaining('two clocks'),
      'the credential sees no project LAB',
      '1 other (--all shows each)',
    ])
  })
  test('is the limit alone, if only numbers differ', () => {
    const over = (n: number) =>
      held(
        create('ENG', `g${n}`, 'member', { size: people(n), ...at('a.yaml:1') }),
        forPeople({ over: 'raise', people: n, limit: 2, setting: 'guards.people.raise', pass: `id:${n}` }),
      )
    const entries = holdEntries([over(3), over(4)], { symbol: '!', style: 'magenta' }, view())
    expect(rowWords(bundleOf(entries)).why).toBe('above guards.people.raise')
  })
})

describe('the effect of changes on people', () => {
  const row = (...effects: readonly (Numbers | undefined)[]) =>
    factOf(
      foldByRule(
        effects.map((effect, index) => {
          const more = effect === undefined ? {} : { effect: counted(effect) }
          return entryOf(create(`P${index}`, 'devs', 'guest', { ...at('a.yaml:1'), size: people(1_600), ...more }))
        }),
      )[0] as Fold,
    )
  test('stands beside the number of people of the group', () => {
    expect(row({ newly: 1_580, raised: 2 })).toBe('1,600 people, 1,580 new, 2 raised')
    expect(row({ lowered: 3, lost: 1 })).toBe('1,600 people, 3 lowered, 1 lose it')
    expect(row({})).toBe('1,600 people, no change for them')
    expect(row(undefined)).toBe('1,600 people')
  })
  test('says between which numbers it is, if not all people are known', () => {
    expect(row({ newly: atLeast(12), raised: 2 })).toBe('1,600 people, at least 12 new, 2 raised')
    expect(row({ newly: between(0, 3), raised: between(2, 4) })).toBe('1,600 people, at most 3 new, 2 to 4 raised')
    expect(row({ newly: between(0, 3) })).toBe('1,600 people, at most 3 new')
  })
  test('is left out if nothing of it is known', () => {
    expect(row({ newly: atLeast(0) })).toBe('1,600 people')
    expect(row({ newly: atLeast(0), raised: atLeast(0), lost: atLeast(0) })).toBe('1,600 people')
  })
  test('stands in a row of several projects only if it is the same in all of them', () => {
    expect(row({ newly: 4 }, { newly: 4 })).toBe('1,600 people, 4 new')
    expect(row({ newly: 4 }, { newly: 5 })).toBe('1,600 people')
  })
})
