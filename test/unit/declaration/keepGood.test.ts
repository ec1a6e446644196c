import { describe, expect, test } from 'vitest'
import { defined } from '../../../src/core/fields.ts'
import { frozenIn } from '../../../src/core/matches.ts'
import { placeText } from '../../../src/core/rule.ts'
import type { FenceText, FenceTexts } from '../../../src/declaration/fence.ts'
import { textsAfter, understandDeclaration } from '../../../src/declaration/keepGood.ts'
import { type Problem, problemOfFile } from '../../../src/yaml/problem.ts'
import { longTest } from '../../long.ts'
import { context } from './declare.ts'

const fence = (name: string, projects: readonly string[] = [name.toUpperCase()]): FenceText => ({
  owner: `team-${name}`,
  workspace: 'acme',
  projectRoles: { projects, allProjects: false, roles: ['guest', 'member'], groups: [`${name}-*`] },
  may: ['removed', 'from'],
  demand: { reason: false, expires: {} },
})
const fences: FenceTexts = {
  'teams/pay/**': fence('pay'),
  'teams/ops/**': fence('ops'),
  'teams/web/*.yaml': fence('web'),
  'platform/*': 'everything',
}
type Texts = Readonly<Record<string, string>>

const file = (rules: string) => `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${rules}`
const rule = (group: string, more = '') =>
  `      - { group: ${group}, project: ${group.split('-')[0]?.toUpperCase()}, role: member${more} }\n`
const named = (...groups: readonly string[]) => file(groups.map((group) => rule(group)).join(''))
const many = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => one(index))
const patterns = (team: string, count: number) =>
  file(many(count, (index) => `      - { groupGlob: "${team}-${index}", project: ${team.toUpperCase()}, role: guest }\n`).join(''))

const encoder = new TextEncoder()
const bytesOf = (texts: Texts) => Object.entries(texts).map(([name, text]) => ({ file: name, bytes: encoder.encode(text) }))
const lastValidOf = (texts: Texts) => new Map(bytesOf(texts).map(({ file: name, bytes }) => [name, bytes]))

type Over = { fences?: FenceTexts; obstacles?: readonly Problem[]; begins?: (file: string) => void }
function read(now: Texts, before: Texts, more: Over = {}) {
  const files = bytesOf(now).toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const input = defined({ files, hash: 'hash', lastValid: lastValidOf(before), obstacles: more.obstacles })
  const loaded = understandDeclaration(input, { ...context, fences: more.fences ?? fences, dateMs: 0 }, defined({ begins: more.begins }))
  if (loaded === undefined) throw new Error('it was too large')
  return loaded
}

/** The groups in use, each with its file, and the files that are not used as they are. */
function used(now: Texts, before: Texts, more: Over = {}) {
  const loaded = read(now, before, more)
  if (!loaded.valid) return loaded.text
  const rules = [...loaded.declaration.values()].flatMap((declared) => declared.rules)
  return {
    groups: rules.map(({ groups }) => (groups.kind === 'exact' ? groups.name : groups.pattern.source)).toSorted(),
    kept: Object.fromEntries((loaded.kept ?? []).map(({ file: name, isUsed }) => [name, isUsed ? 'last text' : 'nothing'])),
    unread: [...loaded.declaration.values()].flatMap((declared) => frozenIn(declared).map(({ reason }) => placeText(reason.at)))[0],
  }
}

const before = {
  'teams/pay/a.yaml': named('pay-old'),
  'teams/ops/a.yaml': named('ops-old'),
  'platform/a.yaml': file('').replace('projectRoles:', 'projectRoles: []'),
}
const edited = { ...before, 'teams/ops/a.yaml': named('ops-new') }
const onlyPayIsKept = { groups: ['ops-new', 'pay-old'], kept: { 'teams/pay/a.yaml': 'last text' }, unread: undefined }

