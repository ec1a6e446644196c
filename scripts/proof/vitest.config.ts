import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These test files take half a minute when the code contains all mutants. */
const slow = /\/(limiters|anyPlan|cost)\.test\.ts$|\.long\.test\.ts$/

/** Most of the code that is mutated has its tests in these folders. */
const near = /\/unit\/(?:core|render|cycle|declaration)\/\w+\.test\.ts$/

/** A mutant dies at its first failing test, so quick tests run first: near ones, then others, then slow ones, each from small to large. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification) =>
      statSync(moduleId).size + (near.test(moduleId) ? 0 : 1e6) + (slow.test(moduleId) ? 1e7 : 0)
    return files.toSorted((a, b) => cost(a) - cost(b))
  }
}

/**
 * The tests against which mutants are tried. Stryker cannot choose among the projects of vitest, so the files are listed here. House tests are left
 * out: they read the source as text. Tests of speed are left out: code that contains all mutants is slower than they allow. Property tests are left
 * out: an example test should notice each mutant, too.
 */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/functional/directories/ldap.test.ts'],
    // A test of validate.ts needs more stack than a process with mutants in its code has.
    exclude: ['test/unit/{house,properties}/**', '**/*.speed.long.test.ts', 'test/unit/yaml/validate.test.ts'],
    setupFiles: ['scripts/proof/seed.ts'],
    testTimeout: 120_000,
    env: { PLANE_GROUP_SYNC_LONG: '1' },
    // One worker for all files of a mutant, and a new one for the next mutant.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
})
