import { describe, expect, test } from 'vitest'
import { rows } from './specification-table.ts'
import { dialectNames, startWorld } from './specification-world.ts'

describe.each(dialectNames)('the specification, as %s has it', (dialect) => {
  describe('over bare HTTP', () => {
    test.each(rows)('$section: $line', async ({ raw }) => {
      await using world = await startWorld(dialect, AbortSignal.timeout(20_000))
      await raw(world)
    })
  })

  const clientRows = rows.flatMap(({ client, ...row }) => (client === undefined ? [] : [{ ...row, client }]))
  describe.runIf(clientRows.length > 0)('through the client', () => {
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
