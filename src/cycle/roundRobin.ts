/** The most items that are worked on at the same time. `perLine`: of one line. `inAll`: of all lines. */
export type Concurrency = { readonly perLine: number; readonly inAll: number }

type Line<T> = { readonly items: readonly T[]; begun: number; busy: number; isOffered: boolean }

/**
 * Works on the items of several lines. The next item is taken from the lines in turn, so a long line delays only its own items. After a
 * failure or `signal` no further item begins; the first failure is thrown when all begun items have ended.
 */
export async function roundRobin<T>(
  lines: Iterable<readonly T[]>,
  { perLine, inAll }: Concurrency,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Lines with an item that may begin, the next line first.
  const offered: Line<T>[] = []
  function offer(line: Line<T>): void {
    if (line.isOffered || line.begun === line.items.length || line.busy === perLine) return
    line.isOffered = true
    offered.push(line)
  }
  let failed = false
  async function worker(): Promise<void> {
    for (let line = offered.shift(); line !== undefined && !failed && !signal.aborted; line = offered.shift()) {
      line.isOffered = false
      const item = line.items[line.begun++] as T
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
  for (const items of lines) {
    offer({ items, begun: 0, busy: 0, isOffered: false })
    atOnce += Math.min(perLine, items.length)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(inAll, atOnce) }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason as Error
}
