import { describe, expect, test } from 'vitest'
import { type Outcome, readingTimeoutMs, runCell } from './cell.ts'
import { type Effect, type Fault, type FaultName, faults, kinds } from './faults.ts'
import { listed, renamedTeams, swappedTeams } from './lists.ts'
import { expectedState, type Team } from './teams.ts'

/** The groups that a complete reading has, where they are others. A file may name a group a second time. */
const read: Partial<Record<FaultName, readonly Team[]>> = { renamed: renamedTeams, swapped: swappedTeams }

/** A process without a fault takes 130 to 180 MB. The deepest answer takes 120 MB more, and Google's two lists arrive at the same time. */
const megabytesMax = 450
/** A busy machine ends a wait later. */
const slackMs = 10_000

const rows = Object.entries(faults) as [FaultName, Fault][]
const cells = kinds.flatMap((kind) =>
  rows.flatMap(([name, fault]) => (fault.does[kind] === 'none' ? [] : [{ kind, name, fault, effect: fault.does[kind] }])),
)

describe.concurrent('a directory with a fault', () => {
  test.each(cells)('$kind: $name: $effect', async ({ kind, name, fault, effect }) => {
    const outcome = await runCell(kind, name)
    const { code, text, status, tookMs, state, megabytes, outer } = outcome
    expect(state, text).toEqual(expectedState(effect, { groups: read[name], heldNames: fault.heldNames }))
    expect(outer.struck()).toBe(true)
    expect(outer.leaked()).toBe('')
    expect(code, text).toBe(effect === 'held' ? 1 : 0)
    expect(tookMs).toBeLessThan(readingTimeoutMs(fault) + slackMs)
    expect(megabytes).toBeGreaterThan(50)
    expect(megabytes).toBeLessThan(megabytesMax)
    if (effect === 'held') saysWhyAndWhere(outcome, fault)
    else expect(status).toBe('complete')
  })
})

/** An error names its place. A list that contradicts itself, and the time limit, name the directory, which is beside the reason in each report. */
function saysWhyAndWhere({ status, why, outer }: Outcome, { says, endless }: Fault): void {
  expect(['partial', 'failed']).toContain(status)
  expect(why).toMatch(says ?? /^$/)
  if (status === 'partial' || endless) return
  expect(why).toContain(outer.address)
  expect(why).toMatch(/\b(?:check|correct|find out|give|look for|lower|exclude|lift|narrow|name|raise|set|split)\b/)
}

describe.concurrent('a directory without a fault', () => {
  test.each(kinds)('%s: all changes are written', async (kind) => {
    const { code, text, status, state } = await runCell(kind, undefined)
    expect(state, text).toEqual(expectedState('whole'))
    expect([code, status]).toEqual([0, 'complete'])
  })

  test.each(kinds)('%s: what rests on the absence of a group is written if the group was really removed', async (kind) => {
    const { text, state } = await runCell(kind, 'groupRemoved')
    const whole: Effect = 'whole'
    expect(state, text).toEqual(expectedState(whole, { groups: listed.groupRemoved }))
    expect(state).toContain('WEB team-11 → member')
    expect(state).not.toContain('OPS team-11 → member')
  })
})
