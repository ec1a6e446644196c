import { start } from './program.ts'
import { median, ms, type Row } from './row.ts'

const runs = 11
const goalMs = 250

/** Measures `validate` on the example: the whole process, from start to exit. The first run fills the compile cache and does not count. */
export async function validateRow(): Promise<Row> {
  const run = async () => {
    const begun = performance.now()
    await start(['validate'], process.cwd()).ended
    return performance.now() - begun
  }
  const firstMs = await run()
  const times: number[] = []
  for (let count = 0; count < runs; count++) times.push(await run())
  const middle = median(times)
  return {
    measure: '`validate` on the example, whole process',
    figure: `${ms(middle)} (median of ${runs}; ${ms(Math.min(...times))} to ${ms(Math.max(...times))}; first run ${ms(firstMs)})`,
    against: '',
    goal: `≤ ${goalMs} ms`,
    reached: middle <= goalMs,
  }
}
