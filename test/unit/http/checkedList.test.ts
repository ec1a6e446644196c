import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkedList } from '../../../src/http/json.ts'
import { filesBelow } from '../house/files.ts'
import '../../../src/yaml/zod.ts'

const row = z.object({ id: z.string().min(1), size: z.int().default(0) })

test('a list of right elements, each as its schema makes it', () => {
  expect(checkedList(row).parse([{ id: 'a' }, { id: 'b', size: 2, more: true }])).toEqual([
    { id: 'a', size: 0 },
    { id: 'b', size: 2 },
  ])
  expect(checkedList(row).parse([])).toEqual([])
})

test.each([
  ['no list', { id: 'a' }, [], 'must be a list'],
  ['a wrong element', [{ id: 'a' }, 7, 8], [1], 'must be a map'],
  ['a wrong part of one', [{ id: 'a' }, { id: 'b' }, { id: 3 }, {}], [2, 'id'], 'must be a text'],
])('%s: one issue, with its place', (_, value, path, message) => {
  const issues = checkedList(row).safeParse(value).error?.issues
  expect(issues).toMatchObject([{ path, message: expect.stringContaining(message) as string }])
})

test('after the first wrong element no other is looked at', () => {
  let seen = 0
  const wrong = z.unknown().refine(() => ++seen < 3)
  const result = checkedList(wrong).safeParse(Array(1_000_000).fill(7))
  expect([seen, result.error?.issues.map(({ path }) => path)]).toEqual([3, [[2]]])
})

test('within an object the place is whole, and the other fields are as they were', () => {
  const page = z.object({ rows: checkedList(row).nullish() })
  expect(page.safeParse({ rows: [{ id: '' }] }).error?.issues).toMatchObject([{ path: ['rows', 0, 'id'] }])
  expect(page.parse({ rows: null })).toEqual({ rows: null })
})

test('answers are checked with no other list: one of zod keeps an issue of each element', () => {
  const answers = filesBelow('src', '.ts').filter(({ path }) => /^src\/(?:plane|directories|http)\//.test(path))
  // A file on this machine is checked by yaml/validate.ts, which shows many mistakes at once.
  const others = answers.filter(({ path }) => path !== 'src/directories/file.ts')
  expect(
    others.flatMap(({ path, text }) => (/\.(?:array|record|tuple|set|map)\((?!z\.unknown\(\)\))(?=z\.|[A-Z])/.test(text) ? [path] : [])),
  ).toEqual([])
})
