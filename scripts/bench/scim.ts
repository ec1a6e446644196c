import { setTimeout as sleep } from 'node:timers/promises'
import { scim } from '../../src/directories/scim/read.ts'
import { connectOrigin } from '../../src/http/origin.ts'
import { scimToken, standInScim } from '../../test/functional/standIns/scim.ts'
import { median, ms, type Row } from './row.ts'

const [groups, pageSize, latencyMs, rounds] = [10_000, 100, 50, 7]
const goal = 1.2

/** Reads 10,000 groups from a SCIM server that answers after 50 ms, and compares the time with that of the pages alone. The median of seven runs counts. */
export async function scimRow(cursors?: true): Promise<Row> {
  const all = Array.from({ length: groups }, (_, n) => ({ id: `id-${n}`, displayName: `group ${n}` }))
  await using server = await standInScim(all, undefined, { latencyMs, ...(cursors === undefined ? {} : { cursors }) })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const reader = scim(
      {
        url: server.url,
        credential: { token: async () => scimToken },
        allowPlaintext: false,
        groups: { name: 'displayName' },
        limits: { pageSize, groupsMax: groups },
      },
      {
        connect: (url) =>
          connectOrigin(url, { deadlineMs: 30_000, bytesMax: 64 * 1024 * 1024, idleMs: 2_000, connections: 8, now: Date.now }),
        now: Date.now,
        wall: Date.now,
        wait: (ms, signal) => sleep(ms, undefined, { signal }),
        random: Math.random,
      },
    )
    const begun = performance.now()
    const reading = await reader.read(new AbortController().signal)
    times.push(performance.now() - begun)
    if (reading.status !== 'complete' || reading.value.size !== groups) throw new Error(`not read whole: ${reading.status}`)
  }
  const pagesMs = (groups / pageSize) * latencyMs
  const ratio = median(times) / pagesMs
  return {
    measure: `${groups} groups by SCIM, ${cursors === undefined ? 'by index' : 'by cursor'}, ${latencyMs} ms for each answer`,
    figure: ms(median(times)),
    against: `${groups / pageSize} pages × ${latencyMs} ms: ${ms(pagesMs)}`,
    ratio,
    goal: `≤ ${goal}`,
    reached: ratio <= goal,
  }
}
