/**
 * Runs `work` for each item, at most `atOnce` at a time, and returns the results in order. After a failure no further item is begun. The failure is
 * thrown when the running items have ended.
 */
export async function mapConcurrently<T, Result>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  let failed = false
  async function worker(): Promise<void> {
    while (!failed && next < items.length) {
      const at = next++
      try {
        results[at] = await work(items[at] as T)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason as Error
  return results
}
