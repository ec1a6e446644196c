import { describe, expect, test } from 'vitest'
import { exitCode } from '../../../src/commands/exitCode.ts'
import { outlasting, scheduleLoads, scheduleTooShort, type TickWork } from '../../../src/core/findings/scheduleLoad.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { judged, report } from '../daemon/reports.ts'
import { about, face, view } from '../render/sample.ts'
import { acme } from './smallWorld.ts'

const minute = 60_000
const one: TickWork = {
  credential: 'default',
  quietCalls: 3,
  budget: { limit: 60, allowed: 54, others: 19, windowMs: minute },
  intervalMs: 10 * minute,
}
const workspaces = (count: number, more: Partial<TickWork> = {}) => Array.from({ length: count }, () => ({ about: { ...one, ...more } }))

describe('a schedule that cannot fit its own work', () => {
  test.each([
    ['one workspace every ten minutes', workspaces(1), 0],
    ['as many as 540 calls carry, settings included', workspaces(170), 0],
    ['one more', workspaces(171), 1],
    ['projects on three pages', workspaces(102, { quietCalls: 5 }), 0],
    ['on more pages', workspaces(110, { quietCalls: 5 }), 1],
    ['every minute', workspaces(18, { intervalMs: minute }), 1],
    ['every minute as many as it carries', workspaces(1, { quietCalls: 53, intervalMs: minute }), 0],
    ['and one more', workspaces(1, { quietCalls: 54, intervalMs: minute }), 1],
    ['every ten seconds, shorter than the window', workspaces(3, { intervalMs: 10_000 }), 1],
    ['once a day', workspaces(10_000, { intervalMs: 1_440 * minute }), 0],
    ['once, ever', workspaces(10_000, { intervalMs: Number.POSITIVE_INFINITY }), 0],
  ])('%s', (_name, all, findings) => expect(scheduleTooShort(all)).toHaveLength(findings))

  test('is told once a credential, with numbers and what would do', () => {
    const all = [...workspaces(400), ...workspaces(10, { credential: 'small' }), ...workspaces(200, { credential: 'other' })]
    expect(scheduleTooShort(all).map(({ code, place }) => [code, place])).toEqual([
      ['schedule-too-short', 'credential "default"'],
      ['schedule-too-short', 'credential "other"'],
    ])
    expect(scheduleTooShort(all)[0]).toMatchObject({
      sentence: 'a cycle over its 400 workspaces takes 1,267 calls, and 540 are allowed in the 10 min between two ticks',
      cure: 'set a schedule.cron with at least 23 min 28 s between its ticks, or divide the workspaces among 3 credentials',
    })
    expect(scheduleTooShort(workspaces(2, { quietCalls: 50, intervalMs: minute }))[0]?.cure).toContain(
      'or divide the workspaces among 2 credentials',
    )
    expect(scheduleLoads(all)[1]).toEqual({ credential: 'small', workspaces: 10, calls: 32, allowed: 540, others: 0, intervalMs: 600_000 })
  })

  test('others who hold a third of every window are taken off, and a workspace has one credential', () => {
    const budget = { limit: 60, allowed: 54, others: 48, windowMs: minute }
    expect(scheduleTooShort(workspaces(1, { budget, intervalMs: 30_000 }))).toMatchObject([
      {
        sentence:
          'a cycle over its 1 workspace takes 4 calls, and 3 are allowed in the 30 s between two ticks (others use 48 requests with this key in each window, already subtracted)',
        cure: 'set a schedule.cron with at least 40 s between its ticks',
      },
    ])
    expect(scheduleLoads(workspaces(1, { budget: { ...budget, others: 59 } }))).toMatchObject([{ allowed: 10, others: 59 }])
    expect(scheduleLoads(workspaces(1, { budget: { ...budget, others: 20 } }))).toMatchObject([{ allowed: 340, others: 20 }])
  })
})

test('a plan that takes longer than there is between two ticks is something to know', () => {
  expect(outlasting(acme, { ms: 600_000, fits: false }, 600_000)).toEqual([])
  expect(outlasting(acme, { ms: 3_700_000, fits: false }, 600_000)).toMatchObject([
    {
      code: 'plan-outlasts-interval',
      severity: 'info',
      sentence:
        'writing this plan takes about 1 h 1 min, and there are 10 min between two ticks: the next cycle begins when the plan is written',
    },
  ])
})

test('a plan that fits into the budget is none, since its time is only an upper bound', () => {
  expect(outlasting(acme, { ms: 26_000, fits: true }, 10_000)).toEqual([])
})

test('every rendering shows what workspaces share, once', () => {
  const busy = view(face, { about: { ...about, intervalMs: 1_000 } })
  const sentence = 'a cycle over its 2 workspaces takes 7 calls, and 0 are allowed in the 1 s between two ticks'
  const text = plansText([busy, busy], { colour: false, width: 200 })
  expect(text.split('\n\n')[2]).toContain(`warning schedule-too-short: ${sentence} · credential "default"`)
  expect(JSON.parse(planJson([busy, busy])).findings).toMatchObject([{ code: 'schedule-too-short', sentence }])
  expect(planMarkdown([busy, busy]).split(sentence)).toHaveLength(2)
})

test('--fail-on findings sees it, too', () => {
  const one = judged({}, [])
  const busy = report({ ...one, about: { ...one.about, intervalMs: 1_000 } })
  expect([exitCode(busy, new Set(['findings'])), exitCode(busy), exitCode(report(one), new Set(['findings']))]).toEqual([2, 0, 0])
})
