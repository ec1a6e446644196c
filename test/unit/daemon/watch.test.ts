import { expect, test } from 'vitest'
import { watchFiles } from '../../../src/daemon/edits.ts'
import { virtualTime } from '../plane/virtualTime.ts'

const startMs = 0

/** Watches until a time. @param look what a look finds at a time, in s @returns the times of the cycles that edits start, in s */
async function cycles(untilMs: number, look: (atS: number) => readonly string[], lookMs = 0) {
  const clock = virtualTime(startMs)
  const stop = new AbortController()
  const begun: string[] = []
  let looks = 0
  const watching = watchFiles(
    {
      clock,
      async look(signal) {
        looks++
        if (lookMs > 0) await clock.sleep(lookMs, signal)
        return look(clock.now() / 1_000)
      },
      onEdited: (names) => void begun.push(`${clock.now() / 1_000} ${names.join()}`),
    },
    stop.signal,
  )
  await clock.run(untilMs)
  stop.abort()
  await watching
  return { begun, looks }
}

test('an edit starts a cycle within a few seconds', async () => {
  let taken = false
  const edited = (atS: number) => {
    if (atS < 33 || taken) return []
    taken = true
    return ['declaration']
  }
  expect(await cycles(600_000, edited)).toEqual({ begun: ['34 declaration'], looks: 300 })
})

test('edits without a pause start a cycle once a minute', async () => {
  const { begun } = await cycles(200_000, () => ['settings'])
  expect(begun).toEqual(['2 settings', '62 settings', '122 settings', '182 settings'])
})

test('looks that take long are rare, so that the daemon has time for its work', async () => {
  const { looks } = await cycles(600_000, () => [], 1_000)
  expect(looks).toBeLessThanOrEqual(12)
})

test('a look that fails is followed by another one', async () => {
  let failures = 0
  const look = (atS: number) => {
    if (atS < 10) {
      failures++
      throw new Error('the disk does not answer')
    }
    return atS === 12 ? ['declaration'] : []
  }
  expect((await cycles(30_000, look)).begun).toEqual(['12 declaration'])
  expect(failures).toBe(4)
})
