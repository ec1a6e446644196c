import type { SourceFile } from './files.ts'

/**
 * The fixed texts of a file: each string, and each stretch of a template between two `${…}`. The literals inside of `${…}` are among them.
 */
export function fixedTextsOf({ text }: SourceFile): readonly string[] {
  const found: string[] = []
  readCode(text, 0, found)
  return found.filter((one) => one !== '').map(unescaped)
}

const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y

/** A comment, a regular expression (where an operand may begin), or one character of code. */
const other = /\/\*[^]*?\*\/|\/\/[^\n]*|(?<=(?:[(,=:[!&|?{};]|=>|\breturn)\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[^]/y

/** Reads code up to the brace that closes it, or to the end of the file. Returns the place after it. */
function readCode(text: string, start: number, found: string[]): number {
  let at = start
  for (let depth = 0; at < text.length; ) {
    quoted.lastIndex = at
    const literal = quoted.exec(text)
    if (literal !== null) {
      found.push(literal[1] ?? literal[2] ?? '')
      at = quoted.lastIndex
      continue
    }
    if (text[at] === '`') {
      at = readTemplate(text, at + 1, found)
      continue
    }
    if (text[at] === '}' && depth === 0) return at + 1
    if (text[at] === '{') depth++
    if (text[at] === '}') depth--
    other.lastIndex = at
    other.test(text)
    at = other.lastIndex
  }
  return at
}

/** Reads a template up to the mark that closes it. Returns the place after it. */
function readTemplate(text: string, start: number, found: string[]): number {
  let at = start
  let fixed = ''
  while (at < text.length && text[at] !== '`') {
    if (text.startsWith('${', at)) {
      found.push(fixed)
      fixed = ''
      at = readCode(text, at + 2, found)
      continue
    }
    const length = text[at] === '\\' ? 2 : 1
    fixed += text.slice(at, at + length)
    at += length
  }
  found.push(fixed)
  return at + 1
}

/** Messages are sentences, so their only escapes are quotes and line ends. */
const unescaped = (text: string): string => text.replaceAll('\\n', ' ').replaceAll(/\\(.)/g, '$1')

/** The texts that stand for a computed part in a quoted message. */
const computed = /…|\d+ times|\d+|\bENGX?\b|\bOPS\b|\b[NM]\b/y
/** Shorter texts occur everywhere, so they count only directly after a computed part. */
const charactersMin = 4

/**
 * Whether a message consists, from its beginning to its end, of fixed texts of a file and of computed parts. Every fixed text is whole, but the
 * message may begin within the first one and end within the last. `…` at either end of the message stands for what it leaves out there.
 */
export function canSay(fixed: readonly string[], quotedMessage: string): boolean {
  const message = quotedMessage.replace(/^…[:,]?\s*/, '').replace(/\s*…$/, '')
  if (message.length < charactersMin) return false
  // Places up to which the message is found, and whether the part before the place is a computed one.
  const reached = new Map<number, boolean>([[0, false]])
  for (const [at, isAfterComputed] of reached) {
    if (at === message.length) return true
    const rest = message.slice(at)
    const isLong = (text: string): boolean => isAfterComputed || text.trim().length >= charactersMin
    for (const text of fixed) {
      if (at === 0 ? text.includes(rest) : text.startsWith(rest) && isLong(rest)) return true
      for (const part of at === 0 ? endsOf(text, rest.slice(0, charactersMin)) : [text]) {
        if (isLong(part) && rest.startsWith(part) && !reached.has(at + part.length)) reached.set(at + part.length, false)
      }
    }
    computed.lastIndex = at
    if (computed.test(message)) reached.set(computed.lastIndex, true)
  }
  return false
}

/** The ends of a text that begin with these characters. */
function endsOf(text: string, start: string): readonly string[] {
  const ends: string[] = []
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) ends.push(text.slice(at))
  return ends
}
