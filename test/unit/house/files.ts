import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export type SourceFile = {
  /** The path from the project's folder: `src/core/plan.ts`. */
  readonly path: string
  readonly text: string
}

const skipped = new Set(['node_modules', 'coverage', 'package', 'released', 'state', '.git'])

/** The files below a folder whose names have this ending. */
export function filesBelow(folder: string, ending: string): readonly SourceFile[] {
  const here = readdirSync(join(root, folder), { withFileTypes: true })
  return here.flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(path, ending)
    return entry.name.endsWith(ending) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []
  })
}

/** The imports of a file, as written there: `./plan.ts`, `node:fs`, `undici`. */
export function importsOf({ text }: SourceFile): readonly string[] {
  const statement = /^import\b[^'"`]*'([^']+)'|^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\s+'([^']+)'|\bimport\('([^']+)'\)/gm
  return [...text.matchAll(statement)].flatMap(([, plain, again, later]) => plain ?? again ?? later ?? [])
}

/** The code of a file without comments. Its strings are empty, except for the computed parts of templates. */
export function codeOf({ text }: SourceFile): string {
  const literal =
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g
  return text.replaceAll(literal, (found) => {
    if (found.startsWith('`')) return `\`${[...found.matchAll(/\$\{([^{}]*)\}/g)].map(([, code]) => code).join(' ')}\``
    return found.startsWith('/') ? ' ' : "''"
  })
}
