import { expect, test } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { type RetryOptions, usualRetries, withRetries } from '../../../src/plane/rate/retry.ts'
import { never, virtualTime } from './virtualTime.ts'

type Step = number | NoAnswer['code'] | { readonly status: number; readonly retryAfterS: number } | { readonly unsent: NoAnswer['code'] }

type Kind = 'repeatable' | 'create'

type More = { readonly signal?: AbortSignal; readonly retries?: number } & Partial<RetryOptions>

/** Each step is the result of one attempt. The last step repeats. Each attempt takes 10 ms. */
async function run(kind: Kind, steps: readonly Step[], { signal = never, retries = 100, ...options }: More = {}) {
  const time = virtualTime(0)
  const sentAtMs: number[] = []
  const attempt = async (): Promise<Answer> => {
    const step = steps[Math.min(sentAtMs.length, steps.length - 1)] as Step
    sentAtMs.push(time.now())
    await time.sleep(10, never)
    if (typeof step === 'string') throw new NoAnswer(step, true, time.now(), step)
    if (typeof step === 'object' && 'unsent' in step) throw new NoAnswer(step.unsent, false, time.now(), step.unsent)
    const status = typeof step === 'number' ? step : step.status
    const headers: Record<string, string> = typeof step === 'number' ? {} : { 'retry-after': String(step.retryAfterS) }
    return { status, headers, body: '', sentAtMs: 0, receivedAtMs: time.now() }
  }
  let left = retries
  const retrying = {
    options: { ...usualRetries, ...options },
    idempotent: kind === 'repeatable',
    mayRetry: () => left-- > 0,
    clock: time,
    random: () => 0.5,
  }
  const attempted = withRetries(attempt, retrying, signal)
  await time.run()
  const { earlierLastByteMs, ...tried } = await attempted
  return {
    result: 'answer' in tried ? tried.answer.status : (tried.error as NoAnswer).code,
    sentAtMs,
    ...(earlierLastByteMs === undefined ? {} : { earlierLastByteMs }),
  }
}

const transient = [500, 502, 503, 504, 408, 'cut', 'deadline'] as const

test.each(transient)('what may be repeated is, after %s, and says when the last byte of an earlier sending left', async (step) => {
  expect(await run('repeatable', [step, step, 200])).toEqual({ result: 200, sentAtMs: [0, 510, 1520], earlierLastByteMs: 520 })
})

test.each(transient)('a create that fails with %s may have been executed, and is never repeated', async (step) => {
  expect(await run('create', [step, 200])).toEqual({ result: step, sentAtMs: [0] })
})

test.each(['repeatable', 'create'] as const)('of what is %s, and was not sent, nothing is known to have been executed', async (kind) => {
  const unsent = { unsent: 'unreachable' } as const
  expect(await run(kind, [unsent, 200])).toEqual({ result: 200, sentAtMs: [0, 510] })
  expect(await run(kind, [unsent])).toMatchObject({ result: 'unreachable', sentAtMs: { length: 3 } })
})

test('an earlier sending is not forgotten when a later one is never sent', async () => {
  expect(await run('repeatable', ['cut', { unsent: 'unreachable' }])).toMatchObject({ result: 'unreachable', earlierLastByteMs: 10 })
  expect(await run('repeatable', ['cut', 404])).toMatchObject({ result: 404, earlierLastByteMs: 10 })
  expect(await run('repeatable', ['cut', { unsent: 'aborted' }])).toMatchObject({ result: 'aborted', earlierLastByteMs: 10 })
})

test('a permanent 500 costs a few attempts, and no more when the retry budget is spent', async () => {
  expect(await run('repeatable', [500])).toMatchObject({ result: 500, sentAtMs: { length: 3 } })
  expect(await run('repeatable', [500], { retries: 1 })).toMatchObject({ result: 500, sentAtMs: { length: 2 } })
  expect(await run('repeatable', [500], { retries: 0 })).toEqual({ result: 500, sentAtMs: [0] })
})

test.each([200, 400, 401, 403, 404, 301, 'tls', 'tooLarge', 'aborted'] as const)('what ends with %s is not repeated', async (step) => {
  expect(await run('repeatable', [step, 200])).toEqual({ result: step, sentAtMs: [0] })
})

test.each(['repeatable', 'create'] as const)(
  'what is %s, and refused, was not executed, and is sent again, outside the retry budget',
  async (kind) => {
    expect(await run(kind, [429, 429, 201], { retries: 0 })).toMatchObject({ result: 201, sentAtMs: { length: 3 } })
    expect(await run(kind, [429])).toMatchObject({ result: 429, sentAtMs: { length: 4 } })
  },
)

test('a refusal is repeated however long it was waited for: where a limit is low, that is minutes', async () => {
  const throttled = { status: 429, retryAfterS: 3600 }
  expect(await run('create', [throttled, 201], { withinMs: 1 })).toMatchObject({ result: 201 })
})

test('no attempt begins when the time of the call is over', async () => {
  expect(await run('repeatable', [503, 200], { withinMs: 511 })).toMatchObject({ result: 200, sentAtMs: [0, 510] })
  expect(await run('repeatable', [503, 200], { withinMs: 510 })).toMatchObject({ result: 503, sentAtMs: [0] })
})

test('nothing is repeated after the signal, and no retry is taken for it', async () => {
  expect(await run('repeatable', [503, 200], { signal: AbortSignal.abort() })).toMatchObject({ result: 503, sentAtMs: [0] })
})
