import { counted } from '../../core/quantity.ts'
import { anyCase, between, type Keywords, oneOf, withHint } from './text.ts'

/**
 * The cron expressions that the program accepts: a subset of what node-cron reads. node-cron also accepts ranges that wrap around (`5-1`) and
 * words without a separator (`janfeb` is December), and it expands `0-4000000000` number by number.
 *
 * | item | means |
 * |---|---|
 * | `*`, `5`, `mon`, `May` | every value, one value |
 * | `8-17`, `mon-fri`, `fri-sun` | a range, in order; Sunday is the first and the last day of a week |
 * | `8-17/2` | every second value of a range; also `*` may have a step |
 * | `L`, `L-3`, `LW`, `15W` | of a month: the last day, the third before it, the last weekday, the weekday nearest to the 15th |
 * | `5L`, `friL`, `1#2` | the last Friday, the second Monday of a month |
 * | `?` | the same as `*`, only as the whole field |
 */
type Field = {
  /** The name with its article. */
  readonly name: string
  readonly low: number
  readonly high: number
  /** Names of the values, `low` first. */
  readonly words?: readonly string[]
  /** A pattern of further items that a list may have. */
  readonly special?: string
  /** A pattern of a value that is allowed instead of a list. */
  readonly alone?: string
  /** Further values, for the error message. */
  readonly also?: string
  readonly example: string
  /** The first and last value of a range that wraps around the end, if they are not `low` and `high`. */
  readonly ends?: readonly [number, number]
}

const words = (text: string): readonly string[] =>
  text.split(' ').map((word) => `${anyCase(word.slice(0, 3))}${word.length > 3 ? `(?:${anyCase(word.slice(3))})?` : ''}`)
const months = words('january february march april may june july august september october november december')
const days = words('sunday monday tuesday wednesday thursday friday saturday sunday')

const fields: readonly Field[] = [
  { name: 'a second', low: 0, high: 59, example: '0,30' },
  { name: 'a minute', low: 0, high: 59, example: '0,30' },
  { name: 'an hour', low: 0, high: 23, example: '6,18' },
  {
    name: 'a day of month',
    low: 1,
    high: 31,
    special: `[Ll](?:[Ww]|-${between(1, 30)})?|${between(1, 31)}[Ww]`,
    alone: '\\?',
    also: ' or L for the last',
    example: '1,15',
  },
  { name: 'a month', low: 1, high: 12, words: months, also: ' or jan to dec', example: '1,7' },
  {
    name: 'a day of week',
    low: 0,
    high: 7,
    words: days,
    special: `(?:[0-7]|${oneOf(days)})(?:[Ll]|#[1-5])`,
    alone: '\\?',
    also: ' or sun to sat',
    example: '1,4',
    ends: [0, 6],
  },
]

const number = (low: number, high: number): string => `0?${between(low, high)}`

/** The pattern of a list of items, each within the field's bounds. */
function listOf({ low, high, words = [], special, alone }: Field): string {
  const step = `(?:/${number(1, high - low + 1)})?`
  const range = (value: string) => `${value}(?:-${value}${step})?`
  const names = words.length === 0 ? [] : [range(oneOf([...new Set(words)]))]
  const item = oneOf([`\\*${step}`, range(number(low, high)), ...names, ...(special === undefined ? [] : [special])])
  return oneOf([`(?:${item},)*${item}`, ...(alone === undefined ? [] : [alone])])
}

/** The pattern of a range that ends before it begins. It is the same for the numbers of every field. */
const backwards = oneOf([
  ...Array.from({ length: 59 }, (_, index) => `0?${index + 1}-${number(0, index)}`),
  ...months.slice(1).map((word, index) => `${word}-${oneOf(months.slice(0, index + 1))}`),
  ...days.slice(2, -1).map((word, index) => `${word}-${oneOf(days.slice(1, index + 2))}`),
])
const nicknames = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'].map(anyCase)

const turned = `(?:^|[ ,])${backwards}(?:[ ,/]|$)`

const backwardsRange = new RegExp(turned, 'u')

