import { momentText } from '../core/quantity.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { oldWords } from './constraints.ts'
import { spanOf } from './moment.ts'
import type { LenientFile } from './schema.ts'

/** Something in a valid file that a person who edits it should know. `code` is stable. */
export type Hint = Problem &
  ({ readonly code: 'old-word'; readonly severity: 'note' } | { readonly code: 'rule-ended'; readonly severity: 'warning' })

const ruleLists = ['workspaceRoles', 'projectRoles'] as const
const lists = [...ruleLists, 'removed', 'unmanaged'] as const
const present = { groups: 'group', projects: 'project' } as const

/** A hint at the first old word of a file. */
export function oldWordHints(document: YamlDocument, file: LenientFile): readonly Hint[] {
  for (const { entry, path } of entriesOf(file, lists)) {
    const word = oldWords.find((old) => Object.hasOwn(entry, old))
    if (word === undefined) continue
    const cure = 'the old words groups and projects are still read; write group and project, which take a list too'
    const problem = problemAt(document, [...path, word], `"${word}" is an old word for "${present[word]}"`, cure, 'key')
    return [{ ...problem, code: 'old-word', severity: 'note' }]
  }
  return []
}

/** A hint at each rule whose end is not after `endedByMs`, at most `hintsMax`. */
export function endedHints(document: YamlDocument, file: LenientFile, endedByMs: number | undefined, hintsMax: number): readonly Hint[] {
  if (endedByMs === undefined) return []
  const hints: Hint[] = []
  for (const { entry, path } of entriesOf(file, ruleLists)) {
    const endMs = 'expires' in entry && typeof entry.expires === 'string' ? spanOf(entry.expires)?.toMs : undefined
    if (endMs === undefined || endMs > endedByMs) continue
    const message = `this rule ended at ${momentText(endMs)}, so it gives no role any more`
    const cure = 'every policy except observe deletes its mappings; remove the rule after that, or write a later end'
    hints.push({ ...problemAt(document, [...path, 'expires'], message, cure), code: 'rule-ended', severity: 'warning' })
    if (hints.length >= hintsMax) break
  }
  return hints
}

function* entriesOf(
  { workspaces }: LenientFile,
  wanted: readonly (typeof lists)[number][],
): Generator<{ readonly entry: object; readonly path: Path }> {
  for (const [name, entries] of Object.entries(workspaces))
    for (const list of wanted)
      for (const [index, entry] of (entries[list] ?? []).entries())
        if (entry !== undefined) yield { entry, path: ['workspaces', name, list, index] }
}
