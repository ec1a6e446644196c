import type { Entry } from '../core/memory/entry.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { entryFromStored, isKnownKind, type StoredEntry, storedEntry } from './stored/entry.ts'
import { memoryFromStored, type StoredMemory, storedMemory } from './stored/memory.ts'
import { isEntryShaped, isMemoryShaped } from './stored/shape.ts'
import { inField, read, type Tell } from './stored/unknown.ts'

/**
 * The format of the files that this version writes. Format 2 added the entry `projects`. A reader of format 1 does not know this entry,
 * and would replace its whole memory with it. Readers of format 2 ignore entries of an unknown kind, so a new kind needs no new format.
 */
const format = 2
const readable: readonly unknown[] = [1, format]

/** The first line of each file: the memory after all earlier files. */
type StoredHead = { readonly format: typeof format; readonly memory: StoredMemory }

/** The place of a line, for error messages. */
type LinePlace = { readonly file: string; readonly line: number }

export function headLine(memory: Memory): string {
  const head: StoredHead = { format, memory: storedMemory(memory) }
  return `${JSON.stringify(head)}\n`
}

export const entryLine = (entry: Entry): string => `${JSON.stringify(storedEntry(entry))}\n`

/** `isOlder`: the file is of an older format. @throws if the line is damaged, or of a newer format */
export function headFromLine(text: string, place: LinePlace, tell: Tell): { readonly memory: Memory; readonly isOlder: boolean } {
  const { format: written, memory, ...rest } = storedHead(text, place)
  const make = () => read(memoryFromStored(memory, inField(tell, 'memory')), rest, tell)
  return { memory: understood(make, place, noHead), isOlder: written !== format }
}

/** The entry. If its kind is not known: only the name of the kind. @throws if the line is damaged */
export function entryFromLine(text: string, place: LinePlace, tell: Tell): Entry | { readonly unknownKind: string } {
  const stored = parse(text, place) as { readonly entry?: unknown } | null
  if (typeof stored?.entry !== 'string') throw damaged(place, noEntry)
  if (!isKnownKind(stored.entry)) return { unknownKind: stored.entry }
  if (!isEntryShaped(stored.entry, stored)) throw damaged(place, noEntry)
  return understood(() => entryFromStored(stored as StoredEntry, tell), place, noEntry)
}

const noHead = 'not the head of a journal'
const noEntry = 'no entry of a journal'

type WrittenHead = { readonly format: unknown; readonly memory: Partial<StoredMemory> }

function storedHead(text: string, place: LinePlace): WrittenHead {
  const head = parse(text, place) as Partial<Record<keyof StoredHead, unknown>> | null
  if (typeof head?.memory !== 'object' || head.memory === null || !readable.includes(head.format)) {
    if (typeof head?.format !== 'number' || head.format <= format) throw damaged(place, noHead)
    const reads = `this version reads formats ${readable.join(' and ')}`
    throw newer(`${textOf(place)}: a newer version wrote this journal (format ${head.format}); ${reads}: ${cure}`)
  }
  if (!isMemoryShaped(head.memory)) throw damaged(place, noHead)
  return head as WrittenHead
}

/** A line of the right kind may still lack a part, or have a value that only a newer version knows. */
function understood<T>(make: () => T, place: LinePlace, otherwise: string): T {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof OperationalError)) throw damaged(place, otherwise, cause)
    throw newer(`${textOf(place)}: a newer version wrote this line; this version does not know ${cause.message}: ${cure}`)
  }
}

const cure =
  'start the newer version again; or stop the program, move all journal-*.jsonl out of this folder, keep the folder itself, and start (its first creates then wait)'

function parse(text: string, place: LinePlace): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(place, 'not JSON', cause)
  }
}

const newer = (message: string): OperationalError => new OperationalError('JournalNewer', message)

const damaged = (place: LinePlace, what: string, cause?: unknown): OperationalError =>
  new OperationalError(
    'JournalDamaged',
    `${textOf(place)}: this line is ${what}; stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)`,
    { cause },
  )

const textOf = ({ file, line }: LinePlace): string => `${file}:${line}`
