import { type DatedMapping, type DesiredMapping, type DesiredRole, type RoleResult, type RuleResult, ruleResult } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { changeLater, type Later, type LaterWrite } from '../later.ts'
import { type Key, listOf, type Role } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { applyPolicy } from '../policy.ts'
import { compareRoles, direction, isProtected } from '../roles.ts'
import type { Draft } from './draft.ts'
import { formerMapping } from './renames.ts'

/**
 * A key before a date. `roles`: those of its mappings, `null` for a mapping without a role; empty if there is no mapping. `held`: what a hold keeps from
 * being written. `unallowed`: the roles without the grant of a protected role that no rule allows yet; the grant waits for an approval.
 */
type State = { readonly roles: Roles; readonly held?: RuleResult | 'unknown'; readonly unallowed?: Roles }
type Roles = readonly (Role | null)[]

/**
 * What dates will change up to the horizon, and the grants of protected roles after it, sorted by date, if everything else stays as it is today and all
 * changes are written. A date that leaves a mapping as it is has no row.
 *
 * | at the date                             | mapping     | row                               |
 * |-----------------------------------------|-------------|-----------------------------------|
 * | a role                                  | none        | create, or rename by `previously` |
 * | a role                                  | other role  | patch                             |
 * | the same protected role, now allowed    | waits       | create, rename or patch           |
 * | the role ends, and nothing else decides | any         | delete                            |
 * | a hold that is not there today          | any         | what it holds, with its reason    |
 */
export function laterOf(draft: Draft): readonly Later[] {
  const rows: Later[] = []
  for (const [key, turns] of draft.desired.turns()) {
    let state = stateNow(key, draft)
    let turnedMs: number | undefined
    for (const turn of turns) {
      const { wanted, atMs } = turn
      const sinceMs = turnedMs
      turnedMs = atMs
      if (ruleResult(wanted)?.kind !== 'absent' && !draft.desired.isOwned(wanted.group, wanted.target)) continue
      const { write, waits, next } = stepOf(state, turn, draft)
      state = next
      if (write !== undefined && isShown(turn, write, draft)) rows.push(rowOf(key, turn, { write, waits, sinceMs }, draft))
    }
  }
  return rows.toSorted((a, b) => a.atMs - b.atMs || (a.key < b.key ? -1 : 1))
}

/** What comes up to the horizon is shown, and each grant of a protected role: a reviewer sees the file only now. */
const isShown = ({ atMs, wanted: { target } }: DatedMapping, write: LaterWrite, { options }: Draft): boolean =>
  atMs <= options.laterUntilMs || ('role' in write && isProtected(write.role, target, options.roles))

function stateNow(key: Key, draft: Draft): State {
  const { desired, byKey } = draft
  const exists: State = { roles: byKey.at(key).map(({ role }) => role) }
  const wanted = desired.mappings.get(key)
  switch (wanted?.kind) {
    case undefined:
      return exists
    case 'absent':
      return none
    case 'role':
      return wanted.grantsWait === undefined
        ? granted(exists, writeOf(exists.roles, wanted, wanted, draft), wanted, draft)
        : { ...exists, held: heldBy(wanted) }
    case 'unknown':
      return wanted.reason.kind === 'notStarted' ? exists : { ...exists, held: heldBy(wanted) }
    default:
      return wanted satisfies never
  }
}

const none: State = { roles: [] }

type Step = { readonly write?: LaterWrite; readonly waits?: HoldReason; readonly next: State }

function stepOf(state: State, { wanted, isWeak }: DatedMapping, draft: Draft): Step {
  const { roles } = state
  if (isWeak && roles.length === 0) return { next: none }
  switch (wanted.kind) {
    case 'absent':
      return { ...defined({ write: deleteOf(roles) }), next: none }
    case 'role': {
      const write = writeOf(roles, wanted, wanted, draft)
      const isAllowedNow = write === undefined && state.unallowed !== undefined && isAllowed(wanted, draft)
      const shown = isAllowedNow ? writeOf(state.unallowed, wanted, wanted, draft) : write
      const isLowering = shown?.action === 'patch' && direction(shown.before, shown.role, draft.options.roles) === 'lower'
      if (shown !== undefined && wanted.grantsWait !== undefined && !isLowering) return heldStep(state, shown, wanted, wanted.grantsWait)
      return { ...defined({ write: shown }), next: granted(state, write, wanted, draft) }
    }
    case 'unknown': {
      if (wanted.reason.kind === 'notStarted') return { next: { roles } }
      const { would } = wanted
      const write = would === undefined ? { action: 'unknown' as const, before: roles[0] } : writeOf(roles, would, wanted, draft)
      return heldStep(state, write, wanted, wanted.reason)
    }
    default:
      return wanted satisfies never
  }
}

