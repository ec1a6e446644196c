import { describe, expect, test } from 'vitest'
import type { GroupName, List, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { isSelected, isTargetIn, ownedBy, unmanagedEntries } from '../../../src/core/matches.ts'
import type { FencedKeys, Rule, Unmanaged } from '../../../src/core/rule.ts'
import { matchesOf, pattern, rule, target } from './smallWorld.ts'

const { because, groups: payDevs } = rule('pay-devs', 'PAY', 'guest')
const { groups: payAll } = pattern('pay-.*', 'PAY', 'guest')
const keys = (list: List, projects: readonly string[], allProjects = false): FencedKeys => ({
  list,
  groups: [payAll],
  projects: { named: new Set(projects as readonly ProjectIdentifier[]) },
  allProjects,
  because,
})
const places = ['workspace', '*', 'PAY', 'OPS']

/** The places at which a mapping of the group is owned. */
function ownedAt(
  group: string,
  ownsKeys: readonly FencedKeys[],
  { rules = [], owns = [] }: { rules?: readonly Rule[]; owns?: List[] } = {},
) {
  const matches = matchesOf([{ groups: payAll }], ['pay-devs' as GroupName, 'ops-devs' as GroupName])
  const isOwned = ownedBy({ owns: new Set(owns), ownsKeys, rules }, matches)
  return places.filter((place) => isOwned(group as GroupName, target(place)))
}

describe('a file inside a fence owns', () => {
  test.each<[string, FencedKeys, readonly string[]]>([
    ['the projects of its fence', keys('projectRoles', ['PAY']), ['PAY']],
    ['all projects, if its fence has them', keys('projectRoles', ['OPS'], true), ['*', 'OPS']],
    ['the workspace, if it names the list of the workspace', keys('workspaceRoles', []), ['workspace']],
  ])('%s', (_what, one, expected) => {
    expect(ownedAt('pay-devs', [one])).toEqual(expected)
    expect(ownedAt('ops-devs', [one])).toEqual([])
  })
  test('the keys of each of its fences, beside the lists that a file without limits owns', () => {
    expect(ownedAt('pay-devs', [keys('projectRoles', ['PAY']), keys('workspaceRoles', [])])).toEqual(['workspace', 'PAY'])
    expect(ownedAt('ops-devs', [keys('projectRoles', ['PAY'])], { owns: ['workspaceRoles'] })).toEqual(['workspace'])
    expect(ownedAt('ops-devs', [], { owns: ['projectRoles'] })).toEqual(['*', 'PAY', 'OPS'])
  })
  test('also the key of an exact rule whose group no directory and no mapping has', () => {
    const exact = rule('pay-new', 'PAY', 'guest', { fenced: true })
    const own = (one: Rule) => ownedAt('pay-new', [keys('projectRoles', ['PAY'])], { rules: [one] })
    expect(own(exact)).toEqual(['PAY'])
    expect(own({ ...exact, groups: payAll })).toEqual([])
    expect(own({ ...exact, target: { kind: 'captured', capture: 'app', map: new Map() } })).toEqual([])
    const { fenced: _, ...open } = exact
    expect(own(open)).toEqual([])
  })
})

test('the keys of a fence have the targets that it names', () => {
  const within = (one: FencedKeys) => places.filter((place) => isTargetIn(one, target(place)))
  expect(within(keys('workspaceRoles', []))).toEqual(['workspace'])
  expect(within(keys('projectRoles', ['PAY', 'OPS']))).toEqual(['PAY', 'OPS'])
  expect(within(keys('projectRoles', [], true))).toEqual(['*'])
})

test('a pattern that was not matched with the names selects none, and an exact name selects itself', () => {
  expect(isSelected([payAll], 'pay-devs' as GroupName, new Map())).toBe(false)
  expect(isSelected([payAll, payDevs], 'pay-devs' as GroupName, new Map())).toBe(true)
})

describe('of several unmanaged entries for a mapping', () => {
  const entry = (line: number, fenced: boolean, where?: string): Unmanaged => ({
    groups: payDevs,
    because: { at: { file: 'g', line, column: 1 } },
    ...(fenced && { fenced: true as const }),
    ...(where === undefined ? {} : { target: target(where) }),
  })
  const [open, inside, openEverywhere, insideEverywhere] = [entry(1, false, 'PAY'), entry(2, true, 'PAY'), entry(3, false), entry(4, true)]
  const chosen = (...entries: readonly Unmanaged[]) =>
    unmanagedEntries(entries, new Map())('pay-devs' as GroupName, target('PAY'))?.because.at.line
  test('one of a file without limits is found first, in whatever order they are', () => {
    expect([chosen(open, inside), chosen(inside, open), chosen(openEverywhere, inside), chosen(inside, openEverywhere)]).toEqual([
      1, 1, 3, 3,
    ])
    expect([chosen(openEverywhere, insideEverywhere), chosen(insideEverywhere, openEverywhere)]).toEqual([3, 3])
  })
  test('among those of files without limits the one for this target is found, and of several for one target the first', () => {
    expect([chosen(openEverywhere, open), chosen(inside)]).toEqual([1, 2])
    expect([chosen(entry(7, true, 'PAY'), inside), chosen(entry(8, false, 'PAY'), open)]).toEqual([7, 8])
    expect(chosen(insideEverywhere)).toBe(4)
  })
})
