import type { WorkspaceName } from '../core/mapping.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import type { YamlDocument } from '../yaml/document.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { parseYaml } from '../yaml/parse.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { validate } from '../yaml/validate.ts'
import { compileFile, type Defaults, type Part } from './compile.ts'
import { contradictions } from './contradictions.ts'
import { endedHints, type Hint, oldWordHints } from './fileHints.ts'
import type { DeclarationFileBytes, DeclarationFiles } from './files.ts'
import { lenientSchema } from './lenient.ts'
import { mergeParts } from './merge.ts'
import { takeMisplaced } from './misplaced.ts'
import { type KnownNames, unknownNames } from './names.ts'
import { tooManySteps } from './patternSteps.ts'
import { fileSchema } from './schema.ts'
import { type Sharing, sharing } from './sharing.ts'
import { addSize, type DeclarationSize } from './size.ts'
import { matchingOf } from './unmanaged.ts'
import { compilingOf, type ReadingWork } from './work.ts'

/** The settings that a declaration depends on. */
export type Context = KnownNames & {
  readonly defaults: Defaults
  /** Each rule that ended at or before this time (epoch ms) gives a hint; absent: none does. */
  readonly endedByMs?: number
}

export type Loaded = {
  readonly valid: true
  readonly declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>
  /** SHA-256 in hex over the files' names and contents. */
  readonly hash: string
  /** How many files the declaration has. */
  readonly files: number
  /** Hints for people who edit the files: the first old word of each file, and, if `endedByMs` is set, each rule that has ended. */
  readonly hints: readonly Hint[]
}

/**
 * `begins` is called before each file is read. Before each costly part of the work, `isTooLarge` gets the amount of work that is known so far. If it
 * returns true, the reading ends.
 */
type Watch = {
  readonly begins?: (file: string) => void
  readonly isTooLarge?: (work: ReadingWork) => boolean
}

/** After this many problems no further file is read. */
const problemsMax = 1_000

/**
 * Reads a declaration from files in memory, without a pause. If there are problems, they are returned, and no declaration. A file that
 * exceeds a limit is the last one that is read.
 *
 * @returns undefined if `isTooLarge` said so
 */
export function understandFiles({ files, hash }: DeclarationFiles, context: Context, watch: Watch): Loaded | InvalidFiles | undefined {
  const parts: Part[] = []
  const problems: Problem[] = []
  const hints: Hint[] = []
  const share = sharing()
  let size: DeclarationSize = { mappings: 0, patterns: 0, compiling: 0 }
  for (const file of files) {
    watch.begins?.(file.file)
    const read = understand(file, context, size, share, watch)
    if (read === undefined) return undefined
    size = read.size
    for (const problem of read.problems) problems.push(problem)
    for (const part of read.parts) parts.push(part)
    for (const hint of read.hints) if (hints.length < problemsMax) hints.push(hint)
    if (read.isOverLimit || problems.length >= problemsMax) return invalidFiles(problems)
  }
  if (watch.isTooLarge?.({ ...size, matching: matchingOf(parts) }) === true) return undefined
  const documentOf = openDocuments(files)
  const all = [...problems, ...tooManySteps(parts, documentOf), ...contradictions(parts, documentOf)]
  if (all.length > 0) return invalidFiles(all)
  return { valid: true, declaration: mergeParts(parts), hash, files: files.length, hints }
}

/** Parses a file again for the place of a problem, so that no document has to be kept. */
function openDocuments(files: readonly DeclarationFileBytes[]): (file: string) => YamlDocument | undefined {
  let last: { readonly file: string; readonly document: YamlDocument | undefined } | undefined
  return (file) => {
    const found = last?.file === file ? undefined : files.find((one) => one.file === file)
    if (found !== undefined) last = { file, document: parseYaml(found.bytes, { file, schema: fileSchema }).document }
    return last?.document
  }
}

/** The valid parts of one file, and its problems. `size` includes all files before it. */
type Understood = {
  readonly parts: readonly Part[]
  readonly problems: readonly Problem[]
  readonly size: DeclarationSize
  readonly isOverLimit: boolean
  readonly hints: readonly Hint[]
}

function understand(
  { file, bytes }: DeclarationFileBytes,
  context: Context,
  before: DeclarationSize,
  share: Sharing,
  { isTooLarge }: Watch,
): Understood | undefined {
  const { document: written, problems, isOverLimit = false } = parseYaml(bytes, { file, schema: fileSchema })
  const nothing = (more: readonly Problem[], over = isOverLimit): Understood => ({
    parts: [],
    problems: problems.concat(more),
    size: before,
    isOverLimit: over,
    hints: [],
  })
  if (written === undefined) return nothing([])
  if (written.value === null) {
    const cure = 'begin it with "version: 1", delete it, or let its name begin with a dot'
    return nothing([problemOfFile(file, 'the file has no content', cure)])
  }
  // The schema compiles the patterns.
  const { problems: misplaced, rest: document } = takeMisplaced(written, context.workspaces)
  const compiling = before.compiling + compilingOf(document.value)
  if (isTooLarge?.({ ...before, compiling, matching: 0 }) === true) return undefined
  const checked = validate(document, fileSchema)
  const wrong = checked.valid ? misplaced : misplaced.concat(checked.problems)
  const said = checked.valid ? checked.value : lenientSchema.safeParse(document.value).data
  if (said === undefined) return nothing(wrong)
  const all = wrong.concat(unknownNames(document, said, context))
  const size = addSize(document, said, { ...before, compiling })
  if ('message' in size) return nothing([...all, size], true)
  if (isTooLarge?.({ ...size, matching: 0 }) === true) return undefined
  const parts = compileFile(document, said, context.defaults, share)
  const hints = [...oldWordHints(document, said), ...endedHints(document, said, context.endedByMs, problemsMax)]
  return { parts, problems: problems.concat(all), size, isOverLimit, hints }
}
