import { openScrubber } from '../../src/core/scrub.ts'
import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import { serviceOf } from '../../src/settings/service.ts'
import { type Asker, startAsker } from './asker.ts'
import type { Violation } from './audit/violation.ts'
import { openAuditor } from './auditor.ts'
import { chance } from './chance.ts'
import { keyOf } from './declared.ts'
import { diskOf, simulatedDisk } from './disk.ts'
import { openEvidenceAudit } from './evidence.ts'
import { key, nextKey } from './given.ts'
import { simulatedNetwork } from './network.ts'
import { ordersDisk } from './ordersDisk.ts'
import { openOutput } from './output.ts'
import { type Process, type Surroundings, startProcess } from './process.ts'
import { operatorPass, rests } from './rests.ts'
import { simulatedService } from './service.ts'
import { sleep } from './sleep.ts'
import { type DirectoryMode, type Happening, happeningText, type Life, type Ordering, type Spec, type Trap } from './spec.ts'
import { Endless, virtualTime } from './time.ts'
import { type Happened, traceLine } from './trace.ts'
import { removePairs } from './twoWriters.ts'
import { type File, filesOf, loadedSettings } from './worldFiles.ts'

/** The result of one world. */
export type Outcome = {
  readonly violations: readonly Violation[]
  readonly requests: number
  readonly writes: number
  readonly events: number
  readonly crashes: number
  readonly throttled: number
  readonly cycles: number
  /** How often each kind of fate and event happened. */
  readonly faults: Readonly<Record<string, number>>
  readonly trace: readonly string[]
}

const eventsMax = 60_000
const never = new AbortController().signal
const supervisorMs = 10_000

