import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { doubt } from '../../../src/core/doubt.ts'
import { byOffset, type Offset, type Page, readPages } from '../../../src/directories/overHttp/paging.ts'

const signal = new AbortController().signal
const idOf = (item: string) => item

const moved = (row: number) => doubt('keycloak.rowMoved', `row ${row} changed`)
type Rows = (first: number, max: number) => Promise<readonly string[]>
const readOffsets = (rows: Rows, pageSize: number, pagesMax = 1_000, confirmEmpty = true) =>
  readPages<string, Offset>(
    { at: 0 },
    byOffset({ pageSize, moved, idOf, rows, confirmEmpty }),
    { idOf, pagesMax, kind: 'keycloak' },
    signal,
  )

const letters = (count: number) => Array.from({ length: count }, (_, i) => `g${String(i).padStart(4, '0')}`)

describe('pages by offset', () => {
  test('any list in pages of any size is read whole and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, pageSize) => {
        const list = letters(count)
        const rows: Rows = async (first, max) => list.slice(first, first + max)
        expect(await readOffsets(rows, pageSize)).toEqual({ items: list })
      }),
    )
  })

  test('a gateway that gives no page larger than the one of the settings cuts no list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 2, max: 20 }), async (count, pageSize) => {
        const list = letters(count)
        const rows: Rows = async (first, max) => list.slice(first, first + Math.min(max, pageSize))
        expect(await readOffsets(rows, pageSize)).toEqual({ items: list })
      }),
    )
  })

  test('whatever is added and removed between two pages, what a whole reading lacks was not there all the time', async () => {
    const moves = fc.array(fc.array(fc.tuple(fc.boolean(), fc.nat(80)), { maxLength: 3 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 6 }), moves, async (count, pageSize, moves) => {
        const list = new Set(letters(count).filter((_, i) => i % 2 === 0))
        const throughout = new Set(list)
        let page = 0
        const rows: Rows = async (first, max) => {
          for (const [add, at] of page > 0 ? (moves[page - 1] ?? []) : []) {
            const name = `g${String(at).padStart(4, '0')}`
            if (add) list.add(name)
            else if (list.delete(name)) throughout.delete(name)
          }
          page++
          return [...list].toSorted().slice(first, first + max)
        }
        const { items, missing } = await readOffsets(rows, pageSize)
        if (missing === undefined) expect([...throughout].filter((name) => !items.includes(name))).toEqual([])
        expect(new Set(items).size).toBe(items.length)
      }),
      { numRuns: 500 },
    )
  })

  test('an empty answer is asked for once more', async () => {
    const answers: string[][] = [[], ['a', 'b', 'c'], [], ['c', 'd']]
    expect(await readOffsets(async () => answers.shift() ?? [], 3)).toEqual({ items: ['a', 'b', 'c', 'd'] })
    expect(answers).toEqual([])
  })

  test('an empty list is asked for once if no decision rests on it, a page after others still twice', async () => {
    const asked = async (...answers: string[][]) => {
      let count = 0
      await readOffsets(async () => answers[count++] ?? [], 2, 1_000, false)
      return count
    }
    expect([await asked([]), await asked(['a', 'b'], [], ['b'])]).toEqual([1, 3])
  })

  test('a page that stays empty after a full one is a list that moved, not its end', async () => {
    const rows: Rows = async (first) => (first === 0 ? ['a', 'b'] : [])
    expect(await readOffsets(rows, 2)).toMatchObject({ items: ['a', 'b'], missing: expect.stringContaining('row 2') })
  })

  test('a server that knows no offset is not read for ever', async () => {
    let asked = 0
    const rows: Rows = async () => {
      asked++
      return ['a', 'b', 'c']
    }
    expect(await readOffsets(rows, 3)).toMatchObject({ missing: expect.stringContaining('changed') })
    expect(asked).toBe(2)
  })

  test('more pages than allowed', async () => {
    const rows: Rows = async (first, max) => Array.from({ length: max }, (_, i) => `${first + i}`)
    expect(await readOffsets(rows, 2, 3)).toMatchObject({ items: ['0', '1', '2', '3'], missing: 'there are more than 3 pages' })
  })
})

describe('pages by cursor', () => {
  const read = (pages: Record<string, Page<string, string>>) =>
    readPages('1', async (cursor) => pages[cursor] ?? { items: [] }, { idOf, pagesMax: 10, kind: 'okta' }, signal)

  test('an empty page with a next one is not the end', async () => {
    expect(await read({ 1: { items: [], next: '2' }, 2: { items: ['a'], next: '3' }, 3: { items: ['b'] } })).toEqual({ items: ['a', 'b'] })
  })

  test('an item that comes twice ends it, and it is not whole', async () => {
    expect(await read({ 1: { items: ['a'], next: '2' }, 2: { items: ['a'], next: '3' } })).toMatchObject({
      items: ['a'],
      missing: expect.stringContaining('a came twice'),
    })
  })

  test('what a page itself says is more exact than that an item of it comes twice', async () => {
    const missing = doubt('okta.changed', 'the list had 3 rows at first and 2 rows later')
    expect(await read({ 1: { items: ['a'], next: '2' }, 2: { items: ['b', 'a'], missing } })).toEqual({ items: ['a', 'b'], missing })
  })

  test('empty pages without end meet the bound', async () => {
    expect(await read({ 1: { items: [], next: '1' } })).toEqual({ items: [], missing: 'there are more than 10 pages' })
  })
})
