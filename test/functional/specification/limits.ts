import { expect } from 'vitest'
import { everywhere, never } from '../planeWorld.ts'
import { sticky } from '../specification-world.ts'
import { creation } from './acts.ts'
import type { Section } from './row.ts'

export const sections: readonly Section[] = [
  {
    section: 'Limits',
    rows: [
      {
        line: '60 requests per minute per API key',
        raw: async ({ ask }) => {
          for (let n = 0; n < 60; n += 1) expect((await ask('GET', 'projects/')).status).toBe(200)
          expect((await ask('GET', 'projects/')).status).toBe(429)
          expect((await ask('GET', 'projects/', { key: 'slow-key' })).status).toBe(200)
        },
        client: async ({ client, sandbox }) => {
          const { queue, reader } = client({ budget: { requests: 60, windowMs: 60_000 } })
          for (let n = 0; n < 60; n += 1) await reader.groupSync(never)
          expect(queue.view()).toMatchObject({ used: 60, remaining: 0 })
          const why = expect.stringContaining('waited for the rate limit') as string
          expect(await reader.projects(AbortSignal.timeout(50))).toMatchObject({ status: 'failed', why })
          expect(sandbox.requests.map(({ status }) => status)).toEqual(Array(60).fill(200))
        },
      },
      {
        line: '| Rate window | resets every minute |',
        raw: async ({ ask, sandbox }) => {
          sandbox.state.limit = { requests: 2, windowMs: 1_000 }
          const statuses = async () => [
            (await ask('GET', 'projects/')).status,
            (await ask('GET', 'projects/')).status,
            (await ask('GET', 'projects/')).status,
          ]
          expect(await statuses()).toEqual([200, 200, 429])
          await new Promise((resolve) => setTimeout(resolve, 1_010))
          expect(await statuses()).toEqual([200, 200, 429])
        },
        client: async ({ client, sandbox }) => {
          sandbox.state.limit = { requests: 2, windowMs: 300 }
          const { reader } = client({ budget: sandbox.state.limit })
          const beganMs = Date.now()
          for (let n = 0; n < 6; n += 1) await reader.groupSync(never)
          expect(sandbox.requests.map(({ status }) => status)).toEqual(Array(6).fill(200))
          expect(Date.now() - beganMs).toBeGreaterThanOrEqual(600)
        },
      },
      {
        line: '| X-RateLimit-Remaining | requests left in the current window (integer) |',
        raw: async ({ ask }) => {
          const remaining = async () => (await ask('GET', 'projects/')).headers.get('x-ratelimit-remaining')
          expect([await remaining(), await remaining(), await remaining()]).toEqual(['59', '58', '57'])
        },
        client: async ({ ask, client }) => {
          const { queue, reader } = client({ budget: { requests: 60, windowMs: 60_000 } })
          for (let n = 0; n < 10; n += 1) await ask('GET', 'projects/')
          await reader.groupSync(never)
          // The client also counts the requests of others with the same key.
          expect(queue.view()).toMatchObject({ used: 11, others: 10, remaining: 49 })
        },
      },
      {
        line: '| X-RateLimit-Reset | time the window resets, UTC epoch seconds (integer) |',
        raw: async ({ ask }) => {
          const { headers } = await ask('GET', 'projects/')
          expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/)
          const inS = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
          expect(inS).toBeGreaterThan(50)
          expect(inS).toBeLessThan(61)
        },
        client: async ({ client, sandbox }) => {
          const { queue, reader } = client({ budget: { requests: 60, windowMs: 60_000 } })
          await reader.groupSync(never)
          // The header means different times in the two dialects, so a success never makes the client wait.
          expect(queue.view()).toMatchObject({ blockedUntilMs: 0, waitMs: 0 })
          expect(sandbox.requests).toHaveLength(1)
        },
      },
      {
        line: 'Response headers on each request',
        differs: ['rateHeaders', 'stickiesCount'],
        raw: async ({ ask, by }) => {
          const answers = [
            await ask('GET', `stickies/${sticky}/`),
            await ask('GET', 'nowhere/'),
            await ask('GET', 'projects/', { key: 'no-such-key' }),
          ]
          for (const { headers } of answers) expect(headers.has('x-ratelimit-remaining')).toBe(by({ specification: true, plane: false }))
        },
        client: async ({ client }) => {
          const { queue, reader } = client({ budget: { requests: 60, windowMs: 60_000 } })
          await reader.groupSync(never)
          // Without headers the client counts its own requests, rather too many than too few.
          expect(queue.view().used).toBe(1)
        },
      },
      {
        line: 'When the limit is exceeded the response is 429.',
        raw: async ({ ask, sandbox }) => {
          sandbox.state.limit = { requests: 0, windowMs: 60_000 }
          expect((await ask('GET', 'projects/')).status).toBe(429)
        },
        client: async ({ client, sandbox }) => {
          sandbox.state.limit = { requests: 1, windowMs: 300 }
          const { reader, writer } = client({ budget: { requests: 60, windowMs: 300 } })
          expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
          // A refused write was not executed, so the client sends it again.
          expect(await writer.write(creation(everywhere), never)).toMatchObject({ kind: 'done' })
          expect(sandbox.state.workspaces.acme?.workspaceMappings).toHaveLength(1)
        },
      },
    ],
  },
]
