import { type Change, keysTouched } from './change.ts'
import { at, type Drawers, emptyDrawers, put, recordOf, without } from './drawers.ts'
import { type Echoes, learned, learnedName } from './echoes.ts'
import type { Entry, Service } from './entry.ts'
import { type Key, type List, listOf, type WorkspaceName } from './mapping.ts'
import { type Outcome, unsettledByteMs } from './outcome.ts'
import { learnedProjects, type ProjectIds } from './projects.ts'
import { type Rejections, refused } from './rejections.ts'
import { type Revisions, revisionsFrom, revisionsOf } from './revisions.ts'
import { cutShort, failedAgain, type UndecidedChanges, withDone } from './undecided.ts'
import { type Written, writtenKeptMs, wrote } from './written.ts'

/**
 * All that later cycles need of earlier ones: a fold over the entries, plain and serialisable, so that it can also stand at the head of a
 * new file when the journal is rotated.
 */
export type Memory = {
  /** Whether the last process that wrote said that it had finished. */
  readonly endedClean: boolean
  /** When, by its own clock. */
  readonly endedMs: number
  /** Intents without a result: what may be on its way. */
  readonly open: Drawers<Change>
  /** Until when a key's fate is unknown: no write to it, and none from a list that was read before. */
  readonly quarantine: Readonly<Record<Key, number>>
  readonly rejections: Rejections
  /** Changes of whose last try nobody knows what came of it. */
  readonly undecided: UndecidedChanges
  readonly echoes: Echoes
  /** By key: the other key under which the service keeps what is written for it. */
  readonly keptAs: Drawers<Key>
  /** Sizes of the last readings that were believed. */
  readonly baselines: Drawers<number>
  /** What was executed, or may have been besides what is undecided: as many as `guards.day` lets pass. */
  readonly revisions: Revisions
  /** What done writes left, one entry a key, the newest last: what has to be written again was undone by somebody. */
  readonly written: readonly Written[]
  /** Lists that were read before this prove nothing about what an earlier process may still create. */
  readonly createsFromMs: number
  readonly groupIds: Drawers<string>
  /** By workspace. */
  readonly projectIds: Drawers<ProjectIds>
  readonly service?: Service
}
export const emptyMemory: Memory = {
  endedClean: true,
  endedMs: 0,
  open: emptyDrawers,
  quarantine: {},
  rejections: {},
  undecided: {},
  echoes: {},
  keptAs: emptyDrawers,
  baselines: emptyDrawers,
  revisions: undefined,
  written: [],
  createsFromMs: 0,
  groupIds: emptyDrawers,
  projectIds: emptyDrawers,
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A list that is older is read again before anything else is written by it: a slice may wait long for a budget that many share. */
export const listKeptMs = hourMs

/**
 * The memory after one more entry.
 *
 * @param unknownOutcomeWaitMs Δ: how long after its last byte a request may still be executed
 */
export function remember(memory: Memory, entry: Entry, unknownOutcomeWaitMs: number): Memory {
  switch (entry.entry) {
    case 'start':
      return started(memory, entry, unknownOutcomeWaitMs)
    case 'reading':
      return { ...memory, baselines: put(memory.baselines, { [entry.of]: entry.size }) }
    case 'intent':
      return { ...memory, endedClean: false, open: put(memory.open, { [entry.change.id]: entry.change }) }
    case 'result':
      return settle(memory, entry, unknownOutcomeWaitMs)
    case 'groups':
      return { ...memory, groupIds: put(memory.groupIds, entry.ids) }
    case 'projects':
      return { ...memory, projectIds: learnedProjects(memory.projectIds, entry) }
    case 'waiver':
      return memory
    case 'end':
      return { ...forget(memory, entry.atMs), endedClean: true, endedMs: entry.atMs }
    default:
      return entry satisfies never
  }
}

type Result = Extract<Entry, { entry: 'result' }>

function settle(memory: Memory, result: Result, waitMs: number): Memory {
  const { change, outcome, workspace } = result
  const byteMs = unsettledByteMs(change, outcome)
  const settled = {
    ...memory,
    open: without(memory.open, change.id),
    quarantine: byteMs === undefined ? memory.quarantine : quarantined(memory.quarantine, [change], byteMs + waitMs),
  }
  if (outcome.is === 'done') return achieved(settled, result, outcome, waitMs)
  const rejections = refused(memory.rejections, change.id, outcome, result)
  // Also of what was refused, or not sent, an earlier sending may have been executed.
  if (byteMs === undefined) return { ...settled, rejections }
  const why = outcome.is === 'refused' ? outcome.sentence : outcome.why
  // Executed, it would look like a list that lost something.
  const list = change.action === 'delete' ? listName(workspace, listOf(change.target)) : undefined
  const baselines = list === undefined ? memory.baselines : resized(memory.baselines, list, change)
  return { ...settled, rejections, baselines, undecided: failedAgain(memory.undecided, result, { byteMs, why }, waitMs) }
}

type Done = Extract<Outcome, { is: 'done' }>

function achieved(memory: Memory, { atMs, workspace, change, declaration }: Result, { keptAs, echoed }: Done, waitMs: number): Memory {
  const kept = keptAs === undefined ? change : { ...change, key: keptAs }
  const known = {
    ...memory,
    ...withDone(memory, change, atMs),
    written: wrote(memory.written, kept, { atMs, declaration, echoed }, waitMs),
  }
  if (change.action === 'settings') return known
  const list = listName(workspace, listOf(change.target))
  return {
    ...known,
    baselines: resized(memory.baselines, list, change),
    echoes: learned(memory.echoes, list, change, echoed),
    keptAs: learnedName(memory.keptAs, change, keptAs),
  }
}

type Start = Extract<Entry, { entry: 'start' }>

/**
 * A process that has ended cannot have sent anything after the next one started, so whatever of it is not settled is settled Δ after that. The
 * clocks of two hosts differ: what was not over when the process before last ended clean, by its own clock, begins anew by ours.
 */
function started(memory: Memory, { atMs, waits, service }: Start, waitMs: number): Memory {
  const knownMs = memory.endedClean ? memory.endedMs : Number.NEGATIVE_INFINITY
  const [restMs, isOpen] = [atMs + waitMs, (untilMs: number) => untilMs > knownMs]
  const waiting = waits === 'yes' || (waits === 'no' && isOpen(memory.createsFromMs))
  const open = Object.values<Change>(recordOf(memory.open))
  const anew = Object.fromEntries(
    Object.entries<number>(memory.quarantine).flatMap(([key, untilMs]) => (isOpen(untilMs) ? [[key, restMs]] : [])),
  )
  return forget(
    {
      ...memory,
      endedClean: false,
      undecided: cutShort(memory.undecided, open, atMs),
      open: emptyDrawers,
      quarantine: quarantined(anew, open, restMs),
      written: memory.written.map((one) => (isOpen(one.shownFromMs) ? { ...one, shownFromMs: restMs } : one)),
      createsFromMs: waiting ? restMs : 0,
      service: { host: service.host, slugs: { ...memory.service?.slugs, ...service.slugs } },
    },
    atMs,
  )
}

function quarantined(quarantine: Memory['quarantine'], changes: readonly Change[], untilMs: number): Memory['quarantine'] {
  const keys = changes.flatMap(keysTouched)
  return { ...quarantine, ...Object.fromEntries(keys.map((key) => [key, Math.max(untilMs, quarantine[key] ?? 0)])) }
}

/** The size of the last reading that was believed. */
export const baselineOf = ({ baselines }: Memory, name: string): number | undefined => at(baselines, name)

/** How the memory calls one list of one workspace. */
export const listName = (workspace: WorkspaceName, list: List): string => `${workspace}/${list}`

/** What this program itself made or deleted, or may have deleted, is no sign of a reading that lost something. */
function resized(baselines: Memory['baselines'], list: string, { action }: Change): Memory['baselines'] {
  const size = at(baselines, list)
  if (size === undefined || (action !== 'create' && action !== 'delete')) return baselines
  return put(baselines, { [list]: size + (action === 'create' ? 1 : -1) })
}

/**
 * Drops what time has settled, so that the memory stays small. A quarantine that is over is kept for as long as a slice may still go by a list
 * that was read within it.
 */
export function forget(memory: Memory, nowMs: number): Memory {
  return {
    ...memory,
    quarantine: keep(memory.quarantine, (untilMs) => nowMs < untilMs + listKeptMs),
    rejections: keep(memory.rejections, ({ untilMs }) => nowMs < untilMs),
    undecided: keep(memory.undecided, ({ atMs }) => nowMs < atMs + dayMs),
    revisions: revisionsFrom(revisionsOf(memory.revisions).filter(({ atMs }) => nowMs < atMs + dayMs)),
    written: memory.written.filter(({ shownFromMs }) => nowMs < shownFromMs + writtenKeptMs),
  }
}

const keep = <T>(record: Readonly<Record<string, T>>, wanted: (value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => wanted(value)))
