import { describe, expect, test } from 'vitest'
import { commands } from '../../../src/commands/all.ts'
import { optionsOf } from '../../../src/commands/description.ts'
import { usage, usageOf } from '../../../src/commands/usage.ts'
import { widthOf } from '../../../src/render/width.ts'

const names = Object.keys(commands)

describe.each([60, 80, 132])('at %i columns', (columns) => {
  test.each(['', ...names])('no line of help %s is wider, but for lines to copy', async (name) => {
    const text = name === '' ? usage(columns) : await usageOf(name, columns)
    const wide = text
      .split('\n')
      .filter((line) => widthOf(line) > columns && !/^ {2}(?:plane-group-sync|source|[A-Z_, ]+$)|^Usage:/.test(line))
    expect(wide).toEqual([])
  })
})

test.each(names)('help %s has its parts in order, and each of its options', async (name) => {
  const text = await usageOf(name, 80)
  const parts = ['Usage: ', 'Examples', 'Options', 'Exit codes', 'Environment']
  const places = parts.map((part) => text.search(new RegExp(`^${part}`, 'm')))
  expect(places.every((place) => place > 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const description = await commands[name]?.describe()
  const options = Object.keys(optionsOf(description ?? { options: {}, common: [] }))
  expect([...text.matchAll(/^ {2}(?:-\w,| {3}) --([\w-]+)/gm)].map(([, option = '']) => option).toSorted()).toEqual(options.toSorted())
})

test('the sentence of a command is not cut from its explanation', async () => {
  expect(await usageOf('plan', 80)).toMatch(/^Show what would change, and why\. Nothing is written to Plane\./)
})
