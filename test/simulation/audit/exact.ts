import { keyOf, type Place, rulesOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { type Amount, amounts, amountsOf, mostOf } from './measure.ts'
import type { Write } from './write.ts'

/** A change that the declaration asks for. */
export type Wanted = Pick<Write, 'workspace' | 'process' | 'does' | 'before' | 'after'>
type Waiting = { readonly change: Wanted; readonly key: string; readonly amount: Amount; readonly isApproved: boolean }
type Counts = Readonly<Record<Amount, number>>

/** If a plan has more grants than this, those that wait included, all of them wait beside changes that exceed a limit. */
const besideMax = 10

/**
 * In a world in which nothing happens but that limits are exceeded, and that a person approves some of what waits, each cycle writes what was approved and
 * what does not exceed its limit, and nothing else. It says `waiting` if something is left.
 *
 * @param isApproved whether a person lets the change pass now
 */
export function openExact(spec: Spec, rows: (workspace: string) => readonly StoredRow[], isApproved: (change: Wanted) => boolean) {
  let began: { readonly waiting: readonly Waiting[]; readonly owned: number; readonly isOrdered: boolean } | undefined
  /** Nothing is checked from now on. */
  let isBlind = false
  const ofDay: Record<Amount, number> = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
  const workspace = spec.versions[0]?.declared.workspaces[0]

  function waitingNow(process: number): readonly Waiting[] {
    if (workspace === undefined) return []
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

  /** How many changes of each kind a cycle has to write, besides those that were approved. */
  function expected(waiting: readonly Waiting[], owned: number): Counts {
    const counts = countsOf(waiting)
    const isOver = (amount: Amount) => counts[amount] > mostOf(amount, spec.guards, owned)
    const leftOfDay = (amount: Amount) => (amount === 'creates' ? Number.POSITIVE_INFINITY : Math.max(0, spec.guards.day - ofDay[amount]))
    const due = (amount: Amount) => (isOver(amount) ? 0 : Math.min(counts[amount], leftOfDay(amount)))
    const all = { creates: due('creates'), raises: due('raises'), lowers: due('lowers'), deletes: due('deletes') }
    const isAccident = isOver('raises') || isOver('lowers') || isOver('deletes')
    return isAccident && counts.creates + counts.raises > besideMax ? { ...all, creates: 0, raises: 0 } : all
  }

  function* ended({ process, outcome }: Extract<Happened, { is: 'cycled' }>): Generator<string> {
    if (began === undefined || workspace === undefined || isBlind) return
    const { waiting, owned, isOrdered } = began
    began = undefined
    // An approval that comes while a cycle runs counts in it, or in the next one.
    if (waiting.some(({ change, isApproved: was }) => isApproved(change) !== was)) isBlind = true
    if (isBlind) return
    const left = new Set(waitingNow(process).map(({ key }) => key))
    const written = waiting.filter(({ key }) => !left.has(key))
    const due = expected(waiting, owned)
    const done = countsOf(written)
    for (const amount of amounts) {
      ofDay[amount] += done[amount]
      if (done[amount] > due[amount]) yield `wrote ${done[amount]} ${amount}, and ${due[amount]} do not exceed a limit`
    }
    // What an order lets pass is not written if its plan has changed since it was shown.
    if (isOrdered) return
    for (const amount of amounts)
      if (done[amount] < due[amount]) yield `wrote ${done[amount]} ${amount} of ${due[amount]} that do not exceed a limit`
    for (const { key, isApproved } of waiting) if (isApproved && left.has(key)) yield `did not write ${key}, which was approved`
    const wanted = `${workspace.name} ${left.size > 0 ? 'waiting' : 'success'}`
    if (outcome !== wanted) yield `ended as ${outcome} instead of ${wanted}`
  }

  return {
    /** One sentence for each change too many or too few. */
    *hear(event: Happened): Generator<string> {
      if (spec.exact !== true) return
      if (event.is === 'calm') isBlind = true
      // Not every cycle shows whether it has read a mapping before or after a person changed it; from then on it is not known what is left of the day.
      if (event.is === 'happening' && event.what === 'hand' && began !== undefined) isBlind = true
      if (event.is === 'cycle')
        began = {
          waiting: waitingNow(event.process),
          owned: workspace === undefined ? 0 : rows(workspace.name).length,
          isOrdered: event.isOrdered === true,
        }
      if (event.is === 'cycled') yield* ended(event)
    },
  }
}

function countsOf(waiting: readonly Waiting[]): Counts {
  const count = (name: Amount) => waiting.filter(({ amount, isApproved }) => amount === name && !isApproved).length
  return { creates: count('creates'), raises: count('raises'), lowers: count('lowers'), deletes: count('deletes') }
}
