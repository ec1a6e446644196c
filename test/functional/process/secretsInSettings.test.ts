import { expect, test } from 'vitest'
import { openPlace } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'ops', project: 'OPS', role: 'guest' }] } } }
const open = () => openPlace({ declaration, groups: ['ops'] })

const canary = 'Canary7f3a9Q'

test('a secret that is written into the settings is in no log of a daemon that reads them anew', async () => {
  await using place = await open()
  const daemon = place.start(['run', '--log-level', 'debug'])
  await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
  for (const credential of [{ apiKey: canary }, canary, { apiKey: { value: canary } }]) {
    const before = daemon.log().length
    await place.settings({ service: { credential } })
    daemon.child.kill('SIGHUP')
    await daemon.until(() =>
      daemon
        .log()
        .slice(before)
        .some(({ event }) => event === 'settings'),
    )
  }
  await place.write('config.yaml', `service: { credential: { apiKey: "${canary} } }`)
  const before = daemon.log().length
  daemon.child.kill('SIGHUP')
  await daemon.until(() =>
    daemon
      .log()
      .slice(before)
      .some(({ event }) => event === 'settings'),
  )
  expect(daemon.log().filter(({ event }) => event === 'settings')).toHaveLength(4)
  expect(daemon.out() + daemon.err()).not.toContain(canary)
})

test.each([['validate'], ['run', '--once']])('a secret that is written into the settings is not shown by %s %s', async (...args) => {
  await using place = await open()
  await place.settings({
    service: { credential: { apiKey: canary } },
    directories: { corp: { kind: 'ldap', bind: { dn: 'x', password: canary } } },
  })
  const [command] = args
  const logs = command === 'validate' ? [[]] : ['json', 'pretty'].map((format) => ['--log-format', format, '--log-level', 'debug'])
  for (const log of logs) {
    const { code, out, err } = await place.run([...args.filter((one) => one !== undefined), ...log])
    expect(out + err).not.toContain(canary)
    expect(err).toContain('"apiKey" must say where the secret is')
    expect(code).toBe(78)
  }
})

test.each(['e', 'log'])('a key that is too short to be kept out of the output leaves every word of it whole: %s', async (short) => {
  await using place = await open()
  const { code, out, err } = await place.run(['plan'], { env: { PLANE_API_KEY: short } })
  expect([code, out + err]).toEqual([
    78,
    expect.stringContaining(
      'config.yaml: environment variable PLANE_API_KEY has fewer than 4 characters, too few to be kept out of the log',
    ),
  ])
  // No line of the settings is wrong, so none is shown.
  expect(out + err).not.toMatch(/^ *\d* \|/m)
  expect(out + err).not.toContain('•••')
})
