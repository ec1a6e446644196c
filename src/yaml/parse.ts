import { blankMissing, keyWithoutBlank } from './cures.ts'
import { emptyList, type ListSofar, plain, type YamlDocument } from './document.ts'
import { firstIndented, keyTooDeep, uneven } from './indentation.ts'
import { type Composed, composeTokens, lex, type SyntaxError, takeFinished } from './lex.ts'
import { maskPlaces, maskText } from './mask.ts'
import type { Problem } from './problem.ts'
import { decode, lineAt, maskedAnew, problemIn, type Source, yamlBytesMax } from './source.ts'
import type { z } from './zod.ts'

/** `document` is absent if the text cannot be parsed. With a document `problems` may contain duplicate keys, tags and the like. */
type Parsed = {
  readonly document?: YamlDocument
  /** Of a text that cannot be parsed: the values that could be read in spite of the mistakes. They may be incomplete and in wrong places. */
  readonly partial?: unknown
  readonly problems: readonly Problem[]
  /** The file exceeds a limit: the rest of it was not read. */
  readonly isOverLimit?: boolean
}

type Parsing = {
  /** The name of the file in problems. */
  readonly file: string
  readonly bytesMax?: number
  /** The schema that the document should have. It decides which parts problems may show. */
  readonly schema: z.ZodType
}

/**
 * Reads one YAML 1.2 document by the core schema: dates stay texts, and so do `no` and `off`. It is strict: a tag, an anchor, an alias, a
 * directive, a second document, a duplicate key or a control character is a problem. At most 1 MiB, 64 levels and 200,000 values are read. Never throws.
 */
export function parseYaml(bytes: Uint8Array, { file, bytesMax = yamlBytesMax, schema }: Parsing): Parsed {
  const decoded = decode(bytes, { file, bytesMax, mask: (text) => maskText(text, schema) })
  if ('problem' in decoded) return { problems: [decoded.problem] }
  const { source } = decoded
  const early = new Map<number, ListSofar>()
  let errors: readonly SyntaxError[] = []
  let duplicates: readonly Problem[] = []
  function take(composed: Composed) {
    errors = [...errors, ...composed.errors.slice(0, errorsMax)]
    const read = plain(source, composed.contents, early)
    duplicates = [...duplicates, ...read.problems]
    return read
  }
  const { tokens, problems, isOverLimit } = lex(source, (open) => {
    for (const { listAt, composed } of takeFinished(open)) {
      if (!early.has(listAt)) early.set(listAt, emptyList())
      take(composed)
    }
    return errors.length + duplicates.length < errorsMax
  })
  if (tokens === undefined)
    return { problems: problems.length > 0 ? problems : [...syntaxProblems(source, errors), ...duplicates], isOverLimit }
  const composed = composeTokens(tokens, source.text.length)
  if (composed.secondAt !== undefined) {
    const start = composed.secondAt
    return {
      problems: [
        ...problems,
        problemIn(source, start, start + 3, 'a second document begins here', 'write each document into a file of its own'),
      ],
    }
  }
  const { value, place } = take(composed)
  if (errors.length > 0) return { partial: value, problems: [...problems, ...syntaxProblems(source, errors)] }
  const masked = maskedAnew(source, () => maskPlaces({ text: source.text, value, root: place }, schema))
  return { document: { source: masked, value, root: place }, problems: problems.concat(duplicates) }
}

export type Parse = typeof parseYaml

/** Parses a file once that has the same name and the same bytes each time, as most files of a branch and its base have. */
export function openParsing(): Parse {
  const known = new Map<string, { readonly bytes: Uint8Array; readonly schema: Parsing['schema']; readonly parsed: Parsed }>()
  return (bytes, parsing) => {
    const before = known.get(parsing.file)
    if (before?.schema === parsing.schema && Buffer.compare(before.bytes, bytes) === 0) return before.parsed
    const parsed = parseYaml(bytes, parsing)
    known.set(parsing.file, { bytes, schema: parsing.schema, parsed })
    return parsed
  }
}

/** After this many mistakes the rest of the file is not read. */
const errorsMax = 100

const syntaxProblemsMax = 10

/** The first problem of each line: after one mistake a parser often reports more in the same line. */
function syntaxProblems(source: Source, errors: readonly SyntaxError[]): Problem[] {
  const byLine = new Map<number, Problem>()
  const blocks = new Set<number>()
  const textEnd = source.text.trimEnd().length
  const outdented = errors.some(({ code }) => code === 'UNEXPECTED_TOKEN') ? firstIndented(source.text) : undefined
  // All lines below are mistakes for the parser.
  if (outdented !== undefined && errors.every(({ pos }) => pos[0] >= outdented.until))
    return [problemIn(source, outdented.start, outdented.end, outdented.sentence, outdented.cure)]
  const sorted = errors.toSorted((a, b) => a.pos[0] - b.pos[0])
  for (const { code, message, pos } of beforeTabs(source.text, sorted)) {
    const start = visibleAt(source.text, pos[0], textEnd)
    const line = lineAt(source, start)
    // This check comes first, because there may be a mistake at every character.
    if (byLine.has(line)) continue
    const known = sentences.find(([key]) => key === code || message.startsWith(key))
    const deep = code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY' ? keyTooDeep(source.text, start) : undefined
    if (deep !== undefined) {
      const below = lineAt(source, deep.start)
      if (!byLine.has(below)) byLine.set(below, problemIn(source, deep.start, deep.end, deep.sentence, deep.cure))
      continue
    }
    // The value is fine, and follows from a mistake above.
    if (code === 'BLOCK_AS_IMPLICIT_KEY' && byLine.size > 0 && isPlainValue(source.text, start)) continue
    const block = code === 'BAD_INDENT' ? uneven(source.text, start) : undefined
    if (block !== undefined) {
      // Further lines of the same block say the same.
      if (blocks.has(block.block)) continue
      blocks.add(block.block)
    }
    const quote = message.startsWith('Unexpected scalar at node end') ? source.text[start - 1] : undefined
    const isItem = code === 'BLOCK_AS_IMPLICIT_KEY' && source.text.startsWith('- ', start)
    const isBlankMissing =
      keyMistakes.has(known?.[0] ?? '') && keyWithoutBlank(source.text.slice(start, start + keyCharactersMax)) !== undefined
    const isInText = code === 'UNEXPECTED_TOKEN' && isBracketInText(source.text, start)
    const [sentence, usual] = isInText
      ? bracketInText
      : isBlankMissing
        ? [blankMissing, 'write "key: value"']
        : isItem
          ? itemMisplaced
          : (quoteInside.get(quote) ?? known?.[1] ?? [`this is not YAML: ${unquoted(message)}`])
    const cure = block?.cure ?? (message.startsWith('Flow ') && isCommentBefore(source.text, start) ? commentInBrackets : usual)
    byLine.set(line, problemIn(source, start, Math.max(start + 1, pos[1]), sentence, cure))
    if (byLine.size === syntaxProblemsMax) break
  }
  return [...byLine.values()]
}

