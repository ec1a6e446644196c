import type { Change } from '../change.ts'
import type { Key, Role } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import type { Outcome } from '../outcome.ts'

/** The state in which successful writes left a key. If the state has to be written again, another writer undid it. */
export type LastApplied = {
  readonly key: Key
  /** Absent: the key has no mapping. */
  readonly role?: Role
  /** The role that the service answered with, if it is another than `role`. */
  readonly echoed?: string
  /** The role that the key's mapping had before the last write. Absent: the key had no mapping. */
  readonly before?: Role | null
  /** Beside `echoed`: the reason in the rule. An edit of it sends the same role again. */
  readonly reason?: string
  /** Ids of the mappings that creates of this program made for the key, the newest last. */
  readonly made?: readonly string[]
  /** Hash of the declaration at the time of the write. With another declaration the count begins anew. */
  readonly declaration: string
  /**
   * Times of the writes, oldest first. Writes less than Δ apart count as one, so that neither duplicates of a key nor a slow list count as
   * reverts.
   */
  readonly atMs: readonly number[]
  /** Δ after the last write. A list that was requested before this time may not show the write yet. */
  readonly shownFromMs: number
}

/** The number of write times (timestamps) that are kept for one key. It is larger than any setting needs. */
export const roundsMax = 20
/** How many keys are kept. A key whose write is undone is written again, and so stays among the newest. */
export const writtenMax = 2_000
/** As long as the longest span of `guards.flapping`. */
export const lastAppliedKeptMs = 7 * 86_400_000

type Write = {
  readonly atMs: number
  readonly declaration: string
  readonly echoed?: string | undefined
  readonly made?: string | undefined
}

type Done = Pick<Extract<Outcome, { kind: 'done' }>, 'mapping' | 'earlierLastByteMs'>

/** The id of the mapping that a create made; undefined if an earlier sending of the create may have made another one. */
export const madeBy = ({ action }: Change, { mapping, earlierLastByteMs }: Done): string | undefined =>
  action === 'create' && earlierLastByteMs === undefined ? mapping : undefined

/** The states after one more successful write, the newest last. */
export function afterWrite(
  written: readonly LastApplied[],
  change: Change,
  { atMs, declaration, echoed, made }: Write,
  waitMs: number,
): readonly LastApplied[] {
  return statesOf(change).reduce((sofar, { key, role, before }) => {
    const last = sofar.find((state) => state.key === key)
    const momentsBefore = last?.declaration === declaration && last.role === role ? last.atMs : []
    const isOneWith = Math.abs(atMs - (momentsBefore.at(-1) ?? Number.NEGATIVE_INFINITY)) < waitMs
    const moments = isOneWith ? momentsBefore : [...momentsBefore, atMs].slice(-roundsMax)
    const reason = change.because?.reason
    const echo = echoed === undefined || echoed === role ? {} : defined({ echoed, reason })
    const roles = role === undefined ? {} : { role, ...echo }
    const ids = role === undefined ? [] : [...(last?.made ?? []), ...(made === undefined ? [] : [made])].slice(-roundsMax)
    const left: LastApplied = {
      key,
      ...roles,
      ...(before === undefined ? {} : { before }),
      ...(ids.length === 0 ? {} : { made: ids }),
      declaration,
      atMs: moments,
      shownFromMs: atMs + waitMs,
    }
    return bounded([...(last === undefined ? sofar : sofar.filter((state) => state !== last)), left], atMs)
  }, written)
}

/** Drops the oldest states, but keeps those that a slow list may not show yet. */
function bounded(written: readonly LastApplied[], nowMs: number): readonly LastApplied[] {
  const surplus = written.length - writtenMax
  if (surplus <= 0) return written
  const hidden = written.slice(0, surplus).filter(({ shownFromMs }) => nowMs < shownFromMs)
  return [...hidden, ...written.slice(surplus)]
}

type State = Pick<LastApplied, 'key' | 'role' | 'before'>

/**
 * The states in which a change leaves its keys. Settings have none: each write of them needs an approval, so this program cannot write them
 * again and again. The delete of a duplicate has none, because the key keeps the other mapping.
 */
function statesOf(change: Change): readonly State[] {
  switch (change.action) {
    case 'settings':
      return []
    case 'delete':
      return change.why === 'duplicate' ? [] : [{ key: change.key, before: change.before }]
    case 'create':
      return [{ key: change.key, role: change.role }]
    case 'patch':
      return [{ key: change.key, role: change.role, before: change.before }]
    case 'rename':
      return [
        { key: change.key, role: change.role },
        { key: change.from, before: change.before },
      ]
    default:
      return change satisfies never
  }
}

/** The state in which the last successful write left a key. */
export const lastAppliedAt = (written: readonly LastApplied[], key: Key): LastApplied | undefined =>
  written.find((state) => state.key === key)

/** The key and the role of each state in which these changes leave their keys; undefined if a change leaves none of which the memory could show it. */
export function leftBy(changes: readonly Change[]): readonly Pick<LastApplied, 'key' | 'role'>[] | undefined {
  const states = changes.map(statesOf)
  return states.length === 0 || states.some((ofChange) => ofChange.length === 0) ? undefined : states.flat()
}

/**
 * A change that was written `rounds` times within `span` (ms), and undone each time, is held until the oldest of these writes is `span`
 * old.
 */
export type FlappingSettings = { readonly rounds: number; readonly span: number }

export type RevertContext = {
  readonly memory: { readonly lastApplied: readonly LastApplied[] }
  readonly declaration: string
  /** A moment before the lists for the change were requested, epoch ms. */
  readonly readAtMs: number
  readonly flapping: FlappingSettings
}

/**
 * Whether the service itself answered the same write with the role that exists now. So no other writer undid it, and another patch would
 * change nothing, whatever else of the declaration was edited since.
 */
export function isEchoed(
  change: Change,
  { memory }: Pick<RevertContext, 'memory'>,
): change is Extract<Change, { action: 'patch' }> & { readonly before: Role } {
  if (change.action !== 'patch' || change.before === null) return false
  const last = lastAppliedAt(memory.lastApplied, change.key)
  return last?.echoed === change.before && last.role === change.role && last.reason === change.because?.reason
}

/** Times within the span at which the same state was written; the state was undone since. Empty: the state was not written. */
export function reverts(change: Change, { memory, declaration, readAtMs, flapping }: RevertContext): readonly number[] {
  const [wanted] = statesOf(change)
  const last = wanted && lastAppliedAt(memory.lastApplied, wanted.key)
  if (last === undefined || last.declaration !== declaration || last.role !== wanted?.role) return []
  // A write that came after the request of the lists does not count as undone, because the lists could not show it.
  return last.atMs.filter((atMs) => atMs <= readAtMs && readAtMs < atMs + flapping.span)
}
