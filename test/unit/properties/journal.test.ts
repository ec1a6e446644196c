import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Change, canonical, type Deed, keysTouched, waiverName } from '../../../src/core/change.ts'
import { mayWrite } from '../../../src/core/gate.ts'
import { type GroupName, type Key, keyOf, type MappingId, type Role } from '../../../src/core/mapping.ts'
import { type Entry, emptyMemory, forget, type Memory, remember } from '../../../src/core/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { acme, hash, roles, target } from '../core/smallWorld.ts'
import { holds } from './runs.ts'

const waitMs = 100
const dayMs = 86_400_000

const deed = (what: Deed): Change => ({ ...what, id: waiverName(hash(canonical(what))), requires: [] })
const place = (group: string) => ({ key: keyOf(acme, target('ENG'), group as GroupName), group: group as GroupName, target: target('ENG') })
const [guest, member] = ['guest', 'member'] as [Role, Role]

/** Few groups, among them names that a plain object has as something else. */
const group = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  group.map((name) => deed({ ...place(name), action: 'create', role: member })),
  group.map((name) => deed({ ...place(name), action: 'patch', mapping: 'm' as MappingId, before: guest, role: member })),
  group.map((name) => deed({ ...place(name), action: 'delete', mapping: 'm' as MappingId, before: guest, why: 'removed' })),
  fc.uniqueArray(group, { minLength: 2, maxLength: 2 }).map(([from = '', to = '']) => {
    const [old, next] = [place(from), place(to)]
    return deed({ ...next, action: 'rename', mapping: 'm' as MappingId, from: old.key, fromGroup: old.group, before: guest, role: member })
  }),
)

type Write = {
  readonly change: Change
  readonly is: Outcome['is'] | 'rejected'
  readonly tookMs: number
  readonly pauseMs: number
  readonly others: number
}
const anyWrite: fc.Arbitrary<Write> = fc.record({
  change: anyChange,
  is: fc.constantFrom('done', 'done', 'notSent', 'refused', 'rejected', 'unknown'),
  tookMs: fc.nat(60),
  pauseMs: fc.oneof({ weight: 5, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.constantFrom(200, 3_600_001, dayMs) }),
  others: fc.nat(2),
})
type Run = { readonly waits: 'yes' | 'no' | 'waived'; readonly writes: readonly Write[]; readonly ends: boolean; readonly size: number }
const anyRun: fc.Arbitrary<Run> = fc.record({
  waits: fc.constantFrom('no', 'no', 'yes', 'waived'),
  writes: fc.array(anyWrite, { maxLength: 6 }),
  ends: fc.boolean(),
  size: fc.nat(9),
})

