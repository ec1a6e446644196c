import { parse } from '@babel/parser'

/** The part of a node of the syntax tree that is used here. */
export type Node = { readonly type: string; readonly loc: Range; readonly name?: unknown; readonly [field: string]: unknown }
/** `line` from 1, `column` from 0; `end` is behind the last character. */
export type Range = { readonly start: Point; readonly end: Point }
export type Point = { readonly line: number; readonly column: number }

/** The syntax tree of a TypeScript source. StrykerJS has the same parser. */
export const parsed = (source: string): Node => parse(source, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Node

/** The number of lines that have more than blanks and comments. */
export function linesOfCode(source: string): number {
  const { tokens } = parse(source, { sourceType: 'module', plugins: ['typescript'], tokens: true })
  // The type of a comment is a text; the type of a token is an object. The last token is the empty end of the file.
  const code = (tokens as readonly Token[]).filter(({ type, start, end }) => typeof type !== 'string' && start < end)
  const linesOf = ({ loc: { start, end } }: Token) => Array.from({ length: end.line - start.line + 1 }, (_, index) => start.line + index)
  return new Set(code.flatMap(linesOf)).size
}
type Token = { readonly type: unknown; readonly start: number; readonly end: number; readonly loc: Range }

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'loc' in value

/** Fields with positions, comments, types or spellings, which make no difference when the code runs. */
const ignored = new Set([
  ...['type', 'loc', 'start', 'end', 'range', 'errors', 'extra', 'shorthand', 'leadingComments', 'innerComments', 'trailingComments'],
  ...['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeParameters', 'implements'],
  ...['accessibility', 'readonly', 'override', 'declare', 'abstract', 'definite'],
])

/** The fields of a node that make a difference when it runs, sorted by name. */
const fieldsOf = (node: Node): readonly (readonly [string, unknown])[] =>
  Object.entries(node)
    .filter(([name, value]) => !ignored.has(name) && value !== undefined && value !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

export const childrenOf = (node: Node): readonly Node[] => fieldsOf(node).flatMap(([, value]) => [value].flat().filter(isNode))

/** The `x` of `x as T`, `x satisfies T` and `x!`. */
export const withoutType = (node: Node): Node => {
  const { expression } = node
  return node.type.startsWith('TS') && isNode(expression) ? withoutType(expression) : node
}
