import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPlace } from './program.ts'
import { started } from './startedDaemon.ts'

const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } },
}

// Node itself opens a debugger at this signal, through which each account of the machine could read the key.
test('SIGUSR1, which tools send to programs to reopen their log, opens no debugger and stops nothing', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const { daemon, cycle, stop } = await started(place)
  daemon.child.kill('SIGUSR1')
  await sleep(500)
  await cycle()
  await stop()
  const lines = daemon.err().trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
})
