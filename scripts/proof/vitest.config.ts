import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** With all mutants in the code they take half a minute. */
const slow = /\/(limiters|anyPlan|cost)\.test\.ts$/

/** A mutant dies at its first failing test, so the quick ones go first: those of the core, the small before the large, the slow ones last. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification) =>
      statSync(moduleId).size + (/\/unit\/core\/\w+\.test\.ts$/.test(moduleId) ? 0 : 1e6) + (slow.test(moduleId) ? 1e7 : 0)
    return files.toSorted((a, b) => cost(a) - cost(b))
  }
}

/**
 * What mutants are tried against. Stryker cannot choose among projects. The house tests read the source as text; with all mutants in it the
 * code is slower than tests of speed allow; and what properties notice by drawing thousands of worlds is for examples to say as well.
 */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/functional/directories/ldap.test.ts'],
    // A test of validate.ts needs the stack of a process that has no mutants in its code.
    exclude: ['test/unit/{house,properties}/**', '**/*.speed.test.ts', 'test/unit/yaml/validate.test.ts'],
    setupFiles: ['scripts/proof/seed.ts'],
    testTimeout: 120_000,
    // One worker for all files of a mutant, and a new one for the next mutant.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
})
