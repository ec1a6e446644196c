import { Composer, type CST, type ParsedNode, type YAMLParseError } from 'yaml'

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
