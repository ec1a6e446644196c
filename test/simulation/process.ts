import { beginRun } from '../../src/commands/journal.ts'
import { untilSettled } from '../../src/commands/rounds.ts'
import { compose } from '../../src/compose/compose.ts'
import type { ProgramEnvironment } from '../../src/compose/environment.ts'
import { type Group, indexGroups } from '../../src/core/group.ts'
import { type GroupName, keyOf, projectIdentifier, type Role, type Target, type WorkspaceName } from '../../src/core/mapping.ts'
import type { Approval } from '../../src/core/memory/approvals.ts'
import { OperationalError } from '../../src/core/operationalError.ts'
import type { Reading } from '../../src/core/reading.ts'
import type { Waiver } from '../../src/core/waiver.ts'
import { openPeopleCounter } from '../../src/cycle/countPeople.ts'
import { runCycle } from '../../src/cycle/cycle.ts'
import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import type { Directory } from '../../src/cycle/directoryReadings.ts'
import { cycleOutcome } from '../../src/cycle/outcome.ts'
import { memberReaders, type ReadMembers } from '../../src/cycle/readPeople.ts'
import type { Declared } from '../../src/cycle/workspaceContext.ts'
import { type DeclarationFiles, hashOf, untilStable } from '../../src/declaration/files.ts'
import type { Loaded } from '../../src/declaration/understand.ts'
import type { LoadedSettings } from '../../src/settings/load.ts'
import { parseDeclaration } from '../unit/declaration/parseDeclaration.ts'
import type { Holder } from './asker.ts'
import type { Allowance } from './audit/approvals.ts'
import { chance } from './chance.ts'
import { runSimulatedDaemon } from './daemon.ts'
import type { WaivedChange } from './declared.ts'
import { openDeclaredWithFences } from './declaredWithFences.ts'
import { diskOf, type SimulatedDisk } from './disk.ts'
import type { ClockOf, Network } from './network.ts'
import type { OrdersDisk } from './ordersDisk.ts'
import type { Output } from './output.ts'
import { sleep } from './sleep.ts'
import type { Life, Spec } from './spec.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

/** The environment of the processes of one world. */
export type Surroundings = {
  readonly spec: Spec
  readonly time: Time
  readonly disk: SimulatedDisk
  /** Absent: nobody hands orders over. */
  readonly orders: OrdersDisk | undefined
  readonly network: Network
  readonly trace: (event: Happened) => void
  readonly settings: () => LoadedSettings
  /** The API key that the file of the secret has now. */
  readonly secret: () => string
  /** The waivers that an operator gives after the faults have ended. */
  readonly waivers: Waiver[]
  readonly onReport: (report: CycleReport) => void
  /** The files of the declaration as they are now, and the number of their version. `torn`: one contains only its first part. */
  readonly declaration: () => { readonly files: DeclarationFiles['files']; readonly version: number; readonly torn: boolean }
  readonly directory: (name: string) => {
    readonly reading: 'whole' | 'failed' | 'partial'
    readonly names: readonly string[]
    readonly ids: readonly string[]
    readonly tookMs: number
  }
  readonly membersOf: (group: string) => readonly string[]
  readonly intervalMs: () => number
  /** How far the clock of the machine has been set since the world began. */
  readonly clockSetMs: () => number
  readonly output: Output | undefined
  readonly parsed: Map<string, ReturnType<typeof parseDeclaration>>
}

export type Process = {
  readonly number: number
  readonly alive: () => boolean
  readonly kill: (how: 'kill' | 'power') => void
  readonly stop: () => void
  /** Hands over the approval of a person, which ends after a time by the date of the process. */
  readonly approve: (workspace: string, change: WaivedChange & { readonly to: string }, forMs: number) => void
  /** To whom an order has to be handed; undefined if this is no daemon that has its journal open. */
  readonly holder: () => Holder | undefined
  /** At the end of the world: releases everything that still waits. Node would keep it for as long as its signals could fire. */
  readonly dispose: () => void
}

