import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { newGroupIds, openMeantIds, type RuleGroup } from '../../../src/core/resolve/groupIds.ts'
import { ruleHash } from '../../../src/core/resolve/textName.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { complete, groups, hash, pattern, rule } from './smallWorld.ts'

const selects = (one: Rule, name: string): RuleGroup => ({
  rule: one,
  name: name as GroupName,
  text: ruleHash(one, hash),
  asked: ['corp'],
})
const devs = selects(rule('devs', 'ENG', 'member'), 'devs')
const teams = selects(pattern('team-.*', 'ENG', 'member'), 'team-a')

describe('the id that a text means', () => {
  const texts = (count: number, from: string) => Array.from({ length: count }, (_, n) => `${from}${n}`)
  test.each([
    ['few', 2],
    ['many', 25],
  ])('is found among %s texts', (_how, count) => {
    const meant = openMeantIds({ 'corp/devs': { 1: [...texts(count, 'a'), devs.text], 2: texts(count, 'b') } })
    expect(meant('corp', devs)).toBe('1')
    const other = (text: string) => meant('corp', { ...devs, text: text as RuleGroup['text'] })
    expect([other('a0'), other('b1'), other('c0')]).toEqual(['1', '2', undefined])
    expect(meant('lab', devs)).toBeUndefined()
  })
})

describe('the ids to remember', () => {
  const corp = new Map([['corp', complete(groups('devs#1', 'team-a#2'))]])
  const nothing = { isWhole: true, learned: [], waived: [] }

  test('leave out a group of which the same was known before', () => {
    const learned = [{ ruleGroup: devs, means: { directory: 'corp', id: '1' } }]
    const selection = { ...nothing, ruleGroups: [devs], rules: [devs.rule], learned }
    expect(newGroupIds({ 'corp/devs': { 1: [devs.text] } }, corp, selection, hash)).toEqual({})
    expect(newGroupIds({}, corp, selection, hash)).toEqual({ 'corp/devs': { 1: [devs.text] } })
  })

  test('keep the name of a pattern in a directory that the settings no longer have', () => {
    const selection = { ...nothing, ruleGroups: [teams], rules: [teams.rule] }
    expect(newGroupIds({ 'gone/team-b': { 3: [teams.text] } }, corp, selection, hash)).toEqual({})
    expect(newGroupIds({ 'corp/team-b': { 3: [teams.text] } }, corp, selection, hash)).toEqual({ 'corp/team-b': {} })
  })
})
