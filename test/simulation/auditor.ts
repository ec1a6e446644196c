import { type DeclaredWorkspace, keyOf, type Place, rulesOf, vouchedFor, wanted } from './declared.ts'
import { Listings, type ListKind, type SeenRow } from './listing.ts'
import { projects, type StoredRow, windowMs } from './service.ts'
import type { Spec } from './spec.ts'
import type { Happened } from './trace.ts'

/** What a world broke, by the promise. */
export type Violation = { readonly promise: string; readonly atMs: number; readonly what: string }

/**
 * Reads what happens in a world as it happens, and holds it against the promises of docs/promises.md. It knows the world's own truth and the
 * bytes that went over the wires; it shares no code with the program.
 */
export class Auditor {
  readonly #spec: Spec
  readonly #rows: (workspace: string) => readonly StoredRow[]
  readonly violations: Violation[] = []
  readonly #listings = new Listings()
  /** Rows that the program made: a second one for a key is what must never be. */
  readonly #made = new Set<string>()
  readonly #writes = new Map<number, Write>()
  readonly #processes = new Map<number, Seen>()
  #calm = false
  #lowered = false
  readonly #counted: { readonly atMs: number; readonly process: number }[] = []
  readonly #unsure: number[] = []
  readonly #revisions: number[] = []
  readonly #revised = new Set<string>()
  #episodes = 1
  #throttled = 0
  requests = 0

  constructor(spec: Spec, rows: (workspace: string) => readonly StoredRow[]) {
    this.#spec = spec
    this.#rows = rows
  }

  /** From now on an operator lets everything pass the guards. */
  calm(): void {
    this.#calm = true
  }

