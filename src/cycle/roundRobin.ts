/** How many items are worked on at the same time: of one line, and of all. */
export type Concurrency = { readonly perLine: number; readonly inAll: number }

type Line<T> = { readonly items: readonly T[]; begun: number; busy: number; isOffered: boolean }

/**
 * Works through lines of items. Who begins next is taken from the lines in turn, so a long line makes only its own items wait. The first
 * failure is thrown when what was begun has ended; nothing begins after it, nor after `signal`.
 */
export async function roundRobin<T>(
  lines: Iterable<readonly T[]>,
  { perLine, inAll }: Concurrency,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Lines with an item that may begin, and the one whose turn it is first.
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
