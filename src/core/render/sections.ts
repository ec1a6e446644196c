import type { Change } from '../change.ts'
import type { Hold } from '../hold.ts'
import type { Plan } from '../plan.ts'
import { type Deedkind, kindOf } from './change.ts'
import type { About, View } from './view.ts'

/** A plan as its reader takes it in: what is written, what waits for a person, what waits for the world, what is merely there. */
export type Sections = {
  readonly writes: readonly Change[]
  readonly waiting: readonly Hold[]
  readonly held: readonly Hold[]
  /** Mapped, declared, and known to no directory: kept. */
  readonly dangling: readonly Hold[]
  readonly undeclared: readonly Hold[]
}

export function sectionsOf({ changes, holds }: Plan): Sections {
  const by = Map.groupBy(holds, sectionOf)
  const get = (section: Exclude<keyof Sections, 'writes'>) => by.get(section) ?? []
  return { writes: changes, waiting: get('waiting'), held: get('held'), dangling: get('dangling'), undeclared: get('undeclared') }
}

function sectionOf({ reason }: Hold): Exclude<keyof Sections, 'writes'> {
  if (reason.kind === 'approval') return 'waiting'
  if (reason.kind === 'undeclared') return 'undeclared'
  return reason.kind === 'groupUnknown' && reason.mapped ? 'dangling' : 'held'
}

/**
 * `moved`: the plan is not the one that was agreed to. `refused`: guards stop the whole plan. `writes`: there is something to write. `waits`: nothing now, but a change waits or a key could not
 * be judged. `inSync`: what is held is held until the declaration, a directory or the workspace is another.
 */
export type Standing = 'moved' | 'refused' | 'writes' | 'waits' | 'inSync'

export function standingOf({ verdict: { approved, plan }, moved = false }: Pick<View, 'verdict' | 'moved'>): Standing {
  if (moved) return 'moved'
  if (!approved) return 'refused'
  if (plan.changes.length > 0) return 'writes'
  const unread = plan.findings.some(({ code }) => code === 'reading-incomplete')
  const waits = plan.holds.some(
    ({ change, reason }) => reason.kind === 'readingIncomplete' || (change !== undefined && reason.kind !== 'undeclared'),
  )
  return unread || waits ? 'waits' : 'inSync'
}

export type Counts = Readonly<Record<Deedkind | 'waiting' | 'held' | 'dangling' | 'undeclared' | 'unchanged', number>>

export function countsOf(plan: Plan, { roles }: Pick<About, 'roles'>): Counts {
  const { writes, waiting, held, dangling, undeclared } = sectionsOf(plan)
  const kinds = Map.groupBy(writes, (change) => kindOf(change, roles))
  const of = (kind: Deedkind) => kinds.get(kind)?.length ?? 0
  return {
    create: of('create'),
    raise: of('raise'),
    lower: of('lower'),
    other: of('other'),
    rename: of('rename'),
    settings: of('settings'),
    delete: of('delete'),
    waiting: waiting.length,
    held: held.length,
    dangling: dangling.length,
    undeclared: undeclared.length,
    unchanged: plan.unchanged,
  }
}

export function addCounts(a: Counts, b: Counts): Counts {
  return Object.fromEntries(Object.entries(a).map(([name, n]) => [name, n + b[name as keyof Counts]])) as Counts
}
