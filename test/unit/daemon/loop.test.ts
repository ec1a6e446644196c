import { describe, expect, test } from 'vitest'
import { type LoopParts, openTriggers, runLoop, type Trigger } from '../../../src/daemon/loop.ts'
import { virtualTime } from '../plane/virtualTime.ts'

type Report = { readonly heldUntilMs?: number; readonly nextDateMs?: number }

const minuteMs = 60_000
/** A tick every ten minutes; time begins at minute 1 after a tick. */
const startMs = minuteMs

function world(
  cycle: (
    n: number,
    world: { sleep: (ms: number) => Promise<void> },
    signal: AbortSignal,
  ) => Promise<Report | undefined> | Report | undefined,
  more: Partial<LoopParts<Report>> = {},
) {
  const clock = virtualTime(startMs)
  const triggers = openTriggers()
  const stop = new AbortController()
  const log: string[] = []
  let running = 0
  let count = 0
  const at = () => `${(clock.now() / minuteMs).toFixed(2).replace(/\.?0+$/, '')}m`
  const loop: LoopParts<Report> = {
    cycle: async (why, signal) => {
      log.push(`${at()} ${why}`)
      expect(++running).toBe(1)
      try {
        return await cycle(++count, { sleep: (ms) => clock.sleep(ms, new AbortController().signal) }, signal)
      } finally {
        running--
      }
    },
    nextTickMs: (afterMs) => (Math.floor(afterMs / (10 * minuteMs)) + 1) * 10 * minuteMs,
    jitterMs: () => 0,
    random: () => 0,
    heldUntilMs: (report) => report.heldUntilMs,
    nextDateMs: (report) => report.nextDateMs,
    triggers,
    clock,
    onError: (error) => log.push(`${at()} error ${error instanceof Error ? error.message : String(error)}`),
    ...more,
  }
  const ended = runLoop(loop, stop.signal).then(() => log.push(`${at()} ended`))
  return { clock, triggers, log, stop, ended, until: (minutes: number) => clock.run(minutes * minuteMs) }
}

