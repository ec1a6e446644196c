import type { Change, ChangeId } from '../core/change.ts'
import { type Existing, projectsKnownBy } from '../core/existing.ts'
import type { ChangeCounts } from '../core/judge/guardSettings.ts'
import { type Verdict, withFindings, withoutFindingsOf } from '../core/judge/guards.ts'
import { type EarlierSlices, ownedMappings } from '../core/judge/limits.ts'
import type { ProjectIdentifier } from '../core/mapping.ts'
import { isApproval } from '../core/memory/approvals.ts'
import { mayBeExecuted } from '../core/outcome.ts'
import type { PeopleEffect } from '../core/peopleEffect.ts'
import { effectsOf } from '../core/plan.ts'
import type { Applied } from '../core/report.ts'
import type { Guard, Waiver } from '../core/waiver.ts'

/**
 * The rules for a later slice of an approved plan. `keep`: a slice may still write approved changes that were not tried yet and that require only
 * such changes.
 */
export type LaterSlice = {
  readonly keep: (change: Change) => boolean
  readonly waivers: readonly Waiver[]
  /**
   * The projects that were known when the plan was approved. A later slice treats them as known: an earlier slice may have deleted the last mapping that
   * showed that a project exists.
   */
  readonly knownProjects: ReadonlySet<ProjectIdentifier>
  /** What the slices before have written, or may have written. If a limit judges the rest, it counts these changes, too. */
  readonly written: EarlierSlices
  /** The effects of the approved changes on people, as the first slice has counted them. Limits on people judge the rest by the same numbers. */
  readonly effects: ReadonlyMap<ChangeId, PeopleEffect>
}

/**
 * Guards on the size of a plan, which judge the plan once. The guards against emptied lists and a lost last administrator judge each slice, since
 * others may have written in between. If one of these two guards stops a slice, only a waiver that let the first plan pass the same guard lets the
 * slice pass. A limit that the plan passed by a waiver judges the rest of the plan again when this waiver has ended or was taken back.
 */
const judgedOnce: readonly Guard[] = ['changes', 'deletes', 'creates', 'run', 'day']

/**
 * @param existing what the first slice has read
 * @param isInForce tells whether a waiver counts now: its time has not ended, and no person has withdrawn it
 */
export function laterSlice(
  { plan, waived }: Verdict,
  existing: Existing,
  { results, holds }: Applied,
  isInForce: (waiver: Waiver) => boolean,
): LaterSlice {
  const approved = new Set(plan.changes.map(({ id }) => id))
  const tried = new Set<ChangeId>([...results.map(({ change }) => change.id), ...holds.flatMap(({ change }) => change?.id ?? [])])
  const ended = new Set(waived.flatMap((waiver) => (isInForce(waiver) ? [] : limitsOf(waiver))))
  const isLeft = (id: ChangeId) => approved.has(id) && !tried.has(id)
  return {
    knownProjects: projectsKnownBy(existing),
    written: { ...countsOf(results), owned: ownedMappings(plan) },
    effects: effectsOf(plan),
    keep: ({ id, requires }) => isLeft(id) && requires.every(isLeft),
    waivers: [
      // The declaration and the memory have the waivers in words and the approvals that count now. With the ids of its changes, a waiver in words would let
      // them pass every guard.
      ...waived.filter((waiver) => waiver.words === undefined && !isApproval(waiver)),
      {
        ids: [],
        rememberedScope: new Map(judgedOnce.flatMap((guard) => (ended.has(guard) ? [] : [[guard, approved] as const]))),
        by: 'this run',
        untilMs: Number.POSITIVE_INFINITY,
        source: 'its first slice',
      },
    ],
  }
}

/** The limits that a plan could pass by the waiver. */
const limitsOf = ({ words, rememberedScope }: Waiver): readonly Guard[] =>
  words?.limit === undefined ? [...(rememberedScope?.keys() ?? [])] : [words.limit.guard]

function countsOf(results: Applied['results']): ChangeCounts {
  const written = results.filter(({ change, outcome }) => mayBeExecuted(change, outcome)).map(({ change }) => change.action)
  const creates = written.filter((action) => action === 'create').length
  return { creates, deletes: written.filter((action) => action === 'delete').length, changes: written.length - creates }
}

/**
 * The result, with the facts that only the last slice knows: the holds of approved changes that were not tried, the finding that another writer
 * makes the same mappings, and which waivers have ended.
 */
export function withLater(
  verdict: Verdict,
  { plan: later }: Verdict,
  applied: Applied,
): { readonly verdict: Verdict; readonly applied: Applied } {
  const tried = new Set(applied.results.map(({ change }) => change.id))
  const untried = verdict.plan.changes.filter(({ id }) => !tried.has(id))
  const ids = new Set(untried.map(({ id }) => id))
  const keys = new Set(untried.map(({ key }) => key))
  const holds = later.holds.filter(({ key, change }) => (change === undefined ? keys.has(key) : ids.has(change.id)))
  const known = new Set(verdict.plan.findings.map(({ code }) => code))
  const findings = later.findings.filter(({ code }) => (code === 'another-writer' && !known.has(code)) || code === 'waiver-expired')
  const ended = new Set(findings.flatMap(({ code, place }) => (code === 'waiver-expired' ? [place] : [])))
  const standing = withoutFindingsOf(verdict, ({ code, place }) => code === 'waiver-used' && ended.has(place))
  return { verdict: withFindings(standing, findings), applied: { ...applied, holds: [...applied.holds, ...holds] } }
}