/** Runs a world from its start until it has settled, and audits it. @param turn one turn of the real event loop */
export async function runWorld(spec: Spec, turn: () => Promise<void>, keepsTrace = false): Promise<Outcome> {
  const time = virtualTime(spec.beginMs, eventsMax, turn)
  const service = simulatedService(spec, spec.beginMs)
  const auditor = openAuditor(spec, service)
  const evidence = openEvidenceAudit(spec, service, spec.deltaMs)
  const lines: string[] = []
  const faults: Record<string, number> = {}
  let [crashes, cycles, requests, writes] = [0, 0, 0, 0]
  /** True from the end of the faults on: the last stop and the last kill are not counted as faults. */
  let isEnding = false
  const count = (what: string) => {
    faults[what] = (faults[what] ?? 0) + 1
  }
  const trace = (event: Happened) => {
    if (!isEnding && (event.is === 'kill' || event.is === 'power')) crashes++
    if (!isEnding && (event.is === 'kill' || event.is === 'power' || event.is === 'stop' || event.is === 'refusedStart')) count(event.is)
    if (event.is === 'cycle') cycles++
    if (event.is === 'sent') requests++
    if (event.is === 'sent' && event.method !== 'GET') writes++
    if (event.is === 'committed') executed++
    if (keepsTrace) lines.push(traceLine(spec.beginMs, event))
    auditor.hear(event)
    evidence.hear(event)
  }
  const network = simulatedNetwork({ spec, service, time, chance: chance(spec.seed, 'network'), trace, onTrap: spring })
  const disk = simulatedDisk()
  const jumps = chance(spec.seed, 'orders disk')
  const orders = spec.happenings.some(({ is }) => is === 'order')
    ? ordersDisk({ now: time.now, take: disk.take, pause: () => sleep(time, jumps.is(0.5) ? 0 : jumps.between(1, 1_200), never) })
    : undefined
  const scrubber = openScrubber()
  for (const one of [key, nextKey]) scrubber.add(one)
  const output = spec.reads ? openOutput(scrubber.scrub) : undefined

  const groups = new Map(Object.entries(spec.groups).map(([name, names]) => [name, new Set(names)]))
  const members = new Map(Object.entries(spec.people?.members ?? {}).map(([name, people]) => [name, new Set(people)]))
  const groupIds = new Map<string, string>()
  const groupId = (directory: string, group: string) => groupIds.get(`${directory}/${group}`) ?? `${directory}/${group}`
  const modes = new Map<string, DirectoryMode>()
  const luck = chance(spec.seed, 'directories')
  const settings = loadedSettings(spec)
  let relaxed = settings
  let policy = spec.policy
  let operatorWatches = false
  let [executed, quiet, doneBefore] = [0, 0, 0]
  let given: ReadonlySet<string> = new Set()
  let version = 0
  let torn: Buffer | undefined
  let clockSetMs = 0
  function setClock(byMs: number): void {
    clockSetMs += byMs
    trace({ atMs: time.now(), is: 'clockSet', byMs })
  }
  /** The file without limits of each version first, then the files of teams. */
  const texts = spec.versions.map(({ declared, broken }) => filesOf(spec, declared, broken === true))
  if (spec.fences?.ending !== undefined) texts.push(filesOf(spec, spec.fences.ending, false))

  const around: Surroundings = {
    spec,
    time,
    disk,
    orders,
    network,
    trace,
    settings: () => relaxed,
    secret: () => (spec.refusing?.newKey === true && time.now() >= spec.beginMs + spec.refusing.untilMs ? nextKey : key),
    declaration() {
      const [first, ...teams] = texts[version] as [File, ...File[]]
      const open = torn === undefined ? first : { ...first, bytes: torn }
      return { files: [open, ...teams].toSorted((a, b) => (a.file < b.file ? -1 : 1)), version, torn: torn !== undefined }
    },
    directory(name) {
      const mode = modes.get(name) ?? 'whole'
      const all = [...(groups.get(name) ?? [])]
      const tookMs = mode === 'slow' ? luck.between(1_000, 60_000) : luck.between(1, 300)
      if (mode === 'failed') return { reading: 'failed', names: [], ids: [], tookMs }
      const read = (reading: 'whole' | 'partial', names: readonly string[]) => ({
        reading,
        names,
        ids: names.map((one) => groupId(name, one)),
        tookMs,
      })
      if (mode === 'partial') return read('partial', luck.some(all, 0.5))
      if (mode === 'empty') return read('whole', [])
      return read('whole', mode === 'shrunk' ? all.slice(0, all.length >> 1) : all)
    },
    membersOf: (group) => [...(members.get(group) ?? [])],
    intervalMs: () => (time.now() < spec.beginMs + spec.endMs ? spec.intervalMs : 10 * 60_000),
    clockSetMs: () => clockSetMs,
    output,
    parsed: new Map(),
    waivers: [],
    onReport(report) {
      if (!operatorWatches) return
      // A change that the service refuses is sent in each cycle, so only executed writes count.
      quiet = executed === doneBefore && report.workspaces.every((one) => rests(one, spec, service)) ? quiet + 1 : 0
      doneBefore = executed
      given = new Set(report.workspaces.flatMap(flappingIn))
      removePairs(report, service, time.now())
      // An operator approves the sets that wait, each by its ID: a change of it that is no part of a later set, or needs an approval of its own, waits again.
      for (const one of report.workspaces) {
        if (one.kind !== 'judged') continue
        const ids = [...new Set(one.judged.plan.holds.flatMap(({ reason }) => operatorPass(reason) ?? []))]
        if (ids.length > 0) around.waivers.push({ ids, by: 'operator', untilMs: Number.POSITIVE_INFINITY, source: 'simulation' })
      }
    },
  }

  /** A person looks at the present state, and approves a change, or another one by mistake. */
  function approve({ workspace, group, at, to, forMs, names, wrong }: Extract<Happening, { is: 'approve' }>): void {
    const from = service.rows(workspace).find((row) => row.group === group && row.at === at)?.role
    const [directory] = [...groups].flatMap(([name, all]) => (all.has(group) ? [name] : []))
    const other = from === undefined || from === 'member' ? 'guest' : 'member'
    const before = wrong === 'from' ? other : from
    const id = wrong === 'id' ? `${group} before` : directory === undefined ? undefined : groupId(directory, group)
    const change = {
      ...{ group, at, to: wrong === 'to' ? 'owner' : to },
      ...(before === undefined ? {} : { from: before }),
      ...(names && id !== undefined ? { id } : {}),
    }
    for (const process of running.keys()) process.approve(workspace, change, forMs)
  }

  /** Ends the process while a write is under way; the next process starts soon. */
  function spring({ how, afterMs, againAfterMs, againSkewMs }: Trap, number: number): void {
    time.at(time.now() + afterMs, () => {
      const [process, life] = [...running].find(([one]) => one.number === number) ?? []
      if (process === undefined || life === undefined) return
      count('trap')
      if (how === 'stop') process.stop()
      else process.kill(how)
      const { end: _end, ...same } = life
      const again = { ...same, skewMs: againSkewMs ?? life.skewMs }
      time.at(time.now() + againAfterMs, () => (time.now() < spec.beginMs + spec.endMs ? start(again) : undefined))
    })
  }

  const askers: Asker[] = []
  const holder = (folder?: string) =>
    [...running.keys()].flatMap((one) => one.holder() ?? []).find((one) => folder === undefined || one.folder === folder)
  function give(wish: Ordering): void {
    if (orders === undefined) return
    for (let n = 0; n < wish.askers; n++)
      askers.push(
        startAsker(askers.length, wish, {
          seed: spec.seed,
          time,
          orders,
          trace,
          holder,
          service: () => serviceOf(around.settings().settings),
        }),
      )
  }

  const running = new Map<Process, Life>()
  const processes: Process[] = []
  function start(life: Life): void {
    // Without a journal there is no lock. Then the operator makes sure that one process has ended before the next one starts.
    if (spec.journal === 'none') for (const [other, { folder }] of running) if (folder === life.folder) other.kill('kill')
    const process = startProcess(processes.length, life, around, (how) => {
      running.delete(process)
      if (how === 'power') for (const other of [...running.keys()]) other.kill('kill')
      if (how === 'power') for (const other of askers) other.kill()
      // Like a supervisor: starts a daemon again that ended because its journal was in use, or accepted no entry.
      if (how === 'inUse' && life.mode === 'daemon')
        time.at(time.now() + supervisorMs, () => (running.size === 0 && time.now() < spec.beginMs + spec.endMs ? start(life) : undefined))
    })
    running.set(process, life)
    processes.push(process)
    const { end } = life
    if (end === undefined || !('atMs' in end)) return
    time.at(spec.beginMs + end.atMs, () => (end.is === 'stop' ? process.stop() : process.kill(end.is)))
  }

  for (let used = 0; used < spec.usedAtBegin; used++) network.foreign()
  for (const life of spec.lives) time.at(spec.beginMs + life.atMs, () => start(life))
  for (const [index, one] of spec.versions.entries()) {
    if (index === 0) continue
    time.at(spec.beginMs + one.atMs, () => {
      count('edit')
      trace({ atMs: time.now(), is: 'edit', version: index, torn: one.tornMs !== undefined })
      version = index
      if (one.tornMs === undefined) return
      count('torn')
      const whole = (texts[index] as [File])[0].bytes
      torn = whole.subarray(0, Math.floor(whole.length * (one.tornShare ?? 0.5)))
      time.at(time.now() + one.tornMs, () => {
        torn = undefined
      })
    })
  }
  for (const one of spec.happenings) {
    time.at(spec.beginMs + one.atMs, () => {
      // A world settles only if people leave it alone from then on.
      if (isEnding) return
      if (one.is === 'project') count(`${one.is} ${one.change.does}`)
      else if (one.is === 'journal') count(`journal ${one.does}`)
      else if (one.is === 'groupId') count(`group ${one.does}`)
      else if (one.is !== 'directory' && one.is !== 'disk') count(one.is)
      else if (one.mode !== 'whole' && one.mode !== 'well') count(`${one.is} ${one.mode}`)
      trace({ atMs: time.now(), is: 'happening', what: one.is, how: happeningText(one), others: one.is === 'others' ? one.requests : 0 })
      switch (one.is) {
        case 'hand':
          return service.edit(one.workspace, one.does, one.row, time.now())
        case 'group':
          return void (one.does === 'appears' ? groups.get(one.directory)?.add(one.group) : groups.get(one.directory)?.delete(one.group))
        case 'member':
          return void (one.does === 'joins' ? members.get(one.group)?.add(one.person) : members.get(one.group)?.delete(one.person))
        case 'groupId': {
          const ofGroup = groupId(one.directory, one.group)
          if (one.does === 'again')
            return void groupIds.set(`${one.directory}/${one.group}`, `${one.directory}/${one.group} made at ${time.now()}`)
          groupIds.set(`${one.directory}/${one.group}`, groupId(one.directory, one.other))
          groupIds.set(`${one.directory}/${one.other}`, ofGroup)
          return
        }
        case 'approve':
          return approve(one)
        case 'order':
          return give(one)
        case 'directory':
          return void modes.set(one.directory, one.mode)
        case 'others':
          for (let n = 0; n < one.requests; n++) time.at(time.now() + n * one.gapMs, network.foreign)
          return
        case 'limit':
          service.limit.requests = one.requests
          return
        case 'serviceRestart':
          return service.forgetLogs()
        case 'clock':
          return setClock(one.byMs)
        case 'disk':
          return disk.set(one)
        case 'policy':
          policy = one.policy
          relaxed = loadedSettings({ ...spec, policy })
          return
        case 'journal':
          return disk.changeFolder(one)
        case 'project':
          return service.changeProject(one.workspace, one.change, time.now())
        default:
          return one satisfies never
      }
    })
  }

  try {
    await time.run(spec.beginMs + spec.endMs)
    // The faults end, the operator raises the limits of the guards, and one process continues.
    isEnding = true
    for (const one of askers) one.kill()
    trace({ atMs: time.now(), is: 'calm' })
    network.calm()
    auditor.calm()
    modes.clear()
    disk.set({ mode: 'well' })
    setClock(-clockSetMs)
    torn = undefined
    version = spec.versions.length - 1
    const { people: _people, ...rest } = spec
    relaxed = loadedSettings(
      { ...rest, policy, guards: { creates: 1_000, raises: 1_000, lowers: 1_000, deletes: 1_000, day: 10_000 } },
      '100%',
    )
    for (const process of [...running.keys()]) process.stop()
    await time.run(time.now() + 60_000)
    for (const process of [...running.keys()]) {
      auditor.hear({ atMs: time.now(), is: 'broke', process: process.number, error: 'did not stop within a minute' })
      process.kill('kill')
    }
    operatorWatches = true
    start({ atMs: 0, mode: 'daemon', folder: spec.ours?.folder ?? 'state', noWait: false, skewMs: 0, drift: 0 })
    // The world has settled after two cycles with nothing left to do.
    const patienceMs = settleMs * (service.limit.requests < few ? 6 : 1)
    await time.run(time.now() + patienceMs, () => quiet >= 2)
    if (quiet < 2) trace({ atMs: time.now(), is: 'restless' })
    auditor.settled({ nowMs: time.now(), directories: groups, given, policy })
    if (spec.fences?.ending !== undefined && quiet >= 2) {
      // A file of one team becomes invalid. The other files must have effect all the same.
      version = spec.versions.length
      trace({ atMs: time.now(), is: 'edit', version, torn: false })
      quiet = 0
      await time.run(time.now() + patienceMs, () => quiet >= 2)
      if (quiet < 2) trace({ atMs: time.now(), is: 'restless' })
      auditor.settled({ nowMs: time.now(), directories: groups, given, policy })
    }
    for (const process of [...running.keys()]) process.kill('kill')
  } catch (error) {
    if (!(error instanceof Endless)) throw error
    auditor.violated(time.now(), 'bounded', error.message)
  }
  const past = diskOf(disk, (work) => work(), { token: 'reader' }, { lives: () => false, durable: () => {} })
  const { wrong, compared } = await evidence.compare(past, chance(spec.seed, 'evidence'))
  for (const what of wrong.slice(0, 1)) auditor.violated(time.now(), 'evidence', what)
  if (compared > 0) faults['mappings of past moments'] = compared
  for (const process of processes) process.dispose()
  orders?.dispose()
  for (const text of output?.texts ?? []) {
    const leak = [key, nextKey].some((one) => text.includes(one))
      ? 'the key'
      : /[\p{Cc}\p{Cf}]/u.test(text.replaceAll('\n', ''))
        ? 'a control character'
        : undefined
    if (leak !== undefined) auditor.violated(time.now(), 'secrets', `${leak} in: ${JSON.stringify(text.slice(0, 300))}`)
  }
  for (const [fate, times] of network.fates) faults[fate] = (faults[fate] ?? 0) + times
  if (auditor.raced() > 0) faults['renamed too late to be seen'] = auditor.raced()
  const { violations } = auditor
  return { violations, requests, writes, events: time.events(), crashes, throttled: auditor.throttled(), cycles, faults, trace: lines }
}

/** The keys on which the program has given up against another writer, as the world names them. */
function flappingIn(one: CycleReport['workspaces'][number]): readonly string[] {
  if (one.kind !== 'judged') return []
  return one.judged.plan.holds.flatMap(({ reason, group, target }) => {
    if (reason.kind !== 'flapping' || group === undefined || target === undefined) return []
    const at = target.kind === 'workspace' ? 'workspace' : target.kind === 'allProjects' ? '*' : target.project
    return [`${one.workspace} ${keyOf({ group, at })}`]
  })
}

/** Rejected changes are tried again after an hour. */
const settleMs = 150 * 60_000
/** If the service allows fewer requests a minute than this, everything takes long. */
const few = 6
