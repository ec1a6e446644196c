import { describe, expect, test } from 'vitest'
import { defined } from '../../../src/core/optionalFields.ts'
import { placeText } from '../../../src/core/rule.ts'
import type { FenceText, FenceTexts } from '../../../src/declaration/fence.ts'
import type { Obstacle } from '../../../src/declaration/files.ts'
import { textsAfter, understandDeclaration } from '../../../src/declaration/understand.ts'
import { problemOfFile } from '../../../src/yaml/problem.ts'
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

type Over = { dateMs?: number; fences?: FenceTexts | 'none'; obstacles?: readonly Obstacle[]; begins?: (file: string) => void }
function read(now: Texts, before: Texts, more: Over = {}) {
  const files = bytesOf(now).toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const input = defined({ files, hash: 'hash', lastValid: lastValidOf(before), obstacles: more.obstacles })
  const all = more.fences === 'none' ? {} : { fences: more.fences ?? fences }
  const loaded = understandDeclaration(input, { ...context, ...all, dateMs: more.dateMs ?? 0 }, defined({ begins: more.begins }))
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
    unread: [...loaded.declaration.values()].flatMap(({ frozen = [] }) => frozen.map(({ because }) => placeText(because.at)))[0],
  }
}

const unread = (path: string): Obstacle => ({ path, problem: problemOfFile(path, 'no access') })
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
  test('by so many mistakes that the rest of a file is not read: each file is read once, or twice with its last text', () => {
    const wrong = `version: 1\n${many(101, (index) => `k${index}: 1\n`).join('')}`
    const files = Object.fromEntries(many(20, (index) => [`teams/pay/${index}.yaml`, wrong]))
    const begun: string[] = []
    expect(used({ ...edited, ...files }, before, { begins: (name) => begun.push(name) })).toMatchObject({ groups: ['ops-new', 'pay-old'] })
    expect(begun.toSorted()).toEqual(Object.keys({ ...edited, ...files }).toSorted())
  })
  test('by one mistake in many files, which is shown as one', () => {
    const wrong = Object.fromEntries(many(100, (index) => [`teams/pay/${index}.yaml`, file(rule(`pay-${index}`, ', from: nowhere'))]))
    expect(used({ ...edited, ...wrong }, before)).toMatchObject({ groups: ['ops-new', 'pay-old'] })
  })
  test('by a folder that cannot be read: what was below it keeps its last text', () => {
    const deep = { ...before, 'teams/pay/deep/b.yaml': named('pay-deep') }
    const { 'teams/pay/a.yaml': _, ...withoutPay } = edited
    expect(used(withoutPay, deep, { obstacles: [unread('teams/pay')] })).toMatchObject({
      groups: ['ops-new', 'pay-deep', 'pay-old'],
    })
    expect(used(edited, deep, { obstacles: [unread('teams/pay/deep')] })).toEqual({
      groups: ['ops-new', 'pay-deep', 'pay-old'],
      kept: { 'teams/pay/deep': 'last text' },
      unread: undefined,
    })
  })
  test('by a file in its folder that no fence matches', () => {
    const now = { ...edited, 'teams/web/deep/b.yaml': named('web-a'), 'teams/web/a.yaml': named('web-b') }
    expect(used(now, before)).toMatchObject({ groups: ['ops-new', 'pay-old', 'web-b'], kept: { 'teams/web/deep/b.yaml': 'nothing' } })
    expect(used({ ...edited, 'teams/none/b.yaml': named('web-a') }, before)).toEqual({
      groups: ['ops-new', 'pay-old'],
      kept: { 'teams/none/b.yaml': 'nothing' },
      unread: 'teams/none/b.yaml',
    })
  })
  test('by too many files: those that were not looked for keep their last text, or are frozen', () => {
    const tooMany: Obstacle = { ...unread('teams/pay/b.yaml'), owner: 'team-pay' }
    const { 'teams/pay/a.yaml': _, ...without } = edited
    expect(used({ ...without, 'teams/pay/0.yaml': named('pay-new') }, before, { obstacles: [tooMany] })).toEqual({
      groups: ['ops-new', 'pay-new', 'pay-old'],
      kept: { 'teams/pay/b.yaml': 'last text' },
      unread: undefined,
    })
    expect(used(without, {}, { obstacles: [tooMany] })).toMatchObject({ groups: ['ops-new'], unread: 'teams/pay/b.yaml' })
  })
})

