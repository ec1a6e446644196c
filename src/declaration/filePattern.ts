import { teamNamePattern, teamWord } from '../core/team.ts'

/** A pattern for the names of files, as `fences` has it. Letter case counts on every platform, which `path.matchesGlob` of Node does not promise. */
type FilePattern = {
  readonly matches: (file: string) => boolean
  /** Whether it can match a file below this folder. The empty text is the folder of the declaration. */
  readonly reachesInto: (folder: string) => boolean
}

/**
 * Patterns by the folders before their first wildcard, so that a file is compared with few of them. There may be thousands of patterns and of files.
 */
export function indexFilePatterns<T>(patterns: Iterable<readonly [pattern: string, value: T]>) {
  type Indexed = { readonly pattern: FilePattern; readonly value: T }
  const at = new Map<string, Indexed[]>()
  const below = new Map<string, Indexed[]>()
  const add = (to: Map<string, Indexed[]>, folder: string, entry: Indexed) => {
    const list = to.get(folder)
    if (list === undefined) to.set(folder, [entry])
    else list.push(entry)
  }
  for (const [text, value] of patterns) {
    const entry = { pattern: openFilePattern(text), value }
    const [fixed, ...above] = foldersOf(text.replace(/(?:^|\/)[^/]*[*?{].*$/s, ''))
    add(at, fixed ?? '', entry)
    for (const folder of above) add(below, folder, entry)
  }
  const near = (path: string): readonly Indexed[] => foldersOf(path).flatMap((folder) => at.get(folder) ?? [])
  return {
    matching: (file: string): readonly T[] => near(file).flatMap(({ pattern, value }) => (pattern.matches(file) ? [value] : [])),
    /** The values of the patterns that can match a file below this folder. */
    reaching: (folder: string): readonly T[] =>
      near(folder)
        .concat(below.get(folder) ?? [])
        .flatMap(({ pattern, value }) => (pattern.reachesInto(folder) ? [value] : [])),
  }
}

/** The path itself, and each folder above it. The last one is the folder of the declaration, the empty text. */
function foldersOf(path: string): readonly string[] {
  if (path === '') return ['']
  const ends = Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))
  return [path, ...ends.toReversed(), '']
}

type Segment = RegExp | '**'

/** `*` stands for any characters of one name, `?` for one character, a name `**` for any folders, at the end for any file below. `{team}` stands for the name of a team. */
export function openFilePattern(pattern: string): FilePattern {
  const segments = pattern.split('/').map((text): Segment => (text === '**' ? text : segmentOf(text)))
  return {
    matches: (file) => matchesFrom(segments, file.split('/'), 0, 0),
    reachesInto: (folder) => reachesFrom(segments, folder === '' ? [] : folder.split('/')),
  }
}

/** A name that begins with a dot is never read, so `*` and `?` do not match the dot. */
function segmentOf(text: string): RegExp {
  const parts = text
    .split(/(\*+|\?|\{team\})/)
    .map((part) => (part === teamWord ? teamNamePattern : part === '?' ? '[^/]' : part.startsWith('*') ? '[^/]*' : RegExp.escape(part)))
  return new RegExp(`^${/^[*?]/.test(text) ? String.raw`(?!\.)(?=.)` : ''}${parts.join('')}$`, 'su')
}

function matchesFrom(segments: readonly Segment[], names: readonly string[], at: number, from: number): boolean {
  const [segment, name] = [segments[at], names[from]]
  if (segment === undefined) return name === undefined
  if (name === undefined) return false
  if (segment !== '**') return segment.test(name) && matchesFrom(segments, names, at + 1, from + 1)
  if (name === '' || name.startsWith('.')) return at + 1 < segments.length && matchesFrom(segments, names, at + 1, from)
  if (at + 1 === segments.length) return from + 1 === names.length || matchesFrom(segments, names, at, from + 1)
  return matchesFrom(segments, names, at + 1, from) || matchesFrom(segments, names, at, from + 1)
}

/** Whether the folders are those of a file that the pattern can match. */
function reachesFrom(segments: readonly Segment[], folders: readonly string[]): boolean {
  for (const [at, folder] of folders.entries()) {
    const segment = segments[at]
    if (segment === '**') return true
    if (segment === undefined || !segment.test(folder)) return false
  }
  return segments.length > folders.length
}
