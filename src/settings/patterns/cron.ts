import { anyCase, between, hinted, type Keywords, oneOf } from './text.ts'

/**
 * The cron expressions that the program accepts: a subset of what node-cron reads. node-cron also accepts ranges that wrap around (`5-1`) and
 * words without a separator (`janfeb` is December), and it expands `0-4000000000` number by number.
 *
 * | item | means |
 * |---|---|
 * | `*`, `5`, `mon`, `May` | every value, one value |
 * | `8-17`, `mon-fri`, `fri-sun` | a range, in order; Sunday begins a week and ends one |
 * | `8-17/2` | every second value of a range; `*` takes a step, too |
 * | `L`, `L-3`, `LW`, `15W` | of a month: the last day, the third before it, the last weekday, the weekday nearest to the 15th |
 * | `5L`, `friL`, `1#2` | the last Friday, the second Monday of a month |
 * | `?` | as `*`, where it is the whole field |
 */
type Field = {
  /** With its article. */
  readonly name: string
  readonly low: number
  readonly high: number
  /** Of `low` and those that follow it. */
  readonly words?: readonly string[]
  /** Further items of a list. */
  readonly special?: string
  /** What may stand there instead of a list. */
  readonly alone?: string
}

const words = (text: string): readonly string[] =>
  text.split(' ').map((word) => `${anyCase(word.slice(0, 3))}${word.length > 3 ? `(?:${anyCase(word.slice(3))})?` : ''}`)
const months = words('january february march april may june july august september october november december')
const days = words('sunday monday tuesday wednesday thursday friday saturday sunday')

const fields: readonly Field[] = [
  { name: 'a second', low: 0, high: 59 },
  { name: 'a minute', low: 0, high: 59 },
  { name: 'an hour', low: 0, high: 23 },
  { name: 'a day of month', low: 1, high: 31, special: `[Ll](?:[Ww]|-${between(1, 30)})?|${between(1, 31)}[Ww]`, alone: '\\?' },
  { name: 'a month', low: 1, high: 12, words: months },
  { name: 'a day of week', low: 0, high: 7, words: days, special: `(?:[0-7]|${oneOf(days)})(?:[Ll]|#[1-5])`, alone: '\\?' },
]

const number = (low: number, high: number): string => `0?${between(low, high)}`

/** Lists of items, each within the field's bounds. */
function listOf({ low, high, words = [], special, alone }: Field): string {
  const step = `(?:/${number(1, high - low + 1)})?`
  const range = (value: string) => `${value}(?:-${value}${step})?`
  const names = words.length === 0 ? [] : [range(oneOf([...new Set(words)]))]
  const item = oneOf([`\\*${step}`, range(number(low, high)), ...names, ...(special === undefined ? [] : [special])])
  return oneOf([`(?:${item},)*${item}`, ...(alone === undefined ? [] : [alone])])
}

/** A range that ends before it begins. Numbers are compared the same way in every field. */
const backwards = oneOf([
  ...Array.from({ length: 59 }, (_, index) => `0?${index + 1}-${number(0, index)}`),
  ...months.slice(1).map((word, index) => `${word}-${oneOf(months.slice(0, index + 1))}`),
  ...days.slice(2, -1).map((word, index) => `${word}-${oneOf(days.slice(1, index + 2))}`),
])
const nicknames = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'].map(anyCase)

const [second, ...others] = fields.map(listOf)
const whole = `^ *(?:@${oneOf(nicknames)}|(?:${second} +)?${others.join(' +')}) *$`
const turned = `(?:^|[ ,])${backwards}(?:[ ,/]|$)`

const lengthMax = 500
const hint = 'five fields, or six with seconds first: minute 0-59, hour 0-23, day 1-31, month 1-12, day of week 0-7; ranges in order'

/** The same as keywords of JSON Schema: a short pattern that a person can read, then the exact ones. */
export const cronKeywords: Keywords = {
  pattern: '^ *(@[A-Za-z]+|[0-9A-Za-z*/,#?-]+( +[0-9A-Za-z*/,#?-]+){4,5}) *$',
  maxLength: lengthMax,
  ...hinted({ pattern: whole, not: { pattern: turned } }, hint),
}

const taken = new RegExp(whole, 'u')
const fieldsTaken = fields.map((field) => ({ name: field.name, taken: new RegExp(`^${listOf(field)}$`, 'u') }))
const range = new RegExp(turned, 'u')

/** Why an expression is not taken, in half a sentence; undefined where it is. */
export function cronProblem(text: string): string | undefined {
  if (text.length > lengthMax) return `it is longer than ${lengthMax} characters`
  const expression = text.replaceAll(/^ +| +$/g, '')
  const reversed = range.exec(expression)
  if (reversed !== null) return `the range "${reversed[0].replaceAll(/[ ,/]/g, '')}" ends before it begins`
  if (taken.test(expression)) return undefined
  if (expression.startsWith('@')) return `"${expression}" is none of ${nicknamesText}`
  const parts = expression === '' ? [] : expression.split(/ +/)
  if (parts.length !== 5 && parts.length !== 6) return `expected 5 or 6 fields but got ${parts.length}`
  const wrong = parts.flatMap((part, index) => {
    const field = fieldsTaken[index + fields.length - parts.length]
    return field === undefined || field.taken.test(part) ? [] : [`"${part}" is not ${field.name}`]
  })
  return wrong.join('; ')
}

const nicknamesText = '@yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'
