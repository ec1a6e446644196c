import { type Amounts, amountNames } from '../amounts.ts'
import { mostOf } from '../bounds.ts'
import { type Change, type ChangeId, type MappingChange } from '../change.ts'
import { by } from '../compare.ts'
import { type Finding } from '../finding.ts'
import { type ApprovalWhy, type Hold, type HoldReason, holdFor, idThatWaits, type LimitName, type LimitOver, limitOf } from '../hold.ts'
import { bareId } from '../idWithPeople.ts'
import { changeLater, type Later } from '../later.ts'
import { type Key, type List, listOf, type Role } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { inOrder } from '../order.ts'
import type { PeopleLimits } from '../peopleEffect.ts'
import { addFindings, moveToHolds, type PeopleTogether, type Plan, withoutFindings } from '../plan.ts'
import type { PlanParts } from '../planDifference.ts'
import { direction, isAdministrator, isProtected, type RoleSettings } from '../roles.ts'
import { type Waiver } from '../waiver.ts'
import { exceeded, type LimitInput } from './limits.ts'
import { openPeopleOf, overTogether, peopleLimits, peopleOver, peopleSetOver } from './people.ts'
import { isForPeople, namesPlan, openWaivers } from './waivers.ts'

/**
 * A plan that the guards approved. Only this file makes one: the class is not exported, and a spread or a copy of the fields lacks the
 * private field, so TypeScript refuses it (test/types/approvedPlan.ts).
 */
class Approved implements Plan {
  readonly #changes: Plan['changes']
  readonly workspace: Plan['workspace']
  readonly changes: Plan['changes']
  readonly holds: Plan['holds']
  readonly findings: Plan['findings']
  readonly renamed?: NonNullable<Plan['renamed']>
  readonly later: Plan['later']
  readonly laterUntilMs: number
  readonly unchanged: number
  readonly unchangedMappings?: NonNullable<Plan['unchangedMappings']>
  readonly owned: Plan['owned']
  readonly administrators: number
  readonly fingerprint: string

  constructor(plan: Plan) {
    this.#changes = plan.changes
    this.workspace = plan.workspace
    this.changes = plan.changes
    this.holds = plan.holds
    this.findings = plan.findings
    if (plan.renamed !== undefined) this.renamed = plan.renamed
    this.later = plan.later
    this.laterUntilMs = plan.laterUntilMs
    this.unchanged = plan.unchanged
    if (plan.unchangedMappings !== undefined) this.unchangedMappings = plan.unchangedMappings
    this.owned = plan.owned
    this.administrators = plan.administrators
    this.fingerprint = plan.fingerprint
  }

  static changesOf = (plan: Approved): Plan['changes'] => plan.#changes
}
export type ApprovedPlan = Approved

/**
 * The changes that may be written. Checked at run time, too: a generic function that spreads its argument deceives TypeScript.
 *
 * @throws {TypeError} if the plan was not made here
 */
export const approvedChanges = (plan: ApprovedPlan): Plan['changes'] => Approved.changesOf(plan)

/** A plan after its guards: what may be written is among its changes, and what waits among its holds. `waived`: the waivers that were used. */
export type Judged = { readonly plan: ApprovedPlan; readonly waived: readonly Waiver[] }

/** `together`: absent if nothing was counted for this plan. */
export type JudgeInput = LimitInput & {
  readonly waivers: readonly Waiver[]
  readonly dateMs: number
  readonly together?: PeopleTogether
}

/**
 * Judges the whole plan before any of its changes is written. What a guard stops waits; the other changes go on. First come the guards of single
 * changes, then the limits on people (`peopleSetOver`), then the other limits on sets of changes (`exceeded` says which, in which order), again and again until
 * no limit is exceeded. A change that requires a waiting one waits, too.
 *
 * A waiver lets pass exactly the changes that it names. What it lets pass fills no limit. No waiver helps against an incomplete reading: a decision
 * that needs a complete reading is a hold, so there is no change to waive.
 */
