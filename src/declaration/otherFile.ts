import { problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'

/** One problem instead of many, if the file is another file of this program: the settings, or the groups of a directory of the kind `file`. */
export function otherFile(document: YamlDocument, workspaces: readonly string[]): Problem | undefined {
  const { value } = document
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const isMark = (key: string) => Object.hasOwn(value, key) && !workspaces.includes(key)
  const ofSettings = ['service', 'declaration'].find(isMark)
  if (ofSettings !== undefined) {
    const cure = 'keep it outside of the file or folder that it names under "declaration"'
    return problemAt(document, [ofSettings], 'this file is settings, not a declaration', cure, 'key')
  }
  if (!isMark('groups') || 'workspaces' in value) return undefined
  const cure = 'keep it outside of the folder that the settings name under "declaration"'
  return problemAt(document, ['groups'], 'this file has the groups of a directory, and is no declaration', cure, 'key')
}
