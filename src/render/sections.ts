import type { Change } from '../core/change.ts'
import { type Hold, type LimitOver, limitNames } from '../core/hold.ts'
import { isKeptUnread } from '../core/holdEffects.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { changeLater, type Later } from '../core/later.ts'
import type { Plan } from '../core/plan.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { isProtected, type RoleSettings } from '../core/roles.ts'
import { type ChangeKind, changeKindOf } from './change.ts'
import type { AppliedView, View } from './view.ts'

/** The sections of a plan. `writes`: its changes. `waiting`: holds that need approval. `held`: the holds that are in none of the other sections. */
type Sections = {
  readonly writes: readonly Change[]
  readonly waiting: readonly Hold[]
  readonly held: readonly Hold[]
  /** Mappings that stay as they are until a directory or list is read whole, or a file is valid. */
  readonly kept: readonly Hold[]
  /** Mappings that a rule declares but whose group is in no directory. They are kept. */
  readonly dangling: readonly Hold[]
  readonly undeclared: readonly Hold[]
}

export function sectionsOf({ changes, holds }: Pick<Plan, 'changes' | 'holds'>): Sections {
  const by = Map.groupBy(holds, sectionOf)
  const get = (section: HoldSection) => by.get(section) ?? []
  return {
    writes: changes,
    waiting: get('waiting'),
    held: get('held'),
    kept: get('kept'),
    dangling: get('dangling'),
    undeclared: get('undeclared'),
  }
}

/** The sections of the holds after an apply. `meanwhile`: those that came up while the plan was written, but for changes that need approval. */
export function appliedHolds({ judged: { plan }, applied }: Pick<AppliedView, 'judged' | 'applied'>) {
  const meanwhile = applied.holds.filter(({ reason }) => reason.kind !== 'approval')
  const shown = new Set(meanwhile)
  return { ...sectionsOf({ changes: plan.changes, holds: plan.holds.filter((hold) => !shown.has(hold)) }), meanwhile }
}

export type HoldSection = Exclude<keyof Sections, 'writes'>

/** The section of a hold, in a plan and in the status of a daemon. */
export function sectionOf(hold: Pick<Hold, 'change' | 'would' | 'reason'>): HoldSection {
  const { reason } = hold
  if (reason.kind === 'approval') return 'waiting'
  if (reason.kind === 'undeclared') return 'undeclared'
  if (isKeptUnread(hold)) return 'kept'
  return reason.kind === 'groupUnknown' && reason.mapped ? 'dangling' : 'held'
}

/** Changes that wait together for a limit. `changes`: those with all their facts. */
type HeldSet = { readonly over: LimitOver; readonly holds: readonly Hold[]; readonly changes: readonly Change[] }

/** The sets among holds, each with its changes, in the order of `limitNames`. */
export function setsOf(holds: readonly Hold[]): readonly HeldSet[] {
  const inSets = holds.flatMap((hold) =>
    hold.reason.kind === 'approval' && hold.reason.why === 'limit' ? [{ hold, over: hold.reason }] : [],
  )
  const sets = [...Map.groupBy(inSets, ({ over }) => over.pass).values()].map((ofSet) => ({
    over: (ofSet[0] as (typeof ofSet)[number]).over,
    holds: ofSet.map(({ hold }) => hold),
    changes: ofSet.flatMap(({ hold }) => hold.change ?? []),
  }))
  return sets.toSorted((a, b) => limitNames.indexOf(a.over.name) - limitNames.indexOf(b.over.name))
}

/**
 * The state of a plan; the first that applies.
 * - `moved`: it is not the plan that was reviewed.
 * - `writes`: there are changes to write.
 * - `waits`: nothing to write now, but a change is held, a list or directory could not be read whole, or nothing of a file is used.
 * - `nothing`: nothing to write, and the holds stay until the declaration, a directory or the workspace changes.
 * - `unmanaged`: the declaration manages no list of the workspace, so nothing was compared.
 * - `inSync`: the managed lists are as declared.
 *
 * Beside a base it says this of what the branch adds; `same`: it adds nothing. Of the rows of one owner it is never `inSync` while others have rows.
 */
export type Standing = 'moved' | 'writes' | 'waits' | 'nothing' | 'unmanaged' | 'inSync' | 'same'

export function standingOf({
  judged: { plan },
  moved = false,
  difference,
  owner,
}: Pick<View, 'judged' | 'moved' | 'difference' | 'owner'>): Standing {
  if (moved) return 'moved'
  if (plan.changes.length > 0) return 'writes'
  const unread = plan.findings.some(({ code }) => code === 'reading-incomplete' || code === 'file-invalid')
  const waits = plan.holds.some(
    ({ change, reason }) => reason.kind === 'readingIncomplete' || (change !== undefined && reason.kind !== 'undeclared'),
  )
  if (unread || waits) return 'waits'
  if (difference !== undefined && plan.holds.length === 0) return 'same'
  if (plan.holds.length > 0 || hasOthers(owner)) return 'nothing'
  return Object.keys(plan.owned).length === 0 ? 'unmanaged' : 'inSync'
}

