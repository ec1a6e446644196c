import { expect, test } from 'vitest'
import { openPlace } from './program.ts'
import type { Running } from './running.ts'

const declaration = 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: devs, project: ENG, role: member }] } }\n'

/** The value of a metric of the workspace `acme`. */
async function metric(daemon: Running, name: string): Promise<number> {
  await daemon.until(() => daemon.log().some(({ event }) => event === 'listening'))
  const { url } = daemon.log().find(({ event }) => event === 'listening') as unknown as { readonly url: string }
  const page = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^plane_group_sync_${name}\\{workspace="acme"\\} (.*)$`, 'm').exec(page)?.[1])
}
const cyclesOf = (daemon: Running) => daemon.log().filter(({ event }) => event === 'summary' || event === 'failure').length

test('after a restart the last attempt and the last success are those of the process before, also after cycles that wrote nothing', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const first = place.start(['run'])
  await first.until(() => cyclesOf(first) === 1)
  const written = await metric(first, 'last_success_timestamp_seconds')
  await first.until(() => Date.now() / 1_000 > written + 1)
  first.child.kill('SIGHUP')
  await first.until(async () => (await metric(first, 'last_success_timestamp_seconds')) > written)
  const success = await metric(first, 'last_success_timestamp_seconds')
  first.child.kill('SIGKILL')
  await first.ended
  const killed = Date.now() / 1_000

  // The service is gone, so every cycle fails from now on.
  await place.sandbox.close()
  // The journal has the time of the second cycle, too, but the time of a moment later. A busy disk makes it much later.
  const isKept = (seconds: number) => seconds > written + 0.5 && seconds < killed
  const second = place.start(['run'])
  expect(await metric(second, 'last_success_timestamp_seconds')).toSatisfy(isKept)
  expect(await metric(second, 'last_attempt_timestamp_seconds')).toBeGreaterThanOrEqual(Math.floor(success))
  await second.until(() => cyclesOf(second) === 1)
  const attempt = await metric(second, 'last_attempt_timestamp_seconds')
  second.child.kill('SIGTERM')
  await second.ended
  const third = place.start(['run'])
  expect(await metric(third, 'last_success_timestamp_seconds')).toSatisfy(isKept)
  expect(await metric(third, 'last_attempt_timestamp_seconds')).toBeGreaterThanOrEqual(Math.floor(attempt))
  third.child.kill('SIGKILL')
  await third.ended
})
