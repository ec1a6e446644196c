import { expect, test } from 'vitest'
import { followCycle } from '../../../src/commands/orders/askRunning.ts'
import type { RunningAnswer } from '../../../src/documents/daemonOrder.ts'
import { virtualTime } from '../plane/virtualTime.ts'

const cycle = { began: '2026-11-28T04:00:42.150Z', workspaces: { ended: 0, of: 1 }, of: 80, waitMs: 0 }

/** @param line whether standard error can draw one */
function world(line: boolean) {
  const clock = virtualTime(0)
  const texts: string[] = []
  const put = (text: string) => void texts.push(`${clock.now() / 1_000} ${text}`)
  let asked = 0
  let answer: RunningAnswer | undefined = { running: { ...cycle, written: 1 }, isOfOrder: false }
  const following = followCycle({
    line: line ? { show: (text) => put(text(79)), hide: () => put('no line'), around: () => undefined } : undefined,
    say: put,
    clock,
    ask: async () => {
      asked++
      return answer
    },
  })
  return { clock, texts, following, asked: () => asked, answers: (next: RunningAnswer | undefined) => (answer = next) }
}

test('a line is drawn again each second, and is gone while no cycle runs', async () => {
  const { clock, texts, following, answers } = world(true)
  await clock.run(500)
  answers({ running: { ...cycle, written: 7 }, isOfOrder: true })
  await clock.run(1_000)
  answers({ isOfOrder: false })
  await clock.run(2_000)
  answers(undefined)
  await clock.run(3_000)
  expect(texts).toEqual([
    "0 This order comes after the daemon's cycle: 1/80 written",
    '1 This order: 7/80 written',
    '2 no line',
    '3 no line',
  ])
  await following[Symbol.asyncDispose]()
  await clock.run(10_000)
  expect(texts.slice(4)).toEqual(['3 no line'])
})

test('without a terminal a sentence comes at the beginning, and then each 30 s', async () => {
  const { clock, texts, following, asked } = world(false)
  await clock.run(29_000)
  expect([texts.length, asked()]).toEqual([1, 1])
  await clock.run(61_000)
  expect(texts.map((text) => text.split(' ')[0])).toEqual(['0', '30', '60'])
  await following[Symbol.asyncDispose]()
})