/** Runs the program as one process: the real parts, with simulated ports for clock, chance, network, disk and directories. */
export function startProcess(
  number: number,
  life: Life,
  around: Surroundings,
  ended: (how: 'done' | 'inUse' | 'broke' | 'power') => void,
): Process {
  const { spec, time } = around
  /** A process that has ended reports no more events, even if a promise that it awaited settles later. */
  const trace: Surroundings['trace'] = (event) => (alive ? around.trace(event) : undefined)
  const luck = chance(spec.seed, `process ${number}`)
  let [alive, calls] = [true, 0]
  const self = { token: `lock of process ${number}` }
  owners.set(self, () => alive)

  function kill(how: 'kill' | 'power'): void {
    if (!alive) return
    alive = false
    around.trace({ atMs: time.now(), is: how, process: number })
    ended(how === 'power' ? 'power' : 'done')
    if (how === 'power') around.disk.powerFailure(luck.draw)
  }

  /** Every call of the process to the outside goes through here. The process may end at any of these calls; then it never gets an answer. */
  function port<T>(work: () => Promise<T>): Promise<T> {
    if (!alive) return new Promise<never>(() => {})
    calls++
    const end = life.end !== undefined && 'call' in life.end && life.end.call === calls ? life.end : undefined
    if (end?.after === false) {
      kill(end.is)
      return new Promise<never>(() => {})
    }
    const worked = work()
    if (end?.after === true) {
      kill(end.is)
      worked.catch(() => undefined)
      return new Promise<never>(() => {})
    }
    return new Promise<T>((resolve, reject) => {
      worked.then(
        (value) => (alive ? resolve(value) : undefined),
        (error: unknown) => (alive ? reject(error as Error) : undefined),
      )
    })
  }

  const bornMs = time.now()
  const skewMs = life.skewMs + around.clockSetMs()
  const clock: ClockOf & ProgramEnvironment['clock'] = {
    now: () => Math.floor(bornMs + skewMs + (time.now() - bornMs) * (1 + life.drift)),
    wall: () => clock.now() + life.skewMs + around.clockSetMs() - skewMs,
    trueMs: (ms) => Math.ceil(ms / (1 + life.drift)),
    sleep: (ms, signal) => port(() => sleep(time, clock.trueMs(ms), signal)),
  }
  const stopper = new AbortController()
  const disk = diskOf(around.disk, port, self, {
    lives: (owner) => owners.get(owner)?.() === true,
    durable: () => trace({ atMs: time.now(), is: 'durable', process: number }),
  })

  const world: ProgramEnvironment = {
    env: {},
    clock,
    random: luck.draw,
    secret: () => port(async () => around.secret()),
    secretSeen: () => {},
    debug: () => {},
    connect: (url, options) => {
      const origin = around.network.origin(number, url, options, clock)
      return { ...origin, request: (request, signal) => port(() => origin.request(request, signal)) }
    },
    version: 'simulated',
  }

  const directories = new Map(spec.directories.map((name) => [name, directoryPort(name)]))
  function directoryPort(name: string): Directory {
    const read = (): Promise<Reading<ReturnType<typeof indexGroups>>> =>
      port(async () => {
        const { reading, names, ids, tookMs } = around.directory(name)
        await sleep(time, tookMs, new AbortController().signal)
        const times = { atMs: clock.now(), tookMs }
        trace({ atMs: time.now(), is: 'directory', process: number, directory: name, whole: reading === 'whole', names, ids })
        if (reading === 'failed') return { status: 'failed', why: 'cannot connect', ...times }
        const value = indexGroups(
          names.map((group, index): Group => ({ name: group as GroupName, id: ids[index] ?? '', place: `cn=${group},${name}` })),
        )
        return reading === 'whole' ? { status: 'complete', value, ...times } : { status: 'partial', value, missing: 'page 2', ...times }
      })
    const members: ReadMembers = (asked) =>
      port(async () => {
        await sleep(time, luck.between(1, 300), new AbortController().signal)
        const of = Object.fromEntries(asked.map((group) => [group.name, around.membersOf(group.name)]))
        trace({ atMs: time.now(), is: 'members', process: number, of })
        const value = new Map(asked.map(({ id, name: group }) => [id, { people: of[group] ?? [] }]))
        return { status: 'complete', value, atMs: clock.now(), tookMs: 0 }
      })
    const shrink = around.settings().settings.directories[name]?.shrink ?? { share: 0.5, minExisting: 5 }
    return { kind: 'file', shrink, read, ...(spec.people === undefined ? {} : { members }) }
  }

  let approvals = 0
  let append: Awaited<ReturnType<typeof beginRun>>['append'] | undefined
  let memory: Awaited<ReturnType<typeof beginRun>>['memory'] | undefined
  const approvalsFor = (reason: string) => memory?.().approvals.flatMap((one) => (one.reason === reason ? [one.name] : [])) ?? []
  function approve(workspace: string, change: WaivedChange & { readonly to: string }, forMs: number): void {
    if (append === undefined) return
    const fromMs = clock.wall()
    const untilMs = fromMs + forMs
    const approved: Allowance = { workspace, changes: [change], untilMs }
    trace({ atMs: time.now(), is: 'approved', process: number, approved })
    const { group, at, from, to, id } = change
    const target: Target =
      at === 'workspace'
        ? { kind: 'workspace' }
        : at === '*'
          ? { kind: 'allProjects' }
          : { kind: 'project', project: projectIdentifier(at) }
    const described = {
      key: keyOf(workspace as WorkspaceName, target, group as GroupName),
      after: to as Role,
      ...(from === undefined ? {} : { before: from as Role }),
      ...(id === undefined ? {} : { groupId: id }),
    }
    const approval: Approval = {
      ...{ name: `${number}-${approvals++}`, workspace: workspace as WorkspaceName, words: { changes: [described] }, passes: [] },
      ...{ by: 'operator', account: 'operator', reason: 'simulation', fromMs, untilMs },
    }
    append({ atMs: clock.now(), run: `run-${number}`, kind: 'approval', approval }).catch(() => undefined)
  }

  async function main(): Promise<void> {
    const loaded = around.settings()
    const run = await beginRun(journalIn(loaded, life.folder), {
      run: `run-${number}`,
      version: 'simulated',
      command: 'run',
      noWait: life.noWait,
      disk,
      now: clock.now,
    })
    append = run.append
    memory = run.memory
    const program = await compose(loaded, world, around.waivers, run.memory)
    let good: Declared | undefined
    const readFenced = spec.fences === undefined ? undefined : declaredWithFences(loaded)
    const declaration = async (): Promise<Declared> => {
      if (readFenced !== undefined) return await readFenced()
      const read = await readDeclared(loaded)
      if (read === undefined && good === undefined) throw new Error('no valid declaration')
      good = read ?? good
      return good as Declared
    }
    const people = spec.people === undefined ? {} : { countPeople: openPeopleCounter(memberReaders(directories)) }
    const sources = { ...program.sources, ...people, directories, declaration }
    // A cycle that only makes a plan stores nothing that it has read.
    const ended = (report: CycleReport, isStored = true): void => {
      around.output?.report(report, clock.now())
      around.onReport(report)
      const outcome = report.workspaces.map((one) => `${one.workspace} ${cycleOutcome(one)}`).join(', ')
      const judged = report.workspaces.flatMap((one) => (isStored && one.kind === 'judged' ? [one.workspace] : []))
      for (const one of writtenIn(report)) trace({ atMs: time.now(), is: 'reported', process: number, ...one })
      trace({ atMs: time.now(), is: 'cycled', process: number, outcome, judged })
    }
    const seen = { max: 1_000, lastRead: new Map<string, number>() }
    const write = () =>
      program.writing({ append: run.append, hasLock: run.hasLock, run: run.run, seen, ...(around.output && { log: around.output.log }) })
    if (life.mode === 'once') {
      const cycle = async (): Promise<CycleReport> => {
        trace({ atMs: time.now(), is: 'cycle', process: number })
        const report = await runCycle(
          sources,
          { now: clock.now, wall: clock.wall, memory: run.memory, rebind: run.rebind },
          write(),
          stopper.signal,
        )
        ended(report)
        return report
      }
      await untilSettled(cycle, { clock, memory: run.memory, say: () => {} }, stopper.signal)
    } else {
      const threw = (error: unknown): void => {
        around.output?.error(error)
        const outcome = `threw ${error instanceof Error ? error.message : String(error)}`
        trace({ atMs: time.now(), is: 'cycled', process: number, outcome, judged: [] })
      }
      const mount = around.orders?.mount(life.folder, port)
      await runSimulatedDaemon(
        {
          ...{ number, loaded, program: { ...program, sources }, write, run, clock, time, trace, ended, threw, port },
          random: luck.draw,
          intervalMs: around.intervalMs,
          ...(mount === undefined ? {} : { mount }),
        },
        stopper.signal,
      )
    }
    await program.close()
    await run.end()
  }

  function declaredWithFences(loaded: LoadedSettings): () => Promise<Declared> {
    let event: { readonly versions: readonly number[]; readonly torn?: true } = { versions: [] }
    return openDeclaredWithFences({
      async read() {
        const { read, versions, torn } = await readFiles()
        event = { versions, ...(torn || read.obstacles !== undefined ? { torn: true } : {}) }
        return read
      },
      context: () => ({
        ...contextOf(loaded),
        fences: loaded.settings.fences ?? {},
        waiverFiles: loaded.settings.waivers.files,
        dateMs: clock.wall(),
      }),
      isDaemon: life.mode === 'daemon',
      understood: around.parsed,
      told: () => trace({ atMs: time.now(), is: 'declared', process: number, ...event }),
    })
  }

  async function readFiles() {
    const versions: number[] = []
    let isTorn = false
    const readOnce = (): Promise<DeclarationFiles> =>
      port(async () => {
        await sleep(time, luck.between(1, 5), new AbortController().signal)
        const { files, version, torn } = around.declaration()
        versions.push(version)
        isTorn = torn
        return { files, hash: hashOf(files) }
      })
    const read = await untilStable('groups.yaml', readOnce, (attempt) => clock.sleep(50 * attempt, stopper.signal), stopper.signal)
    return { read, versions, torn: isTorn }
  }

  async function readDeclared(loaded: LoadedSettings): Promise<Declared | undefined> {
    const { read, versions } = await readFiles()
    if (!('hash' in read)) return undefined
    const known = around.parsed.get(read.hash) ?? parseDeclaration(read, contextOf(loaded))
    around.parsed.set(read.hash, known)
    if (!known.valid) return undefined
    trace({ atMs: time.now(), is: 'declared', process: number, versions })
    return declaredOf(known)
  }

  time.at(time.now(), () => {
    trace({ atMs: time.now(), is: 'start', process: number, mode: life.mode, skewMs, drift: life.drift, folder: life.folder })
    main().then(() => finish('done', 'end'), failed)
  })
  function failed(error: unknown): void {
    if (error instanceof OperationalError && ['JournalInUse', 'JournalUnwritable', 'JournalUnusable'].includes(error.code))
      return finish('inUse', 'refusedStart')
    // A command that is stopped, or finds no declaration, reports that and ends.
    if (life.mode === 'once') return finish('done', 'end')
    if (!alive) return
    alive = false
    around.trace({
      atMs: time.now(),
      is: 'broke',
      process: number,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    ended('broke')
  }
  function finish(how: 'done' | 'inUse', is: 'end' | 'refusedStart'): void {
    if (!alive) return
    alive = false
    around.trace({ atMs: time.now(), is, process: number })
    ended(how)
  }

  return {
    number,
    alive: () => alive,
    kill,
    approve: (...given) => (alive ? approve(...given) : undefined),
    holder: () =>
      alive && !stopper.signal.aborted && life.mode === 'daemon' && around.disk.locks.get(`${life.folder}/lock`) === self
        ? { process: number, token: self.token, folder: life.folder, approvals: approvalsFor }
        : undefined,
    stop() {
      if (!alive || stopper.signal.aborted) return
      trace({ atMs: time.now(), is: 'stop', process: number })
      stopper.abort(new Error('stopped'))
    },
    dispose() {
      alive = false
      stopper.abort()
    },
  }
}

/** The mappings that the report counts as written. */
function writtenIn({ workspaces }: CycleReport): readonly { readonly workspace: string; readonly does: string; readonly row: string }[] {
  return workspaces.flatMap((one) => {
    const results = one.kind === 'judged' ? (one.applied?.results ?? []) : []
    return results.flatMap(({ change, outcome }) => {
      if (outcome.kind !== 'done' || change.action === 'settings') return []
      const row = change.action === 'create' ? outcome.mapping : change.mapping
      return row === undefined ? [] : [{ workspace: one.workspace, does: change.action, row }]
    })
  })
}

const owners = new WeakMap<object, () => boolean>()

const journalIn = (loaded: LoadedSettings, folder: string): LoadedSettings => ({
  ...loaded,
  settings: {
    ...loaded.settings,
    journal: loaded.settings.journal === 'none' ? 'none' : { ...loaded.settings.journal, folder },
  },
})

const contextOf = ({ settings }: LoadedSettings) => ({
  workspaces: Object.keys(settings.workspaces),
  directories: Object.keys(settings.directories),
  defaults: { unknownGroups: settings.unknownGroups, unknownProjects: settings.unknownProjects },
})

const declaredOf = ({ declaration, hash, files }: Loaded): Declared => ({
  workspaces: declaration,
  hash,
  files,
})
