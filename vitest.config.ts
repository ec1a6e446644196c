import { defineConfig } from 'vitest/config'

const suite = (name: string, include: string[], testTimeout: number, exclude: string[] = []) => ({
  test: { name, include, exclude, testTimeout, hookTimeout: testTimeout },
})

/** `npm test` runs unit and functional; the other suites need installed servers or tools, and are called by name. */
export default defineConfig({
  test: {
    projects: [
      suite('unit', ['test/unit/**/*.test.ts'], 10_000),
      suite('functional', ['test/functional/**/*.test.ts'], 60_000, ['test/functional/servers/**']),
      suite('servers', ['test/functional/servers/**/*.test.ts'], 300_000),
      suite('chart', ['test/chart/**/*.test.ts'], 120_000),
      suite('image', ['test/image/**/*.test.ts'], 900_000),
    ],
  },
})
