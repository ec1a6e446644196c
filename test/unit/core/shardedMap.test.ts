import { array, assert, constant, oneof, property, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { at, emptyShardedMap, put, recordOf, type ShardedMap, shardedMapOf, without } from '../../../src/core/memory/shardedMap.ts'

const names = oneof(string({ maxLength: 3 }), constant('__proto__'), constant('constructor'))

test('they hold what a map would', () => {
  const steps = array(tuple(names, oneof(constant('put'), constant('without'))), { maxLength: 60 })
  assert(
    property(steps, (all) => {
      const map = new Map<string, number>()
      let drawers: ShardedMap<number> = emptyShardedMap
      for (const [index, [name, how]] of all.entries()) {
        if (how === 'put') map.set(name, index)
        else map.delete(name)
        drawers = how === 'put' ? put(drawers, Object.fromEntries([[name, index]])) : without(drawers, name)
      }
      const record = Object.fromEntries(map)
      expect(new Map(Object.entries(recordOf(drawers)))).toEqual(new Map(Object.entries(record)))
      expect(new Map(Object.entries(recordOf(shardedMapOf(record))))).toEqual(new Map(Object.entries(record)))
      for (const [name] of all) expect(at(drawers, name)).toBe(map.get(name))
    }),
  )
})

test('to put one in copies little: names are spread, and the other drawers stay', () => {
  const names = Array.from({ length: 2_560 }, (_, index) => `acme/project/ENG/team-${index}`)
  const before = shardedMapOf(Object.fromEntries(names.map((name) => [name, 1])))
  expect(Math.max(...before.map(({ size }) => size))).toBeLessThan(30)
  const after = put(before, { one: 1 })
  expect(after.filter((drawer, index) => drawer !== before[index])).toHaveLength(1)
})

test('what was before stays as it was', () => {
  const before = shardedMapOf({ a: 1, b: 2 })
  put(before, { a: 3, c: 4 })
  without(before, 'b')
  expect(recordOf(before)).toEqual({ a: 1, b: 2 })
})
