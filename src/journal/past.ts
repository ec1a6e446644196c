import type { Unsure } from '../core/access/access.ts'
import { agreementKinds, openAgreements, type WrittenFor } from '../core/access/agreed.ts'
import { type Key, listOf, type MappingId } from '../core/mapping.ts'
import type { Entry } from '../core/memory/entry.ts'
import { listName } from '../core/memory/knownMappings.ts'
import { type Memory, remember } from '../core/memory/memory.ts'
import { isAsSeen, type SeenList, type SeenMapping, type SeenReading, type Since } from '../core/memory/seen.ts'
import { at, recordOf } from '../core/memory/shardedMap.ts'
import { defined } from '../core/optionalFields.ts'
import type { Disk } from './disk.ts'
import { entryOf, fileLines, isOfKind } from './entriesOf.ts'
import { journalFiles } from './files.ts'
import { headFromLine } from './lines.ts'

/**
 * What the journal knows of a moment. `fromMs`: its oldest entry. `written`: the last write of each key that the kept files have. `unsure`: mappings that changed
 * between two readings, the one before the moment and the other one after it.
 */
type Past = {
  readonly fromMs: number
  readonly memory: Memory
  readonly written: ReadonlyMap<Key, WrittenFor>
  readonly declaration: ReturnType<ReturnType<typeof openAgreements>['declaration']>
  readonly unsure: ReadonlyMap<MappingId, Unsure>
}

/** `fromMs`: the oldest moment of which the journal knows something; absent: it has no entry. */
type NothingKnown = { readonly memory?: never; readonly fromMs?: number }

/**
 * Reads what the journal knew at a moment.
 *
 * @param atMs epoch ms, by the clock of the journal; infinite: now
 * @returns `NothingKnown` if the moment is before the first entry of the files that are kept
 * @throws {OperationalError} for a damaged file; the error of the disk
 */
export async function readPast(
  folder: string,
  disk: Disk,
  atMs: number,
  unknownOutcomeWaitMs: number,
  signal: AbortSignal,
): Promise<Past | NothingKnown> {
  const files = await journalFiles(folder, disk)
  const fromMs = await firstMs(files, disk, signal)
  if (fromMs === undefined || atMs < fromMs) return defined({ fromMs })
  const base = await lastBegun(files, atMs, disk, signal)
  const agreements = openAgreements()
  for (const [index, older] of files.slice(0, base).entries()) {
    signal.throwIfAborted()
    for (const line of await fileLines(older, disk)) {
      if (line.line === 1 && index === 0)
        agreements.addRevision(headFromLine(line.text, { file: older, line: 1 }, () => undefined).declaration)
      const entry = line.line > 1 && isOfKind(line.text, agreementKinds) ? entryOf(line, older) : undefined
      if (entry !== undefined) agreements.add(entry)
    }
  }
  const file = files[base] as string
  let memory: Memory | undefined
  let later: ReturnType<typeof openLater> | undefined
  for (const line of await fileLines(file, disk)) {
    if (line.line === 1) {
      memory = headFromLine(line.text, { file, line: 1 }, () => undefined)
      agreements.addRevision(memory.declaration)
      continue
    }
    const entry = later === undefined || isOfKind(line.text, laterKinds) ? entryOf(line, file) : undefined
    if (entry === undefined) continue
    if (later === undefined && entry.atMs <= atMs) {
      memory = remember(memory as Memory, entry, unknownOutcomeWaitMs)
      agreements.add(entry)
      continue
    }
    later ??= openLater(memory as Memory, atMs)
    later.add(entry)
  }
  later ??= openLater(memory as Memory, atMs)
  for (const newer of files.slice(base + 1)) {
    signal.throwIfAborted()
    for (const line of await fileLines(newer, disk)) {
      if (line.line === 1) later.addHead(headFromLine(line.text, { file: newer, line: 1 }, () => undefined))
      const entry = line.line > 1 && isOfKind(line.text, laterKinds) ? entryOf(line, newer) : undefined
      if (entry !== undefined) later.add(entry)
    }
  }
  return { fromMs, memory: memory as Memory, written: agreements.written, declaration: agreements.declaration(), unsure: later.unsure }
}

