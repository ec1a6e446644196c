import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { candidatesText } from '../../../src/commands/candidates.ts'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'
import { atTerminal, hasTerminal } from './terminals.ts'

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

const withdraw = (place: Place, name: string) => place.run(['approve', '--withdraw', name])
const nameIn = ({ err }: { readonly err: string }): string => /--withdraw ([0-9a-f]{32})/.exec(err)?.[1] ?? 'none'
/** Plane refuses for a while what was approved, so the approval is not used up. */
const refusing = ['POST project-mappings: 503']

test('approve says in which other workspace an ID waits', async () => {
  const projects = { projects: ['ENG', 'OPS'] }
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { projectRoles: grants }, labs: { projectRoles: [] } } },
    groups,
    workspaces: { acme: projects, labs: projects },
    settings: { workspaces: { acme: {}, labs: {} } },
  })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  const inLabs = (one: string) => place.run(['approve', one, '--now', '--reason', 'INC-99', '--workspace', 'labs'])
  const { code, err } = await inLabs(id)
  expect(code, err).toBe(3)
  expect(err).toContain(`In labs nothing waits under ${id}; it waits in acme: --workspace names it.`)
  expect(err).not.toContain('another plan')
  const unknown = await inLabs('0'.repeat(32))
  expect(unknown.err).toMatch(/another plan.*\nNothing waits for approval in labs\.\n/)
  await stop()
})

