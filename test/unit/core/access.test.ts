import { describe, expect, test } from 'vitest'
import { accessRows, pastRows } from '../../../src/core/access/access.ts'
import { openAgreements } from '../../../src/core/access/agreed.ts'
import type { Change } from '../../../src/core/change.ts'
import type { Key, MappingId, Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import type { Revision } from '../../../src/core/revision.ts'
import { acme, changeOf, complete, groups, mapping, planIn, rule, seenOf } from './smallWorld.ts'

const key = 'acme/project/ENG/a' as Key
const create = changeOf('create ENG a = admin')
const stamp = { run: 'r', atMs: 10 } as const
const written = (change: Change, more: object = {}): Entry => ({
  ...{ ...stamp, kind: 'result', workspace: acme, change, declaration: 'd1', outcome: { kind: 'done', mapping: 'm1' } },
  ...more,
})
const waiver = (source: string, passes: readonly string[] = [create.id], account?: string): Entry => ({
  ...{ ...stamp, kind: 'waiver', workspace: acme, fingerprint: 'f', passes, by: 'ann', source },
  ...(account === undefined ? {} : { account }),
})
const approval: Entry = {
  ...stamp,
  kind: 'approval',
  approval: { name: 'n', workspace: acme, passes: [], by: 'ann', account: 'op (uid 5)', reason: 'ACC-9', fromMs: 1, untilMs: 99 },
}
const end: Entry = { ...stamp, kind: 'end' }
function agreedOf(...entries: readonly Entry[]) {
  const agreements = openAgreements()
  for (const entry of entries) agreements.add(entry)
  return agreements.written.get(key)
}
const texts = (...entries: readonly Entry[]) =>
  (agreedOf(...entries)?.agreements ?? []).map(({ by, account, source, reason }) => [by, account, source, reason].join(' | '))

describe('who agreed to a write', () => {
  test('an order: with its account and reason', () =>
    expect(texts(approval, waiver('approval n', [`${create.id}:12`]), written(create))).toEqual(['ann | op (uid 5) | approval n | ACC-9']))
  test('--allow: with the account of the process', () =>
    expect(texts(waiver('--allow', [create.id], 'root (uid 0)'), written(create))).toEqual(['ann | root (uid 0) | --allow | ']))
  test('words in a file: without an account', () =>
    expect(texts(waiver('acme.yaml:8:9'), written(create))).toEqual(['ann |  | acme.yaml:8:9 | ']))
  test('a rule that allows a protected role', () => {
    const because = { ...rule('a', 'ENG', 'admin').because, owner: 'team-a', reason: 'R1' }
    const allowed = { ...create, allowProtected: true, because } as Change
    expect(texts(written(allowed))).toEqual([expect.stringMatching(/^team-a \| {2}\| .*:\d+ \(allowProtected\) \| R1$/)])
  })
  test('not an approval of an earlier cycle, and not that of another change', () => {
    expect(texts(waiver('--allow'), end, written(create))).toEqual([])
    expect(texts(waiver('--allow', ['0'.repeat(32)]), written(create))).toEqual([])
    expect(texts(waiver('--allow'), written(create), written(create))).toEqual([])
  })
  test('the commit is that which was known at the write', () => {
    const commit = (id: string): Revision => ({ kind: 'commit', id })
    const declared = (hash: string, id: string): Entry => ({ ...stamp, kind: 'declaration', hash, revision: commit(id) })
    expect(agreedOf(declared('d1', 'c1'), written(create), declared('d1', 'c2'))?.revision).toEqual(commit('c1'))
    expect(agreedOf(declared('d2', 'c1'), written(create))?.revision).toBeUndefined()
  })
  test('the declaration in use is that of the newest entry, with its commit if that is known', () => {
    const commit = (id: string): Revision => ({ kind: 'commit', id })
    const declared = (hash: string, id: string): Entry => ({ ...stamp, kind: 'declaration', hash, revision: commit(id) })
    const inUse = (...entries: readonly Entry[]) => {
      const agreements = openAgreements()
      agreements.addRevision({ hash: 'd0', revision: commit('c0') })
      for (const entry of entries) agreements.add(entry)
      return agreements.declaration()
    }
    expect(inUse()).toEqual({ hash: 'd0', revision: commit('c0') })
    expect(inUse(written(create))).toEqual({ hash: 'd1' })
    expect(inUse(declared('d1', 'c1'), written(create))).toEqual({ hash: 'd1', revision: commit('c1') })
    expect(inUse(written(create), declared('d2', 'c2'))).toEqual({ hash: 'd2', revision: commit('c2') })
    const agreements = openAgreements()
    expect(agreements.declaration()).toBeUndefined()
    agreements.add(written(create))
    agreements.addRevision({ hash: 'd0', revision: commit('c0') })
    expect(agreements.declaration()).toEqual({ hash: 'd1' })
  })
  test('a mapping that is gone has none', () => {
    const gone = { ...changeOf('delete ENG a = admin (removed)'), mapping: 'm1' } as Change
    expect(agreedOf(written(create), written(gone))).toBeUndefined()
    expect(agreedOf(written(create, { outcome: { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' } }))).toBeUndefined()
  })
})

describe('rows of a report', () => {
  const world = {
    rules: [rule('a', 'ENG', 'member'), rule('new', 'ENG', 'guest'), rule('lost', 'ENG', 'guest')],
    directories: { corp: ['a', 'new', 'hand'] },
    existing: ['ENG a guest', 'ENG hand admin', 'ENG lost guest'],
    owns: ['projectRoles'] as const,
  }
  const rowsOf = (existing: readonly string[], writtenFor = openAgreements().written) => {
    const lists = new Map([['projectRoles' as const, complete(existing.map(mapping))]])
    const plan = planIn(seenOf(world), [], { listsUnchanged: true })
    return accessRows({ plan, lists, directories: [groups('a', 'new', 'hand')], seen: emptyMemory.seen, written: writtenFor })
  }
  test('say how each mapping stands, also one that this cycle has written', () => {
    const rows = rowsOf([...world.existing, 'ENG new guest'])
    expect(rows.map(({ group, role, standing }) => `${group} = ${role} ${standing}`)).toEqual([
      'a = guest declared',
      'hand = admin undeclared',
      'lost = guest held',
      'new = guest declared',
    ])
  })
  test('have the approval of the write that left the mapping, and no other', () => {
    const agreements = openAgreements()
    const [row] = rowsOf(['ENG a guest'])
    const patch = { ...changeOf('patch ENG a: admin → guest'), mapping: row?.id } as Change
    for (const entry of [waiver('--allow', [patch.id], 'root'), written(patch)]) agreements.add(entry)
    expect(rowsOf(['ENG a guest'], agreements.written)[0]?.agreements).toHaveLength(1)
    // Others gave it another role since.
    expect(rowsOf(['ENG a admin'], agreements.written)[0]?.agreements).toBeUndefined()
  })
})

describe('rows of the past', () => {
  const seen = (mappings: object, more: object = {}): Entry => ({
    ...{ ...stamp, kind: 'seen', workspace: acme, list: 'projectRoles', readMs: 9 },
    mappings: mappings as never,
    ...more,
  })
  const first = seen({ m1: { key, role: 'guest' }, m2: { key: 'acme/project/ENG/b', role: null } }, { first: true })
  const memory = [first, seen({}, { hidden: ['m2'], readMs: 20, atMs: 21 })].reduce(
    (before, entry) => remember(before, entry, 100),
    emptyMemory,
  )
  const rows = (unsure: object = {}) =>
    pastRows(acme, { seen: memory.seen, written: new Map(), unsure: new Map(Object.entries(unsure)) as never }).map(
      ({ id, group, role, unsure: change }) => `${id} ${group} = ${role}${change === undefined ? '' : ' ?'}`,
    )
  test('are those that the lists showed', () => expect(rows()).toEqual(['m1 a = guest']))
  test('and those that may have been there already', () => {
    const span = { afterMs: 1, atMs: 99 }
    expect(rows({ m1: { ...span, key, role: 'admin' } })).toEqual(['m1 a = guest ?'])
    expect(rows({ m9: { ...span, key: 'acme/workspace/z' as Key, role: 'admin' as Role, isNew: true } })).toEqual([
      'm9 z = admin ?',
      'm1 a = guest',
    ])
    expect(rows({ m9: { ...span, key: 'beta/workspace/z', role: 'admin', isNew: true } })).toEqual(['m1 a = guest'])
    expect(rows({ ['m9' as MappingId]: span })).toEqual(['m1 a = guest'])
  })
})