  #violated(atMs: number, promise: string, what: string): void {
    this.violations.push({ promise, atMs, what })
  }

  hear(event: Happened): void {
    switch (event.is) {
      case 'start':
        this.#processes.set(event.process, { versions: [], directories: new Map(), cycle: undefined, skewMs: event.skewMs })
        this.#unsure.push(event.atMs)
        this.#episodes++
        break
      case 'broke':
        this.#violated(event.atMs, 'bounded', `process ${event.process} ended by itself: ${event.error}`)
        break
      case 'restless':
        this.#violated(event.atMs, 'settles', 'no two cycles in a row that had nothing to do')
        break
      case 'cycle':
        this.#seen(event.process).cycle = { beganMs: event.atMs, plans: new Map(), requests: 0 }
        break
      case 'cycled':
        this.#cycled(event)
        break
      case 'declared':
        this.#seen(event.process).versions = event.versions
        break
      case 'directory':
        this.#seen(event.process).directories.set(event.directory, event)
        break
      case 'sent':
        this.#sent(event)
        break
      case 'counted':
        this.#counted.push({ atMs: event.atMs, process: event.process })
        break
      case 'throttled':
        this.#throttle(event)
        break
      case 'committed':
        this.#committed(event)
        break
      case 'answered':
        this.#listings.answered(event)
        this.#learned(event)
        break
      case 'happening':
        if (event.what === 'limit') this.#lowered = true
        if (event.others > 0 || event.what === 'limit' || event.what === 'serviceRestart') {
          this.#unsure.push(event.atMs)
          this.#episodes += Math.max(1, event.others)
        }
        break
      default:
    }
  }

  #seen(process: number): Seen {
    return this.#processes.get(process) as Seen
  }

  #sent(event: Extract<Happened, { is: 'sent' }>): void {
    this.requests++
    const seen = this.#seen(event.process)
    if (seen.cycle !== undefined && ++seen.cycle.requests > requestsMax) {
      this.#violated(event.atMs, 'bounded', `more than ${requestsMax} requests in one cycle`)
      seen.cycle.requests = 0
    }
    this.#listings.sent(event)
    if (event.method === 'GET') return
    const write = this.#write(event)
    this.#writes.set(event.request, write)
    this.#explained(event.atMs, write, seen)
  }

  /** A write as the wire shows it; what it changes is known from what the process was told last. */
  #write({ request, process, method, path, body, atMs }: Extract<Happened, { is: 'sent' }>): Write {
    const [, workspace = '', list = '', id] =
      /\/workspaces\/([^/]+)\/group-sync\/((?:project|workspace)-mappings)\/(?:([^/]+)\/)?$/.exec(path) ?? []
    const kind = list as ListKind
    const listing = this.#listings.of(process, workspace, kind)
    const before = listing?.rows.find((row) => row.id === id)
    const said = (body === '' ? {} : JSON.parse(body)) as {
      idp_group_name?: string
      role?: string
      project?: string
      all_projects?: boolean
    }
    const at = before?.at ?? (kind === 'workspace-mappings' ? 'workspace' : said.all_projects === true ? '*' : (said.project ?? ''))
    const after =
      method === 'DELETE' ? undefined : { group: said.idp_group_name ?? before?.group ?? '', at, role: said.role ?? before?.role ?? '' }
    const does = method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : said.idp_group_name === undefined ? 'patch' : 'rename'
    const beganMs = this.#seen(process).cycle?.beganMs ?? 0
    return { request, process, workspace, kind, does, id, before, after, listing, atMs, beganMs }
  }

  /** Whether something that the process was told asks for this write, and nothing forbids it. */
  #explained(atMs: number, write: Write, seen: Seen): void {
    const { workspace, does, before, after, kind } = write
    const what = `${does} ${workspace} ${kind} ${after === undefined ? '' : `${keyOf(after)} = ${after.role}`}${before === undefined ? '' : ` (was ${keyOf(before)} = ${before.role})`}`
    const fail = (promise: string, why: string) => this.#violated(atMs, promise, `${what}: ${why}`)
    if (workspace === '' || !(workspace in this.#spec.rows)) return fail('owned', 'not a workspace of the settings')
    if (this.#spec.policy === 'observe' || this.#spec.suspend === true) fail('guards', 'written although nothing may be')
    if (does !== 'create' && before === undefined) return fail('reading', 'a row that the process was not told of')
    if ((does === 'create' || does === 'rename' || does === 'delete') && write.listing?.whole !== true)
      fail('reading', 'rests on a list that was not read whole')
    const versions = seen.versions.map((version) => declaredIn(this.#spec, version, workspace)).filter((one) => one !== undefined)
    // A day may end between the plan and its last write.
    const moments = [atMs + seen.skewMs, (seen.cycle?.beganMs ?? atMs) + seen.skewMs]
    const reasons = versions.flatMap((declared) => moments.map((nowMs) => this.#against(write, declared, seen, nowMs)))
    if (!reasons.includes(undefined)) fail('declared', reasons[0] ?? 'without a declaration')
    this.#measure(write, seen, fail)
  }

  /** Why one version of the declaration does not ask for a write; undefined where it does. @param nowMs by the clock of the process: its days end by it */
  #against(write: Write, declared: DeclaredWorkspace, seen: Seen, nowMs: number): string | undefined {
    const { does, before, after } = write
    const directories = [...seen.directories.values()]
    const wish = (place: Place) =>
      wanted(
        declared,
        place,
        directories.some(({ names }) => names.includes(place.group)),
        nowMs,
      )
    const owns = write.kind === 'workspace-mappings' ? declared.workspaceRoles !== undefined : declared.projectRoles !== undefined
    if (before !== undefined && wish(before).is === 'unmanaged') return 'it is unmanaged'
    if (after !== undefined) {
      const want = wish(after)
      if (!owns) return 'the list is not owned'
      if (want.is !== 'role') return `its key is ${want.is}`
      if (want.role !== after.role) return `the declaration says ${want.role}`
      const sends = ruleSends(declared, after)
      if (!sends && directories.some(({ whole }) => !whole)) return 'a directory was not read whole'
      if (protectedRoles.has(after.role) && (after.at === '*' || !vouchedFor(declared, after, nowMs)))
        return 'grants a protected role that nobody allowed'
      if (does === 'create' && write.listing?.rows.some((row) => keyOf(row) === keyOf(after))) return 'the key is there already'
      if (does === 'rename' && before !== undefined && wish(before).is === 'role') return 'the old name is wanted itself'
      if (does === 'patch' && before?.role === after.role) return 'nothing would change'
      if (this.#spec.policy === 'create-only' && does !== 'create') return 'the policy only creates'
      return undefined
    }
    if (before === undefined) return 'nobody knows what'
    const want = wish(before)
    if (want.is === 'absent') return undefined
    const double = (write.listing?.rows.filter((row) => keyOf(row) === keyOf(before)).length ?? 0) > 1
    if (this.#spec.policy === 'sync' && owns && ((want.is === 'undeclared' && !double) || double)) return undefined
    return `its key is ${want.is}`
  }

  /** The guards, counted again from what was sent. */
  #measure(
    { process, workspace, does, before, after, kind, listing }: Write,
    seen: Seen,
    fail: (promise: string, why: string) => void,
  ): void {
    const { guards } = this.#spec
    if (this.#calm) return
    if (seen.cycle === undefined) return fail('guards', 'outside a cycle')
    const plan = seen.cycle.plans.get(workspace) ?? {
      creates: new Set(),
      revisions: new Set(),
      deletes: new Set(),
      owned: this.#ownedRows(process, workspace),
    }
    seen.cycle.plans.set(workspace, plan)
    const row = before?.id ?? keyOf(after as Place)
    // What is sent again after a 429, or repeated because no answer came, is one change.
    if (does === 'create') plan.creates.add(row)
    else plan.revisions.add(row)
    if (does === 'delete') plan.deletes.add(row)
    if (plan.creates.size > guards.creates) fail('guards', `create ${plan.creates.size} of at most ${guards.creates}`)
    const changesMax = Math.min(guards.changes, Math.max(minExisting.changes, Math.floor(0.3 * plan.owned)))
    if (plan.revisions.size > changesMax) fail('guards', `change ${plan.revisions.size} of at most ${changesMax}`)
    const deletesMax = Math.min(guards.deletes, Math.max(minExisting.deletes, Math.floor(0.2 * plan.owned)))
    if (plan.deletes.size > deletesMax) fail('guards', `delete ${plan.deletes.size} of at most ${deletesMax}`)
    // What the process was told, and what it has done since: an administrator stays, on every prefix.
    if (kind !== 'workspace-mappings' || listing === undefined) return
    const known = this.#known(process, workspace, kind, listing.rows)
    const admins = () => [...known.values()].filter(({ role }) => isAdmin(role)).length
    const had = admins()
    const size = known.size
    if (does === 'delete' && before !== undefined) known.delete(before.id)
    if (before !== undefined && after !== undefined) known.set(before.id, { ...before, ...after })
    if (had > 0 && admins() === 0) fail('guards', 'takes the last mapping to an administrator role away')
    if (size > 0 && known.size === 0) fail('guards', 'empties a list')
  }

  /** What the process was told that it made counts as there. */
  #learned({ request, status, intact }: Extract<Happened, { is: 'answered' }>): void {
    const write = this.#writes.get(request)
    if (write?.does !== 'create' || write.after === undefined || write.listing === undefined || status !== 201 || !intact) return
    this.#known(write.process, write.workspace, write.kind, write.listing.rows).set(`request ${request}`, { ...write.after, id: '' })
  }

  #ownedRows(process: number, workspace: string): number {
    const declared = this.#seen(process).versions.map((version) => declaredIn(this.#spec, version, workspace))
    const all = (['workspace-mappings', 'project-mappings'] as const).flatMap(
      (kind) => this.#listings.of(process, workspace, kind)?.rows ?? [],
    )
    const unmanaged = (row: SeenRow) =>
      declared.every((one) => one?.unmanaged.some((glob) => row.group.startsWith(glob.slice(0, -1))) === true)
    return all.filter((row) => !unmanaged(row)).length
  }

  /** Its last listing with what it has sent since; kept as long as the listing is the last. */
  readonly #knowledge = new Map<string, { readonly of: readonly SeenRow[]; readonly rows: Map<string, SeenRow> }>()
  #known(process: number, workspace: string, kind: ListKind, rows: readonly SeenRow[]): Map<string, SeenRow> {
    const name = `${process} ${workspace} ${kind}`
    const kept = this.#knowledge.get(name)
    if (kept?.of === rows) return kept.rows
    const fresh = new Map(rows.map((row) => [row.id, row]))
    this.#knowledge.set(name, { of: rows, rows: fresh })
    return fresh
  }

  #committed({ atMs, request, process, row }: Extract<Happened, { is: 'committed' }>): void {
    const write = this.#writes.get(request)
    if (write === undefined)
      return this.#violated(atMs, 'owned', `request ${request} of process ${process} changed something that is no mapping`)
    if (write.does === 'create' && row !== undefined) this.#made.add(row)
    // The same change sent again is one, also where both sendings were executed.
    const change = `${write.process} ${write.beganMs} ${row}`
    if (write.does !== 'create' && !this.#calm && !this.#revised.has(change)) this.#revise(atMs, change)
    if (write.after === undefined) return
    const name = keyOf(write.after)
    const twins = this.#rows(write.workspace).filter((one) => keyOf(one) === name)
    const ours = twins.filter(({ id }) => this.#made.has(id))
    const renamed = write.does === 'rename' ? 1 : 0
    if (!this.#spec.twoWriters && ours.length + (renamed === 1 && !ours.some(({ id }) => id === row) ? 1 : 0) > 1)
      this.#violated(
        atMs,
        'twice',
        `${write.workspace} ${name} exists twice: ${ours.map(({ id }) => id.slice(0, 8)).join(', ')}; the second by request ${request} of process ${process}`,
      )
  }

  #revise(atMs: number, change: string): void {
    const { guards, journal, twoWriters } = this.#spec
    this.#revised.add(change)
    this.#revisions.push(atMs)
    const day = this.#revisions.filter((moment) => atMs - moment < 86_400_000).length
    if (journal === 'folder' && !twoWriters && day > guards.dayChanges)
      this.#violated(atMs, 'guards', `change ${day} of the day, of at most ${guards.dayChanges}`)
  }

  /** A 429 that the limiter gave, and that this program could have known to come. */
  #throttle({ atMs, byFate, process }: Extract<Happened, { is: 'throttled' }>): void {
    if (byFate) {
      this.#unsure.push(atMs)
      this.#episodes++
      return
    }
    this.#throttled++
    const unsure = this.#unsure.some((moment) => atMs - moment <= 2 * windowMs)
    const known = this.#spec.limiter === 'sliding-log' && this.#spec.settingsLimit <= this.#spec.serviceLimit && !this.#lowered
    if (known && !unsure && !this.#spec.twoWriters) {
      const own = this.#counted.filter((one) => atMs - one.atMs < windowMs && one.process === process).length
      this.#violated(atMs, 'throttled', `a 429 on a sliding log that was known for two windows; ${own} own requests in it`)
    }
  }

  #cycled({ atMs, process, outcome }: Extract<Happened, { is: 'cycled' }>): void {
    const { cycle } = this.#seen(process)
    if (cycle !== undefined && atMs - cycle.beganMs > cycleMaxMs)
      this.#violated(atMs, 'bounded', `a cycle of ${Math.round((atMs - cycle.beganMs) / 60_000)} minutes (${outcome})`)
  }

  /** After everything has calmed down. @param given keys over which the program says that it no longer fights, by workspace */
  settled(atMs: number, directories: ReadonlyMap<string, ReadonlySet<string>>, given: ReadonlySet<string>): void {
    const { policy, suspend, versions, echo } = this.#spec
    if (policy === 'observe' || suspend !== false) return
    const last = versions.at(-1)?.declared.workspaces ?? []
    for (const one of last) {
      const rows = this.#rows(one.name)
      const names = new Set([...[...directories.values()].flatMap((groups) => [...groups]), ...rows.map(({ group }) => group)])
      const rules = rulesOf(one)
      for (const rule of rules) if ('group' in rule) names.add(rule.group)
      // What replaces a delete may wait for an approval, and then the delete waits with it.
      const waits = rules.some((rule) => protectedRoles.has(rule.role))
      for (const group of names) {
        for (const at of ['workspace', '*', ...projects])
          if (!given.has(`${one.name} ${keyOf({ group, at })}`)) this.#settledKey(atMs, one, { group, at }, { directories, rows, echo, waits })
      }
    }
  }

  #settledKey(atMs: number, one: DeclaredWorkspace, place: Place, end: End): void {
    const { directories, rows, echo, waits } = end
    const { policy } = this.#spec
    const owns = place.at === 'workspace' ? one.workspaceRoles !== undefined : one.projectRoles !== undefined
    const knowing = [...directories.values()].filter((groups) => groups.has(place.group)).length
    const want = wanted(one, place, knowing > 0, atMs)
    const here = rows.filter((row) => keyOf(row) === keyOf(place))
    const fail = (why: string) =>
      this.#violated(atMs, 'settles', `${one.name} ${keyOf(place)}: ${why}; there: ${here.map(({ role }) => role).join(', ') || 'none'}`)
    if (want.is === 'absent' && here.length > 0 && !waits) fail('should be gone')
    if (want.is === 'undeclared' && policy === 'sync' && owns && here.length > 0 && !waits) fail('is undeclared, under sync')
    // A name in two directories is ambiguous, and one that a terminal would obey is not sent.
    if (want.is !== 'role' || !owns || knowing > 1 || place.group.includes(String.fromCharCode(27))) return
    if (protectedRoles.has(want.role) && (place.at === '*' || !vouchedFor(one, place, atMs))) return
    if (here.length === 0) {
      // A rename is no create; and of two rules that name one old mapping one waits for the other.
      const rule = ruleOf(one, place)
      const old = rule !== undefined && 'previously' in rule ? rule.previously : undefined
      const waitsForOld = rows.some((row) => row.group === old && row.at === place.at)
      return waitsForOld ? undefined : fail(`should be ${want.role}`)
    }
    if (policy === 'create-only') return
    const right = (role: string) => role === want.role || (echo && want.role === 'member' && role === 'contributor')
    if (!here.every(({ role }) => right(role))) fail(`should be ${want.role}`)
  }

  summary() {
    return { requests: this.requests, throttled: this.#throttled, episodes: this.#episodes }
  }
}

type Seen = {
  versions: readonly number[]
  readonly directories: Map<string, Extract<Happened, { is: 'directory' }>>
  cycle: { readonly beganMs: number; readonly plans: Map<string, Plan>; requests: number } | undefined
  readonly skewMs: number
}
type End = {
  readonly directories: ReadonlyMap<string, ReadonlySet<string>>
  readonly rows: readonly StoredRow[]
  readonly echo: boolean
  readonly waits: boolean
}
type Plan = { readonly creates: Set<string>; readonly revisions: Set<string>; readonly deletes: Set<string>; readonly owned: number }
type Write = {
  readonly request: number
  readonly process: number
  readonly workspace: string
  readonly kind: ListKind
  readonly does: 'create' | 'patch' | 'rename' | 'delete'
  readonly id: string | undefined
  readonly before: SeenRow | undefined
  readonly after: { readonly group: string; readonly at: string; readonly role: string } | undefined
  readonly listing: ReturnType<Listings['of']>
  readonly atMs: number
  /** When its cycle began. */
  readonly beganMs: number
}

/** As the worlds' settings say. */
export const minExisting = { changes: 2, deletes: 1 }
const requestsMax = 1_000
const cycleMaxMs = 2 * 60 * 60_000
const protectedRoles = new Set(['admin', 'owner'])
const isAdmin = (role: string): boolean => role === 'admin' || role === 'owner'

const declaredIn = ({ versions }: Spec, version: number, workspace: string): DeclaredWorkspace | undefined =>
  versions[version]?.declared.workspaces.find(({ name }) => name === workspace)

const ruleOf = (one: DeclaredWorkspace, { group, at }: Place) =>
  rulesOf(one).find((rule) => 'group' in rule && rule.group === group && rule.at === at)

function ruleSends(one: DeclaredWorkspace, place: Place): boolean {
  const rule = ruleOf(one, place)
  return rule !== undefined && 'send' in rule && rule.send === true
}
