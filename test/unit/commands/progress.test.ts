import { describe, expect, test } from 'vitest'
import { startProgress } from '../../../src/commands/progress.ts'
import type { BudgetQueue } from '../../../src/commands/waitWatch.ts'
import type { Change } from '../../../src/core/change.ts'
import type { GroupIndex } from '../../../src/core/group.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { BudgetSnapshot } from '../../../src/core/report.ts'
import { received } from '../../../src/plane/rate/answered.ts'
import { emptyBudget, sent, view } from '../../../src/plane/rate/budget.ts'
import { virtualTime } from '../plane/virtualTime.ts'
import { create } from '../render/sample.ts'

const [acme] = ['acme'] as readonly string[] as readonly [WorkspaceName]
const changes = Array.from({ length: 25 }, (_, n) => create('ENG', `team-${n}`, 'member'))
const plan = {
  workspace: acme,
  changes,
  holds: [],
  findings: [],
  later: [],
  laterUntilMs: 0,
  unchanged: 0,
  owned: {},
  administrators: 0,
  fingerprint: '',
} satisfies Plan
const settings = { requests: 10, windowMs: 60_000, reserve: 0, blockedMaxMs: 900_000 }

type How = { readonly hasLine?: boolean; readonly queue?: Partial<ReturnType<BudgetQueue['view']> & BudgetSnapshot> }

/** A command at a terminal. `shown` has each different line with its second; an empty line is no line. */
function world({ hasLine = true, queue: facts = {} }: How = {}) {
  const clock = virtualTime(0)
  const stop = new AbortController()
  const shown: string[] = []
  const said: string[] = []
  let budget = emptyBudget(settings)
  let length = 0
  const put = (text: string) => {
    const line = `${clock.now() / 1_000} ${text}`.trim()
    if ((shown.at(-1)?.replace(/^\S+ ?/, '') ?? '') !== text) shown.push(line)
  }
  const line = { show: (text: (columns: number) => string) => put(text(79)), hide: () => put(''), around: () => undefined }
  const queue = { view: () => ({ ...view(budget, clock.now()), length, circuit: { open: false }, ...facts }) }
  const progress = startProgress({
    line: hasLine ? line : undefined,
    say: (text) => void said.push(`${clock.now() / 1_000} ${text.trimEnd()}`),
    clock,
    signal: stop.signal,
    queues: () => new Map([['default', queue]]),
    work: (_, { length: count }) => ({ changes: count, reads: 0, sliceChanges: 100, budget: queue.view(), credential: 'default' }),
  })
  return {
    clock,
    stop,
    shown,
    said,
    progress,
    /** Sends requests that are answered at once. */
    use(count: number) {
      for (let n = 0; n < count; n++)
        budget = received(sent(budget, clock.now()), clock.now(), { kind: 'answer', status: 200, quotas: [] }, clock.now())
    },
    wait(count: number) {
      length = count
    },
    write: (change: Change | undefined) => change && progress.step(acme, { kind: 'tried', result: { change, outcome: { kind: 'done' } } }),
  }
}
const lines = (all: readonly string[]) => all.map((one) => one.replace(/^\S+ ?/, ''))

