import { type Desired, type DesiredMapping, type DesiredRole, roleFields, ruleResult } from '../desired.ts'
import { type Existing, incompleteReason, managedMappings, projectsReason, settingsChange, settingsDispute } from '../existing.ts'
import { type Finding } from '../finding.ts'
import { duplicateFinding, echoFinding, incompleteFinding, projectsFinding, syncWithoutJournal } from '../findings/diffFindings.ts'
import { fileInvalid, type HeldWrite, type Hold, type HoldReason } from '../hold.ts'
import { mayEndWithoutEdit } from '../holdEffects.ts'
import { type Key, listOf, type Mapping, type Role } from '../mapping.ts'
import { inOrder } from '../order.ts'
import { type Plan, planOf } from '../plan.ts'
import { applyPolicy } from '../policy.ts'
import { valueIfRead } from '../reading.ts'
import { compareRoles, direction, highest, isAdministrator, isProtected, type RoleComparison } from '../roles.ts'
import { type WorkspaceDeclaration } from '../rule.ts'
import { byKeyOf } from './byKey.ts'
import { addChange, type DiffOptions, type Draft, keepMapping, type OwnStanding } from './draft.ts'
import { laterOf } from './laterRows.ts'
import { holdReplacedDeletes, notePending } from './pendingReplacements.ts'
import { compareClaims, noteHeldSuccessor, predecessor } from './renames.ts'
import { keptUndeclared, withUnknownTo } from './undeclared.ts'

/**
 * The plan that makes what exists equal to what is desired.
 *
 * | desired | existing                  | change                                                                                              |
 * |---------|---------------------------|-----------------------------------------------------------------------------------------------------|
 * | role    | none                      | create, or rename if the rule's `previously` names an existing mapping; from a complete list only   |
 * | role    | same                      | none                                                                                                |
 * | role    | other                     | patch                                                                                               |
 * | role    | several with the same key | one is kept, the others are duplicates (see below)                                                  |
 * | absent  | yes                       | delete, from a complete list only                                                                   |
 * | none    | yes                       | undeclared: delete under `exclusive`, under `sync` if it is ours, else held by the policy           |
 * | unknown | yes or no                 | held                                                                                                |
 *
 * Of several mappings, one with the desired role is kept, or else the one with most access. It is patched if its role is not the desired one.
 * Duplicates are a finding. From a complete list, `exclusive` deletes the duplicates, and `sync` those that are ours. A duplicate that is not deleted gets
 * the desired role, too.
 *
 * With `grantsWait`, creates, renames and all patches but lowerings are held.
 */
export function diff(
  declared: WorkspaceDeclaration,
  desired: Desired,
  existing: Existing,
  options: DiffOptions,
  notices: readonly Finding[],
): Plan {
  const { workspace } = declared
  const { isOwned } = desired
  const managed = managedMappings(declared, existing, desired)
  const draft: Draft = {
    workspace,
    desired,
    options,
    byKey: byKeyOf([...managed.values()]),
    projectIdOf: (target) => (target.kind === 'project' ? valueIfRead(existing.projects)?.get(target.project)?.id : undefined),
    matchedKeys: 0,
    missing: [],
    pending: [],
    renames: { heldSuccessors: new Map(), renamed: new Set() },
    declarationIncomplete: declared.frozen?.[0] && fileInvalid(declared.frozen[0]),
    incomplete: new Map(managed.keys().map((list) => [list, incompleteReason(list, existing.lists.get(list))])),
    projectsIncomplete: existing.projects === undefined ? undefined : projectsReason(existing.projects),
    changes: [],
    holds: [],
    findings: [
      ...notices,
      ...(options.policy === 'sync' && options.owned === undefined ? [syncWithoutJournal(workspace)] : []),
      ...managed.keys().flatMap((list) => incompleteFinding(workspace, list, existing.lists.get(list))),
      ...projectsFinding(workspace, existing.projects),
    ],
    unchanged: 0,
    unchangedMappings: [],
    ours: new Set(),
  }

  for (const [key, wanted] of desired.mappings) {
    // Nearly all keys are as desired; this branch keeps them cheap.
    const only = wanted.kind === 'role' ? draft.byKey.only(key) : undefined
    if (wanted.kind === 'role' && only?.role === wanted.role && isOwned(wanted.group, wanted.target)) {
      draft.matchedKeys++
      keepMapping(only, wanted, draft)
    } else if (ruleResult(wanted)?.kind === 'absent' || isOwned(wanted.group, wanted.target)) diffKey(key, wanted, draft)
  }
  // Two rules may name one old mapping. The first of them by key renames it, so the order of the file does not matter.
  const claims = draft.missing.map(([key, wanted]) => ({ key, wanted, fenced: wanted.fenced }))
  for (const { key, wanted } of claims.toSorted(compareClaims)) addMissing(key, wanted, draft)
  // Usually every mapped key is desired, so that none is undeclared and the lists need no second pass.
  for (const mapped of draft.matchedKeys === draft.byKey.keys ? [] : managed.values()) {
    for (const mapping of mapped) {
      if (desired.mappings.has(mapping.key) || draft.renames.renamed.has(mapping.id)) continue
      if (isOwned(mapping.group, mapping.target)) undeclared(mapping, draft)
    }
  }
  const settings = settingsChange(declared, existing.groupSync, options.roles)
  if (settings !== undefined) addChange(settings, draft)
  const dispute = settingsDispute(declared)
  if (dispute !== undefined) draft.holds.push(dispute)

  const ready = holdReplacedDeletes(inOrder(draft.changes, options.roles, desired.idsOf), draft.pending, options.roles)
  const kept = applyPolicy(ready.changes, options.policy, (mapping) => draft.ours.has(mapping))
  const isAdmin = ({ role }: Mapping) => isAdministrator(role, options.roles)
  return planOf(
    {
      workspace,
      changes: kept.changes,
      holds: [...draft.holds, ...ready.holds, ...kept.holds.map((hold) => withUnknownTo(hold, desired))],
      findings: draft.findings,
      later: laterOf(draft),
      laterUntilMs: options.laterUntilMs,
      unchanged: draft.unchanged,
      ...(options.listsUnchanged === true && { unchangedMappings: draft.unchangedMappings }),
      owned: Object.fromEntries([...managed].map(([list, { length }]) => [list, length])),
      administrators: managed.get('workspaceRoles')?.filter(isAdmin).length ?? 0,
    },
    { ...options, projects: existing.projects, factsOf: desired.factsOf },
  )
}

