import { valueAt, type YamlDocument } from './document.ts'
import { keysOf, schemaAt } from './schemaAt.ts'
import type { z } from './zod.ts'

type Issue = z.core.$ZodIssue

export const blankMissing = 'a blank is missing after the colon'

/** A key, a colon and a value without a blank: `group:/design` is one text in YAML. An address such as `https://…` has another meaning. */
const withoutBlank = /^([A-Za-z]\w*):(?!\/\/)\S/

/** The key that a text begins with, if the blank after its colon is missing. */
export const keyWithoutBlank = (text: string): string | undefined => withoutBlank.exec(text)?.[1]

/** The cure for a text that begins with a known key and lacks the blank after the colon. It does not contain the value. */
export function blankCure(text: string, known: readonly string[]): string | undefined {
  const key = keyWithoutBlank(text)
  return key !== undefined && known.includes(key) ? `${blankMissing}: write "${key}: …"` : undefined
}

/** Leaves out the issues which only say that a map lacks a key whose blank is missing. */
export function withoutConsequences({ value }: YamlDocument, schema: z.ZodType, issues: readonly Issue[]): readonly Issue[] {
  const missing = new Map<string, ReadonlySet<string>>()
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const known = keysOf(schemaAt(schema, issue.path, value), valueAt(value, issue.path))
    const keys = issue.keys.flatMap((key) => keyWithoutBlank(key) ?? []).filter((key) => known.includes(key))
    if (keys.length > 0) missing.set(JSON.stringify(issue.path), new Set(keys))
  }
  if (missing.size === 0) return issues
  const lacksKey = (path: Issue['path']) =>
    missing.get(JSON.stringify(path.slice(0, -1)))?.has(String(path.at(-1))) === true && valueAt(value, path) === undefined
  return issues.filter(({ code, path }) => (code === 'custom' ? !missing.has(JSON.stringify(path)) : !lacksKey(path)))
}
