import { by } from '../core/compare.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { KeptFile } from '../core/report.ts'
import { type FencedKeys, nothingDeclared, type WorkspaceDeclaration } from '../core/rule.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { type Fence, type FencedList, fenceFrom, limitsOf, openFences } from './fence.ts'
import { openOwners } from './fenceOwner.ts'
import { type DeclarationFileBytes, type DeclarationFiles, type FilesToRead, hashOf, type LastValidFiles } from './files.ts'
import { type Context, type Loaded, understandFiles, type Watch } from './understand.ts'

/** After this many rounds in which an owner had problems, all of its files count as invalid: each round takes seconds, and an owner may have many files. */
const roundsOfOwner = 3
/** So many rounds more are enough for an owner: its last valid files are used, or if they are invalid, too, nothing of them is. */
const roundsAfter = 2

/**
 * Reads a declaration from files in memory, without a pause. Every command reads with this function, so all say the same about the same text. Without
 * fences a problem makes the whole declaration invalid. With fences, so does a problem of a file without limits. In place of each other invalid file its
 * last valid text is used, or nothing of it, and its fence is frozen (`FencedKeys.unread`). A problem can make all files of an owner invalid, or those
 * below a folder. A fence that had files and has none any more counts as invalid, too.
 *
 * @returns undefined if `watch` said that the declaration is too large
 */
export function understandDeclaration(read: FilesToRead, context: Context, watch: Watch): Loaded | InvalidFiles | undefined {
  const { fences } = context
  const { obstacles = [], lastValid = noTexts } = read
  if (fences === undefined) return obstacles.length === 0 ? understandFiles(read, context, watch, 'strict') : invalidFiles(obstacles)
  const keeping = openKeeping(read, lastValid, context)
  const gone = goneFiles(presentIn(read), lastValid.keys(), limitsOf(openFences(fences)))
  let problems: readonly Problem[] = [...obstacles, ...gone.map(({ file, fence }) => problemOfFile(file, goneText(fence), goneCure))]
  if (!keeping.takeOver(problems)) return invalidFiles(problems)
  const roundsMax = 1 + Object.keys(fences).length * (roundsOfOwner + roundsAfter)
  for (let round = 0; round <= roundsMax; round++) {
    const kept = keeping.files()
    const files = usedFiles(read.files, kept, lastValid)
    // The first round finds all that is wrong, and the later ones what may be used in spite of it.
    const loaded = understandFiles({ files, hash: hashOf(files), lastValid }, context, watch, round === 0 ? 'strict' : 'forgiving')
    if (loaded === undefined) return undefined
    if (loaded.valid && problems.length === 0) return loaded
    if (loaded.valid) return withoutInvalid(loaded, keeping, problems, context)
    if (round === 0) problems = problems.concat(loaded.problems)
    else if (!keeping.takeOver(loaded.problems)) break
  }
  return invalidFiles(problems)
}

const noTexts: LastValidFiles = new Map()

const keysOf = ({ list, groups, projects, allProjects }: FencedList) => ({ list, groups, projects, allProjects })

const withoutInvalid = (
  loaded: Loaded,
  keeping: ReturnType<typeof openKeeping>,
  problems: readonly Problem[],
  context: Context,
): Loaded => ({
  ...loaded,
  declaration: withFrozen(loaded.declaration, keeping.files(), context),
  invalid: invalidFiles(problems),
  kept: keeping.files().map(({ file, owner, isUsed }) => ({ file, owner, isUsed })),
})

/** An invalid file, with the problem that made it so. */
type Kept = KeptFile & { readonly problem: Problem }

