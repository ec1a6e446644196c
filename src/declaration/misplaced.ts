import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { fileSchema, workspaceSchema } from './schema.ts'

/** `rest`: the document without the misplaced entries, so that they do not cause other problems. */
type Placed = { readonly problems: readonly Problem[]; readonly rest: YamlDocument }

type Entries = readonly (readonly [name: string, value: unknown])[]

/**
 * Finds keys of workspaces, and workspaces, that are not indented far enough. A workspace of the settings may have the name of such a key. If the file
 * is no declaration at all, all of it is misplaced.
 */
export function takeMisplaced(document: YamlDocument, known: readonly string[]): Placed {
  const top = entriesOf(document.value)
  if (top === undefined) return { problems: [], rest: document }
  const ofOtherFile = otherFile(document, known)
  if (ofOtherFile !== undefined) return { problems: [ofOtherFile], rest: { ...document, value: { version: 1, workspaces: {} } } }
  const isKey = (name: string) => Object.hasOwn(workspaceSchema.shape, name) && !known.includes(name)
  const atTop = top.filter(([name]) => !Object.hasOwn(fileSchema.shape, name) && (isKey(name) || known.includes(name)))
  const workspaces = entriesOf(top.find(([name]) => name === 'workspaces')?.[1])
  const beside = (workspaces ?? []).filter(([name]) => isKey(name))
  if (atTop.length === 0 && beside.length === 0) return { problems: [], rest: document }

  const problem = (path: Path, message: string, cure: string) => problemAt(document, path, message, cure, 'key')
  const problems = [
    ...atTop.map(([name]) =>
      isKey(name)
        ? problem(
            [name],
            `"${name}" is a key of a workspace, and this is the top of the file`,
            'indent it below its workspace, which is below "workspaces"',
          )
        : problem([name], `the workspace "${name}" is at the top of the file`, 'indent it below "workspaces"'),
    ),
    ...beside.map(([name]) => {
      const owner = workspaceBefore(name, workspaces ?? [], isKey)
      const cure = `indent it below ${owner === undefined ? 'its workspace' : `the workspace "${owner}"`}`
      return problem(['workspaces', name], `"${name}" is a key of a workspace, and stands beside the workspaces`, cure)
    }),
  ]
  const kept = Object.fromEntries((workspaces ?? []).filter(([name]) => !isKey(name)).map(([name, value]) => [name, value ?? {}]))
  const rest = Object.fromEntries(top.filter((entry) => !atTop.includes(entry)))
  const given = workspaces === undefined && 'workspaces' in rest ? rest['workspaces'] : kept
  return { problems, rest: { ...document, value: { ...rest, workspaces: given } } }
}

const entriesOf = (value: unknown): Entries | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined

/** The workspace above a misplaced key, which is probably the one that it belongs to. */
function workspaceBefore(key: string, workspaces: Entries, isKey: (name: string) => boolean): string | undefined {
  const names = workspaces.map(([name]) => name)
  return names.slice(0, names.indexOf(key)).findLast((name) => !isKey(name))
}

/** One problem instead of many, if the file is another file of this program: the settings, or the groups of a directory of the kind `file`. */
function otherFile(document: YamlDocument, workspaces: readonly string[]): Problem | undefined {
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
