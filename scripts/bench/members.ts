import type { Group } from '../../src/core/group.ts'
import type { GroupName } from '../../src/core/mapping.ts'
import { noDeadline } from '../../src/directories/deadline.ts'
import { readers } from './latency/readers.ts'
import { standIn } from './latency/standIn.ts'
import { groupAt, type Kind, kinds, membersEach } from './latency/world.ts'
import { median, ms, type Row } from './row.ts'

/** One round of all kinds takes 40 s and more, so that there are fewer rounds than in other rows. */
const rounds = 3
const [groups, atOnce, latencyMs] = [1_000, 8, 50]
const goal = 1.2

/** Reads the members of 1,000 groups, 8 groups at once, and compares the time with that of one request for each group. The median counts. */
export async function* memberRows(): AsyncGenerator<Row> {
  for (const kind of kinds) yield await memberRow(kind)
}

async function memberRow(kind: Kind): Promise<Row> {
  await using server = await standIn(kind, { groups }, latencyMs)
  const wanted = Array.from({ length: groups }, (_, n): Group => ({ name: `group ${n}` as GroupName, ...groupAt[kind](n) }))
  const times: number[] = []
  const askedBefore = await server.requests()
  for (let round = 0; round < rounds; round++) {
    const { members } = readers[kind](server.url)
    if (members === undefined) throw new Error(`the reader of ${kind} reads no members`)
    const begun = performance.now()
    const reading = await members(wanted, Date.now(), new AbortController().signal, noDeadline)
    times.push(performance.now() - begun)
    const isWhole = reading.status === 'complete' && reading.value.size === groups
    if (!isWhole || [...reading.value.values()].some(({ people }) => people.length !== membersEach))
      throw new Error(`not read whole: ${reading.status === 'failed' ? reading.why : reading.status}`)
  }
  const boundMs = (groups * latencyMs) / atOnce
  const ratio = median(times) / boundMs
  return {
    measure: `members of ${groups} groups by ${kind}, ${membersEach} each, ${latencyMs} ms for each answer (median of ${rounds})`,
    figure: `${ms(median(times))}, ${Math.round(((await server.requests()) - askedBefore) / rounds)} requests`,
    against: `${groups} × ${latencyMs} ms ÷ ${atOnce}: ${ms(boundMs)}`,
    ratio,
    goal: `≤ ${goal}`,
    reached: ratio <= goal,
  }
}
