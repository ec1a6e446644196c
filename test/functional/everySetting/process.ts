import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { beginRun, type JournalledRun } from '../../../src/commands/journal.ts'
import { worldFor } from '../../../src/commands/open.ts'
import { openWriting } from '../../../src/commands/writing.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { SeenList } from '../../../src/core/memory/seen.ts'
import { recordOf } from '../../../src/core/memory/shardedMap.ts'
import { runCycle } from '../../../src/cycle/cycle.ts'
import { runDaemon } from '../../../src/daemon/daemon.ts'
import { openMetrics } from '../../../src/daemon/metrics.ts'
import { openRunning } from '../../../src/daemon/running.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { terminalOf } from '../terminal.ts'
import { composed, env, standIn, usual } from './composed.ts'
import { secretRows } from './plane.ts'
import { over, type Row, type Tree, when } from './row.ts'

/** Settings of the process: its schedule, its HTTP address, its journal, its `unknownOutcomeWait` and its log. */

type Running = { readonly nextMs: number; readonly url: string | undefined }

/** The daemon from its start until it waits for the next cycle. */
async function daemon<T>(settings: Tree, look: (running: Running) => T): Promise<Awaited<T>> {
  await using program = await composed(settings['http'] === undefined ? { ...settings, http: 'none' } : settings)
  const { loaded, world, logged } = program
  const metrics = openMetrics({ version: '', node: '', queues: () => [], dateOf: (atMs) => atMs, onError: () => {} })
  const next = Promise.withResolvers<number>()
  const stop = new AbortController()
  const running = runDaemon(
    {
      ...{ loaded, world, program: program.program, memory: () => emptyMemory, signals: new EventEmitter() },
      running: openRunning({ now: Date.now, queues: () => program.program.queues, work: program.program.work }),
      ...{ onProgram: () => {}, onRequest: () => {}, markIdle: async () => {}, bind: async () => {} },
      metrics: { ...metrics, observeNext: next.resolve },
      page: { scrub: (text) => text, last: () => undefined },
      cycle: { now: Date.now, wall: Date.now, memory: () => emptyMemory, rebind: async () => undefined },
    },
    stop.signal,
  )
  try {
    const nextMs = await Promise.race([next.promise, running.then(() => Number.NaN)])
    const listening = logged.find((line) => line.includes('"listening"'))
    return await look({ nextMs, url: listening === undefined ? undefined : (JSON.parse(listening) as { url: string }).url })
  } finally {
    stop.abort()
    await running
  }
}

const next = (settings: Tree) => daemon(settings, ({ nextMs }) => new Date(nextMs).toISOString().slice(5, 16))
const listening = (settings: Tree) =>
  daemon(settings, async ({ url }) =>
    url === undefined ? 'nothing listens' : `${new URL(url).hostname}: ${(await fetch(`${url}/healthz`)).status}`,
  )

/** The secret with which the page opens. */
const opened = (settings: Tree) =>
  daemon(settings, async ({ url = '' }) => {
    for (const secret of ['firstKey', 'secondKey', 'keyOfFile', 'keyOfFile2'])
      if ((await fetch(url, { headers: { authorization: `Basic ${btoa(`:${secret}`)}` } })).ok) return secret
    return undefined
  })