describe('one team cannot stop the others', () => {
  test('by a mistake', () => {
    expect(used({ ...edited, 'teams/pay/a.yaml': 'nonsense: 1' }, before)).toEqual(onlyPayIsKept)
  })
  longTest('by more mappings than its part of the limit', () => {
    const groups = (count: number) => many(count, (index) => `pay-${index}`).join(', ')
    const large = file(`      - { group: [${groups(50_001)}], project: PAY, role: guest }\n`)
    expect(used({ ...edited, 'teams/pay/a.yaml': large }, before)).toEqual(onlyPayIsKept)
    const loaded = read({ 'teams/pay/a.yaml': large, 'platform/a.yaml': before['platform/a.yaml'] }, {})
    expect(loaded.valid ? loaded.kept : []).toMatchObject([{ file: 'teams/pay/a.yaml', isUsed: false }])
  })
  test('by more patterns than its part of the limit, also if they are invalid', () => {
    expect(used({ ...edited, 'teams/pay/a.yaml': patterns('pay', 126) }, before)).toEqual(onlyPayIsKept)
    expect(used({ ...edited, 'teams/pay/a.yaml': patterns('pay', 126).replaceAll('groupGlob: "', 'groupRegex: "(') }, before)).toEqual(
      onlyPayIsKept,
    )
  })
  test('by patterns that compile to more steps than its part of the limit', () => {
    const costly = file(
      many(20, (index) => `      - { groupRegex: "${'[ab]{100}'.repeat(8)}${index}", project: PAY, role: guest }\n`).join(''),
    )
    expect(used({ ...edited, 'teams/pay/a.yaml': costly }, before)).toEqual(onlyPayIsKept)
  })
  longTest('by so many mistakes that each hides the next: after a few rounds all of its files count as invalid', () => {
    const wrong = `version: 1\n${many(101, (index) => `k${index}: 1\n`).join('')}`
    const files = Object.fromEntries(many(700, (index) => [`teams/pay/${index}.yaml`, wrong]))
    let rounds = 0
    const begins = (name: string) => void (rounds += Number(name === 'platform/a.yaml'))
    expect(used({ ...edited, ...files }, before, { begins })).toMatchObject({ groups: ['ops-new', 'pay-old'] })
    expect(rounds).toBe(3)
  })
  test('by one mistake in many files, which is shown as one', () => {
    const wrong = Object.fromEntries(many(100, (index) => [`teams/pay/${index}.yaml`, file(rule(`pay-${index}`, ', from: nowhere'))]))
    expect(used({ ...edited, ...wrong }, before)).toMatchObject({ groups: ['ops-new', 'pay-old'] })
  })
  test('by a folder that cannot be read: what was below it keeps its last text', () => {
    const deep = { ...before, 'teams/pay/deep/b.yaml': named('pay-deep') }
    const { 'teams/pay/a.yaml': _, ...withoutPay } = edited
    expect(used(withoutPay, deep, { obstacles: [problemOfFile('teams/pay', 'no access')] })).toMatchObject({
      groups: ['ops-new', 'pay-deep', 'pay-old'],
    })
    expect(used(edited, deep, { obstacles: [problemOfFile('teams/pay/deep', 'no access')] })).toEqual({
      groups: ['ops-new', 'pay-deep', 'pay-old'],
      kept: { 'teams/pay/deep/b.yaml': 'last text' },
      unread: undefined,
    })
  })
  test('by a file in its folder that no fence matches', () => {
    const now = { ...edited, 'teams/web/deep/b.yaml': named('web-a'), 'teams/web/a.yaml': named('web-b') }
    expect(used(now, before)).toMatchObject({ groups: ['ops-new', 'pay-old', 'web-b'], kept: { 'teams/web/deep/b.yaml': 'nothing' } })
    expect(used({ ...edited, 'teams/none/b.yaml': named('web-a') }, before)).toContain('no fence of the settings matches this file')
  })
  test('by too many files: all of its files keep their last text', () => {
    const tooMany = { ...problemOfFile('teams/pay/z.yaml', 'there are more than 500 files of team-pay'), owner: 'team-pay' }
    const now = { ...edited, 'teams/pay/a.yaml': named('pay-new'), 'teams/pay/b.yaml': named('pay-more') }
    expect(used(now, before, { obstacles: [tooMany] })).toEqual({
      ...onlyPayIsKept,
      kept: { 'teams/pay/a.yaml': 'last text', 'teams/pay/b.yaml': 'nothing' },
      unread: 'teams/pay/z.yaml',
    })
  })
})

