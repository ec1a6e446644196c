import { declaredMappingsMax, patternId } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import type { Pattern, Rule, Unmanaged } from '../core/rule.ts'
import { problemAt, type YamlDocument } from '../yaml/document.ts'
import { type Problem, problemOfFile, withOwner } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import type { GroupKeys } from './compileSelectors.ts'
import { describedCount } from './compileWaivers.ts'
import type { DocumentOf } from './contradictions.ts'
import { type OwnerOf, ownerLimit } from './fenceOwner.ts'
import type { LenientFile } from './lenient.ts'
import type { DeclaredRule } from './schema.ts'

/** Every pattern is tried on every group of every directory. */
const patternsMax = 500

/** `compiling`: see `ReadingWork`. */
type DeclarationSize = { mappings: number; patterns: number; compiling: number }

/** The sizes of the files that were read so far: of all files, and of the files of each owner inside fences. */
export type Sizes = {
  readonly all: DeclarationSize
  readonly mappingsOf: Map<string, number>
  /** Also the patterns of invalid files, since it takes long to compile them. */
  readonly patternsOf: Map<string, number>
}

export const openSizes = (): Sizes => ({ all: { mappings: 0, patterns: 0, compiling: 0 }, mappingsOf: new Map(), patternsOf: new Map() })

/** Counts the patterns of a file before they are compiled. Returns a problem if its owner has too many. */
export function addPatterns(document: YamlDocument, owner: string | undefined, { patternsOf }: Sizes): Problem | undefined {
  if (owner === undefined) return undefined
  const patterns = (patternsOf.get(owner) ?? 0) + patternCount(document.value)
  patternsOf.set(owner, patterns)
  if (patterns <= ownerLimit(patternsMax)) return undefined
  const message = `with this file, the files of ${owner} have ${counted(patterns, 'pattern')}`
  const cure = `at most ${ownerLimit(patternsMax)} for one owner inside fences: combine some of them`
  return withOwner(problemOfFile(document.source.file, message, cure), owner)
}

/** A limit is exceeded. `isOfAll`: the limit of all files together. */
type TooLarge = { readonly problem: Problem; readonly isOfAll: boolean }

/** Adds the size of a file. Returns a problem at the first entry that exceeds a limit; then nothing was added. */
export function addSize(
  document: YamlDocument,
  { workspaces }: LenientFile,
  owner: string | undefined,
  sizes: Sizes,
): TooLarge | undefined {
  let { mappings, patterns } = sizes.all
  let own = owner === undefined ? 0 : (sizes.mappingsOf.get(owner) ?? 0)
  for (const [name, said] of Object.entries(workspaces)) {
    for (const list of ['workspaceRoles', 'projectRoles', 'removed', 'unmanaged', 'waivers'] as const) {
      for (const [index, entry] of (said[list] ?? []).entries()) {
        if (entry === undefined) continue
        const [groups, targets] = 'until' in entry ? [describedCount(entry), 1] : groupsAndTargets(entry)
        mappings += groups * targets
        own += groups * targets
        if ('groupGlob' in entry || 'groupRegex' in entry) patterns++
        const at = (isOfAll: boolean, message: string, cure: string): TooLarge => {
          const problem = problemAt(document, ['workspaces', name, list, index], message, cure)
          return { problem: withOwner(problem, owner), isOfAll }
        }
        const ofOwner = ownerLimit(declaredMappingsMax)
        if (owner !== undefined && own > ofOwner)
          return at(
            false,
            `with this entry the files of ${owner} have ${counted(own, 'mapping')}`,
            `at most ${ofOwner} for one owner inside fences; its lists multiply: ${groups} × ${targets}`,
          )
        if (mappings > declaredMappingsMax)
          return at(
            true,
            `with this entry the declaration has ${counted(mappings, 'mapping')}`,
            `at most ${declaredMappingsMax}; its lists multiply: ${groups} × ${targets}`,
          )
        if (patterns > patternsMax)
          return at(
            true,
            `with this entry the declaration has more than ${patternsMax} patterns`,
            'each pattern is tried on every group: combine some of them',
          )
      }
    }
  }
  Object.assign(sizes.all, { mappings, patterns })
  if (owner !== undefined) sizes.mappingsOf.set(owner, own)
  return undefined
}

function groupsAndTargets(entry: GroupKeys & Pick<DeclaredRule, 'project' | 'projects'>): readonly [groups: number, targets: number] {
  return [[entry.group ?? entry.groups ?? 'pattern'].flat().length, targetsOf(entry.project ?? entry.projects)]
}

/** How many targets an entry gives to one group, at most. */
function targetsOf(project: DeclaredRule['project'] | DeclaredRule['projects']): number {
  if (typeof project !== 'object') return 1
  if (Array.isArray(project)) return project.length
  return Object.values(project.map ?? {}).reduce((most, named) => Math.max(most, [named].flat().length), 1)
}

