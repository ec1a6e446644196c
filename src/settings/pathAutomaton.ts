/** Whether a path can have this character here. */
type Test = (char: string) => boolean

/** The paths that a pattern matches, read one character at a time. A state is a set of places in the pattern; the empty set is never left again. */
export type PathAutomaton = {
  readonly start: ReadonlySet<number>
  readonly next: (state: ReadonlySet<number>, char: string) => ReadonlySet<number>
  readonly accepts: (state: ReadonlySet<number>) => boolean
}

const anyChar: Test = () => true
const inName: Test = (char) => char !== '/'
const beginsName: Test = (char) => char !== '/' && char !== '.'

/** The places of a pattern while it is built. Each has edges to others; an edge without a test needs no character. */
function openPlaces() {
  const edges: (readonly [test: Test | undefined, to: number])[][] = [[]]
  const add = (): number => edges.push([]) - 1
  const link = (from: number, test: Test | undefined, to: number) => edges[from]?.push([test, to])
  function withFree(places: Iterable<number>): ReadonlySet<number> {
    const all = new Set(places)
    for (const place of all) for (const [test, to] of edges[place] ?? []) if (test === undefined) all.add(to)
    return all
  }
  return {
    add,
    link,
    /** A place after this text, from `from`. */
    literal: (from: number, text: string): number =>
      Iterator.from(text).reduce((at, letter) => {
        const to = add()
        link(at, (char) => char === letter, to)
        return to
      }, from),
    automaton: (ends: ReadonlySet<number>): PathAutomaton => ({
      start: withFree([0]),
      next: (state, char) =>
        withFree(
          Iterator.from(state).flatMap((place) => (edges[place] ?? []).flatMap(([test, to]) => (test?.(char) === true ? [to] : []))),
        ),
      accepts: (state) => !state.isDisjointFrom(ends),
    }),
  }
}

/** The files below `folder` that a pattern of `fences` matches (`declaration/filePattern.ts`). */
export function fencePaths(folder: string, pattern: string): PathAutomaton {
  const { add, link, literal, automaton } = openPlaces()
  let at = literal(0, folder === '' ? '' : `${folder}/`)
  let ends: readonly number[] = []
  const parts = pattern.split('/')
  for (const [index, part] of parts.entries()) {
    // The place at which a name begins: the name is not empty, and its first character is no dot.
    const begin = at
    ends = [begin]
    const test = (from: number, allows: Test): Test => (from === begin ? (char) => beginsName(char) && allows(char) : allows)
    if (part === '**') {
      const name = add()
      link(begin, beginsName, name)
      link(name, inName, name)
      link(name, (char) => char === '/', begin)
      ends = [name]
      continue
    }
    for (const letter of part) {
      const to = add()
      const allows: Test = letter === '*' || letter === '?' ? inName : (char) => char === letter
      for (const from of ends) link(from, test(from, allows), to)
      if (letter === '*') link(to, inName, to)
      ends = letter === '*' ? [...ends, to] : [to]
    }
    if (index === parts.length - 1) continue
    at = add()
    for (const from of ends) if (from !== begin) link(from, (char) => char === '/', at)
  }
  return automaton(new Set(ends.filter((end) => end !== at)))
}

/** The paths that a line of CODEOWNERS is about (`codeowners.ts`). `parts`: its text, split at wildcards. */
export function linePaths(
  parts: readonly string[],
  { isAnchored, isDeep }: { readonly isAnchored: boolean; readonly isDeep: boolean },
): PathAutomaton {
  const { add, link, literal, automaton } = openPlaces()
  let at = 0
  const folders = () => {
    const inside = add()
    const to = add()
    link(at, undefined, to)
    for (const from of [at, inside]) {
      link(from, anyChar, inside)
      link(from, (char) => char === '/', to)
    }
    at = to
  }
  const many = (test: Test) => {
    const to = add()
    link(at, undefined, to)
    link(to, test, to)
    at = to
  }
  if (!isAnchored) folders()
  for (const part of parts) {
    if (part === '**/') folders()
    else if (part === '/**') {
      at = literal(at, '/')
      many(anyChar)
    } else if (part === '*') many(inName)
    else if (part === '?') {
      const to = add()
      link(at, inName, to)
      at = to
    } else at = literal(at, part)
  }
  const ends = new Set([at])
  if (isDeep) {
    at = literal(at, '/')
    many(anyChar)
    ends.add(at)
  }
  return automaton(ends)
}

/** All paths that end like this. */
export const pathsEnding = (text: string): PathAutomaton => linePaths(['*', text], { isAnchored: false, isDeep: false })

const statesMax = 20_000

/**
 * The shortest path for which `accepts` is true, or undefined if there is none. The automata run together, over these characters.
 *
 * @param first the automaton that the path must not leave
 * @returns 'undecided' if there are too many states
 */
export function findPath(
  first: PathAutomaton,
  others: readonly PathAutomaton[],
  chars: readonly string[],
  accepts: (matching: readonly boolean[]) => boolean,
): { readonly path: string } | 'undecided' | undefined {
  const all = [first, ...others]
  const begin = all.map(({ start }) => start)
  const seen = new Set<string>()
  let queue = [{ path: '', states: begin }]
  while (queue.length > 0) {
    const later: typeof queue = []
    for (const { path, states } of queue) {
      if (first.accepts(states[0] ?? new Set()) && accepts(others.map((one, index) => one.accepts(states[index + 1] ?? new Set()))))
        return { path }
      for (const char of chars) {
        const next = all.map((one, index) => one.next(states[index] ?? new Set(), char))
        if (next[0]?.size === 0) continue
        const key = next.map((state) => [...state].toSorted((a, b) => a - b).join(' ')).join('|')
        if (seen.has(key)) continue
        seen.add(key)
        if (seen.size > statesMax) return 'undecided'
        later.push({ path: path + char, states: next })
      }
    }
    queue = later
  }
  return undefined
}
