import { openApprovals } from './audit/approvals.ts'
import { openClocks } from './audit/clocks.ts'
import { tooLong } from './audit/cycleTime.ts'
import { openDay } from './audit/day.ts'
import { isUndisturbed } from './audit/disturbed.ts'
import { endKnownForMs } from './audit/ends.ts'
import { openExact } from './audit/exact.ts'
import { allowancesOf, declaredIn, explain, type Judged, type Told } from './audit/explain.ts'
import { openGroupsAudit } from './audit/groups.ts'
import { openInForce } from './audit/inForce.ts'
import { openKnownProjects } from './audit/knownProjects.ts'
import { type Listing, Listings, type ListKind } from './audit/listing.ts'
import { amountsOf, type Known, keeps, measure, noneSent, type Sent, type Sum } from './audit/measure.ts'
import { openOrdersAudit } from './audit/orders.ts'
import { openOurs } from './audit/ours.ts'
import { auditOwners } from './audit/owners.ts'
import { openPace } from './audit/pace.ts'
import { tooManyPairs } from './audit/pairs.ts'
import { openPeople } from './audit/people.ts'
import { openProjectsAudit } from './audit/projects.ts'
import { openRetries } from './audit/retries.ts'
import { type End, unsettled } from './audit/settled.ts'
import { openSkips } from './audit/skips.ts'
import { openThrottling } from './audit/throttling.ts'
import type { Promised, Violation } from './audit/violation.ts'
import { type Write, writeOf, writeText } from './audit/write.ts'
import { type DeclaredWorkspace, hasEnded, keyOf, rulesOf, targetsOf } from './declared.ts'
import { lagMaxMs } from './given.ts'
import type { Service } from './service.ts'
import type { Spec } from './spec.ts'
import type { Happened } from './trace.ts'

/**
 * Checks the events of a world against the promises of docs/promises.md while the world runs. It knows the true state of the world and the
 * bytes on the wires. It shares no code with the program.
 */
export type Auditor = {
  readonly hear: (event: Happened) => void
  /** From now on an operator waives every guard. */
  readonly calm: () => void
  readonly settled: (end: Omit<End, 'rows' | 'holdings' | 'lastCycleMs' | 'declared'>) => void
  readonly violated: (atMs: number, promise: Promised, what: string) => void
  readonly violations: readonly Violation[]
  readonly throttled: () => number
  /** How often a project was renamed too late for the process to know: a mapping was lost, or may exist twice. */
  readonly raced: () => number
}

const requestsMax = 1_000
/** If the machine was suspended for this long, no write may rely on readings from before. */
const readingsKeptMs = 3_600_000
const dayMs = 86_400_000

