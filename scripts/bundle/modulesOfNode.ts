import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

/** One import of the bundler's own output: `import a, { b as c } from "node:x";`, or `import * as a from "node:x";`. */
const statement = /^import (?:(?<one>\w+|\* as \w+)(?:, )?)?(?:\{ (?<several>[^}]*) \} )?\s*from "(?<name>[^".][^"]*)";$/gm

/**
 * Takes Node's own modules without an import. An import reads everything that such a module has, also what Node makes only when it is read: with `node:util` a
 * comparison of texts and the worker threads, with `node:http` a WebSocket. That was a sixteenth of the time of a short command (measured).
 */
export const modulesOfNode: Plugin = {
  name: 'modules-of-node',
  renderChunk: (code) => ({ code: code.replace(statement, taken), map: null }),
}

function taken(whole: string, ...rest: readonly unknown[]): string {
  const { one, several, name } = rest.at(-1) as { readonly one?: string; readonly several?: string; readonly name: string }
  if (!isBuiltin(name)) return whole
  const module = `process.getBuiltinModule("${name}")`
  const all = one?.replace('* as ', '')
  const parts = several === undefined ? undefined : `{ ${several.replaceAll(' as ', ': ')} }`
  return `const ${[all && `${all} = ${module}`, parts && `${parts} = ${module}`].filter(Boolean).join(', ')};`
}
