import { createHash } from 'node:crypto'
import { type Change, type ChangeBody, canonical, type MappingChangeBody, waiverId } from '../../../src/core/change.ts'
import type { Hold, HoldReason, LimitOver } from '../../../src/core/hold.ts'
import type { ApprovedPlan, Judged } from '../../../src/core/judge/guards.ts'
import {
  type GroupName,
  type Key,
  keyOf,
  type MappingId,
  type ProjectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../../src/core/mapping.ts'
import { type Plan, planOf } from '../../../src/core/plan.ts'
import type { Applied, WorkspaceAbout } from '../../../src/core/report.ts'
import type { Provenance } from '../../../src/core/rule.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
export const nowMs = Date.UTC(2026, 10, 3, 2, 14, 30)
/* The world of the documentation's sample plan, in a short notation. */
const acme = 'acme' as WorkspaceName

export const about: WorkspaceAbout = {
  workspace: acme,
  slug: 'acme',
  host: 'plane.example.com',
  policy: 'sync',
  suspend: false,
  doors: 'any',
  credential: 'default',
  groupSync: { enabled: true, syncOnLogin: true, autoRemove: false, offlineSync: true, groupAttribute: 'groups' },
  budget: { limit: 60, allowed: 54, others: 0, remaining: 54, waitMs: 0, waitsMs: Array.from({ length: 54 }, () => 0), windowMs: 60_000 },
  quietCalls: 3,
  readingCalls: 4,
  sliceChanges: 180,
  intervalMs: 600_000,
  roles: {
    order: ['guest', 'commenter', 'contributor', 'member', 'admin', 'owner'],
    ordinary: ['guest', 'commenter', 'contributor', 'member', 'custom-role', 'other-custom'],
    aliases: {},
  },
  shared: [],
  unknownOutcomeWaitMs: 120_000,
}

export const corp: View['directories'][number] = {
  name: 'corp',
  kind: 'ldap',
  status: 'complete',
  groups: 1912,
  atMs: nowMs - 40_000,
  tookMs: 900,
}

export function target(text: string): Target {
  if (text === 'workspace') return { kind: 'workspace' }
  return text === '*' ? { kind: 'allProjects' } : { kind: 'project', project: text as ProjectIdentifier }
}

type More = Partial<Pick<MappingChangeBody, 'label' | 'size' | 'because' | 'allowProtected'>>

const place = (where: string, group: string) => ({
  key: keyOf(acme, target(where), group as GroupName),
  group: group as GroupName,
  target: target(where),
})
const mapping = 'm1' as MappingId

export const at = (text: string, more: Partial<Provenance> = {}): { because: Provenance } => {
  const [file = '', line = ''] = text.split(':')
  return { because: { at: { file, line: Number(line), column: 5 }, ...more } }
}
export const change = (deed: ChangeBody): Change => ({ ...deed, id: waiverId(hash(canonical(deed))), requires: [] })
export const create = (where: string, group: string, role: string, more: More = {}): Change =>
  change({ ...place(where, group), action: 'create', role: role as Role, ...more })
export const patch = (where: string, group: string, before: string, role: string, more: More = {}): Change =>
  change({ ...place(where, group), action: 'patch', mapping, before: before as Role, role: role as Role, ...more })
export const remove = (
  where: string,
  group: string,
  before: string,
  why: 'removed' | 'expired' | 'duplicate' | 'undeclared',
  more: More = {},
): Change => change({ ...place(where, group), action: 'delete', mapping, before: before as Role, why, ...more })
export const rename = (where: string, from: string, group: string, before: string, role: string, more: More = {}): Change =>
  change({
    ...place(where, group),
    action: 'rename',
    mapping,
    from: place(where, from).key,
    fromGroup: from as GroupName,
    before: before as Role,
    role: role as Role,
    ...more,
  })
export const settings: Change = change({
  action: 'settings',
  key: 'acme/groupSync' as Key,
  before: { autoRemove: false, groupAttribute: 'groups' },
  after: { autoRemove: true, groupAttribute: 'ad_groups' },
  ...at('platform/acme.yaml:30'),
})

export const held = (of: Change, reason: HoldReason, untilMs?: number): Hold => ({
  key: of.key,
  ...('group' in of ? { group: of.group, target: of.target } : {}),
  change: of,
  reason,
  ...(untilMs === undefined ? {} : { untilMs }),
  ...(of.because === undefined ? {} : { because: of.because }),
})
export const unsure = (where: string, group: string, reason: HoldReason, because: { because?: Provenance } = {}): Hold => ({
  ...place(where, group),
  reason,
  ...because,
})

export function plan(parts: Partial<Plan>): Plan {
  const whole = {
    workspace: acme,
    changes: [],
    holds: [],
    findings: [],
    later: [],
    laterUntilMs: Date.parse('2027-02-02T00:00:00Z'),
    unchanged: 146,
    owned: { projectRoles: 150 },
    administrators: 2,
    ...parts,
  }
  return planOf(whole, { origin: 'plane.example.com/acme', hash, projects: undefined, factsOf: () => ({}) })
}

export function view(parts: Partial<Plan> = {}, more: Partial<View> = {}): View {
  const judged: Judged = { plan: plan(parts) as ApprovedPlan, waived: [] }
  return { about, declaration: { hash: hash('groups'), files: 14 }, directories: [corp], judged, nowMs, ...more }
}

/** The holds of changes that wait together for a limit. */
export function inSet(changes: readonly Change[], over: Omit<LimitOver, 'pass'>): readonly Hold[] {
  const pass = waiverId(hash(JSON.stringify(changes.map(({ id }) => id).toSorted())))
  return changes.map((of) => held(of, { kind: 'approval', why: 'limit', ...over, pass }))
}

/** The limit that a few deletes exceed. */
export const sixDeletes: Omit<LimitOver, 'pass'> = {
  name: 'deletes',
  count: 6,
  limit: 5,
  owned: 20,
  setting: 'guards.deletes.minExisting',
  sentence: '6 deletes (30 % of 20 owned mappings); guards.deletes.minExisting allows 5, which is more than 20 % of 20 owned mappings',
}

/** The plan that the documentation shows. */
export const face: Partial<Plan> = {
  changes: [
    create('ENG', 'plane-eng-devs', 'member', { size: people(63), ...at('teams/eng.yaml:14') }),
    create('ENG', 'plane-eng-ro', 'guest', { size: people(112), ...at('teams/eng.yaml:15') }),
    patch('OPS', 'ops-oncall', 'guest', 'member', {
      size: people(41),
      ...at('teams/ops.yaml:9', { reason: 'on-call edits runbooks', owner: 'team-ops' }),
    }),
  ],
  holds: [
    held(create('workspace', 'it-leads', 'admin', { size: people(12), ...at('platform/acme.yaml:4') }), {
      kind: 'approval',
      why: 'protectedRole',
    }),
    unsure(
      'LEGAL',
      'partners-legal',
      { kind: 'groupUnknown', directories: ['corp'], near: 'partner-legal', mapped: false },
      at('teams/legal.yaml:7'),
    ),
    held(remove('ENG', 'old-eng-admins', 'admin', 'undeclared'), { kind: 'undeclared', policy: 'sync' }),
  ],
}

const full: More = {
  size: people(4123),
  ...at('teams/eng.yaml:1', { owner: 'platform team', reason: 'the audit says so', directory: 'corp' }),
}
const lost = create('ENG', 'lost', 'member')

/** A plan with one of each kind of change, hold and finding. */
export const everything: Partial<Plan> = {
  changes: [
    { ...remove('ENG', 'old', 'member', 'expired', full), requires: [lost.id] },
    settings,
    patch('*', 'all staff', 'member', 'guest', full),
    patch('OPS', 'weird', 'custom-role', 'other-custom', { size: people(1) }),
    rename('OPS', 'ops-old', 'ops-new', 'guest', 'admin', full),
    rename('OPS', 'ops-older', 'ops-newer', 'guest', 'guest'),
    create('workspace', 'devs', 'member', { ...full, allowProtected: true }),
  ],
  holds: [
    held(create('ENG', 'bosses', 'admin', full), { kind: 'approval', why: 'protectedRole' }),
    held(settings, { kind: 'approval', why: 'groupSync' }),
    held(lost, { kind: 'quarantined', since: 'unknownOutcome' }, nowMs + 100_000),
    held(patch('ENG', 'fought', 'guest', 'member'), { kind: 'flapping', rounds: 3, sinceMs: nowMs }, Number.POSITIVE_INFINITY),
    unsure('ENG', 'mistyped', { kind: 'groupUnknown', directories: ['corp', 'idp'], near: 'mistypes', mapped: false }, full),
    unsure('ENG', 'gone', { kind: 'groupUnknown', directories: ['corp'], mapped: true }, full),
    { key: 'acme/everywhere' as Key, reason: { kind: 'readingIncomplete', of: 'corp', why: 'connection refused.' } },
    held(remove('ENG', 'nobody', 'admin', 'undeclared'), { kind: 'undeclared', policy: 'sync' }),
  ],
  findings: [
    { code: 'duplicate-mapping', severity: 'warning', place: 'ENG devs', sentence: 'there are two of it', cure: 'take one out' },
    { code: 'group-renamed', severity: 'info', place: 'a.yaml:3:1', sentence: 'it has another name now' },
    { code: 'no-directories', severity: 'error', place: 'settings', sentence: 'nothing says who is in a group', cure: 'name a directory' },
  ],
}

/** The world with problems, as the program saw it for a plan. */
export const troubledWorld: Partial<View> = {
  about: { ...about, slug: 'acme-stg', suspend: 'grants', intervalMs: 10_000 },
  declaration: {
    hash: hash('groups'),
    files: 1,
    kept: 'groups.yaml:14:9: unknown key "grops"',
    keptFiles: [{ file: 'groups.yaml', isUsed: true }],
  },
  directories: [
    corp,
    { ...corp, name: 'hr', status: 'partial', groups: 1, why: '"cn=x" has no value as cn' },
    { ...corp, name: 'idp', kind: 'keycloak', status: 'failed', groups: 0, why: 'the certificate has expired' },
  ],
}

/** The results of an apply, one for each kind of outcome. */
export const everyOutcome: Applied = {
  results: [
    { change: remove('ENG', 'written', 'member', 'removed', full), outcome: { kind: 'done' } },
    { change: patch('ENG', 'echoed', 'guest', 'member', full), outcome: { kind: 'done', mapping: 'm7', echoed: 'contributor' } },
    { change: create('ENG', 'refused', 'boss'), outcome: { kind: 'refused', status: 400, code: 'rejected', sentence: 'Not a role.' } },
    { change: lost, outcome: { kind: 'unknown', why: 'the connection was cut', lastByteMs: nowMs - 3000 } },
    { change: create('ENG', 'unsent', 'member'), outcome: { kind: 'notSent', why: 'connection refused' } },
  ],
  holds: [held(create('ENG', 'meanwhile', 'member'), { kind: 'suspended', what: 'all' })],
  left: [create('OPS', 'left', 'guest')],
  stopped: 'journal',
  why: 'no space is left.',
}
