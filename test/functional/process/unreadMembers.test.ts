import { expect, test } from 'vitest'
import { fakeKeycloak } from '../keycloak-fake.ts'
import { openPlace } from './program.ts'
import { started } from './startedDaemon.ts'

/**
 * A daemon of a Keycloak that never gives the members of `slow`. The changes for it and for `devs` wait for an approval, so that each cycle has
 * them.
 */
async function openWorld() {
  const failing = new Set(['/slow'])
  const server = await fakeKeycloak(
    [
      { name: 'devs', people: 3 },
      { name: 'slow', people: 2 },
    ],
    (key, _, response) => {
      if (![...failing].some((name) => key === `members ${name}`)) return false
      response.writeHead(501).end('')
      return true
    },
  )
  const corp = {
    kind: 'keycloak',
    url: server.url.href,
    realm: 't',
    client: { id: 'reader', secret: { file: 'client-secret' } },
    people: {},
  }
  const rules = ['/devs', '/slow'].map((group) => ({ group, project: 'ENG', role: 'member' }))
  const declaration = (reason: string) => ({
    version: 1,
    workspaces: { acme: { projectRoles: rules.map((rule) => ({ ...rule, reason })) } },
  })
  const settings = (more: object = {}) => ({
    directories: { corp: { ...corp, ...more } },
    guards: { people: { raise: 1 } },
    schedule: { cron: '* * * * * *' },
  })
  return { failing, server, declaration, settings }
}

test('members that a daemon could not read are asked for more and more seldom, and at once for a person or after an edit', {
  timeout: 180_000,
}, async () => {
  const { failing, declaration, settings, ...world } = await openWorld()
  await using server = world.server
  await using place = await openPlace({ declaration: declaration('one'), groups: [], settings: settings() })
  await place.write('client-secret', 'the-secret-of-the-reader')
  const { daemon, stop } = await started(place)
  const asked = (name: string) => server.asked.filter((key) => key === `members ${name}`).length
  const cycles = () => daemon.log().filter(({ event }) => event === 'summary').length
  const pass = async (count: number) => {
    const before = cycles()
    await daemon.until(() => cycles() >= before + count)
  }
  const told = async () => (await place.run(['status'])).out.replaceAll(/\s+/g, ' ')
  await pass(8)
  expect(asked('/devs')).toBeGreaterThan(8)
  expect(asked('/slow')).toBeLessThan(asked('/devs'))
  const unread = String.raw`unread since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, and asked for again at about 20\d\d-\d\d-\d\d \d\d:\d\d UTC`
  expect(await told()).toMatch(new RegExp(`did not say who is in "/slow", ${unread}, see the finding people-unread`))
  const findings = daemon.log().filter((line) => line['code'] === 'people-unread')
  expect(findings.at(0)?.msg).toMatch(new RegExp(`501 .*\\("/slow"\\); ${unread}.*; to ask for them at once: plane-group-sync reconcile`))
  expect(findings.length).toBeLessThan(3)

  const events: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['reconcile', () => place.run(['reconcile'])],
    ['the secret', () => place.write('client-secret', 'the-secret-of-the-reader ')],
    ['the settings', () => place.settings(settings({ timeout: '29s' }))],
    ['the declaration', () => place.write('groups.yaml', declaration('two'))],
  ]
  for (const [name, happen] of events) {
    const before = asked('/slow')
    await happen()
    await pass(2)
    expect(asked('/slow'), name).toBeGreaterThan(before)
    await pass(5)
  }
  failing.clear()
  await place.run(['reconcile'])
  expect(await told()).not.toContain('unread since')
  await stop()
})
