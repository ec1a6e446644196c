/** How to write a filter. */
export const scimFilterCure =
  'write it as RFC 7644 §3.4.2.2 says, such as displayName sw "plane-", with texts in double quotes; YAML needs single quotes around it'

/**
 * Why a text is not a SCIM filter (RFC 7644 §3.4.2.2), as a clause; undefined if it is one. Each token becomes one character: an attribute `a`, an
 * operator `o`, `pr` as `p`, a value `v`, `and` or `or` as `&`, `not` as `!`. Then each expression becomes `F`, until only one is left.
 */
export function filterFault(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty'
  const tokens = filterTokens(text)
  let symbols = tokens.map(symbolOf).join('')
  if (symbols.includes('"')) return 'a text has no quotation mark at its end, or a wrong escape'
  if (/o[^v]/.test(symbols)) return 'a value is not in double quotes, and is no number, true, false or null'
  for (let before = ''; before !== symbols; ) {
    before = symbols
    symbols = symbols.replaceAll(expression, 'F')
  }
  if (symbols === 'F') return undefined
  if (symbols.includes('?')) return 'it has a word that is neither an attribute nor an operator'
  return isBalanced(tokens) ? 'a part of it is not written as attribute operator value' : 'its parentheses or brackets do not match'
}

/** Attributes, operators, values, parentheses and brackets, as they are written. */
export const filterTokens = (text: string): readonly string[] => text.match(/"(?:[^"\\]|\\.)*"?|[()[\]]|[^\s()[\]"]+/g) ?? []

const expression = /ap|aov|!?\(F\)|a\[F\]|F&F/g
const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])
const attribute = /^(?:urn:[\w.:~%-]+:)?[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/i
/** A text in double quotes, with the escapes of JSON (RFC 8259 §7). */
const jsonText = /^"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"$/iu

function symbolOf(token: string): string {
  const word = token.toLowerCase()
  if (/^[()[\]]$/.test(word)) return word
  if (word === 'and' || word === 'or') return '&'
  if (word === 'not') return '!'
  if (word === 'pr') return 'p'
  if (operators.has(word)) return 'o'
  if (token.startsWith('"')) return jsonText.test(token) ? 'v' : '"'
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.test(word)) return 'v'
  return attribute.test(token) ? 'a' : '?'
}

function isBalanced(tokens: readonly string[]): boolean {
  const count = (bracket: string) => tokens.filter((token) => token === bracket).length
  return count('(') === count(')') && count('[') === count(']')
}
