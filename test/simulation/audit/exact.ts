import { type DeclaredWorkspace, keyOf, type Place, rulesOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { mostOfDay } from './day.ts'
import { type Amount, amounts, amountsOf, mostOf } from './measure.ts'
import { protectedRoles } from './violation.ts'
import type { Write } from './write.ts'

/** A change that the declaration asks for. */
export type Wanted = Pick<Write, 'workspace' | 'process' | 'does' | 'before' | 'after'>
type Waiting = { readonly change: Wanted; readonly key: string; readonly amount: Amount; readonly isApproved: boolean }
type Counts = Readonly<Record<Amount, number>>
/** What a workspace waits for, and its mappings. */
type Workspace = { readonly waiting: readonly Waiting[]; readonly there: readonly StoredRow[] }
type Begun = ReadonlyMap<string, Workspace>

/** If a plan has more grants than this, those that wait included, all of them wait beside changes that exceed a limit. */
const besideMax = 10

/**
 * In a world in which nothing happens but that limits are exceeded, and that a person approves some of what waits, each cycle writes what was approved and
 * what does not exceed its limit, and nothing else. It says `waiting` if something is left.
 *
 * @param isApproved whether a person lets the change pass now
 */
export function openExact(spec: Spec, rows: (workspace: string) => readonly StoredRow[], isApproved: (change: Wanted) => boolean) {
  let began: { readonly all: Begun; readonly isOrdered: boolean } | undefined
  /** Nothing is checked from now on. */
  let isBlind = false
  const ofDay: Record<Amount, number> = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
  const workspaces = spec.versions[0]?.declared.workspaces ?? []

  function waitingNow(process: number, workspace: DeclaredWorkspace): readonly Waiting[] {
    const { name, removed } = workspace
    const there = new Map(rows(name).map((row) => [keyOf(row), row]))
    const wanted = (place: Place, role?: string): readonly Wanted[] => {
      const before = there.get(keyOf(place))
      const about = { workspace: name, process, before }
      if (role === undefined) return before === undefined ? [] : [{ ...about, does: 'delete', after: undefined }]
      if (before?.role === role) return []
      return [{ ...about, does: before === undefined ? 'create' : 'patch', after: { group: place.group, at: place.at, role } }]
    }
    const declared = rulesOf(workspace).flatMap((rule) => ('group' in rule ? wanted(rule, rule.role) : []))
    const changes = [...declared, ...removed.flatMap((place) => wanted(place))]
    return changes.flatMap((change) =>
      amountsOf(change).map((amount) => ({
        change,
        key: keyOf(change.after ?? change.before ?? { group: '', at: '' }),
        amount,
        isApproved: isApproved(change),
      })),
    )
  }

  /** How many changes of each kind a cycle has to write in one workspace, besides those that were approved, as far as the limits of one plan decide. */
  function dueIn({ waiting, there }: Workspace): Counts {
    const owned = there.length
    const counts = countsOf(waiting.filter((one) => !takesTheLast(one, waiting, there)))
    const isOver = (amount: Amount) => counts[amount] > mostOf(amount, spec.guards, owned)
    const all = each((amount) => (isOver(amount) ? 0 : counts[amount]))
    const isAccident = isOver('raises') || isOver('lowers') || isOver('deletes')
    return isAccident && counts.creates + counts.raises > besideMax ? { ...all, creates: 0, raises: 0 } : all
  }

  const mostInAll = (amount: Amount): number =>
    Math.min(spec.guards.run ?? Number.POSITIVE_INFINITY, Math.max(0, mostOfDay(amount, spec.guards) - ofDay[amount]))

  function* ended({ process, outcome }: Extract<Happened, { is: 'cycled' }>): Generator<string> {
    if (began === undefined || isBlind) return
    const { all, isOrdered } = began
    began = undefined
    const ends = workspaces.map((workspace) => {
      const { name } = workspace
      const { waiting, there } = all.get(name) ?? { waiting: [], there: [] }
      const left = new Set(waitingNow(process, workspace).map(({ key }) => key))
      const done = countsOf(waiting.filter(({ key }) => !left.has(key)))
      return { name, waiting, left, done, due: dueIn({ waiting, there }) }
    })
    // What an order lets pass is not written if its plan has changed since it was shown.
    for (const amount of amounts) {
      const sum = (of: 'done' | 'due') => ends.reduce((total, end) => total + end[of][amount], 0)
      const [done, due] = [sum('done'), Math.min(sum('due'), mostInAll(amount))]
      ofDay[amount] += done
      const over = ends.find((end) => end.done[amount] > end.due[amount])
      if (over !== undefined) yield `wrote ${over.done[amount]} ${amount} in ${over.name}, and ${over.due[amount]} do not exceed a limit`
      else if (done > due) yield `wrote ${done} ${amount}, and ${due} do not exceed a limit`
      else if (done < due && !isOrdered) yield `wrote ${done} ${amount} of ${due} that do not exceed a limit`
    }
    if (isOrdered) return
    for (const { name, waiting, left } of ends)
      for (const one of waiting) if (one.isApproved && left.has(one.key)) yield `did not write ${name} ${one.key}, which was approved`
    const wanted = ends.map(({ name, left }) => `${name} ${left.size > 0 ? 'waiting' : 'success'}`).join(', ')
    if (outcome !== wanted) yield `ended as ${outcome} instead of ${wanted}`
  }

  return {
    /** One sentence for each change too many or too few. */
    *hear(event: Happened): Generator<string> {
      if (spec.exact !== true) return
      if (event.is === 'calm') isBlind = true
      // Not every cycle shows whether it has read a mapping before or after a person changed it; from then on it is not known what is left of the day. An
      // approval that comes while a cycle runs counts in it, or in the next one.
      const isLate = event.is === 'approved' || (event.is === 'took' && event.untilMs !== undefined)
      if ((isLate || (event.is === 'happening' && event.what === 'hand')) && began !== undefined) isBlind = true
      if (event.is === 'cycle') {
        const { process } = event
        const all = workspaces.map((one) => [one.name, { waiting: waitingNow(process, one), there: rows(one.name) }] as const)
        began = { all: new Map(all), isOrdered: event.isOrdered === true }
      }
      if (event.is === 'cycled') yield* ended(event)
    },
  }
}

/**
 * Whether the change is one of those after which no administrator is left, or no mapping of a list. What was approved takes part, and passes. Deletes are
 * written before creates, so a new mapping makes up for none.
 */
function takesTheLast({ change }: Waiting, waiting: readonly Waiting[], there: readonly StoredRow[]): boolean {
  const isAdmin = (row: { readonly role: string } | undefined) => row !== undefined && protectedRoles.has(row.role)
  const isTake = ({ before, after }: Wanted) => before?.at === 'workspace' && isAdmin(before) && !isAdmin(after)
  const takes = waiting.filter((one) => isTake(one.change))
  const administrators = there.filter((row) => row.at === 'workspace' && isAdmin(row))
  const isLast = takes.length > 0 && takes.length >= administrators.length
  if (isLast && isTake(change)) return true
  if (change.does !== 'delete') return false
  const inList = ({ at }: Place) => (at === 'workspace') === (change.before?.at === 'workspace')
  const open = waiting.filter((one) => one.change.does === 'delete' && inList(one.change.before as Place))
  const deletes = open.filter((one) => !(isLast && isTake(one.change) && !one.isApproved))
  return deletes.length >= there.filter(inList).length
}

const each = (count: (amount: Amount) => number): Counts => ({
  creates: count('creates'),
  raises: count('raises'),
  lowers: count('lowers'),
  deletes: count('deletes'),
})

const countsOf = (waiting: readonly Waiting[]): Counts =>
  each((name) => waiting.filter(({ amount, isApproved }) => amount === name && !isApproved).length)
