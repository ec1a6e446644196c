import { RE2JS } from 're2js'
import { messageOf } from '../core/errorText.ts'
import type { Matcher } from '../core/rule.ts'

export type Pattern = { readonly matches: Matcher; readonly captures: ReadonlySet<string> }
export type PatternFault = { readonly fault: string; readonly cure: string }

/** A match takes (length of the name × size of the program) steps: with 50,000 groups these limits keep a hostile pattern below a minute. */
const charactersMax = 1_000
const programMax = 1_000

/**
 * A glob over whole names: `*` matches any number of characters, `?` one character, any other character itself, with its case. Both also match
 * `/`, which separates the groups in the paths of Keycloak. `**` means the same as `*`; it only says that groups below are meant. Brackets and
 * braces are refused, since they have a meaning in other programs.
 */
export function compileGlob(glob: string): Pattern | PatternFault {
  const special = /[[\]{}]/.exec(glob)
  if (special) {
    return {
      fault: `a glob can only have * and ?, not ${special[0]}`,
      cure: 'use groupRegex for classes and alternatives; \\ before a bracket makes it literal there',
    }
  }
  const parts = glob.split(/([*?])/).map((part) => (part === '*' ? '.*' : part === '?' ? '.' : RE2JS.quote(part)))
  return compile(parts.join(''), RE2JS.DOTALL)
}

/** A regular expression in RE2's syntax over whole names. `capture` may name its groups, `(?<app>…)`. */
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
    // Most names do not match, and this test is five times faster than a match with groups.
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
