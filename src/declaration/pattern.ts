import { RE2JS } from 're2js'
import { messageOf } from '../core/errorText.ts'
import type { Matcher, Pattern } from '../core/rule.ts'

/** `steps`: the size of the program that the pattern compiles to. */
export type CompiledPattern = { readonly matches: Matcher; readonly captures: ReadonlySet<string>; readonly steps: number }
export type PatternFault = { readonly fault: string; readonly cure: string }

/** A match costs up to (length of the name × size of the program) steps. */
/** The most characters of a pattern. */
export const charactersMax = 1_000
const programMax = 1_000

/**
 * A pattern as the declaration has it, without its compiled form.
 *
 * @throws if the schema should have refused it
 */
export function patternOf(syntax: Pattern['syntax'], source: string): Pattern {
  return openPattern({ syntax, source, steps: madeFrom(syntax, source).steps })
}

/** Adds the function `compile` to a pattern. */
export const openPattern = ({ syntax, source, steps }: Omit<Pattern, 'compile'>): Pattern => ({
  syntax,
  source,
  steps,
  compile: (ignoring) => madeFrom(syntax, source, ignoring === 'case' ? RE2JS.CASE_INSENSITIVE : 0).matches,
})

function madeFrom(syntax: Pattern['syntax'], source: string, flags = 0): CompiledPattern {
  const made = syntax === 'glob' ? compileGlob(source, flags) : compileRegex(source, flags)
  if ('fault' in made) throw new Error(`the schema let a wrong pattern pass: ${made.fault}`)
  return made
}

/**
 * A glob over whole names: `*` matches any number of characters, `?` one character, any other character itself, with its case. Both also match
 * `/`, which separates the groups in the paths of Keycloak. `**` means the same as `*`; it only says that groups below are meant. Brackets and
 * braces are refused, since they have a meaning in other programs.
 */
export function compileGlob(glob: string, flags = 0): CompiledPattern | PatternFault {
  const special = /[[\]{}]/.exec(glob)
  if (special) {
    return {
      fault: `a glob can only have * and ?, not ${special[0]}`,
      cure: 'use groupRegex for classes and alternatives; \\ before a bracket makes it literal there',
    }
  }
  const parts = glob.split(/([*?])/).map((part) => (part === '*' ? '.*' : part === '?' ? '.' : RE2JS.quote(part)))
  return compile(parts.join(''), RE2JS.DOTALL | flags)
}

/** A regular expression in RE2's syntax over whole names. `capture` may name its groups, `(?<app>…)`. */
export function compileRegex(source: string, flags = 0): CompiledPattern | PatternFault {
  return compile(source, flags)
}

function compile(source: string, flags: number): CompiledPattern | PatternFault {
  if (source.length > charactersMax) return { fault: `the pattern has ${source.length} characters`, cure: `at most ${charactersMax}` }
  let regex: RE2JS
  try {
    regex = RE2JS.compile(source, flags)
  } catch (error) {
    return faultOf(source, error)
  }
  const steps = regex.programSize()
  if (steps > programMax) {
    return {
      fault: 'the pattern is too large',
      cure: `it compiles to ${steps} steps, at most ${programMax}: shorten repetitions such as {500}`,
    }
  }
  const captures = new Set(Object.keys(regex.namedGroups()))
  return { captures, matches: matcherOf(regex, captures), steps }
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
  const reason = messageOf(error).replace('error parsing regexp: ', '')
  return { fault: `this is not a regular expression: ${reason}`, cure: linear }
}
