import { relative } from 'node:path'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import { readOrder, report, root } from './exchange.ts'
import { mutantSwitch } from './mutantSwitch.ts'

/** The limits of StrykerJS in `mutation.ts`, and its own for hits. A busy machine is slow, so only an endless loop should exceed them. */
const limitMs = (ms: number) => 30_000 + 3 * ms
const hitLimit = (hits: number) => 100 * hits
const limitOfTestMs = 600_000
/** A test that takes longer would need minutes or hours for all mutants that it reaches, so it tries none. */
const slowMs = 3_000

/** In the place of a test's id. What runs with it is counted, but nothing reads it. */
const notCounted = 'not counted'

/** `alone`, `again` and `after` are without a mutant. */
type Try = { readonly kind: 'alone' | 'again' | 'end' } | { readonly kind: 'with' | 'after'; readonly mutant: string }
type TryOptions = Parameters<TestRunner['onBeforeTryTask']>[1]

/**
 * Runs each test without mutants, then once more for each mutant that it reaches, unless an earlier test noticed this mutant. A failure counts
 * only if the test passes again without the mutant. A test that is slow, or that fails when it is repeated without mutants, tries none.
 */
export default class EachRunner extends TestRunner {
  readonly #open = new Set(openMutants())
  /** The mutants that the tests of the present file reach. */
  #ofFile = new Set<string>()
  /** Those that the present test has to try. */
  #toTry: string[] = []
  #hits: Readonly<Record<string, number>> = {}
  #now: Try = { kind: 'alone' }
  #begunMs = 0
  #aloneMs = 0

  /** Only code that runs while the files of tests and the sources are imported counts as loaded. */
  onBeforeCollect(): void {
    mutantSwitch.currentTestId = undefined
  }

  onCollected(): void {
    mutantSwitch.currentTestId = notCounted
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    test.repeats = Number.POSITIVE_INFINITY
    this.#now = { kind: 'alone' }
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TryOptions): void {
    super.onBeforeTryTask(test, options)
    const now = this.#now
    // Vitest has no other way to end the repeats.
    if (now.kind === 'end') test.context.skip()
    const mutant = now.kind === 'with' ? now.mutant : undefined
    report({ kind: 'begins', mutant, limitMs: now.kind === 'alone' ? limitOfTestMs : limitMs(this.#aloneMs) })
    mutantSwitch.currentTestId = now.kind === 'alone' ? test.id : notCounted
    mutantSwitch.hitCount = 0
    mutantSwitch.hitLimit = hitLimit(this.#hits[mutant ?? ''] ?? 0)
    mutantSwitch.activeMutant = mutant
    this.#begunMs = performance.now()
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TryOptions): Promise<void> {
    mutantSwitch.activeMutant = undefined
    mutantSwitch.currentTestId = notCounted
    await super.onAfterRetryTask(test, options)
    const { result } = test
    if (result === undefined || this.#now.kind === 'end') return
    const error = result.state === 'fail' ? (result.errors?.[0]?.message ?? 'no message') : undefined
    // Otherwise vitest keeps the errors of all tries.
    delete result.errors
    result.state = 'pass'
    this.#now = await this.#next(test, this.#now, error)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if ('filepath' in suite) {
      const loaded = Object.keys(mutantSwitch.mutantCoverage?.static ?? {})
      report({ kind: 'finished', file: relative(root, suite.file.filepath), reached: [...this.#ofFile], loaded })
      this.#ofFile = new Set()
    }
    await super.onAfterRunSuite(suite)
  }

  async #next(test: RunnerTestCase, now: Try, error: string | undefined): Promise<Try> {
    switch (now.kind) {
      case 'alone':
        if (error !== undefined) await endedAfter(() => report({ kind: 'broken', test: `${test.file.name}: ${test.name}`, error }))
        return this.#afterAlone(test)
      case 'again':
        return error === undefined ? this.#nextMutant() : { kind: 'end' }
      case 'with': {
        const { mutant } = now
        if (error === undefined) return this.#nextMutant()
        if (error.startsWith('Test timed out')) await endedAfter(() => report({ kind: 'noticed', mutant, isTimeout: true }))
        return { kind: 'after', mutant }
      }
      case 'after': {
        const { mutant } = now
        if (error !== undefined) await endedAfter(() => report({ kind: 'disturbed', mutant }))
        report({ kind: 'noticed', mutant, isTimeout: false })
        this.#open.delete(mutant)
        return this.#nextMutant()
      }
      case 'end':
        return now
      default:
        return now satisfies never
    }
  }

  #afterAlone(test: RunnerTestCase): Try {
    this.#aloneMs = performance.now() - this.#begunMs
    const perTest = mutantSwitch.mutantCoverage?.perTest ?? {}
    this.#hits = perTest[test.id] ?? {}
    delete perTest[test.id]
    for (const mutant of Object.keys(this.#hits)) this.#ofFile.add(mutant)
    this.#toTry = Object.keys(this.#hits).filter((mutant) => this.#open.has(mutant))
    return { kind: this.#toTry.length === 0 || this.#aloneMs > slowMs ? 'end' : 'again' }
  }

  #nextMutant(): Try {
    const mutant = this.#toTry.shift()
    return mutant === undefined ? { kind: 'end' } : { kind: 'with', mutant }
  }
}

function openMutants(): readonly string[] {
  const { mutants } = readOrder()
  return 'each' in mutants ? mutants.each : []
}

/** Reports that this process is of no more use, and waits until it is ended. */
async function endedAfter(report: () => void): Promise<never> {
  report()
  return new Promise(() => undefined)
}