export function judge(plan: Plan, judging: JudgeInput): Judged {
  const { before = [] } = judging
  const idsBefore = new Set(before.map(({ id }) => id))
  const peopleOf = openPeopleOf([...before, ...plan.changes.filter(({ id }) => !idsBefore.has(id))], judging.roles, judging.together)
  const waivers = openWaivers(
    judging.waivers.filter(({ untilMs }) => judging.dateMs < untilMs),
    plan,
    peopleOf,
  )
  const holds = new Map<ChangeId, Hold>()
  const approved = new Set<ChangeId>()
  const limits = new Set<LimitName>()
  /** Changes that pass only by a waiver, and what requires them. The person saw the sets without them, so the sets are judged without them first. */
  const freed = new Set<ChangeId>()
  /** Limit on people → the changes that a person lets pass it. They do not count with the others. */
  const passedPeople = new Map<keyof PeopleLimits, Set<ChangeId>>()
  /** What a person lets raise people lets them gain its protected role, too. It takes nothing from anybody, so `lose` does not count it. */
  const passesPeopleLimit = (limit: keyof PeopleLimits, { id }: Change) =>
    [limit, 'raise' as const].some((one) => passedPeople.get(one)?.has(id) === true)
  const pass = (change: Change, waiver: Waiver, set?: LimitOver, people?: number) => {
    waivers.use(waiver, change, set, people)
    if (waiver.fenced !== true) approved.add(change.id)
  }
  const limitOfPeople = peopleLimits(judging.guards, plan.workspace)
  const wait = (change: Change, reason: HoldReason) => void holds.set(change.id, holdFor(change, reason))
  for (const change of plan.changes) {
    const over = idsBefore.has(change.id) ? undefined : peopleOver(change, limitOfPeople, judging.roles)
    const peopleWaiver = over && waivers.ofPeople(change, over)
    const [why] = approvalWhys(change, judging)
    const waiver = waivers.ofChange(change) ?? (why === undefined ? undefined : waivers.ofPlan())
    if (over !== undefined && peopleWaiver === undefined) wait(change, { kind: 'approval', why: 'people', ...over })
    else if (why !== undefined && waiver === undefined) wait(change, { kind: 'approval', why })
    else {
      if (over !== undefined || why !== undefined) freed.add(change.id)
      for (const used of new Set([peopleWaiver, waiver])) if (used !== undefined) pass(change, used)
    }
  }
  const isUncounted = ({ id, uncounted }: Change) => uncounted === 'ended' || approved.has(id)
  const counting = {
    isApproved: ({ id }: Change) => approved.has(id),
    isUncounted,
    counts: (change: Change) => !isUncounted(change) && !idsBefore.has(change.id),
  }
  for (;;) {
    for (const change of plan.changes) {
      const required = holds.has(change.id) ? undefined : change.requires.find((id) => holds.has(id))
      if (required !== undefined) wait(change, { kind: 'requires', key: (holds.get(required) as Hold).key })
    }
    const open = plan.changes.filter(({ id }) => !holds.has(id))
    const added = open.filter(({ id }) => !idsBefore.has(id))
    for (const { id, requires } of added) if (requires.some((needed) => freed.has(needed))) freed.add(id)
    const [free, usual] = [added.filter(({ id }) => freed.has(id)), added.filter(({ id }) => !freed.has(id))]
    const set = peopleSetOver(usual, before, passesPeopleLimit, limitOfPeople, peopleOf, judging)
    // What passes only by a waiver is judged after the set. So to approve it does not change the ID of the set.
    const onTop = set ?? peopleSetOver(free, [...before, ...usual], passesPeopleLimit, limitOfPeople, peopleOf, judging)
    if (onTop !== undefined) {
      const { limit, over, changes } = onTop
      const waitsAlone = set === undefined || set.isUnsure
      const whole = waitsAlone ? undefined : waivers.ofPeopleSet(set)
      const passing = whole === undefined ? waivers.ofSomeInSet(onTop) : new Map(changes.map((change) => [change, whole]))
      for (const [change, waiver] of passing) {
        passedPeople.set(limit, (passedPeople.get(limit) ?? new Set()).add(change.id))
        if (set !== undefined) freed.add(change.id)
        pass(change, waiver, over, mostOf(peopleOf(limit, [change])))
      }
      if (passing.size > 0) continue
      for (const change of changes)
        wait(
          change,
          waitsAlone
            ? { kind: 'approval', why: 'people', ...overTogether(change, onTop, judging.roles) }
            : { kind: 'approval', why: 'limit', ...over },
        )
      continue
    }
    const sets = [open.filter(({ id }) => !freed.has(id)), open]
      .map((changes) => exceeded(plan, changes, counting, limits, judging))
      .find(({ length }) => length > 0)
    if (sets === undefined) break
    const passing = sets.flatMap((set) => {
      const waiver = waivers.ofSet(set.over)
      return waiver === undefined ? [] : [{ ...set, waiver }]
    })
    // Without what a person lets pass the others may be within the limit.
    for (const { changes, over, waiver } of passing)
      for (const change of changes) {
        freed.add(change.id)
        pass(change, waiver, over)
      }
    if (passing.length > 0) continue
    for (const { changes, over } of sets) {
      for (const change of changes) wait(change, { kind: 'approval', why: 'limit', ...over })
      limits.add(limitOf(over))
    }
  }
  const changes = plan.changes.map((change) => (approved.has(change.id) ? { ...change, uncounted: 'approved' as const } : change))
  const judged = moveToHolds({ ...plan, changes }, holds)
  return {
    plan: new Approved({ ...judged, later: judgedLater(judged, judging) }),
    waived: waivers.used((id) => !isForPeople(holds.get(id)?.reason)),
  }
}