describe('a limit that all files exceed together', () => {
  const teams = ['a', 'b', 'c', 'd', 'e']
  const wide: FenceTexts = { ...Object.fromEntries(teams.map((name) => [`${name}/*`, fence(name)])), 'platform/*': 'everything' }
  const full = Object.fromEntries(teams.slice(0, 4).map((name) => [`${name}/x.yaml`, patterns(name, 124)]))
  const held = (now: Texts) => {
    const seen = used(now, { ...full, 'e/x.yaml': patterns('e', 3) }, { fences: wide })
    return typeof seen === 'string' ? seen : seen.kept
  }

  test('stops the owner who changed a file', () => {
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4) })).toEqual({})
    expect(held({ ...full, 'e/x.yaml': patterns('e', 5) })).toEqual({ 'e/x.yaml': 'last text' })
    expect(held({ ...full, 'a/x.yaml': patterns('a', 124).replaceAll('a-', 'a-x-'), 'e/x.yaml': patterns('e', 5) })).toEqual({
      'a/x.yaml': 'last text',
      'e/x.yaml': 'last text',
    })
  })
  test('stops a file without limits only if no owner changed a file', () => {
    const rules = (count: number) => patterns('e', count).replaceAll('"e-', '"p-')
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4), 'platform/x.yaml': rules(1) })).toEqual({ 'e/x.yaml': 'last text' })
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4), 'platform/x.yaml': rules(2) })).toContain('more than 500 patterns')
  })
  test('is shown at the owner who has most', () => {
    const loaded = understandDeclaration(
      { files: bytesOf({ 'e/x.yaml': patterns('e', 100), ...full }), hash: 'hash' },
      { ...context, fences: wide, dateMs: 0 },
      {},
    )
    expect(loaded?.valid === true && loaded.invalid?.problems.map(({ at, message, owner }) => [at.file, message, owner])).toEqual([
      ['d/x.yaml', 'with this entry the declaration has more than 500 patterns', 'team-d'],
    ])
  })
})

test('a grant of a last valid text ends when its fence becomes narrower', () => {
  const narrow = { ...fences, 'teams/pay/**': fence('pay', ['OTHER']) }
  expect(used({ ...edited, 'teams/pay/a.yaml': 'nonsense: 1' }, before, { fences: narrow })).toEqual({
    groups: ['ops-new'],
    kept: { 'teams/pay/a.yaml': 'nothing' },
    unread: 'teams/pay/a.yaml:1:1',
  })
})

describe('a file inside a fence, invalid and without a last valid text', () => {
  const now = { ...edited, 'teams/pay/b.yaml': 'nonsense: 1' }
  const keysOf = (loaded: ReturnType<typeof read>) =>
    loaded.valid
      ? [...loaded.declaration.values()].flatMap((declared) =>
          frozenIn(declared).map(({ keys, reason }) => [[...keys.projects].join(), `${placeText(reason.at)}: ${reason.why}`]),
        )
      : []

  test('freezes its fence, and no other', () => {
    expect(used(now, {})).toMatchObject({ groups: ['ops-new', 'pay-old'], kept: { 'teams/pay/b.yaml': 'nothing' } })
    expect(keysOf(read(now, {}))).toEqual([['PAY', expect.stringContaining('teams/pay/b.yaml:1:1: ')]])
  })
  test('freezes all fences of its owner if it is in none of them', () => {
    const { 'teams/pay/**': _, ...others } = fences
    const of = { ...others, 'teams/pay/x/*.yaml': fence('pay', ['PAYX']), 'teams/pay/*.yaml': fence('pay') }
    expect(keysOf(read({ ...edited, 'teams/pay/y/b.yaml': named('pay-b') }, {}, { fences: of })).map(([projects]) => projects)).toEqual([
      'PAYX',
      'PAY',
    ])
  })
  test('says what is wrong as a strict reading does, whatever was valid before', () => {
    const problems = (before: Texts) => {
      const loaded = read(now, before)
      return loaded.valid ? loaded.invalid?.text : loaded.text
    }
    expect(problems({})).toContain('teams/pay/b.yaml:1:1')
    expect(problems({ ...before, 'teams/pay/b.yaml': named('pay-b') })).toBe(problems({}))
  })
})

test('files of two owners that contradict each other are a problem, and both are used', () => {
  const both = file(`      - { group: ops-a, project: OPS, role: member }\n`)
  const shared = { ...fences, 'teams/web/*.yaml': fence('ops') }
  const loaded = read({ 'teams/ops/a.yaml': both, 'teams/web/a.yaml': both.replace('member', 'guest') }, {}, { fences: shared })
  expect(loaded.valid && [loaded.kept, loaded.invalid?.text.includes('is "guest" here')]).toEqual([[], true])
})

test('the last valid texts: those of valid files, and of invalid files those from before', () => {
  const now = { ...edited, 'teams/pay/a.yaml': 'nonsense: 1', 'teams/pay/new.yaml': 'nonsense: 1' }
  const { 'platform/a.yaml': _, ...without } = now
  const loaded = read(without, before)
  const texts = loaded.valid ? textsAfter({ files: bytesOf(without), hash: '', lastValid: lastValidOf(before) }, loaded) : new Map()
  expect(Object.fromEntries([...texts].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))).toEqual({
    'teams/ops/a.yaml': edited['teams/ops/a.yaml'],
    'teams/pay/a.yaml': before['teams/pay/a.yaml'],
  })
})