describe('one file cannot stop the others, without fences', () => {
  const none = { fences: 'none' } as const
  const broken = { ...edited, 'teams/pay/a.yaml': 'nonsense: 1' }
  test('the last valid text of the file is used, or nothing of it', () => {
    expect(used(broken, before, none)).toEqual(onlyPayIsKept)
    expect(used(broken, {}, none)).toEqual({ groups: ['ops-new'], kept: { 'teams/pay/a.yaml': 'nothing' }, unread: 'teams/pay/a.yaml:1:1' })
  })
  test('a file that is gone has no text any more, and a folder that is not there has all of its last texts', () => {
    const { 'teams/pay/a.yaml': _, ...gone } = edited
    expect(used(gone, before, none)).toEqual({ groups: ['ops-new'], kept: {}, unread: undefined })
    const away: Over = { obstacles: [{ path: '', problem: problemOfFile('/srv/groups', 'there is no such file or folder') }] }
    expect(used({}, before, { ...none, ...away })).toMatchObject({ groups: ['ops-old', 'pay-old'], kept: { '/srv/groups': 'last text' } })
    // With fences, too, it is the folder that is not there, and no file of an owner is wrong.
    const loaded = read({}, before, away)
    expect(loaded).toMatchObject({ valid: true, kept: [{ file: '/srv/groups', isUsed: true, unread: true }] })
    const next = loaded.valid && textsAfter({ files: [], hash: '', lastValid: lastValidOf(before) }, loaded)
    expect(next).toEqual(lastValidOf(before))
    expect(used({}, {}, { ...none, obstacles: [unread('')] })).toContain('no access')
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

  test('stops a changed file, of those with most bytes', () => {
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4) })).toEqual({})
    expect(held({ ...full, 'e/x.yaml': patterns('e', 5) })).toEqual({ 'e/x.yaml': 'last text' })
    expect(held({ ...full, 'a/x.yaml': patterns('a', 124).replaceAll('a-', 'a-x-'), 'e/x.yaml': patterns('e', 5) })).toEqual({
      'a/x.yaml': 'nothing',
    })
  })
  test('stops the file of an owner before one without limits', () => {
    const rules = (count: number) => patterns('e', count).replaceAll('"e-', '"p-')
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4), 'platform/x.yaml': rules(1) })).toEqual({ 'e/x.yaml': 'last text' })
    expect(held({ ...full, 'e/x.yaml': patterns('e', 4), 'platform/x.yaml': rules(2) })).toEqual({ 'e/x.yaml': 'nothing' })
  })
  test('is shown at the owner who has most', () => {
    const loaded = understandDeclaration(
      { files: bytesOf({ 'e/x.yaml': patterns('e', 100), ...full }), hash: 'hash' },
      { ...context, fences: wide, dateMs: 0 },
      {},
    )
    expect(loaded?.valid === true && loaded.invalid?.problems.map(({ at, message }) => [at.file, message])).toEqual([
      ['d/x.yaml', 'with this entry the declaration has more than 500 patterns'],
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
      ? [...loaded.declaration.values()].flatMap(({ frozen = [] }) =>
          frozen.map(({ fence: keys = [], because, why }) => [
            keys.map(({ projects }) => [...projects.named].join()),
            `${placeText(because.at)}: ${why}`,
          ]),
        )
      : []

  test('freezes its fence, and no other', () => {
    expect(used(now, {})).toMatchObject({ groups: ['ops-new', 'pay-old'], kept: { 'teams/pay/b.yaml': 'nothing' } })
    expect(keysOf(read(now, {}))).toEqual([[['PAY'], expect.stringContaining('teams/pay/b.yaml:1:1: ')]])
  })
  test('may speak of all workspaces if it is in no fence, as a file without limits may', () => {
    const { 'teams/pay/**': _, ...others } = fences
    const loaded = read(edited, {}, { fences: others })
    expect(loaded.valid && [...loaded.declaration].map(([name, { frozen }]) => [name, frozen?.map(({ rights }) => rights)])).toEqual([
      ['acme', ['none']],
      ['globex', ['none']],
    ])
    const open = read({ ...now, 'teams/pay/b.yaml': named('pay-b'), 'platform/a.yaml': 'nonsense: 1' }, {})
    expect(open.valid && [...open.declaration].map(([name, { frozen }]) => [name, frozen?.map(({ rights }) => rights)])).toEqual([
      ['acme', ['unlimited']],
      ['globex', ['unlimited']],
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

test('a waiver of a last valid text does not count: a newer text may have taken it back', () => {
  const waived = (more: string) =>
    `${named('pay-old')}${more}    waivers: [ { group: pay-old, project: PAY, from: none, to: member, until: 2026-01-05, reason: x } ]\n`
  const may = { ...fences, 'teams/pay/**': { ...fence('pay'), may: ['waivers' as const] } }
  const waiversOf = (text: string) => {
    const loaded = read(
      { ...edited, 'teams/pay/a.yaml': text },
      { ...before, 'teams/pay/a.yaml': waived('') },
      { fences: may, dateMs: Date.parse('2026-01-01') },
    )
    return loaded.valid ? [...loaded.declaration.values()].map(({ rules, waivers = [] }) => [rules.length, waivers.length]) : loaded.text
  }
  expect(waiversOf(waived(''))).toEqual([[2, 1]])
  expect(waiversOf(waived('    nonsense: 1\n'))).toEqual([[2, 0]])
})
