import { waiverId } from '../change.ts'
import type { Verdict } from './guards.ts'
import { changeNamed, namesPlan } from './waivers.ts'

/**
 * The ids of waivers that match nothing in these plans: no plan, no change, also if it is held, and no project or group that changed. With several
 * workspaces an id usually matches in one of them only.
 */
export const unmatchedIds = (ids: readonly string[], verdicts: readonly Verdict[]): readonly string[] => {
  const known = new Set(verdicts.flatMap(idsOf))
  return ids.filter((id) => !known.has(changeNamed(id)) && !verdicts.some(({ plan }) => namesPlan(id, plan)))
}

const idsOf = ({ plan: { changes, holds }, waived }: Verdict): readonly (string | undefined)[] => [
  ...changes.map(({ id }) => id),
  ...holds.flatMap(({ change, reason }) => [change?.id, 'pass' in reason ? reason.pass : undefined]),
  // A project or group that a waiver has accepted is in no hold any more.
  ...waived.flatMap(({ ids }) => ids.map(changeNamed)),
]

/** The ids with which a waiver would let something pass: refused plans, changes that need approval, and held changes of projects and groups. */
export const idsThatWait = (verdicts: readonly Verdict[]): readonly string[] => [
  ...new Set(
    verdicts.flatMap(({ approved, plan }) => [
      ...(approved ? [] : [waiverId(plan.fingerprint)]),
      ...plan.holds.flatMap(({ change, reason }) =>
        'pass' in reason ? [reason.pass] : reason.kind === 'approval' && change !== undefined ? [change.id] : [],
      ),
    ]),
  ),
]