const tabCode = 'TAB_AS_INDENT'

/** What the parser says from the line before the first tab on follows from the tab, but for other tabs. */
function beforeTabs(text: string, sorted: readonly SyntaxError[]): readonly SyntaxError[] {
  const tab = sorted.find(({ code }) => code === tabCode)
  if (tab === undefined) return sorted
  const lineStart = text.slice(0, tab.pos[0]).trimEnd().lastIndexOf('\n') + 1
  return sorted.filter(({ code, pos }) => code === tabCode || pos[0] < lineStart)
}

/** The quote before the rest of a text → the sentence and the cure. */
const quoteInside = new Map<string | undefined, readonly [sentence: string, cure: string]>([
  ["'", ['a text goes on after the quote that ends it', "write '' for a quote inside of single quotes, or write double quotes"]],
  ['"', ['a text goes on after the quote that ends it', 'write \\" for a quote inside of double quotes, or write single quotes']],
])

const commentInBrackets = 'brackets and braces must be closed; " #" begins a comment, so a text that contains it goes in quotes'

/** Whether the last line before the offset that is not empty has a bracket or a brace, and then a comment. */
const isCommentBefore = (text: string, offset: number): boolean =>
  /[[{].* #/.test(
    text
      .slice(Math.max(0, offset - keyCharactersMax * 10), offset)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '',
  )

const bracketInText = ['a text cannot go on here', 'inside { } and [ ], a text that contains one of , [ ] { } goes in quotes'] as const

/** Whether a bracket or brace directly follows a text, or what it holds: `a(b[c]+d`. */
const isBracketInText = (text: string, start: number): boolean =>
  /[^\s,:[{][[{][^\s[\]{},]*[\]}]?$/.test(
    text
      .slice(Math.max(0, start - keyCharactersMax), start + 1)
      .split('\n')
      .at(-1) ?? '',
  )

const itemMisplaced = ['a list item cannot begin here', 'items of one list have their "- " in the same column'] as const

/** Whether the rest of the line is neither a list item nor has a colon, which would begin another key. */
const isPlainValue = (text: string, start: number): boolean =>
  /^(?!- )[^:]*$/.test(text.slice(start, start + keyCharactersMax).split('\n', 1)[0] ?? '')

/** A message of the parser, cut before the part of the source that it may quote. */
const unquoted = (message: string): string => message.split(/[:"`%]/)[0]?.trimEnd() ?? ''

/** The offset to show: the parser often points at blanks before the mistake, or behind the last character of the file. */
function visibleAt(text: string, offset: number, textEnd: number): number {
  if (offset >= textEnd) return textEnd
  let start = offset
  while (text[start] === ' ') start++
  return start
}

/** The parser's words for a text in the place of a key. */
const keyMistakes: ReadonlySet<string> = new Set(['MULTILINE_IMPLICIT_KEY', 'Implicit map keys need'])
/** No key of a schema is as long. */
const keyCharactersMax = 100

/** The sentences by the parser's code, or by the beginning of its message. */
const sentences: readonly (readonly [string, readonly [sentence: string, cure: string]])[] = [
  [tabCode, ['a tab cannot indent', 'use spaces']],
  ['Sequence item without', ['this is not part of the item above', 'its keys begin in the same column; a new item begins with "- "']],
  ['Implicit map keys need', ['a key needs ": " and a value', 'an item of a list begins with "- "']],
  ['Missing closing', ['a quote is not closed', 'the text began in this line or above']],
  [
    'BAD_INDENT',
    [
      'this is not indented like the lines around it',
      'entries of one list or map begin in the same column; brackets and braces must be closed',
    ],
  ],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    ['a key cannot begin here', 'a text that contains ": " goes in quotes; keys of one map begin in the same column'],
  ],
  ['MULTILINE_IMPLICIT_KEY', ['a key cannot go over several lines', 'keys of one map begin in the same column']],
  ['BAD_SCALAR_START', ['a text cannot begin with this character', 'put it in quotes']],
  ['NON_STRING_KEY', ['a key must be a plain name', 'a text that begins with [ or { goes in quotes']],
  ['BAD_DQ_ESCAPE', ['this escape does not exist in double quotes', 'write \\\\ for a backslash, or use single quotes']],
  [
    'UNEXPECTED_TOKEN',
    ['this does not belong here', 'check that it is indented like the lines around it, and that a list item begins with "- "'],
  ],
]