/** The time of the first entry of these files; undefined if they have none that can be read. */
async function firstMs(files: readonly string[], disk: Disk, signal: AbortSignal): Promise<number | undefined> {
  for (const file of files) {
    signal.throwIfAborted()
    for (const line of await fileLines(file, disk)) {
      const entry = line.line > 1 ? entryOf(line, file) : undefined
      if (entry !== undefined) return entry.atMs
    }
  }
  return undefined
}

/** The index of the newest file whose first entry is not after the moment. */
async function lastBegun(files: readonly string[], atMs: number, disk: Disk, signal: AbortSignal): Promise<number> {
  for (const [index, file] of [...files.entries()].toReversed()) {
    const beginsMs = await firstMs([file], disk, signal)
    if (beginsMs !== undefined && beginsMs <= atMs) return index
  }
  return 0
}

/** The kinds of entries that say what changed around a moment before them. */
const laterKinds = ['seen', 'result'] as const

/** Which mappings changed around the moment, as later readings show. */
function openLater(memory: Memory, atMs: number) {
  const unsure = new Map<MappingId, Unsure>()
  const readMs = new Map<string, number>()
  const compared = new Set<string>()
  return {
    unsure,
    /** A disk that was full has not taken all entries. The next file begins with what they said. */
    addHead(head: Memory) {
      for (const [name, list] of Object.entries<SeenList>(recordOf(memory.seen))) {
        const next = at(head.seen, name)
        if (next === undefined) continue
        for (const [id, { key, role, since, hidden }] of Object.entries<SeenMapping>(recordOf(next.mappings))) {
          const known = at(list.mappings, id)
          const isSame = known?.since.atMs === since.atMs && known.hidden?.atMs === hidden?.atMs
          const state = hidden === undefined ? { key, role, ...(known === undefined ? { isNew: true as const } : {}) } : {}
          if (!isSame) addChange(id as MappingId, hidden ?? since, state)
        }
        for (const edit of head.edits)
          if (edit.after === undefined && at(list.mappings, edit.mapping) !== undefined && at(next.mappings, edit.mapping) === undefined)
            addChange(edit.mapping, edit, {})
        readMs.set(name, Math.max(readMs.get(name) ?? list.readMs, next.readMs))
      }
    },
    add(entry: Entry) {
      if (entry.kind === 'result') return addWrite(entry)
      if (entry.kind !== 'seen') return
      const seen: SeenReading = entry
      const name = listName(seen.workspace, seen.list)
      const known = at(memory.seen, name)
      const afterMs = Math.max(seen.afterMs ?? 0, readMs.get(name) ?? known?.readMs ?? 0)
      readMs.set(name, seen.partial === true ? afterMs : Math.max(afterMs, seen.readMs))
      for (const id of Object.keys(seen.mappings)) compared.add(id)
      if (known === undefined || afterMs > atMs) return
      const span = { afterMs, atMs: entry.atMs }
      for (const [name, state] of Object.entries(seen.mappings)) {
        const id = name as MappingId
        const isNew = at(known.mappings, id) === undefined ? { isNew: true as const } : {}
        if (!unsure.has(id)) unsure.set(id, { ...span, ...state, ...isNew })
      }
      for (const id of [...(seen.hidden ?? []), ...(seen.gone ?? [])]) if (!unsure.has(id)) unsure.set(id, span)
    },
  }

  /** A write that found the mapping otherwise than it was known tells that others changed it before. */
  function addWrite({ workspace, change, outcome, atMs: writtenMs }: Extract<Entry, { kind: 'result' }>): void {
    if (!('mapping' in change) || outcome.kind !== 'done' || compared.has(change.mapping)) return
    compared.add(change.mapping)
    const list = at(memory.seen, listName(workspace, listOf(change.target)))
    if (list === undefined || isAsSeen(list, change) || unsure.has(change.mapping)) return
    const isNew = at(list.mappings, change.mapping) === undefined ? { isNew: true as const } : {}
    const key = change.action === 'rename' ? change.from : change.key
    unsure.set(change.mapping, { afterMs: list.readMs, atMs: writtenMs, key, role: change.before, ...isNew })
  }

  /** A write of this program after the moment is known exactly. */
  function addChange(id: MappingId, { by, atMs: untilMs, afterMs = 0 }: Since, state: Pick<Unsure, 'key' | 'role' | 'isNew'>): void {
    const isLater = by === 'program' ? atMs < untilMs : atMs < afterMs
    if (!isLater && !unsure.has(id)) unsure.set(id, { afterMs, atMs: untilMs, ...state })
  }
}
