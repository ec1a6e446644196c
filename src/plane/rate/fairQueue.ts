/**
 * The requests that wait for one credential, and their order.
 *
 * Each workspace has a lane. The lane whose last turn is longest ago has the next turn, so 3,000 changes of one workspace do not delay 3 of
 * another. Within a lane reads go first; the others go in the order of arrival. While more requests wait than may be sent, revocations go
 * before all others; the lanes with revocations take turns as well. After `preferredMax` revocations in a row one other request goes.
 */
type FairQueue<T> = {
  /** Lanes with waiting requests, and empty lanes that had a turn lately. The one whose last turn is longest ago comes first. */
  readonly byName: Map<string, Lane<T>>
  /** How many requests wait, in all lanes. */
  waiting: number
  /** How many revocations went in a row while more waited than could be sent. */
  preferred: number
  /** How many requests have arrived so far. */
  arrived: number
}

type Lane<T> = { readonly name: string; readonly waiting: Readonly<Record<Kind, Map<T, number>>> }

/** `revocation`: a write that takes a right away and gives none. */
export type Kind = 'read' | 'write' | 'revocation'

export const preferredMax = 3
/** An empty lane stays, to remember its last turn. From this many lanes on, a new lane removes the empty ones at the front. */
const lanesMax = 2_000

export const emptyFairQueue = <T>(): FairQueue<T> => ({ byName: new Map(), waiting: 0, preferred: 0, arrived: 0 })

export function add<T>(lanes: FairQueue<T>, name: string, kind: Kind, entry: T): void {
  laneOf(lanes, name).waiting[kind].set(entry, lanes.arrived++)
  lanes.waiting++
}

/** Removes a request that was given up. */
export function remove<T>(lanes: FairQueue<T>, name: string, kind: Kind, entry: T): void {
  if (lanes.byName.get(name)?.waiting[kind].delete(entry) === true) lanes.waiting--
}

export const hasRevocation = <T>({ byName }: FairQueue<T>): boolean =>
  [...byName.values()].some(({ waiting }) => waiting.revocation.size > 0)

/**
 * Removes and returns the request that goes next; undefined if no request waits.
 *
 * @param room `enough`: all may be sent now; `short`: more requests wait; `revocations`: only these may be sent now
 */
export function take<T>(lanes: FairQueue<T>, room: 'enough' | 'short' | 'revocations'): T | undefined {
  const short = room === 'short'
  const preferring = room === 'revocations' || (short && lanes.preferred < preferredMax) ? 'revocations' : short ? 'rest' : 'nothing'
  const next = choose(lanes.byName.values(), preferring)
  if (next === undefined) return undefined
  const { lane, kind } = next
  const [entry] = lane.waiting[kind].keys()
  remove(lanes, lane.name, kind, entry as T)
  lanes.preferred = short && kind === 'revocation' ? lanes.preferred + 1 : 0
  // The lane has just had a turn, so it goes to the end.
  lanes.byName.delete(lane.name)
  lanes.byName.set(lane.name, lane)
  return entry
}

/** The lane and kind of the request that goes next. @param lanes in order: the lane whose last turn is longest ago comes first */
function choose<T>(
  lanes: Iterable<Lane<T>>,
  preferring: 'revocations' | 'rest' | 'nothing',
): { readonly lane: Lane<T>; readonly kind: Kind } | undefined {
  let otherwise: { readonly lane: Lane<T>; readonly kind: Kind } | undefined
  for (const lane of lanes) {
    const { revocation } = lane.waiting
    const kind = preferring === 'revocations' && revocation.size > 0 ? 'revocation' : kindOf(lane, preferring !== 'nothing')
    if (kind === undefined) continue
    if (preferring === 'nothing' || (kind === 'revocation') === (preferring === 'revocations')) return { lane, kind }
    otherwise ??= { lane, kind }
  }
  return otherwise
}

/** @param last whether revocations go after the other requests of the lane */
function kindOf<T>({ waiting: { read, write, revocation } }: Lane<T>, last: boolean): Kind | undefined {
  if (read.size > 0) return 'read'
  if (revocation.size === 0) return write.size === 0 ? undefined : 'write'
  return write.size > 0 && (last || cameFirst(write) < cameFirst(revocation)) ? 'write' : 'revocation'
}

function cameFirst(entries: ReadonlyMap<unknown, number>): number {
  const [came = Number.POSITIVE_INFINITY] = entries.values()
  return came
}

function laneOf<T>({ byName }: FairQueue<T>, name: string): Lane<T> {
  const known = byName.get(name)
  if (known !== undefined) return known
  for (const [old, { waiting }] of byName) {
    if (byName.size < lanesMax) break
    if (waiting.read.size + waiting.write.size + waiting.revocation.size === 0) byName.delete(old)
  }
  const lane = { name, waiting: { read: new Map(), write: new Map(), revocation: new Map() } }
  // A new lane goes to the end, although it has had no turn: its request has not waited yet.
  byName.set(name, lane)
  return lane
}
