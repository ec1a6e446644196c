import { expect, test, vi } from 'vitest'
import { limiters, publications } from '../../../../src/sandbox/throttle.ts'
import { boundMs } from './bound.ts'
import { bursts, irregular, past, steady } from './spenders.ts'
import { follow, minute, startMs, type World, world } from './world.ts'

const plain = world({}).settings
const reserved = { ...plain, reserve: 0.1 }
const thirds = {
  steadily: () => steady(20),
  irregularly: (seed: number) => irregular(20, seed),
  'in bursts': (seed: number) => bursts(20, seed),
}
const half = { requests: 30, windowMs: minute }
const lowered = [{ atMs: startMs + 70_000, requests: 30 }]

type Row = readonly [name: string, world: (seed: number) => Partial<World>]
const rows: readonly Row[] = [
  ['alone, from a known start', () => ({})],
  ['the same with a reserve of 10 %', () => ({ settings: reserved })],
  ['used up by a burst 30 s ago', () => ({ others: past(60, 30_000) })],
  ['used up evenly', () => ({ others: past(60, 59_500, 1000) })],
  ['restarted after 50 of the 60', () => ({ others: past(50, 30_000) })],
  ['restarted after 20 s and 95 s', () => ({ restartsMs: [startMs + 20_000, startMs + 95_000] })],
  ...Object.entries(thirds).flatMap(([how, others]): Row[] => [
    [`others take a third, ${how}`, (seed) => ({ others: others(seed) })],
    ['the same with a reserve of 10 %', (seed) => ({ others: others(seed), settings: reserved })],
  ]),
  ['the limit halved after 70 s', () => ({ changes: lowered })],
  ['the same with a reserve of 10 %', () => ({ changes: lowered, settings: reserved })],
  ['half of what the settings say', () => ({ limit: half })],
  ['the same with a reserve of 10 %', () => ({ limit: half, settings: reserved })],
]

const seeds = [1, 2]
const roundTripsMs = (60 / 4) * 110 + 200
const boundsOf = ([, more]: Row) => limiters.map((limiter) => seeds.map((seed) => boundMs(world({ limiter, ...more(seed) }))))

/**
 * Measures 300 calls at 60 a minute with each limiter and each kind of published numbers: own 429s, and time ÷ the shortest possible time (with
 * the round trips of a window). Each is the worst of two seeds. The whole table is in `limiters.txt`; the tests assert the rules.
 */
const measure = () =>
  rows.map((row) => {
    const bounds = boundsOf(row)
    const [name, more] = row
    const cellOf = (published: World['published'], limiter: World['limiter'], column: number) => {
      const courses = seeds.map((seed) => follow(world({ limiter, published, seed, ...more(seed) })))
      const refused = Math.max(...courses.map(({ refusedMs }) => refusedMs.length))
      const times = courses.map(({ tookMs }, nth) => tookMs / ((bounds[column]?.[nth] as number) + roundTripsMs))
      return { published, limiter, refused, time: Math.max(...times) }
    }
    return { name, by: publications.map((published) => limiters.map((limiter, column) => cellOf(published, limiter, column))) }
  })

// The first test runs the measurement, so a tool that records which test runs which code finds it.
let once: ReturnType<typeof measure> | undefined
const measured = () => (once ??= measure())
vi.setConfig({ testTimeout: 60_000 })

test('what each limiter costs', async () => {
  const cell = (text: string) => text.padEnd(17)
  const lines = measured().flatMap(({ name, by }) => [
    '',
    name,
    ...by.map(
      (cells, nth) => cell(publications[nth] as string) + cells.map(({ refused, time }) => cell(`${refused} ×${time.toFixed(2)}`)).join(''),
    ),
  ])
  const head = cell('429s ×time') + limiters.map(cell).join('')
  await expect(`${[head, ...lines].map((line) => line.trimEnd()).join('\n')}\n`).toMatchFileSnapshot('limiters.txt')
})

type Measured = ReturnType<typeof measure>[number]['by'][number][number] & { readonly row: string }
/** The wanted cells, each as one line of text. */
const such = (wanted: (one: Measured) => boolean) =>
  measured()
    .flatMap(({ name, by }) => by.flat().map((one): Measured => ({ row: name, ...one })))
    .filter(wanted)
    .map(({ row, published, limiter, refused, time }) => `${row}, ${limiter}, ${published}: ${refused} ×${time.toFixed(2)}`)

const counts = ({ limiter }: Measured) => limiter !== 'sliding-counter'
const tells = ({ published }: Measured) => published === 'counted' || published === 'unlocked'

test('nobody who counts refuses anything from a known start, whatever they publish, and it takes the shortest time', () => {
  const [alone, withReserve] = measured()
  for (const one of alone?.by.flat().filter(({ limiter }) => limiter !== 'sliding-counter') ?? []) {
    expect(one).toMatchObject({ refused: 0 })
    expect(one.time).toBeLessThanOrEqual(1.02)
  }
  // A token bucket with a reserve is full again before the window ends, so it is not compared here.
  for (const one of withReserve?.by.flat().filter(({ limiter }) => limiter === 'sliding-log' || limiter === 'fixed-window') ?? []) {
    expect(one).toMatchObject({ refused: 0 })
    expect(one.time).toBeLessThanOrEqual(1.02)
  }
})

test('who tells what is left refuses once where the past is unknown, and again after each restart', () => {
  expect(such((one) => counts(one) && tells(one) && one.row.startsWith('used up') && (one.refused > 1 || one.time > 1.1))).toEqual([])
  expect(such((one) => counts(one) && tells(one) && one.row.startsWith('restarted after 50') && one.refused > 1)).toEqual([])
  expect(such((one) => counts(one) && tells(one) && one.row.startsWith('restarted after 20') && one.refused > 2)).toEqual([])
})

test('everywhere: a few refusals, and less than three times the shortest time', () => {
  expect(such(({ refused, time }) => refused > 13 || time > 3)).toEqual([])
})

test.each(['ratelimit', 'ratelimit-03'] as const)('what is left is understood under the names of %s', (fields) => {
  for (const limiter of limiters) {
    const others = past(60, 30_000)
    const [plane, draft] = (['x-ratelimit', fields] as const).map((names) => follow(world({ limiter, others, fields: names })))
    expect(draft?.refusedMs.length).toBeLessThanOrEqual(1 + (plane?.refusedMs.length ?? 0))
    expect(draft?.tookMs).toBeLessThanOrEqual(1.02 * (plane?.tookMs ?? 0))
  }
})

test('the reserve is left: always when we are alone, all but always when others come and go', () => {
  const below = (limiter: World['limiter'], others: readonly number[]) =>
    seeds.map((seed) => follow(world({ limiter, others, seed, settings: reserved })).belowReserve)
  for (const limiter of ['sliding-log', 'fixed-window', 'token-bucket'] as const) expect(Math.max(...below(limiter, []))).toBe(0)
  for (const others of Object.values(thirds)) expect(Math.max(...below('sliding-log', others(3)))).toBeLessThanOrEqual(8)
})

test('with a reserve nobody who counts and tells refuses anything, also where others take a third, as long as they do not come in bursts', () => {
  const reserve = measured().filter(({ name }, row) => name.startsWith('the same') && /steadily|irregularly/.test(rows[row - 1]?.[0] ?? ''))
  expect(reserve).toHaveLength(2)
  for (const one of reserve.flatMap(({ by }) => by.flat())) {
    if (one.published === 'counted' || one.published === 'unlocked') expect(one).toMatchObject({ refused: 0 })
  }
})
