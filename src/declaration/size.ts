import { declaredMappingsMax, patternId } from '../core/matches.ts'
import { counted } from '../core/quantity.ts'
import type { Pattern, Rule, Unmanaged } from '../core/rule.ts'
import { problemAt, type YamlDocument } from '../yaml/document.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import type { GroupKeys } from './compileSelectors.ts'
import { describedCount } from './compileWaivers.ts'
import { ownerLimit } from './fenceOwner.ts'
import type { DeclaredRule, LenientFile } from './schema.ts'

/** Every pattern is tried on every group of every directory. */
const patternsMax = 500

/** `compiling`: see `ReadingWork`. */
type DeclarationSize = { mappings: number; patterns: number; compiling: number }

/**
 * The sizes of the files that were read so far: of all files, and of the files of each owner inside fences. A file that exceeds a limit gives nothing, and
 * its size does not count.
 */
export type Sizes = {
  readonly total: DeclarationSize
  readonly mappingsOf: Map<string, number>
  /** Also the patterns of invalid files, since it takes long to compile them. */
  readonly compiledOf: Map<string | undefined, number>
  /** The patterns that are used, by `patternId`, and their steps. The key `undefined` is all files. */
  readonly stepsOf: Map<string | undefined, { readonly ids: Set<string>; sum: number }>
}

export const openSizes = (): Sizes => ({
  total: { mappings: 0, patterns: 0, compiling: 0 },
  mappingsOf: new Map(),
  compiledOf: new Map(),
  stepsOf: new Map(),
})

/** So many patterns of files without limits may be compiled, also of invalid files. */
const compiledMax = 4 * patternsMax

/** Counts the patterns of a file before they are compiled. Returns a problem if its owner has too many. */
export function addPatterns(file: string, value: unknown, owner: string | undefined, { compiledOf }: Sizes): Problem | undefined {
  const patterns = (compiledOf.get(owner) ?? 0) + patternCount(value)
  const most = owner === undefined ? compiledMax : ownerLimit(patternsMax)
  if (patterns > most) {
    const whose = owner === undefined ? 'the files without limits' : `the files of ${owner}`
    const cure =
      owner === undefined ? `at most ${patternsMax} in valid files` : `at most ${most} for one owner inside fences: combine some of them`
    return problemOfFile(file, `with this file, ${whose} have ${counted(patterns, 'pattern')}`, cure)
  }
  compiledOf.set(owner, patterns)
  return undefined
}

/** Returns a function that takes back what `addSize` added since. */
export function savedSizes({ total, mappingsOf }: Sizes, owner: string | undefined): () => void {
  const { mappings, patterns } = total
  const own = owner === undefined ? undefined : mappingsOf.get(owner)
  return () => {
    Object.assign(total, { mappings, patterns })
    if (owner !== undefined) mappingsOf.set(owner, own ?? 0)
  }
}

/** Adds the size of a file. Returns a problem at the first entry that exceeds a limit; then nothing was added. */
export function addSize(document: YamlDocument, { workspaces }: LenientFile, owner: string | undefined, sizes: Sizes): Problem | undefined {
  let { mappings, patterns } = sizes.total
  let own = owner === undefined ? 0 : (sizes.mappingsOf.get(owner) ?? 0)
  for (const [name, content] of Object.entries(workspaces)) {
    for (const list of ['workspaceRoles', 'projectRoles', 'removed', 'unmanaged', 'waivers'] as const) {
      for (const [index, entry] of (content[list] ?? []).entries()) {
        if (entry === undefined) continue
        const [groups, targets] = 'until' in entry ? [describedCount(entry), 1] : groupsAndTargets(entry)
        mappings += groups * targets
        own += groups * targets
        if ('groupGlob' in entry || 'groupRegex' in entry) patterns++
        const at = (message: string, cure: string): Problem => problemAt(document, ['workspaces', name, list, index], message, cure)
        const ofOwner = ownerLimit(declaredMappingsMax)
        if (owner !== undefined && own > ofOwner)
          return at(
            `with this entry the files of ${owner} have ${counted(own, 'mapping')}`,
            `at most ${ofOwner} for one owner inside fences; its lists multiply: ${groups} × ${targets}`,
          )
        if (mappings > declaredMappingsMax)
          return at(
            `with this entry the declaration has ${counted(mappings, 'mapping')}`,
            `at most ${declaredMappingsMax}; its lists multiply: ${groups} × ${targets}`,
          )
        if (patterns > patternsMax)
          return at(
            `with this entry the declaration has more than ${patternsMax} patterns`,
            'each pattern is tried on every group: combine some of them',
          )
      }
    }
  }
  Object.assign(sizes.total, { mappings, patterns })
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
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + compilingOf(item), 0)
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
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + patternCount(item), 0)
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

/** Adds the steps of a pattern. Returns the owner's sum or the sum of all files if it exceeds its limit; then nothing was added. */
function addSteps(
  pattern: Pattern,
  owner: string | undefined,
  { stepsOf }: Sizes,
): { readonly ofOwner: boolean; readonly steps: number } | undefined {
  const id = patternId(pattern)
  const counts = (owner === undefined ? [undefined] : [owner, undefined]).map((who) => {
    const before = stepsOf.get(who) ?? { ids: new Set<string>(), sum: 0 }
    stepsOf.set(who, before)
    return { who, before, steps: before.ids.has(id) ? before.sum : before.sum + pattern.steps }
  })
  const over = counts.find(({ who, steps }) => steps > (who === undefined ? stepsMax : ownerLimit(stepsMax)))
  if (over !== undefined) return { ofOwner: over.who !== undefined, steps: over.steps }
  for (const { before, steps } of counts) {
    before.ids.add(id)
    before.sum = steps
  }
  return undefined
}

/** Adds the steps of a pattern that the text of an invalid file has, if it still fits. */
export const takePattern =
  (owner: string | undefined, sizes: Sizes) =>
  (pattern: Pattern): boolean =>
    addSteps(pattern, owner, sizes) === undefined

/** Adds the steps of the patterns of a file. Returns a problem at the entry with which those of its owner, or of all files, exceed the limit. */
export function addAllSteps(parts: readonly Part[], document: YamlDocument, owner: string | undefined, sizes: Sizes): Problem | undefined {
  for (const [pattern, content] of patterned(parts)) {
    const over = addSteps(pattern, owner, sizes)
    if (over === undefined) continue
    const { ofOwner, steps } = over
    const message = `with this pattern, ${ofOwner ? `the patterns of ${owner}` : 'all patterns together'} compile to ${steps} steps`
    const most = ofOwner ? `${ownerLimit(stepsMax)} for one owner inside fences` : String(stepsMax)
    const cure = `at most ${most}; this one has ${pattern.steps}: shorten repetitions such as {100}, or use fewer patterns`
    return problemAt(document, entryPath(content), message, cure)
  }
  return undefined
}

function* patterned(parts: readonly Part[]): Generator<readonly [Pattern, Statement<Rule | Unmanaged>]> {
  for (const { rules, unmanaged } of parts)
    for (const list of [rules, unmanaged])
      for (const content of list) if (content.what.groups.kind === 'pattern') yield [content.what.groups.pattern, content]
}
