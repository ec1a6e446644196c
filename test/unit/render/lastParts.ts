import { exactly } from '../../../src/core/bounds.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { DescribedChange } from '../../../src/core/waiverWords.ts'
import type { LastDocument, LastWorkspace } from '../../../src/documents/last.ts'
import type { StatusDocument } from '../../../src/documents/status.ts'
import { lastDocument } from '../../../src/render/lastDocument.ts'
import type { FailedView, View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { about, at, corp, create, held, inSet, nowMs, patch, remove, sixDeletes, unsure, view } from './sample.ts'

type Parts = Parameters<typeof lastDocument>[0]
type Outcome = LastWorkspace['outcome']

export const minuteMs = 60_000

/** The document of a cycle that ended two minutes before `nowMs`. */
export const last = (workspaces: readonly (readonly [View | FailedView, Outcome])[], more: Partial<Parts> = {}): LastDocument =>
  lastDocument({
    program: '1.4.0',
    pid: 4711,
    host: 'plane-sync-0',
    lock: 'a-token',
    service: { host: 'plane.example.com', slugs: { acme: 'acme' } },
    beganMs: nowMs - 3 * minuteMs,
    endedMs: nowMs - 2 * minuteMs,
    nextMs: nowMs + 8 * minuteMs,
    overdueMs: nowMs + 20 * minuteMs,
    everyMs: 10 * minuteMs,
    declaration: { hash: '4f2c91e0'.repeat(8), files: 14 },
    settings: { hash: '5e77'.repeat(16) },
    directories: [corp],
    budgets: new Map([['default', { limit: 60, remaining: 41, others: 3, waitMs: 0 }]]),
    approvals: [],
    workspaces: workspaces.map(([one, outcome]) => ({
      view: one,
      outcome,
      succeededMs: nowMs - (outcome === 'success' ? 2 : 190) * minuteMs,
    })),
    seen: new Map(),
    ...more,
  })

/** The document of `status` at `nowMs`, two minutes after the cycle. */
export const statusOf = (of: LastDocument, more: Partial<StatusDocument> = {}): StatusDocument => ({
  format: 'plane-group-sync/status',
  version: 1,
  at: new Date(nowMs).toISOString(),
  ageMs: 2 * minuteMs,
  daemon: 'running',
  trouble: [],
  last: of,
  ...more,
})

export const named = (name: string) => ({ about: { ...about, workspace: name as WorkspaceName, slug: name } })
const admin = create('PAY', 'contractors-all', 'admin', { size: people(160), ...at('teams/pay.yaml:4', { owner: 'team-pay' }) })
const leads = patch('workspace', 'it-leads', 'member', 'owner', { size: people(12), ...at('platform/acme.yaml:4', { owner: 'platform' }) })

/** A workspace in which changes wait and are held. */
export const waiting = view({
  changes: [],
  holds: [
    held(admin, { kind: 'approval', why: 'protectedRole' }),
    held(leads, {
      kind: 'approval',
      why: 'people',
      over: 'gainProtected',
      people: exactly(12),
      limit: 5,
      setting: 'guards.people.gainProtected',
      pass: `${leads.id}:12`,
    }),
    unsure(
      'LEGAL',
      'partners-legal',
      { kind: 'groupUnknown', directories: ['corp'], near: 'partner-legal', mapped: false },
      at('teams/legal.yaml:7', { owner: 'team-legal' }),
    ),
    held(
      create('OPS', 'ops-oncall', 'member', at('teams/ops.yaml:9', { owner: 'team-ops' })),
      { kind: 'quarantined', since: 'unknownOutcome' },
      nowMs + 90_000,
    ),
    unsure('ENG', 'old-eng', { kind: 'undeclared', policy: 'upsert-only' }),
  ],
})

const gone = ['API', 'PAY', 'WEB'].flatMap((project) => [
  remove(project, 'a', 'guest', 'removed', at('teams/web.yaml:3')),
  remove(project, 'b', 'guest', 'removed', at('teams/web.yaml:3')),
])
/** A workspace in which a set of changes waits. */
export const overLimit = view({ holds: inSet(gone, sixDeletes), workspace: 'shop' as WorkspaceName }, named('shop'))
export const failedView: FailedView = { ...named('lab'), failed: 'plane.example.com does not answer', cure: 'make sure that it answers' }
export const quietView = (name: string): View => view({ workspace: name as WorkspaceName }, named(name))

const changes: readonly DescribedChange[] = [{ key: admin.key, after: 'admin' as never }]
export const approvals: Parts['approvals'] = [
  {
    name: '0123456789abcdef0123456789abcdef',
    workspace: 'acme' as WorkspaceName,
    words: { changes, people: 160 },
    passes: [],
    by: 'ann',
    account: 'root',
    reason: 'INC-99',
    fromMs: nowMs - 5 * minuteMs,
    untilMs: nowMs + 55 * minuteMs,
  },
]
