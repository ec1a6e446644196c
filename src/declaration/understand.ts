import { by, compare } from '../core/compare.ts'
import { type List, listOf, type WorkspaceName } from '../core/mapping.ts'
import { firstNames } from '../core/quantity.ts'
import type { KeptFile } from '../core/report.ts'
import type { FencedKeys, GroupSelector, Removal, Rule, Unmanaged, WorkspaceDeclaration } from '../core/rule.ts'
import { position, type YamlDocument } from '../yaml/document.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { parseYaml } from '../yaml/parse.ts'
import { type InvalidFiles, type Problem, problemOfFile, withOwner } from '../yaml/problem.ts'
import { validate } from '../yaml/validate.ts'
import { compileFile, type Defaults, type Part, type Sharing, type Statement, sharing } from './compile.ts'
import { contradictions } from './contradictions.ts'
import { type Fence, type FenceOf, type FenceTexts, openFences } from './fence.ts'
import { type OwnerOf, openOwners } from './fenceOwner.ts'
import { endedHints, type Hint, oldWordHints } from './fileHints.ts'
import { type DeclarationFileBytes, type FilesToRead, type LastValidFiles, overLimit } from './files.ts'
import { outsideFence } from './insideFence.ts'
import { lenientSchema } from './lenient.ts'
import { mergeParts } from './merge.ts'
import { takeMisplaced } from './misplaced.ts'
import { type KnownNames, unknownNames } from './names.ts'
import { refusedWaivers, type WaiverRights } from './refusedWaivers.ts'
import { repeatedProblems } from './repeated.ts'
import { fileSchema } from './schema.ts'
import { addPatterns, addSize, compilingOf, openSizes, type ReadingWork, type Sizes, tooManySteps } from './size.ts'
import { matchingOf } from './unmanaged.ts'

/** The settings that a declaration depends on. */
export type Context = KnownNames &
  WaiverRights & {
    readonly defaults: Defaults
    /** Which files may say what; absent: every file may say everything. */
    readonly fences?: FenceTexts
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
  /** What is wrong with the present files; absent: nothing. */
  readonly invalid?: InvalidFiles
  /** The only files that are not used as they are now; absent beside `invalid`: none is. */
  readonly kept?: readonly KeptFile[]
}

/**
 * `begins` is called before each file is read. Before each costly part of the work, `isTooLarge` gets the amount of work that is known so far. If it
 * returns true, the reading ends.
 */
export type Watch = {
  readonly begins?: (file: string) => void
  readonly isTooLarge?: (work: ReadingWork) => boolean
}

type How = 'strict' | 'forgiving'

/** After this many problems no further file is read. */
const problemsMax = 1_000

/**
 * Reads a declaration from files in memory, without a pause. If there are problems, they are returned, and no declaration. A file that
 * exceeds a limit is the last one that is read.
 *
 * @param how `forgiving`: files of two owners that contradict each other hold their keys, and neither file is wrong
 * @returns undefined if `isTooLarge` said so
 */
