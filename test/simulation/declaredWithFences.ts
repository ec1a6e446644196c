import type { Declared } from '../../src/cycle/workspaceContext.ts'
import { type DeclarationFiles, hashOf, type LastValidFiles } from '../../src/declaration/files.ts'
import { type Context, type Loaded, textsAfter, understandDeclaration } from '../../src/declaration/understand.ts'
import { type InvalidFiles, problemOfFile } from '../../src/yaml/problem.ts'

type Understood = Loaded | InvalidFiles
type Parts = {
  /** Reads the files until two readings in a row are equal. Undefined: they keep changing. */
  readonly read: () => Promise<DeclarationFiles | undefined>
  readonly context: () => Context
  /** Only a daemon has the last valid texts in its memory. */
  readonly isDaemon: boolean
  /** What was understood so far, for all processes of a world. */
  readonly understood: Map<string, Understood>
  /** Called when the declaration is known. */
  readonly told: () => void
}

/** Reads a declaration with fences like `src/declaration/load.ts`, which reads from the real disk. */
export function openDeclaredWithFences({ read, context, isDaemon, understood, told }: Parts): () => Promise<Declared> {
  let texts: LastValidFiles = new Map()

  function understand(files: DeclarationFiles): Understood {
    const name = `${files.hash} ${hashOf(filesOf(texts))}`
    const one = understood.get(name) ?? understandDeclaration({ ...files, lastValid: texts }, context(), {})
    if (one === undefined) throw new Error('a reading without limits of its own was ended by one')
    understood.set(name, one)
    return one
  }

  return async () => {
    const files = (await read()) ?? unread
    const present = understand(files)
    if (isDaemon && present.valid) texts = textsAfter({ ...files, lastValid: texts }, present)
    told()
    if (!present.valid) throw new Error('no valid declaration')
    return declaredOf(present)
  }
}

const filesOf = (texts: LastValidFiles) =>
  [...texts].map(([file, bytes]) => ({ file, bytes })).toSorted((a, b) => (a.file < b.file ? -1 : 1))

const unread: DeclarationFiles = {
  files: [],
  hash: hashOf([]),
  obstacles: [{ path: '', problem: problemOfFile('groups', 'the files keep changing') }],
}

const declaredOf = ({ declaration, hash, files, names, invalid, kept }: Loaded): Declared => ({
  workspaces: declaration,
  hash,
  files,
  names: new Set(names),
  ...(invalid === undefined ? {} : { kept: invalid.text }),
  ...(kept === undefined ? {} : { keptFiles: kept }),
})
