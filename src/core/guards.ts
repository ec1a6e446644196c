import type { Change, ChangeId } from './change.ts'
import { type ApprovalWhy, type Hold, holdFor } from './hold.ts'
import { type List, listOf } from './mapping.ts'
import type { Plan } from './plan.ts'
import { isAdministrator, isProtected, type RoleSettings } from './roles.ts'

declare const approved: unique symbol
/** A plan that the guards let pass. Only `judge` makes one, and only one can be applied. */
export type ApprovedPlan = Plan & { readonly [approved]: true }

/** Change guards may have moved changes to the holds, in both cases. */
export type Verdict =
  | { readonly approved: true; readonly plan: ApprovedPlan; readonly waived: readonly Waiver[] }
  | { readonly approved: false; readonly plan: Plan; readonly refusals: readonly Refusal[]; readonly waived: readonly Waiver[] }

export type Refusal = {
  readonly guard: GuardName
  readonly count: number
  readonly limit: number
  /** Of the owned mappings that the count is measured against; absent where the guard does not measure a share. */
  readonly owned?: number
  /** What to change in the settings where the limit itself is wrong. */
  readonly setting: string
  readonly sentence: string
}

export const guardNames = ['changes', 'deletes', 'creates', 'emptiesList', 'lastAdministrator', 'run', 'day'] as const
export type GuardName = (typeof guardNames)[number]

export type GuardSettings = {
  readonly changes: Limit
  readonly deletes: Limit
  readonly creates: { readonly count: number }
  /** Summed over all workspaces and slices of one run, and over the 24 hours before now. */
  readonly run: Sum
  readonly day: Sum
  readonly protectedGroups: readonly string[]
}
/** Passes where n ≤ `count` and n ≤ max(`minExisting`, `share` × owned). */
export type Limit = { readonly count: number; readonly share: number; readonly minExisting: number }
export type Sum = { readonly changes: number; readonly deletes: number }

/** What was written already, apart from this plan. */
export type Tally = { readonly run: Sum; readonly day: Sum }
export const nothingYet: Tally = { run: { changes: 0, deletes: 0 }, day: { changes: 0, deletes: 0 } }

/** Somebody's word that named changes may pass the guards, until a moment. */
export type Waiver = {
  /** At least eight hex digits of a plan's fingerprint or of a change's id. */
  readonly passes: readonly string[]
  readonly by: string
  readonly untilMs: number
  readonly source: string
  /** The plan guards that it passes; absent: all. */
  readonly guards?: readonly GuardName[]
}

export type Judging = {
  readonly guards: GuardSettings
  readonly roles: RoleSettings
  readonly waivers: readonly Waiver[]
  readonly tally: Tally
  readonly nowMs: number
}

/**
 * Puts the whole plan before the guards, before anything of it is written. A change guard holds its change; a plan guard refuses the plan.
 * A waiver passes exactly what it names. Nothing here can waive an incomplete reading: what rests on one never became a change.
 */
export function judge(plan: Plan, judging: Judging): Verdict {
  const waivers = judging.waivers.filter(({ untilMs }) => judging.nowMs < untilMs)
  const waiverOf = (change: Change, guard?: GuardName) =>
    waivers.find(
      (waiver) =>
        (guard === undefined || waiver.guards?.includes(guard) !== false) && waiver.passes.some((name) => names(name, change, plan)),
    )
  const used = new Set<Waiver>()

  const passing: Change[] = []
  const holds: Hold[] = []
  const waiting = new Set<ChangeId>()
  const withheld = (change: Change, hold: Hold) => {
    holds.push(hold)
    waiting.add(change.id)
  }
  for (const change of plan.changes) {
    const why = approvalWhy(change, judging)
    const waiver = why === undefined ? undefined : waiverOf(change)
    if (waiver !== undefined) used.add(waiver)
    if (why !== undefined && waiver === undefined) withheld(change, holdFor(change, { kind: 'approval', why }))
    else passing.push(change)
  }
  const changes = passing.filter((change) => {
    const required = change.requires.find((id) => waiting.has(id))
    if (required === undefined) return true
    const blocking = plan.changes.find(({ id }) => id === required) as Change
    withheld(change, holdFor(change, { kind: 'requires', key: blocking.key }))
    return false
  })

  const judged: Plan = { ...plan, changes, holds: [...plan.holds, ...holds].toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
  const refusals = refuse(judged, judging)
  const unwaived = refusals.filter(({ culprits, refusal }) => {
    const by = culprits.map((change) => waiverOf(change, refusal.guard))
    const all = by.every((waiver) => waiver !== undefined)
    if (all) for (const waiver of by) used.add(waiver)
    return !all
  })
  if (unwaived.length > 0) return { approved: false, plan: judged, refusals: unwaived.map(({ refusal }) => refusal), waived: [...used] }
  return { approved: true, plan: judged as ApprovedPlan, waived: [...used] }
}

/** Eight digits are the shortest name that is taken: fewer could be guessed. One that two changes share names neither. */
function names(waiver: string, change: Change, { fingerprint, changes }: Plan): boolean {
  if (waiver.length < 8) return false
  if (fingerprint.startsWith(waiver)) return true
  return change.id.startsWith(waiver) && (waiver === change.id || changes.every(({ id }) => id === change.id || !id.startsWith(waiver)))
}

function approvalWhy(change: Change, { guards, roles }: Judging): ApprovalWhy | undefined {
  if (change.action === 'settings') return 'groupSync'
  const touched = change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]
  if (touched.some((group) => guards.protectedGroups.includes(group))) return 'protectedGroup'
  if (change.action === 'delete' || !isProtected(change.role, roles)) return undefined
  if (change.target.kind === 'allProjects') return 'allProjectsProtected'
  return change.allowProtected === true ? undefined : 'protectedRole'
}