export function openAuditor(world: Spec, service: Pick<Service, 'rows' | 'rowsAt' | 'holdings'>): Auditor {
  const { rows, rowsAt, holdings } = service
  const spec: Judged = world.fences === undefined ? world : { ...world, inForce: openInForce(world) }
  const violations: Violation[] = []
  const listings = new Listings()
  const throttling = openThrottling(spec)
  const pace = openPace(spec)
  const clocks = openClocks(spec)
  const ours = openOurs(
    spec,
    rows,
    (version) => spec.versions[version]?.declared.workspaces ?? [],
    (row) => made.has(row),
  )
  const groups = openGroupsAudit(spec)
  const day = openDay(spec)
  const isDiskWell = !spec.happenings.some(({ is }) => is === 'disk')
  const approvals = openApprovals(isDiskWell)
  const retries = openRetries(spec)
  const orders = openOrdersAudit(isDiskWell)
  const processes = new Map<number, Process>()
  const writes = new Map<number, Write>()
  /** In worlds with lists that lack rows: request → the mappings that the process knew certainly when it sent the write. */
  const shownAtSending = new Map<number, ReadonlySet<string>>()
  const answeredMs = new Map<number, number>()
  /** The requests whose writes a person let pass. */
  const allowed = new Set<number>()
  /** Rows that the program made. It must never make a second one for a key. */
  const made = new Set<string>()
  /** Changes that were executed, while no process has got the answer. One that is executed again counts once a day. */
  const inDoubt = new Map<string, string>()
  const nameOf = (write: Write) => `${write.before?.id} ${writeText(write)}`
  /** Row → the last of its executed writes, by the time of sending. */
  const written = new Map<string, Write>()
  const knowledge = new Map<string, { readonly of: Listing['rows']; readonly known: Known }>()
  /** Mappings that the program knows certainly: whole lists of successful cycles showed them, or it reported that it made them. */
  let shownWhole = new Map<string, Set<string>>()
  const shownTo = (process: number) => {
    const journal = spec.journal === 'none' ? String(process) : 'folder'
    const ids = shownWhole.get(journal) ?? new Set<string>()
    shownWhole.set(journal, ids)
    return ids
  }
  let [isCalm, raced] = [false, 0]
  let lastCycleMs = spec.beginMs
  let lastDeclared: readonly number[] = []
  /** False: no project of this world ever changes. */
  const hasProjectChanges = spec.happenings.some(({ is }) => is === 'project')
  const hearsProjects = hasProjectChanges || spec.lacking !== undefined
  const projects = openKnownProjects(spec, listings, (version, workspace) => declaredIn(spec, version, workspace))
  const skips = openSkips(projects, listings)
  const truth = { holdings, projectOf: (workspace: string, id: string) => rows(workspace).find((row) => row.id === id)?.project }
  const auditProjects = openProjectsAudit(spec, projects, truth, () => void raced++)
  const exact = openExact(spec, rows, (change) => {
    const ids = idsOf(processOf(change.process), change.after?.group)
    return [...approvals.of(change, ids), ...orders.of(change, ids)].length > 0
  })
  const people = openPeople(spec, { rows, approvals: approvals.all, made: (row) => made.has(row) })
  /** Process and row → the last executed write. */
  const executed = new Map<string, Write>()

  const violated = (atMs: number, promise: Promised, what: string) => void violations.push({ promise, atMs, what })
  const processOf = (number: number) => processes.get(number) as Process

  function sent(event: Extract<Happened, { is: 'sent' }>): void {
    const process = processOf(event.process)
    const { cycle } = process
    if (cycle !== undefined && ++cycle.requests === requestsMax) violated(event.atMs, 'bounded', `${requestsMax} requests in one cycle`)
    listings.sent(event)
    if (event.method === 'GET') return
    const write = writeOf(event, listings, cycle?.beganMs ?? 0)
    writes.set(event.request, write)
    if (spec.lacking !== undefined) shownAtSending.set(event.request, new Set(shownTo(event.process)))
    const fail = (promise: Promised, why: string) => violated(event.atMs, promise, `${writeText(write)}: ${why}`)
    const dates = clocks.dates(event.process, event.atMs)
    const known = write.listing === undefined ? undefined : knownBy(write, write.listing)
    const ids = idsOf(process, write.after?.group)
    const byOrder = orders.of(write, ids)
    const told = {
      versions: process.versions,
      directories: [...process.directories.values()],
      dates,
      moments: dates.flat(),
      projects: reachable(write),
      hasChanged: groups.hasChanged,
      approvals: [...approvals.of(write, ids), ...byOrder],
      policy: ours.policyOf(event.process),
      mayBeOurs: write.does === 'delete' && (ours.mayBe(write) || looksMade(write)),
      skips: (declared: DeclaredWorkspace) => (hasProjectChanges ? skips.of(write, declared) : [false]),
    }
    explain(write, told, spec, known, fail)
    const needsOrder = byOrder.length > 0 && !isExplained(write, { ...told, approvals: approvals.of(write, ids) }, spec, known)
    orders.sent(write, ids, needsOrder)
    const isAllowed = allowancesOf(write, told, spec).some(({ fenced }) => fenced !== true)
    if (spec.inForce !== undefined)
      auditOwners(
        write,
        told.versions.flatMap((one) => declaredIn(spec, one, write.workspace) ?? []),
        fail,
      )
    if (clocks.suspendedMs(event.process) >= readingsKeptMs)
      fail('reading', 'rests on readings from before the machine was suspended for an hour')
    if (hasProjectChanges) auditProjects(write, told, fail)
    groups.audit(write, told.moments, isCalm ? () => {} : fail)
    if (known !== undefined) keeps(write, known, isAllowed, isCalm ? () => {} : fail)
    if (isCalm) return
    if (cycle === undefined) return fail('guards', 'outside a cycle')
    if (spec.people !== undefined) {
      const shown = kinds.flatMap((kind) => listings.of(event.process, write.workspace, kind, cycle.beganMs)?.rows ?? [])
      for (const wrong of people.sent(write, shown, told.approvals)) fail('guards', wrong)
    }
    const sum = cycle.sums.get(write.workspace) ?? { ...noneSent(), owned: ownedBy(write, process) }
    cycle.sums.set(write.workspace, sum)
    if (isAllowed || exact.isRecordedEnd(write) || isLongEnded(write, told)) allowed.add(event.request)
    else measure(write, sum, cycle.run, spec, fail)
  }

  /** The ids that directories show for a group. */
  const idsOf = ({ directories }: Process, group: string | undefined): readonly string[] =>
    [...directories.values()].flatMap(({ names, ids }) => names.flatMap((name, index) => (name === group ? (ids[index] ?? []) : [])))

  /** After a clock was set forward by days, an end may count as known for long. For the program the machine was suspended. */
  function isLongEnded({ does, before, process, workspace }: Write, { versions, moments }: Told): boolean {
    if (does === 'create' || before === undefined || clocks.aheadMs(process) < endKnownForMs - dayMs) return false
    const rules = versions.flatMap((version) => declaredIn(spec, version, workspace) ?? []).flatMap(rulesOf)
    return rules.some((rule) => targetsOf(rule, before.group).includes(before.at) && moments.some((nowMs) => hasEnded(rule, nowMs)))
  }

  function reachable({ process, workspace }: Write): readonly string[] {
    if (!hearsProjects) return spec.projects
    const list = projects.told(process, workspace)
    const isTold = (identifier: string) => list === undefined || list.ids.has(identifier)
    if (!hasProjectChanges) return spec.projects.filter(isTold)
    const all = holdings(workspace)
    return [...new Set(all.map(({ identifier }) => identifier))].filter(
      (identifier) => isUndisturbed(all, identifier) && isTold(identifier),
    )
  }

  function ownedBy({ workspace, process: number, beganMs }: Write, { versions }: Process): number {
    const all = kinds.flatMap((kind) => listings.of(number, workspace, kind, beganMs)?.rows ?? [])
    const unmanaged = (group: string) =>
      versions.every(
        (version) => declaredIn(spec, version, workspace)?.unmanaged.some((glob) => group.startsWith(glob.slice(0, -1))) === true,
      )
    return all.filter(({ group }) => !unmanaged(group)).length
  }

  /** Valid as long as its listing is the last one. */
  function knownBy({ process, workspace, kind }: Write, { rows: of }: Listing): Known {
    const name = `${process} ${workspace} ${kind}`
    const kept = knowledge.get(name)
    if (kept?.of === of) return kept.known
    const known: Known = new Map(of.map((row) => [row.id, row]))
    knowledge.set(name, { of, known })
    return known
  }

  function committed({ atMs, request, process, row = '' }: Extract<Happened, { is: 'committed' }>): void {
    const write = writes.get(request)
    if (write === undefined) return violated(atMs, 'owned', `request ${request} of process ${process} changed something that is no mapping`)
    executed.set(`${process} ${row}`, write)
    ours.executed(write, row)
    const undone = overtaken(write, row)
    if (undone !== undefined) violated(atMs, 'undone', undone)
    if (write.does === 'create') made.add(row)
    if (!isCalm && !allowed.has(request)) {
      const change = inDoubt.get(nameOf(write)) ?? `${process} ${write.beganMs} ${row}`
      inDoubt.set(nameOf(write), change)
      const tooMany = day.count(process, atMs, change, amountsOf(write))
      if (tooMany !== undefined) violated(atMs, 'guards', tooMany)
    }
    const { after, workspace, does } = write
    if (after === undefined || does === 'patch' || spec.twoWriters) return
    if (isNewlyCalled(write)) return void raced++
    const here = rows(workspace).filter((one) => keyOf(one) === keyOf(after))
    const project = here.find(({ id }) => id === row)?.project
    const old = new Set(does === 'create' ? shownIds(write) : [])
    // A rename makes the mapping at its new key, like a create.
    const isOurs = ({ id }: { id: string }) => made.has(id) || (does === 'rename' && id === row) || old.has(id)
    const own = here.filter((one) => one.project === project && isOurs(one))
    const known = shownAtSending.get(request)
    if (own.length < 2 || (known !== undefined && !own.every(({ id }) => id === row || known.has(id)))) return
    violated(
      atMs,
      'twice',
      `${workspace} ${keyOf(after)} exists twice: ${own.map(({ id }) => id.slice(0, 8)).join(', ')}; the second by request ${request} of process ${process}`,
    )
  }

  /** Whether the project of the key got its identifier too late for the lists that the process read. */
  function isNewlyCalled({ workspace, after, listing, atMs }: Write): boolean {
    const sinceMs = Math.max(spec.beginMs, (listing?.beganMs ?? atMs) - lagMaxMs)
    return holdings(workspace).some(({ identifier, fromMs }) => identifier === after?.at && fromMs > sinceMs)
  }

  /** Mappings of the key that were in the list that the process read, however late this list was. */
  /**
   * Whether a create of this mapping was sent from a list that lacked it. If its answer is lost, the mapping that a later list shows looks like the one that the
   * program made.
   */
  const looksMade = ({ workspace, before }: Write): boolean =>
    before !== undefined &&
    writes.values().some((sent) => {
      const { does, after, request } = sent
      const isSame = does === 'create' && sent.workspace === workspace && after !== undefined && keyOf(after) === keyOf(before)
      return isSame && after.role === before.role && shownAtSending.get(request)?.has(before.id) === false
    })

  function shownIds({ workspace, after, listing, atMs }: Write): readonly string[] {
    if (after === undefined) return []
    const before = rowsAt(workspace, (listing?.beganMs ?? atMs) - lagMaxMs)
    return before.filter((one) => keyOf(one) === keyOf(after)).map(({ id }) => id)
  }

  function reported({ atMs, process, workspace, does, row }: Extract<Happened, { is: 'reported' }>): void {
    const write = executed.get(`${process} ${row}`)
    if (write !== undefined) approvals.used(write, idsOf(processOf(process), write.after?.group), answeredMs.get(write.request) ?? atMs)
    if (does === 'create') shownTo(process).add(row)
    if (does === 'delete' && rows(workspace).some(({ id }) => id === row))
      violated(atMs, 'reported', `the delete of ${row} in ${workspace} is reported as done, and the mapping is there`)
    if (does !== 'delete' && write === undefined)
      violated(atMs, 'reported', `the ${does} of ${row} in ${workspace} is reported as done, and was not executed`)
  }

  /** A process with a journal must not write to a mapping while an earlier sending can still undo that write. */
  function overtaken(write: Write, row: string): string | undefined {
    const newest = written.get(row)
    if (newest === undefined || newest.request < write.request) written.set(row, write)
    if (newest === undefined || newest.request < write.request || spec.journal === 'none' || spec.twoWriters) return undefined
    const [before, after] = [newest.after, write.after]
    if (before === undefined || after === undefined || (before.group === after.group && before.role === after.role)) return undefined
    return `request ${newest.request}, ${writeText(newest)}, is undone by request ${write.request}, ${writeText(write)}, executed only now`
  }

  /** A mapping exists for the process if the answer to its create said so. */
  function learned({ atMs, request, status, intact }: Extract<Happened, { is: 'answered' }>): void {
    const write = writes.get(request)
    if (write !== undefined) answeredMs.set(request, atMs)
    if (write !== undefined && status < 300 && intact) inDoubt.delete(nameOf(write))
    if (write?.does !== 'create' || write.after === undefined || write.listing === undefined || status !== 201 || !intact) return
    knownBy(write, write.listing).set(`request ${request}`, { ...write.after, id: '' })
  }

  function hear(told: Happened): void {
    const event = spec.inForce?.translated(told) ?? told
    const refusal = throttling.hear(event)
    if (refusal !== undefined) violated(event.atMs, 'throttled', refusal)
    const late = clocks.hear(event)
    if (late !== undefined) violated(event.atMs, 'settles', late)
    const delay = pace.hear(event)
    if (delay !== undefined) violated(event.atMs, 'slow', delay)
    if (hearsProjects) projects.hear(event)
    groups.hear(event)
    approvals.hear(event)
    const disorder = orders.hear(event)
    if (disorder !== undefined) violated(event.atMs, 'orders', disorder)
    for (const untried of retries.hear(event)) violated(event.atMs, 'retried', untried)
    for (const kept of ours.hear(event)) violated(event.atMs, 'ours', kept)
    for (const wrong of exact.hear(event)) violated(event.atMs, 'guards', wrong)
    for (const wrong of people.hear(event)) violated(event.atMs, 'guards', wrong)
    day.hear(event)
    switch (event.is) {
      case 'start':
        return void processes.set(event.process, { versions: [], directories: new Map(), cycle: undefined })
      // Entries of the journal may be lost that were not synced.
      case 'power':
        shownWhole = new Map()
        break
      case 'calm': {
        const pairs = tooManyPairs(spec, rows, made)
        return pairs === undefined ? undefined : violated(event.atMs, 'twice', pairs)
      }
      case 'broke':
        return violated(event.atMs, 'bounded', `process ${event.process} ended by itself: ${event.error}`)
      case 'restless':
        return violated(event.atMs, 'settles', 'no two cycles in a row that had nothing to do')
      case 'cycle':
        skips.hear(event)
        processOf(event.process).cycle = { beganMs: event.atMs, sums: new Map(), run: noneSent(), requests: 0 }
        return
      case 'cycled': {
        const { beganMs, requests } = processOf(event.process).cycle ?? { beganMs: event.atMs, requests: 0 }
        lastCycleMs = beganMs
        // Only in such a world does the program surely believe each list that is whole.
        if (spec.exact === true)
          for (const name of event.judged)
            for (const kind of kinds) {
              const listing = listings.of(event.process, name, kind, beganMs)
              if (listing?.whole === true && listing.beganMs >= beganMs) approvals.shown(event.process, name, kind, listing)
            }
        if (spec.lacking !== undefined)
          for (const name of event.judged.filter((one) => event.outcome.split(', ').includes(`${one} success`)))
            for (const kind of kinds) {
              const { whole = false, rows: shown = [] } = listings.of(event.process, name, kind, beganMs) ?? {}
              if (whole) for (const { id } of shown) shownTo(event.process).add(id)
            }
        const wrong = tooLong({ tookMs: event.atMs - beganMs, requests }, spec)
        return wrong === undefined ? undefined : violated(event.atMs, 'bounded', `${wrong} (${event.outcome})`)
      }
      case 'took':
        for (const one of orders.approvedBy(event))
          approvals.hear({ atMs: event.atMs, is: 'approved', process: event.process, approved: one })
        return
      case 'answers':
        for (const name of orders.endedBy(event)) approvals.end(name)
        return
      case 'askerBroke':
        return violated(event.atMs, 'orders', `asker ${event.asker} ended by an error: ${event.error}`)
      case 'declared':
        lastDeclared = event.versions
        processOf(event.process).versions = event.versions
        return
      case 'directory':
        return void processOf(event.process).directories.set(event.directory, event)
      case 'sent':
        skips.hear(event)
        return sent(event)
      case 'committed':
        return committed(event)
      case 'reported':
        return reported(event)
      case 'answered':
        listings.answered(event)
        skips.hear(event)
        return learned(event)
      default:
    }
  }

  return {
    hear,
    calm: () => {
      isCalm = true
    },
    settled: (end) => {
      const last = spec.versions.at(-1)?.declared.workspaces ?? []
      // With fences, more than one declaration may be in force as far as the auditor knows. It must have settled to one of them.
      const possible = spec.inForce === undefined ? [last] : lastDeclared.map((one) => spec.inForce?.at(one) ?? [])
      const wrongs = possible.map((declared) => unsettled(spec, { ...end, rows, holdings, lastCycleMs, declared }))
      if (wrongs.every(({ length }) => length > 0)) for (const what of wrongs[0] ?? []) violated(end.nowMs, 'settles', what)
    },
    violated,
    violations,
    throttled: throttling.count,
    raced: () => raced,
  }
}

/** One process, and the last readings that it got. */
type Process = {
  versions: readonly number[]
  readonly directories: Map<string, Extract<Happened, { is: 'directory' }>>
  cycle: { readonly beganMs: number; readonly sums: Map<string, Sum>; readonly run: Sent; requests: number } | undefined
}

function isExplained(...[write, told, spec, known]: readonly [Write, Told, Judged, Known | undefined]): boolean {
  let isWell = true
  explain(write, told, spec, known, () => {
    isWell = false
  })
  return isWell
}

const kinds = ['workspace-mappings', 'project-mappings'] as const satisfies ListKind[]