/**
 * What dates will change, each date judged like the plan of that day: with the mappings that exist when this plan is written, and without what other plans write
 * by then. Only waivers in words last long enough to let something pass. How many people a change will concern is not known, so limits on people are not foreseen.
 */
function judgedLater(plan: Plan, { before: _before, ...judging }: JudgeInput): Plan['later'] {
  const { people: _people, ...guards } = judging.guards
  const after = { ...plan, ...mappingsAfter(plan, judging.roles), holds: [], later: [] }
  const inWords = judging.waivers.map((waiver) => ({ ...waiver, ids: [] }))
  return [...Map.groupBy(plan.later, ({ atMs }) => atMs)].flatMap(([dateMs, rows]) => {
    const open = rows.filter((row) => row.waits === undefined).flatMap((row) => changeLater(row) ?? [])
    const named = open.map((change) => ({ ...change, id: idAt(change) }))
    const day = { ...after, changes: inOrder(named, judging.roles) }
    const judgeDay = (waivers: readonly Waiver[]) => judge(day, { ...judging, guards, waivers, dateMs, tally: nothingElse })
    const waits = reasonsIn(judgeDay([]).plan)
    if (waits.size === 0) return rows
    const { plan: passed, waived } = judgeDay(inWords)
    const left = reasonsIn(passed)
    return rows.map((row) => {
      const reason = left.get(row.key)
      const waiver = waits.has(row.key) && reason === undefined ? waived.find(({ ids }) => ids.includes(idAt(row))) : undefined
      return { ...row, ...defined({ waits: reason ?? row.waits, waivedBy: waiver?.source }) }
    })
  })
}

/** How many mappings there are when the changes of a plan are written. */
function mappingsAfter({ owned, administrators, changes }: Plan, roles: RoleSettings): Pick<Plan, 'owned' | 'administrators'> {
  const mapped = changes.filter((change) => change.action !== 'settings')
  const more = (list: List) =>
    mapped.reduce(
      (sum, { action, target }) => (listOf(target) === list ? sum + Number(action === 'create') - Number(action === 'delete') : sum),
      0,
    )
  const isAdmin = (role: Role | null) => Number(isAdministrator(role, roles))
  const moreAdministrators = mapped
    .filter(({ target }) => target.kind === 'workspace')
    .reduce((sum, change) => sum + ('role' in change ? isAdmin(change.role) : 0) - ('before' in change ? isAdmin(change.before) : 0), 0)
  return {
    owned: Object.fromEntries((Object.entries(owned) as [List, number][]).map(([list, n]) => [list, n + more(list)])),
    administrators: administrators + moreAdministrators,
  }
}

/** On one date each key has one change. The ID that it will have is not known. */
const idAt = ({ key }: Pick<Later, 'key'>): ChangeId => key as string as ChangeId

/** A set that will wait has no ID before it does. */
const reasonsIn = ({ holds }: Plan): ReadonlyMap<Key, HoldReason> =>
  new Map(holds.map(({ key, reason }) => [key, 'pass' in reason ? { ...reason, pass: noId } : reason]))

const noId = '' as ChangeId
const none = Object.fromEntries(amountNames.map((name) => [name, 0])) as Amounts
const nothingElse = { run: none, day: none }

/** The same with more findings; findings are not part of what was approved. */
export const withFindings = (judged: Judged, findings: readonly Finding[]): Judged => withPlan(judged, addFindings(judged.plan, findings))

/** The same without some findings. */
export const withoutFindingsOf = (judged: Judged, isLeftOut: (finding: Finding) => boolean): Judged =>
  withPlan(judged, withoutFindings(judged.plan, isLeftOut))

/** The same with fewer changes: those with a hold are moved to the holds. */
export const withHolds = (judged: Judged, holds: ReadonlyMap<ChangeId, Hold>): Judged => withPlan(judged, moveToHolds(judged.plan, holds))

/** The same with only some of its entries. */
export const withParts = (judged: Judged, parts: PlanParts): Judged => withPlan(judged, ofParts(judged.plan, parts))

/** The judged plan that was written in several rounds. */
export const withRounds = (judged: Judged, changes: Plan['changes'], holds: Plan['holds']): Judged =>
  withPlan(judged, replaced(judged.plan, changes, holds))