describe('when cycles run', () => {
  test('one when a rule starts or ends, if that is before the next tick', async () => {
    // The next date after the beginning of each cycle.
    const dates = [3.5, 6, 25, 25, 25].map((at) => at * minuteMs)
    const { log, until } = world((n) => (dates[n - 1] === undefined ? {} : { nextDateMs: dates[n - 1] as number }))
    await until(31)
    expect(log).toEqual(['1m start', '3.5m date', '6m date', '10m schedule', '20m schedule', '25m date', '30m schedule'])
  })
  test('one at once if a date passed during the last cycle', async () => {
    const { log, until } = world(async (n, { sleep }) => {
      if (n === 1) await sleep(minuteMs)
      return n === 1 ? { nextDateMs: startMs + 30_000 } : {}
    })
    await until(5)
    expect(log).toEqual(['1m start', '2m date'])
  })
  test('by the clock of the machine: a date is reached as soon as the clock was set forward over it', async () => {
    const { clock, log, until } = world((n) => (n === 1 ? { nextDateMs: 9 * minuteMs } : {}))
    await until(2.5)
    clock.set(7 * minuteMs)
    await until(4)
    expect(log[1]).toMatch(/ date$/)
    expect(Number.parseFloat(log[1] ?? '')).toBeLessThan(4)
  })
  test('a date is delayed like a tick', async () => {
    const { log, until } = world((n) => (n === 1 ? { nextDateMs: 3 * minuteMs } : {}), { jitterMs: () => minuteMs, random: () => 0.5 })
    await until(5)
    expect(log).toEqual(['1m start', '3.5m date'])
  })

  test('one at once, then one a tick', async () => {
    const { log, until } = world(() => ({}))
    await until(35)
    expect(log).toEqual(['1m start', '10m schedule', '20m schedule', '30m schedule'])
  })

  test.each([
    ['a minute', minuteMs],
    ['an hour', 60 * minuteMs],
    ['a year', 365 * 24 * 60 * minuteMs],
  ])('within two intervals after the clock was set back by %s, and so on', async (_span, byMs) => {
    const { clock, log, until } = world(() => ({}))
    await until(12)
    clock.set(-byMs)
    await until(32)
    const times = log.map((line) => Number.parseFloat(line))
    expect(times.slice(0, 2)).toEqual([1, 10])
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(20)
    expect(times.at(-1)).toBeGreaterThan(20)
  })

  test.each([
    ['a minute', minuteMs],
    ['an hour', 60 * minuteMs],
    ['a year', 365 * 24 * 60 * minuteMs],
  ])('at once if the clock was set forward by %s over a tick, and then one a tick', async (_span, byMs) => {
    const { clock, log, until } = world(() => ({}))
    await until(19.5)
    clock.set(byMs)
    await until(45)
    const times = log.map((line) => Number.parseFloat(line))
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10)
    expect(times.length).toBeLessThanOrEqual(6)
  })

  test('the end of a hold stays where it was, wherever the clock is set', async () => {
    // Not more than 3 minutes forward: the clock would pass the next tick.
    for (const byMs of [-60 * minuteMs, 3 * minuteMs]) {
      const { clock, log, until } = world((n) => (n === 1 ? { heldUntilMs: 6 * minuteMs } : {}))
      await until(2)
      clock.set(byMs)
      await until(7)
      expect(log.filter((line) => line.endsWith('hold'))).toEqual(['6m hold'])
    }
  })

  test('jitter delays ticks, not the first cycle and not triggers', async () => {
    const { log, until, triggers } = world(() => ({}), { jitterMs: () => minuteMs, random: () => 0.5 })
    await until(12)
    triggers.fire('reload')
    await until(22)
    expect(log).toEqual(['1m start', '10.5m schedule', '11.5m reload', '20.5m schedule'])
  })

  test('any number of triggers while a cycle runs leads to exactly one more', async () => {
    const { log, until, triggers } = world(async (n, { sleep }) => {
      if (n === 1) await sleep(3 * minuteMs)
      return {}
    })
    await until(2)
    for (const why of ['reload', 'reload', 'hold'] satisfies Trigger[]) triggers.fire(why)
    await until(15)
    expect(log).toEqual(['1m start', '4m reload', '10m schedule'])
  })

  test('a cycle longer than the interval is followed by one, not by all ticks that it missed', async () => {
    const { log, until } = world(async (n, { sleep }) => {
      if (n === 1) await sleep(33 * minuteMs)
      return {}
    })
    await until(45)
    expect(log).toEqual(['1m start', '34m schedule', '40m schedule'])
  })

  test('what asked before the first cycle is served by it', async () => {
    const triggers = openTriggers()
    triggers.fire('reload')
    const { log, until } = world(() => ({}), { triggers })
    await until(5)
    expect(log).toEqual(['1m start'])
  })

  test('a tick whose jitter has not passed when a cycle ends is not lost', async () => {
    const { log, until } = world(
      async (n, { sleep }) => {
        if (n === 1) await sleep(9.25 * minuteMs)
        return {}
      },
      { jitterMs: () => minuteMs, random: () => 0.5 },
    )
    await until(11)
    expect(log).toEqual(['1m start', '10.5m schedule'])
  })

  test('a hold that ends before the next tick starts a cycle then; one that ends later does not', async () => {
    const { log, until } = world((n) => (n === 1 ? { heldUntilMs: 3 * minuteMs } : { heldUntilMs: 60 * minuteMs }))
    await until(11)
    expect(log).toEqual(['1m start', '3m hold', '10m schedule'])
  })

  test('a hold that is over again and again is no hot loop', async () => {
    const { log, until } = world(() => ({ heldUntilMs: 0 }))
    await until(1 + 5.5 / 60)
    expect(log).toHaveLength(6)
  })

  test('a cycle that throws is told and the loop goes on', async () => {
    const { log, until } = world((n) => {
      if (n === 1) throw new Error('no declaration')
      return {}
    })
    await until(11)
    expect(log).toEqual(['1m start', '1m error no declaration', '10m schedule'])
  })

  test('a cycle that throws forgets no date and no hold that is still to come', async () => {
    const report = { nextDateMs: 7 * minuteMs, heldUntilMs: 5 * minuteMs }
    const { log, until, triggers } = world((n) => {
      if (n === 2 || n === 3) throw new Error('full disk')
      return n === 1 ? report : {}
    })
    await until(2)
    triggers.fire('order')
    await until(3)
    triggers.fire('reload')
    await until(8)
    expect(log).toEqual(['1m start', '2m order', '2m error full disk', '3m reload', '3m error full disk', '5m hold'])
  })

  test('a date and a hold for which a cycle threw wait for the next tick', async () => {
    const { log, until } = world((n) => {
      if (n > 1) throw new Error('full disk')
      return { nextDateMs: 3 * minuteMs, heldUntilMs: 5 * minuteMs }
    })
    await until(11)
    const errors = ['3m', '5m', '10m'].map((at) => `${at} error full disk`)
    expect(log).toEqual(['1m start', '3m date', errors[0], '5m hold', errors[1], '10m schedule', errors[2]])
  })

  test('a changed schedule holds from the next wait on', async () => {
    let everyMs = 10 * minuteMs
    const { log, until } = world(
      (n) => {
        if (n === 2) everyMs = 2 * minuteMs
        return {}
      },
      { nextTickMs: (afterMs) => (Math.floor(afterMs / everyMs) + 1) * everyMs },
    )
    await until(15)
    expect(log).toEqual(['1m start', '10m schedule', '12m schedule', '14m schedule'])
  })

  test('a machine that slept for hours does one cycle, soon after it wakes', async () => {
    let aheadMs = 0
    const clock = virtualTime(startMs)
    const jumping = { ...clock, wall: () => clock.wall() + aheadMs }
    const begun: number[] = []
    const triggers = openTriggers()
    void runLoop<Report>(
      {
        cycle: async () => {
          begun.push(clock.now())
          return {}
        },
        nextTickMs: (afterMs) => (Math.floor(afterMs / (10 * minuteMs)) + 1) * 10 * minuteMs,
        jitterMs: () => 0,
        random: () => 0,
        heldUntilMs: () => undefined,
        triggers,
        clock: jumping,
        onError: () => undefined,
      },
      new AbortController().signal,
    )
    await clock.run(2 * minuteMs)
    aheadMs = 5 * 60 * minuteMs
    await clock.run(4 * minuteMs)
    expect(begun).toHaveLength(2)
    expect(begun[1]).toBeLessThanOrEqual(3 * minuteMs)
  })
})

