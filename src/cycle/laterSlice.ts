import type { Change, ChangeId } from '../core/change.ts'
import { type Existing, projectsKnownBy } from '../core/existing.ts'
import { bareId } from '../core/idWithPeople.ts'
import { type Judged, withFindings, withoutFindingsOf } from '../core/judge/guards.ts'
import type { ProjectIdentifier } from '../core/mapping.ts'
import { isApproval } from '../core/memory/approvals.ts'
import type { PeopleOfChange } from '../core/peopleEffect.ts'
import { peopleIn } from '../core/plan.ts'
import type { Applied } from '../core/report.ts'
import type { Waiver } from '../core/waiver.ts'

/**
 * The rules for a later slice of a plan. `keep`: a slice may still write changes of the first slice's plan that were not tried yet and that require only
 * such changes. `before`: what the first slice let pass, without the changes whose approval has ended or was taken back since. The limits on amounts and on
 * people have counted it. The limits on emptied lists and the last administrator judge each slice, since others may have written in between.
 */
export type LaterSlice = {
  readonly keep: (change: Change) => boolean
  readonly before: readonly Change[]
  readonly waivers: readonly Waiver[]
  /**
   * The projects that were known when the plan was approved. A later slice treats them as known: an earlier slice may have deleted the last mapping that
   * showed that a project exists.
   */
  readonly knownProjects: ReadonlySet<ProjectIdentifier>
  /** The people of the approved changes, as the first slice has counted them. Limits on people judge the rest by the same numbers. */
  readonly people: ReadonlyMap<ChangeId, PeopleOfChange>
}

/**
 * @param existing what the first slice has read
 * @param isInForce tells whether a waiver counts now: its time has not ended, and no person has withdrawn it
 */
export function laterSlice(
  { plan, waived }: Judged,
  existing: Existing,
  { results, holds }: Applied,
  isInForce: (waiver: Waiver) => boolean,
): LaterSlice {
  const planned = new Set(plan.changes.map(({ id }) => id))
  const tried = new Set<ChangeId>([...results.map(({ change }) => change.id), ...holds.flatMap(({ change }) => change?.id ?? [])])
  const lapsed = new Set(waived.flatMap((waiver) => (isInForce(waiver) ? [] : waiver.ids.map(bareId))))
  const isLeft = (id: ChangeId) => planned.has(id) && !tried.has(id)
  return {
    knownProjects: projectsKnownBy(existing),
    people: peopleIn(plan),
    keep: ({ id, requires }) => isLeft(id) && requires.every(isLeft),
    before: plan.changes.filter(({ id }) => !lapsed.has(id)),
    // The declaration and the memory have the waivers in words and the approvals that count now.
    waivers: waived.filter((waiver) => waiver.words === undefined && !isApproval(waiver)),
  }
}

/**
 * The result, with the facts that only the last slice knows: the holds of approved changes that were not tried, the finding that another writer
 * makes the same mappings, and which waivers have ended.
 */
export function withLater(
  judged: Judged,
  { plan: later }: Judged,
  applied: Applied,
): { readonly judged: Judged; readonly applied: Applied } {
  const tried = new Set(applied.results.map(({ change }) => change.id))
  const untried = judged.plan.changes.filter(({ id }) => !tried.has(id))
  const ids = new Set(untried.map(({ id }) => id))
  const keys = new Set(untried.map(({ key }) => key))
  const holds = later.holds.filter(({ key, change }) => (change === undefined ? keys.has(key) : ids.has(change.id)))
  const known = new Set(judged.plan.findings.map(({ code }) => code))
  const findings = later.findings.filter(({ code }) => (code === 'another-writer' && !known.has(code)) || code === 'waiver-expired')
  const ended = new Set(findings.flatMap(({ code, place }) => (code === 'waiver-expired' ? [place] : [])))
  const standing = withoutFindingsOf(judged, ({ code, place }) => code === 'waiver-used' && ended.has(place))
  return { judged: withFindings(standing, findings), applied: { ...applied, holds: [...applied.holds, ...holds] } }
}
