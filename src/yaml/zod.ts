import { z } from 'zod'

z.config({
  // Without this zod compiles parsers with `new Function`, which hardened runtimes refuse.
  jitless: true,
  // Without this people would read zod's own sentences ("Too small: expected number to be >=1").
  localeError: (issue) => predicateOf(issue),
})

/** The condition for a value, to follow its name in a sentence: `must be at least 1`. It is for every issue of zod without an error text of its own. */
function predicateOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindNamed(issue.expected)}`
    case 'too_small':
      return bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`}`
    case 'unrecognized_keys':
      return `must not have the key ${issue.keys.map((key) => `"${key}"`).join(', ')}`
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an address, such as https://host.example.com' : 'must be written in another way'
    default:
      return 'must be written in another way'
  }
}

function bound(origin: string, limit: number | bigint, direction: string): string {
  const unit = { string: 'character', array: 'item', set: 'item', map: 'entry' }[origin]
  if (unit === undefined) return `must be ${direction} ${limit}`
  if (limit === 1 && direction === 'at least') return origin === 'string' ? 'must not be empty' : `must have at least one ${unit}`
  const many = unit === 'entry' ? 'entries' : `${unit}s`
  return `must have ${direction} ${limit} ${limit === 1 ? unit : many}`
}

/** A kind of value, with its article. */
export const kindNamed = (expected: string): string => kinds[expected] ?? `of the kind "${expected}"`

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map (key: value)',
  record: 'a map (key: value)',
  null: 'null',
}

/** A text of at most so many characters: code points, as JSON Schema counts them. */
export const atMost = <T extends z.ZodType<string, string>>(charactersMax: number, text: T): T =>
  text
    .refine((value) => value.length <= charactersMax || lengthOf(value) <= charactersMax, {
      error: ({ input }) => `this text has ${lengthOf(input)} characters`,
      params: { cure: `write at most ${charactersMax}` },
    })
    .meta({ maxLength: charactersMax })

const lengthOf = (text: unknown): number => Array.from(String(text)).length

export { z }

/** A key of an earlier version. It is an error that says what has taken its place. */
export const former = (name: string, cure: string) =>
  z
    .unknown()
    .optional()
    .superRefine((value, context) => {
      if (value === undefined) return
      context.addIssue({ code: 'custom', message: `"${name}" is no key any more`, params: { cure, key: true } })
    })
    .meta({ deprecated: true, description: `No key any more: ${cure}.` })
