/**
 * Groups of files that import each other, directly or through others. Imports of types count.
 *
 * @see Tarjan, Depth-first search and linear graph algorithms, 1972
 */
export function circlesOf(files: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] {
  const indexes = new Map<string, number>()
  const lows = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const low = (file: string) => lows.get(file) as number
  function visit(file: string): void {
    indexes.set(file, indexes.size)
    lows.set(file, indexes.size - 1)
    stack.push(file)
    for (const to of files.get(file) ?? []) {
      if (!indexes.has(to)) {
        visit(to)
        lows.set(file, Math.min(low(file), low(to)))
      } else if (stack.includes(to)) lows.set(file, Math.min(low(file), indexes.get(to) as number))
    }
    if (low(file) === indexes.get(file)) found.push(stack.splice(stack.indexOf(file)))
  }
  for (const file of files.keys()) if (!indexes.has(file)) visit(file)
  return found.filter(({ length }) => length > 1).map((circle) => circle.toSorted())
}
