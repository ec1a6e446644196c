import { EventEmitter } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beginRun } from '../../../src/commands/journal.ts'
import { compose, type Program } from '../../../src/compose/compose.ts'
import { openEnvironment, type ProgramEnvironment } from '../../../src/compose/environment.ts'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { openScrubber } from '../../../src/core/scrub.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import { runDaemon } from '../../../src/daemon/daemon.ts'
import { openMetrics } from '../../../src/daemon/metrics.ts'
import { openRunning } from '../../../src/daemon/running.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import type { Observation } from '../../../src/plane/call.ts'
import { loadSettings } from '../../../src/settings/load.ts'
import { type ServiceOptions, serviceOfManyKeys } from '../../../test/unit/manyKeys/service.ts'
import { never } from '../../../test/unit/plane/virtualTime.ts'
import { jumpingClock } from './clock.ts'
import { groupName, groupsOf, mappingOf, numberOf, projects, type Size } from './files.ts'

/**
 * Runs the daemon on a folder of files, in a process of its own. Arguments: folder, workspaces, mappings of each, cycles, and `all` if all declared
 * mappings exist already. Everything is real except the service, which answers from memory, the time, and the directory. Prints the result as JSON.
 */
export type ScaleRun = {
  readonly settingsMs: number
  readonly declarationMs: number
  /** Processor time of each cycle, without the time that the service needed for its answers. */
  readonly cyclesMs: readonly number[]
  /** Heap in use after all cycles and a garbage collection. */
  readonly heapBytes: number
  readonly peakBytes: number
  readonly requests: number
  readonly page: { readonly bytes: number; readonly ms: number; readonly series: number }
  readonly journalBytes: number
  readonly logBytes: number
}

const [folder = '', workspaces = '', mappings = '', cycles = '', existing = ''] = process.argv.slice(2)
const size: Size = { workspaces: Number(workspaces), mappings: Number(mappings) }

const env = {}
const loaded = await measured(() => loadSettings(join(folder, 'config.yaml'), env))
if (!loaded.value.valid) throw new Error(loaded.value.text)
const settings = loaded.value

const clock = jumpingClock(Date.now())
const service = serviceOfManyKeys({ clock, latencyMs: 50, limit: 60, projects, stock: existing === 'all' ? stockOf : () => [] })
let logBytes = 0
const err = (text: string) => {
  logBytes += text.length
}
const real = openEnvironment(
  settings,
  { level: 'info', format: 'json', color: false },
  { env, version: 'bench', err, isTerminal: { err: false }, secrets: openScrubber() },
)
const metrics = openMetrics({
  version: 'bench',
  node: process.version,
  queues: () => [...program.queues].map(([credential, queue]) => ({ credential, view: queue.view() })),
  dateOf: (atMs) => atMs,
  onError: fail,
})
let observe: ProgramEnvironment['observe']
const world = { ...real, clock, random: () => 0.5, connect: service.connect, observe: (request: Observation) => observe?.(request) }
const disk = realDisk({ pid: process.pid, isAlive: () => false })
const run = await beginRun(settings, { run: 'bench', version: 'bench', command: 'run', noWait: true, disk, now: clock.now })
const composed = await compose(settings, world, [], run.memory)
const groups = indexGroups(
  Array.from({ length: groupsOf(size) }, (_, index) => ({ name: groupName(index) as GroupName, id: `id-${index}`, place: `cn=${index}` })),
)
const corp = {
  kind: 'file',
  shrink: { share: 1, minExisting: 0 },
  read: async () => ({ status: 'complete', value: groups, atMs: clock.now(), tookMs: 0 }) as const,
}
const program: Program = { ...composed, sources: { ...composed.sources, directories: new Map([['corp', corp]]) } }
const declaration = await measured(() => program.sources.declaration(new AbortController().signal))

const stop = new AbortController()
const signals = new EventEmitter()
const cyclesMs: number[] = []
const seen = { max: 50_000, lastRead: new Map<string, number>() }
let begun = process.cpuUsage()
let busyUs = 0
await runDaemon(
  {
    ...{ loaded: settings, program, onProgram: () => {}, world, signals },
    onRequest: (next) => {
      observe = next
    },
    ...{
      cycle: { now: clock.now, wall: clock.wall, memory: run.memory, rebind: run.rebind },
      markIdle: run.markIdle,
      bind: run.bind,
      memory: run.memory,
      running: openRunning({ now: clock.now, queues: () => program.queues, work: program.work }),
    },
    writing: (current) => current.writing({ append: run.append, hasLock: run.hasLock, run: 'bench', seen }),
    metrics: {
      ...metrics,
      observeBegin(trigger) {
        begun = process.cpuUsage()
        busyUs = service.counts.busyUs
        metrics.observeBegin(trigger)
      },
      observeReport(report) {
        const bad = report.workspaces.find((one) => cycleOutcome(one) !== 'success')
        if (bad !== undefined || report.workspaces.length !== size.workspaces) fail(bad)
        metrics.observeReport(report)
      },
      observeNext(atMs) {
        metrics.observeNext(atMs)
        cyclesMs.push(cpuMs(begun) - (service.counts.busyUs - busyUs) / 1_000)
        void goOn()
      },
    },
  },
  stop.signal,
)

/** Starts the next cycle after a cycle, when every window is empty again. */
async function goOn(): Promise<void> {
  if (cyclesMs.length >= Number(cycles)) return stop.abort()
  await clock.sleep(61_000, never)
  signals.emit('SIGHUP')
}

service.forget()
const heapBytes = await heapInUse()
const page = await measured(metrics.render)
const result: ScaleRun = {
  settingsMs: loaded.ms,
  declarationMs: declaration.ms,
  cyclesMs,
  heapBytes,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  requests: service.counts.requests,
  page: { bytes: page.value.body.length, ms: page.ms, series: page.value.body.match(/^\w.*$/gm)?.length ?? 0 },
  journalBytes: await bytesIn(join(folder, 'state')),
  logBytes,
}
await run.end()
process.stdout.write(JSON.stringify(result))

function stockOf(...[slug, list]: Parameters<ServiceOptions['stock']>): ReturnType<ServiceOptions['stock']> {
  const workspace = numberOf(slug)
  const at = '2027-01-31T14:00:00.000000+02:00'
  const rows = Array.from({ length: size.mappings }, (_, nth) => ({ nth, ...mappingOf(workspace, nth, size) }))
  return rows
    .filter(({ nth }) => nth < 2 === (list === 'workspace-mappings'))
    .map(({ nth, group, role, ...rest }) => ({
      ...{ id: `${slug}-${nth}`, idp_group_name: group, role, created_at: at, updated_at: at },
      ...('project' in rest ? { project: rest.project, all_projects: false } : {}),
    }))
}

async function measured<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const before = process.cpuUsage()
  return { value: await work(), ms: cpuMs(before) }
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Collects several times, because some objects (signals, for example) are released only when the event loop turns. */
async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await pause(30)
  }
  return process.memoryUsage().heapUsed
}

async function bytesIn(path: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(path)) bytes += (await stat(join(path, name))).size
  return bytes
}

function fail(what: unknown): never {
  throw new Error(`this is not what was to be measured: ${JSON.stringify(what)}`)
}
