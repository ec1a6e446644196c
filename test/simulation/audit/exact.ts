import { type DeclaredWorkspace, keyOf, type Place, rulesOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { mostOfDay } from './day.ts'
import { openEnds } from './ends.ts'
import { type Amount, amounts, amountsOf, mostOf } from './measure.ts'
import { protectedRoles } from './violation.ts'
import { wanted } from './wanted.ts'
import type { Write } from './write.ts'

/** A change that the declaration asks for. */
export type Wanted = Pick<Write, 'workspace' | 'process' | 'does' | 'before' | 'after'>
/** `isUncounted`: a person approved it, or a rule ended as cycles have long known. */
type Waiting = {
  readonly change: Wanted
  readonly key: string
  readonly amount: Amount
  readonly isApproved: boolean
  readonly isUncounted: boolean
}
type Counts = Readonly<Record<Amount, number>>
/** What a workspace waits for, and its mappings. */
type Workspace = { readonly waiting: readonly Waiting[]; readonly there: readonly StoredRow[] }
type Begun = ReadonlyMap<string, Workspace>

/** If a plan has more grants than this, those that wait included, all of them wait beside changes that exceed a limit. */
const besideMax = 10
const dayMs = 86_400_000

/**
 * In a world in which nothing happens but that limits are exceeded, and that a person approves some of what waits, each cycle writes what was approved and
 * what does not exceed its limit, and nothing else. It says `waiting` if something is left.
 *
 * @param isApproved whether a person lets the change pass now
 */
export function openExact(spec: Spec, rows: (workspace: string) => readonly StoredRow[], isApproved: (change: Wanted) => boolean) {
  let began: { readonly all: Begun; readonly isOrdered: boolean; readonly workspaces: readonly DeclaredWorkspace[] } | undefined
  /** Nothing is checked from now on. */
  let isBlind = false
  let ofDay: { readonly atMs: number; readonly amount: Amount; readonly count: number }[] = []
  const ends = openEnds()
  let [nowMs, version] = [spec.beginMs, 0]
  const inForce = () => spec.versions[version]?.declared.workspaces ?? []

  function waitingNow(process: number, workspace: DeclaredWorkspace): readonly Waiting[] {
    const { name } = workspace
    const there = new Map(rows(name).map((row) => [keyOf(row), row]))
    const changeAt = (place: Place): readonly Wanted[] => {
      const want = wanted(workspace, place, { known: true, nowMs, mapped: there.has(keyOf(place)) })
      if (want.is === 'unknown') return []
      const role = want.is === 'role' ? want.role : undefined
      const before = there.get(keyOf(place))
      const about = { workspace: name, process, before }
      if (role === undefined) return before === undefined ? [] : [{ ...about, does: 'delete', after: undefined }]
      if (before?.role === role) return []
      return [{ ...about, does: before === undefined ? 'create' : 'patch', after: { group: place.group, at: place.at, role } }]
    }
    const places = [...rulesOf(workspace).flatMap((rule) => ('group' in rule ? [rule] : [])), ...workspace.removed]
    return places.flatMap(changeAt).flatMap((change) => {
      const place = change.after ?? change.before ?? { group: '', at: '' }
      const passes = isApproved(change)
      // A start always counts.
      const isEnd = change.does !== 'create' && ends.isRecorded(name, place, workspace, nowMs)
      return amountsOf(change).map((amount) => ({ change, key: keyOf(place), amount, isApproved: passes, isUncounted: passes || isEnd }))
    })
  }

  /** How many changes of each kind a cycle has to write in one workspace, besides those that were approved, as far as the limits of one plan decide. */
  function dueIn({ waiting, there }: Workspace): Counts {
    const owned = there.length
    const counts = countsOf(waiting.filter((one) => takesTheLast(one, waiting, there) === undefined))
    const isOver = (amount: Amount) => counts[amount] > mostOf(amount, spec.guards, owned)
    const all = each((amount) => (isOver(amount) ? 0 : counts[amount]))
    const isEmptied = waiting.some((one) => !one.isUncounted && takesTheLast(one, waiting, there) === 'mapping')
    const isAccident = isEmptied || isOver('raises') || isOver('lowers') || isOver('deletes')
    return isAccident && counts.creates + counts.raises > besideMax ? { ...all, creates: 0, raises: 0 } : all
  }

  const mostInAll = (amount: Amount): number =>
    Math.min(spec.guards.run ?? Number.POSITIVE_INFINITY, Math.max(0, mostOfDay(amount, spec.guards) - countOfDay(amount)))
  const countOfDay = (amount: Amount): number => ofDay.reduce((sum, one) => sum + (one.amount === amount ? one.count : 0), 0)

  function* ended({ process, outcome }: Extract<Happened, { is: 'cycled' }>): Generator<string> {
    if (began === undefined || isBlind) return
    const { all, isOrdered, workspaces } = began
    began = undefined
    const results = workspaces.map((workspace) => {
      const { name } = workspace
      const { waiting, there } = all.get(name) ?? { waiting: [], there: [] }
      const left = new Set(waitingNow(process, workspace).map(({ key }) => key))
      const done = countsOf(waiting.filter(({ key }) => !left.has(key)))
      return { name, waiting, left, done, due: dueIn({ waiting, there }) }
    })
    // What an order lets pass is not written if its plan has changed since it was shown.
    for (const amount of amounts) {
      const sum = (of: 'done' | 'due') => results.reduce((total, end) => total + end[of][amount], 0)
      const [done, due] = [sum('done'), Math.min(sum('due'), mostInAll(amount))]
      ofDay.push({ atMs: nowMs, amount, count: done })
      const over = results.find((end) => end.done[amount] > end.due[amount])
      if (over !== undefined) yield `wrote ${over.done[amount]} ${amount} in ${over.name}, and ${over.due[amount]} do not exceed a limit`
      else if (done > due) yield `wrote ${done} ${amount}, and ${due} do not exceed a limit`
      else if (done < due && !isOrdered) yield `wrote ${done} ${amount} of ${due} that do not exceed a limit`
    }
    if (isOrdered) return
    for (const { name, waiting, left } of results)
      for (const one of waiting)
        if (one.isUncounted && left.has(one.key))
          yield `did not write ${name} ${one.key}, ${one.isApproved ? 'which was approved' : 'whose end was known for long'}`
    const whole = results.map(({ name, left }) => `${name} ${left.size > 0 ? 'waiting' : 'success'}`).join(', ')
    if (outcome !== whole) yield `ended as ${outcome} instead of ${whole}`
  }

  const isRecordedEnd = ({ workspace, does, before }: Wanted): boolean => {
    const declared = began?.workspaces.find(({ name }) => name === workspace)
    return does !== 'create' && before !== undefined && declared !== undefined && ends.isRecorded(workspace, before, declared, nowMs)
  }

  return {
    /** Whether the write takes away what a rule gave that ended as cycles have long known. It fills no limit. Known in such worlds only. */
    isRecordedEnd: (write: Wanted): boolean => spec.exact === true && isRecordedEnd(write),
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
        nowMs = event.atMs
        const workspaces = inForce()
        ofDay = ofDay.filter(({ atMs }) => nowMs - atMs < dayMs)
        const all = workspaces.map((one) => [one.name, { waiting: waitingNow(process, one), there: rows(one.name) }] as const)
        began = { all: new Map(all), isOrdered: event.isOrdered === true, workspaces }
      }
      if (event.is === 'edit') version = event.version
      if (event.is === 'cycled') {
        const read = began
        yield* ended(event)
        if (read !== undefined) ends.read(read.workspaces, nowMs)
      }
    },
  }
}

