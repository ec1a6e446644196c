import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPlace, type Place, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const groups = ['leads', 'devs', 'old']
const declared = (acme: object) => ({ version: 1, workspaces: { acme } })
const grants = [
  { group: 'leads', project: 'ENG', role: 'admin' },
  { group: 'devs', project: 'ENG', role: 'member' },
]
const declaration = declared({ projectRoles: grants, removed: [{ group: 'old', project: 'OPS' }] })
const approved = 'ENG leads → admin'
const others = ['ENG devs → member']

type Waiting = { readonly workspaces: readonly { readonly holds: readonly { readonly change?: { readonly id: string } }[] }[] }
async function idThatWaits(place: Place): Promise<string> {
  const { out } = await place.run(['plan', '--format', 'json'])
  const { workspaces } = JSON.parse(out) as Waiting
  return workspaces.flatMap(({ holds }) => holds.flatMap(({ change }) => change?.id ?? []))[0] ?? 'none'
}

/** Somebody deletes a mapping in Plane. */
function remove({ sandbox }: Place, group: string): void {
  const rows = sandbox.state.workspaces.acme?.projectMappings ?? []
  const at = rows.findIndex(({ idp_group_name: name }) => name === group)
  expect(at).toBeGreaterThanOrEqual(0)
  rows.splice(at, 1)
}

const approve = (place: Place, id: string, time: string) => place.run(['approve', id, '--now', '--for', time, '--reason', 'INC-99'])

test('an approval of a running daemon lets its change pass until its end, also after a restart', async () => {
  const existing = { acme: { projects: ['ENG', 'OPS'], projectMappings: [{ group: 'old', project: 'OPS', role: 'guest' }] } }
  await using place = await openPlace({ declaration, groups, workspaces: existing as never })
  const first = await started(place)
  // The revocation is written while the grant waits.
  expect(stateOf(place.sandbox)).toEqual(others)
  const id = await idThatWaits(place)
  const told = await approve(place, id, '1h')
  expect(told.code, told.err).toBe(0)
  expect(told.err).toContain('approve --withdraw ')
  expect(stateOf(place.sandbox)).toEqual([...others, approved])

  remove(place, 'leads')
  await first.cycle()
  expect(stateOf(place.sandbox)).toEqual([...others, approved])

  await first.stop()
  const second = await started(place)
  remove(place, 'leads')
  await second.cycle()
  expect(stateOf(place.sandbox)).toEqual([...others, approved])

  const name = /--withdraw ([0-9a-f]{32})/.exec(told.err)?.[1] ?? ''
  const ended = await place.run(['approve', '--withdraw', name])
  expect(ended.code, ended.err).toBe(0)
  remove(place, 'leads')
  await second.cycle()
  expect(stateOf(place.sandbox)).toEqual(others)
  expect((await place.run(['approve', '--withdraw', name])).code).toBe(3)
  await second.stop()
})

test('after its end a re-creation of the same mapping waits again', async () => {
  await using place = await openPlace({ declaration, groups })
  const { cycle, stop } = await started(place)
  const told = await approve(place, await idThatWaits(place), '4s')
  expect(told.code, told.err).toBe(0)
  expect(stateOf(place.sandbox)).toEqual([...others, approved])
  await sleep(4_100)
  remove(place, 'leads')
  await cycle()
  expect(stateOf(place.sandbox)).toEqual(others)
  await stop()
})

test('the journal has the name that was given, the account and the reason', async () => {
  await using place = await openPlace({ declaration, groups })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  await place.run(['approve', id, '--now', '--for', '1h', '--reason', 'INC-99'], { env: { USER: 'ann' } })
  const lines = (await place.read('state/journal-000001.jsonl')).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { readonly entry?: string; readonly approval?: object })
  expect(entries.find(({ entry }) => entry === 'approval')?.approval).toMatchObject({ by: 'ann', reason: 'INC-99', workspace: 'acme' })
  await stop()
})
