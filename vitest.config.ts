import { defineConfig } from 'vitest/config'

const suite = (name: string, include: string[], testTimeout: number, exclude: string[] = []) => ({
  // `expect.poll` waits for an event. Its default of 1 s is too short for a busy machine.
  test: { name, include, exclude, testTimeout, hookTimeout: testTimeout, expect: { poll: { timeout: 20_000 } } },
})

type Suite = ReturnType<typeof suite>

/** Files that come after each other in one process load each module once. Without this, loading takes half of the time of `npm test`. */
const inOneProcess = ({ test }: Suite) => ({ test: { ...test, isolate: false } })

/** What starts the program as a process of its own. */
const processes = [
  'test/functional/process/**/*.test.ts',
  'test/functional/bundle/**/*.test.ts',
  'test/functional/directoryFaults/*.test.ts',
  'test/functional/bad-input.test.ts',
  'test/functional/demo.test.ts',
  'test/functional/planPicture.test.ts',
]
/** What is only in the long suite: what takes more than about two seconds. */
const onlyLong = ['test/**/*.long.test.ts']
/** Files of `npm test` that have more in the long suite: `test/long.ts`. */
const partlyLong = [
  'test/functional/{daemon,edits}.test.ts',
  'test/functional/directories/ldap.test.ts',
  'test/unit/properties/*.test.ts',
  'test/unit/core/{scrub,scrubEncoded}.test.ts',
  'test/unit/cycle/{cycle,workspace}.test.ts',
  'test/unit/declaration/{invalidFiles,repeated}.test.ts',
  'test/unit/directories/ldapSeen.test.ts',
  'test/unit/render/{anyPlan,doors,markdown,surface}.test.ts',
  'test/unit/sandbox/load.test.ts',
  'test/unit/yaml/parse.test.ts',
]
const servers = ['test/functional/servers/**/*.test.ts']
/** What runs programs of others: the clients that Plane publishes, and versions of Node. */
const clients = ['test/functional/clients/*.test.ts']

/** What needs Chromium. */
const browser = ['test/functional/browser/*.test.ts']

/** `npm test` runs unit and functional; the other suites take longer, or need installed servers or tools, and are called by name. */
export default defineConfig({
  test: {
    projects: [
      // The timeout is long, so that a busy machine does not look like an endless loop.
      inOneProcess(suite('unit', ['test/unit/**/*.test.ts'], 180_000, onlyLong)),
      inOneProcess(
        suite('functional', ['test/functional/**/*.test.ts'], 180_000, [
          ...processes,
          ...servers,
          'test/functional/clients/**',
          ...browser,
          ...onlyLong,
        ]),
      ),
      { test: { ...suite('long', [...onlyLong, ...partlyLong], 600_000).test, env: { PLANE_GROUP_SYNC_LONG: '1' } } },
      // `npm run test:functional` runs these three projects together, with two workers on any machine. vitest requires the same number for each.
      { test: { ...suite('processes', processes, 120_000, onlyLong).test, maxWorkers: 2 } },
      { test: { ...suite('servers', servers, 300_000).test, maxWorkers: 2 } },
      { test: { ...suite('clients', clients, 60_000).test, maxWorkers: 2 } },
      suite('browser', browser, 120_000),
      suite('chart', ['test/chart/**/*.test.ts'], 120_000),
      suite('release', ['test/release/**/*.test.ts'], 600_000),
      suite('image', ['test/image/**/*.test.ts'], 900_000),
      {
        test: {
          ...suite('kubernetes', ['test/kubernetes/**/*.test.ts'], 600_000).test,
          globalSetup: 'test/kubernetes/cluster/setup.ts',
          maxWorkers: 3,
        },
      },
      suite('simulation', ['test/simulation/**/*.test.ts'], 60_000),
    ],
  },
})