/**
 * Whether the change is one of those after which no administrator is left, or no mapping of a list. What was approved takes part, and passes. Deletes are
 * written before creates, so a new mapping makes up for none.
 */
function takesTheLast(
  { change }: Waiting,
  waiting: readonly Waiting[],
  there: readonly StoredRow[],
): 'administrator' | 'mapping' | undefined {
  const isAdmin = (row: { readonly role: string } | undefined) => row !== undefined && protectedRoles.has(row.role)
  const isTake = ({ before, after }: Wanted) => before?.at === 'workspace' && isAdmin(before) && !isAdmin(after)
  const takes = waiting.filter((one) => isTake(one.change))
  const administrators = there.filter((row) => row.at === 'workspace' && isAdmin(row))
  const isLast = takes.length > 0 && takes.length >= administrators.length
  if (isLast && isTake(change)) return 'administrator'
  if (change.does !== 'delete') return undefined
  const inList = ({ at }: Place) => (at === 'workspace') === (change.before?.at === 'workspace')
  const open = waiting.filter((one) => one.change.does === 'delete' && inList(one.change.before as Place))
  const deletes = open.filter((one) => !(isLast && isTake(one.change) && !one.isApproved))
  return deletes.length >= there.filter(inList).length ? 'mapping' : undefined
}

const each = (count: (amount: Amount) => number): Counts => ({
  creates: count('creates'),
  raises: count('raises'),
  lowers: count('lowers'),
  deletes: count('deletes'),
})

const countsOf = (waiting: readonly Waiting[]): Counts =>
  each((name) => waiting.filter(({ amount, isUncounted }) => amount === name && !isUncounted).length)
