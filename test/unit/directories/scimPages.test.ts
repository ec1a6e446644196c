import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPages } from '../../../src/directories/overHttp/paging.ts'
import type { ScimGroupRow } from '../../../src/directories/scim/answers.ts'
import { type AskPage, askAhead, byCursor, byIndex } from '../../../src/directories/scim/list.ts'
import { groupListing, type Named } from '../../../src/directories/scim/read.ts'

const signal = new AbortController().signal
const list = groupListing({ name: 'displayName' })
const walk = { idOf: ({ id }: Named) => id, pagesMax: 1_000, kind: 'scim' } as const
const names = (count: number) => Array.from({ length: count }, (_, n) => `g${String(n).padStart(3, '0')}`)
const answer = (all: readonly string[], from: number, count: number) => ({
  total: all.length,
  rows: all.slice(from, from + count).map((id) => ({ id, name: id, hasMembers: false })),
  nextCursor: from + count < all.length ? `${from + count}` : undefined,
})

/** `has` gives what the server has at each request. */
async function readIndex(has: () => readonly string[], count: number, cap = count) {
  const askPage: AskPage<ScimGroupRow> = async ({ startIndex, count }) =>
    answer(has(), Number(startIndex) - 1, Math.min(cap, Number(count)))
  const first = await askPage({ startIndex: '1', count: `${count}` }, signal)
  return readPages({ at: 0 }, byIndex({ list, askPage, count, first, checkCount: () => undefined }), walk, signal)
}

/** Like `readIndex`, with four pages at the same time, of as many items as the server sends. */
async function readAhead(has: () => readonly string[], count: number, cap = count) {
  const askPage: AskPage<ScimGroupRow> = async ({ startIndex, count }) =>
    answer(has(), Number(startIndex) - 1, Math.min(cap, Number(count)))
  const first = await askPage({ startIndex: '1', count: `${count}` }, signal)
  const size = Math.max(2, Math.min(count, first.rows.length))
  const ahead = askAhead(askPage, { count: size, total: first.total ?? 0, atOnce: 4 })
  return readPages({ at: 0 }, byIndex({ list, askPage: ahead, count: size, first, checkCount: () => undefined }), walk, signal)
}

async function readCursors(has: () => readonly string[], count: number) {
  const askPage: AskPage<ScimGroupRow> = async ({ cursor, count }) => answer(has(), Number(cursor), Number(count))
  const first = await askPage({ cursor: '', count: `${count}` }, signal)
  return readPages({ cursor: '', at: 0 }, byCursor({ list, askPage, count, first, checkCount: () => undefined }), walk, signal)
}

const ids = ({ items }: { readonly items: readonly Named[] }) => items.map(({ id }) => id)

describe.each([
  ['index', readIndex],
  ['index, asked ahead', readAhead],
  ['cursor', readCursors],
] as const)('pages by %s', (mode, read) => {
  test('any list in pages of any size is read whole and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 2, max: 20 }), fc.integer({ min: 2, max: 20 }), async (length, count, cap) => {
        const found = await read(() => names(length), count, cap)
        expect(found.missing).toBeUndefined()
        expect(ids(found)).toEqual(names(length))
      }),
    )
  })

  if (mode !== 'cursor')
    test('whatever is added and removed between two pages, what a whole reading lacks was not there all the time', async () => {
      const moves = fc.array(fc.array(fc.tuple(fc.boolean(), fc.nat(80)), { maxLength: 3 }), { maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(fc.nat(40), fc.integer({ min: 2, max: 6 }), moves, async (length, count, moves) => {
          const list = new Set(names(length * 2).filter((_, n) => n % 2 === 0))
          const throughout = new Set(list)
          let requests = 0
          const found = await read(() => {
            for (const [add, at] of requests > 0 ? (moves[requests - 1] ?? []) : []) {
              const name = `g${String(at).padStart(3, '0')}`
              if (add) list.add(name)
              else if (list.delete(name)) throughout.delete(name)
            }
            requests++
            return [...list].toSorted()
          }, count)
          if (found.missing === undefined) expect([...throughout].filter((name) => !ids(found).includes(name))).toEqual([])
        }),
        { numRuns: 2_000 },
      )
    })
})
