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
export function patternCount(value: unknown): number {
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
