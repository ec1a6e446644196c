import { by, compare } from '../core/compare.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { KeptFile } from '../core/report.ts'
import type { Revision } from '../core/revision.ts'
import { type FrozenFile, nothingDeclared, type WorkspaceDeclaration } from '../core/rule.ts'
import type { YamlDocument } from '../yaml/document.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type Parse, parseYaml } from '../yaml/parse.ts'
import type { InvalidFiles, Problem } from '../yaml/problem.ts'
import { type Part, sharing } from './compile.ts'
import { contradictions } from './contradictions.ts'
import { type FenceTexts, openFences } from './fence.ts'
import { type OwnerOf, openOwners } from './fenceOwner.ts'
import { concreteFences } from './fenceTemplate.ts'
import type { Hint } from './fileHints.ts'
import { type DeclarationFileBytes, type FilesToRead, hashOf, type LastValidFiles, type Obstacle, openFileCount } from './files.ts'
import { openFreezing } from './freeze.ts'
import { mergeParts } from './merge.ts'
import { repeatedProblems } from './names.ts'
import { nothingReadable } from './readableNames.ts'
import { fileSchema } from './schema.ts'
import { openSizes, type ReadingWork } from './size.ts'
import { type FileContext, ownerIn, type Understood, understandFile } from './understandFile.ts'
import { matchingOf } from './unmanaged.ts'

/** The settings that a declaration depends on. */
export type Context = Omit<FileContext, 'share' | 'fence' | 'fences' | 'parse'> & {
  /** Which files may say what, with templates as the settings have them; absent: every file may say everything. */
  readonly fences?: FenceTexts
}

export type Loaded = {
  readonly valid: true
  readonly declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>
  /** SHA-256 in hex over the names and contents of the files that are used. */
  readonly hash: string
  /** The commit; set after the files are understood. */
  readonly revision?: Revision
  /** How many files are used. */
  readonly files: number
  /** The names of the present files, and of what cannot be read. A file that is not among them is gone. */
  readonly names: readonly string[]
  /** Hints for people who edit the files: the first old word of each file, and, if `endedByMs` is set, each rule that has ended. */
  readonly hints: readonly Hint[]
  /** What is wrong with the present files; absent: nothing. */
  readonly invalid?: InvalidFiles
  /** The files and folders that are not used as they are now. Absent: there is nothing wrong. */
  readonly kept?: readonly KeptFile[]
}

/**
 * `begins` is called before each file is read. Before each costly part of the work, `isTooLarge` gets the amount of work that is known so far. If it
 * returns true, the reading ends. `parse`: in place of that of YAML.
 */
type Watch = {
  readonly parse?: Parse
  readonly begins?: (file: string) => void
  readonly isTooLarge?: (work: ReadingWork) => boolean
}

/** After this many problems the others are not collected. */
const problemsMax = 1_000

/**
 * Reads a declaration from files in memory, without a pause. Every command reads with this function, so all say the same about the same text.
 *
 * Each file is judged by its own text, the settings, and the sizes of the files that count before it. In place of an invalid file its last valid text is
 * used, if there is one and it still is valid. Otherwise the file is frozen (`FrozenFile`): it gives nothing and takes nothing. Files that contradict each
 * other are used, and the keys in dispute are held.
 *
 * @returns the problems alone if no file can be read and there is no last valid text; undefined if `watch` said that the declaration is too large
 */
