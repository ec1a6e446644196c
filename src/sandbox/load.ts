import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { SandboxError } from './sandboxError.ts'
import { parseState, type StateInput } from './state-input.ts'

export const stateBytesMax = 16 * 1024 * 1024
const aliasesMax = 100
/** After this many problems the others are not reported: for each one the document is searched. */
const problemsMax = 100
const keysCure = 'the section "The state file" of docs/dev/sandbox-reference.md has all keys'

/** A file that was read, with the name that errors show. */
export type NamedText = { readonly name: string; readonly text: string }
type Document = ReturnType<typeof parseDocument>

/** Reads a state file, YAML or JSON, for `startSandbox`. @throws {SandboxError} with the first problems, each at `name:line:column` */
export function loadState({ name, text }: NamedText): StateInput {
  if (Buffer.byteLength(text) > stateBytesMax) throw new SandboxError(`${name}: larger than ${stateBytesMax} bytes`)
  const lines = new LineCounter()
  // The library would compare each key with all others.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const wrong = [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => ({ offset, message: unquoted(message) }))
  if (wrong.length > 0) throw new SandboxError(listed(wrong, at))
  const twice = repeatedKeys(document)
  if (twice.length > 0) throw new SandboxError(listed(twice, at))
  const value = plain(document, name)
  const parsed = parseState(value)
  if (parsed === undefined)
    throw new SandboxError(`${name}: this file has too many mistakes to show each one; check that it is the right file`)
  if (parsed.success) return value as StateInput // the check above used the schema of StateInput
  const complaints = parsed.error.issues.slice(0, problemsMax).flatMap((issue) => told(issue, []))
  const placed = complaints.slice(0, problemsMax).map(({ path, message }) => ({ offset: offsetOf(document, path), message }))
  throw new SandboxError(listed(placed, at), { cure: keysCure })
}

type Placed = { readonly offset: number; readonly message: string }

const listed = (problems: readonly Placed[], at: (offset: number) => string): string =>
  problems
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, problemsMax)
    .map(({ offset, message }) => `${at(offset)}: ${message}`)
    .join('\n')

function repeatedKeys(document: Document): readonly Placed[] {
  const twice: Placed[] = []
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) twice.push({ offset: key.range?.[0] ?? 0, message: 'Map keys must be unique' })
        keys.add(key.value)
      }
    },
  })
  return twice
}

/** A message of the parser without the part of the file at its end, which may contain keys and client secrets. */
const unquoted = (message: string): string => (message.split(/: |[%\\]|(?<=version) /)[0] as string).trimEnd()

/** Whether an unknown key looks like a name. If not, it may be an API key in the wrong place, and is not shown. */
const isName = (key: string): boolean => /^[A-Za-z][A-Za-z_-]{0,39}$/.test(key)

function plain(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasesMax }) ?? {}
  } catch (cause) {
    throw new SandboxError(`${name}: ${cause instanceof Error ? unquoted(cause.message) : 'unreadable'}`, { cause })
  }
}

type StateProblem = { readonly path: readonly PropertyKey[]; readonly message: string }

/** The problems of one issue. A union has those of the alternative with the deepest issue; each unknown key is a problem at its own place. */
function told(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): readonly StateProblem[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: isName(key) ? `unknown key "${key}"` : 'unknown key' }))
  if (issue.code === 'invalid_union') {
    const kinds = new Set(issue.errors.map(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? first.message : '')))
    if (!kinds.has('')) return [{ path, message: `${path.join('.')} ${[...kinds].join(' or ').replaceAll(' or must be ', ' or ')}` }]
  } else return [{ path, message: `${path.join('.')}${isPredicate(issue.message) ? '' : ':'} ${issue.message}` }]
  const [furthest] = issue.errors
    .map((issues) => issues.flatMap((inner) => told(inner, path)))
    .toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)
  return furthest ?? [{ path, message: issue.message }]
}

const isPredicate = (message: string): boolean => /^(?:must|is) /.test(message)

const depth = (complaints: readonly StateProblem[]) => complaints.reduce((deepest, { path }) => Math.max(deepest, path.length), 0)

/** Where the node at a path begins, or else the innermost node around it. For an unknown key: where the key begins. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const above = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true)
  const top = path.length === 1 ? document.contents : above
  if (isMap(top)) {
    const pair = top.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  const node: unknown = document.getIn(path, true)
  if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) return Number(node.range[0])
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1))
}
