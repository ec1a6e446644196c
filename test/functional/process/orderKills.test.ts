import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { doublesOf, openPlace, type Place, stateOf, writesTo } from './program.ts'

/** `PLANE_GROUP_SYNC_KILLS=200` kills more often. */
const rounds = Number(process.env['PLANE_GROUP_SYNC_KILLS'] ?? 6)

type Waiting = {
  readonly workspaces: readonly { readonly holds: readonly { readonly change?: { readonly id: string; readonly group: string } }[] }[]
}

/** Group → the id of its change, which waits. */
async function idsThatWait(place: Place): Promise<ReadonlyMap<string, string>> {
  const { out } = await place.run(['plan', '--format', 'json'])
  const { workspaces } = JSON.parse(out) as Waiting
  return new Map(
    workspaces.flatMap(({ holds }) =>
      holds.flatMap(({ change }): [string, string][] => (change === undefined ? [] : [[change.group, change.id]])),
    ),
  )
}

/** A small generator, so that a failure can be repeated. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test(`${rounds} times kill -9 of the daemon or of the command: nothing is done that the command denies, and nothing twice`, {
  timeout: 60_000 + rounds * 20_000,
}, async () => {
  const groups = Array.from({ length: rounds }, (_, round) => `lead-${round}`)
  const declaration = {
    version: 1,
    workspaces: { acme: { projectRoles: groups.map((group) => ({ group, project: 'ENG', role: 'admin' })) } },
  }
  await using place = await openPlace({ declaration, groups })
  const start = async () => {
    const daemon = place.start(['run'])
    await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
    return daemon
  }
  let daemon = await start()
  const ids = await idsThatWait(place)
  const random = chance(Number(process.env['PLANE_GROUP_SYNC_SEED'] ?? 1))
  const seen = { denied: 0, done: 0, unknown: 0 }
  for (const group of groups) {
    const asker = place.start(['apply', '--yes', '--allow', ids.get(group) ?? ''])
    asker.child.stdin?.end()
    await Promise.race([sleep(random() * 4_000), asker.ended])
    const killsDaemon = random() < 0.5
    ;(killsDaemon ? daemon : asker).child.kill('SIGKILL')
    const { code, err } = await asker.ended
    if (killsDaemon) {
      await daemon.ended
      daemon = await start()
    }
    // What the daemon has taken is over before the next order.
    await sleep(killsDaemon ? 0 : 1_500)
    const isThere = stateOf(place.sandbox).includes(`ENG ${group} → admin`)
    if (err.includes('Nothing was done')) {
      expect([group, isThere]).toEqual([group, false])
      seen.denied += 1
    } else if (code === 0 || code === 3) seen.done += 1
    else seen.unknown += 1
    expect(doublesOf(place.sandbox)).toEqual([])
  }
  const created = writesTo(place.sandbox).filter(({ status }) => status === 201)
  expect(created).toHaveLength(stateOf(place.sandbox).length)
  process.stdout.write(`orders under kill -9: ${JSON.stringify(seen)}\n`)
})
