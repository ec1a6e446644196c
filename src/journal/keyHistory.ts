import type { Change } from '../core/change.ts'
import { type KeyEvent, keyEvents } from '../core/explain/keyEvents.ts'
import type { Key } from '../core/mapping.ts'
import type { Entry } from '../core/memory/entry.ts'
import { defined } from '../core/optionalFields.ts'
import { errnoOf } from '../files/errno.ts'
import type { Disk } from './disk.ts'
import { journalFiles } from './files.ts'
import { entryFromLine } from './lines.ts'

/**
 * The last events of a key in the journal, the newest first. The files are read one after another, the newest first, until there are enough events. A line that
 * cannot be read is left out: the memory does not need the lines of older files.
 *
 * @param max the most events
 * @throws the error of the disk
 */
export async function keyHistory(folder: string, disk: Disk, key: Key, max: number, signal: AbortSignal): Promise<readonly KeyEvent[]> {
  const isOfKey = containing(key)
  const commands = new Map<string, string>()
  let results: ReadonlySet<Change['id']> = new Set()
  const byFile: (readonly KeyEvent[])[] = []
  for (const file of (await journalFiles(folder, disk)).toReversed()) {
    if (byFile.flat().length >= max || signal.aborted) break
    const content = await disk.readFile(file).catch(unlessGone)
    const entries: Entry[] = []
    for (const [line, text] of linesOf(content)) {
      const isStart = text.includes('"entry":"start"')
      if (line === 1 || !(isStart || isOfKey(text))) continue
      const entry = readable(text, { file, line })
      if (entry?.kind === 'start') commands.set(entry.run, entry.command)
      else if (entry !== undefined) entries.push(entry)
    }
    byFile.push(keyEvents(key, entries, (change) => results.has(change)).toReversed())
    results = firstResults(entries)
  }
  return byFile
    .flat()
    .slice(0, max)
    .map((event) => ({ ...event, ...defined({ command: commands.get(event.run) }) }))
}

/** Nothing of a file that the writer of the journal has deleted meanwhile. */
function unlessGone(error: unknown): Buffer {
  if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
  throw error
}

/** The changes of which the first entry is a result. Their intents are in the file before. */
function firstResults(entries: readonly Entry[]): ReadonlySet<Change['id']> {
  const first = new Map<Change['id'], Entry['kind']>()
  for (const entry of entries)
    if ((entry.kind === 'intent' || entry.kind === 'result') && !first.has(entry.change.id)) first.set(entry.change.id, entry.kind)
  return new Set([...first].flatMap(([id, kind]) => (kind === 'result' ? [id] : [])))
}

/** A quick look at a line before it is parsed: the key as JSON has it. */
function containing(key: Key): (text: string) => boolean {
  const json = JSON.stringify(key).slice(1, -1)
  return (text) => text.includes(json)
}

/** The complete lines of a file with their numbers. They are made one by one: all at once would take several times the memory of the file. */
function* linesOf(content: Buffer): Generator<readonly [line: number, text: string]> {
  let from = 0
  for (let line = 1; ; line++) {
    const end = content.indexOf(0x0a, from)
    if (end < 0) return
    yield [line, content.toString('utf8', from, end)]
    from = end + 1
  }
}

function readable(text: string, place: Parameters<typeof entryFromLine>[1]): Entry | undefined {
  try {
    const entry = entryFromLine(text, place, () => undefined)
    return 'unknownKind' in entry ? undefined : entry
  } catch {
    return undefined
  }
}
