import { by } from '../core/compare.ts'
import type { KeptFile } from '../core/report.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { type Fence, limitsOf, openFences } from './fence.ts'
import { openOwners } from './fenceOwner.ts'
import { type DeclarationFileBytes, type DeclarationFiles, type FilesToRead, hashOf, type LastValidFiles, overLimit } from './files.ts'
import { type Context, type Loaded, understandFiles, type Watch } from './understand.ts'

/** After this many rounds in which an owner had problems, all of its files count as invalid: each round takes seconds, and an owner may have many files. */
const roundsOfOwner = 3
/** So many rounds more are enough for an owner: its last valid files are used, or if they are invalid, too, nothing of them is. */
const roundsAfter = 2

/** Reads a declaration from files in memory, without a pause. If there are problems, they are returned, and no declaration. */
export const understandDeclaration = (read: FilesToRead, context: Context, watch: Watch): Loaded | InvalidFiles | undefined =>
  read.lastValid === undefined ? understandFiles(read, context, watch) : understandKeeping(read, read.lastValid, context, watch)

/**
 * Reads a declaration with fences. In place of each invalid file inside a fence its last valid text is used, or nothing if there is none, or if the fence
 * does not allow it any more. A problem can make all files of an owner invalid, or those below a folder. A fence that had files and has none any more
 * counts as invalid, too: its last valid files are used. A mistake in a file without limits makes the whole declaration invalid.
 *
 * @returns undefined if `watch` said that the declaration is too large
 */
function understandKeeping(
  read: DeclarationFiles,
  lastValid: LastValidFiles,
  context: Context,
  watch: Watch,
): Loaded | InvalidFiles | undefined {
  const { fences = {} } = context
  const keeping = openKeeping(read, lastValid, context)
  const gone = goneFiles(presentIn(read), lastValid.keys(), fencesOf(context))
  let problems = [...(read.obstacles ?? []), ...gone.map(({ file, fence }) => problemOfFile(file, goneText(fence)))]
  let said: readonly Problem[] = []
  const roundsMax = 1 + Object.keys(fences).length * (roundsOfOwner + roundsAfter)
  for (let round = 0; round < roundsMax; round++) {
    said = said.concat(problems)
    if (!keeping.takeOver(problems)) break
    const kept = keeping.files()
    const files = usedFiles(read.files, kept, lastValid)
    const loaded = understandFiles({ files, hash: hashOf(files), lastValid }, context, watch)
    if (loaded === undefined) return undefined
    if (loaded.valid) return { ...loaded, ...withUnread(loaded, kept, lastValid, fencesOf(context)), kept }
    problems = [...loaded.problems]
  }
  return invalidFiles(said)
}

/** The files of which the last valid text is used, or nothing. */
function openKeeping(read: DeclarationFiles, lastValid: LastValidFiles, context: Context) {
  const { fences = {} } = context
  const ownerOf = openOwners(fences)
  const names = [...new Set([...read.files.map(({ file }) => file), ...lastValid.keys()])]
  const kept = new Map<string, KeptFile>()
  const rounds = new Map<string, number>()
  const keep = (file: string, owner: string): boolean => {
    const before = kept.get(file)
    if (before?.isUsed === false) return false
    // Its last valid text is not valid any more, for instance since the fence became narrower.
    kept.set(file, { file, owner, isUsed: before === undefined && lastValid.get(file) !== undefined })
    return true
  }

  /** The files that a problem makes invalid: one file, those below a folder, or all of its owner. Of these, first those that are still as they were read. */
  function affected({ at: { file }, owner: all }: Problem, owner: string): readonly string[] {
    const below = names.filter((name) => name === file || name.startsWith(`${file}/`))
    const named = below.length === 0 ? [file] : below
    const isOfAll = all !== undefined || (rounds.get(owner) ?? 0) > roundsOfOwner
    if (!isOfAll) return named
    const mine = names.filter((name) => ownerOf(name) === owner)
    const fresh = mine.filter((name) => !kept.has(name))
    if (fresh.length === 0) return mine
    return all === undefined ? fresh.concat(named) : fresh
  }
  return {
    files: (): readonly KeptFile[] => [...kept.values()],
    /** Whether less of the files with problems is used than before. False if a file without limits has a problem. */
    takeOver(problems: readonly Problem[]): boolean {
      const owned = problems.map((problem) => ({ problem, owner: problem.owner ?? ownerOf(problem.at.file) }))
      for (const owner of new Set(owned.map((one) => one.owner))) if (owner !== undefined) rounds.set(owner, (rounds.get(owner) ?? 0) + 1)
      const wrong = new Map<string, string>()
      for (const { problem, owner } of owned) {
        if (owner === undefined) return false
        for (const file of affected(problem, owner)) wrong.set(file, owner)
      }
      return problems.length === 0 || [...wrong].filter(([file, owner]) => keep(file, owner)).length > 0
    },
  }
}

/** Marks the workspaces whose declaration lacks a file that it had: nothing of such a file is used any more. */
function withUnread(
  { declaration }: Loaded,
  kept: readonly KeptFile[],
  lastValid: LastValidFiles,
  fenceOf: (file: string) => Fence | undefined,
): Pick<Loaded, 'declaration'> {
  const lacking = kept.filter(({ file, isUsed }) => !isUsed && lastValid.has(file))
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
function usedFiles(
  files: readonly DeclarationFileBytes[],
  kept: readonly KeptFile[],
  lastValid: LastValidFiles,
): readonly DeclarationFileBytes[] {
  const replaced = new Set(kept.map(({ file }) => file))
  const good = kept.flatMap(({ file, isUsed }): DeclarationFileBytes[] => {
    const bytes = isUsed ? lastValid.get(file) : undefined
    return bytes === undefined ? [] : [{ file, bytes }]
  })
  return [...files.filter(({ file }) => !replaced.has(file)), ...good].toSorted(by(({ file }) => file))
}

/**
 * The files to keep as the last valid ones. A last valid text that is not used now may be used again, so it is kept, too, unless the files would
 * then exceed a limit.
 */
export function filesToKeep(
  files: readonly DeclarationFileBytes[],
  kept: readonly KeptFile[],
  lastValid: LastValidFiles,
): DeclarationFiles {
  const used = usedFiles(files, kept, lastValid)
  const unused = kept.filter(({ file, isUsed }) => !isUsed && lastValid.has(file)).map(({ file }) => file)
  const all = usedFiles(
    files,
    kept.map((one) => ({ ...one, isUsed: true })),
    lastValid,
  )
  const isAll = overLimit(all) === undefined
  const chosen = isAll ? all : used
  const withheld = unused.filter((file) => !isAll || lastValid.get(file) === undefined)
  return { files: chosen, hash: hashOf(chosen), ...(withheld.length === 0 ? {} : { withheld }) }
}

const fencesOf = ({ fences = {} }: Context): ((file: string) => Fence | undefined) => limitsOf(openFences(fences))

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
