/**
 * A row of numbers for each name. All metrics with the label `workspace` share one row for each workspace; it is the same for directories and
 * credentials. With thousands of workspaces, one object for each series would take too much memory.
 */
export type Rows = {
  /** Reserves `places` numbers in every row. Call it before the first row exists. @returns the index of the first of them */
  reserve(places: number): number
  /** The row of a name; a new row without any number if there is none. */
  of(name: string): number[]
  /** Removes the rows of all other names, adds missing rows, and sets places without a number to 0. */
  expect(names: readonly string[]): void
  /** Removes the numbers of a reserved part from all rows. */
  clear(from: number, places: number): void
  all(): Iterable<readonly [name: string, row: readonly number[]]>
}

/** The number of a place whose series does not exist. */
const absent = Number.NaN

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