test('an approval of a running daemon is used up by its change, also after a restart', async () => {
  const rows = [
    { idp_group_name: 'old', project: 'OPS', role: 'guest' },
    { idp_group_name: 'devs', project: 'ENG', role: 'member' },
  ]
  const existing = { acme: { projects: ['ENG', 'OPS'], projectMappings: rows } }
  await using place = await openPlace({ declaration, groups, workspaces: existing })
  const first = await started(place)
  // The revocation is written while the grant waits.
  expect(stateOf(place.sandbox)).toEqual(others)
  const id = await idThatWaits(place)
  const told = await approve(place, id, '1h')
  expect(told.code, told.err).toBe(0)
  expect(stateOf(place.sandbox)).toEqual([...others, approved])

  // Longer than a list may need to show a write.
  await sleep(1_500)
  remove(place, 'leads')
  await first.cycle()
  expect([stateOf(place.sandbox), await idThatWaits(place)]).toEqual([others, id])
  await first.stop()
  const second = await started(place)
  expect([stateOf(place.sandbox), await idThatWaits(place)]).toEqual([others, id])
  // Of what is written, nothing can be withdrawn.
  expect(told.err).toContain('Approved in acme; Plane has all of it now, so the approval is used up.')
  const name = /"approval":\{"name":"([0-9a-f]{32})"/.exec(await place.read('state/journal-000001.jsonl'))?.[1] ?? 'none'
  expect((await withdraw(place, name)).err).toContain('No approval in force')
  expect((await approve(place, id, '1h')).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual([...others, approved])
  await second.stop()
})

test('an approval of which nothing is written stands until its end, also after a restart', async () => {
  await using place = await openPlace({ declaration, groups })
  const first = await started(place)
  const id = await idThatWaits(place)
  place.sandbox.setFaults(refusing)
  await approve(place, id, '1h')
  await first.stop()
  place.sandbox.setFaults([])
  const second = await started(place)
  await expect.poll(() => stateOf(place.sandbox), { timeout: 20_000 }).toEqual([...others, approved])
  await second.stop()

  remove(place, 'leads')
  place.sandbox.setFaults(refusing)
  const third = await started(place)
  await approve(place, id, '5s')
  await sleep(5_100)
  place.sandbox.setFaults([])
  await third.cycle()
  expect(stateOf(place.sandbox)).toEqual(others)
  await third.stop()
})

test('the journal has the name that was given, the account and the reason', async () => {
  await using place = await openPlace({ declaration, groups })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  await place.run(['approve', id, '--now', '--for', '1h', '--reason', 'INC-99'], { env: { USER: 'ann' } })
  expect((await entriesOf(place, 'approval')).map(({ approval }) => approval)).toMatchObject([
    { by: 'ann', account, reason: 'INC-99', workspace: 'acme' },
  ])
  await stop()
})

type StoredEntry = { readonly entry: string; readonly approval?: { readonly name: string } } & Readonly<Record<string, unknown>>

async function entriesOf(place: Place, kind: string): Promise<readonly StoredEntry[]> {
  const lines = (await place.read('state/journal-000001.jsonl')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as StoredEntry).filter(({ entry }) => entry === kind)
}

const account = expect.stringMatching(new RegExp(`uid ${process.geteuid?.()}\\)?$`)) as string

test('--by stands in the journal beside the account that said it, for each door of an approval', async () => {
  await using place = await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: 503, from the 2nd'] } })
  const given = { env: { USER: 'root' } }
  const { daemon, stop } = await started(place)
  const id = await idThatWaits(place)
  await place.run(['approve', id, '--now', '--reason', 'INC-99', '--by', 'Ann Lee'], given)
  const [approved] = await entriesOf(place, 'approval')
  expect(approved?.approval).toMatchObject({ by: 'Ann Lee', account })
  await place.run(['approve', '--withdraw', approved?.approval?.name ?? 'none', '--by', 'Bo'], given)
  expect(await entriesOf(place, 'withdrawal')).toMatchObject([{ by: 'Bo', account }])
  await place.run(['reconcile', '--by', 'Cem'], given)
  const orders = daemon.log().filter(({ event, order }) => event === 'order' && order === 'cycle')
  expect(orders.map(({ by }) => by)).toEqual([expect.stringMatching(/^Cem \(/)])
  await stop()
})

test.each(['beside a daemon', 'without one'])('apply --allow --by %s: the journal has name and account', async (how) => {
  await using place = await openPlace({ declaration, groups })
  const run = how === 'without one' ? undefined : await started(place)
  const id = await idThatWaits(place)
  const { out, code, err } = await place.run(['apply', '--yes', '--allow', id, '--by', 'Ann Lee', '-o', 'json'], { env: { USER: 'root' } })
  expect(code, err).toBe(0)
  expect(await entriesOf(place, 'waiver')).toMatchObject([{ by: 'Ann Lee', account, source: '--allow' }])
  expect(JSON.parse(out).workspaces[0].waived).toMatchObject([{ by: 'Ann Lee', account, source: '--allow' }])
  expect((await place.run(['apply', '--yes', '--by', ' '])).code).toBe(64)
  await run?.stop()
})

const offered = (place: Place, ...words: readonly string[]) =>
  candidatesText(['--config', place.path('config.yaml'), ...words], { PLANE_BASE_URL: place.sandbox.url })

test('after a cycle that failed, approve says that it is not known what waits, and what to do', async () => {
  await using place = await openPlace({ declaration, groups })
  const daemon = await started(place)
  const id = await idThatWaits(place)
  for (const [fault, why] of [
    ['GET projects: 500', /^Perhaps more waits in acme: .+$/m],
    ['GET *: 403', /^It is not known what waits in acme, since it could not be planned: .+$/m],
  ] as const) {
    place.sandbox.setFaults([fault])
    await daemon.cycle()
    const told = await approve(place, id, '1h')
    expect([told.code, told.err]).toEqual([1, expect.stringMatching(why)])
    expect(told.err).not.toContain('Nothing waits')
    expect(told.err).toContain('plane-group-sync reconcile, then approve it again')
  }
  await daemon.stop()
})

test('of the ID of a plan that is newer than the last cycle, approve says so', async () => {
  await using place = await openPlace({ declaration, groups })
  const daemon = await started(place)
  const { out } = await place.run(['plan', '--format', 'json'])
  const [plan] = (JSON.parse(out) as { readonly workspaces: readonly { readonly fingerprint: string }[] }).workspaces
  const id = plan?.fingerprint.slice(0, 32) ?? 'none'
  const early = await approve(place, id, '1h')
  expect([early.code, early.err]).toEqual([
    3,
    expect.stringMatching(/in the last cycle of the daemon, .+ ago\..*plane-group-sync reconcile/s),
  ])
  await place.run(['reconcile'])
  expect((await approve(place, id, '1h')).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual([...others, approved])
  await daemon.stop()
})

/** The ID of the plan. */
async function idOfPlan(place: Place): Promise<string> {
  const { out } = await place.run(['status', '--format', 'json'])
  const { last } = JSON.parse(out) as {
    readonly last: { readonly workspaces: readonly { readonly plan: { readonly fingerprint: string } }[] }
  }
  return last.workspaces[0]?.plan.fingerprint.slice(0, 32) ?? 'none'
}

test('the ID of a plan with 5,000 changes is enough to approve it, and the journal has each of them', { timeout: 300_000 }, async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `group-${String(index).padStart(4, '0')}-with-a-name-of-a-usual-length`)
  const workspaces = {
    acme: { projects: ['ENG'], projectMappings: many.map((name) => ({ idp_group_name: name, project: 'ENG', role: 'guest' })) },
  }
  const removed = declared({ projectRoles: [], removed: many.map((group) => ({ group, project: 'ENG' })) })
  await using place = await openPlace({ declaration: removed, groups: many, workspaces })
  const { daemon, stop } = await started(place)
  const id = await idOfPlan(place)
  // The plan takes so long that the next command finds a part of it left, also on a busy machine.
  place.sandbox.setFaults(['DELETE project-mappings: latency 10ms'])
  const asker = place.start(['approve', id, '--now', '--for', '1h', '--reason', 'INC-99'])
  asker.child.stdin?.end()
  await daemon.until(() => stateOf(place.sandbox).length < 4_900)
  const journal = (await place.read('state/journal-000001.jsonl')).split('\n').filter((line) => line.includes('"entry":"approval"'))
  type Approval = {
    readonly name: string
    readonly words: {
      readonly changes: readonly { readonly key: string; readonly before: string }[]
    }
  }
  const approvals = journal.map((line) => (JSON.parse(line) as { readonly approval: Approval }).approval)
  expect(approvals).toHaveLength(1)
  for (const { words } of approvals) expect(new Set(words.changes.map(({ key, before }) => `${key} ${before}`)).size).toBe(5_000)

  // The approval is taken back while the plan is written: no further delete is sent.
  const taken = approvals[0]?.name ?? ''
  const ended = await withdraw(place, taken)
  const left = stateOf(place.sandbox).length
  expect([ended.code, left > 100, left < 5_000], ended.err).toEqual([0, true, true])
  expect((await place.run(['status'])).out).not.toContain(taken)
  const { code, out } = await asker.ended
  // One write may have been on its way.
  expect([code, left - stateOf(place.sandbox).length <= 1]).toEqual([3, true])
  // What is left exceeds the limits again.
  expect(out).toContain('need approval')
  expect(writesTo(place.sandbox).length).toBe(5_000 - stateOf(place.sandbox).length)
  await stop()
})

test('an approval that was taken back is gone from status, also before the next cycle', async () => {
  await using place = await openPlace({ declaration, groups })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  place.sandbox.setFaults(refusing)
  const name = nameIn(await approve(place, id, '1h'))
  expect((await place.run(['status'])).out).toMatch(new RegExp(`1 change: ENG +leads → admin;[^]*${name}`))
  expect((await withdraw(place, name)).code).toBe(0)
  expect((await place.run(['status'])).out).not.toContain(name)
  await stop()
})

test('without a known number of people an approval must say a number', async () => {
  await using place = await openPlace({ declaration, groups, settings: { guards: { people: { raise: 1 } } } })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  const silent = await approve(place, id, '1h')
  expect([silent.code, silent.err.includes(`${id}:any`)], silent.err).toEqual([3, true])
  const printed = await place.run(['approve', id, '--reason', 'x'])
  expect([printed.code, printed.out]).toEqual([3, ''])
  expect(await place.read('state/journal-000001.jsonl')).not.toContain('"entry":"approval"')
  const before = stateOf(place.sandbox)
  expect((await approve(place, `${id}:160`, '1h')).code).toBe(3)
  expect(stateOf(place.sandbox)).toEqual(before)
  const bare = await place.run(['plan', '--allow', id])
  expect(bare.err).toContain(`To approve it: --allow ${id}:any`)
  expect(await offered(place, 'plan', '--allow', id.slice(0, 4))).toContain(`\n${id}:any\t`)
  await approve(place, `${id}:any`, '1h')
  expect(stateOf(place.sandbox).length).toBe(before.length + 1)
  await stop()
})

test('completion offers the IDs that wait, for approve and for --allow', async () => {
  await using place = await openPlace({ declaration, groups })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  expect(await offered(place, 'approve', '')).toMatch(new RegExp(`^words\n${id}\tacme: .+\n$`))
  expect(await offered(place, 'plan', `--allow=${id.slice(0, 4)}`)).toMatch(new RegExp(`^words\n--allow=${id}\tacme: .+\n$`))
  expect(await offered(place, 'approve', 'xyz')).toBe('words\n')
  await stop()
})

test.skipIf(!hasTerminal)('at a terminal the first eight digits are enough: it shows what they let pass, and asks', async () => {
  await using place = await openPlace({ declaration, groups })
  const { stop } = await started(place)
  const id = await idThatWaits(place)
  const args = ['approve', id.slice(0, 8), '--now', '--reason', 'INC-99', '--no-color']
  const unasked = await place.run(args)
  expect([unasked.code, unasked.err]).toEqual([64, expect.stringContaining('approve takes the 32 digits')])
  const question = 'Approve this for 1 h? Type "yes" to approve: '
  const answered = async (answer: string) => {
    const running = place.start(args, { wrap: (command) => atTerminal(command, { columns: 120 }) })
    await running.until(() => running.out().includes(question))
    running.child.stdin?.write(answer)
    const { code, out } = await running.ended
    return { code, out, state: stateOf(place.sandbox) }
  }
  const refused = await answered('y\n')
  expect(refused).toMatchObject({ code: 3, state: others })
  expect(refused.out).toContain(`${id} in acme: 1 change`)
  expect(refused.out).toMatch(/‼ ENG +leads → admin +protected role; since .*groups\.yaml:6/)
  expect(refused.out).toContain('Nothing was approved: only "yes" approves.')
  expect(await answered('yes\n')).toMatchObject({ code: 0, state: [...others, approved] })
  await stop()
})
