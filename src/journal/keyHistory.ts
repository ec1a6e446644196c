import type { Change } from '../core/change.ts'
import { type KeyEvent, keyEvents } from '../core/explain/keyEvents.ts'
import type { Key } from '../core/mapping.ts'
import type { Entry } from '../core/memory/entry.ts'
import { defined } from '../core/optionalFields.ts'
import type { Disk } from './disk.ts'
import { entryOf, fileLines, isOfKind } from './entriesOf.ts'
import { journalFiles } from './files.ts'

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
    const entries: Entry[] = []
    for (const line of await fileLines(file, disk)) {
      if (line.line === 1 || !(isOfKind(line.text, ['start']) || isOfKey(line.text))) continue
      const entry = entryOf(line, file)
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