/** The files of which the last valid text is used, or nothing. */
function openKeeping(read: FilesToRead, lastValid: LastValidFiles, context: Context) {
  const { fences = {} } = context
  const ownerOf = openOwners(fences)
  const names = [...new Set([...read.files.map(({ file }) => file), ...lastValid.keys()])]
  const kept = new Map<string, Kept>()
  const rounds = new Map<string, number>()
  const keep = (file: string, owner: string, problem: Problem): boolean => {
    const before = kept.get(file)
    if (before?.isUsed === false) return false
    // Its last valid text is not valid any more, for instance since the fence became narrower.
    kept.set(file, { file, owner, problem: before?.problem ?? problem, isUsed: before === undefined && lastValid.has(file) })
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
    files: (): readonly Kept[] => [...kept.values()],
    /** Whether less of the files with problems is used than before. False if a file without limits has a problem. */
    takeOver(problems: readonly Problem[]): boolean {
      const owned = problems.map((problem) => ({ problem, owner: problem.owner ?? ownerOf(problem.at.file) }))
      for (const owner of new Set(owned.map((one) => one.owner))) if (owner !== undefined) rounds.set(owner, (rounds.get(owner) ?? 0) + 1)
      const wrong = new Map<string, readonly [string, Problem]>()
      for (const { problem, owner } of owned) {
        if (owner === undefined) return false
        for (const file of affected(problem, owner)) if (!wrong.has(file)) wrong.set(file, [owner, problem])
      }
      return problems.length === 0 || [...wrong].filter(([file, [owner, problem]]) => keep(file, owner, problem)).length > 0
    },
  }
}

/**
 * Freezes the fence of each file of which nothing is used. A file that no fence or several match may have been inside any fence of its owner before, so
 * all of these are frozen.
 */
function withFrozen(
  declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>,
  kept: readonly Kept[],
  { fences = {} }: Context,
): ReadonlyMap<WorkspaceName, WorkspaceDeclaration> {
  const fenceOf = limitsOf(openFences(fences))
  const all = Object.entries(fences).flatMap(([path, text]) => (text === 'everything' ? [] : [fenceFrom(path, text)]))
  const frozen = kept.flatMap(({ file, owner, isUsed, problem: { at, message } }) => {
    if (isUsed) return []
    const fence = fenceOf(file)
    const concerned = fence === undefined ? all.filter((one) => one.owner === owner) : [fence]
    return concerned.flatMap(({ workspace, lists }) =>
      [...lists.values()].map((list) => ({ workspace, keys: { ...keysOf(list), because: { at, owner }, unread: message } })),
    )
  })
  const byWorkspace = Map.groupBy(frozen, ({ workspace }) => workspace)
  return new Map([
    ...declaration,
    ...[...byWorkspace].map(([workspace, more]) => {
      const declared = declaration.get(workspace) ?? nothingDeclared(workspace)
      const ownsKeys: readonly FencedKeys[] = [...(declared.ownsKeys ?? []), ...more.map(({ keys }) => keys)]
      return [workspace, { ...declared, ownsKeys }] as const
    }),
  ])
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

/** The texts that count as the last valid ones after this declaration was read. */
export function textsAfter(read: FilesToRead, { kept }: Loaded): LastValidFiles {
  const { files, lastValid = noTexts } = read
  const wrong = new Set(kept?.map(({ file }) => file))
  const valid = files.flatMap(({ file, bytes }) => (wrong.has(file) ? [] : [[file, bytes] as const]))
  return new Map([...valid, ...[...lastValid].filter(([file]) => wrong.has(file))])
}

const presentIn = ({ files, obstacles = [] }: DeclarationFiles): readonly string[] => [
  ...files.map(({ file }) => file),
  ...obstacles.map(({ at }) => at.file),
]

const goneCure = 'restore its files; if its mappings should go, remove the fence from the settings, too'
const goneText = ({ path }: Fence): string => `no file matches the fence "${path}" any more`

/** The last valid files of fences that have no file any more. */
function goneFiles(present: readonly string[], lastNames: Iterable<string>, fenceOf: (file: string) => Fence | undefined) {
  const there = new Set(present.map((file) => fenceOf(file)?.path))
  return [...lastNames].flatMap((file) => {
    const fence = fenceOf(file)
    return fence === undefined || there.has(fence.path) ? [] : [{ file, fence }]
  })
}
