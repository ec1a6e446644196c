import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, emptyFairQueue, type Kind, preferredMax, remove, take } from '../../../src/plane/rate/fairQueue.ts'

/** `a:r` is a read of lane a, `a:w` a write, `a:v` a revocation. */
const kinds: Readonly<Record<string, Kind>> = { r: 'read', w: 'write', v: 'revocation' }
const parts = (entry: string) => [entry.slice(0, entry.indexOf(':')), kinds[entry[entry.indexOf(':') + 1] as string]] as [string, Kind]

function lanesOf(entries: string) {
  const lanes = emptyFairQueue<string>()
  for (const entry of entries.split(' ')) add(lanes, ...parts(entry), entry)
  return lanes
}

function order(entries: string, short = false): string {
  const lanes = lanesOf(entries)
  const taken: string[] = []
  for (let next = take(lanes, short ? 'short' : 'enough'); next !== undefined; next = take(lanes, short ? 'short' : 'enough'))
    taken.push(next)
  return taken.join(' ')
}

test('in a lane reads go before writes, otherwise in the order of their coming', () => {
  expect(order('a:w1 a:v2 a:w3 a:r4 a:r5')).toBe('a:r4 a:r5 a:w1 a:v2 a:w3')
})

test('lanes take turns, whatever waits in them', () => {
  expect(order('a:w1 a:w2 a:w3 b:w1 c:r1 c:w2')).toBe('a:w1 b:w1 c:r1 a:w2 c:w2 a:w3')
})

test('3,000 changes in one lane do not keep 3 in another waiting, also when those come one after the other', () => {
  const lanes = emptyFairQueue<string>()
  for (let nth = 0; nth < 3_000; nth++) add(lanes, 'many', 'write', `many ${nth}`)
  const taken = []
  for (let nth = 0; nth < 3; nth++) {
    add(lanes, 'few', 'write', `few ${nth}`)
    taken.push(take(lanes, 'short'), take(lanes, 'short'))
  }
  expect(taken.filter((entry) => entry?.startsWith('few'))).toEqual(['few 0', 'few 1', 'few 2'])
})

test('while more waits than may be sent, what takes a right away goes first, in turns of the lanes', () => {
  expect(order('a:r1 a:w2 a:v3 b:v1 b:v2', true)).toBe('a:v3 b:v1 b:v2 a:r1 a:w2')
})

test('after a few of those in a row one of the rest has its turn', () => {
  const revocations = Array.from({ length: 8 }, (_, nth) => `a:v${nth}`).join(' ')
  expect(order(`${revocations} a:r8 b:w9`, true)).toBe('a:v0 a:v1 a:v2 b:w9 a:v3 a:v4 a:v5 a:r8 a:v6 a:v7')
  expect(preferredMax).toBe(3)
})

test('the rest of a lane whose revocations came first has its turn, too, and whoever has none, does not take it', () => {
  expect(order('a:v0 a:v1 a:v2 a:v3 a:w4', true)).toBe('a:v0 a:v1 a:v2 a:w4 a:v3')
  expect(order('a:v0 a:v1 a:v2 a:v3', true)).toBe('a:v0 a:v1 a:v2 a:v3')
  const lanes = lanesOf('a:v0 a:v1 a:v2 a:v3')
  const first = [take(lanes, 'short'), take(lanes, 'short'), take(lanes, 'short')]
  add(lanes, 'b', 'write', 'b:w4')
  expect([...first, take(lanes, 'short'), take(lanes, 'short')]).toEqual(['a:v0', 'a:v1', 'a:v2', 'b:w4', 'a:v3'])
})

test('where all may be sent a revocation has no right of way', () => {
  expect(order('a:v1 b:w2')).toBe('a:v1 b:w2')
})

test('what is given up is gone, and its lane with it', () => {
  const lanes = lanesOf('a:w1 b:w1 a:w2')
  remove(lanes, 'a', 'write', 'a:w1')
  remove(lanes, 'a', 'write', 'a:w1')
  remove(lanes, 'nobody', 'write', 'a:w1')
  expect(lanes.waiting).toBe(2)
  expect([take(lanes, 'enough'), take(lanes, 'enough'), take(lanes, 'enough')]).toEqual(['a:w2', 'b:w1', undefined])
})

test('a lane that was empty for a moment keeps its place in the turns', () => {
  const lanes = lanesOf('a:w1 b:w2 b:w3')
  expect([take(lanes, 'enough'), take(lanes, 'enough')]).toEqual(['a:w1', 'b:w2'])
  add(lanes, 'c', 'write', 'c:w5')
  add(lanes, 'a', 'write', 'a:w4')
  expect(take(lanes, 'enough')).toBe('a:w4')
})

test('however many lanes there are, none is forgotten in which something waits', () => {
  const lanes = emptyFairQueue<number>()
  for (let nth = 0; nth < 2_100; nth++) {
    add(lanes, `lane ${nth}`, 'write', nth)
    add(lanes, `lane ${nth}`, nth % 2 === 0 ? 'read' : 'revocation', -nth)
  }
  let taken = 0
  while (take(lanes, 'enough') !== undefined) taken++
  expect(taken).toBe(4_200)
})

test('lanes that are empty are forgotten in the end', () => {
  const lanes = emptyFairQueue<number>()
  for (let nth = 0; nth < 10_000; nth++) {
    add(lanes, `lane ${nth}`, 'read', nth)
    take(lanes, 'enough')
  }
  expect(lanes.byName.size).toBeLessThanOrEqual(2_000)
})

test('whatever comes and goes: nobody waits for more turns than there are lanes, or four times as many while revocations come', () => {
  const step = fc.oneof(
    fc.record({ lane: fc.constantFrom('a', 'b', 'c', 'd'), kind: fc.constantFrom<Kind>('read', 'write', 'revocation') }),
    fc.constant('take' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.boolean(), (steps, short) => {
      const lanes = emptyFairQueue<{ lane: string; kind: Kind; turns: number }>()
      const waiting = new Set<{ lane: string; kind: Kind; turns: number }>()
      for (const one of steps) {
        if (one !== 'take') {
          // Each lane has one write at a time, as in an apply.
          if ([...waiting].some(({ lane }) => lane === one.lane)) continue
          const entry = { ...one, turns: 0 }
          add(lanes, one.lane, one.kind, entry)
          waiting.add(entry)
          continue
        }
        const taken = take(lanes, short ? 'short' : 'enough')
        expect(taken === undefined).toBe(waiting.size === 0)
        if (taken === undefined) continue
        expect(waiting.delete(taken)).toBe(true)
        for (const entry of waiting) entry.turns++
        for (const { turns } of waiting) expect(turns).toBeLessThanOrEqual(short ? 4 * (preferredMax + 1) : 4)
      }
      expect(lanes.waiting).toBe(waiting.size)
    }),
  )
})