/** The key after a grant. `write`: what the grant changes; undefined if its mapping has the role, or if an earlier grant gives it. */
function granted({ roles, unallowed }: State, write: LaterWrite | undefined, wanted: DesiredRole, draft: Draft): State {
  const next = write === undefined ? roles : [wanted.role]
  return { roles: next, ...defined({ unallowed: isAllowed(wanted, draft) ? undefined : write === undefined ? unallowed : roles }) }
}

/** Whether the rule itself lets its grant pass: it gives no protected role, or its file says `allowProtected`. */
const isAllowed = ({ role, target, allowProtected }: DesiredRole, { options }: Draft): boolean =>
  allowProtected || !isProtected(role, target, options.roles)

/** A hold gets a row if it keeps something else than the hold before it. */
function heldStep(state: State, write: LaterWrite | undefined, wanted: DesiredMapping, waits: HoldReason): Step {
  const held = heldBy(wanted)
  const next = { ...state, held }
  return write === undefined || textOf(held) === textOf(state.held) ? { next } : { write, waits, next }
}

const heldBy = (wanted: DesiredMapping): RuleResult | 'unknown' => ruleResult(wanted) ?? 'unknown'
const textOf = (held: State['held']): string =>
  typeof held === 'object' && held.kind === 'role' ? `role ${held.role}` : JSON.stringify(held)

function writeOf(roles: State['roles'], result: RuleResult, wanted: DesiredMapping, draft: Draft): LaterWrite | undefined {
  if (result.kind === 'absent') return deleteOf(roles)
  const { role } = result
  if (roles.length === 0) {
    const former = formerMapping(wanted, draft)
    return former === undefined ? { action: 'create', role } : { action: 'rename', fromGroup: former.group, before: former.role, role }
  }
  const echoes = draft.options.echoes[listOf(wanted.target)] ?? {}
  const before = roles.find((has) => compareRoles(role, has, wanted.target, echoes, draft.options.roles) === 'other')
  return before === undefined ? undefined : { action: 'patch', before, role }
}

const deleteOf = ([before]: State['roles']): LaterWrite | undefined => (before === undefined ? undefined : { action: 'delete', before })

type Row = { readonly write: LaterWrite; readonly waits: HoldReason | undefined; readonly sinceMs: number | undefined }

function rowOf(key: Key, turn: DatedMapping, { write, waits, sinceMs }: Row, draft: Draft): Later {
  const { atMs, wanted, starts } = turn
  const { group, target, because } = wanted
  const result = ruleResult(wanted)
  const size = 'role' in write ? (result as RoleResult | undefined)?.size : draft.desired.sizeOf(group)
  const row: Later = {
    key,
    group,
    target,
    because,
    atMs,
    why: starts ? 'starts' : 'ends',
    write,
    ...(wanted.kind === 'role' && wanted.allowProtected && { allowProtected: true }),
    ...(size === undefined ? {} : { size }),
    ...(isUncountedEnd(key, turn, write, sinceMs, draft) && { uncounted: 'ended' }),
  }
  const change = changeLater(row)
  const [hold] = change === undefined ? [] : applyPolicy([change], draft.options.policy, () => false).holds
  const reason = waits ?? hold?.reason
  return reason === undefined ? row : { ...row, waits: reason }
}

/**
 * Whether a delete or lowering at a date will be a recorded end, as `diff` decides it on that day.
 *
 * @param sinceMs the date before, on which other rules of the key begin to decide
 */
function isUncountedEnd(
  key: Key,
  { atMs, starts }: DatedMapping,
  write: LaterWrite,
  sinceMs: number | undefined,
  { desired, byKey, options: { owned, roles } }: Draft,
): boolean {
  const isLowering = write.action === 'patch' && !starts && direction(write.before, write.role, roles) === 'lower'
  if (owned === undefined || !(write.action === 'delete' || isLowering)) return false
  const { naming, endMs } = desired.datesOf(key)
  const [mapping] = byKey.at(key)
  return owned.willRecordEnd(mapping, atMs, endMs === atMs ? undefined : sinceMs, naming)
}
