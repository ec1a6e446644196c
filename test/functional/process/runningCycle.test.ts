import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { openPlace, type Place, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'
import { atTerminal, hasTerminal } from './terminals.ts'

const groups = Array.from({ length: 25 }, (_, n) => `team-${n}`)
const declared = (chosen: readonly string[]) => ({
  version: 1,
  workspaces: { acme: { projectRoles: [{ groups: chosen, project: 'ENG', role: 'member' }] } },
})
/** Ten requests in six seconds. */
const limited = {
  declaration: declared(groups.slice(0, 1)),
  groups,
  sandbox: { limit: { requests: 10, windowMs: 6_000 } },
  settings: { service: { limit: { requests: 10, window: '6s' } } },
}

/** A daemon whose second cycle writes 24 mappings, and waits for the rate limit meanwhile. */
async function busy(place: Place) {
  const run = await started(place)
  await place.write('groups.yaml', declared(groups))
  await run.daemon.until(() => stateOf(place.sandbox).length > 1)
  return run
}

const answersMs = 3_000
/** The end of the line if it waits: for how long, how long the rest takes, and why it waits. */
const rest = String.raw`(?:waits \d+ s · about \d+ s to go · rate limit: .*10 .*used|about \d+ s to go)`

describe('while a cycle of the daemon waits for the rate limit', { concurrent: true, timeout: 120_000 }, () => {
  test('status says how far it is, from memory: no file and no line of the log has it', async () => {
    await using place = await openPlace(limited)
    const { daemon, stop } = await busy(place)
    const { out, code, tookMs } = await place.run(['status'])
    expect(code, out).toBe(0)
    expect(out).toMatch(new RegExp(String.raw`^A cycle runs since \d\d:\d\d:\d\d UTC: \d+/24 written · ${rest}\nLast cycle `))
    expect(tookMs).toBeLessThan(answersMs)
    const document = JSON.parse((await place.run(['status', '-o', 'json'])).out)
    const check = new Ajv2020({ formats: { 'date-time': true } }).compile(documentSchema('status', 'refused'))
    expect(check(document), JSON.stringify(check.errors)).toBe(true)
    expect(document.running).toMatchObject({ workspaces: { ended: 0, of: 1 }, of: 24 })
    expect(document.running.written).toBeLessThan(24)
    expect(Date.parse(document.running.began)).toBeGreaterThan(Date.parse(document.last.ended))
    expect(await place.read('state/last.json')).not.toContain('"running"')
    expect(daemon.log().filter(({ event, level }) => event === 'order' || level === 'warn')).toEqual([])

    await daemon.until(() => stateOf(place.sandbox).length === 25)
    await daemon.until(async () => !(await place.run(['status'])).out.includes('A cycle runs'))
    await stop()
  })

  test('without an answer status shows the last cycle, after 3 s', async () => {
    await using place = await openPlace(limited)
    const { daemon, stop } = await busy(place)
    daemon.child.kill('SIGSTOP')
    const { out, tookMs } = await place.run(['status'])
    daemon.child.kill('SIGCONT')
    expect(out).toMatch(/^Last cycle /)
    expect(tookMs).toBeLessThan(answersMs + 2_000)
    await stop()
  })

  test('reconcile says once without a terminal for what it waits', async () => {
    await using place = await openPlace(limited)
    const { stop } = await busy(place)
    const { code, err } = await place.run(['reconcile'])
    expect(code, err).toBe(0)
    expect(err.split('\n').slice(1)).toEqual([
      'The daemon has taken the order. If a cycle runs now, the order is carried out after it.',
      expect.stringMatching(new RegExp(String.raw`^This order comes after the daemon's cycle: \d+/24 written · ${rest}$`)),
      '',
    ])
    const { err: quiet } = await place.run(['reconcile', '--quiet'])
    expect(quiet).toBe('')
    await stop()
  })

  test.skipIf(!hasTerminal)(
    'at a terminal reconcile shows the cycle before it, then its own, and the line is gone in the end',
    async () => {
      await using place = await openPlace(limited)
      const { daemon, stop } = await busy(place)
      const reconcile = place.start(['reconcile'], {
        wrap: (command) => atTerminal(command, { columns: 120 }),
        env: { TERM: 'xterm' },
      })
      await daemon.until(() => reconcile.out().includes('comes after'))
      await daemon.until(() => stateOf(place.sandbox).length === 25)
      // The order has changes of its own.
      for (const mapping of place.sandbox.state.workspaces['acme']?.projectMappings.slice(0, 9) ?? []) mapping.role = 'guest'
      const { out, code } = await reconcile.ended
      expect(code, out).toBe(0)
      const written = (lead: string) =>
        [...out.matchAll(new RegExp(`${lead}: (\\d+)/\\d+ written`, 'g'))].map(([, number]) => Number(number))
      const before = written("This order comes after the daemon's cycle")
      expect(before).toEqual(before.toSorted((a, b) => a - b))
      expect(new Set(before).size).toBeGreaterThan(3)
      const own = written('This order')
      expect(own).toEqual(own.toSorted((a, b) => a - b))
      expect(new Set(own).size).toBeGreaterThan(1)
      expect(out.indexOf('This order: ')).toBeGreaterThan(out.lastIndexOf('comes after'))
      const lines = out.split('\n').map((row) => row.split('\r\u001b[J').at(-1))
      expect(lines.filter((line) => line?.startsWith('This order'))).toEqual([])
      await stop()
    },
  )
})

test('a wait that Plane asked for is a warning in the log, once, and a command that waits for it says why', async () => {
  await using place = await openPlace({ declaration: declared(groups.slice(0, 1)), groups })
  const { daemon, stop } = await started(place)
  place.sandbox.setFaults(['*: 429 retry after 20s'])
  const reconcile = place.start(['reconcile'])
  const waits = () => daemon.log().filter(({ event }) => event === 'wait')
  expect(await daemon.until(() => waits()[0])).toMatchObject({
    level: 'warn',
    credential: 'default',
    status: 429,
    msg: expect.stringMatching(/^credential "default": Plane answered 429 \(.*\): \d requests? waits? for \d+ s; other programs spend/),
  })
  const doctor = place.start(['doctor'])
  await daemon.until(() => /cycle: waits \d+ s · Plane answered 429$/m.test(doctor.err()))
  place.sandbox.setFaults([])
  expect((await reconcile.ended).code).toBe(0)
  await doctor.ended
  expect(waits()).toHaveLength(1)
  await stop()
})
