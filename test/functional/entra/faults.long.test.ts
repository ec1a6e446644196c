import { describe, expect, test } from 'vitest'
import { type Fault, graphError } from '../standIns/entra.ts'
import { always, first, reading, readWith, usual } from './world.ts'

const pages = ['groups', 'groups 3', 'groups 5'] as const

describe('a fault of one request', () => {
  const html = (response: Parameters<Fault>[2]) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html>')
  const faults: readonly [string, Parameters<typeof first>[2]][] = [
    ['500', (response) => graphError(response, 500, 'InternalServerError')],
    ['503 of a proxy, in HTML', html],
    ['504', (response) => graphError(response, 504, 'UnknownError')],
    ['429 with Retry-After', (response) => graphError(response, 429, 'TooManyRequests', 'x', { 'retry-after': '1' })],
    ['429 without Retry-After', (response) => graphError(response, 429, 'activityLimitReached')],
    ['a cut connection', cut],
    ['a reset connection', (response) => response.socket?.resetAndDestroy()],
    ['cut JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"value":[{"id":"0')],
    ['HTML with 200', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['no text with 200', (response) => response.writeHead(200).end()],
    ['a token that has expired', (response) => graphError(response, 401, 'InvalidAuthenticationToken')],
    ['a right that was granted a moment ago', (response) => graphError(response, 403, 'Authorization_RequestDenied')],
  ]
  test.each(faults.flatMap(([name, answer]) => pages.map((page) => [name, page, answer] as const)))(
    '%s, once, for %s: asked again, complete',
    async (_, page, answer) => {
      const { result, names } = await reading(usual, first(page, 1, answer))
      expect(result).toMatchObject({ status: 'complete' })
      expect(names).toHaveLength(25)
    },
  )

  test.each(faults.flatMap(([name, answer]) => pages.map((page) => [name, page, answer] as const)))(
    '%s, for ever, for %s: failed after a few attempts, with the address',
    async (_, page, answer) => {
      const { result, asked } = await reading(usual, first(page, always, answer))
      expect(result).toMatchObject({ status: 'failed', why: expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+\/v1\.0\/groups/) })
      expect(asked.filter((key) => key === page).length).toBeLessThanOrEqual(4)
    },
  )

  test.each(pages)('a stall of %s ends at the deadline of the request', async (page) => {
    const { result } = await reading(
      usual,
      first(page, always, () => undefined),
      { deadlineMs: 60 },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('no complete answer within 0.06 s') })
  })

  test.each(pages)('a server that is killed at %s', async (page) => {
    const { result } = await readWith(usual, (server) => (key) => {
      if (key !== page) return false
      server().kill()
      return true
    })
    expect(result).toMatchObject({ status: 'failed', cure: expect.stringContaining('network') })
  })

  test('a token that is revoked in the middle is renewed once', async () => {
    const { result, asked } = await readWith(usual, (server) => (key, nth) => {
      if (key === 'groups 3' && nth === 1) server().revoke()
      return false
    })
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'token')).toHaveLength(2)
  })
})

function cut(response: Parameters<Fault>[2]): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('{"value":[{"id":')
  setTimeout(() => response.destroy(), 10)
}