type Found = { readonly refusal: Refusal; readonly culprits: readonly Change[] }

function refuse(plan: Plan, { guards, roles, tally }: Judging): readonly Found[] {
  const owned = Object.values(plan.owned).reduce((sum, count) => sum + count, 0)
  const creates = plan.changes.filter(({ action }) => action === 'create')
  const deletes = plan.changes.filter(({ action }) => action === 'delete')
  const revising = plan.changes.filter(({ action }) => action !== 'create')
  return [
    ...overLimit('changes', revising, guards.changes, owned),
    ...overLimit('deletes', deletes, guards.deletes, owned),
    ...overCount('creates', creates, guards.creates.count),
    ...emptiedLists(plan),
    ...lastAdministrator(plan, roles),
    ...(['run', 'day'] as const).flatMap((span) => [
      ...overSum(span, 'changes', revising, tally[span].changes, guards[span].changes),
      ...overSum(span, 'deletes', deletes, tally[span].deletes, guards[span].deletes),
    ]),
  ]
}

function overLimit(
  guard: 'changes' | 'deletes',
  culprits: readonly Change[],
  { count, share, minExisting }: Limit,
  owned: number,
): Found[] {
  const allowed = Math.max(minExisting, Math.floor(share * owned))
  const limit = Math.min(count, allowed)
  if (culprits.length <= limit) return []
  const what = guard === 'deletes' ? 'deletes' : 'patches and deletes'
  const byCount = count <= allowed
  const setting = byCount ? `guards.${guard}.count` : `guards.${guard}.share`
  const bound = byCount
    ? `${setting} allows ${count}`
    : `${setting} allows ${percent(share)} of ${owned} owned mappings, which is ${allowed}`
  return [
    {
      culprits,
      refusal: {
        guard,
        count: culprits.length,
        limit,
        owned,
        setting,
        sentence: `${culprits.length} ${what}${ofOwned(culprits.length, owned)}; ${bound}`,
      },
    },
  ]
}

function overCount(guard: 'creates', culprits: readonly Change[], limit: number): Found[] {
  if (culprits.length <= limit) return []
  const setting = `guards.${guard}.count`
  return [
    {
      culprits,
      refusal: { guard, count: culprits.length, limit, setting, sentence: `${culprits.length} creates; ${setting} allows ${limit}` },
    },
  ]
}

/** Without this a plan of a hundred deletes could come as ten plans of ten. */
function overSum(guard: 'run' | 'day', what: keyof Sum, culprits: readonly Change[], sofar: number, limit: number): Found[] {
  const count = sofar + culprits.length
  if (culprits.length === 0 || count <= limit) return []
  const span = guard === 'run' ? 'this run' : 'the last 24 hours'
  const setting = `guards.${guard}.${what}`
  const sentence = `${culprits.length} ${what === 'deletes' ? 'deletes' : 'patches and deletes'} on top of ${sofar} in ${span}; ${setting} allows ${limit}`
  return [{ culprits, refusal: { guard, count, limit, setting, sentence } }]
}

/** On every prefix of what is written, since a run may end anywhere, and the gate may stop what should have come after. */
function emptiedLists(plan: Plan): Found[] {
  return (Object.entries(plan.owned) as [List, number][]).flatMap(([list, before]) => {
    const here = plan.changes.filter((change) => change.action !== 'settings' && listOf(change.target) === list)
    const culprits = here.filter(({ action }) => action === 'delete')
    let left = before
    let emptied = false
    for (const { action } of here) {
      if (action === 'create') left++
      if (action === 'delete') emptied = --left === 0 || emptied
    }
    if (!emptied) return []
    const sentence = `all ${before} ${list === 'workspaceRoles' ? 'workspace' : 'project'} mappings would go${left > 0 ? ' before the first new one is there' : ', and none would be left'}`
    return [
      {
        culprits,
        refusal: {
          guard: 'emptiesList' as const,
          count: culprits.length,
          limit: before - 1,
          owned: before,
          setting: 'none: only a waiver passes this',
          sentence,
        },
      },
    ]
  })
}

/** On every prefix of what is written, since a run may end anywhere. */
function lastAdministrator(plan: Plan, roles: RoleSettings): Found[] {
  let left = plan.administrators
  for (const change of plan.changes) {
    if (change.action === 'settings' || change.target.kind !== 'workspace') continue
    const had = change.action !== 'create' && isAdministrator(change.before, roles)
    const has = change.action !== 'delete' && isAdministrator(change.role, roles)
    left += Number(has) - Number(had)
    if (left > 0 || !had || has) continue
    const sentence = `${change.group} has the last mapping to a workspace administrator role; without it nobody's groups make them one`
    return [
      {
        culprits: [change],
        refusal: {
          guard: 'lastAdministrator',
          count: plan.administrators,
          limit: plan.administrators - 1,
          setting: 'none: only a waiver passes this',
          sentence,
        },
      },
    ]
  }
  return []
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const ofOwned = (count: number, owned: number): string => (owned === 0 ? '' : ` (${percent(count / owned)} of ${owned} owned mappings)`)
