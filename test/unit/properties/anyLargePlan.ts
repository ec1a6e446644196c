import * as fc from 'fast-check'
import type { Change, ChangeId, DeleteWhy } from '../../../src/core/change.ts'
import { type Hold, type HoldReason, limitNames } from '../../../src/core/hold.ts'
import type { ApprovedPlan } from '../../../src/core/judge/guards.ts'
import type { Key, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Applied } from '../../../src/core/report.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { about, at, create, held, nowMs, patch, plan, remove, rename, settings, view } from '../render/sample.ts'
import { nastyName } from './anyText.ts'

/** Names that look like something else: a row, a title, a total, an argument of the command line, markup. */
const mimics = fc.constantFrom(
  ...['‼ WEB4', 'Held (3)', 'x → admin', '47 groups', '3 changes', '--allow', '| a |', '<details>', '…', ', ', '@acme/owners', '\\u{61}'],
  ...['<'.repeat(255), '\u202E'.repeat(200), 'a\n  ‼ ENG  b → admin', '300 projects', 'workspace', '(9 protected)'],
)
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('devs', 'ops', 'leads') }, { weight: 2, arbitrary: nastyName }, mimics)
const role = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('admin', 'owner', 'superuser') }, nastyName, mimics)

export const ordinaryRoles = ['guest', 'commenter', 'contributor', 'member'] as const

/** Most plans are small. A few have thousands of changes, hundreds of projects or hundreds of roles. */
const shape = fc.record({
  seed: fc.integer(),
  size: fc.oneof(
    { weight: 91, arbitrary: fc.integer({ min: 0, max: 30 }) },
    { weight: 8, arbitrary: fc.integer({ min: 31, max: 400 }) },
    { weight: 1, arbitrary: fc.integer({ min: 401, max: 4000 }) },
  ),
  groups: fc.oneof(fc.constant(['devs']), fc.array(name, { minLength: 1, maxLength: 12 })),
  moreGroups: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 500 })),
  roles: fc.oneof(fc.constant(['admin']), fc.array(role, { minLength: 1, maxLength: 6 })),
  moreRoles: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 300 })),
  projects: fc.integer({ min: 1, max: 400 }),
  rules: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
  texts: fc.array(name, { minLength: 1, maxLength: 4 }),
  /** Shares of protected roles, of changes that wait for approval, and of changes that are held for other reasons. */
  protectedShare: fc.constantFrom(0, 0.02, 0.3, 1),
  waits: fc.constantFrom(0, 0.1, 0.9),
  holds: fc.constantFrom(0, 0.1, 0.9),
  sets: fc.array(fc.record({ name: fc.constantFrom(...limitNames), sentence: fc.oneof(name, fc.constant('30 deletes; 10 are allowed')) }), {
    maxLength: 4,
  }),
  moved: fc.boolean(),
  applied: fc.boolean(),
})
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

