import { readdir, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { doublesOf, openPlace, type Place, stateOf, writesTo } from './program.ts'

/** `PLANE_GROUP_SYNC_KILLS=1000` takes several minutes. The seed makes the moments and the faults repeatable, as far as the machine allows. */
const kills = Number(process.env['PLANE_GROUP_SYNC_KILLS'] ?? 8)
const seed = Number(process.env['PLANE_GROUP_SYNC_SEED'] ?? 1)
/** The most kills in a round. Each round begins with no change written, and ends with all changes written. */
const killsOfRoundMax = 20
/** `waitMs` is Δ. `lateMs` is the largest delay of a commit. It is shorter than Δ, because timers of a busy machine are late. */
const waitMs = 2_400
const lateMs = 900
const limit = { requests: 50, windowMs: 1_000 }

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(2, '0')}`)
const [made, changed, gone] = [names('made', 80), names('changed', 15), names('gone', 5)]

/** 80 creates, 15 patches and 5 deletes. The service loses some answers. It executes some requests only after it has reset their connections. */
const world = (round: number) =>
  openPlace({
    workspaces: {
      acme: {
        projects: ['ENG', 'OPS'],
        projectMappings: [
          ...changed.map((idp_group_name) => ({ idp_group_name, project: 'OPS', role: 'guest' })),
          ...gone.map((idp_group_name) => ({ idp_group_name, project: 'OPS', role: 'guest' })),
        ],
      },
    },
    declaration: {
      version: 1,
      workspaces: {
        acme: {
          projectRoles: [
            ...made.map((group) => ({ group, project: 'ENG', role: 'member' })),
            ...changed.map((group) => ({ group, project: 'OPS', role: 'member' })),
          ],
          removed: gone.map((group) => ({ group, project: 'OPS' })),
        },
      },
    },
    groups: [...made, ...changed, ...gone],
    sandbox: {
      seed: seed + round,
      limit,
      faults: [
        '* project-mappings: latency 2ms-15ms',
        `POST project-mappings: commit late after ${lateMs}ms, 20%`,
        'POST project-mappings: lost after commit for 100ms, 6%',
        'POST project-mappings: reset before commit, 4%',
        `PATCH project-mappings: commit late after ${lateMs}ms, 8%`,
        'DELETE project-mappings: lost after commit for 100ms, 8%',
        'POST project-mappings: 503 after commit, 4%',
      ],
    },
    settings: {
      service: { unknownOutcomeWait: `${waitMs}ms`, limit: { requests: limit.requests, window: `${limit.windowMs}ms`, reserve: '10%' } },
      guards: {
        raises: { count: 1000, share: '100%' },
        lowers: { count: 1000, share: '100%' },
        deletes: { count: 1000, share: '100%' },
        run: { raises: 1000, lowers: 1000, deletes: 1000, creates: 1000 },
        day: { raises: 10_000, lowers: 10_000, deletes: 10_000, creates: 10_000 },
      },
    },
  })

const declared = [...made.map((group) => `ENG ${group} → member`), ...changed.map((group) => `OPS ${group} → member`)].toSorted()

/** With a journal `--no-wait` is also safe: the journal has the intents that have no result. */
const ways = [
  ['apply', '--yes', '--no-wait'],
  ['apply', '--yes'],
  ['apply', '--yes', '--no-wait'],
  ['apply', '--yes', '--no-wait'],
  ['run', '--once'],
]

/** One kill: the command that was killed, whether it had not ended yet, and whether a write was in flight. */
type Killed = { readonly way: string; readonly beforeItsEnd: boolean; readonly inFlight: boolean }

/** Starts the commands in turn, and kills each after a random number of writes. After each kill it looks for mappings that exist twice. */
async function killed({ sandbox, start }: Place, round: number, times: number): Promise<readonly Killed[]> {
  const { draw } = chanceFrom(seed + round)
  const all: Killed[] = []
  while (all.length < times) {
    const way = ways[all.length % ways.length] ?? []
    const running = start(way)
    const writes = writesTo(sandbox).length + Math.floor((draw() * 180) / times)
    const latestMs = performance.now() + 300 + draw() * 3_000
    while (writesTo(sandbox).length <= writes && performance.now() < latestMs) await sleep(5)
    await sleep(draw() * 30)
    const last = writesTo(sandbox).at(-1)
    const isOpen = last !== undefined && last.answeredAt === undefined
    running.child.kill('SIGKILL')
    const beforeItsEnd = (await running.ended).code === null
    all.push({ way: way.join(' '), beforeItsEnd, inFlight: beforeItsEnd && isOpen })
    expect(doublesOf(sandbox), `after kill ${all.length} of round ${round}`).toEqual([])
  }
  return all
}

/** A change without an answer twice in a row is held for twice Δ, and so on. So this may take a few rounds. */
async function finished(place: Place) {
  for (let round = 0; round < 20; round++) {
    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(doublesOf(place.sandbox)).toEqual([])
    expect([0, 1], out + err).toContain(code)
    if (code === 0 && stateOf(place.sandbox).length === declared.length) break
    await sleep(waitMs)
  }
  await sleep(lateMs + 100)
  expect(doublesOf(place.sandbox)).toEqual([])
  expect(stateOf(place.sandbox)).toEqual(declared)
  const { code, out } = await place.run(['plan', '--detailed-exitcode'])
  expect(code, out).toBe(0)
}

const rounds = Array.from({ length: Math.ceil(kills / killsOfRoundMax) }, (_, round) => ({
  round,
  times: Math.min(killsOfRoundMax, kills - round * killsOfRoundMax),
}))

describe.concurrent('kill -9 during an apply of a hundred changes', () => {
  const all: Killed[] = []
  const sum = { rounds: 0, writes: 0, withFault: 0, left: 0 }

  test.each(rounds)('round $round: $times times', { timeout: killsOfRoundMax * 8_000 + 60_000 }, async ({ round, times }) => {
    await using place = await world(round)
    all.push(...(await killed(place, round, times)))
    sum.left += declared.filter((line) => !stateOf(place.sandbox).includes(line)).length
    await finished(place)
    const writes = writesTo(place.sandbox)
    sum.rounds++
    sum.writes += writes.length
    sum.withFault += writes.filter(({ faults }) => faults.length > 1).length
  })

  afterAll(async () => {
    const file = process.env['PLANE_GROUP_SYNC_KILLS_REPORT']
    if (file === undefined) return
    const byWay = [...Map.groupBy(all, ({ way }) => way)].map(([way, ofWay]) => ({
      way,
      kills: ofWay.length,
      beforeTheEnd: ofWay.filter(({ beforeItsEnd }) => beforeItsEnd).length,
      inFlight: ofWay.filter(({ inFlight }) => inFlight).length,
    }))
    await writeFile(file, `${JSON.stringify({ seed, ...sum, byWay }, undefined, 2)}\n`)
  })
})

describe.concurrent('a create of the killed process that is still on its way', () => {
  const groups = ['made']
  const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
  const emptied = async (place: Place) => {
    for (const name of await readdir(place.path('state'))) await rm(place.path(`state/${name}`))
  }
  const kept = async () => undefined

  test.each<[string, object, (place: Place) => Promise<void>, string[]]>([
    ['with the journal at hand', {}, kept, ['apply', '--yes', '--no-wait']],
    ['with a journal that was lost', {}, emptied, ['apply', '--yes']],
    ['with no journal', { journal: 'none' }, kept, ['run', '--once']],
  ])('%s is waited for', async (_, settings, between, args) => {
    const faults = ['POST project-mappings: commit late after 2500ms, once']
    const service = { unknownOutcomeWait: '5s' }
    await using place = await openPlace({ declaration, groups, sandbox: { faults }, settings: { service, ...settings } })
    const { sandbox } = place
    const first = place.start(['apply', '--yes', '--no-wait'])
    await first.until(() => writesTo(sandbox).length === 1)
    first.child.kill('SIGKILL')
    await first.ended
    await between(place)
    // The late commit may come between two readings of a list. Then the program creates nothing, and the test runs the command again.
    const ended = await place.run(args)
    const { code, out, err } = (ended.out + ended.err).includes('two readings gave different answers') ? await place.run(args) : ended
    expect(code, out + err).toBe(0)
    while (writesTo(sandbox)[0]?.committedAt === undefined) await sleep(20)
    expect(stateOf(sandbox)).toEqual(['ENG made → member'])
  })
})

test.concurrent('after `kill -9` only the change that was on its way waits, and all others are written at once', async () => {
  const groups = names('team', 20)
  const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
  const settings = { service: { unknownOutcomeWait: '12h' } }
  const faults = ['POST project-mappings: latency 60s before commit, from the 3rd']
  await using place = await openPlace({ declaration, groups, settings, sandbox: { faults } })
  const first = place.start(['apply', '--yes'])
  await first.until(() => writesTo(place.sandbox).length === 3)
  first.child.kill('SIGKILL')
  await first.ended
  place.sandbox.setFaults([])

  const plan = await place.run(['plan'])
  expect(plan.out).toContain('Will be applied (17)')
  expect(plan.out).toContain('an earlier write with unknown outcome may still be executed; held until ')
  const next = place.start(['apply', '--yes'])
  await next.until(() => /^Waiting 4\d{4} s, until .+ before 1 more change: the answer to an earlier write was lost/m.test(next.err()))
  next.child.kill('SIGKILL')
  await next.ended
  expect(stateOf(place.sandbox)).toEqual(groups.flatMap((group) => (group === 'team-02' ? [] : [`ENG ${group} → member`])))
})

test.concurrent('stopped, with an answer that does not come: eight seconds, and the next process leaves that key alone', async () => {
  const groups = names('team', 10)
  const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }
  const settings = { service: { unknownOutcomeWait: '30s', timeout: '60s' } }
  await using place = await openPlace({
    declaration,
    groups,
    settings,
    sandbox: { faults: ['POST project-mappings: latency 60s after commit, from the 3rd'] },
  })
  const daemon = place.start(['run'])
  await daemon.until(() => writesTo(place.sandbox).length === 3)
  const askedMs = performance.now()
  daemon.child.kill('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
  const tookMs = performance.now() - askedMs
  expect(tookMs).toBeGreaterThan(7_500)
  // The rest is the time of a busy machine. The answer would come after a minute.
  expect(tookMs).toBeLessThan(14_000)
  expect(writesTo(place.sandbox)).toHaveLength(3)

  place.sandbox.setFaults([])
  const mapped = place.sandbox.state.workspaces.acme?.projectMappings ?? []
  mapped.splice(2, 1)
  const next = place.start(['run'])
  await next.until(() => next.log().some(({ event }) => event === 'summary'))
  expect(stateOf(place.sandbox)).toEqual(groups.flatMap((group) => (group === 'team-02' ? [] : [`ENG ${group} → member`])))
})
