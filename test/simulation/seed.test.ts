import { expect, test } from 'vitest'
import { basicSpec } from './generate.ts'
import { additionNames, specOf, writable } from './seed.ts'

const seeds = Array.from({ length: 600 }, (_, seed) => seed)

test('without what was added a world is what it was', () => {
  for (const seed of seeds.slice(0, 100)) expect(specOf(seed, additionNames)).toEqual(writable(basicSpec(seed)))
})

test.each(additionNames)('%s is in some worlds, and leaves the others as they are', (name) => {
  const without = additionNames.filter((other) => other !== name)
  const changed = seeds.filter((seed) => JSON.stringify(specOf(seed, without)) !== JSON.stringify(writable(basicSpec(seed))))
  expect(changed.length).toBeGreaterThan(seeds.length / 100)
  expect(changed.length).toBeLessThan(seeds.length / 3)
})

test('each kind of change of a project comes about, and each way to edit the declaration after it', () => {
  const specs = seeds.map((seed) => specOf(seed))
  const changes = specs.flatMap(({ happenings }) => happenings.flatMap((one) => (one.is === 'project' ? [one.change.does] : [])))
  expect(new Set(changes)).toEqual(new Set(['rename', 'swap', 'vanish', 'make', 'return', 'hide', 'show']))
  const texts = specs.flatMap(({ versions }) => versions.map(({ declared }) => JSON.stringify(declared)))
  for (const part of ['"at":"ENGX"', '"map":{"eng":"ENGX"}', '"sendsProject":true', '"reason":']) {
    expect(texts.filter((text) => text.includes(part)).length).toBeGreaterThan(2)
  }
})

test('each answer of something before the service comes about', () => {
  const fates = seeds.flatMap((seed) => {
    const again = specOf(seed).deleteFate?.again
    return again === undefined ? [] : [again.is === 'notFound' ? again.by : again.is]
  })
  expect(new Set(fates)).toEqual(new Set(['proxy', 'page', 'address', 'html']))
})

test('lists lack each share, once and for a while, with and without a journal', () => {
  const kinds = new Set<string>()
  for (let seed = 0; seed < 3_000; seed++) {
    const { lacking, journal } = specOf(seed)
    if (lacking?.of === 'mappings') kinds.add(`${lacking.share} ${lacking.once} ${journal}`)
  }
  const wanted = [0.05, 0.25, 0.45, 0.6, 1].flatMap((share) =>
    [true, false].flatMap((once) => ['folder', 'none'].map((journal) => `${share} ${once} ${journal}`)),
  )
  expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([])
})