export function understandFiles(read: FilesToRead, context: Context, watch: Watch, how: How): Loaded | InvalidFiles | undefined {
  const { files, hash, lastValid } = read
  const { fences } = context
  const ownerOf = fences === undefined ? () => undefined : openOwners(fences)
  const counting = fences === undefined ? files : inCountingOrder(files, ownerOf, lastValid)
  const tooMuch = overLimit(counting)
  if (tooMuch !== undefined) return invalidFiles([withOwner(tooMuch, ownerOf(tooMuch.at.file))])
  const partsOf = new Map<string, readonly Part[]>()
  const problems: Problem[] = []
  const repeated = repeatedProblems()
  const hints: Hint[] = []
  const share = sharing()
  const fenceOf = fences === undefined ? undefined : openFences(fences)
  const sizes = openSizes()
  for (const file of counting) {
    watch.begins?.(file.file)
    const one = understand(file, { ...context, share, fenceOf }, sizes, watch)
    if (one === undefined) return undefined
    if (how === 'strict') for (const problem of one.unknown) repeated.add(problem)
    // Each file with a mistake has to be known, to be replaced. Otherwise each next round would begin with all files before it.
    const mistakes = how === 'strict' ? one.problems : one.problems.concat(one.unknown)
    for (const problem of problems.length < problemsMax ? mistakes : mistakes.slice(0, 1)) problems.push(problem)
    partsOf.set(file.file, one.parts)
    for (const hint of one.hints) if (hints.length < problemsMax) hints.push(hint)
    if (how === 'forgiving') continue
    if (one.isOverLimit || problems.length + repeated.size() >= problemsMax) return invalidFiles([...problems, ...repeated.problems()])
  }
  const parts = files.flatMap(({ file }) => partsOf.get(file) ?? [])
  if (watch.isTooLarge?.({ ...sizes.all, matching: matchingOf(parts) }) === true) return undefined
  const documentOf = openDocuments(files)
  const all = [
    ...problems,
    ...repeated.problems(),
    ...tooManySteps([...partsOf.values()].flat(), documentOf, ownerOf),
    ...contradictions(parts, documentOf, { keysHaveOneFile: fences !== undefined, forgivesOthers: how === 'forgiving', ownerOf }),
  ]
  if (all.length > 0) return invalidFiles(all)
  return {
    valid: true,
    declaration: mergeParts(parts),
    hash,
    files: files.length,
    hints: hints.toSorted(by(({ at }) => at.file)),
  }
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

const isPaths = (fence: ReturnType<FenceOf>): fence is readonly string[] => Array.isArray(fence)

/** With fences, each file has exactly one. */
function unfenced(file: string, paths: readonly string[]): Problem {
  if (paths.length === 0)
    return problemOfFile(file, 'no fence of the settings matches this file', 'add one under "fences", or move the file')
  return problemOfFile(file, `several fences match this file: ${firstNames(paths)}`, 'let the paths of the fences have no file in common')
}

/** The valid parts of one file, and its problems. */
type Understood = {
  readonly parts: readonly Part[]
  readonly problems: readonly Problem[]
  /** Names that the settings do not have. */
  readonly unknown: readonly Problem[]
  readonly isOverLimit: boolean
  readonly hints: readonly Hint[]
}

function understand(
  { file, bytes }: DeclarationFileBytes,
  context: Context & { readonly share: Sharing; readonly fenceOf: FenceOf | undefined },
  sizes: Sizes,
  { isTooLarge }: Watch,
): Understood | undefined {
  const { document: written, problems, isOverLimit = false } = parseYaml(bytes, { file, schema: fileSchema })
  const nothing = (more: readonly Problem[], over = isOverLimit): Understood => ({
    parts: [],
    problems: problems.concat(more),
    unknown: [],
    isOverLimit: over,
    hints: [],
  })
  const fence = context.fenceOf?.(file) ?? 'everything'
  if (isPaths(fence)) return nothing([unfenced(file, fence)])
  if (written === undefined) return nothing([])
  if (written.value === null) {
    const cure = 'begin it with "version: 1", delete it, or let its name begin with a dot'
    return nothing([problemOfFile(file, 'the file has no content', cure)])
  }
  // The schema compiles the patterns.
  const { problems: misplaced, rest: document } = takeMisplaced(written, context.workspaces)
  const owner = fence === 'everything' ? undefined : fence.owner
  const tooManyPatterns = addPatterns(document, owner, sizes)
  if (tooManyPatterns !== undefined) return nothing([tooManyPatterns])
  const compiling = sizes.all.compiling + compilingOf(document.value)
  if (isTooLarge?.({ ...sizes.all, compiling, matching: 0 }) === true) return undefined
  const checked = validate(document, fileSchema)
  const mistakes = checked.valid ? misplaced : misplaced.concat(checked.problems)
  const said = checked.valid ? checked.value : lenientSchema.safeParse(document.value).data
  if (said === undefined) return nothing(mistakes)
  const unknown = unknownNames(document, said, context)
  const outside = fence === 'everything' ? [] : outsideFence(document, said, fence, context.dateMs ?? Number.NEGATIVE_INFINITY)
  const wrong = mistakes.concat(outside, refusedWaivers(document, said, fence, context))
  const tooLarge = addSize(document, said, owner, sizes)
  if (tooLarge !== undefined) return { ...nothing([...wrong, tooLarge.problem], tooLarge.isOfAll), unknown }
  sizes.all.compiling = compiling
  if (isTooLarge?.({ ...sizes.all, matching: 0 }) === true) return undefined
  const compiled = compileFile(document, fence === 'everything' ? said : { ...said, owner: fence.owner }, context.defaults, context.share)
  const parts = fence === 'everything' ? compiled : compiled.map((part) => limitedPart(part, fence, document))
  const hints = [...oldWordHints(document, said), ...endedHints(document, said, context.endedByMs, problemsMax)]
  return { parts, problems: problems.concat(wrong), unknown, isOverLimit, hints }
}

/**
 * The part of a file inside a fence: its patterns select only what the fence contains, and it owns the keys inside of the fence in place of whole
 * lists.
 */
function limitedPart(part: Part, fence: Fence, document: YamlDocument): Part {
  const mark = <T extends Rule | Removal | Unmanaged>(statement: Statement<T>, what: T): Statement<T> => ({
    ...statement,
    what: { ...what, fenced: true },
  })
  return {
    ...part,
    owns: [],
    ownsKeys: part.owns.flatMap((list): FencedKeys | [] => {
      const inside = fence.lists.get(list)
      if (inside === undefined) return []
      const { roles: _, ...keys } = inside
      const at = position(document, ['workspaces', part.workspace, list], 'key')
      return { ...keys, because: { at, owner: fence.owner } }
    }),
    rules: part.rules.map((statement) => mark(statement, limitedRule(statement.what, fence))),
    removed: part.removed.map((statement) => mark(statement, statement.what)),
    unmanaged: part.unmanaged.map((statement) => {
      const { groups, target } = statement.what
      return mark(statement, { ...statement.what, groups: within(groups, target === undefined ? 'projectRoles' : listOf(target), fence) })
    }),
  }
}

function limitedRule(rule: Rule, fence: Fence): Rule {
  const { groups, target } = rule
  const only = fence.lists.get('projectRoles')?.projects
  return {
    ...rule,
    ...(fence.may.has('removed') && { mayRemove: true }),
    groups: within(groups, target.kind === 'fixed' ? listOf(target.target) : 'projectRoles', fence),
    target: target.kind === 'captured' && only !== undefined ? { ...target, only } : target,
  }
}

const within = (groups: GroupSelector, list: List, { path, lists }: Fence): GroupSelector =>
  groups.kind === 'exact' ? groups : { ...groups, within: lists.get(list)?.groups ?? [], fence: path }

/**
 * The order in which files count towards the limits that all files share. First count the files that are as they were when the declaration was last valid,
 * then changed files without limits, then changed files of owners, those of the owner with the fewest bytes first. So the declaration exceeds a limit at a
 * changed file, if there is one, and at a file without limits only if no owner changed a file.
 */
function inCountingOrder(
  files: readonly DeclarationFileBytes[],
  ownerOf: OwnerOf,
  lastValid: LastValidFiles | undefined,
): readonly DeclarationFileBytes[] {
  const bytesOf = new Map<string, number>()
  const counted = files.map((one) => {
    const owner = ownerOf(one.file)
    const rank = isSame(one.bytes, lastValid?.get(one.file)) ? 0 : owner === undefined ? 1 : 2
    if (owner !== undefined && rank === 2) bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + one.bytes.length)
    return { one, owner: owner ?? '', rank }
  })
  const weight = ({ owner, rank }: (typeof counted)[number]) => (rank === 2 ? (bytesOf.get(owner) ?? 0) : 0)
  return counted
    .toSorted(by(({ one }) => one.file))
    .toSorted((a, b) => a.rank - b.rank || weight(a) - weight(b) || (a.rank === 2 ? compare(a.owner, b.owner) : 0))
    .map(({ one }) => one)
}

const isSame = (now: Uint8Array, before: Uint8Array | undefined): boolean =>
  before !== undefined && now.length === before.length && Buffer.compare(now, before) === 0