describe('at a terminal', () => {
  test('the seconds of a wait are counted down, each shown once, and the line vanishes at the end', async () => {
    const { clock, shown, progress, use, wait, write } = world()
    progress.step(acme, { kind: 'begins', plan })
    use(10)
    for (const change of changes.slice(0, 10)) write(change)
    wait(1)
    await clock.run(59_000)
    const seconds = shown.flatMap((one) => /waits (\d+) s/.exec(one)?.[1] ?? []).map(Number)
    expect(seconds.slice(0, 3)).toEqual([59, 58, 57])
    expect(seconds).toEqual(seconds.map((_, n) => (seconds[0] ?? 0) - n))
    expect(lines(shown)).toContain('10/25 written · waits 41 s · about 2 min to go · rate limit: 10 of 10 are used')
    progress.step(acme, { kind: 'ends' })
    progress[Symbol.dispose]()
    await clock.run()
    expect(lines(shown).at(-1)).toBe('')
  })

  test.each([10, 15, 24])('with %d changes written, an estimate is never shorter than the wait beside it', async (count) => {
    const { clock, shown, progress, use, wait, write } = world()
    progress.step(acme, { kind: 'begins', plan })
    use(10)
    for (const change of changes.slice(0, count)) write(change)
    wait(1)
    await clock.run(58_000)
    progress[Symbol.dispose]()
    const pairs = shown.flatMap((one) => {
      const [, waits, min = 0, s = 0] = /waits (\d+) s · (?:about|under) (?:(\d+) min ?)?(?:(\d+) s )?to go/.exec(one) ?? []
      return waits === undefined ? [] : [{ waits: Number(waits), toGo: Number(min) * 60 + Number(s) }]
    })
    expect(pairs.length).toBeGreaterThan(50)
    expect(pairs.filter(({ waits, toGo }) => toGo < waits)).toEqual([])
  })

  test('a request to stop is shown, without an estimate', () => {
    const { shown, stop, progress } = world()
    progress.step(acme, { kind: 'begins', plan })
    stop.abort()
    expect(lines(shown).at(-1)).toBe('0/25 written · stops after the request in flight')
    progress[Symbol.dispose]()
  })

  test('a pause between two rounds is counted down', async () => {
    const { clock, shown, progress } = world()
    progress.step(acme, { kind: 'begins', plan })
    progress.step(acme, { kind: 'ends' })
    progress.pause(3_000)
    await clock.run(2_500)
    progress.pause(undefined)
    progress[Symbol.dispose]()
    expect(lines(shown).slice(1)).toEqual([
      '',
      ...['3', '2', '1'].map((s) => `0/25 written · waits ${s} s · an earlier write may still be executed`),
      '',
    ])
  })

  test.each([
    ['Plane does not answer', { unansweredMs: 12_000 }, '0/25 written · waits for Plane, 12 s so far'],
    ['requests fail at once', { circuit: { open: true } }, '0/25 written'],
  ])('%s: no estimate', (_, queue, text) => {
    const { shown, progress } = world({ queue })
    progress.step(acme, { kind: 'begins', plan })
    expect(lines(shown)).toEqual([text])
    progress[Symbol.dispose]()
  })

  test('a service that is slower than the rate limit makes the estimate longer', async () => {
    const { clock, shown, progress, write } = world({ queue: { waitMs: 0, waitsMs: Array.from({ length: 100 }, () => 0) } })
    progress.step(acme, { kind: 'begins', plan })
    expect(lines(shown)).toEqual(['0/25 written · under 20 s to go'])
    for (const change of changes.slice(0, 5)) {
      await clock.run(clock.now() + 4_000)
      write(change)
    }
    await clock.run(clock.now() + 1_500)
    // 20 changes, 4 s each.
    expect(lines(shown).at(-1)).toBe('5/25 written · about 1 min 30 s to go')
    progress[Symbol.dispose]()
  })

  test('a slow directory is named after three seconds', async () => {
    const { clock, shown, progress } = world()
    let answer: (reading: Reading<GroupIndex>) => void = () => undefined
    const read = () => new Promise<Reading<GroupIndex>>((resolve) => (answer = resolve))
    const shrink = { share: 0.5, count: 10 } as never
    const reading = progress
      .watching(new Map([['corp', { kind: 'ldap', shrink, read }]]))
      .get('corp')
      ?.read(stopNever)
    await clock.run(4_500)
    expect(shown).toEqual(['3 waits for directory corp, 3 s so far', '4 waits for directory corp, 4 s so far'])
    answer({ status: 'failed', why: 'x', atMs: 0, tookMs: 0 })
    await reading
    await clock.run(5_500)
    expect(lines(shown).at(-1)).toBe('')
    progress[Symbol.dispose]()
  })
})

const stopNever = new AbortController().signal

describe('without a line that can be drawn again', () => {
  test('a wait is said once when it begins, and the counts every ten seconds', async () => {
    const { clock, said, shown, progress, use, wait, write } = world({ hasLine: false })
    progress.step(acme, { kind: 'begins', plan })
    use(10)
    for (const change of changes.slice(0, 10)) write(change)
    wait(1)
    await clock.run(59_000)
    write(changes[10])
    progress[Symbol.dispose]()
    await clock.run()
    expect(shown).toEqual([])
    expect(said[0]).toMatch(/^2\.5 Waiting 58 s for the rate limit of credential "default" \(10 of 10 are used\)\.$/)
    expect(said.slice(1)).toEqual([expect.stringMatching(/^59 11\/25 written · waits 2 s · about 1 min/)])
  })
})
