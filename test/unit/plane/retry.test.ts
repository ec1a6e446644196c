import { expect, test } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { usualRetries, withRetries } from '../../../src/plane/retry.ts'
import { never, virtualTime } from './virtualTime.ts'

type Step = number | NoAnswer['code'] | { readonly status: number; readonly retryAfterS: number }

async function run(kind: 'read' | 'write', steps: readonly Step[], signal: AbortSignal = never) {
  const time = virtualTime(0)
  const sentAtMs: number[] = []
  const attempt = async (): Promise<Answer> => {
    const step = steps[Math.min(sentAtMs.length, steps.length - 1)] as Step
    sentAtMs.push(time.now())
    if (typeof step === 'string') throw new NoAnswer(step, true, time.now(), step)
    const status = typeof step === 'number' ? step : step.status
    const headers: Record<string, string> = typeof step === 'number' ? {} : { 'retry-after': String(step.retryAfterS) }
    return { status, headers, body: '', sentAtMs: 0, receivedAtMs: 0 }
  }
  const result = withRetries(attempt, { kind, options: usualRetries, clock: time, random: () => 0.5 }, signal).then(
    ({ status }) => status,
    (error: NoAnswer) => error.code,
  )
  await time.run()
  return { result: await result, sentAtMs }
}

test.each([500, 502, 503, 504, 408, 'cut', 'deadline', 'unreachable'] as const)('a read that fails with %s is repeated', async (step) => {
  expect(await run('read', [step, step, 200])).toEqual({ result: 200, sentAtMs: [0, 500, 1500] })
})

test('a permanent 500 costs a few attempts, not for ever', async () => {
  expect(await run('read', [500])).toMatchObject({ result: 500, sentAtMs: { length: 3 } })
})

test.each([400, 401, 403, 404, 301, 'tls', 'tooLarge', 'aborted'] as const)('a read that ends with %s is not repeated', async (step) => {
  expect(await run('read', [step, 200])).toEqual({ result: step, sentAtMs: [0] })
})

test.each([500, 502, 503, 504, 408, 'cut', 'deadline', 'unreachable'] as const)(
  'a write that fails with %s is never repeated',
  async (step) => {
    expect(await run('write', [step, 200])).toEqual({ result: step, sentAtMs: [0] })
  },
)

test.each(['read', 'write'] as const)('a refused %s was not executed, and is sent again', async (kind) => {
  expect(await run(kind, [429, 429, 201])).toMatchObject({ result: 201, sentAtMs: { length: 3 } })
  expect(await run(kind, [429])).toMatchObject({ result: 429, sentAtMs: { length: 4 } })
})

test('a refusal that would block for longer than the call may take is the result', async () => {
  expect(await run('write', [{ status: 429, retryAfterS: 3600 }, 201])).toMatchObject({ result: 429, sentAtMs: [0] })
})

test('nothing is repeated after the signal', async () => {
  const stop = new AbortController()
  stop.abort()
  expect(await run('read', [503, 200], stop.signal)).toMatchObject({ result: 503, sentAtMs: [0] })
})
