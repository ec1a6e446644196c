import { type List, listOf } from '../core/mapping.ts'
import { firstNames } from '../core/quantity.ts'
import type { FencedKeys, GroupSelector, Removal, Rule, Unmanaged } from '../core/rule.ts'
import { isTeamName, isTemplate, teamNameCure, teamWord } from '../core/team.ts'
import { position, type YamlDocument } from '../yaml/document.ts'
import type { Parse } from '../yaml/parse.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import { validate } from '../yaml/validate.ts'
import { compileFile, type Defaults, type Part, type Sharing, type Statement } from './compile.ts'
import { contradictions } from './contradictions.ts'
import type { Fence, FenceOf, FenceTexts } from './fence.ts'
import { teamPart } from './fenceTemplate.ts'
import { endedHints, type Hint, oldWordHints } from './fileHints.ts'
import type { DeclarationFileBytes } from './files.ts'
import { outsideFence } from './insideFence.ts'
import { takeMisplaced } from './misplaced.ts'
import { type KnownNames, unknownNames } from './names.ts'
import { nothingReadable, type ReadableNames, readableNames } from './readableNames.ts'
import { refusedWaivers, type WaiverRights } from './refusedWaivers.ts'
import { fileSchema, lenientSchema } from './schema.ts'
import { addAllSteps, addPatterns, addSize, compilingOf, type ReadingWork, type Sizes, savedSizes, takePattern } from './size.ts'
import { matchingOf } from './unmanaged.ts'

/** What decides about a file beside its text. `fence`: the paths of all fences that match it, if that is not exactly one. `fences`: those of the settings. */
export type FileContext = KnownNames &
  WaiverRights & {
    readonly defaults: Defaults
    readonly endedByMs?: number
    readonly share: Sharing
    readonly fence: ReturnType<FenceOf>
    readonly fences?: FenceTexts
    readonly parse: Parse
  }

/**
 * The parts of a valid file, or what is wrong with it and what its text names all the same. `unknown`: names that the settings do not have. `isWhole`: all of
 * the text can be read.
 */
export type Understood =
  | { readonly valid: true; readonly parts: readonly Part[]; readonly hints: readonly Hint[] }
  | { readonly valid: false; readonly problems: readonly Problem[]; readonly unknown: readonly Problem[]; readonly names: ReadableNames }

/** After this many hints of a file the others are not reported. */
const hintsMax = 1_000

/** Reads one file by its own text, the settings and the sizes of the files before it. Undefined if `isTooLarge` said so. */
export function understandFile(
  { file, bytes }: DeclarationFileBytes,
  context: FileContext,
  sizes: Sizes,
  isTooLarge: (work: ReadingWork) => boolean,
): Understood | undefined {
  const { fence, parse } = context
  const owner = ownerIn(fence)
  const { document: written, partial, problems } = parse(bytes, { file, schema: fileSchema })
  const text = written === undefined ? partial : written.value
  const invalid = (newProblems: readonly Problem[], unknown: readonly Problem[] = []): Understood => {
    const names = readableNames(text, context.workspaces, takePattern(owner, sizes))
    const isWhole = names.isWhole && written !== undefined && problems.length === 0
    return { valid: false, problems: [...problems, ...newProblems], unknown, names: { ...names, isWhole } }
  }
  // The patterns are compiled after this.
  const tooManyPatterns = addPatterns(file, text, owner, sizes)
  if (tooManyPatterns !== undefined) return { valid: false, problems: [...problems, tooManyPatterns], unknown: [], names: nothingReadable }
  sizes.total.compiling += compilingOf(text)
  if (isTooLarge({ ...sizes.total, matching: 0 })) return undefined

  if (isPaths(fence)) return invalid([unfenced(file, fence, Object.keys(context.fences ?? {}))])
  if (written === undefined) return invalid([])
  if (written.value === null) {
    const cure = 'begin it with "version: 1", delete it, or let its name begin with a dot'
    return invalid([problemOfFile(file, 'the file has no content', cure)])
  }
  const { problems: misplaced, rest: document } = takeMisplaced(written, context.workspaces)
  const checked = validate(document, fileSchema)
  const mistakes = checked.valid ? misplaced : misplaced.concat(checked.problems)
  const content = checked.valid ? checked.value : lenientSchema.safeParse(document.value).data
  if (content === undefined) return invalid(mistakes)
  const unknown = unknownNames(document, content, context)
  const outside = fence === 'everything' ? [] : outsideFence(document, content, fence, context.dateMs ?? Number.NEGATIVE_INFINITY)
  const refused = refusedWaivers(document, content, fence, context)
  const undo = savedSizes(sizes, owner)
  const tooLarge = addSize(document, content, owner, sizes)
  if (tooLarge !== undefined) return invalid([...mistakes, ...outside, ...refused, tooLarge], unknown)
  if (isTooLarge({ ...sizes.total, matching: 0 })) return undefined
  const compiled = compileFile(
    document,
    fence === 'everything' ? content : { ...content, owner: fence.owner },
    context.defaults,
    context.share,
  )
  const parts = fence === 'everything' ? compiled : compiled.map((part) => limitedPart(part, fence, document))
  if (isTooLarge({ ...sizes.total, matching: matchingOf(parts) })) return undefined
  const wrong = mistakes.concat(
    outside,
    refused,
    contradictions(parts, () => document, false),
  )
  if (problems.length + wrong.length + unknown.length === 0) {
    const tooManySteps = addAllSteps(parts, document, owner, sizes)
    if (tooManySteps === undefined)
      return {
        valid: true,
        parts,
        hints: [...oldWordHints(document, content), ...endedHints(document, content, context.endedByMs, hintsMax)],
      }
    undo()
    return invalid([tooManySteps])
  }
  undo()
  return invalid(wrong, unknown)
}

export const ownerIn = (fence: ReturnType<FenceOf>): string | undefined =>
  isPaths(fence) || fence === 'everything' ? undefined : fence.owner

const isPaths = (fence: ReturnType<FenceOf>): fence is readonly string[] => Array.isArray(fence)

/** With fences, each file has exactly one. */
function unfenced(file: string, paths: readonly string[], fences: readonly string[]): Problem {
  if (paths.length === 0) {
    const template = fences.find((path) => isTemplate(path) && teamPart(path, file) !== undefined)
    const name = template === undefined ? undefined : teamPart(template, file)
    if (template !== undefined && name !== undefined && !isTeamName(name))
      return problemOfFile(
        file,
        `"${name}" cannot be the ${teamWord} of the fence "${template}", and no other fence matches this file`,
        `rename it to ${teamNameCure}; or add a fence for exactly this path`,
      )
    return problemOfFile(file, 'no fence of the settings matches this file', 'add one under "fences", or move the file')
  }
  return problemOfFile(file, `several fences match this file: ${firstNames(paths)}`, 'let the paths of the fences have no file in common')
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
