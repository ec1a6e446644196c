import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { canMount } from '../canMount.ts'
import { openPlace, stateOf } from './program.ts'
import { openClock } from './settableClock.ts'
import { started } from './startedDaemon.ts'

const declaration = {
  version: 1,
  workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } },
}

test.runIf(canMount)('a daemon whose lock becomes read-only goes on with cycles that write nothing, and ends with 0', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const clock = await openClock(place)
  const { daemon, cycle, metric } = await started(place, { env: clock.env, wrap: (command) => ['unshare', '--mount', ...command] })
  const lock = place.path('state/lock')
  const script = `mount --bind ${lock} ${lock} && mount -o remount,ro,bind ${lock}`
  execFileSync('nsenter', ['--target', String(daemon.child.pid), '--mount', 'sh', '-c', script])
  // Another process may have the lock after such a jump, so the lock is touched before it counts.
  await clock.set(60_000)
  await cycle()
  expect([await metric('cycles_thrown_total'), stateOf(place.sandbox)]).toEqual([0, ['ENG devs → member']])
  daemon.child.kill('SIGTERM')
  const { code, err } = await daemon.ended
  expect(err).not.toContain('EROFS')
  expect([code, daemon.log().filter(({ level }) => level === 'error')]).toEqual([0, []])
  // The lock that it could not remove stops no later process.
  expect(await readdir(place.path('state'))).toContain('lock')
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
})
