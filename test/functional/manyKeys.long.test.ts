import { expect, onTestFinished, test } from 'vitest'
import { cycleOutcome } from '../../src/cycle/outcome.ts'
import { connectOrigin } from '../../src/http/origin.ts'
import { programOfManyKeys } from '../unit/manyKeys/program.ts'
import { realClock } from './planeWorld.ts'
import { json, rawServer } from './rawServer.ts'

const answersAfterMs = 300

test('of hundreds of keys at once no request loses its time to the wait for a connection', async () => {
  const counts = { answering: 0, most: 0 }
  await using server = await rawServer((_, response) => {
    counts.most = Math.max(counts.most, ++counts.answering)
    setTimeout(() => {
      counts.answering--
      json(response, 200, [])
    }, answersAfterMs)
  })
  const names = Array.from({ length: 500 }, (_, n) => `c${n}`)
  const program = await programOfManyKeys({
    credentials: Object.fromEntries(names.map((name) => [name, [`${name}-x`]])),
    declaration: 'workspaceRoles: []\nprojectRoles: []\n',
    groups: ['devs'],
    // The last of 1,000 requests waits for more than four seconds, because 64 run at a time.
    service: { baseUrl: server.url.href, timeout: '3s' },
    clock: realClock,
    connect: connectOrigin,
  })
  onTestFinished(() => program.close())
  const { workspaces } = await program.cycle(new AbortController().signal)
  expect(new Set(workspaces.map(cycleOutcome))).toEqual(new Set(['success']))
  expect(server.requests).toHaveLength(1_000)
  expect(counts.most).toBe(64)
})
