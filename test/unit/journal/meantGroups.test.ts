import { expect, test } from 'vitest'
import type { MeantIds } from '../../../src/core/memory/meantIds.ts'
import { meantGroupsFromStored, storedMeantGroups } from './storedForms.ts'

const never = () => expect.unreachable()
const ids: MeantIds = {
  'corp/devs': { 1: ['b', 'a'], 2: ['c'] },
  'corp/ops': { 3: ['a', 'b'] },
  'corp/gone': {},
}

test('groups that the same rules mean stand together', () => {
  expect(storedMeantGroups(ids)).toEqual([
    { texts: ['a', 'b'], groups: { 'corp/devs': '1', 'corp/ops': '3' } },
    { texts: ['c'], groups: { 'corp/devs': '2' } },
    { texts: [], groups: { 'corp/gone': '' } },
  ])
})

test('what is stored means the same when it is read', () => {
  const sorted = { ...ids, 'corp/devs': { 1: ['a', 'b'], 2: ['c'] } }
  expect(meantGroupsFromStored(JSON.parse(JSON.stringify(storedMeantGroups(ids))), never)).toEqual(sorted)
})

test('a field of a newer version is told', () => {
  const told: string[] = []
  meantGroupsFromStored([{ texts: ['a'], groups: {}, unheardOf: 7 } as never], (name) => told.push(name))
  expect(told).toEqual(['unheardOf'])
})

test('10,000 groups that 20 rules match need at most 64 bytes each', () => {
  const texts = Array.from({ length: 20 }, (_, index) => String(index).padStart(16, '0'))
  const names = Array.from({ length: 10_000 }, (_, index) => [
    `corp/eng-team-${String(index).padStart(6, '0')}`,
    { [`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`]: texts },
  ])
  expect(JSON.stringify(storedMeantGroups(Object.fromEntries(names))).length).toBeLessThan(640_000)
})
