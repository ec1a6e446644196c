import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from './program.ts'

const groups = Array.from({ length: 10 }, (_, n) => `team-${n}`)
const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
const whole = groups.map((group) => `ENG ${group} → member`)
/** A request in flight has so long for its answer. A program that ends earlier did not use this time up. */
const graceMs = 8_000
/** The most time from a signal to the end. All waits of these tests are longer. */
const atOnceMs = 10_000
const slow = (latency: string) => ({ faults: [`POST project-mappings: latency ${latency}, from the 3rd`] })

describe.concurrent('asked to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('a daemon that waits for an answer takes it, and begins nothing more (%s)', async (signal) => {
    await using place = await openPlace({ declaration, groups, sandbox: slow('2500ms after commit') })
    const daemon = place.start(['run'])
    await daemon.until(() => writesTo(place.sandbox).length === 3)
    const askedMs = performance.now()
    daemon.child.kill(signal)
    const { code } = await daemon.ended
    const tookMs = performance.now() - askedMs
    expect(code, daemon.err()).toBe(0)
    expect(tookMs).toBeLessThan(graceMs)
    expect(writesTo(place.sandbox)).toHaveLength(3)
    const changes = daemon.log().filter(({ event }) => event === 'change')
    expect(changes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
    expect(daemon.log().find(({ event }) => event === 'summary')?.msg).toContain('stopped on request')
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)

    // No write is in flight, so the next command does not wait.
    place.sandbox.setFaults([])
    const again = await place.run(['run', '--once'])
    expect(again.err).not.toContain('Waiting')
    expect(again.code, again.err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('who waits for the budget is gone at once', async () => {
    const limit = { requests: 6, window: '2m', reserve: '0%' }
    const sandbox = { limit: { requests: 6, windowMs: 120_000 } }
    await using place = await openPlace({ declaration, groups, settings: { service: { limit } }, sandbox })
    const daemon = place.start(['run'])
    await daemon.until(() => place.sandbox.requests.length === 6 && writesTo(place.sandbox).at(-1)?.answeredAt !== undefined)
    const written = writesTo(place.sandbox).length
    const askedMs = performance.now()
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(atOnceMs)
    expect(writesTo(place.sandbox)).toHaveLength(written)
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
  })

  test('who waits for the budget before its lists are read has not failed', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: { limit: { requests: 1, windowMs: 60_000 } } })
    const daemon = place.start(['run'])
    await daemon.until(() => place.sandbox.requests.some(({ status }) => status === 429))
    daemon.child.kill('SIGTERM')
    const { code, err } = await daemon.ended
    expect(code).toBe(0)
    expect(err).not.toContain('"stack"')
    expect(daemon.log().filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
    expect(daemon.log().find(({ event }) => event === 'summary')).toMatchObject({
      level: 'info',
      outcome: 'incomplete',
      msg: 'acme stopped before its plan was judged; nothing was written',
    })
  })

  test('an idle daemon is gone at once', async () => {
    await using place = await openPlace({ declaration, groups })
    const daemon = place.start(['run'])
    await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
    const askedMs = performance.now()
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(atOnceMs)
  })

  // A terminal that is closed sends SIGHUP, and its shell may send it once more.
  test.each([
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('an apply says that it stopped, what is written and what is left, and ends by the signal (%s)', async (signal, expected) => {
    await using place = await openPlace({ declaration, groups, sandbox: slow('1500ms after commit') })
    const apply = place.start(['apply', '--yes'])
    await apply.until(() => writesTo(place.sandbox).length === 3)
    apply.child.kill(signal)
    if (signal === 'SIGHUP') {
      await new Promise((resolve) => setTimeout(resolve, 200))
      apply.child.kill(signal)
    }
    const { code, out } = await apply.ended
    expect(code).toBe(expected)
    expect(out).toContain('3 of 10 written, 7 not tried')
    expect(out).toContain('stopped on request')
    expect(writesTo(place.sandbox)).toHaveLength(3)
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
  })

  test('a loop of a shell ends with the command that Ctrl-C stops', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['GET project-mappings: latency 60s'] } })
    const loop = ['bash', '-c', 'for one in 1 2 3; do "$@"; echo "went on"; done', 'bash']
    const shell = place.start(['plan'], { wrap: (command) => [...loop, ...command] })
    await shell.until(() => place.sandbox.requests.length > 0)
    const children = await readFile(`/proc/${shell.child.pid}/task/${shell.child.pid}/children`, 'utf8')
    // A terminal sends the signal to every process in the foreground.
    for (const pid of [shell.child.pid, ...children.trim().split(' ').map(Number)]) process.kill(pid as number, 'SIGINT')
    const { code, out, err } = await shell.ended
    expect([code, err]).toEqual([130, ''])
    expect(out).not.toContain('went on')
  })

  test('run --once ends at SIGHUP as well', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: slow('1500ms after commit') })
    const once = place.start(['run', '--once'])
    await once.until(() => writesTo(place.sandbox).length === 3)
    once.child.kill('SIGHUP')
    expect((await once.ended).code).toBe(129)
    expect(writesTo(place.sandbox)).toHaveLength(3)
    expect((await place.read('state/journal-000001.jsonl')).trimEnd()).toMatch(/"entry":"end"(?:,"cycle":\{.*\})?}$/)
  })

  test('asked twice, it is gone: whoever asks again does not want to wait', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: slow('60s after commit') })
    const apply = place.start(['apply', '--yes'])
    await apply.until(() => writesTo(place.sandbox).length === 3)
    apply.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const askedMs = performance.now()
    apply.child.kill('SIGINT')
    expect((await apply.ended).code).not.toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(graceMs)
  })

  test('an apply that waits before its first create', async () => {
    await using place = await openPlace({ declaration, groups, settings: { journal: 'none', service: { unknownOutcomeWait: '60s' } } })
    const apply = place.start(['apply', '--yes'])
    await apply.until(() => apply.err().includes('Waiting'))
    expect(apply.err()).toMatch(/^Waiting \d\d s, until [\d: -]+ UTC, before 10 more changes: .* --no-wait skips this wait\.\n/)
    const askedMs = performance.now()
    apply.child.kill('SIGTERM')
    expect((await apply.ended).code).toBe(143)
    expect(performance.now() - askedMs).toBeLessThan(atOnceMs)
    expect(writesTo(place.sandbox)).toEqual([])
  })
})
