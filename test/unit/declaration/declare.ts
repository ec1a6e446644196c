import { defined } from '../../../src/core/optionalFields.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { LastValidFiles } from '../../../src/declaration/files.ts'
import type { Context } from '../../../src/declaration/understand.ts'
import { parseDeclaration } from './parseDeclaration.ts'

export const context: Context = {
  workspaces: ['acme', 'globex'],
  directories: ['corp', 'lab'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
}

/** Files by name, read as one declaration. */
export function load(files: Readonly<Record<string, string>>, over: Partial<Context> = {}, lastValid?: LastValidFiles) {
  const encoder = new TextEncoder()
  const bytes = Object.entries(files).map(([file, text]) => ({ file, bytes: encoder.encode(text) }))
  return parseDeclaration(defined({ files: bytes, hash: 'hash', lastValid }), { ...context, ...over })
}

/** One workspace's part of a declaration that must be valid. The text is the content of `acme:`, not indented. */
export function declared(text: string, over: Partial<Context> = {}): WorkspaceDeclaration {
  const loaded = load({ 'a.yaml': under('acme', text) }, over)
  if (!loaded.valid) throw new Error(loaded.text)
  const [acme] = loaded.declaration.values()
  if (acme === undefined) throw new Error('no workspace')
  return acme
}

/** The problems of a declaration, as `line:column message`. */
export function problemsOf(text: string, over: Partial<Context> = {}): string[] {
  const loaded = load({ 'a.yaml': under('acme', text) }, over)
  return loaded.valid ? [] : loaded.problems.map(({ at, message }) => `${at.line}:${at.column} ${message}`)
}

export function under(workspace: string, text: string): string {
  return `version: 1\nworkspaces:\n  ${workspace}:\n${text.replaceAll(/^(?=.)/gm, '    ')}`
}
