import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { startFakeLdap } from '../directories/fakeLdap.ts'
import { openPlace, type Place, type StartOptions, stateOf, writesTo } from './program.ts'
import { atTerminal, hasTerminal } from './terminals.ts'

const groups = Array.from({ length: 25 }, (_, n) => `team-${n}`)
const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
const windowS = 6
const limited = {
  declaration,
  groups,
  sandbox: { limit: { requests: 10, windowMs: windowS * 1_000 } },
  settings: { service: { limit: { requests: 10, window: `${windowS}s` } } },
}

const erase = '\r\u001b[J'

/** The states of the line, one after another. */
const framesOf = (raw: string): readonly string[] =>
  raw
    .replaceAll(erase, '\n')
    .split(/[\r\n]+/)
    .filter((one) => one.includes(' written · ') || one.startsWith('waits '))

const numbers = (frames: readonly string[], pattern: RegExp) => frames.flatMap((one) => pattern.exec(one)?.[1] ?? []).map(Number)

/** A busy machine may skip a second, and a list may be read twice. */
function expectCountingUp(seconds: readonly number[]): void {
  expect(seconds[0]).toBeGreaterThanOrEqual(3)
  expect(new Set(seconds).size).toBeGreaterThanOrEqual(2)
}

/** What the terminal shows at the end. */
const screenOf = (raw: string): string =>
  raw
    .split('\n')
    .map((row) => row.split(erase).at(-1)?.replace(/\r$/, ''))
    .join('\n')

function start(place: Place, args: readonly string[], columns = 120, env: StartOptions['env'] = {}) {
  return place.start(args, { wrap: (command) => atTerminal(command, { columns }), env: { TERM: 'xterm', ...env } })
}

describe.skipIf(!hasTerminal)('a long apply at a terminal', { concurrent: true }, () => {
  test('counts down each second of a wait, and never counts back; in the end all is written and the line is gone', async () => {
    await using place = await openPlace(limited)
    const { code, out } = await start(place, ['apply', '--yes']).ended
    expect(code, out).toBe(0)
    const frames = framesOf(out)
    const written = numbers(frames, /^(\d+)\/25 written/)
    expect(written).toEqual(written.toSorted((a, b) => a - b))
    expect(new Set(written).size).toBeGreaterThan(20)
    const waits = numbers(frames, /^7\/25 written · waits (\d+) s · (?:about|under) \d+ s to go · rate limit: \d+ of 10 are used$/)
    expect(new Set(waits).size).toBeGreaterThanOrEqual(4)
    expect(waits).toEqual(waits.toSorted((a, b) => b - a))
    expect(screenOf(out)).not.toContain('/25 written')
    expect(screenOf(out)).toContain('25 of 25 written')
    expect(stateOf(place.sandbox)).toHaveLength(25)
  })

  test('Ctrl-C during a wait: the line ends, and the result stands alone', async () => {
    await using place = await openPlace(limited)
    const running = start(place, ['apply', '--yes'])
    // A busy machine may skip a second.
    await running.until(() => /· waits [2-4] s/.test(running.out()))
    running.child.stdin?.write('\u0003')
    const { code, out } = await running.ended
    expect(code, out).toBe(130)
    expect(screenOf(out)).toMatch(/7 of 25 written, 1 not sent, 17 not tried/)
    expect(screenOf(out)).not.toMatch(/\/25 written|waits \d|stops after/)
    expect(writesTo(place.sandbox)).toHaveLength(7)
  })

  test('a narrow terminal: the line is cut, and never wraps', async () => {
    await using place = await openPlace(limited)
    const running = start(place, ['apply', '--yes'], 30)
    await running.until(() => running.out().includes('· waits'))
    running.child.stdin?.write('\u0003')
    const frames = framesOf((await running.ended).out)
    expect(
      frames.every((frame) => frame.length <= 29),
      JSON.stringify(frames),
    ).toBe(true)
  })

  test('TERM=dumb: plain lines, and nothing is drawn again', async () => {
    await using place = await openPlace(limited)
    const { code, out } = await start(place, ['apply', '--yes'], 120, { TERM: 'dumb' }).ended
    expect(code, out).toBe(0)
    expect(out).toMatch(/^Waiting \d s for the rate limit of credential "default"/m)
    expect(out.replaceAll('\r\n', '\n')).not.toContain('\r')
  })

  test('a start wait is counted down, too', async () => {
    await using place = await openPlace({ declaration, groups, settings: { service: { unknownOutcomeWait: '7s' } } })
    // An empty folder may have lost its journal, so the creates wait.
    spawnSync('mkdir', [place.path('state')])
    const { code, out } = await start(place, ['apply', '--yes']).ended
    expect(code, out).toBe(0)
    expect(out).toMatch(/Waiting \d s, until [\d: -]+ UTC, before 25 more changes: a create of the previous process may still be executed/)
    const frames = framesOf(out).filter((frame) => frame.startsWith('0/25 written · waits'))
    const waits = numbers(frames, /waits (\d+) s · about \d+ s to go · an earlier write may still be executed$/)
    expect(new Set(waits).size).toBeGreaterThanOrEqual(3)
    expect(waits).toEqual(waits.toSorted((a, b) => b - a))
    expect(stateOf(place.sandbox)).toHaveLength(25)
  })
})

describe.skipIf(!hasTerminal)('a command that only reads', { concurrent: true }, () => {
  test.each([['plan'], ['export']])('%s counts down its wait for the rate limit', async (command) => {
    const sandbox = { limit: { requests: 1, windowMs: 5_000 } }
    await using place = await openPlace({ declaration, groups, sandbox, settings: { policy: 'observe' } })
    const { code, out } = await start(place, [command]).ended
    expect(code, out).toBe(0)
    const waits = numbers(framesOf(out), /^waits (\d) s · Plane answered 429$/)
    expect(new Set(waits).size).toBeGreaterThanOrEqual(3)
    expect(screenOf(out)).not.toMatch(/waits \d/)
  })

  test.each([['plan'], ['groups']])('%s names a slow directory, and how long it takes', async (command) => {
    await using server = await startFakeLdap({ search: () => 'silence' })
    const slow = { kind: 'ldap', addresses: [server.url], bind: 'anonymous', groups: { base: 'ou=groups' }, readingTimeout: '8s' }
    await using place = await openPlace({ declaration, groups, settings: { directories: { slow } } })
    const { out } = await start(place, [command]).ended
    const seconds = numbers(framesOf(out), /^waits for directory slow, (\d) s so far$/)
    expectCountingUp(seconds)
    expect(screenOf(out)).not.toMatch(/so far/)
  })

  test('plan says that Plane does not answer', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['GET project-mappings: latency 6s'] } })
    const { code, out } = await start(place, ['plan']).ended
    expect(code, out).toBe(0)
    expectCountingUp(numbers(framesOf(out), /^waits for Plane, (\d) s so far$/))
  })
})
