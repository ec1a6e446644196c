/**
 * What waits for one credential, and who goes next.
 *
 * Each workspace has a lane. The lane whose last turn is longest ago has the next, so that 3,000 changes of one do not keep 3 of another
 * waiting; in a lane reads go before writes, and otherwise in the order of their coming. While more waits than may be sent, what takes a
 * right away goes before everything else, in turns of the lanes too; but after a few of them in a row one of the rest.
 */
export type FairQueue<T> = {
  /** Those that wait, or were served not long ago; the one whose last turn is longest ago comes first. */
  readonly byName: Map<string, Lane<T>>
  waiting: number
  /** In a row, while others waited. */
  preferred: number
  came: number
}

export type Lane<T> = { readonly name: string; readonly waiting: Readonly<Record<Kind, Map<T, number>>> }

/** `revocation`: a write that takes a right away and gives none. */
export type Kind = 'read' | 'write' | 'revocation'

export const preferredMax = 3
/** A lane that is empty is remembered for its last turn; of more than so many the first is forgotten. */
const lanesMax = 2_000

export const emptyFairQueue = <T>(): FairQueue<T> => ({ byName: new Map(), waiting: 0, preferred: 0, came: 0 })

export function add<T>(lanes: FairQueue<T>, name: string, kind: Kind, entry: T): void {
  laneOf(lanes, name).waiting[kind].set(entry, lanes.came++)
  lanes.waiting++
}

/** Given up. */
export function remove<T>(lanes: FairQueue<T>, name: string, kind: Kind, entry: T): void {
  if (lanes.byName.get(name)?.waiting[kind].delete(entry) === true) lanes.waiting--
}

/** Takes the one out that goes next. @param short more waits than may be sent now */
export function take<T>(lanes: FairQueue<T>, short: boolean): T | undefined {
  const next = choose(lanes.byName.values(), short ? (lanes.preferred < preferredMax ? 'revocations' : 'rest') : 'nothing')
  if (next === undefined) return undefined
  const { lane, kind } = next
  const [entry] = lane.waiting[kind].keys()
  remove(lanes, lane.name, kind, entry as T)
  lanes.preferred = short && kind === 'revocation' ? lanes.preferred + 1 : 0
  // Its turn was just now.
  lanes.byName.delete(lane.name)
  lanes.byName.set(lane.name, lane)
  return entry
}

/** @param lanes the one whose last turn is longest ago first */
export function choose<T>(
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

/** @param last revocations, when everything else has had its turn */
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
  // It has had no turn yet, so it would come first; but whoever comes now has not waited.
  byName.set(name, lane)
  return lane
}
