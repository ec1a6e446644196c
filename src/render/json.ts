import type { Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import type { Hold } from '../core/hold.ts'
import { type Plan, planFormat, type UnchangedMapping } from '../core/plan.ts'
import { isoTime } from '../core/quantity.ts'
import type { Applied, DeclarationReport, DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import type { RoleSettings } from '../core/roles.ts'
import { callsAMinute } from './cost.ts'
import { documentChange } from './documentChange.ts'
import { documentOutcome } from './documentOutcome.ts'
import { documentBecause, documentSettings, documentTarget } from './documentParts.ts'
import { documentReason } from './documentReason.ts'
import { explainHold } from './hold.ts'
import { costOf } from './meaning.ts'
import { type Counts, countsOf, standingOf } from './sections.ts'
import type { FailedView, View } from './view.ts'

export const documentFormat = 'plane-group-sync/plan'

/**
 * The plans of a run as one JSON document for programs. It is indented, its keys have a fixed order, and absent values are left out. Keys are
 * only added within a `version`. Times are ISO 8601 in UTC; `…Ms` are milliseconds. Invisible characters are escaped as `\uXXXX`.
 * ```
 * { format: 'plane-group-sync/plan', version: 1,
 *   findings: [finding],                              those that concern several workspaces
 *   workspaces: [
 *     { workspace, slug, host, policy, suspend, credential,
 *       standing: 'failed', failed: sentence, cure?: sentence }
 *   | { …the same, standing: 'writes' | 'waits' | 'inSync' | 'refused' | 'moved',
 *       at, fingerprint,
 *       declaration: { hash, files, kept?, lastValid? },
 *       directories: [{ name, kind, status, groups, why?, at, tookMs }],
 *       groupSync?: { enabled?, syncOnLogin?, autoRemove?, offlineSync?, groupAttribute?, defaultWorkspaceRole? },
 *       counts: { create, raise, lower, other, rename, settings, delete, waiting, held, dangling, undeclared, unchanged },
 *       protected: { create, raise, lower, other, rename, waiting, held },   how many of these grant a protected role
 *       cost: { changes, calls, ms, perMinute },
 *       owned: { workspaceRoles?, projectRoles? },
 *       changes: [change],                           in the order of writing
 *       refusals: [{ guard, count, limit, owned?, setting, sentence }],
 *       waived: [{ passes, by, until?, source }],
 *       unchanged?: [{ key, mapping, target, group, role, people?, because }],   with --all: the mappings that are as declared
 *       holds: [{ key, target?, group?, reason: { kind, … }, sentence, cure, until?, change?, because? }],
 *       findings: [finding],
 *       applied?: { stopped?, why?, results: [{ change: id, outcome }], holds: [hold], left: [id] } }] }
 *
 * change:  { id, action: 'create', …place, role }
 *        | { id, action: 'patch', …place, mapping, before, role }
 *        | { id, action: 'rename', …place, mapping, from, fromGroup, before, role }
 *        | { id, action: 'delete', …place, mapping, before, why }
 *        | { id, action: 'settings', key, before, after, because?, requires }
 * before:  null if the mapping has no role
 * place:   key, target: { kind: 'workspace' | 'allProjects' } | { kind: 'project', project }, group, people?, allowProtected?, protected?: true, because?, requires
 * because: { at: { file, line, column }, owner?, reason?, directory? }
 * finding: { code, severity, place, sentence, cure? }
 * outcome: { is: 'done' | 'notSent' | 'refused' | 'unknown', … }
 * ```
 */
export function planJson(views: readonly (View | FailedView)[]): string {
  const findings = sharedFindings(views).map(findingOf)
  const document = { format: documentFormat, version: planFormat, workspaces: views.map(workspaceOf), findings }
  return JSON.stringify(document, undefined, 2).replace(/[\p{Cf}\p{Zl}\p{Zp}\u007F-\u009F]/gu, escaped)
}

/** As JSON escapes, because a terminal or an editor would interpret the characters. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('')

function workspaceOf(view: View | FailedView): object {
  const { workspace, slug, host, policy, suspend, credential, groupSync } = view.about
  const about = { workspace, slug, host, policy, suspend, credential }
  if ('failed' in view) return { ...about, standing: 'failed', failed: view.failed, cure: view.cure }
  const { verdict, declaration, directories, applied, nowMs } = view
  const { plan } = verdict
  const { roles } = view.about
  const counts = countsOf(plan, view.about)
  return {
    ...about,
    standing: standingOf(view),
    at: isoTime(nowMs),
    fingerprint: plan.fingerprint,
    declaration: declarationOf(declaration),
    directories: directories.map(directoryOf),
    groupSync: groupSync && documentSettings(groupSync),
    counts: countsDocument(counts),
    protected: protectedDocument(counts.protected),
    cost: costDocument(view.about, plan.changes),
    owned: { workspaceRoles: plan.owned.workspaceRoles, projectRoles: plan.owned.projectRoles },
    changes: plan.changes.map((change) => documentChange(change, roles)),
    refusals: verdict.approved
      ? []
      : verdict.refusals.map(({ guard, count, limit, owned, setting, sentence }) => ({ guard, count, limit, owned, setting, sentence })),
    waived: verdict.waived.map(({ ids, by, untilMs, source }) => ({ passes: ids, by, until: isoTime(untilMs), source })),
    unchanged: plan.unchangedMappings?.map(unchangedOf),
    holds: plan.holds.map((hold) => holdOf(hold, roles)),
    findings: plan.findings.map(findingOf),
    applied: applied && appliedOf(applied, roles),
  }
}

const declarationOf = ({ hash, files, kept, lastValidMs }: DeclarationReport): object => ({
  hash,
  files,
  kept,
  lastValid: lastValidMs === undefined ? undefined : isoTime(lastValidMs),
})

function countsDocument(counts: Counts): object {
  const { create, raise, lower, other, rename, settings, delete: deletes, waiting, held, dangling, undeclared, unchanged } = counts
  return { create, raise, lower, other, rename, settings, delete: deletes, waiting, held, dangling, undeclared, unchanged }
}

const protectedDocument = ({ create, raise, lower, other, rename, waiting, held }: Counts['protected']): object => ({
  create,
  raise,
  lower,
  other,
  rename,
  waiting,
  held,
})

const findingOf = ({ code, severity, place, sentence, cure }: Finding): object => ({ code, severity, place, sentence, cure })

function costDocument(about: WorkspaceAbout, planned: Plan['changes']): object {
  const { changes, calls, ms } = costOf(about, planned)
  return { changes, calls, ms, perMinute: callsAMinute(about.budget) }
}

const directoryOf = ({ name, kind, status, groups, why, atMs, tookMs }: DirectoryReport): object => ({
  name,
  kind,
  status,
  groups,
  why,
  at: isoTime(atMs),
  tookMs,
})

function holdOf(hold: Hold, roles: RoleSettings): object {
  const { key, target, group, reason, untilMs, change, because } = hold
  const { sentence, cure } = explainHold(hold)
  return {
    key,
    target: target && documentTarget(target),
    group,
    reason: documentReason(reason),
    sentence,
    cure,
    until: untilMs === undefined ? undefined : isoTime(untilMs),
    change: change && documentChange(change, roles),
    because: because && documentBecause(because),
  }
}

const unchangedOf = ({ key, id, target, group, role, people, because }: UnchangedMapping): object => ({
  key,
  mapping: id,
  target: documentTarget(target),
  group,
  role,
  people,
  because: documentBecause(because),
})

const appliedOf = ({ results, holds, left, stopped, why }: Applied, roles: RoleSettings): object => ({
  stopped,
  why,
  results: results.map(({ change, outcome }) => ({ change: change.id, outcome: documentOutcome(outcome) })),
  holds: holds.map((hold) => holdOf(hold, roles)),
  left: left.map(({ id }) => id),
})
