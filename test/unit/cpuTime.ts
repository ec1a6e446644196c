/** What `fixedWork` takes on the machine for which the limits of the tests are written, in ms: measured with Node 26 on a Xeon of 2.3 GHz. */
const usualMs = 0.85

/** Strings are made, joined, and some of their characters are replaced. */
function fixedWork(): number {
  const rows = Array.from({ length: 2_000 }, (_, n) => `<row ${n}> & "${n * 7}" of ${n % 97}`)
  return rows.join('\n').replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`).length
}

function clockMsOf(run: () => unknown): number {
  const beganMs = performance.now()
  run()
  return performance.now() - beganMs
}

/** How much slower this machine is now. The least of several turns is one that nothing interrupted. */
const slownessNow = () => Math.min(...Array.from({ length: 10 }, () => clockMsOf(fixedWork))) / usualMs

/**
 * The time of a processor that this thread spends in `run`, in ms of the machine for which the limits are written.
 * A clock counts the time that others have the processor. The time of a processor does not, but it grows with a slow or shared core,
 * which fixed work before and after `run` shows.
 */
export function cpuMsOf(run: () => unknown): number {
  const before = slownessNow()
  const { user, system } = process.threadCpuUsage()
  run()
  const after = process.threadCpuUsage()
  const ms = (after.user - user + after.system - system) / 1_000
  return ms / Math.max(1, (before + slownessNow()) / 2)
}
