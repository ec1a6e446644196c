import { describe, expect, test } from 'vitest'
import { failOn } from '../../../src/commands/description.ts'
import { exitCode, exitCodeOfWriting, type FailOn } from '../../../src/commands/exitCode.ts'
import type { Hold, HoldKind } from '../../../src/core/hold.ts'
import { holdKinds } from '../../../src/core/holdEffects.ts'
import { withHeldMeanwhile } from '../../../src/core/judge/guards.ts'
import type { WorkspaceReport } from '../../../src/cycle/cycleReport.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import { openMetrics } from '../../../src/daemon/metrics.ts'
import { rule } from '../core/smallWorld.ts'
import { done, judged, report } from '../daemon/reports.ts'

const target = { kind: 'project', project: 'ENG' } as const
const holdOf = (kind: HoldKind): Hold => ({ key: 'acme/project/ENG/a', target, group: 'a', reason: { kind } }) as never
const world = { rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } }

/** A hold that was there before the first write, and one that came up between two writes. */
function holding(kind: HoldKind, when: 'before' | 'while'): WorkspaceReport {
  const one = when === 'before' ? judged({}, []) : judged(world, [done])
  if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
  const hold = holdOf(kind)
  const applied = when === 'before' ? one.applied : { ...one.applied, holds: [hold] }
  return { ...one, judged: withHeldMeanwhile(one.judged, [hold]), applied }
}

async function metricsOf(one: WorkspaceReport): Promise<readonly string[]> {
  const metrics = openMetrics({ version: '0', node: '0', queues: () => [], dateOf: (ms) => ms, onError: () => expect.unreachable() })
  metrics.observeReport(report(one))
  const { body } = await metrics.render()
  return body.split('\n').flatMap((line) => {
    const [, name, reason] =
      /^plane_group_sync_(waiting_for_approval|undeclared_mappings|dangling|held)\{(?:.*reason="(\w+)")?.* 1$/.exec(line) ?? []
    return name === undefined ? [] : [reason === undefined ? name : `${name} ${reason}`]
  })
}

/** What differs from a plain hold: exit code 0, also of what writes, `success`, `--fail-on held`, the metric `held`. */
const special: Partial<Record<HoldKind, readonly [plan: number, writing: number, outcome: string, failOn: FailOn, metric: string]>> = {
  approval: [3, 3, 'waiting', 'approval', 'waiting_for_approval'],
  undeclared: [0, 0, 'success', 'undeclared', 'undeclared_mappings'],
  readingIncomplete: [1, 1, 'incomplete', 'held', 'held readingIncomplete'],
  notRecorded: [1, 1, 'incomplete', 'held', 'held notRecorded'],
  patternsUnmatched: [1, 1, 'incomplete', 'held', 'held patternsUnmatched'],
  anotherWriter: [0, 1, 'incomplete', 'held', 'held anotherWriter'],
  quarantined: [0, 0, 'incomplete', 'held', 'held quarantined'],
  flapping: [0, 0, 'incomplete', 'held', 'held flapping'],
  suspended: [0, 0, 'waiting', 'held', 'held suspended'],
}

describe.each(['before', 'while'] as const)('a hold that came up %s the plan was written', (when) => {
  test.each(holdKinds)('counts in exit code, outcome, --fail-on and metric: %s', async (kind) => {
    const one = holding(kind, when)
    const [plan, writing, outcome, word, metric] = special[kind] ?? [0, 0, 'success', 'held', `held ${kind}`]
    expect([exitCode(report(one)), exitCodeOfWriting(report(one)), cycleOutcome(one)]).toEqual([plan, writing, outcome])
    const words = failOn.filter((reason) => reason !== 'changes' && exitCode(report(one), new Set([reason])) !== 0)
    expect(words).toEqual(plan === 0 ? [word] : failOn.filter((reason) => reason !== 'changes'))
    expect(await metricsOf(one)).toContain(metric)
  })
})

test.each([
  ['admin', 2],
  ['guest', 0],
] as const)('--fail-on undeclared-protected fails on an undeclared mapping with a protected role: %s', (role, code) => {
  const one = judged({ existing: [`ENG old ${role}`] }, [])
  expect(exitCode(report(one), new Set(['undeclared-protected']))).toBe(code)
})
