/**
 * A row of numbers for each name. Metrics that are named after the same thing share the rows: an object for each of their series would be too
 * many with thousands of workspaces.
 */
export type Rows = {
  /** Makes room for so many numbers in every row, before there is one. Gives where they begin. */
  reserve(places: number): number
  /** Of a name that has none yet: one without any number. */
  of(name: string): number[]
  /** From now on exactly these names have a row, and a place in it that has no number has 0. */
  expect(names: readonly string[]): void
  /** Takes the numbers of a reserved part out of all rows. */
  clear(from: number, places: number): void
  all(): Iterable<readonly [name: string, row: readonly number[]]>
}

/** In a row: there is no such series. */
export const absent = Number.NaN

export function openRows(): Rows {
  const rows = new Map<string, number[]>()
  let width = 0

  function of(name: string): number[] {
    const found = rows.get(name)
    if (found !== undefined) return found
    const row = Array.from({ length: width }, () => absent)
    rows.set(name, row)
    return row
  }

  return {
    reserve(places) {
      width += places
      return width - places
    },
    of,
    expect(names) {
      const wanted = new Set(names)
      for (const name of rows.keys()) if (!wanted.has(name)) rows.delete(name)
      for (const name of wanted) for (const [at, value] of of(name).entries()) if (Number.isNaN(value)) of(name)[at] = 0
    },
    clear(from, places) {
      for (const [name, row] of rows) {
        row.fill(absent, from, from + places)
        if (row.every((value) => Number.isNaN(value))) rows.delete(name)
      }
    },
    all: () => rows,
  }
}
