import { number, object, type Tell } from '../core/codec.ts'
import type { Entry } from '../core/memory/entry.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { entryKinds, storedEntry, storedMemory } from './stored.ts'

/** The format of the files. Readers ignore entries of an unknown kind, so a new kind needs no new format. */
const format = 2

/** The first line of each file: the memory after all earlier files. */
const head = object<{ readonly format: number; readonly memory: Memory }>({ format: number(), memory: storedMemory })

/** The place of a line, for error messages. */
type LinePlace = { readonly file: string; readonly line: number }

export const headLine = (memory: Memory): string => `${JSON.stringify({ format, memory: storedMemory.write(memory) })}\n`

export const entryLine = (entry: Entry): string => `${JSON.stringify(storedEntry.write(entry))}\n`

/** The memory. @throws if the line is damaged, or of another format */
export function headFromLine(text: string, place: LinePlace, tell: Tell): Memory {
  const stored = parse(text, place) as { readonly format?: unknown; readonly memory?: unknown } | null
  const written = stored?.format
  if (typeof stored?.memory !== 'object' || stored.memory === null || written !== format) {
    if (typeof written !== 'number' || written <= format) throw damaged(place, noHead)
    throw newer(`${textOf(place)}: a newer version wrote this journal (format ${written}); this version reads format ${format}: ${cure}`)
  }
  return understood(() => head.read(stored, tell), place, noHead).memory
}

/** The entry. If its kind is not known: only the name of the kind. @throws if the line is damaged */
export function entryFromLine(text: string, place: LinePlace, tell: Tell): Entry | { readonly unknownKind: string } {
  const stored = parse(text, place) as { readonly entry?: unknown } | null
  if (typeof stored?.entry !== 'string') throw damaged(place, noEntry)
  if (!entryKinds.includes(stored.entry)) return { unknownKind: stored.entry }
  return understood(() => storedEntry.read(stored, tell), place, noEntry)
}

const noHead = 'not the head of a journal'
const noEntry = 'no entry of a journal'

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
