import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { chain } from '../certificateChain.ts'
import { behindTls } from '../everySetting/behindTls.ts'
import { selfSigned } from '../selfSigned.ts'
import { openPlace, stateOf } from './program.ts'

test('a daemon reads a renewed service.caFile at the next cycle, and keeps the last good one while it cannot be read', async () => {
  const groups = ['a', 'b']
  const declaration = (names: readonly string[]) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ groups: names, project: 'ENG', role: 'member' }] } },
  })
  await using place = await openPlace({ declaration: declaration(['a']), groups })
  await using front = await behindTls(place.sandbox.url)
  await place.write('ca.pem', chain.root)
  await place.settings({ service: { caFile: 'ca.pem' } })
  const daemon = place.start(['run'], { env: { PLANE_BASE_URL: front.url } })
  await daemon.until(() => daemon.err().includes('add this certificate itself (PEM) to caFile'))
  expect(stateOf(place.sandbox)).toEqual([])

  await place.write('ca.pem', selfSigned.cert)
  daemon.child.kill('SIGHUP')
  await daemon.until(() => stateOf(place.sandbox).length === 1)

  await rm(place.path('ca.pem'))
  await place.write('groups.yaml', declaration(groups))
  daemon.child.kill('SIGHUP')
  await daemon.until(() => stateOf(place.sandbox).length === 2)
  expect(daemon.log().find(({ event, level }) => event === 'settings' && level === 'error')?.msg).toContain('ca.pem')
})
