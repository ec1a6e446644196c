import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Change, type ChangeBody, canonical, waiverId } from '../../../src/core/change.ts'
import { gateHold } from '../../../src/core/judge/gate.ts'
import { type GroupName, type Key, keyOf, type MappingId, type Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { forget } from '../../../src/core/memory/forget.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { acme, executedOf, guards, hash, roles, target } from '../core/smallWorld.ts'
import { reopened } from '../journal/reopened.ts'
import { storedMemory } from '../journal/storedForms.ts'
import { holds } from './runs.ts'

const waitMs = 100
const dayMs = 86_400_000

const deed = (what: ChangeBody): Change => ({ ...what, id: waiverId(hash(canonical(what))), requires: [] })
const place = (group: string) => ({ key: keyOf(acme, target('ENG'), group as GroupName), group: group as GroupName, target: target('ENG') })
const [guest, member] = ['guest', 'member'] as [Role, Role]

/** Few groups. Two of them have the name of a property that each plain object has. */
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

/** `again`: an earlier sending of this write got no answer. `rests`: the process writes an `end` entry before this write. */
type Write = {
  readonly change: Change
  readonly kind: Outcome['kind'] | 'rejected'
  readonly tookMs: number
  readonly pauseMs: number
  readonly others: number
  readonly again: boolean
  readonly rests: boolean
}
type Run = {
  readonly waits: 'yes' | 'no' | 'waived'
  readonly writes: readonly Write[]
  readonly ends: boolean
  readonly size: number
  /** How far the clock of this host is ahead of the clock of the previous host. */
  readonly skewMs: number
}

/** The entries of several processes, one after the other. Some writes are in flight together. The journal may end at any entry. */
function anyHistory({ pausesMs, skewsMs }: { readonly pausesMs: readonly number[]; readonly skewsMs: readonly number[] }) {
  const write: fc.Arbitrary<Write> = fc.record({
    change: anyChange,
    kind: fc.constantFrom('done', 'done', 'notSent', 'refused', 'rejected', 'unknown'),
    tookMs: fc.nat(60),
    pauseMs: fc.oneof({ weight: 5, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.constantFrom(...pausesMs) }),
    others: fc.nat(2),
    again: fc.constantFrom(false, false, false, true),
    rests: fc.constantFrom(false, false, true),
  })
  const run: fc.Arbitrary<Run> = fc.record({
    waits: fc.constantFrom('no', 'no', 'yes', 'waived'),
    writes: fc.array(write, { maxLength: 6 }),
    ends: fc.boolean(),
    size: fc.nat(9),
    skewMs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(...skewsMs) }),
  })
  return fc
    .tuple(fc.array(run, { minLength: 1, maxLength: 4 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([runs, cut]): readonly Entry[] => {
      const all = entriesOf(runs)
      return all.slice(0, Math.max(1, Math.ceil(cut * all.length)))
    })
}
const hourMs = 3_600_000
const hours = anyHistory({ pausesMs: [120, hourMs + 1, dayMs], skewsMs: [0] })
const hosts = anyHistory({ pausesMs: [120, hourMs + 1], skewsMs: [-hourMs, -150, 150, hourMs] })
const minutes = anyHistory({ pausesMs: [120, 250], skewsMs: [0] })

function entriesOf(runs: readonly Run[]): readonly Entry[] {
  let atMs = 1e9
  const service = { host: 'plane.example.com', slugs: { acme: 'acme' } }
  return runs.flatMap(({ waits, writes, ends, size, skewMs }, index) => {
    atMs += skewMs
    const run = `r${index}`
    const stamp = (afterMs: number) => ({ atMs: (atMs += afterMs), run })
    const of = { workspace: acme, declaration: 'd' }
    // If the previous process did not end cleanly, the next one waits, or `--no-wait` was given.
    const needs = waits === 'no' && index > 0 && runs[index - 1]?.ends === false ? 'yes' : waits
    const entries: Entry[] = [{ ...stamp(10), kind: 'start', version: '1', command: 'run', waits: needs, service }]
    entries.push({ ...stamp(1), kind: 'reading', of: 'directory', size })
    let open: Write[] = []
    const settle = (write: Write) => {
      const now = stamp(write.tookMs)
      entries.push({ ...now, kind: 'result', ...of, change: write.change, outcome: outcomeOf(write, now.atMs) })
      open = open.filter((other) => other !== write)
    }
    const rest = () => {
      for (const write of open) settle(write)
      entries.push({ ...stamp(1), kind: 'end' })
    }
    for (const write of writes) {
      if (write.rests) rest()
      // A change is never in flight twice.
      for (const other of open) if (other.change.id === write.change.id || open.length > write.others) settle(other)
      entries.push({ ...stamp(write.pauseMs), kind: 'intent', ...of, change: write.change })
      open.push(write)
    }
    if (ends) rest()
    return entries
  })
}

function outcomeOf({ kind, tookMs, again }: Write, atMs: number): Outcome {
  const earlier = again ? { earlierLastByteMs: atMs - tookMs } : {}
  switch (kind) {
    case 'done':
      return { kind, mapping: 'm', echoed: 'member', ...earlier }
    case 'notSent':
      return { kind, why: 'connection refused', ...earlier }
    case 'unknown':
      return { kind, why: 'cut', lastByteMs: atMs - Math.floor(tookMs / 2) }
    default:
      return { kind: 'refused', status: 400, code: kind === 'rejected' ? 'rejected' : 'forbidden', sentence: 'no', ...earlier }
  }
}

const past = (entries: readonly Entry[], from: Memory = emptyMemory): Memory =>
  entries.reduce((memory, entry) => remember(memory, entry, waitMs), from)

/**
 * The last byte of a request whose outcome this result leaves unknown. After a done delete an earlier sending has no effect, because the mapping
 * is gone.
 */
function unknownByteMs({ change, outcome }: Extract<Entry, { kind: 'result' }>): number | undefined {
  if (outcome.kind === 'unknown') return outcome.lastByteMs
  return change.action === 'delete' && outcome.kind === 'done' ? undefined : outcome.earlierLastByteMs
}

/** The keys of a write, and its mapping, which may have another key later. */
const touched = (change: Change): readonly (Key | MappingId)[] => [
  change.key,
  ...(change.action === 'rename' ? [change.from] : []),
  ...('mapping' in change ? [change.mapping] : []),
]

type Fate = { readonly fateMs: number; readonly shownMs: number; readonly goneMs: number; readonly createsMs: number }

/**
 * Four times for a key, read from the entries alone. Waits that were not over at a clean end begin again with the next process.
 *
 * - `fateMs`: the end of its quarantine: no earlier write to it can be executed any more.
 * - `shownMs`: from then on lists show the mapping that was made.
 * - `goneMs`: from then on lists do not show the mapping that was deleted or renamed.
 * - `createsMs`: from then on no create of an earlier process can be executed.
 *
 * @param forgets a quarantine that is over at a clean end stays over; otherwise it may begin again after a later crash
 */
function fateOf(key: Key | MappingId, entries: readonly Entry[], forgets: boolean): Fate {
  const open = new Map<string, Change>()
  let [fateMs, shownMs, createsMs, hasMapping] = [0, 0, 0, false]
  let knownMs = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    if (entry.kind === 'end') {
      knownMs = entry.atMs
      if (forgets && fateMs <= knownMs) fateMs = 0
    }
    if (entry.kind === 'start') {
      const restMs = entry.atMs + waitMs
      const anew = (untilMs: number) => (untilMs > Math.max(0, knownMs) ? restMs : 0)
      const isOpen = [...open.values()].some((change) => touched(change).includes(key))
      fateMs = isOpen ? restMs : anew(fateMs)
      // A time beyond `restMs` is from a host whose clock is ahead.
      shownMs = anew(shownMs) || Math.min(shownMs, restMs)
      createsMs = entry.waits === 'waived' ? 0 : entry.waits === 'yes' ? restMs : anew(createsMs)
      open.clear()
      knownMs = Number.NEGATIVE_INFINITY
    }
    if (entry.kind === 'intent') {
      open.set(entry.change.id, entry.change)
      knownMs = Number.NEGATIVE_INFINITY
    }
    if (entry.kind !== 'result') continue
    const { change, outcome } = entry
    open.delete(change.id)
    const byteMs = unknownByteMs(entry)
    if (byteMs !== undefined && touched(change).includes(key)) fateMs = Math.max(fateMs, byteMs + waitMs)
    if (outcome.kind !== 'done' || !touched(change).includes(key)) continue
    hasMapping = change.action !== 'delete' && change.key === key
    shownMs = entry.atMs + waitMs
  }
  return { fateMs, shownMs: hasMapping ? shownMs : 0, goneMs: hasMapping ? 0 : shownMs, createsMs }
}

