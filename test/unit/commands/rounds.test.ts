import { expect, test } from 'vitest'
import { untilSettled } from '../../../src/commands/rounds.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { outcomeText } from '../../../src/render/applied.ts'
import { changeOf } from '../core/smallWorld.ts'
import { virtualTime } from '../plane/virtualTime.ts'

const create = changeOf('create ENG a = member')

/** The report of a cycle that holds one create until this time. */
const holding = (untilMs: number | undefined) => {
  const holds =
    untilMs === undefined ? [] : [{ key: create.key, change: create, reason: { kind: 'quarantined', since: 'startUp' }, untilMs }]
  return { workspaces: [{ kind: 'judged', judged: { plan: { holds } } }] } as unknown as CycleReport
}

test.each([
  [5_000, ['Waiting 5 s, until 00:00:05 UTC, before 1 more change: ']],
  [1, ['Waiting 1 s, until 00:00:00 UTC, before 1 more change: ']],
  [0, []],
  [-5_000, []],
])('a wait that ends %i ms after the cycle is reported only if it is not over', async (leftMs, expected) => {
  const clock = virtualTime(0)
  const said: string[] = []
  const reports = [holding(leftMs), holding(undefined)]
  const cycle = async () => reports.shift() as CycleReport
  const settled = untilSettled(
    cycle,
    { clock, memory: () => emptyMemory, say: (text: string) => void said.push(text) },
    new AbortController().signal,
  )
  await clock.run(60_000)
  expect((await settled).length).toBe(2)
  expect(said.map((text) => text.replace(/change: [^]*/, 'change: '))).toEqual(expected)
})

test('after a round whose readings were too old the next one begins at once', async () => {
  const clock = virtualTime(1_000)
  const said: string[] = []
  const outdated = {
    workspaces: [{ kind: 'judged', judged: { plan: { holds: [] } }, applied: { results: [], holds: [], stopped: 'outdated' } }],
  } as unknown as CycleReport
  const reports = [outdated, holding(undefined)]
  const cycle = async () => reports.shift() as CycleReport
  const goesOn: boolean[] = []
  const onRound = (_report: CycleReport, on: boolean) => void goesOn.push(on)
  const options = { clock, memory: () => emptyMemory, say: (text: string) => void said.push(text), onRound }
  const settled = untilSettled(cycle, options, new AbortController().signal)
  await clock.run(60_000)
  expect((await settled).length).toBe(2)
  expect(goesOn).toEqual([true, false])
  expect(said).toEqual([])
  expect(clock.now()).toBeLessThan(1_100)
})

test('a key whose wait is over when the result is shown has no moment that has passed', () => {
  const unknown = { kind: 'unknown', why: 'cut', lastByteMs: 0 } as const
  const about = { unknownOutcomeWaitMs: 120_000 }
  expect(outcomeText(unknown, create, about, 200_000)).toBe('cut; the next read shows whether it was executed')
  expect(outcomeText(unknown, create, about, 60_000)).toMatch(
    /^cut; this key is not written until .* \(in 1 min\), then it is read and planned again$/,
  )
})
