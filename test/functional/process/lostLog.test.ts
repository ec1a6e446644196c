import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freePort } from '../freePorts.ts'
import { openPlace, stateOf } from './program.ts'

const groups = ['devs', 'ops']
const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
const written = ['ENG devs → member', 'ENG ops → member']
/** Starts the program in a shell that redirects its standard error. */
const errTo = (where: string) => ({ wrap: (command: readonly string[]) => ['bash', '-c', `exec "$@" ${where}`, 'bash', ...command] })

/** The value of `log_lines_lost_total` on the metrics page. */
async function linesLost(port: number): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
  return Number(/^plane_group_sync_log_lines_lost_total (\d+)$/m.exec(page)?.[1])
}

describe.concurrent('standard error that cannot be written', () => {
  test('a daemon on a full disk works on, counts the lines, and ends with 0', async () => {
    const port = await freePort()
    await using place = await openPlace({ declaration, groups, settings: { http: { listen: `127.0.0.1:${port}` } } })
    const daemon = place.start(['run'], errTo('2>/dev/full'))
    await daemon.until(() => stateOf(place.sandbox).length === 2)
    await daemon.until(async () => (await linesLost(port).catch(() => 0)) > 3)
    const before = await linesLost(port)
    daemon.child.kill('SIGHUP')
    await daemon.until(async () => (await linesLost(port)) > before)
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(written)
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
  })

  test('a daemon whose reader went away works on, and says so to the next reader', async () => {
    await using place = await openPlace({ declaration, groups })
    const fifo = place.path('log')
    await once(spawn('mkfifo', [fifo]), 'exit')
    const reader = spawn('cat', [fifo])
    const daemon = place.start(['run'], errTo(`2>'${fifo}'`))
    await once(reader.stdout, 'data')
    await daemon.until(() => stateOf(place.sandbox).length === 2)
    reader.kill('SIGKILL')
    await once(reader, 'close')
    // The cycle has new findings, so the daemon writes lines.
    await place.groups(['devs', 'ops', 'more'])
    daemon.child.kill('SIGHUP')
    const asked = place.sandbox.requests.length
    await daemon.until(() => place.sandbox.requests.length > asked)
    await sleep(500)
    const second = spawn('cat', [fifo])
    const closed = once(second, 'close')
    let read = ''
    second.stdout.setEncoding('utf8').on('data', (text: string) => (read += text))
    await daemon.until(() => {
      daemon.child.kill('SIGHUP')
      return sleep(200).then(() => read.includes('"event":"log"'))
    })
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    await closed
    const lines = read.split('\n').filter((line) => line !== '')
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ event }) => event === 'log')
    expect(told).toMatchObject({
      level: 'warn',
      msg: expect.stringMatching(/^standard error can be written again; [1-9]\d* lines? of the log (?:was|were) lost: its reader is gone$/),
    })
  })

  test('a daemon whose reader does not read works on, and SIGTERM ends it', async () => {
    // A pipe cannot hold the lines of so many changes.
    const many = Array.from({ length: 250 }, (_, n) => `${'a-long-name-'.repeat(16)}${n}`)
    const settings = { guards: { creates: { count: 1_000 }, run: { creates: 1_000 }, day: { creates: 1_000 } } }
    const rules = { version: 1, workspaces: { acme: { projectRoles: [{ groups: many, project: 'ENG', role: 'member' }] } } }
    await using place = await openPlace({ declaration: rules, groups: many, settings })
    const daemon = place.start(['run', '--log-level', 'debug'], errTo('2> >(exec sleep 120 >/dev/null 2>&1)'))
    for (const count of [50, 100, 150, 200, 250]) await daemon.until(() => stateOf(place.sandbox).length >= count)
    await sleep(2_000)
    const askedMs = performance.now()
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(20_000)
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
  })

  test.each([
    ['a full disk', '2>/dev/full'],
    ['a reader that is gone', '2> >(exec true)'],
  ])('other commands go on without it: %s', async (_, where) => {
    await using place = await openPlace({ declaration, groups })
    const plan = await place.run(['plan', '--log-level', 'debug'], errTo(where))
    expect(plan.code, plan.err).toBe(0)
    expect(plan.out).toContain('devs')
    const apply = await place.run(['apply', '--yes'], errTo(where))
    expect(apply.code, apply.err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(written)
    await place.write('groups.yaml', 'version: 7')
    expect((await place.run(['validate'], errTo(where))).code).toBe(78)
  })
})