export function understandDeclaration(read: FilesToRead, context: Context, watch: Watch): Loaded | InvalidFiles | undefined {
  const { files, obstacles = [], lastValid = noTexts } = read
  const ownerOf = context.fences === undefined ? () => undefined : openOwners(context.fences)
  const replaced = behindObstacles(read, ownerOf)
  if (files.length === 0 && replaced.length === 0) return invalidFiles(obstacles.map(({ problem }) => problem))

  const paths = [...files, ...replaced].map(({ file }) => file).concat(obstacles.map(({ path }) => path))
  const fences = context.fences && concreteFences(context.fences, paths)
  const fenceOf = fences === undefined ? () => 'everything' as const : openFences(fences)
  const freezing = openFreezing(context.workspaces, fences ?? {}, fenceOf, ownerOf)
  const report = openFound()
  const sizes = openSizes()
  const share = sharing()
  const countFile = openFileCount()
  const partsOf = new Map<string, readonly Part[]>()
  const used = new Map<string, Uint8Array>()
  const wrongFiles: KeptFile[] = []
  const wrong = (file: string, owner: string | undefined, isUsed: boolean, how: Pick<KeptFile, 'unread'> = {}) =>
    wrongFiles.push({ file, isUsed, ...(owner === undefined ? {} : { owner }), ...how })
  const understandText = (file: string, bytes: Uint8Array) =>
    understandFile(
      { file, bytes },
      { ...context, share, fence: fenceOf(file), parse: watch.parse ?? parseYaml },
      sizes,
      watch.isTooLarge ?? (() => false),
    )
  const use = (file: string, bytes: Uint8Array, parts: readonly Part[]) => {
    partsOf.set(file, parts)
    used.set(file, bytes)
  }

  for (const { path, owner, problem } of obstacles) {
    report.problem(problem)
    const isReplaced = replaced.some((file) => file.because.problem === problem)
    if (!isReplaced) freezing.freezeUnread(path, owner, problem)
    wrong(problem.at.file, owner ?? ownerOf(path), isReplaced, { unread: true })
  }
  const because = new Map(replaced.map(({ file, because: { problem } }) => [file, problem]))
  for (const { file, bytes } of inCountingOrder([...files, ...replaced], ownerOf, lastValid)) {
    watch.begins?.(file)
    const owner = ownerIn(fenceOf(file))
    const obstacle = because.get(file)
    const compiled = sizes.compiledOf.get(owner) ?? 0
    const tooMuch = countFile({ file, bytes })
    const present = tooMuch === undefined ? understandText(file, bytes) : notCounted(tooMuch)
    if (present === undefined) return undefined
    if (present.valid) {
      use(file, bytes, obstacle === undefined ? present.parts : present.parts.map(withoutWaivers))
      report.hints(present.hints)
      continue
    }
    if (obstacle === undefined) report.mistakes(present)
    const before = lastValid.get(file)
    if (before !== undefined && obstacle === undefined && tooMuch === undefined) {
      sizes.compiledOf.set(owner, compiled)
      const last = understandText(file, before)
      if (last === undefined) return undefined
      if (last.valid) {
        use(file, before, last.parts.map(withoutWaivers))
        wrong(file, owner ?? ownerOf(file), true)
        continue
      }
    }
    freezing.freeze(file, obstacle ?? firstOf(present), present.names)
    if (obstacle?.at.file !== file) wrong(file, owner ?? ownerOf(file), false)
  }

  const names = [...used.keys()].toSorted(compare)
  const parts = names.flatMap((file) => partsOf.get(file) ?? [])
  if (watch.isTooLarge?.({ ...sizes.total, matching: matchingOf(parts) }) === true) return undefined
  for (const problem of contradictions(parts, openDocuments(used), fences !== undefined)) report.problem(problem)
  const { problems, hints } = report.all()
  return {
    valid: true,
    declaration: withFrozen(mergeParts(parts), freezing.frozen()),
    hash: hashOf(names.map((file) => ({ file, bytes: used.get(file) as Uint8Array }))),
    files: used.size,
    names: [...files.map(({ file }) => file), ...replaced.map(({ file }) => file), ...obstacles.map(({ path }) => path)],
    hints,
    ...(problems.length === 0 ? {} : { invalid: invalidFiles(problems), kept: wrongFiles.toSorted(by(({ file }) => file)) }),
  }
}

const noTexts: LastValidFiles = new Map()

/** The last valid texts of files that may be behind an obstacle. If no file can be read, each one may be. */
function behindObstacles({ files, obstacles = [], lastValid = noTexts }: FilesToRead, ownerOf: OwnerOf) {
  const present = new Set(files.map(({ file }) => file))
  const isBehind = (file: string, { path, owner }: Obstacle) =>
    path === '' || path === file || file.startsWith(`${path}/`) || (owner !== undefined && ownerOf(file) === owner)
  return [...lastValid].flatMap(([file, bytes]) => {
    const because = present.has(file) ? undefined : obstacles.find((obstacle) => isBehind(file, obstacle))
    return because === undefined ? [] : [{ file, bytes, because }]
  })
}

