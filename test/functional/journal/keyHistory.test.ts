import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { GroupName, Key, MappingId, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Approval } from '../../../src/core/memory/approvals.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { keyHistory } from '../../../src/journal/keyHistory.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'))
})
afterEach(() => rm(folder, { recursive: true }))

const disk = realDisk({ pid: process.pid, isAlive: () => false })
const workspace = 'acme' as WorkspaceName
const key = 'acme/workspace/a "b"' as Key
const other = 'acme/workspace/c' as Key

const patch = (of: Key, role: string): Change => ({
  ...{ id: `${of} ${role}` as ChangeId, action: 'patch', key: of, group: 'x' as GroupName, target: { kind: 'workspace' }, requires: [] },
  ...{ mapping: 'm1' as MappingId, before: null, role: role as Role },
})
const write = { run: 'r1', workspace, declaration: 'd' } as const
const intent = (atMs: number, change: Change): Entry => ({ ...write, atMs, kind: 'intent', change })
const result = (atMs: number, change: Change, outcome: Outcome = { kind: 'done' }): Entry => ({
  ...write,
  atMs,
  kind: 'result',
  change,
  outcome,
})
const start: Entry = { atMs: 1, run: 'r1', kind: 'start', version: '1', command: 'apply', waits: 'no', service: { host: 'h', slugs: {} } }

async function append(entries: readonly Entry[], bytesMax = 1_000_000) {
  const journal = await openJournal(folder, { bytesMax, filesMax: 100, unknownOutcomeWaitMs: 1_000, disk, now: () => 0 })
  for (const entry of entries) await journal.append(entry)
  await journal.close()
}
const history = (max = 10) => keyHistory(folder, disk, key, max, AbortSignal.any([]))

test('has the writes of the key with their outcomes, the newest first, and the command of the process', async () => {
  const refused: Outcome = { kind: 'refused', status: 400, code: 'rejected', sentence: 'no' }
  const [guest, member] = [patch(key, 'guest'), patch(key, 'member')]
  await append([
    start,
    ...[intent(2, guest), result(3, guest), intent(4, patch(other, 'guest')), result(5, patch(other, 'guest'))],
    ...[intent(6, member), result(7, member, refused), intent(8, member)],
  ])
  expect(await history()).toMatchObject([
    { kind: 'write', atMs: 8, change: { role: 'member' }, command: 'apply' },
    { kind: 'write', atMs: 7, change: { role: 'member' }, outcome: refused },
    { kind: 'write', atMs: 3, change: { role: 'guest' }, outcome: { kind: 'done' } },
  ])
  expect((await history())[0]).not.toHaveProperty('outcome')
})

test('has a rename under both keys, what is known of its origin, and approvals that name it', async () => {
  const rename: Change = { ...patch(other, 'guest'), action: 'rename', from: key, fromGroup: 'a' as GroupName } as Change
  const ownership = { id: 'm1' as MappingId, role: 'guest' as Role, file: 'a.yaml', how: 'made' } as const
  const approval: Approval = {
    ...{ name: 'f'.repeat(32), workspace, passes: [], by: 'ann', account: 'u', reason: 'INC-1', fromMs: 1, untilMs: 99 },
    words: { changes: [{ key, after: 'admin' as Role }] },
  }
  await append([
    result(2, rename),
    { atMs: 3, run: 'r2', kind: 'ownership', workspace, list: 'workspaceRoles', keys: { [key]: ownership } },
    { atMs: 4, run: 'r2', kind: 'ownership', workspace, list: 'workspaceRoles', keys: { [key]: null, [other]: ownership } },
    { atMs: 5, run: 'r2', kind: 'approval', approval },
  ])
  expect(await history()).toMatchObject([
    { kind: 'approval', by: 'ann', reason: 'INC-1', untilMs: 99 },
    { kind: 'ownership', ownership: null },
    { kind: 'ownership', ownership: { how: 'made' } },
    { kind: 'write', change: { action: 'rename' } },
  ])
})

test('reads older files only as far as it needs, also if an intent and its result are in two', async () => {
  const changes = Array.from({ length: 30 }, (_, n) => patch(key, `role${n}`))
  await append([start, ...changes.flatMap((change, n) => [intent(10 * n + 10, change), result(10 * n + 15, change)])], 10_000)
  expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(1)
  const events = await history(30)
  expect(events.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 30 }, (_, n) => 10 * (29 - n) + 15))
  expect((await history(3)).map(({ atMs }) => atMs)).toEqual([305, 295, 285])
})

test('an intent whose result is in the next file is no event of its own, and no file is read without need', async () => {
  await append([start, intent(2, patch(key, 'guest')), result(3, patch(key, 'guest'))])
  const first = join(folder, 'journal-000001.jsonl')
  const [head, begun, sent, outcome, ...rest] = (await readFile(first, 'utf8')).split('\n')
  await writeFile(first, `${[head, begun, sent].join('\n')}\n`)
  await writeFile(join(folder, 'journal-000002.jsonl'), [head, outcome, ...rest].join('\n'))
  expect(await history()).toMatchObject([{ atMs: 3, outcome: { kind: 'done' }, command: 'apply' }])
  const read: string[] = []
  const counted = { ...disk, readFile: (path: string) => (read.push(path), disk.readFile(path)) }
  await keyHistory(folder, counted, key, 1, AbortSignal.any([]))
  expect(read).toEqual([join(folder, 'journal-000002.jsonl')])
})

test('leaves out lines that cannot be read, and is empty without a journal', async () => {
  expect(await history()).toEqual([])
  await append([result(2, patch(key, 'guest'))])
  const [file = ''] = await readdir(folder).then((names) => names.filter((name) => name.endsWith('.jsonl')))
  const json = JSON.stringify(key)
  await appendFile(
    join(folder, file),
    `{"entry":"unheard","key":${json}}\n{"entry":"result","key":${json}\n{"entry":"result","change":{"key":${json}`,
  )
  expect((await history()).map(({ atMs }) => atMs)).toEqual([2])
})