function diffKey(key: Key, wanted: DesiredMapping, draft: Draft): void {
  const mapped = draft.byKey.at(key)
  if (mapped.length > 0) draft.matchedKeys++
  const { group, target, because } = wanted
  const incomplete = draft.incomplete.get(listOf(target))
  const hold = (reason: HoldReason) => draft.holds.push({ key, group, target, reason, because, ...heldWrite(wanted, mapped, draft) })
  switch (wanted.kind) {
    case 'unknown':
      noteHeldSuccessor(key, wanted, draft)
      if (mayEndWithoutEdit(wanted.reason.kind)) notePending(key, wanted, mapped, draft)
      if (wanted.hidden !== true) hold(wanted.reason)
      return
    case 'absent':
      noteHeldSuccessor(key, wanted, draft)
      if (mapped.length > 0 && incomplete !== undefined) hold(incomplete)
      else
        for (const mapping of mapped) {
          const ended = wanted.why === 'expired' ? uncountedEnd(mapping, Number.NEGATIVE_INFINITY, draft) : {}
          addChange(
            { key, group, target, because, action: 'delete', mapping: mapping.id, before: mapping.role, why: wanted.why, ...ended },
            draft,
          )
        }
      return
    case 'role':
      if (mapped.length > 0) diffMapped(key, wanted, mapped, draft)
      else if (incomplete !== undefined) hold(incomplete)
      else if (wanted.grantsWait !== undefined) {
        noteHeldSuccessor(key, wanted, draft)
        hold(wanted.grantsWait)
      } else draft.missing.push([key, wanted])
      return
    default:
      wanted satisfies never
  }
}

function addMissing(key: Key, wanted: DesiredRole, draft: Draft): void {
  const { group, target, because } = wanted
  const old = predecessor(wanted, draft)
  if (old === undefined) addChange({ ...roleFields(key, wanted), action: 'create' }, draft)
  else if (typeof old === 'string') {
    noteHeldSuccessor(key, wanted, draft)
    const reason: HoldReason = { kind: 'requires', key: old }
    draft.holds.push({ key, group, target, because, reason, ...heldWrite(wanted, [], draft) })
    draft.pending.push({ key, group, target, reason })
  } else {
    draft.renames.renamed.add(old.id)
    const from = { mapping: old.id, from: old.key, fromGroup: old.group, before: old.role }
    addChange({ ...roleFields(key, wanted), action: 'rename', ...from }, draft)
  }
}

function undeclared(row: Mapping, draft: Draft): void {
  const { id: mapping, key, group, target, role } = row
  const standing = standingOf(row, draft)
  const isDeleted = standing !== 'others' || draft.options.policy === 'exclusive'
  // No broken file makes an access longer than the end that the journal knows.
  const hasEnded = draft.desired.datesOf(key).ended.length > 0
  const declarationIncomplete = hasEnded ? undefined : draft.declarationIncomplete
  const proofs = { ...draft, ...draft.renames, declarationIncomplete, lost: draft.desired.lost }
  const facts = { isDeleted, hasEnded, isProtected: role !== null && isProtected(role, target, draft.options.roles) }
  const proof = keptUndeclared(row, proofs, facts)
  const kept = proof ?? (typeof standing === 'string' ? undefined : { reason: justWritten, untilMs: standing.untilMs })
  // A rule that is held may rename the mapping of such a key, so it is unknown what would be done.
  const would = { action: kept !== undefined && mayBeRenamed.has(kept.reason.kind) ? 'unknown' : 'delete', before: role } as const
  const file = draft.options.owned?.givenOf(row)?.file ?? ''
  const place = { key, group, target, ...(file === '' ? {} : { givenBy: file }) }
  if (kept !== undefined) draft.holds.push({ ...place, ...kept, would })
  else addChange({ ...place, action: 'delete', mapping, before: role, why: 'undeclared' }, draft)
}

