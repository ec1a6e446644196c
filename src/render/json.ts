import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import { sharedFindings } from '../core/findings/shared.ts'
import type { HeldWrite, Hold } from '../core/hold.ts'
import { type Plan, planFormat, type UnchangedMapping } from '../core/plan.ts'
import type { PlanParts } from '../core/planDifference.ts'
import { isoTime } from '../core/quantity.ts'
import type { Applied, DeclarationReport, DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import type { DocumentFinding } from '../documents/parts.ts'
import type { DocumentHold, DocumentUnchanged, PlanDocument, PlannedWorkspace } from '../documents/plan.ts'
import { mappingChangesIn } from './approved.ts'
import { callsAMinute } from './cost.ts'
import {
  documentBecause,
  documentCause,
  documentChange,
  documentOutcome,
  documentReason,
  documentSettings,
  documentTarget,
} from './documentParts.ts'
import { documentText } from './documentText.ts'
import { explainHold } from './hold.ts'
import { limitCure } from './holdApproval.ts'
import { laterDocument } from './later.ts'
import { costOf } from './meaning.ts'
import { sizeTogether } from './people.ts'
import { type Counts, countsOf, keepsProtected, setsOf, standingOf } from './sections.ts'
import type { FailedView, View } from './view.ts'

/** `documents/plan.ts` has the same text. It is not imported, because it would load zod. */
export const documentFormat: PlanDocument['format'] = 'plane-group-sync/plan'

/**
 * The plans of a run as one JSON document for programs. `documents/plan.ts` has its shape. It is indented, its keys have a fixed order, and absent
 * values are left out. Keys are only added within a `version`. Times are ISO 8601 in UTC; `…Ms` are milliseconds. Invisible characters are escaped
 * as `\uXXXX`.
 */
export function planJson(views: readonly (View | FailedView)[]): string {
  const findings = sharedFindings(views).map(findingOf)
  const document: PlanDocument = { format: documentFormat, version: planFormat, workspaces: views.map(workspaceOf), findings }
  return documentText(document)
}

export function workspaceOf(view: View | FailedView): PlanDocument['workspaces'][number] {
  const { workspace, slug, host, policy, suspend, doors, credential, groupSync } = view.about
  const approvals = doors === 'any' ? undefined : doors
  const about = { workspace, slug, host, policy, suspend, approvals, credential }
  if ('failed' in view) return { ...about, standing: 'failed', failed: view.failed, cure: view.cure }
  const { judged, declaration, directories, applied, nowMs, difference } = view
  const { plan } = judged
  const { roles } = view.about
  const counts = countsOf(plan, view.about)
  return {
    ...about,
    standing: standingOf(view),
    at: isoTime(nowMs),
    fingerprint: plan.fingerprint,
    declaration: declarationOf(declaration),
    directories: directories.map(directoryDocument),
    groupSync: groupSync && documentSettings(groupSync),
    recorded: view.recorded && {
      at: isoTime(view.recorded.takenMs) ?? '',
      differs: view.recorded.differs,
      plannedAt: view.recorded.planMs === undefined ? undefined : isoTime(view.recorded.planMs),
      base: view.recorded.base,
    },
    owner: view.owner && { name: view.owner.name, others: view.owner.others },
    counts: countsDocument(counts),
    waits: counts.waits,
    protected: counts.protected,
    cost: costDocument(view.about, plan.changes),
    owned: { workspaceRoles: plan.owned.workspaceRoles, projectRoles: plan.owned.projectRoles },
    changes: plan.changes.map((change) => documentChange(change, roles)),
    later: plan.later.map((row) => laterDocument(row, view.about)),
    laterUntil: isoTime(plan.laterUntilMs) ?? '',
    sets: setsOf(plan.holds).map(({ over, changes }) => ({
      id: over.pass,
      limit: over.name,
      exceeds: over.exceeds,
      count: over.count,
      allowed: over.limit,
      owned: over.owned,
      setting: over.setting,
      sentence: over.sentence,
      size: sizeTogether(mappingChangesIn(changes)),
      cure: limitCure(over.name, over.setting),
      changes: changes.map(({ id }) => id),
    })),
    waived: judged.waived.map(({ ids, by, account, untilMs, source }) => ({ passes: ids, by, account, until: isoTime(untilMs), source })),
    unchanged: plan.unchangedMappings?.map(unchangedOf),
    holds: plan.holds.map((hold) => holdOf(hold, view.about)),
    findings: plan.findings.map(findingOf),
    difference: difference && {
      gone: partsDocument(difference.gone, view),
      same: partsDocument(difference.same, view),
      left: difference.left.map(unchangedOf),
    },
    applied: applied && appliedOf(applied, view.about),
  }
}

const partsDocument = ({ changes, holds, later, findings }: PlanParts, { about }: View) => ({
  changes: changes.map((change) => documentChange(change, about.roles)),
  holds: holds.map((hold) => holdOf(hold, about)),
  later: later.map((row) => laterDocument(row, about)),
  findings: findings.map(findingOf),
})

const declarationOf = ({ hash, files, revision, kept }: DeclarationReport): PlannedWorkspace['declaration'] => ({
  hash,
  files,
  revision,
  kept,
})

const countsDocument = ({ protected: _grants, waits: _kinds, ...counts }: Counts): PlannedWorkspace['counts'] => ({
  ...counts,
  held: counts.held + counts.kept,
})

export const findingOf = ({ code, severity, place, sentence, cure }: Finding): DocumentFinding => ({
  code,
  severity,
  place,
  sentence,
  cure: cure === undefined ? undefined : cureText(code, cure),
})

function costDocument(about: WorkspaceAbout, planned: Plan['changes']): PlannedWorkspace['cost'] {
  const { changes, calls, ms } = costOf(about, planned)
  return { changes, calls, ms, perMinute: callsAMinute(about.budget) }
}

export const directoryDocument = ({
  name,
  kind,
  status,
  groups,
  why,
  atMs,
  tookMs,
}: DirectoryReport): PlannedWorkspace['directories'][number] => ({
  name,
  kind,
  status,
  groups,
  why,
  at: isoTime(atMs),
  tookMs,
})

type HoldAbout = Pick<View['about'], 'roles' | 'workspace' | 'doors'>

export function holdOf(hold: Hold, { roles, workspace, doors }: HoldAbout): DocumentHold {
  const { key, target, group, label, reason, untilMs, change, would, size, unknownTo, unasked, because, givenBy, cause } = hold
  const isProtected = keepsProtected(hold, roles)
  const { sentence, cure } = explainHold(hold, { workspace, doors })
  return {
    key,
    target: target && documentTarget(target),
    group,
    label,
    reason: documentReason(reason),
    sentence,
    cure,
    until: untilMs === undefined ? undefined : isoTime(untilMs),
    change: change && documentChange(change, roles),
    would: would && heldWriteDocument(would),
    protected: isProtected ? true : undefined,
    size,
    unknownTo,
    unasked,
    because: because && documentBecause(because),
    givenBy,
    cause: cause && documentCause(cause),
  }
}

/** The fields in a fixed order. */
function heldWriteDocument(would: HeldWrite): NonNullable<DocumentHold['would']> {
  if (!('role' in would)) return { action: would.action, before: would.before }
  const { action, role } = would
  return action === 'create' ? { action, role } : { action, before: would.before, role }
}

export const unchangedOf = ({ key, id, target, group, label, role, size, because }: UnchangedMapping): DocumentUnchanged => ({
  key,
  mapping: id,
  target: documentTarget(target),
  group,
  role,
  label,
  size,
  because: documentBecause(because),
})

const appliedOf = ({ results, holds, left, stopped, why }: Applied, about: HoldAbout): NonNullable<PlannedWorkspace['applied']> => ({
  stopped,
  why,
  results: results.map(({ change, outcome }) => ({ change: change.id, outcome: documentOutcome(outcome) })),
  holds: holds.map((hold) => holdOf(hold, about)),
  left: left.map(({ id }) => id),
})