const [second, ...others] = fields.map(listOf)
const whole = `^ *(?:@${oneOf(nicknames)}|(?:${second} +)?${others.join(' +')}) *$`

const lengthMax = 500
const hint = 'five fields, or six with seconds first: minute 0-59, hour 0-23, day 1-31, month 1-12, day of week 0-7; ranges in order'

/** The expressions as keywords of JSON Schema: a short readable pattern, then the exact ones. */
export const cronKeywords: Keywords = {
  pattern: '^ *(@[A-Za-z]+|[0-9A-Za-z*/,#?-]+( +[0-9A-Za-z*/,#?-]+){4,5}) *$',
  maxLength: lengthMax,
  ...withHint({ pattern: whole, not: { pattern: turned } }, hint),
}

const named = new RegExp(`^@${oneOf(nicknames)}$`, 'u')
const fieldsTaken = fields.map((field) => ({ field, taken: new RegExp(`^${listOf(field)}$`, 'u') }))

/** `why`: why an expression is not accepted, as a clause. `cure`: what to write instead. */
export type CronProblem = { readonly why: string; readonly cure: string }

/** The sentence about an expression that is not accepted. */
export const cronSentence = (text: string, { why }: CronProblem): string =>
  `"${text.length > shownMax ? `${text.slice(0, shownMax)}…` : text}" is not a schedule: ${why}`
const shownMax = 100

/** The problem of an expression; undefined if it is accepted. */
export function cronProblem(text: string): CronProblem | undefined {
  if (text.length > lengthMax)
    return { why: `it is longer than ${lengthMax} characters`, cure: 'write a shorter one: *, ranges and steps say the same as long lists' }
  const expression = text.replaceAll(/^ +| +$/g, '')
  if (named.test(expression)) return undefined
  if (expression.startsWith('@'))
    return { why: `"${expression}" is not a known name`, cure: `write one of ${nicknamesText}, or ${fiveFields}` }
  if (/[^\S ]/.test(expression))
    return { why: 'its fields are not separated by blanks', cure: 'put blanks between the fields, no tabs and no line breaks' }
  const parts = expression === '' ? [] : expression.split(/ +/)
  if (parts.length !== 5 && parts.length !== 6) {
    const cure = `write ${fiveFields}; every hour is "0 * * * *", every ten minutes "*/10 * * * *"`
    return {
      why: `it has ${fieldsText(parts.length)}, and a schedule has five, or six with seconds first`,
      cure,
    }
  }
  const problems = parts.flatMap((part, index) => {
    const field = fieldsTaken[index + fields.length - parts.length]
    return field === undefined ? [] : (fieldProblem(part, field) ?? [])
  })
  if (problems.length === 0) return undefined
  return { why: problems.map(({ why }) => why).join('; '), cure: problems.map(({ cure }) => cure).join('; ') }
}

function fieldProblem(part: string, { field, taken }: (typeof fieldsTaken)[number]): CronProblem | undefined {
  // Most fields are a star. An engine takes milliseconds to prepare the pattern of a field with names.
  if (part === '*') return undefined
  if (!taken.test(part)) {
    const cure = `as ${field.name} write ${field.low} to ${field.high}${field.also ?? ''}, a list such as ${field.example}, or a step such as */2`
    return { why: `"${part}" is not ${field.name}`, cure }
  }
  const turnedItem = part.includes('-') ? part.split(',').find((item) => backwardsRange.test(item)) : undefined
  if (turnedItem === undefined) return undefined
  return { why: `the range "${turnedItem.replace(/\/.*/, '')}" ends before it begins`, cure: `write ${rangesInOrder(turnedItem, field)}` }
}

/**
 * The two possible meanings of a range that ends before it begins. If the range has a step and is split at the end, the step begins anew there, so no
 * range is proposed.
 */
