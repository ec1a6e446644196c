import { defineConfig } from 'vitest/config'

const suite = (name: string, include: string[], testTimeout: number, exclude: string[] = []) => ({
  test: { name, include, exclude, testTimeout, hookTimeout: testTimeout },
})

/** `npm test` runs unit and functional; the other suites need installed servers and are called by name. */
export default defineConfig({
  test: {
    projects: [
      suite('unit', ['test/unit/**/*.test.ts'], 5_000),
      suite('functional', ['test/functional/**/*.test.ts'], 30_000, ['test/functional/servers/**']),
      suite('servers', ['test/functional/servers/**/*.test.ts'], 180_000),
    ],
  },
})
