import { describe, expect, test } from 'vitest'
import { badInput } from './bad-input-table.ts'
import { flat, give } from './bad-input-world.ts'

/** Each row with the real program, as a process. Where a text here is not what a person needs at two in the morning, the program is wrong. */
describe.concurrent.each(badInput)('$title', ({ title, rows }) => {
  test.each(rows)('$what', async (row) => {
    const { exit, out, err, writes } = await give(row)
    if (title === 'Refused') expect(`${err}${out}`).toBe(`${row.shows}\n`)
    else expect(flat(`${out}${err}`)).toContain(flat(row.shows))
    expect(exit, `${out}${err}`).toBe(row.exit)
    expect(writes).toHaveLength(row.writes ?? 0)
  })
})