function rangesInOrder(item: string, { low, high, ends = [low, high] }: Field): string {
  const [, from = '', to = '', step] = /^([^-]+)-([^/]+)(\/.*)?$/.exec(item) ?? []
  if (step !== undefined) return 'two ranges, each in order'
  const isWord = /[A-Za-z]/.test(item)
  const [first, last] = isWord ? (low === 0 ? ['sun', 'sat'] : ['jan', 'dec']) : [ends[0], Math.max(ends[1], Number(from))]
  const between = (begin: number | string, end: number | string) => (isSame(begin, end) ? `${begin}` : `${begin}-${end}`)
  return `"${between(to, from)}", or "${between(from, last)},${between(first, to)}" if the range wraps around the end`
}

/** Whether two values mean the same in a field: `05` and `5`, `Monday` and `mon`. */
const isSame = (a: number | string, b: number | string): boolean =>
  Number.isNaN(Number(a)) ? `${a}`.slice(0, 3).toLowerCase() === `${b}`.slice(0, 3).toLowerCase() : Number(a) === Number(b)

const fiveFields = 'five fields: minute, hour, day of month, month, day of week'
const fieldsText = (count: number): string => (count === 0 ? 'no fields' : counted(count, 'field'))
const nicknamesText = '@yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'

/**
 * The shape of an IANA time zone name (https://www.iana.org/time-zones). `Intl` decides which zones exist, but it also accepts misleading
 * abbreviations: for ICU `BST` is Bangladesh.
 */
const areas = inAnyCase('Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US')
/** Names without an area. */
const single = inAnyCase(
  'UTC GMT UCT Zulu Universal Greenwich GMT0 CET EET MET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya Navajo NZ NZ-CHAT Poland Portugal PRC ROC ROK Singapore Turkey W-SU',
)
const offset = `[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?`
const place = '[A-Za-z][A-Za-z0-9_+-]*'

const zoneShape = `^(?:${oneOf(areas)}(?:/${place}){1,2}|${oneOf(single)}|[Gg][Mm][Tt][+-]0|${offset})$`
const zoneForm = new RegExp(zoneShape, 'u')

export const isZoneShaped = (text: string): boolean => zoneForm.test(text)

/** Why a text is no time zone, and what to write; undefined if it is one. */
export function zoneProblem(text: string): CronProblem | undefined {
  try {
    if (!isZoneShaped(text)) throw new RangeError(text)
    new Intl.DateTimeFormat('en', { timeZone: text }).format()
    return undefined
  } catch {
    return { why: `"${text}" is not a time zone`, cure: 'write an IANA name: UTC, Europe/Berlin, America/New_York' }
  }
}

export const timezoneKeywords: Keywords = {
  pattern: '^[A-Za-z0-9/_:+-]+$',
  ...withHint({ pattern: zoneShape }, 'an IANA name, as UTC, Europe/Berlin or America/New_York'),
}

function inAnyCase(text: string): readonly string[] {
  return text.split(' ').map(anyCase)
}

/** Unit → milliseconds. */
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const durationPattern = `^\\d{1,6}(${Object.keys(units).join('|')})$`

const durationForm = new RegExp(durationPattern, 'u')

/** `30s` → milliseconds; undefined if the text is not a duration. */
export const durationMs = (text: string): number | undefined =>
  durationForm.test(text) ? Number.parseInt(text, 10) * (units[text.replace(/^\d+/, '')] ?? Number.NaN) : undefined

/** Milliseconds → `30s`, in the largest unit of which they are a whole number. */
export function durationOf(ms: number): string {
  const [unit, unitMs] = Object.entries(units).findLast(([, each]) => ms % each === 0) as [string, number]
  return `${ms / unitMs}${unit}`
}

/** JSON Schema keywords for a duration within bounds, in addition to the pattern of every duration. */
export const durationsWithin = (leastMs: number, mostMs: number): Keywords => {
  const inUnits = Object.entries(units).flatMap(([unit, ms]) => {
    const [low, high] = [Math.ceil(leastMs / ms), Math.min(999_999, Math.floor(mostMs / ms))]
    return low > high ? [] : [`${between(low, high)}${unit}`]
  })
  return { allOf: [{ pattern: `^0*${oneOf(inUnits)}$` }] }
}
