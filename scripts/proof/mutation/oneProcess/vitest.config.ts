import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import stryker from '../../vitest.config.ts'
import { cacheFolder, readOrder, root } from './exchange.ts'

const { sources, tests, skipped = [], mutants } = readOrder()
const { include, exclude = [], ...same } = stryker.test ?? {}

/** The tests of StrykerJS, in one worker, with mutants in the sources. */
export default defineConfig({
  root,
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => sources[relative(root, id)] }],
  test: {
    ...same,
    include: [...(tests ?? include ?? [])],
    exclude: [...exclude, ...skipped],
    pool: 'threads',
    maxWorkers: 1,
    fsModuleCachePath: cacheFolder,
    runner: join(import.meta.dirname, 'each' in mutants ? 'eachRunner.ts' : 'onlyRunner.ts'),
  },
})
