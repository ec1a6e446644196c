import * as fc from 'fast-check'

/** A cron expression, and whether it must be accepted. The grammar is written here a second time, to draw expressions from it. */
export type Drawn = { readonly text: string; readonly accepted: boolean }

type Field = { readonly low: number; readonly high: number; readonly words?: readonly string[]; readonly special?: readonly string[] }
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Field[] = [
  { low: 0, high: 59 },
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31, special: ['L', 'LW', 'L-3', 'l', '15W', '31w'] },
  { low: 1, high: 12, words: months },
  { low: 0, high: 7, words: days, special: ['5L', '1#2', 'friL', 'mon#5', '0#1'] },
]

const mostly = fc.integer({ min: 0, max: 19 }).map((drawn) => drawn > 0)

/** A number, mostly within the bounds, sometimes a little or far beyond them. */
const numberOf = ({ low, high }: Field) =>
  fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: low, max: high }) },
    fc.constantFrom(low - 1, high + 1, 99, 4_000_000_000).filter((n) => n >= 0),
  )
const written = (number: number) => fc.constantFrom(String(number), String(number).padStart(2, '0'))
const stepOf = ({ low, high }: Field) => {
  const most = high - low + 1
  return fc.option(
    fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: most }) }, fc.constantFrom(0, most + 1)).map((step) => ({
      text: `/${step}`,
      accepted: step >= 1 && step <= most,
    })),
    { nil: { text: '', accepted: true } },
  )
}
const cased = (word: string) => fc.constantFrom(word, word.toUpperCase(), word.slice(0, 1).toUpperCase() + word.slice(1))

function itemOf(field: Field): fc.Arbitrary<Drawn> {
  const inside = (number: number) => number >= field.low && number <= field.high
  const one = numberOf(field).chain((number) => written(number).map((text) => ({ text, accepted: inside(number) })))
  const range = fc.tuple(numberOf(field), numberOf(field), mostly).chain(([a, b, sorted]) => {
    const [from, to] = sorted ? [Math.min(a, b), Math.max(a, b)] : [a, b]
    return fc.tuple(written(from), written(to), stepOf(field)).map(([first, last, step]) => ({
      text: `${first}-${last}${step.text}`,
      accepted: step.accepted && inside(from) && inside(to) && from <= to,
    }))
  })
  const every = stepOf(field).map((step) => ({ text: `*${step.text}`, accepted: step.accepted }))
  const { words = [], special = [] } = field
  const others: fc.Arbitrary<Drawn>[] = []
  if (words.length > 0) {
    const place = fc.nat(words.length - 1)
    const word = (index: number) => cased(words[index] as string)
    others.push(place.chain(word).map((text) => ({ text, accepted: true })))
    others.push(
      fc.tuple(place, place, mostly).chain(([a, b, sorted]) => {
        const [from, to] = sorted ? [Math.min(a, b), Math.max(a, b)] : [a, b]
        const accepted = from <= to || (words === days && to === 0)
        return fc.tuple(word(from), word(to)).map(([first, last]) => ({ text: `${first}-${last}`, accepted }))
      }),
    )
  }
  if (special.length > 0) others.push(fc.constantFrom(...special).map((text) => ({ text, accepted: true })))
  const junk = fc.constantFrom(',', '1,,2', '*5', '5/10', 'x', '-5', '5-', '1.5', '?5', 'W', 'L-0', '8L', '1#6', 'janfeb', '**')
  return fc.oneof(
    { weight: 30, arbitrary: every },
    { weight: 20, arbitrary: one },
    { weight: 15, arbitrary: range },
    ...others.map((arbitrary) => ({ weight: 10, arbitrary })),
    { weight: 1, arbitrary: junk.map((text) => ({ text, accepted: false })) },
  )
}

const joined = (parts: readonly Drawn[], by: string): Drawn => ({
  text: parts.map(({ text }) => text).join(by),
  accepted: parts.every(({ accepted }) => accepted),
})
const listOf = (field: Field) => fc.array(itemOf(field), { minLength: 1, maxLength: 3 }).map((items) => joined(items, ','))

const [second, ...rest] = fields.map(listOf) as [fc.Arbitrary<Drawn>, ...fc.Arbitrary<Drawn>[]]
const five = fc.tuple(...rest)
const six = fc.tuple(second, ...rest)

export const anyCron: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 10, arbitrary: five.map((parts) => joined(parts, ' ')) },
  { weight: 5, arbitrary: six.map((parts) => joined(parts, '  ')) },
  fc.tuple(five, fc.integer({ min: 0, max: 4 })).map(([parts, count]) => ({ ...joined(parts.slice(0, count), ' '), accepted: false })),
  six.map((parts) => ({ text: `${joined(parts, ' ').text} *`, accepted: false })),
  fc.constantFrom('@hourly', ' @Daily', '@YEARLY ', '@weekly').map((text) => ({ text, accepted: true })),
  fc.constantFrom('@reboot', '@', 'every 5m', '', ' ', '*/10 * * * *\n', '\t* * * * *').map((text) => ({ text, accepted: false })),
)
