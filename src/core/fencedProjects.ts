import type { ProjectIdentifier } from './mapping.ts'

/** The projects that a fence contains: by their identifiers, and by globs over whole identifiers. */
export type FencedProjects = { readonly named: ReadonlySet<ProjectIdentifier>; readonly globs?: readonly ProjectGlob[] }

/** `without`: identifiers and globs that the glob does not stand for. */
type ProjectGlob = { readonly glob: string; readonly without: readonly string[] }

export const isProjectIn = ({ named, globs = [] }: FencedProjects, project: ProjectIdentifier): boolean =>
  named.has(project) || globs.some(({ glob, without }) => isLike(glob, project) && !without.some((word) => isLike(word, project)))

/** The words of a fence for a person, in their order. */
export const projectWords = ({ named, globs = [] }: FencedProjects): readonly string[] => [...named, ...globs.map(({ glob }) => glob)]

export const isGlob = (word: string): boolean => /[*?]/.test(word)

/** Whether the whole text is like the glob: `*` stands for any characters, `?` for one. Needs at most glob × text steps. */
export function isLike(glob: string, text: string): boolean {
  const [pattern, characters] = [Array.from(glob), Array.from(text)]
  let [at, from] = [0, 0]
  /** The last star, and where its rest was tried last. */
  let star: { readonly at: number; from: number } | undefined
  while (from < characters.length) {
    const wanted = pattern[at]
    if (wanted === '*') star = { at: at++, from }
    else if (wanted === '?' || (wanted !== undefined && wanted === characters[from])) {
      at++
      from++
    } else if (star === undefined) return false
    else {
      at = star.at + 1
      from = ++star.from
    }
  }
  return pattern.slice(at).every((rest) => rest === '*')
}
