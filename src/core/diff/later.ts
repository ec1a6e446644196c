import { type DesiredMapping, type RoleResult, type RuleResult, ruleResult, type Turn } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { changeLater, type Later, type LaterWrite } from '../later.ts'
import { type Key, keyOf, listOf, type Mapping, type Role } from '../mapping.ts'
import { applyPolicy } from '../policy.ts'
import { compareRoles, direction } from '../roles.ts'
import type { Draft } from './draft.ts'

/** A key before a date. `mapping`: its role, `null` if it has none; absent if there is no mapping. `held`: what a hold keeps from being written. */
type State = { readonly mapping?: { readonly role: Role | null }; readonly held?: RuleResult | 'unknown' }

/**
 * What dates will change, sorted by date, if everything else stays as it is today and all changes are written. A date that leaves a mapping as it is has
 * no row.
 *
 * | at the date                             | mapping     | row                               |
 * |-----------------------------------------|-------------|-----------------------------------|
 * | a role                                  | none        | create, or rename by `previously` |
 * | a role                                  | other role  | patch                             |
 * | the role ends, and nothing else decides | any         | delete                            |
 * | a hold that is not there today          | any         | what it holds, with its reason    |
 */
export function laterOf(draft: Draft): readonly Later[] {
  const rows: Later[] = []
  for (const [key, turns] of draft.desired.turns()) {
    let state = stateNow(key, draft)
    for (const turn of turns) {
      const { wanted } = turn
      if (ruleResult(wanted)?.kind !== 'absent' && !draft.desired.isOwned(wanted.group, wanted.target)) continue
      const { write, waits, next } = stepOf(state, turn, draft)
      state = next
      if (write !== undefined) rows.push(rowOf(key, turn, write, waits, draft))
    }
  }
  return rows.toSorted((a, b) => a.atMs - b.atMs || (a.key < b.key ? -1 : 1))
}

function stateNow(key: Key, { desired, byKey }: Draft): State {
  const [mapped] = byKey.at(key)
  const exists: State = mapped === undefined ? {} : { mapping: { role: mapped.role } }
  const wanted = desired.mappings.get(key)
  switch (wanted?.kind) {
    case undefined:
      return exists
    case 'absent':
      return {}
    case 'role':
      return wanted.grantsWait === undefined ? { mapping: { role: wanted.role } } : { ...exists, held: heldBy(wanted) }
    case 'unknown':
      return wanted.reason.kind === 'notStarted' ? exists : { ...exists, held: heldBy(wanted) }
    default:
      return wanted satisfies never
  }
}

type Step = { readonly write?: LaterWrite; readonly waits?: HoldReason; readonly next: State }

function stepOf(state: State, { wanted, isWeak }: Turn, draft: Draft): Step {
  const { mapping } = state
  if (isWeak && mapping === undefined) return { next: {} }
  switch (wanted.kind) {
    case 'absent':
      return mapping === undefined ? { next: {} } : { write: { action: 'delete', before: mapping.role }, next: {} }
    case 'role': {
      const write = writeOf(mapping, wanted, wanted, draft)
      const isLowering = write?.action === 'patch' && direction(write.before, write.role, draft.options.roles) === 'lower'
      if (write !== undefined && wanted.grantsWait !== undefined && !isLowering) return heldStep(state, write, wanted, wanted.grantsWait)
      return { ...(write && { write }), next: { mapping: write === undefined && mapping !== undefined ? mapping : { role: wanted.role } } }
    }
    case 'unknown': {
      if (wanted.reason.kind === 'notStarted') return { next: mapping === undefined ? {} : { mapping } }
      const { would } = wanted
      const write = would === undefined ? { action: 'unknown' as const, before: mapping?.role } : writeOf(mapping, would, wanted, draft)
      return heldStep(state, write, wanted, wanted.reason)
    }
    default:
      return wanted satisfies never
  }
}

/** A hold gets a row if it keeps something else than the hold before it. */
function heldStep(state: State, write: LaterWrite | undefined, wanted: DesiredMapping, waits: HoldReason): Step {
  const held = heldBy(wanted)
  const next = { ...state, held }
  return write === undefined || textOf(held) === textOf(state.held) ? { next } : { write, waits, next }
}

const heldBy = (wanted: DesiredMapping): RuleResult | 'unknown' => ruleResult(wanted) ?? 'unknown'
const textOf = (held: State['held']): string => (typeof held === 'object' && held.kind === 'role' ? `role ${held.role}` : JSON.stringify(held))

function writeOf(
  mapping: State['mapping'],
  result: RuleResult,
  wanted: DesiredMapping,
  draft: Draft,
): LaterWrite | undefined {
  if (result.kind === 'absent') return mapping && { action: 'delete', before: mapping.role }
  const { role } = result
  if (mapping === undefined) {
    const former = formerMapping(wanted, draft)
    return former === undefined ? { action: 'create', role } : { action: 'rename', fromGroup: former.group, before: former.role, role }
  }
  const echoes = draft.options.echoes[listOf(wanted.target)] ?? {}
  const isOther = compareRoles(role, mapping.role, wanted.target, echoes, draft.options.roles) === 'other'
  return isOther ? { action: 'patch', before: mapping.role, role } : undefined
}

/** The mapping under an earlier name that waits for the rule. */
function formerMapping({ target, previously = [] }: DesiredMapping, { workspace, byKey, desired, renames }: Draft): Mapping | undefined {
  return previously
    .map((name) => keyOf(workspace, target, name))
    .flatMap((old) => (desired.mappings.has(old) ? [] : (byKey.only(old) ?? [])))
    .find(({ id }) => !renames.renamed.has(id))
}

function rowOf(key: Key, { atMs, wanted, starts }: Turn, write: LaterWrite, waits: HoldReason | undefined, draft: Draft): Later {
  const { group, target, because } = wanted
  const result = ruleResult(wanted)
  const people = 'role' in write ? (result as RoleResult | undefined)?.people : draft.desired.peopleOf(group)
  const row: Later = {
    key,
    group,
    target,
    because,
    atMs,
    why: starts ? 'starts' : 'ends',
    write,
    ...(wanted.kind === 'role' && wanted.allowProtected && { allowProtected: true }),
    ...(people === undefined ? {} : { people }),
  }
  const change = changeLater(row)
  const [hold] = change === undefined ? [] : applyPolicy([change], draft.options.policy).holds
  const reason = waits ?? hold?.reason
  return reason === undefined ? row : { ...row, waits: reason }
}
