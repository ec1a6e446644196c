import { listOf, type Role } from '../core/mapping.ts'
import { counted } from '../core/quantity.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { fixedTargets } from './compileSelectors.ts'
import { describedCount, waiversIn } from './compileWaivers.ts'
import type { Fence } from './fence.ts'
import { openFilePattern } from './filePattern.ts'
import { entryFaults, type Fault, groupNameFaults, word } from './insideFence.ts'
import { endBy, spanOf } from './moment.ts'
import type { LenientFile } from './schema.ts'
import { noMapping } from './waiverSchema.ts'

/** After this many problems of one file the others are not reported. */
const problemsMax = 100

/** The limits of one file. Each described change also counts as a mapping of the declaration. */
const entriesMax = 1_000
const changesMax = 10_000

const longestMs = 30 * 24 * 60 * 60 * 1000

/** The settings that waivers depend on. */
export type WaiverRights = {
  /** Patterns of the names of the files without limits that may have waivers; absent: no such file may. */
  readonly waiverFiles?: readonly string[]
  /** Now, epoch ms: a waiver lasts at most 30 days, and a fence may say how long after today a rule may end. */
  readonly dateMs?: number
}

/** Problems for the waivers of a file that the file may not have, that last too long, or that are too many. */
export function refusedWaivers(
  document: YamlDocument,
  file: LenientFile,
  fence: Fence | 'everything',
  { waiverFiles = [], dateMs = Number.NEGATIVE_INFINITY }: WaiverRights,
): readonly Problem[] {
  const ofFile = fence === 'everything' ? unnamedFile(file, document.source.file, waiverFiles) : outsideWaivers(file, fence)
  return [ofFile, endFaults(file, dateMs), countFaults(file)].flatMap((faults) =>
    faults
      .take(problemsMax)
      .map(({ path, message, cure, part }) => problemAt(document, path, message, cure, part))
      .toArray(),
  )
}

/** A file without limits needs to be named in the settings. */
function* unnamedFile({ workspaces }: LenientFile, name: string, waiverFiles: readonly string[]): Generator<Fault> {
  if (waiverFiles.some((path) => openFilePattern(path.normalize('NFC')).matches(name.normalize('NFC')))) return
  const namedNow = waiverFiles.length === 0 ? 'no file is named there now' : `named there now: ${waiverFiles.join(', ')}`
  for (const [workspace, content] of Object.entries(workspaces)) {
    if (content.waivers === undefined) continue
    const cure = `remove it, or let the settings name the file under "waivers.files"; ${namedNow}`
    yield { path: ['workspaces', workspace, 'waivers'], message: 'this file may not have "waivers"', cure, part: 'key' }
  }
}

/** A waiver that has ended is no problem: the plan has a finding about it. */
function* endFaults({ workspaces }: LenientFile, dateMs: number): Generator<Fault> {
  for (const [name, content] of Object.entries(workspaces))
    for (const { entry, path } of waiversIn(name, content)) {
      const endMs = spanOf(entry.until)?.toMs
      if (endMs === undefined || endMs - dateMs <= longestMs) continue
      yield { path: [...path, 'until'], message: 'a waiver ends at most 30 days from now', cure: endBy(dateMs + longestMs) }
    }
}

function* countFaults({ workspaces }: LenientFile): Generator<Fault> {
  let entries = 0
  let changes = 0
  for (const [name, content] of Object.entries(workspaces))
    for (const { entry, path } of waiversIn(name, content)) {
      entries++
      changes += describedCount(entry)
      if (entries <= entriesMax && changes <= changesMax) continue
      yield tooMany(path, entries > entriesMax ? counted(entries, 'waiver') : `waivers for ${counted(changes, 'change')}`)
      return
    }
}

const tooMany = (path: Path, count: string): Fault => ({
  path,
  message: `with this entry the file has ${count}`,
  cure: `at most ${entriesMax} waivers for ${changesMax} changes, and lists multiply: remove those that have ended, or use several files`,
})

/** What concerns more than single mappings of a fence. */
const wideWords = ['changes', 'people', 'groupSync'] as const

/**
 * What the waivers of a file inside a fence say beyond it. They are about changes of mappings inside the fence, to its roles or to none. Another
 * workspace is refused where the file names it.
 */
function* outsideWaivers({ workspaces }: LenientFile, fence: Fence): Generator<Fault> {
  for (const fault of faults(workspaces, fence)) yield { ...fault, message: `${fault.message} (fence "${fence.path}")` }
}

function* faults(workspaces: LenientFile['workspaces'], fence: Fence): Generator<Fault> {
  const content = workspaces[fence.workspace]
  if (content?.waivers === undefined) return
  yield* word('waivers', ['workspaces', fence.workspace, 'waivers'], fence)
  if (!fence.may.has('waivers')) return
  for (const { entry, path } of waiversIn(fence.workspace, content)) {
    const wide = wideWords.filter((name) => entry[name] !== undefined)
    for (const name of wide) {
      const cure = 'ask for it in a file without limits that the settings name under "waivers.files"'
      yield { path: [...path, name], message: `"${name}" in a waiver is outside`, cure, part: 'key' }
    }
    if (entry.changes !== undefined || entry.groupSync !== undefined) continue
    yield* entryFaults(entry, path, fence)
    const [target] = fixedTargets(entry)
    const inside = target && fence.lists.get(listOf(target))
    if (inside === undefined) continue
    if (entry.previously !== undefined) yield* groupNameFaults(entry.previously, inside, [...path, 'previously'])
    if (entry.to === undefined || entry.to === noMapping || inside.roles.has(entry.to as Role)) continue
    const cure = `these files may give: ${[...inside.roles].join(', ')}`
    yield { path: [...path, 'to'], message: `the role "${entry.to}" is outside`, cure }
  }
}
