import { problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { oldWords } from './constraints.ts'
import type { LenientFile } from './lenient.ts'

const lists = ['workspaceRoles', 'projectRoles', 'removed', 'unmanaged'] as const
const present = { groups: 'group', projects: 'project' } as const

/** A hint at the first old word of a file. The file is valid all the same. */
export function oldWordHint(document: YamlDocument, { workspaces }: LenientFile): Problem | undefined {
  for (const [name, said] of Object.entries(workspaces)) {
    for (const list of lists) {
      for (const [index, entry] of (said[list] ?? []).entries()) {
        const word = entry === undefined ? undefined : oldWords.find((old) => Object.hasOwn(entry, old))
        if (word === undefined) continue
        const cure = 'the old words groups and projects are still read; write group and project, which take a list too'
        return problemAt(document, ['workspaces', name, list, index, word], `"${word}" is an old word for "${present[word]}"`, cure, 'key')
      }
    }
  }
  return undefined
}