/** What the processes of a journal wrote, one after the other; some writes are on their way together. The last may end anywhere. */
const anyHistory: fc.Arbitrary<readonly Entry[]> = fc
  .tuple(fc.array(anyRun, { minLength: 1, maxLength: 4 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([runs, cut]) => {
    const all = entriesOf(runs)
    return all.slice(0, Math.max(1, Math.ceil(cut * all.length)))
  })

function entriesOf(runs: readonly Run[]): readonly Entry[] {
  let atMs = 1_000
  const service = { host: 'plane.example.com', slugs: { acme: 'acme' } }
  return runs.flatMap(({ waits, writes, ends, size }, index) => {
    const run = `r${index}`
    const stamp = (afterMs: number) => ({ atMs: (atMs += afterMs), run })
    const of = { workspace: acme, declaration: 'd' }
    const entries: Entry[] = [{ ...stamp(10), entry: 'start', version: '1', command: 'run', waits, service }]
    entries.push({ ...stamp(1), entry: 'reading', of: 'acme/projectRoles', size })
    let open: Write[] = []
    const settle = (write: Write) => {
      const now = stamp(write.tookMs)
      entries.push({ ...now, entry: 'result', ...of, change: write.change, outcome: outcomeOf(write, now.atMs) })
      open = open.filter((other) => other !== write)
    }
    for (const write of writes) {
      // One and the same change is never on its way twice.
      for (const other of open) if (other.change.id === write.change.id || open.length > write.others) settle(other)
      entries.push({ ...stamp(write.pauseMs), entry: 'intent', ...of, change: write.change })
      open.push(write)
    }
    if (ends) {
      for (const write of open) settle(write)
      entries.push({ ...stamp(1), entry: 'end' })
    }
    return entries
  })
}

function outcomeOf({ is, tookMs }: Write, atMs: number): Outcome {
  switch (is) {
    case 'done':
      return { is, mapping: 'm', echoed: 'member' }
    case 'notSent':
      return { is, why: 'connection refused' }
    case 'unknown':
      return { is, why: 'cut', lastByteMs: atMs - Math.floor(tookMs / 2) }
    default:
      return { is: 'refused', status: 400, code: is === 'rejected' ? 'rejected' : 'forbidden', sentence: 'no' }
  }
}

const past = (entries: readonly Entry[], from: Memory = emptyMemory): Memory =>
  entries.reduce((memory, entry) => remember(memory, entry, waitMs), from)

/** As a new process finds it: through a file. */
const reopened = (memory: Memory): Memory => JSON.parse(JSON.stringify(memory)) as Memory

/** Intents that have no result when the next process starts, and when that is: read from the entries alone. */
function leftOpen(entries: readonly Entry[]): readonly { readonly change: Change; readonly atMs: number }[] {
  const waiting = new Map<string, Change>()
  return entries.flatMap((entry) => {
    if (entry.entry === 'intent') waiting.set(entry.change.id, entry.change)
    if (entry.entry === 'result') waiting.delete(entry.change.id)
    if (entry.entry !== 'start') return []
    const open = [...waiting.values()].map((change) => ({ change, atMs: entry.atMs }))
    waiting.clear()
    return open
  })
}

/** Until when a key may not be written: for what was left open, and for what is known not to be known. */
function uncertainUntilMs(key: Key, entries: readonly Entry[]): number {
  const lost = entries.flatMap((entry) =>
    entry.entry === 'result' && entry.outcome.is === 'unknown' ? [{ change: entry.change, atMs: entry.outcome.lastByteMs }] : [],
  )
  const here = [...leftOpen(entries), ...lost].filter(({ change }) => keysTouched(change).includes(key))
  return Math.max(0, ...here.map(({ atMs }) => atMs + waitMs))
}

const isHeld = (change: Change, memory: Memory, readAtMs: number) =>
  mayWrite(change, { memory, suspend: false, roles, declaration: 'another', readAtMs })?.reason.kind === 'quarantined'

describe('a journal that ends anywhere', () => {
  const restart = (atMs: number): Entry => {
    const service = { host: 'plane.example.com', slugs: { acme: 'acme' } }
    return { entry: 'start', atMs, run: 'next', version: '1', command: 'run', waits: 'no', service }
  }

  holds(
    'quarantines every key whose fate is open, as long as it may be, and none else',
    1_000,
    fc.property(anyHistory, anyChange, fc.nat(300), fc.nat(300), (history, change, pauseMs, afterMs) => {
      const startMs = (history.at(-1)?.atMs ?? 0) + pauseMs
      const all = [...history, restart(startMs)]
      const memory = past([restart(startMs)], reopened(past(history)))
      const readAtMs = startMs + afterMs
      const untilMs = Math.max(0, ...keysTouched(change).map((key) => uncertainUntilMs(key, all)))
      const startUpMs = change.action === 'create' || change.action === 'rename' ? memory.createsFromMs : 0
      expect(isHeld(change, memory, readAtMs)).toBe(readAtMs < untilMs || readAtMs < startUpMs)
    }),
  )

  holds(
    'says the same when it was rotated at any moment before the lists were read',
    500,
    fc.property(anyHistory, anyHistory, anyChange, fc.nat(300), (first, second, change, afterMs) => {
      const shift = first.at(-1)?.atMs ?? 0
      const later = second.map((entry) => ({ ...entry, atMs: entry.atMs + shift }))
      const rotated = past(later, reopened(forget(past(first), shift)))
      const whole = past(later, past(first))
      const readAtMs = (later.at(-1)?.atMs ?? 0) + afterMs
      expect(isHeld(change, rotated, readAtMs)).toBe(isHeld(change, whole, readAtMs))
      expect(forget(rotated, readAtMs)).toEqual(forget(whole, readAtMs))
    }),
  )

  holds(
    'counts for the day what was done to mappings, and what may have been',
    500,
    fc.property(anyHistory, fc.nat(300), (history, pauseMs) => {
      const nowMs = (history.at(-1)?.atMs ?? 0) + pauseMs
      const memory = forget(past([restart(nowMs)], past(history)), nowMs)
      const executed = history.flatMap((entry) =>
        entry.entry === 'result' && (entry.outcome.is === 'done' || entry.outcome.is === 'unknown') ? [entry] : [],
      )
      const all = [...executed, ...leftOpen([...history, restart(nowMs)])]
      const counted = all.filter(({ atMs, change }) => nowMs < atMs + dayMs && change.action !== 'create')
      expect(memory.revisions).toHaveLength(counted.length)
      expect(memory.revisions.filter(({ deletes }) => deletes)).toHaveLength(
        counted.filter(({ change }) => change.action === 'delete').length,
      )
    }),
  )
})
