import { Composer, CST, Lexer, type ParsedNode, Parser, type YAMLParseError } from 'yaml'
import type { Problem } from './problem.ts'
import { problemIn, type Source, shows } from './source.ts'

/** More levels than any file of this program needs, and far too few for a stack overflow. */
const depthMax = 64
/** A file of one MiB with rules of 55 characters has 150,000 keys and values. */
const valuesMax = 200_000
/** After this many problems the rest of the file is not read. */
const problemsMax = 100
/** How many lexemes are read between two calls of `release`. */
const lexemesBetween = 4_096

/**
 * The concrete syntax of a text. Tags, anchors, aliases and directives are problems: with them a short text can expand to a long one, or mean
 * something else than it seems (`%YAML 1.1` turns `no` into false). `tokens` is undefined if the text has aliases, too many values or too many
 * problems, if it is nested too deeply, or if `release` ended the reading.
 *
 * @param release may take finished parts out of the tokens that the parser has open. It returns whether to read on
 */
export function lex(
  source: Source,
  release: (open: readonly CST.Token[]) => boolean,
): { readonly tokens: readonly CST.Token[] | undefined; readonly problems: readonly Problem[]; readonly isOverLimit: boolean } {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const problems: Problem[] = []
  const anchors = new Set<string>()
  let hasAliases = false
  let isContent = false
  const counter = valueCounter()
  let lexemes = 0
  let errorTokens = 0
  for (const lexeme of new Lexer().lex(source.text)) {
    const type = isContent ? null : CST.tokenType(lexeme)
    const refusal = refusalOf(type, lexeme)
    // An alias of an anchor that is already a problem is the same mistake.
    if (refusal && !(type === 'alias' && anchors.has(lexeme.slice(1)))) {
      const [message, cure] = shows(source, parser.offset, parser.offset + lexeme.length) ? refusal.quoting : refusal.plain
      problems.push(problemIn(source, parser.offset, parser.offset + lexeme.length, message, cure))
    }
    if (type === 'anchor') anchors.add(lexeme.slice(1))
    hasAliases ||= type === 'alias'
    if (counter.add(type) > valuesMax) {
      const cure = `at most ${valuesMax} keys and values are read from one file: split it into several files`
      return {
        tokens: undefined,
        isOverLimit: true,
        problems: [...problems, problemIn(source, parser.offset, parser.offset + 1, 'too many values', cure)],
      }
    }
    isContent = lexeme === CST.SCALAR
    for (const token of parser.next(lexeme)) if (token.type !== 'error' || errorTokens++ < problemsMax) tokens.push(token)
    if (parser.stack.length > depthMax) {
      const cure = `at most ${depthMax} levels are read`
      return {
        tokens: undefined,
        isOverLimit: false,
        problems: [problemIn(source, parser.offset, parser.offset + 1, 'nested too deeply', cure)],
      }
    }
    if (problems.length >= problemsMax) return { tokens: undefined, isOverLimit: false, problems }
    if (++lexemes % lexemesBetween === 0 && !release(parser.stack)) return { tokens: undefined, isOverLimit: false, problems }
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens: hasAliases ? undefined : tokens, isOverLimit: false, problems }
}

/** Counts keys and values, also those that are left out between two indicators: `[,,]` has two. */
function valueCounter() {
  let count = 0
  let isOpen = true
  return {
    add(type: CST.TokenType | null): number {
      switch (type) {
        case 'space':
        case 'newline':
        case 'comment':
        case null:
          break
        case 'seq-item-ind':
        case 'flow-map-start':
        case 'flow-seq-start':
          count++
          isOpen = true
          break
        case 'comma':
        case 'map-value-ind':
        case 'explicit-key-ind':
          if (isOpen) count++
          isOpen = true
          break
        case 'flow-map-end':
        case 'flow-seq-end':
          isOpen = false
          break
        default:
          count++
          isOpen = false
      }
      return count
    },
  }
}

/** The message that quotes the text, and the `plain` one for a place that may hold a secret. */
type Refusal = { readonly quoting: Words; readonly plain: Words }
type Words = readonly [message: string, cure: string]

function refusalOf(type: CST.TokenType | null, lexeme: string): Refusal | undefined {
  switch (type) {
    case 'tag': {
      const cure = 'remove it; a text that begins with ! goes in quotes'
      return { quoting: [`tags such as ${lexeme} are not allowed`, cure], plain: ['a tag is not allowed', cure] }
    }
    case 'anchor': {
      const cure = 'write the value out wherever it is used; a text that begins with & goes in quotes'
      return { quoting: [`anchors such as ${lexeme} are not allowed`, cure], plain: ['an anchor is not allowed', cure] }
    }
    case 'alias':
      return {
        quoting: [
          `aliases such as ${lexeme} are not allowed`,
          `a text that begins with * goes in quotes: "${lexeme}"; otherwise write the value out`,
        ],
        plain: ['an alias is not allowed', 'a text that begins with * goes in quotes; otherwise write the value out'],
      }
    case 'directive-line': {
      const cure = 'remove the line; files are read as YAML 1.2'
      return { quoting: [`the directive ${lexeme.trim()} is not allowed`, cure], plain: ['a directive is not allowed', cure] }
    }
    default:
      return undefined
  }
}

/** A syntax error of the library, or a warning that counts as one. */
export type SyntaxError = { readonly code: YAMLParseError['code']; readonly message: string; readonly pos: readonly [number, number] }

export type Composed = {
  /** The first document, without the items that `takeFinished` took. */
  readonly contents: ParsedNode | null
  readonly errors: readonly SyntaxError[]
  /** Where a second document begins. */
  readonly secondAt?: number
}

const options = {
  version: '1.2',
  schema: 'core',
  strict: true,
  stringKeys: true,
  uniqueKeys: false,
  merge: false,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/** Composes the concrete syntax of a file. Only its first document is composed. */
export function composeTokens(tokens: Iterable<CST.Token>, textEnd: number): Composed {
  const [first, second] = new Composer(options).compose(tokens, true, textEnd)
  const warnings = (first?.warnings ?? []).filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
  return {
    contents: first?.contents ?? null,
    errors: [...(first?.errors ?? []), ...warnings],
    ...(second === undefined ? {} : { secondAt: second.range[0] }),
  }
}

/** An open block list with fewer finished items stays whole. */
const itemsMin = 256
/** The parser still changes the last item, and may add a comment to the one before it. */
const itemsKept = 2

/**
 * Takes the finished items out of the block lists that the parser has open. The concrete syntax of a file needs seventy times the memory of its
 * text, so a file of many rules is composed in pieces, and the syntax of each piece is dropped.
 *
 * @param stack the tokens that the parser has not finished
 */
export function* takeFinished(stack: readonly CST.Token[]): Generator<{ readonly listAt: number; readonly composed: Composed }> {
  for (const token of stack) {
    if (token.type !== 'block-seq' || token.items.length < itemsMin) continue
    const items = token.items.splice(0, token.items.length - itemsKept)
    const list: CST.BlockSequence = { type: 'block-seq', offset: token.offset, indent: token.indent, items }
    yield {
      listAt: token.offset,
      composed: composeTokens([{ type: 'document', offset: token.offset, start: [], value: list }], token.offset),
    }
  }
}
