/** The most items that are worked on at the same time. `perLine`: of one line. `inAll`: of all lines. */
export type Concurrency = { readonly perLine: number; readonly inAll: number }

type Placed<T> = { readonly item: T; readonly place: number }
type Line<T> = { readonly items: readonly Placed<T>[]; begun: number; busy: number; isOffered: boolean }

/** The items of all lines in one order: the first one of each line, then the second one of each, and so on. */
export const takingTurns = <T>(lines: Iterable<readonly T[]>): readonly T[] =>
  [...lines]
    .flatMap((items) => items.map((item, place) => ({ item, place })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)

/**
 * Works on items that stand in several lines. Next begins the first item, in the given order, whose line has room. So a long line delays only its own items.
 * The work on an item may wait for those before it: no item keeps one that is before it from beginning. After a failure or `signal` no further item
 * begins; the first failure is thrown when all begun items have ended.
 *
 * @param lineOf the name of the line of an item
 */
export async function roundRobin<T>(
  items: readonly T[],
  lineOf: (item: T) => string,
  { perLine, inAll }: Concurrency,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Lines with an item that may begin, in the order of these items.
  const offered: Line<T>[] = []
  const nextPlace = ({ items: placed, begun }: Line<T>) => placed[begun]?.place ?? 0
  function offer(line: Line<T>): void {
    if (line.isOffered || line.begun === line.items.length || line.busy === perLine) return
    line.isOffered = true
    const place = nextPlace(line)
    offered.splice(offered.findLastIndex((earlier) => nextPlace(earlier) < place) + 1, 0, line)
  }
  let failed = false
  async function worker(): Promise<void> {
    for (let line = offered.shift(); line !== undefined && !failed && !signal.aborted; line = offered.shift()) {
      line.isOffered = false
      const { item } = line.items[line.begun++] as Placed<T>
      line.busy++
      offer(line)
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
      line.busy--
      offer(line)
    }
  }

  let atOnce = 0
  const placed = items.map((item, place) => ({ item, place }))
  for (const line of Map.groupBy(placed, ({ item }) => lineOf(item)).values()) {
    offer({ items: line, begun: 0, busy: 0, isOffered: false })
    atOnce += Math.min(perLine, line.length)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(inAll, atOnce) }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason as Error
}
