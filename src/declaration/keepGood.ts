import { by } from '../core/compare.ts'
import type { KeptFile } from '../core/report.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { type Fence, openFences } from './fence.ts'
import { type DeclarationFileBytes, type DeclarationFiles, hashOf } from './files.ts'
import { type Context, type Loaded, understandFiles, type Watch } from './understand.ts'

/** Each round finds the mistakes that the last one has hidden. One round is usual; a large declaration takes a second for each. */
const roundsMax = 60

type LastGood = ReadonlyMap<string, Uint8Array>

/** Reads a declaration from files in memory, without a pause. If there are problems, they are returned, and no declaration. */
export const understandDeclaration = (read: DeclarationFiles, context: Context, watch: Watch): Loaded | InvalidFiles | undefined =>
  context.lastGood === undefined ? understandFiles(read, context, watch) : understandKeeping(read, context.lastGood, context, watch)

/**
 * Reads a declaration with fences. In place of each invalid file inside a fence its last valid text is used, or nothing if there is none, or if the fence
 * does not allow it any more. A fence that
 * had files and has none any more counts as invalid, too: its last valid files are used. A mistake in a file without limits makes the whole
 * declaration invalid.
 *
 * @param lastGood name → content of the files of the last valid declaration
 * @returns undefined if `watch` said that the declaration is too large
 */
function understandKeeping(read: DeclarationFiles, lastGood: LastGood, context: Context, watch: Watch): Loaded | InvalidFiles | undefined {
  const fenceOf = fencesOf(context)
  const gone = goneFiles(presentIn(read), lastGood.keys(), fenceOf)
  const kept = new Map(gone.map(({ file, fence }): [string, KeptFile] => [file, { file, owner: fence.owner, isUsed: true }]))
  let said: readonly Problem[] = []
  /** Whether all problems are in files inside fences of which some text is still used. */
  const takeOver = (problems: readonly Problem[]): boolean => {
    said = said.concat(problems)
    for (const file of new Set(problems.map(({ at }) => at.file))) {
      const owner = fenceOf(file)?.owner
      const before = kept.get(file)
      if (owner === undefined || before?.isUsed === false) return false
      // Its last valid text is not valid any more, for instance since the fence became narrower.
      kept.set(file, { file, owner, isUsed: before === undefined && lastGood.has(file) })
    }
    return true
  }
  if (!takeOver(read.obstacles ?? [])) return invalidFiles(said)
  for (let round = 0; round < roundsMax; round++) {
    const files = usedFiles(read.files, [...kept.values()], lastGood)
    const loaded = understandFiles({ files, hash: hashOf(files) }, context, watch)
    if (loaded === undefined) return undefined
    if (loaded.valid) return { ...loaded, ...withUnread(loaded, kept.values(), lastGood, fenceOf), kept: [...kept.values()] }
    if (!takeOver(loaded.problems)) break
  }
  return invalidFiles(said)
}

/** Marks the workspaces whose declaration lacks a file that it had: nothing of such a file is used any more. */
function withUnread(
  { declaration }: Loaded,
  kept: Iterable<KeptFile>,
  lastGood: LastGood,
  fenceOf: (file: string) => Fence | undefined,
): Pick<Loaded, 'declaration'> {
  const lacking = [...kept].filter(({ file, isUsed }) => !isUsed && lastGood.has(file))
  const first = new Map(lacking.toReversed().map(({ file }) => [fenceOf(file)?.workspace, file]))
  return {
    declaration: new Map(
      [...declaration].map(([workspace, declared]) => {
        const unread = first.get(workspace)
        return [workspace, unread === undefined ? declared : { ...declared, unread }]
      }),
    ),
  }
}

/** The files that are used in place of those that were read. */
export function usedFiles(
  files: readonly DeclarationFileBytes[],
  kept: readonly KeptFile[],
  lastGood: LastGood,
): readonly DeclarationFileBytes[] {
  const replaced = new Set(kept.map(({ file }) => file))
  const good = kept.flatMap(({ file, isUsed }): DeclarationFileBytes[] => {
    const bytes = isUsed ? lastGood.get(file) : undefined
    return bytes === undefined ? [] : [{ file, bytes }]
  })
  return [...files.filter(({ file }) => !replaced.has(file)), ...good].toSorted(by(({ file }) => file))
}

const fencesOf = ({ fences = {} }: Context): ((file: string) => Fence | undefined) => {
  const fenceOf = openFences(fences)
  return (file) => {
    const fence = fenceOf(file)
    return typeof fence === 'object' && 'path' in fence ? fence : undefined
  }
}

/**
 * A problem for each fence that had files in the last valid declaration and has none any more: a folder that is missing by mistake must not take away
 * all that its files give.
 *
 * @param lastNames the files of the last valid declaration
 */
export function lostFences(read: DeclarationFiles, lastNames: Iterable<string>, context: Context): readonly Problem[] {
  const gone = goneFiles(presentIn(read), lastNames, fencesOf(context))
  const first = new Map(gone.map(({ file, fence }) => [fence.path, { file, fence }]))
  return [...first.values()].map(({ file, fence }) =>
    problemOfFile(file, goneText(fence), 'restore its files; if its mappings should go, remove the fence from the settings, too'),
  )
}

const presentIn = ({ files, obstacles = [] }: DeclarationFiles): readonly string[] => [
  ...files.map(({ file }) => file),
  ...obstacles.map(({ at }) => at.file),
]

const goneText = ({ path }: Fence): string => `no file matches the fence "${path}" any more`

/** The last valid files of fences that have no file any more. */
function goneFiles(present: readonly string[], lastNames: Iterable<string>, fenceOf: (file: string) => Fence | undefined) {
  const there = new Set(present.map((file) => fenceOf(file)?.path))
  return [...lastNames].flatMap((file) => {
    const fence = fenceOf(file)
    return fence === undefined || there.has(fence.path) ? [] : [{ file, fence }]
  })
}
