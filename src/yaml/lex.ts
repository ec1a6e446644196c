import { CST, Lexer, Parser } from 'yaml'
import type { Problem } from './problem.ts'
import { problemIn, type Source } from './source.ts'

/** Deeper than anything that this program reads; far below where a recursive reader meets its stack. */
const depthMax = 64
/** A file that is wrong in a hundred places is wrong. */
const problemsMax = 100

/**
 * The concrete syntax of a text, without what would let a short text mean a long one or another than it seems: tags, anchors, aliases,
 * directives (`%YAML 1.1` turns `no` into false). Undefined tokens: the text has no meaning without what was refused, or is nested too deeply.
 */
export function lex(source: Source): { readonly tokens: readonly CST.Token[] | undefined; readonly problems: readonly Problem[] } {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const problems: Problem[] = []
  const anchors = new Set<string>()
  let hasAliases = false
  let isContent = false
  for (const lexeme of new Lexer().lex(source.text)) {
    const type = isContent ? undefined : CST.tokenType(lexeme)
    const refusal = refusalOf(type, lexeme)
    // An alias of an anchor that was told is the same mistake.
    if (refusal && !(type === 'alias' && anchors.has(lexeme.slice(1)))) {
      const [message, help] = refusal
      problems.push(problemIn(source, parser.offset, parser.offset + lexeme.length, message, help))
    }
    if (type === 'anchor') anchors.add(lexeme.slice(1))
    hasAliases ||= type === 'alias'
    isContent = lexeme === CST.SCALAR
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > depthMax) {
      const help = `at most ${depthMax} levels are read`
      return { tokens: undefined, problems: [problemIn(source, parser.offset, parser.offset + 1, 'nested too deeply', help)] }
    }
    if (problems.length >= problemsMax) return { tokens: undefined, problems }
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens: hasAliases ? undefined : tokens, problems }
}

function refusalOf(type: CST.TokenType | null | undefined, lexeme: string): [message: string, help: string] | undefined {
  switch (type) {
    case 'tag':
      return [`tags such as ${lexeme} are not allowed`, 'remove it; a text that begins with ! goes in quotes']
    case 'anchor':
      return [
        `anchors such as ${lexeme} are not allowed`,
        'write the value out wherever it is used; a text that begins with & goes in quotes',
      ]
    case 'alias':
      return [
        `aliases such as ${lexeme} are not allowed`,
        `a text that begins with * goes in quotes: "${lexeme}"; otherwise write the value out`,
      ]
    case 'directive-line':
      return [`the directive ${lexeme.trim()} is not allowed`, 'remove the line; files are read as YAML 1.2']
    default:
      return undefined
  }
}