describe('stopping', () => {
  test('while it waits: at once, and no cycle begins', async () => {
    const { log, until, stop, ended, triggers } = world(() => ({}))
    await until(5)
    triggers.fire('reload')
    stop.abort()
    await ended
    expect(log).toEqual(['1m start', '4m ended'].map((line) => line.replace('4m', '5m')))
  })

  test('while a cycle runs: it is given the signal, is waited for, and none follows', async () => {
    const { log, until, stop, ended, clock, triggers } = world(async (_n, { sleep }, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await sleep(minuteMs)
      return { heldUntilMs: 0 }
    })
    await until(3)
    triggers.fire('reload')
    stop.abort()
    await clock.run()
    await ended
    expect(log).toEqual(['1m start', '2m ended'])
  })

  test('a cycle that throws because it was stopped is no error; one that throws anything else is', async () => {
    for (const [thrown, errors] of [
      [undefined, 0],
      [new Error('the journal is full'), 1],
    ] as const) {
      const { log, until, stop, ended } = world(async (_n, _world, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        throw thrown ?? signal.reason
      })
      await until(2)
      stop.abort()
      await ended
      expect(log.filter((line) => line.includes('error'))).toHaveLength(errors)
    }
  })

  test('before it began: nothing runs', async () => {
    const log: string[] = []
    const loop = { cycle: async () => log.push('cycle') } as unknown as LoopParts<number>
    await runLoop(loop, AbortSignal.abort())
    expect(log).toEqual([])
  })
})

describe('an order', () => {
  test('starts a cycle at once, and the tick after it stays where it was', async () => {
    const { log, triggers, until } = world(() => ({}))
    await until(3)
    triggers.fire('order')
    await until(11)
    expect(log).toEqual(['1m start', '3m order', '10m schedule'])
  })
  test('that leads to no report keeps the end of the last hold', async () => {
    const { log, triggers, until } = world((n) => (n === 2 ? undefined : n === 1 ? { heldUntilMs: 6 * minuteMs } : {}))
    await until(3)
    triggers.fire('order')
    await until(8)
    expect(log).toEqual(['1m start', '3m order', '6m hold'])
  })
  test('never hides a reload, whichever comes first', async () => {
    for (const order of [['order', 'reload'] as const, ['reload', 'order'] as const]) {
      const { log, triggers, until } = world(() => ({}))
      await until(3)
      for (const why of order) triggers.fire(why)
      await until(5)
      expect(log).toEqual(['1m start', '3m reload'])
    }
  })
  test('after another keeps no tick, no date and no hold waiting', async () => {
    // As the daemon does: after each cycle it rings for the orders that still wait.
    const ring =
      (report: Report | undefined) =>
      async (n: number, { sleep }: { sleep: (ms: number) => Promise<void> }) => {
        await sleep(4 * minuteMs)
        last.triggers.fire('order')
        return n === 1 ? report : undefined
      }
    let last = world(ring({}))
    await last.until(30)
    expect(last.log).toEqual(['1m start', '5m order', '9m order', '13m schedule', '17m order', '21m schedule', '25m order', '29m order'])
    for (const [why, report] of [
      ['date', { nextDateMs: 7 * minuteMs }],
      ['hold', { heldUntilMs: 7 * minuteMs }],
    ] as const) {
      last = world(ring(report))
      await last.until(10)
      expect(last.log).toEqual(['1m start', '5m order', `9m ${why}`])
    }
  })
})