const mayBeRenamed: ReadonlySet<HoldReason['kind']> = new Set(['requires', 'notStarted'])
const justWritten: HoldReason = { kind: 'quarantined', since: 'justWritten' }

/** Whether a mapping that no rule needs is ours. It is noted for the policy. */
function standingOf(mapping: Mapping, { options, ours }: Draft): OwnStanding {
  const standing = options.policy === 'sync' ? (options.owned?.standingOf(mapping) ?? 'others') : 'others'
  if (standing === 'ours') ours.add(mapping.id)
  return standing
}

/** Marks a delete or a lowering as `ended` if the journal has recorded the end of the rule, unless another rule started at that moment or later. */
function uncountedEnd(mapping: Mapping, startedMs: number, { desired, options: { owned } }: Draft): { readonly uncounted?: 'ended' } {
  const ended = owned === undefined ? [] : desired.datesOf(mapping.key).ended.filter((atMs) => startedMs < atMs)
  return ended.length > 0 && owned?.hasRecordedEnd(mapping, ended) === true ? { uncounted: 'ended' } : {}
}

/**
 * Adds what makes the mappings of a key as desired. Of several mappings, one with the desired role is kept, or else the one with most access: the
 * patch of it may have to wait, and the group keeps its access until then.
 */
function diffMapped(key: Key, wanted: DesiredRole, mapped: readonly Mapping[], draft: Draft): void {
  const { options } = draft
  const list = listOf(wanted.target)
  const like = (has: Role | null) => compareRoles(wanted.role, has, wanted.target, options.echoes[list] ?? {}, options.roles)
  const withRole = (role: RoleComparison) => mapped.find((mapping) => like(mapping.role) === role)
  const kept = withRole('same') ?? withRole('echoed') ?? withRole('echoedHigher') ?? highest(mapped, options.roles)
  const isWhole = draft.incomplete.get(list) === undefined
  const extra = mapped.filter((mapping) => mapping !== kept)
  const deletable = new Set(extra.filter((mapping) => isWhole && (options.policy === 'exclusive' || standingOf(mapping, draft) === 'ours')))
  if (mapped.length > 1) draft.findings.push(duplicateFinding(key, mapped, deletable.size === extra.length))
  for (const mapping of mapped) {
    const { id, role: before } = mapping
    const { group, target, because } = wanted
    if (deletable.has(mapping)) {
      addChange({ key, group, target, because, action: 'delete', mapping: id, before, why: 'duplicate' }, draft)
      continue
    }
    const similar = like(before)
    const patch = { would: { action: 'patch', before, role: wanted.role } as const, ...heldSize(wanted) }
    const isEchoed = before !== null && (similar === 'echoed' || similar === 'echoedHigher')
    if (isEchoed) draft.findings.push(echoFinding(draft.workspace, wanted.role, before))
    if (isEchoed && similar === 'echoedHigher')
      draft.holds.push({ key, group, target, because, reason: { kind: 'roleEchoed', sent: wanted.role, echoed: before }, ...patch })
    else if (similar === 'other' && wanted.grantsWait !== undefined && direction(before, wanted.role, options.roles) !== 'lower')
      draft.holds.push({ key, group, target, because, reason: wanted.grantsWait, ...patch })
    else if (similar === 'other') {
      const isLowering = direction(before, wanted.role, options.roles) === 'lower'
      const ended = isLowering ? uncountedEnd(mapping, draft.desired.datesOf(key).startedMs, draft) : {}
      addChange({ ...roleFields(key, wanted), action: 'patch', mapping: id, before, ...ended }, draft)
    } else keepMapping(mapping, wanted, draft)
  }
}

/** The write that a hold delays, as far as it is known, and the size of the group. `mapped`: the mappings of the key. */
function heldWrite(wanted: DesiredMapping, mapped: readonly Mapping[], { options }: Draft): Pick<Hold, 'would' | 'size'> {
  const result = ruleResult(wanted)
  const [first] = mapped
  if (first === undefined) return result?.kind === 'role' ? { would: { action: 'create', role: result.role }, ...heldSize(result) } : {}
  const before = first.role
  if (result === undefined) return { would: { action: 'unknown', before } }
  if (result.kind === 'absent') return { would: { action: 'delete', before } }
  const { role } = result
  const echoes = options.echoes[listOf(wanted.target)] ?? {}
  const patched = mapped.find((mapping) => compareRoles(role, mapping.role, wanted.target, echoes, options.roles) === 'other')
  const would: HeldWrite = patched === undefined ? { action: 'keep', before } : { action: 'patch', before: patched.role, role }
  return { would, ...(patched === undefined ? {} : heldSize(result)) }
}

const heldSize = ({ size }: Pick<Hold, 'size'>): Pick<Hold, 'size'> => (size === undefined ? {} : { size })
