import { describe, expect, test } from 'vitest'
import { codeOf, filesBelow, importsOf } from '../unit/house/files.ts'
import { type Plant, plants } from './plants.ts'
import { type Found, foundText, search } from './report.ts'
import { specOf } from './seed.ts'
import { simulate } from './simulate.ts'
import { runWorld } from './world.ts'

/** `PLANE_GROUP_SYNC_WORLDS=50000` runs more worlds. */
const worlds = Number(process.env['PLANE_GROUP_SYNC_WORLDS'] ?? 5_000)
const within = 50_000
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const files = filesBelow('test/simulation', '.ts')

test(`no promise is broken in ${worlds} worlds`, { timeout: 60_000 + worlds * 150 }, async () => {
  const { broken, worlds: run, faults } = await simulate({ from: 0, worldsMax: worlds })
  expect(broken.map(({ seed, violation }) => `npm run simulate -- --seed ${seed}: ${violation.promise}: ${violation.what}`)).toEqual([])
  expect(run).toBe(worlds)
  process.stdout.write(`${worlds} worlds; ${JSON.stringify(faults)}\n`)
})

/** Worlds with higher seeds than the test above tries by default. In each of them the auditor once reported a broken promise, rightly or wrongly. */
const brokenOnce = [
  1745, 2563, 3214, 4364, 6473, 7277, 8783, 9060, 9745, 13_011, 14_167, 14_843, 16_165, 16_643, 17_251, 18_671, 25_515, 27_091, 30_028,
  30_134, 32_318, 34_356, 36_947, 47_842, 52_494, 55_719, 77_558, 86_744, 92_418, 100_909, 110_077, 126_761, 134_349, 134_583, 150_433,
  164_403, 200_100, 201_119, 238_836, 239_091, 243_153, 254_874, 294_503, 310_178, 313_346, 326_187, 403_932, 404_763, 409_470, 464_336,
  505_506, 522_262, 524_223, 680_821, 690_951, 831_514, 835_526, 838_668, 900_133, 900_222, 901_476, 901_719, 908_826, 914_276, 914_671,
  923_145, 999_422, 1_025_048, 1_025_793, 1_026_431, 1_048_797, 1_501_292, 1_509_985,
]

test.concurrent.each(brokenOnce)('the promises hold in world %i, where one was broken once', { timeout: 180_000 }, async (seed) => {
  const { broken } = await simulate({ from: seed, worldsMax: 1, workers: 1 })
  expect(broken).toEqual([])
})

async function found(plant: Plant): Promise<Found> {
  if (plant.world !== undefined) {
    const again = await search(plant, { from: plant.world, worldsMax: 1, workers: 1 })
    if (again.seed !== undefined) return again
  }
  return search(plant, { from: 0, worldsMax: within })
}

describe(`each planted mistake is found within ${within} worlds`, () => {
  test.concurrent.each(plants.filter(({ rare }) => rare !== true))('$name', { timeout: 1_800_000 }, async (plant) => {
    const one = await found(plant)
    process.stdout.write(`${foundText(one)}\n`)
    expect(one.seed).toBeDefined()
  })
})

test('the same seed gives the same world, event by event', async () => {
  const [first, again] = await Promise.all([runWorld(specOf(7), turn, true), runWorld(specOf(7), turn, true)])
  expect(first.trace.length).toBeGreaterThan(50)
  expect(again.trace).toEqual(first.trace)
})

describe('what is simulated', () => {
  const ofTheMachine = new Set(
    ['worker.ts', 'main.ts', 'simulate.ts', 'plantHook.ts', 'simulation.test.ts'].map((name) => `test/simulation/${name}`),
  )

  test('asks the machine for no time, timer or chance', () => {
    const wrong = files
      .filter(({ path }) => !ofTheMachine.has(path))
      .filter((file) =>
        /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|\bset(?:Timeout|Interval|Immediate)\b|\brandomUUID\b/.test(
          codeOf(file),
        ),
      )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('is audited by what shares no code with the program', () => {
    const auditing = files.filter(({ path }) => path.includes('/audit') || /\/(?:declared|fences|given)\.ts$/.test(path))
    expect(auditing.length).toBeGreaterThan(7)
    expect(auditing.flatMap((file) => importsOf(file).filter((name) => name.includes('src/')))).toEqual([])
  })
})
