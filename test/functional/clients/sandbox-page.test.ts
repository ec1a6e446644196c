import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { blockBelow, pagePort } from '../sandboxPage.ts'
import { officialClients } from './client.ts'

test('the example with Python on docs/sandbox.md prints what its comments say', async () => {
  await using sandbox = await startSandbox({ dialect: 'plane' })
  const script = blockBelow('### With Python', 'python')
  const [python] = officialClients.find(({ name }) => name === 'Python')?.command() ?? expect.unreachable('there is a Python client')
  const text = script.replaceAll(`127.0.0.1:${pagePort}`, new URL(sandbox.url).host)
  const { stdout } = await promisify(execFile)(python, ['-c', text], { env: { NO_PROXY: '*', no_proxy: '*' } })
  const shown = [...script.matchAll(/^ *print\(.*\) {2}# (.*)$/gm)].map(([, comment]) => comment)
  expect(shown.length).toBeGreaterThan(2)
  expect(stdout.trim().split('\n')).toEqual(shown)
  expect([sandbox.faults, sandbox.requests]).toEqual([[], []])
})
