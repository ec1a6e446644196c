import { type DeclaredWorkspace, keyOf, owns, type Place, rulesOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { type Allowance, describes } from './approvals.ts'
import type { SeenRow } from './listing.ts'
import {
  type Counted,
  isCounted,
  type Level,
  type Limit,
  limitNames,
  limitsOf,
  type Members,
  peopleOfPlan,
  placeOf,
  rankOn,
  requiredBy,
  rowsAfter,
  targetsAt,
} from './peopleCount.ts'
import { protectedRoles } from './violation.ts'
import { vouchedFor, wanted } from './wanted.ts'
import { isLower, type Write } from './write.ts'

/** A write of a cycle. `people`: those whom each limit counts because of it. `allowed`: the approvals with a number of people that describe it. */
type Sent = { readonly change: Counted; people: Readonly<Record<Limit, ReadonlySet<string>>>; readonly allowed: Map<string, number> }
/** One plan: a cycle of a workspace with all its slices. `base`, `members`: what the program had read when it judged the plan. */
type Cycle = {
  readonly beganMs: number
  readonly isOrdered: boolean
  /** The mappings when the cycle began. */
  readonly there: readonly StoredRow[]
  readonly writes: Map<string, Sent>
  base?: readonly SeenRow[]
  members?: Members
  versions: readonly number[]
  /** Something happened meanwhile. */
  isDisturbed: boolean
}
/** `readMs`: when it was last told who the members of groups are. */
type Process = { members: Members; readMs: number; cycle: Cycle | undefined }

/** The date of a process is wrong by less than this. */
const skewMaxMs = 120_000
const allows = (people: Allowance['people']): number => (people === 'any' ? Number.POSITIVE_INFINITY : (people ?? none))
const none = -1

export type World = {
  readonly rows: (workspace: string) => readonly StoredRow[]
  /** The approvals that a process may know, as they were given. */
  readonly approvals: (process: number) => readonly Allowance[]
  /** Whether the program made the mapping. */
  readonly made: (row: string) => boolean
}

/**
 * A book of which people get a role, a higher one or a protected one, or lose one by an undeclared delete, because of the writes of each plan, and of how many
 * people persons let pass. In calm worlds it also says which changes a cycle must write.
 */
export function openPeople(spec: Spec, { rows, approvals, made }: World) {
  const { people: limited, projects } = spec
  const processes = new Map<number, Process>()
  /** Approval and limit → the people whom it let pass. */
  const passed = new Map<string, ReadonlySet<string>>()
  /** The approvals of which something is written, or was done by others. Their number lets nothing more pass. */
  const spent = new Set<string>()
  /** Mappings that a person has edited are not ours any more. */
  const edited = new Set<string>()
  let isBlind = false
  let handUntilMs = 0
  const mostOf = (limit: Limit) => limited?.limits[limit] ?? Number.POSITIVE_INFINITY
  const declaredIn = (version: number) => spec.versions[version]?.declared.workspaces[0]
  const isKnown = (group: string) => Object.values(spec.groups).some((names) => names.includes(group))
  const wish = (declared: DeclaredWorkspace, place: Place, nowMs: number) =>
    wanted(declared, place, { known: isKnown(place.group), nowMs, mapped: true })

  /** The people of all writes that count in a limit, without those that approvals let pass; and whom each of these has let pass. */
  function countIn({ writes }: Cycle, limit: Limit) {
    const all = [...writes.values()].filter(({ people }) => people[limit].size > 0)
    const whole = union(all.map(({ people }) => people[limit]))
    if (whole.size <= mostOf(limit)) return { left: whole, uses: [] }
    const uses = [...new Map(all.flatMap(({ allowed }) => [...allowed]))].flatMap(([name, number]) => {
      const mine = all.filter(({ allowed }) => allowed.has(name))
      const before = passed.get(`${name} ${limit}`) ?? new Set<string>()
      const people = union([before, ...mine.map((one) => one.people[limit])])
      return people.size <= number ? [{ name, mine, people }] : []
    })
    const rest = all.filter((one) => !uses.some(({ mine }) => mine.includes(one)))
    return { left: union(rest.map(({ people }) => people[limit])), uses }
  }

  /** The cycle has ended: what an approval has let pass in it counts from now on. */
  function close(process: Process | undefined): void {
    const cycle = process?.cycle
    if (process === undefined || cycle === undefined) return
    for (const limit of limitNames) for (const { name, people } of countIn(cycle, limit).uses) passed.set(`${name} ${limit}`, people)
    for (const { allowed } of cycle.writes.values()) for (const name of allowed.keys()) spent.add(name)
    process.cycle = undefined
  }

  /** What the declaration asks for; undefined if it is not known whether a mapping is ours. */
  function planOf({ there, beganMs }: Cycle, declared: DeclaredWorkspace): readonly Counted[] | undefined {
    const byKey = new Map(there.map((row) => [keyOf(row), row]))
    const rules = rulesOf(declared).flatMap((rule) => ('group' in rule ? [rule] : []))
    const places = new Map([...rules, ...declared.removed, ...there].map((place) => [keyOf(place), place] as const))
    const plan: Counted[] = []
    for (const [key, { group, at }] of places) {
      const before = byKey.get(key)
      const want = wish(declared, { group, at }, beganMs)
      if (want.is === 'role' && before?.role !== want.role)
        plan.push({
          does: before === undefined ? 'create' : 'patch',
          before,
          after: { group, at, role: want.role },
          isUndeclared: false,
        })
      if (before === undefined || (want.is !== 'absent' && want.is !== 'undeclared')) continue
      const isUndeclared = want.is === 'undeclared'
      if (isUndeclared && (!owns(declared, before) || spec.policy === 'upsert-only')) continue
      if (isUndeclared && spec.policy === 'sync' && edited.has(key)) return undefined
      if (isUndeclared && spec.policy === 'sync' && !made(before.id)) continue
      plan.push({ does: 'delete', before, after: undefined, isUndeclared })
    }
    return plan
  }

  /** The changes that a cycle must write, each with the reason: nothing exceeds a limit because of it, or a person approved it for enough people. */
  function dueOf(number: number, cycle: Cycle, plan: readonly Counted[], members: Members, declared: DeclaredWorkspace) {
    const peopleOf = peopleOfPlan(plan, cycle.there, members, projects)
    const isOver = (limit: Limit, changes: readonly Counted[]) =>
      union(changes.map((change) => peopleOf(limit, change))).size > mostOf(limit)
    const isGuarded = ({ does, before, after }: Counted) =>
      after !== undefined &&
      protectedRoles.has(after.role) &&
      !(does === 'patch' && isLower(before?.role ?? '', after.role)) &&
      (after.at === '*' || !vouchedFor(declared, after, true, cycle.beganMs))
    const usual = plan.filter((change) => !isGuarded(change) && !limitNames.some((limit) => isOver(limit, [change])))
    const waits = limitNames.filter((limit) => isOver(limit, usual))
    const due = new Map<Counted, string>()
    for (const change of usual)
      if (!waits.some((limit) => peopleOf(limit, change).size > 0)) due.set(change, 'and nothing that exceeds a limit on people')
    for (const one of approvals(number)) {
      const { name = '', people, untilMs, workspace } = one
      const mine = plan.filter((change) => describes(one, { workspace, ...change }, idsOf(change)))
      const most = limitNames.map((limit) => union(mine.map((change) => peopleOf(limit, change))).size)
      // A number is for all changes of an approval: it holds while all of them are to be made.
      const isWhole = one.changes.every((each) =>
        mine.some((change) => describes({ ...one, changes: [each] }, { workspace, ...change }, idsOf(change))),
      )
      const isEnough = people !== undefined && Math.max(...most) <= allows(people) && (isWhole || people === 'any')
      if (isEnough && !spent.has(name) && untilMs > cycle.beganMs + skewMaxMs)
        for (const change of mine) due.set(change, 'which was approved for enough people')
    }
    const isHeld = (change: Counted): boolean => requiredBy(change, plan).some((one) => !due.has(one))
    return [...due].filter(([change]) => !isHeld(change))
  }

  const idsOf = (change: Counted): readonly string[] => {
    const { group } = placeOf(change)
    return Object.entries(spec.groups).flatMap(([directory, names]) => (names.includes(group) ? [`${directory}/${group}`] : []))
  }

  function* ended({ atMs, process: number, outcome }: Extract<Happened, { is: 'cycled' }>): Generator<string> {
    const process = processes.get(number)
    const cycle = process?.cycle
    close(process)
    if (process === undefined || cycle === undefined || limited?.isCalm !== true || cycle.isOrdered || cycle.isDisturbed) return
    const declared = declaredIn(cycle.versions[0] ?? 0)
    if (declared === undefined || new Set(cycle.versions).size > 1) return
    const plan = planOf(cycle, declared)
    if (plan === undefined) return
    const now = new Map(rows(declared.name).map((row) => [keyOf(row), row.role]))
    const isLeft = (change: Counted) => now.get(keyOf(placeOf(change))) !== change.after?.role
    const isShort = approvals(number).some(({ untilMs }) => untilMs > cycle.beganMs - skewMaxMs && untilMs < atMs + skewMaxMs)
    for (const [change, why] of isShort ? [] : dueOf(number, cycle, plan, process.members, declared))
      if (isLeft(change)) yield `did not write ${changeText(change)}, ${why}`
    const whole = `${declared.name} ${plan.some(isLeft) ? 'waiting' : 'success'}`
    if (outcome !== whole) yield `ended as ${outcome} instead of ${whole}`
  }

  function begin({ atMs, process: number, isOrdered }: Extract<Happened, { is: 'cycle' }>): void {
    const process = processes.get(number)
    if (process === undefined) return
    close(process)
    const [name = ''] = Object.keys(spec.rows)
    const there = rows(name)
    process.cycle = {
      beganMs: atMs,
      isOrdered: isOrdered === true,
      there,
      writes: new Map(),
      versions: [],
      isDisturbed: atMs < handUntilMs,
    }
    const byKey = new Map(there.map((row) => [keyOf(row), row.role]))
    for (const { name: one, changes } of approvals(number))
      if (one !== undefined && changes.some((change) => byKey.get(keyOf(change)) === change.to)) spent.add(one)
  }

  function noted(event: Happened): void {
    const process = 'process' in event && event.process !== undefined ? processes.get(event.process) : undefined
    switch (event.is) {
      case 'calm':
        isBlind = true
        break
      case 'start':
        processes.set(event.process, { members: new Map(), readMs: 0, cycle: undefined })
        break
      case 'cycle':
        begin(event)
        break
      case 'declared':
        if (process?.cycle !== undefined) process.cycle.versions = event.versions
        break
      case 'members':
        if (process === undefined) break
        process.readMs = event.atMs
        process.members = new Map([...process.members, ...Object.entries(event.of)])
        break
      case 'happening':
        if (event.what !== 'hand') break
        edited.add(handKey(event.how))
        // A mapping that was just written, and is gone, is not created again at once.
        handUntilMs = event.atMs + 2 * spec.deltaMs
        disturb()
        break
      case 'edit':
      case 'took':
      case 'stop':
        disturb()
        break
      case 'kill':
      case 'power':
        close(process)
        break
      default:
    }
  }

  function disturb(): void {
    for (const { cycle } of processes.values()) if (cycle !== undefined) cycle.isDisturbed = true
  }

  return {
    /** One sentence for each change that a cycle should have written. */
    hear(event: Happened): readonly string[] {
      if (limited === undefined || isBlind) return []
      if (event.is === 'cycled') return [...ended(event)]
      noted(event)
      return []
    },
    /**
     * One sentence for each limit that the writes of the plan exceed.
     *
     * @param shown the mappings that the process has read
     * @param allowances those that describe the write
     */
    *sent(write: Write, shown: readonly SeenRow[], allowances: readonly Allowance[]): Generator<string> {
      const process = processes.get(write.process)
      const cycle = process?.cycle
      if (limited === undefined || isBlind || process === undefined || cycle === undefined) return
      // A later slice is judged by what the first one has read.
      const base = (cycle.base ??= shown)
      const members = (cycle.members ??= process.members)
      const { does, before, after } = write
      const isUndeclared =
        before !== undefined &&
        cycle.versions.every((version) => {
          const declared = declaredIn(version)
          return declared !== undefined && wish(declared, before, write.atMs).is === 'undeclared'
        })
      const change: Counted = { does, before, after, isUndeclared: does === 'delete' && isUndeclared }
      const key = `${before?.id} ${changeText(change)}`
      const one = cycle.writes.get(key) ?? { change, people: noPeople, allowed: new Map<string, number>() }
      cycle.writes.set(key, one)
      for (const { name, people } of allowances) if (name !== undefined && people !== undefined) one.allowed.set(name, allows(people))
      const now = rowsAfter(
        base,
        [...cycle.writes.values()].map((other) => other.change),
      )
      one.people = {
        ...{ raise: concerned('raise', change, base, members), gainProtected: concerned('gainProtected', change, base, members) },
        lose: union([one.people.lose, concerned('lose', change, base, members, now)]),
      }
      if (process.readMs < cycle.beganMs) yield 'written by an earlier count of people'
      for (const limit of limitsOf(change)) {
        const { left } = countIn(cycle, limit)
        if (left.size > mostOf(limit))
          yield `${left.size} people ${verbs[limit]} by one plan, and guards.people.${limit} allows ${mostOf(limit)}: ${[...left].join(', ')}`
      }
    },
  }

  /** The people whom this write alone concerns; for `lose` those who have less now than before the plan. */
  function concerned(
    limit: Limit,
    change: Counted,
    base: readonly SeenRow[],
    members: Members,
    now?: readonly Level[],
  ): ReadonlySet<string> {
    if (!limitsOf(change).includes(limit)) return new Set()
    const { group, at } = placeOf(change)
    const then = now ?? (change.after === undefined ? [] : [change.after])
    const isOne = (person: string) =>
      targetsAt(at, projects).some((target) =>
        isCounted(limit, rankOn(base, target, person, members), rankOn(then, target, person, members)),
      )
    return new Set((members.get(group) ?? []).filter(isOne))
  }
}

const noPeople = { raise: new Set<string>(), gainProtected: new Set<string>(), lose: new Set<string>() }
const verbs: Readonly<Record<Limit, string>> = {
  raise: 'newly get a role, or a higher one',
  gainProtected: 'newly get a protected role',
  lose: 'lose a role, or keep a lower one',
}

const union = (all: readonly ReadonlySet<string>[]): ReadonlySet<string> => new Set(all.flatMap((one) => [...one]))

const changeText = (change: Counted): string => {
  const { does, before, after } = change
  return `${does} ${keyOf(placeOf(change))}${after === undefined ? '' : ` = ${after.role}`}${before === undefined ? '' : ` (was ${before.role})`}`
}

/** `acme set ENG crew-1 guest`, as `happeningText` says it. */
function handKey(how: string): string {
  const [, , at = '', group = ''] = how.split(' ')
  return keyOf({ at, group })
}
