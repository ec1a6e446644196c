/** The time of a processor that this thread spends in `run`, in ms. Unlike the time of a clock it does not grow on a busy machine. */
export function cpuMsOf(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