/** The status of the page for a client that asks for it under a name. */
const statusUnder = (host: string) => (settings: Tree) =>
  daemon(
    settings,
    ({ url = '' }) =>
      new Promise((resolve, reject) => {
        get(url, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      }),
  )
const onLoopback = { listen: '127.0.0.1:0' }

/** Opens the journal of these settings. `look` writes to it and looks at its folder. */
async function journal<T>(settings: Tree, look: (run: JournalledRun, folder: string) => Promise<T>): Promise<T> {
  await using program = await composed(settings)
  await mkdir(join(program.folder, 'state'))
  const disk = realDisk({ pid: process.pid, isAlive: () => false })
  const run = await beginRun(program.loaded, { run: 'r', version: '1', command: 'run', noWait: false, disk, now: () => nowMs })
  try {
    return await look(run, program.folder)
  } finally {
    await run.end()
  }
}

const nowMs = 1_000_000
const filesIn = async (folder: string) => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'))

/** Writes fifty kilobytes of entries, and returns the number of files. */
async function filesAfterMuch(run: JournalledRun, folder: string): Promise<number> {
  const source = 'x'.repeat(5_000)
  for (let n = 0; n < 10; n++) {
    await run.append({ kind: 'waiver', atMs: nowMs, run: 'r', workspace: 'acme' as never, fingerprint: '', passes: [], by: '', source })
  }
  return (await filesIn(join(folder, 'state'))).length
}

/** One cycle of a process that may write, at a service with two mappings. Of how many the journal keeps since when they have their roles. */
async function seenMappings(settings: Tree): Promise<number> {
  const projectMappings = ['devs', 'ops'].map((idp_group_name) => ({ id: randomUUID(), idp_group_name, role: 'guest', project: 'ENG' }))
  await using sandbox = await startSandbox({
    limit: { requests: 1_000, windowMs: 60_000 },
    state: { keys: [{ value: 'firstKey' }], workspaces: { acme: { projects: ['ENG'], projectMappings } } },
  })
  await using program = await composed(settings, { ports: { [standIn.plane]: sandbox.url } })
  await mkdir(join(program.folder, 'state'))
  const options = { command: 'run', lockedAs: 'run --once', waivers: [], noWait: true, loaded: program.loaded } as const
  await using open = await openWriting({}, terminalOf({ env, err: () => {} }), options, new AbortController().signal)
  await runCycle(open.program.sources, open.cycle, open.writing(open.program), new AbortController().signal)
  return Object.values<SeenList>(recordOf(open.run.memory().seen)).reduce(
    (sum, { mappings }) => sum + Object.keys(recordOf(mappings)).length,
    0,
  )
}

const row = (setting: string, cases: Row['cases'], see: Row['see'], more: Tree = {}): Row => ({
  setting,
  base: over(usual, more),
  cases,
  see,
})
const inState = { journal: { folder: 'state' } }
const yearly = { schedule: { cron: '30 12 1 1 *', jitter: '0s' } }

export const processRows: readonly Row[] = [
  row('schedule.cron', [when('30 12 1 1 *', '01-01T12:30'), when('0 6 2 2 *', '02-02T06:00')], next, yearly),
  row('schedule.timezone', [when('UTC', '01-01T12:30'), when('Asia/Tokyo', '01-01T03:30')], next, yearly),
  row('schedule.jitter', [when('0s', '01-01T12:30'), when('1h', '01-01T13:00')], next, yearly),
  row('http', [when('none', 'nothing listens'), when({ listen: '127.0.0.1:0' }, '127.0.0.1: 200')], listening),
  row('http.listen', [when('127.0.0.1:0', '127.0.0.1: 200'), when('0.0.0.0:0', '0.0.0.0: 200')], listening),
  ...secretRows('http.page.token', over(usual, { http: onLoopback }), opened),
  row(
    'http.page.behindTls',
    [
      when(false, 'the password would cross the network without TLS: http.listen, 0.0.0.0:0, is no loopback address'),
      when(true, '0.0.0.0: 200'),
    ],
    listening,
    { http: { listen: '0.0.0.0:0', page: { token: { env: 'KEY' } } } },
  ),
  row('http.page.hosts', [when([], 403), when(['status.example.com'], 200)], statusUnder('status.example.com'), {
    http: { ...onLoopback, page: { open: true } },
  }),
  row('journal', [when('none', []), when({ folder: 'state' }, ['journal-000001.jsonl'])], (settings) =>
    journal(settings, async (_run, folder) => filesIn(join(folder, 'state'))),
  ),
  row('journal.folder', [when('state', []), when('elsewhere', ['journal-000001.jsonl'])], (settings) =>
    journal(settings, async (_run, folder) => filesIn(join(folder, 'elsewhere'))),
  ),
  row('journal.bytesMax', [when(8_000_000, 1), when(20_000, 4)], (settings) => journal(settings, filesAfterMuch), inState),
  row('journal.filesMax', [when(3, 3), when(2, 2)], (settings) => journal(settings, filesAfterMuch), {
    journal: { folder: 'state', bytesMax: 10_000 },
  }),
  row('journal.seenMax', [when(50_000, 2), when(1, 0)], seenMappings, inState),
  row(
    'service.unknownOutcomeWait',
    [when('2m', 120_000), when('5m', 300_000)],
    (settings) => journal(settings, async ({ memory }) => memory().createsFromMs - nowMs),
    inState,
  ),
  row('service.unknownOutcomeWait', [when('2m', 120_000), when('5m', 300_000)], async (settings) => {
    await using program = await composed(settings)
    return (await program.cycle()).workspaces[0]?.about.unknownOutcomeWaitMs
  }),
  row(
    'log.level',
    [
      when('debug', ['debug', 'info', 'notice', 'warn', 'error']),
      when('info', ['info', 'notice', 'warn', 'error']),
      when('notice', ['notice', 'warn', 'error']),
      when('change', ['notice', 'warn', 'error']),
      when('warn', ['warn', 'error']),
      when('error', ['error']),
      when('silent', []),
    ],
    async (settings) => (await logLines(settings, false)).map((line) => (JSON.parse(line) as { level: string }).level),
  ),
  row(
    'log.format',
    [
      when('auto', { terminal: 'pretty', file: 'json' }),
      when('json', { terminal: 'json', file: 'json' }),
      when('pretty', { terminal: 'pretty', file: 'pretty' }),
    ],
    async (settings) => {
      const shape = async (isTerminal: boolean) => ((await logLines(settings, isTerminal))[0]?.startsWith('{') === true ? 'json' : 'pretty')
      return { terminal: await shape(true), file: await shape(false) }
    },
  ),
]

/** Logs one line of each level, and returns the lines that the log shows. */
async function logLines(settings: Tree, isTerminal: boolean): Promise<readonly string[]> {
  await using program = await composed(settings)
  const terminal = terminalOf({ isTerminal: { in: false, out: false, err: isTerminal } })
  const { log } = worldFor(program.loaded, {}, terminal)
  for (const level of ['debug', 'info', 'notice', 'warn', 'error'] as const) log[level](`a line of ${level}`)
  return terminal.said.err.split('\n').filter((line) => line !== '')
}