/** Whether rows of others are not shown. */
export const hasOthers = (owner: View['owner']): boolean => (owner?.others ?? 0) > 0

/**
 * How many changes of each kind and holds of each section a plan has. `waits`: the changes of `waiting` by kind. `protected`: how many of these give a
 * group a protected role.
 */
export type Counts = Readonly<
  Record<ChangeKind | 'waiting' | 'held' | 'kept' | 'dangling' | 'undeclared' | 'later' | 'unchanged', number>
> & {
  readonly waits: KindCounts
  readonly protected: ProtectedCounts
}
export type KindCounts = Readonly<Record<ChangeKind, number>>
type ProtectedCounts = Readonly<Record<Exclude<ChangeKind, 'settings' | 'delete'> | 'waiting' | 'held' | 'undeclared' | 'later', number>>

/** What becomes of undeclared mappings, for the title of their section. */
export const undeclaredText = ({ policy }: Pick<WorkspaceAbout, 'policy'>): string =>
  policy === 'sync' ? 'not ours: kept' : 'kept by policy'

export function countsOf(plan: Plan, { roles }: Pick<WorkspaceAbout, 'roles'>): Counts {
  const { writes, waiting, held, kept, dangling, undeclared } = sectionsOf(plan)
  const kinds = Map.groupBy(writes, (change) => changeKindOf(change, roles))
  const grants = (kind: ChangeKind) => (kinds.get(kind) ?? []).filter((change) => grantsProtected(change, roles)).length
  return {
    ...kindCounts(writes, roles),
    waiting: waiting.length,
    waits: kindCounts(
      waiting.flatMap(({ change }) => change ?? []),
      roles,
    ),
    held: held.length,
    kept: kept.length,
    dangling: dangling.length,
    undeclared: undeclared.length,
    later: plan.later.length,
    unchanged: plan.unchanged,
    protected: {
      create: grants('create'),
      raise: grants('raise'),
      lower: grants('lower'),
      other: grants('other'),
      rename: grants('rename'),
      waiting: waiting.filter((hold) => holdsProtected(hold, roles)).length,
      held: held.filter((hold) => isProtectedHold(hold, roles)).length,
      undeclared: undeclared.filter((hold) => isUndeclaredProtected(hold, roles)).length,
      later: plan.later.filter((row) => grantsLater(row, roles)).length,
    },
  }
}

const changeKinds = ['create', 'raise', 'lower', 'other', 'rename', 'settings', 'delete'] as const satisfies readonly ChangeKind[]

function kindCounts(changes: readonly Change[], roles: RoleSettings): KindCounts {
  const kinds = Map.groupBy(changes, (change) => changeKindOf(change, roles))
  return Object.fromEntries(changeKinds.map((kind) => [kind, kinds.get(kind)?.length ?? 0])) as KindCounts
}

/** Whether a date gives a group a protected role. */
export function grantsLater(row: Later, roles: RoleSettings): boolean {
  const change = changeLater(row)
  return change !== undefined && grantsProtected(change, roles)
}

/** Whether the hold keeps a group from getting a protected role. */
function holdsProtected({ change, would, target }: Hold, roles: RoleSettings): boolean {
  if (change !== undefined) return grantsProtected(change, roles)
  return would !== undefined && 'role' in would && target !== undefined && isProtected(would.role, target, roles)
}

/** Whether the hold is about a protected role: one that a group would get, or one that it keeps and no rule gives now. */
export const isProtectedHold = (hold: Hold, roles: RoleSettings): boolean => holdsProtected(hold, roles) || keepsProtected(hold, roles)

/** Whether the hold is a mapping that gives its group a protected role, and that no rule gives now: undeclared, or a rule starts later or takes its place later. */
export const isUndeclaredProtected = (hold: Hold, roles: RoleSettings): boolean =>
  (hold.reason.kind === 'undeclared' || isBetweenRules(hold)) && keepsProtected(hold, roles)

const isBetweenRules = ({ change, reason }: Hold): boolean =>
  change === undefined && (reason.kind === 'notStarted' || reason.kind === 'requires')

/** The same, and of a mapping that is kept since it is not known whether it is undeclared. */
export function keepsProtected(hold: Hold, roles: RoleSettings): boolean {
  const { change, would, target } = hold
  const existing = change ?? would
  if (!['undeclared', 'kept'].includes(sectionOf(hold)) && !isBetweenRules(hold)) return false
  if (target === undefined || existing === undefined || !('before' in existing)) return false
  const { before } = existing
  return typeof before === 'string' && isProtected(before, target, roles)
}

/** How many of the plan's changes, without its holds, give a group a protected role. */
export const protectedWrites = ({ protected: { create, raise, lower, other, rename } }: Counts): number =>
  create + raise + lower + other + rename

export function addCounts(a: Counts, b: Counts): Counts {
  const { protected: grants, waits, ...numbers } = a
  const add = <T extends Readonly<Record<string, number>>>(left: T, right: T): T =>
    Object.fromEntries(Object.entries(left).map(([name, n]) => [name, n + (right[name] ?? 0)])) as T
  return { ...add(numbers, b as typeof numbers), waits: add(waits, b.waits), protected: add(grants, b.protected) }
}
