import { describe, expect, test } from 'vitest'
import { table } from './specification/table.ts'
import { dialectNames, startWorld } from './specification-world.ts'

const rows = table.flatMap(({ sections }) => sections.flatMap(({ section, rows }) => rows.map((row) => ({ section, ...row }))))
const clientRows = rows.flatMap(({ client, ...row }) => (client === undefined ? [] : [{ ...row, client }]))
const clientless = rows.filter((row) => row.clientless !== undefined)

describe.each(dialectNames)('the specification, as %s has it', (dialect) => {
  describe('over bare HTTP', () => {
    test.each(rows)('$section: $line', async ({ raw, differs }) => {
      await using world = await startWorld(dialect, AbortSignal.timeout(20_000))
      await raw(world)
      expect(world.differed()).toBe(differs !== undefined)
    })
  })

  describe('through the client', () => {
    test.each(clientRows)('$section: $line', async ({ client }) => {
      await using world = await startWorld(dialect, AbortSignal.timeout(20_000))
      await client(world)
    })
  })
})

test('no line is in the table twice', () => {
  const named = rows.map(({ section, line }) => `${section}: ${line}`)
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
})

test('every line is checked through the client, or says why that would mean nothing', () => {
  expect(rows.filter((row) => (row.client === undefined) === (row.clientless === undefined))).toEqual([])
  expect(clientRows.length + clientless.length).toBe(rows.length)
  expect(clientless).toHaveLength(12)
})