/** A newer text of the file may have taken its waivers back. */
const withoutWaivers = (part: Part): Part => ({ ...part, waivers: [] })

const notCounted = (problem: Problem): Understood => ({ valid: false, problems: [problem], unknown: [], names: nothingReadable })

const firstOf = ({ problems, unknown }: Extract<Understood, { valid: false }>): Problem => (problems[0] ?? unknown[0]) as Problem

function withFrozen(
  declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>,
  frozen: ReadonlyMap<WorkspaceName, readonly FrozenFile[]>,
): ReadonlyMap<WorkspaceName, WorkspaceDeclaration> {
  const added = [...frozen].map(([workspace, files]) => {
    const declared = declaration.get(workspace) ?? nothingDeclared(workspace)
    return [workspace, { ...declared, frozen: files }] as const
  })
  return new Map([...declaration, ...added])
}

/** The texts that count as the last valid ones after this declaration was read. A file that is gone has none. */
export function textsAfter({ files, lastValid = noTexts }: FilesToRead, { names, kept: wrong = [] }: Loaded): LastValidFiles {
  const invalid = new Set(wrong.map(({ file }) => file))
  const known = new Set(names)
  const valid = files.flatMap(({ file, bytes }) => (invalid.has(file) ? [] : [[file, bytes] as const]))
  return new Map([...[...lastValid].filter(([file]) => known.has(file)), ...valid])
}

/** Collects problems and hints. */
function openFound() {
  const problems: Problem[] = []
  const hints: Hint[] = []
  const repeated = repeatedProblems()
  const problem = (mistake: Problem) => {
    if (problems.length < problemsMax) problems.push(mistake)
  }
  return {
    problem,
    mistakes(file: Extract<Understood, { valid: false }>): void {
      for (const mistake of file.problems) problem(mistake)
      for (const mistake of file.unknown) repeated.add(mistake)
    },
    hints(more: readonly Hint[]): void {
      for (const hint of more) if (hints.length < problemsMax) hints.push(hint)
    },
    all: () => ({ problems: [...problems, ...repeated.problems()], hints: hints.toSorted(by(({ at }) => at.file)) }),
  }
}

/** Parses a file again for the place of a problem, so that no document has to be kept. */
function openDocuments(files: ReadonlyMap<string, Uint8Array>): (file: string) => YamlDocument | undefined {
  let last: { readonly file: string; readonly document: YamlDocument | undefined } | undefined
  return (file) => {
    const bytes = last?.file === file ? undefined : files.get(file)
    if (bytes !== undefined) last = { file, document: parseYaml(bytes, { file, schema: fileSchema }).document }
    return last?.document
  }
}

/**
 * The order in which files count towards the limits that all files share. First count the files that are as they were when the declaration was last valid,
 * then changed files without limits, then changed files of owners, those of the owner with the fewest bytes first. So the declaration exceeds a limit at a
 * changed file, if there is one, and at a file without limits only if no owner changed a file.
 */
function inCountingOrder(
  files: readonly DeclarationFileBytes[],
  ownerOf: OwnerOf,
  lastValid: LastValidFiles,
): readonly DeclarationFileBytes[] {
  const bytesOf = new Map<string, number>()
  const counted = files.map((file) => {
    const owner = ownerOf(file.file)
    const rank = isSame(file.bytes, lastValid.get(file.file)) ? 0 : owner === undefined ? 1 : 2
    if (owner !== undefined && rank === 2) bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + file.bytes.length)
    return { file, owner: owner ?? '', rank }
  })
  const weight = ({ owner, rank }: (typeof counted)[number]) => (rank === 2 ? (bytesOf.get(owner) ?? 0) : 0)
  return counted
    .toSorted(by(({ file }) => file.file))
    .toSorted((a, b) => a.rank - b.rank || weight(a) - weight(b) || (a.rank === 2 ? compare(a.owner, b.owner) : 0))
    .map(({ file }) => file)
}

const isSame = (now: Uint8Array, before: Uint8Array | undefined): boolean =>
  before !== undefined && now.length === before.length && Buffer.compare(now, before) === 0
