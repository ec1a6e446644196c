import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import { readOrder, report } from './exchange.ts'
import { mutantSwitch } from './mutantSwitch.ts'

const limitOfTestMs = 120_000

/** Runs the tests with one mutant, which is already active while the modules are loaded. */
export default class OnlyRunner extends TestRunner {
  readonly #mutant = onlyMutant()

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config)
    mutantSwitch.activeMutant = this.#mutant
  }

  override onBeforeTryTask(test: RunnerTestCase, options: Parameters<TestRunner['onBeforeTryTask']>[1]): void {
    super.onBeforeTryTask(test, options)
    report({ kind: 'begins', mutant: this.#mutant, limitMs: limitOfTestMs })
  }

  /** A file also fails if it cannot be loaded. */
  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    if (files.some(({ result }) => result?.state === 'fail')) report({ kind: 'noticed', mutant: this.#mutant, isTimeout: false })
  }
}

function onlyMutant(): string {
  const { mutants } = readOrder()
  if ('only' in mutants) return mutants.only
  throw new Error('the order has several mutants')
}
