import type { AfterEnd, DesiredMapping } from '../desired.ts'
import { comparePositions } from '../rule.ts'
import { type Claim, resolveConflict } from './claims.ts'

/**
 * The result of the other claims on a key at the moment when the rule that decides it ends. So it is known before that day that a mapping does not end
 * with its rule.
 *
 * @param decided the result of all claims today
 * @returns undefined if the rule has no end, or if no other claim keeps the mapping
 */
export function afterEnd(all: readonly Claim[], { because }: DesiredMapping): AfterEnd | undefined {
  if (all.length === 1) return undefined
  const endMs = all.find(({ wanted }) => comparePositions(wanted.because.at, because.at) === 0)?.expiresMs
  if (endMs === undefined) return undefined
  const left = all.filter(({ expiresMs }) => expiresMs === undefined || expiresMs > endMs).map((claim) => startedBy(claim, endMs))
  if (left.length === 0) return undefined
  const wanted = resolveConflict(left)
  if (wanted.kind === 'absent' || isNotStarted(wanted)) return undefined
  return { at: wanted.because.at, ...(wanted.kind === 'role' ? { role: wanted.role } : {}) }
}

/** The claim as it is at that moment, if its rule has started by then. */
function startedBy(claim: Claim, atMs: number): Claim {
  const { wanted, notStarted: _, ...rest } = claim
  if (!isNotStarted(wanted) || wanted.reason.startsMs > atMs || wanted.would?.kind !== 'role') return claim
  const { group, target, because, would } = wanted
  return { ...rest, wanted: { group, target, because, kind: 'role', role: would.role, allowProtected: false } }
}

type Held = Extract<DesiredMapping, { kind: 'unknown' }>
type NotStarted = Held & { readonly reason: Extract<Held['reason'], { kind: 'notStarted' }> }

const isNotStarted = (wanted: DesiredMapping): wanted is NotStarted => wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted'
