import { readers } from './latency/readers.ts'
import { standIn } from './latency/standIn.ts'
import type { Kind } from './latency/world.ts'
import { median, ms, type Row } from './row.ts'

const [groups, latencyMs, rounds] = [10_000, 50, 7]
const goal = 1.2

/** Reads 10,000 groups, in pages of the usual size, and compares the time with that of the pages alone. The median of seven counts. */
export async function pageRows(): Promise<readonly Row[]> {
  return [await pageRow('entra', 999), await pageRow('okta', 200)]
}

async function pageRow(kind: Kind, pageSize: number): Promise<Row> {
  await using server = await standIn(kind, { groups }, latencyMs)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const reader = readers[kind](server.url)
    const begun = performance.now()
    const reading = await reader.read(new AbortController().signal)
    times.push(performance.now() - begun)
    if (reading.status !== 'complete' || reading.value.size !== groups)
      throw new Error(`not read whole: ${reading.status === 'failed' ? reading.why : reading.status}`)
  }
  const pages = Math.ceil(groups / pageSize)
  const ratio = median(times) / (pages * latencyMs)
  return {
    measure: `${groups} groups by ${kind}, ${latencyMs} ms for each answer`,
    figure: `${ms(median(times))}, ${Math.round((await server.requests()) / rounds)} requests`,
    against: `${pages} pages × ${latencyMs} ms: ${ms(pages * latencyMs)}`,
    ratio,
    goal: `≤ ${goal}`,
    reached: ratio <= goal,
  }
}