/** Mulberry32: makes thousands of choices from one number. So a plan is drawn quickly, and fast-check shrinks only its shape. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const oddProjects = ['Ä', '日本', 'A→B', '"', '<B>', '|', '`', '@ACME', 'A,B', 'WORKSPACE']
const deleteWhys: readonly DeleteWhy[] = ['removed', 'expired', 'duplicate', 'undeclared']

function viewOf(drawn: Shape, workspace: WorkspaceName): View {
  const chance = chanceOf(drawn.seed)
  const below = (n: number) => Math.floor(chance() * n)
  const pick = <T>(some: readonly [T, ...T[]] | readonly T[]): T => some[below(some.length)] as T
  const groups = [...drawn.groups, ...Array.from({ length: drawn.moreGroups }, (_, n) => `group-${n}`)]
  const protectedRoles = [...drawn.roles, ...Array.from({ length: drawn.moreRoles }, (_, n) => `role-${n}-${'<'.repeat(n % 90)}`)]
  const projects = [...Array.from({ length: drawn.projects }, (_, n) => `P${n}`), ...oddProjects]
  const sizes = new Map(groups.map((group) => [group, chance() < 0.2 ? undefined : below(5000)]))
  const where = () => (chance() < 0.15 ? 'workspace' : chance() < 0.1 ? '*' : pick(projects))
  const roleOf = () => (chance() < drawn.protectedShare ? pick(protectedRoles) : pick(ordinaryRoles))
  const more = (group: string) => {
    const size = sizes.get(group)
    const line = below(drawn.rules)
    const texts = chance() < 0.1 ? { owner: pick(drawn.texts), reason: pick(drawn.texts) } : {}
    return { ...(size === undefined ? {} : { size: people(size) }), allowProtected: line % 2 === 0, ...at(`teams/a.yaml:${line}`, texts) }
  }
  const anyChange = (): Change => {
    const [group, action] = [pick(groups), chance()]
    if (action < 0.6) return create(where(), group, roleOf(), more(group))
    if (action < 0.8) return patch(where(), group, chance() < 0.5 ? 'guest' : pick(protectedRoles), roleOf(), more(group))
    if (action < 0.9) return rename(where(), pick(groups), group, roleOf(), roleOf(), more(group))
    return remove(where(), group, roleOf(), pick(deleteWhys), more(group))
  }
  const approvals: readonly HoldReason[] = [
    ...(['protectedRole', 'protectedGroup', 'groupSync', 'allProjectsProtected'] as const).map(
      (why) => ({ kind: 'approval', why }) as const,
    ),
    ...drawn.sets.map(({ name: limitName, sentence }, n) => {
      const over = { count: 300, limit: 200, setting: 'guards.creates.count', pass: `${n}`.repeat(32) as ChangeId }
      return { kind: 'approval', why: 'limit', name: limitName, sentence, ...over } as const
    }),
  ]
  const heldReason = (): HoldReason =>
    pick<HoldReason>([
      { kind: 'quarantined', since: 'startUp' },
      { kind: 'suspended', what: 'grants' },
      { kind: 'requires', key: pick(groups) as Key },
      { kind: 'flapping', rounds: 3, sinceMs: nowMs },
    ])
  const hold = (): Hold => held(anyChange(), heldReason(), chance() < 0.5 ? nowMs + 60_000 : undefined)

  const changes: Change[] = chance() < 0.2 ? [settings] : []
  const holds: Hold[] = chance() < 0.1 ? [held(settings, { kind: 'approval', why: 'groupSync' })] : []
  for (let n = 0; n < drawn.size; n++) {
    if (chance() < drawn.waits) holds.push(held(anyChange(), pick(approvals)))
    else if (chance() < drawn.holds) holds.push(hold())
    else changes.push(anyChange())
  }
  const outcome = (): Outcome =>
    pick<Outcome>([
      { kind: 'done' },
      { kind: 'done', echoed: pick(drawn.roles) },
      { kind: 'notSent', why: pick(drawn.texts) },
      { kind: 'refused', status: 400, code: pick(['rejected', 'conflict', 'gone'] as const), sentence: pick(drawn.texts) },
      { kind: 'unknown', why: 'the connection was cut', lastByteMs: nowMs - 3000 },
    ])
  const tried = changes.filter(() => chance() < 0.8)
  const applied: Applied = {
    results: tried.map((change) => ({ change, outcome: outcome() })),
    holds: Array.from({ length: below(4) }, hold),
    left: changes.filter((change) => !tried.includes(change)),
    stopped: 'unreachable',
  }
  const parts = { workspace, changes, holds }
  const judged = { plan: plan(parts) as ApprovedPlan, waived: [] }
  const own = { ...about, workspace, roles: { order: about.roles.order, ordinary: ordinaryRoles, aliases: {} } }
  return view({}, { about: own, judged, ...(drawn.applied ? { applied } : { moved: drawn.moved }) })
}

const named = (shapes: readonly Shape[]): readonly View[] => shapes.map((one, n) => viewOf(one, `acme${n === 0 ? '' : n}` as WorkspaceName))

const many = fc.array(
  shape.map((one) => ({ ...one, size: one.size % 60 })),
  { minLength: 20, maxLength: 60 },
)

/**
 * One workspace, or a few. Rarely there are more than the comment on a pull request has room for. Such a case is not shrunk, because that takes
 * minutes.
 */
export const anyViews: fc.Arbitrary<readonly View[]> = fc
  .oneof(
    { weight: 95, arbitrary: fc.array(shape, { minLength: 1, maxLength: 1 }) },
    { weight: 5, arbitrary: fc.array(shape, { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.noShrink(many) },
  )
  .map(named)
