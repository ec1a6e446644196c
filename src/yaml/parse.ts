import { Composer, type YAMLParseError } from 'yaml'
import { decode, yamlBytesMax } from './decode.ts'
import { plain, type YamlDocument } from './document.ts'
import { lex } from './lex.ts'
import { maskText } from './mask.ts'
import { maskPlaces } from './maskPlaces.ts'
import type { Problem } from './problem.ts'
import { lineAt, maskedAnew, problemIn, type Source } from './source.ts'
import type { z } from './zod.ts'

/** Without a document the text has no meaning; with one, `problems` may still hold duplicate keys, tags and the like. */
export type Parsed = { readonly document?: YamlDocument; readonly problems: readonly Problem[] }

export type Parsing = {
  /** How problems name the file. */
  readonly file: string
  readonly bytesMax?: number
  /** What the document should be, which says what of it problems may show. */
  readonly schema: z.ZodType
}

/**
 * Reads one YAML 1.2 document, core schema (dates stay texts, `no` and `off` too). Strict: no tag, anchor, alias, directive, second document,
 * duplicate key or control character; at most 1 MiB and 64 levels. Never throws.
 */
export function parseYaml(bytes: Uint8Array, { file, bytesMax = yamlBytesMax, schema }: Parsing): Parsed {
  const decoded = decode(bytes, { file, bytesMax, mask: (text) => maskText(text, schema) })
  if ('problem' in decoded) return { problems: [decoded.problem] }
  const { source } = decoded
  const { tokens, problems } = lex(source)
  if (tokens === undefined) return { problems }
  const [first, second] = [...new Composer(options).compose(tokens, true, source.text.length)]
  if (second) {
    const [start] = second.range
    return {
      problems: [...problems, problemIn(source, start, start + 3, 'a second document begins here', 'a file is one document; split it')],
    }
  }
  const errors = [...(first?.errors ?? []), ...(first?.warnings ?? []).filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')]
  if (first === undefined || errors.length > 0) return { problems: [...problems, ...syntaxProblems(source, errors)] }
  const { value, place, problems: duplicates } = plain(source, first.contents)
  const masked = maskedAnew(source, () => maskPlaces({ text: source.text, value, root: place }, schema))
  return { document: { source: masked, value, root: place }, problems: problems.concat(duplicates) }
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

type SyntaxError = { readonly code: YAMLParseError['code']; readonly message: string; readonly pos: readonly [number, number] }

const syntaxProblemsMax = 10

/** One mistake makes a parser stumble for the rest of the line: only the first of each line is told. */
function syntaxProblems(source: Source, errors: readonly SyntaxError[]): Problem[] {
  const byLine = new Map<number, Problem>()
  const textEnd = source.text.trimEnd().length
  for (const { code, message, pos } of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const start = visibleAt(source.text, pos[0], textEnd)
    const line = lineAt(source, start)
    // Asked before anything is made of it: there may be a mistake in every character.
    if (byLine.has(line)) continue
    const [sentence, cure] = sentences.find(([key]) => key === code || message.startsWith(key))?.[1] ?? [
      `this is not YAML: ${unquoted(message)}`,
    ]
    byLine.set(line, problemIn(source, start, Math.max(start + 1, pos[1]), sentence, cure))
    if (byLine.size === syntaxProblemsMax) break
  }
  return [...byLine.values()]
}

/** A message of the parser without the part of the source that it may quote. */
const unquoted = (message: string): string => message.split(/[:"`%]/)[0]?.trimEnd() ?? ''

/** The parser often points at the blanks before what it means, or at the end of the file. */
function visibleAt(text: string, offset: number, textEnd: number): number {
  if (offset >= textEnd) return textEnd
  let start = offset
  while (text[start] === ' ') start++
  return start
}

/** By the parser's code, or by how its message begins. */
const sentences: readonly (readonly [string, readonly [sentence: string, cure: string]])[] = [
  ['TAB_AS_INDENT', ['a tab cannot indent', 'use spaces']],
  ['Sequence item without', ['this is not part of the item above', 'its keys begin in the same column; a new item begins with "- "']],
  ['Implicit map keys need', ['a key needs ": " and a value', 'an item of a list begins with "- "']],
  ['Missing closing', ['a quote is not closed', 'the text began in this line or above']],
  [
    'BAD_INDENT',
    [
      'this is not indented as what is around it',
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
  ['BAD_DQ_ESCAPE', ['this escape means nothing in double quotes', 'write \\\\ for a backslash, or use single quotes']],
  ['UNEXPECTED_TOKEN', ['this does not belong here', 'is it indented as what is around it? Does a list item lack its "- "?']],
]