/** How much work a declaration is, as far as it is known. */
export type ReadingWork = {
  readonly mappings: number
  /** The work to compile the patterns, in steps (`compilingOf`). Before the patterns are compiled, it is an estimate. */
  readonly compiling: number
  /** The work to compare the patterns of `unmanaged` with the exact names: steps of the patterns × characters of the names. */
  readonly matching: number
}

/**
 * Work up to these limits takes a few hundred milliseconds. A pattern is compiled several times, and each time each of its steps takes up to
 * 5 µs. A match takes up to 80 ns for each step and character (measured).
 */
const quick: ReadingWork = { mappings: 2_500, compiling: 5_000, matching: 2_000_000 }

/** Whether the work would delay other work of the process. */
export const takesLong = ({ mappings, compiling, matching }: ReadingWork): boolean =>
  mappings > quick.mappings || compiling > quick.compiling || matching > quick.matching

/** The part of the work that is the same for every pattern, in steps. */
const eachPattern = 20
/** Classes of other scripts, and case folding, make a short pattern costly. */
const isCostly = (source: string): boolean => /[^\x20-\x7e]|\\p|\(\?(?![:<P])/i.test(source)

/**
 * An upper bound of the work to compile the patterns in a value of a file, and to compare them with the names in `except`. A short pattern such as
 * `(a{500}){500}` may stand for very many steps, and its true size is known only after it was compiled.
 */
export function compilingOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + compilingOf(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  let own = 0
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') sum += compilingOf(inner)
    else if (key === 'groupGlob') own += eachPattern + inner.length
    else if (key === 'groupRegex') own += eachPattern + regexWork(inner)
  }
  return sum + own * (1 + exceptedCharacters(value) / charactersAStep)
}

/** As many characters of a name are matched with a step of a pattern in the time in which this step is compiled. */
const charactersAStep = 60

/** The characters of the names in `except` of an entry. Each name is compared with the pattern of the entry. */
function exceptedCharacters(entry: object): number {
  const names: readonly unknown[] = 'except' in entry && Array.isArray(entry.except) ? entry.except : []
  return names.reduce<number>((sum, name) => sum + (typeof name === 'string' ? name.length : 0), 0)
}

/** The number of patterns in a value of a file. */
function patternCount(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + patternCount(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const [key, inner] of Object.entries(value))
    sum += typeof inner === 'string' ? Number(key === 'groupGlob' || key === 'groupRegex') : patternCount(inner)
  return sum
}

/** Repetitions may be nested, so they multiply. */
function regexWork(source: string): number {
  if (isCostly(source)) return Number.POSITIVE_INFINITY
  let work = source.length
  for (const [repetition] of source.matchAll(/\{[\d,]+\}/g)) {
    for (const [count] of repetition.matchAll(/\d+/g)) work *= Math.max(1, Number(count))
  }
  return work
}

/** 500 patterns of 100 steps; a usual pattern has 10 to 30. */
const stepsMax = 50_000

/**
 * Problems at the entries with which the patterns of one owner, or all patterns together, exceed the limit.
 *
 * @param parts in the order in which files count
 */
export function tooManySteps(parts: readonly Part[], documentOf: DocumentOf, ownerOf: OwnerOf): readonly Problem[] {
  const problems: Problem[] = []
  const stepsOf = new Map<string, number>()
  const seen = new Set<string>()
  let sofar = 0
  for (const [pattern, said] of patterned(parts)) {
    const owner = ownerOf(said.list.file)
    const own = owner === undefined ? undefined : `${owner} ${patternId(pattern)}`
    const at = (message: string, cure: string) => {
      const document = documentOf(said.list.file)
      if (document !== undefined) problems.push(withOwner(problemAt(document, entryPath(said), message, cure), owner))
    }
    if (owner !== undefined && own !== undefined && !seen.has(own)) {
      seen.add(own)
      const before = stepsOf.get(owner) ?? 0
      const steps = before + pattern.steps
      stepsOf.set(owner, steps)
      const most = ownerLimit(stepsMax)
      if (before <= most && steps > most)
        at(
          `with this pattern, the patterns of ${owner} compile to ${steps} steps`,
          `at most ${most} for one owner inside fences; ${cureOf(pattern.steps)}`,
        )
    }
    if (seen.has(patternId(pattern))) continue
    seen.add(patternId(pattern))
    sofar += pattern.steps
    if (sofar <= stepsMax) continue
    at(`with this pattern, all patterns together compile to ${sofar} steps`, `at most ${stepsMax}; ${cureOf(pattern.steps)}`)
    break
  }
  return problems
}

const cureOf = (steps: number): string => `this one has ${steps}: shorten repetitions such as {100}, or use fewer patterns`

function* patterned(parts: readonly Part[]): Generator<readonly [Pattern, Statement<Rule | Unmanaged>]> {
  for (const { rules, unmanaged } of parts)
    for (const list of [rules, unmanaged])
      for (const said of list) if (said.what.groups.kind === 'pattern') yield [said.what.groups.pattern, said]
}
