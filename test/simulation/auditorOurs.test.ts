import { expect, test } from 'vitest'
import { openEnds } from './audit/ends.ts'
import { openOurs } from './audit/ours.ts'
import type { Write } from './audit/write.ts'
import type { DeclaredRule, DeclaredWorkspace } from './declared.ts'
import type { StoredRow } from './service.ts'
import type { Spec } from './spec.ts'

const dayMs = 86_400_000
const rule: DeclaredRule = { group: 'devs', at: 'ENG', role: 'member' }
const row: StoredRow = { id: 'r', group: 'devs', at: 'ENG', role: 'member', project: 'eng' }
const declared = (...projectRoles: readonly DeclaredRule[]): DeclaredWorkspace => ({
  name: 'acme',
  projectRoles,
  removed: [],
  unmanaged: [],
})
/** Version 0 declares the mapping, version 1 has no line for it. */
const versions = [declared(rule), declared()]
const about = { request: 1, process: 0, workspace: 'acme', kind: 'project-mappings', listing: undefined, atMs: 0, beganMs: 0 } as const
const create: Write = { ...about, does: 'create', before: undefined, after: row }
const remove: Write = { ...about, does: 'delete', before: row, after: undefined }

function book(policy: Spec['policy'] = 'sync', journal: Spec['journal'] = 'folder') {
  let rows: readonly StoredRow[] = []
  const ours = openOurs(
    { policy, journal, ours: { files: 1, folder: 'state' } },
    () => rows,
    (version) => [versions[version] as DeclaredWorkspace],
    () => false,
  )
  const happens = (what: string, how: string) => ours.hear({ atMs: 0, is: 'happening', what, how, others: 0 })
  function begin(atMs: number, version: number, before: readonly StoredRow[]) {
    rows = before
    ours.hear({ atMs, is: 'start', process: 0, mode: 'once', skewMs: 0, drift: 0, folder: 'state' })
    ours.hear({ atMs, is: 'cycle', process: 0 })
    ours.hear({ atMs, is: 'declared', process: 0, versions: [version] })
  }
  /** A command is killed, and a write is executed after that. */
  function kill(day: number, version: number, before: readonly StoredRow[], wrote: Write) {
    begin(day * dayMs, version, before)
    ours.hear({ atMs: day * dayMs, is: 'kill', process: 0 })
    ours.executed(wrote, row.id)
  }
  /** A command runs: whether its delete of the mapping would be right, and what it omits. */
  function run(day: number, version: number, before: readonly StoredRow[], wrote?: Write, after = before) {
    const atMs = day * dayMs
    begin(atMs, version, before)
    const may = ours.mayBe(remove)
    if (wrote !== undefined) ours.executed(wrote, row.id)
    rows = after
    const left = ours.hear({ atMs, is: 'cycled', process: 0, outcome: 'acme success', judged: ['acme'] })
    return { may, omits: left.length }
  }
  return { run, kill, happens }
}
const kept = { may: false, omits: 0 }
const due = { may: true, omits: 1 }

test('what the program created goes with its line', () => {
  const { run } = book()
  run(0, 0, [], create, [row])
  expect(run(1, 1, [row])).toEqual(due)
  expect(run(2, 1, [row], remove, [])).toEqual({ may: true, omits: 0 })
})

test('what a process created that was killed meanwhile goes with its line, unless a person edited it before a list showed it', () => {
  const killed = book()
  killed.run(0, 0, [])
  killed.kill(1, 0, [], create)
  expect(killed.run(2, 1, [row])).toEqual(due)

  const edited = book()
  edited.run(0, 0, [])
  edited.kill(1, 0, [], create)
  edited.run(2, 0, [{ ...row, role: 'guest' }])
  expect(edited.run(3, 1, [row])).toEqual(kept)

  const patched = book()
  patched.run(0, 0, [], create, [row])
  patched.kill(1, 0, [row], { ...about, does: 'patch', before: row, after: { ...row, role: 'guest' } })
  expect(patched.run(2, 1, [{ ...row, role: 'guest' }])).toEqual(kept)
})

test('what others created goes only if a rule has named it for seven days', () => {
  for (const [day, result] of [
    [6, kept],
    [8, due],
  ] as const) {
    const { run } = book()
    run(0, 0, [row])
    run(day, 0, [row])
    expect(run(day + 1, 1, [row])).toEqual(result)
  }
})

test('an edit in Plane, the first cycle of a policy that deletes, and a lost journal end what is ours', () => {
  const edited = book()
  edited.run(0, 0, [], create, [row])
  edited.run(1, 0, [{ ...row, role: 'guest' }])
  expect(edited.run(2, 1, [row])).toEqual(kept)

  const begun = book('upsert-only')
  begun.run(0, 0, [], create, [row])
  begun.happens('policy', 'sync')
  expect(begun.run(1, 1, [row])).toEqual(kept)

  const lost = book()
  lost.run(0, 0, [], create, [row])
  lost.happens('journal', 'lose state')
  expect(lost.run(1, 1, [row])).toEqual(kept)
  expect(book('sync', 'none').run(0, 1, [row])).toEqual(kept)
})

test('under exclusive all that is undeclared goes', () => {
  expect(book('exclusive').run(0, 1, [row])).toEqual({ may: false, omits: 1 })
})

test('an end is recorded that cycles have known for 72 hours, and that was still to come', () => {
  const until = (day: number) => declared({ ...rule, expires: new Date(day * dayMs).toISOString() })
  const isRecorded = (knownDay: number, endDay: number, nowDay: number, before?: number): boolean => {
    const ends = openEnds()
    if (before !== undefined) ends.read([until(before)], 0)
    ends.read([until(endDay)], knownDay * dayMs)
    return ends.isRecorded('acme', row, until(endDay), nowDay * dayMs)
  }
  expect(isRecorded(0, 4, 4.1)).toBe(true)
  expect(isRecorded(0, 4, 3.9)).toBe(false)
  expect(isRecorded(2, 4, 4.1)).toBe(false)
  expect(isRecorded(2, 4, 4.1, 9)).toBe(false)
  expect(isRecorded(2, 1, 9)).toBe(false)
})
