import { RE2JS } from 're2js'
import { messageOf } from '../core/errorText.ts'
import type { Matcher } from '../core/rule.ts'

export type Pattern = { readonly matches: Matcher; readonly captures: ReadonlySet<string> }
export type PatternFault = { readonly fault: string; readonly cure: string }

/** RE2 takes (length of the name × size of the program) steps: with 50,000 groups these bounds keep a hostile pattern under a minute. */
const charactersMax = 1_000
const programMax = 1_000

/**
 * A glob over whole names: `*` is any run of characters, `?` one character, everything else itself, letter case included. Brackets and braces
 * are refused rather than taken literally, since other programs give them meaning.
 */
export function compileGlob(glob: string): Pattern | PatternFault {
  const special = /[[\]{}]/.exec(glob)
  if (special) {
    return {
      fault: `a glob knows only * and ?, not ${special[0]}`,
      cure: 'use groupRegex for classes and alternatives; \\ before a bracket makes it literal there',
    }
  }
  const parts = glob.split(/([*?])/).map((part) => (part === '*' ? '.*' : part === '?' ? '.' : RE2JS.quote(part)))
  return compile(parts.join(''), RE2JS.DOTALL)
}

/** A regular expression in RE2's syntax over whole names; its named groups, `(?<app>…)`, are what `capture` may name. */
export function compileRegex(source: string): Pattern | PatternFault {
  return compile(source, 0)
}

function compile(source: string, flags: number): Pattern | PatternFault {
  if (source.length > charactersMax) return { fault: `the pattern has ${source.length} characters`, cure: `at most ${charactersMax}` }
  let regex: RE2JS
  try {
    regex = RE2JS.compile(source, flags)
  } catch (error) {
    return faultOf(source, error)
  }
  if (regex.programSize() > programMax) {
    return {
      fault: 'the pattern is too large',
      cure: `it compiles to ${regex.programSize()} steps, at most ${programMax}: shorten repetitions such as {500}`,
    }
  }
  const captures = new Set(Object.keys(regex.namedGroups()))
  return { captures, matches: matcherOf(regex, captures) }
}

function matcherOf(regex: RE2JS, captures: ReadonlySet<string>): Matcher {
  return (name) => {
    // Five times faster than a match with groups, and most names do not match.
    if (!regex.testExact(name)) return undefined
    if (captures.size === 0) return {}
    const match = regex.matcher(name)
    match.matches()
    return Object.fromEntries([...captures].map((capture) => [capture, match.group(capture) ?? '']))
  }
}

function faultOf(source: string, error: unknown): PatternFault {
  const linear = 'patterns are RE2 (https://github.com/google/re2/wiki/Syntax), which answers in linear time'
  if (/\(\?<?[=!]/.test(source)) return { fault: 'lookaround is not supported', cure: `${linear}; leave names out with "except"` }
  if (/\\[1-9]|\\k</.test(source)) return { fault: 'back-references are not supported', cure: linear }
  const said = messageOf(error).replace('error parsing regexp: ', '')
  return { fault: `this is not a regular expression: ${said}`, cure: linear }
}
