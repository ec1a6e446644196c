import { type Change, type ChangeId, isRevocation, touched } from '../change.ts'
import { type Hold, holdFor, holdsIn } from '../hold.ts'
import { type FlappingSettings, isEchoed, lastAppliedAt, reverts } from '../memory/lastApplied.ts'
import type { Memory } from '../memory/memory.ts'
import { at } from '../memory/shardedMap.ts'
import type { Plan } from '../plan.ts'
import { isProtected, type RoleSettings } from '../roles.ts'

/** What the gate compares a change with. All of it may differ at the next call. */
export type GateState = {
  readonly memory: Memory
  readonly suspend: boolean | 'grants'
  readonly roles: RoleSettings
  /** Hash of the declaration that the plan was made from. */
  readonly declaration: string
  /**
   * A moment before the lists for the plan were requested, epoch ms. If the list was requested before an earlier write was settled, it may not show
   * that write yet.
   */
  readonly readAtMs: number
  readonly flapping: FlappingSettings
  /** The number of mappings that exist twice: this program made one of each pair, another writer made the other. */
  readonly twins: number
  /** Ids of the changes that other changes of the plan require. */
  readonly required: ReadonlySet<ChangeId>
}

/** The last check, directly before each write. No write goes around it. Returns the hold, or undefined if the change may be written. */
export type Gate = (change: Change) => Hold | undefined

/** The hold with which the gate stops a change now; undefined if the change may be written. The first reason that applies decides. */
export function gateHold(change: Change, state: GateState): Hold | undefined {
  const { memory, suspend, roles, readAtMs } = state
  if (suspend === true) return holdFor(change, { kind: 'suspended', what: 'all' })
  if (suspend === 'grants' && !isRevocation(change, roles)) return holdFor(change, { kind: 'suspended', what: 'grants' })
  const untilMs = touched(change).reduce((latest, name) => Math.max(latest, memory.quarantine[name] ?? 0), 0)
  if (readAtMs < untilMs) return holdFor(change, { kind: 'quarantined', since: 'unknownOutcome' }, untilMs)
  const gone = change.action === 'create' ? undefined : goneHold(change, state)
  if (gone !== undefined) return gone
  if (change.action !== 'create' && change.action !== 'rename') return flappingHold(change, state)
  if (readAtMs < memory.createsFromMs) return holdFor(change, { kind: 'quarantined', since: 'startUp' }, memory.createsFromMs)
  if (change.action === 'create' && state.twins > 0) return holdFor(change, { kind: 'anotherWriter', twins: state.twins })
  const storedKey = at(memory.storedNames, change.key)
  if (storedKey !== undefined) return holdFor(change, { kind: 'nameEchoed', storedKey })
  const last = lastAppliedAt(memory.lastApplied, change.key)
  if (last?.role !== undefined && readAtMs < last.shownFromMs)
    return holdFor(change, { kind: 'quarantined', since: 'justWritten' }, last.shownFromMs)
  return flappingHold(change, state)
}

/**
 * The hold if our own delete or rename took the mapping away from this key, and a slow list still shows the mapping there. After a rename the
 * mapping's id belongs to the other key by now. A list that was read before that write showed other mappings of the key, too: the change is of one of these.
 */
function goneHold(change: Change, { memory, readAtMs }: GateState): Hold | undefined {
  const last = lastAppliedAt(memory.lastApplied, change.action === 'rename' ? change.from : change.key)
  if (last === undefined || last.role !== undefined || readAtMs >= last.shownFromMs) return undefined
  if (readAtMs < (last.atMs.at(-1) ?? 0)) return undefined
  return holdFor(change, { kind: 'quarantined', since: 'justWritten' }, last.shownFromMs)
}

/**
 * Holds a change that was undone too often. A revocation, and a change that another one requires, is written each time. If the
 * service itself answered with another role, the change is held also if another one requires it, until its rule is edited: to send it again would change
 * nothing.
 */
function flappingHold(change: Change, state: GateState): Hold | undefined {
  const { roles, required } = state
  const { rounds, span } = state.flapping
  if (isRevocation(change, roles) || givesUpProtected(change, roles)) return undefined
  if (isEchoed(change, state)) return holdFor(change, { kind: 'roleEchoed', sent: change.role, echoed: change.before })
  const times = reverts(change, state)
  if (required.has(change.id) || times.length < rounds) return undefined
  const oldestMs = times.at(-rounds) as number
  return holdFor(change, { kind: 'flapping', rounds: times.length, sinceMs: times[0] as number }, oldestMs + span)
}

/**
 * Whether a patch replaces a protected role by an ordinary one. Flapping never holds such a patch, also if the order does not compare the two roles;
 * `suspend: grants` then does.
 */
const givesUpProtected = (change: Change, roles: RoleSettings): boolean =>
  change.action === 'patch' &&
  change.before !== null &&
  isProtected(change.before, change.target, roles) &&
  !isProtected(change.role, change.target, roles)

/** The gate of one plan. The memory is read at each question. */
export function gateOf(plan: Plan, state: Omit<GateState, 'memory' | 'required'>, memory: () => Memory): Gate {
  const required = requiredIn(plan)
  return (change) => gateHold(change, { ...state, required, memory: memory() })
}

/** Ids of the changes that other changes of the plan require. */
export const requiredIn = ({ changes }: Plan): ReadonlySet<ChangeId> => new Set(changes.flatMap(({ requires }) => requires))

/** Change id → the hold that the change would get if writing began now: from the gate, or because the change requires a held change. */
export const previewHolds = ({ changes }: Plan, gate: Gate): ReadonlyMap<ChangeId, Hold> => holdsIn(changes, gate)