const heldSince = (change: Change, memory: Memory, readAtMs: number): string | undefined => {
  const fixed = { suspend: false, roles, declaration: 'another', flapping: guards.flapping, twins: 0, required: new Set<never>() }
  const state = { ...fixed, memory, readAtMs }
  const reason = gateHold(change, state)?.reason
  return reason?.kind === 'quarantined' ? reason.since : undefined
}

function restart(history: readonly Entry[], atMs: number): Entry {
  const service = { host: 'plane.example.com', slugs: { acme: 'acme' } }
  const waits = history.at(-1)?.kind === 'end' ? 'no' : 'yes'
  return { kind: 'start', atMs, run: 'next', version: '1', command: 'run', waits, service }
}

/** The same history, if the workspace had had the name `corp` from the beginning. */
const asCorp = (history: readonly Entry[]): readonly Entry[] =>
  JSON.parse(
    JSON.stringify(history)
      .replaceAll('"acme/', '"corp/')
      .replaceAll('"acme":', '"corp":')
      .replaceAll('"workspace":"acme"', '"workspace":"corp"'),
  )

describe('journal that ends anywhere', () => {
  holds(
    'A journal keeps a key in quarantine while an earlier write to it may still be executed, and no longer, also on another host',
    1_500,
    fc.property(hosts, anyChange, fc.integer({ min: -300, max: 300 }), fc.nat(300), (history, change, pauseMs, afterMs) => {
      const last = history.findLast(({ kind }) => kind === 'start' || kind === 'intent' || kind === 'end')
      expect(past(history).endedClean).toBe(last?.kind === 'end')
      const startMs = (history.at(-1)?.atMs ?? 0) + pauseMs
      const memory = past([restart(history, startMs)], reopened(past(history)))
      const all = [...history, restart(history, startMs)]
      const isOpen = (forgets: boolean) => touched(change).some((key) => readAtMs < fateOf(key, all, forgets).fateMs)
      const readAtMs = startMs + afterMs
      const since = heldSince(change, memory, readAtMs)
      if (isOpen(true)) expect(since).toBe('unknownOutcome')
      if (!isOpen(false)) expect(since).not.toBe('unknownOutcome')
      const { shownMs, createsMs } = fateOf(change.key, all, true)
      const makes = change.action === 'create' || change.action === 'rename'
      // A patch, rename or delete waits while a list may still show a mapping that this program deleted or renamed.
      const source = change.action === 'rename' ? change.from : change.key
      const isGone = change.action !== 'create' && readAtMs < fateOf(source, all, true).goneMs
      const isEarly = makes && (readAtMs < shownMs || readAtMs < createsMs)
      expect(since !== undefined).toBe(since === 'unknownOutcome' || isGone || isEarly)
    }),
  )

  holds(
    'A journal gives the same memory, at whatever moment it is rotated',
    500,
    fc.property(minutes, minutes, anyChange, fc.nat(300), (first, second, change, afterMs) => {
      const shift = (first.at(-1)?.atMs ?? 0) - 1e9
      const later = second.map((entry) => ({ ...entry, atMs: entry.atMs + shift, ...laterOutcome(entry, shift) }))
      const rotated = past(later, reopened(forget(past(first), shift + 1e9)))
      const whole = past(later, past(first))
      const readAtMs = (later.at(-1)?.atMs ?? 0) + afterMs
      expect(heldSince(change, rotated, readAtMs)).toBe(heldSince(change, whole, readAtMs))
      expect(forget(rotated, readAtMs)).toEqual(forget(whole, readAtMs))
    }),
  )

  holds(
    'A workspace that gets another name in the settings, with the same slug, keeps all that a journal has of it',
    500,
    fc.property(hosts, fc.boolean(), (history, isLive) => {
      const service = { host: 'plane.example.com', slugs: { corp: 'acme' } }
      const atMs = (history.at(-1)?.atMs ?? 0) + 10
      const edit: Entry = isLive ? { kind: 'service', atMs, run: 'r', service } : { ...restart(history, atMs), ...{ service } }
      expect(storedMemory(past([edit], past(history)))).toEqual(storedMemory(past([edit], past(asCorp(history)))))
    }),
  )

  holds(
    'For the sum of the day a journal counts each write that was done, and each write with an unknown outcome once, however often it was tried and whether it was done in the end',
    500,
    fc.property(hours, fc.nat(300), (history, pauseMs) => {
      const nowMs = (history.at(-1)?.atMs ?? 0) + pauseMs
      const all = [...history, restart(history, nowMs)]
      const revisions = executedOf(forget(reopened(past(all)), nowMs))
      const executed = all.flatMap((entry): readonly Tried[] =>
        entry.kind === 'result' && (entry.outcome.kind === 'done' || unknownByteMs(entry) !== undefined)
          ? [{ change: entry.change, atMs: entry.atMs, isDone: entry.outcome.kind === 'done' }]
          : [],
      )
      const tried = [...executed, ...leftOpen(all)].toSorted((a, b) => a.atMs - b.atMs)
      const isTriedAgain = ({ change, isDone }: Tried, index: number) =>
        !isDone && tried.slice(index + 1).some((later) => later.change.id === change.id)
      const counted = tried.filter((one, index) => nowMs < one.atMs + dayMs && !isTriedAgain(one, index))
      const ofAction = (action: Change['action']) => counted.filter(({ change }) => change.action === action).length
      expect(revisions).toHaveLength(counted.length)
      expect(revisions.filter(({ deletes }) => deletes)).toHaveLength(ofAction('delete'))
      expect(revisions.filter(({ creates }) => creates)).toHaveLength(ofAction('create'))
    }),
  )
})

function laterOutcome(entry: Entry, shift: number): object {
  if (entry.kind !== 'result') return {}
  const { outcome } = entry
  if (outcome.kind === 'unknown') return { outcome: { ...outcome, lastByteMs: outcome.lastByteMs + shift } }
  const { earlierLastByteMs } = outcome
  return earlierLastByteMs === undefined ? {} : { outcome: { ...outcome, earlierLastByteMs: earlierLastByteMs + shift } }
}

type Tried = { readonly change: Change; readonly atMs: number; readonly isDone: boolean }

/** The intents that have no result when the next process starts, with the time of this start. */
function leftOpen(entries: readonly Entry[]): readonly Tried[] {
  const waiting = new Map<string, Change>()
  return entries.flatMap((entry) => {
    if (entry.kind === 'intent') waiting.set(entry.change.id, entry.change)
    if (entry.kind === 'result') waiting.delete(entry.change.id)
    if (entry.kind !== 'start') return []
    const open = [...waiting.values()].map((change) => ({ change, atMs: entry.atMs, isDone: false }))
    waiting.clear()
    return open
  })
}
