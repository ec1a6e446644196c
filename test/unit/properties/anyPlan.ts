import * as fc from 'fast-check'
import { type Change, type ChangeBody, canonical, waiverId } from '../../../src/core/change.ts'
import {
  type GroupName,
  type Key,
  keyOf,
  type List,
  listOf,
  type Mapping,
  type MappingId,
  type Role,
  type Target,
} from '../../../src/core/mapping.ts'
import { inOrder } from '../../../src/core/order.ts'
import { type Plan, planOf } from '../../../src/core/plan.ts'
import { isAdministrator } from '../../../src/core/roles.ts'
import { acme, hash, roles, target } from '../core/smallWorld.ts'
import { role } from './anyDeclaration.ts'

/** A plan and all mappings of its workspace. Each mapping has at most one change, as in each plan of the diff. */
export type PlanOverRows = { readonly plan: Plan; readonly stored: readonly Mapping[] }

const why = fc.constantFrom('removed', 'expired', 'duplicate', 'undeclared')
const places = ['workspace', 'workspace', '*', 'ENG', 'OPS']
const edits = ['none', 'none', 'patch', 'delete', 'delete', 'rename']
const administering = fc.constantFrom('admin', 'member', 'auditor') as fc.Arbitrary<Role>

/** Three kinds of plans: many mappings of all kinds; a few with administrator roles; a few that are mostly deleted, some with a replacement. */
const drawn = fc.oneof(
  drawnFrom({ rowsMax: 14, createsMax: 6, places, edits, has: role, gets: role, allowProtected: fc.boolean() }),
  drawnFrom({
    ...{ rowsMax: 4, createsMax: 1, places: ['workspace'], edits: ['none', 'patch', 'patch', 'rename', 'delete'] },
    ...{ has: administering, gets: administering, allowProtected: fc.constant(true) },
  }),
  drawnFrom({
    ...{ rowsMax: 3, createsMax: 3, places: ['*', 'ENG'], edits: ['none', 'delete', 'delete', 'delete'] },
    ...{ has: fc.constant('guest' as Role), gets: fc.constant('guest' as Role), allowProtected: fc.constant(false) },
  }),
)

type Drawing = {
  readonly rowsMax: number
  readonly createsMax: number
  readonly places: readonly string[]
  readonly edits: readonly string[]
  readonly has: fc.Arbitrary<Role>
  readonly gets: fc.Arbitrary<Role>
  readonly allowProtected: fc.Arbitrary<boolean>
}

function drawnFrom({ rowsMax, createsMax, places: where, edits: hows, has, gets, allowProtected }: Drawing) {
  const made = { group: fc.nat(5), where: fc.constantFrom(...where), gets, allowProtected }
  return fc.record({
    rows: fc.array(fc.record({ ...made, has, edit: fc.constantFrom(...hows), why }), { maxLength: rowsMax }),
    creates: fc.array(fc.record(made), { maxLength: createsMax }),
    settings: fc.boolean(),
  })
}

export const anyPlan: fc.Arbitrary<PlanOverRows> = drawn.map(({ rows, creates, settings }): PlanOverRows => {
  const stored = rows.map(({ group, where: at, has }, index) => mapping(`m${index}`, `g${group}`, target(at), has))
  const made = creates.map(({ group, where: at, gets, allowProtected: allowed }) => {
    const { key, group: name, target: to } = mapping('', `new${group}`, target(at), gets)
    return deed({ key, group: name, target: to, action: 'create', role: gets, allowProtected: allowed })
  })
  const changes = [
    ...rows.flatMap((row, index) => edited(row, stored[index] as Mapping)),
    // A plan has at most one create for each key.
    ...new Map(made.map((change) => [change.key, change])).values(),
    ...(settings
      ? [deed({ action: 'settings', key: `${acme}/groupSync` as Key, before: { enabled: true }, after: { enabled: false } })]
      : []),
  ]
  const count = (list: List) => stored.filter((one) => listOf(one.target) === list).length
  const parts = {
    workspace: acme,
    changes: inOrder(changes, roles),
    holds: [],
    findings: [],
    later: [],
    laterUntilMs: 0,
    unchanged: 0,
    owned: { projectRoles: count('projectRoles'), workspaceRoles: count('workspaceRoles') },
    administrators: stored.filter((one) => one.target.kind === 'workspace' && isAdministrator(one.role, roles)).length,
  }
  return { stored, plan: planOf(parts, { origin: 'plane.example.com/acme', hash, projects: undefined, factsOf: () => ({}) }) }
})

const mapping = (id: string, group: string, to: Target, has: Role): Mapping => ({
  id: id as MappingId,
  key: keyOf(acme, to, group as GroupName),
  group: group as GroupName,
  target: to,
  role: has,
})

const deed = (what: ChangeBody): Change => ({ ...what, id: waiverId(hash(canonical(what))), requires: [] })

type Edit = {
  readonly edit: string
  readonly gets: Role
  readonly why: string
  readonly allowProtected: boolean
}

function edited(
  { edit: how, gets, why: reason, allowProtected: allowed }: Edit,
  { id, key, group, target: to, role: before }: Mapping,
): Change[] {
  const base = { key, group, target: to, mapping: id, before }
  switch (how) {
    case 'patch':
      return gets === before ? [] : [deed({ ...base, action: 'patch', role: gets, allowProtected: allowed })]
    case 'delete':
      return [deed({ ...base, action: 'delete', why: reason as 'removed' })]
    case 'rename': {
      const name = `${group}-${id}` as GroupName
      return [
        deed({
          ...base,
          action: 'rename',
          key: keyOf(acme, to, name),
          group: name,
          from: key,
          fromGroup: group,
          role: gets,
          allowProtected: allowed,
        }),
      ]
    }
    default:
      return []
  }
}