function ofParts(plan: Plan, parts: PlanParts): Plan {
  const { unchangedMappings: _, ...rest } = plan
  return { ...rest, ...parts }
}

const replaced = (plan: Plan, changes: Plan['changes'], holds: Plan['holds']): Plan => ({ ...plan, changes, holds })

/** The same with the holds that came up while the plan was written. From then on they are holds of the plan like those before. */
export const withHeldMeanwhile = (judged: Judged, holds: readonly Hold[]): Judged =>
  holds.length === 0 ? judged : withRounds(judged, judged.plan.changes, [...judged.plan.holds, ...holds].toSorted(by(({ key }) => key)))

/** The same with waivers that were used outside the guards, each reported once. */
export function withWaivers(judged: Judged, waivers: readonly Waiver[]): Judged {
  const waived = [...judged.waived]
  const isReported = ({ by, ids }: Waiver) => waived.some((used) => used.by === by && ids.every((pass) => used.ids.includes(pass)))
  for (const waiver of waivers) if (!isReported(waiver)) waived.push(waiver)
  return { ...judged, waived }
}

const withPlan = (judged: Judged, plan: Plan): Judged => ({ ...judged, plan: new Approved(plan) })

function approvalWhys(change: Change, { guards, roles }: JudgeInput): readonly ApprovalWhy[] {
  if (change.action === 'settings') return ['groupSync']
  const touched = change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]
  const group = touched.some((name) => guards.protectedGroups.includes(name)) ? (['protectedGroup'] as const) : []
  const role = roleWhy(change, roles)
  return role === undefined ? group : [...group, role]
}

function roleWhy(change: MappingChange, roles: RoleSettings): ApprovalWhy | undefined {
  if (!grantsProtected(change, roles) || isLowering(change, roles)) return undefined
  if (change.target.kind === 'allProjects') return 'allProjectsProtected'
  return change.allowProtected === true ? undefined : 'protectedRole'
}

/** A lowering takes access away, also from one protected role to another. If it waited, the group would keep more access than is declared. */
const isLowering = (change: Change, roles: RoleSettings): boolean =>
  change.action === 'patch' && direction(change.before, change.role, roles) === 'lower'

/** Whether the change gives a group a protected role, also if a rule or a waiver lets it pass. */
export const grantsProtected = (change: Change, roles: RoleSettings): boolean =>
  'role' in change && isProtected(change.role, change.target, roles)

/**
 * The ids of waivers that match nothing in these plans: no plan, no change or set of changes, also if it is held, and no project or group that changed. With
 * several workspaces an id usually matches in one of them only.
 */
export const unmatchedIds = (ids: readonly string[], judgedPlans: readonly Judged[]): readonly string[] => {
  const known = new Set(judgedPlans.flatMap(idsOf))
  return ids.filter((id) => !known.has(bareId(id)) && !judgedPlans.some(({ plan }) => namesPlan(id, plan)))
}

const idsOf = ({ plan: { changes, holds }, waived }: Judged): readonly (string | undefined)[] => [
  ...changes.map(({ id }) => id),
  ...holds.flatMap(({ change, reason }) => [change?.id, 'pass' in reason ? bareId(reason.pass) : undefined]),
  // A project, a group or a set that a waiver has accepted is in no hold any more.
  ...waived.flatMap(({ ids, used = [] }) => [...ids, ...used].map(bareId)),
]

/** The ids with which a waiver would let something pass: sets of changes, changes that need approval, and held changes of projects and groups. */
export const idsThatWait = (judgedPlans: readonly Judged[]): readonly string[] => [
  ...new Set(judgedPlans.flatMap(({ plan }) => plan.holds.flatMap((hold) => idThatWaits(hold) ?? []))),
]

/** An ID that a person gave for something that waits for its people. The number is missing, or too small. */
export type TooFew = {
  readonly given: string
  /** The id that lets it pass: of the set if the change waits with others. */
  readonly needs: string
  /** How many changes wait together. */
  readonly changes: number
}

/** Of the given IDs those of what still waits for its people. */
export function idsForTooFew(ids: readonly string[], judgedPlans: readonly Judged[]): readonly TooFew[] {
  const waiting = judgedPlans.flatMap(({ plan }) => plan.holds.filter(({ reason }) => isForPeople(reason)))
  const byNeeds = Map.groupBy(waiting, (hold) => idThatWaits(hold) ?? '')
  return ids.flatMap((given) => {
    const name = bareId(given)
    const entry = [...byNeeds].find(([needs, holds]) => bareId(needs) === name || holds.some(({ change }) => change?.id === name))
    return entry === undefined ? [] : [{ given, needs: entry[0], changes: entry[1].length }]
  })
}
