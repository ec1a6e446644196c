import { expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { HoldKind, HoldReason } from '../../../src/core/hold.ts'
import type { GroupName, Key, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { documentChange } from '../../../src/render/documentParts.ts'
import { planJson } from '../../../src/render/json.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import { forPeople, people } from '../bounds.ts'
import { about, at, change, create, held, nowMs, patch, remove, rename, settings, view } from './sample.ts'

const key = 'acme/project/ENG/devs' as Key
const eng = 'ENG' as ProjectIdentifier
const full = at('a.yaml:2', { owner: 'team', reason: 'audit', directory: 'corp', pattern: { syntax: 'glob', source: 'eng-*' } })

/** Each kind of hold with all its optional fields. */
const reasons: { readonly [Kind in HoldKind]: readonly Extract<HoldReason, { kind: Kind }>[] } = {
  groupUnknown: [
    { kind: 'groupUnknown', directories: ['idp', 'corp'], near: 'dev', nearLabel: 'Developers', mapped: true, hasLabel: true },
    { kind: 'groupUnknown', directories: ['corp'], asksOnly: true, elsewhere: ['lab', 'idp'], mapped: false },
  ],
  projectUnknown: [{ kind: 'projectUnknown', project: 'EGN', near: 'ENG', captured: true }],
  projectChanged: [{ kind: 'projectChanged', project: eng, replaced: true, called: 'NEW' as ProjectIdentifier, pass: 'p1' }],
  perhapsRenamed: [{ kind: 'perhapsRenamed', project: eng }],
  groupChanged: [
    { kind: 'groupChanged', group: 'devs' as GroupName, directory: 'corp', was: 'lab', called: 'ops' as GroupName, pass: 'p2' },
  ],
  labelDiffers: [{ kind: 'labelDiffers', directory: 'entra', label: 'Sales', called: 'Sales EMEA', shared: 2 }],
  roleUnmapped: [{ kind: 'roleUnmapped', captured: 'adm', allowed: ['rw', 'ro'] }],
  ambiguous: [
    { kind: 'ambiguous', places: ['idp: /a', 'corp: cn=a'] },
    { kind: 'ambiguous', places: ['corp: cn=a'], names: ['a', 'b'] },
  ],
  conflict: [{ kind: 'conflict', roles: ['member' as Role, 'guest' as Role], rules: [full.because, at('b.yaml:3').because] }],
  outranked: [
    { kind: 'outranked', by: full.because, inside: 'member' as Role, outside: null },
    { kind: 'outranked', by: full.because, unmanaged: full.because },
  ],
  contested: [{ kind: 'contested', rules: [full.because] }],
  notRecorded: [{ kind: 'notRecorded' }],
  clocksDiffer: [{ kind: 'clocksDiffer' }],
  notStarted: [{ kind: 'notStarted', startsMs: 1_800_000_000_000 }],
  unsafeName: [{ kind: 'unsafeName', what: 'it is empty' }],
  readingIncomplete: [{ kind: 'readingIncomplete', of: 'corp', why: 'connection refused' }],
  patternsUnmatched: [{ kind: 'patternsUnmatched', why: 'the limit is 4 steps' }],
  undeclared: [{ kind: 'undeclared', policy: 'upsert-only' }],
  policy: [{ kind: 'policy', policy: 'observe' }],
  approval: [
    { kind: 'approval', why: 'protectedRole' },
    {
      kind: 'approval',
      why: 'limit',
      name: 'deletes',
      pass: 'bd35d05b' as ChangeId,
      count: 11,
      limit: 10,
      owned: 40,
      setting: 'guards.deletes.count',
      sentence: '11 deletes',
    },
    forPeople({ over: 'raise', people: 160, limit: 100, setting: 'guards.people.raise', pass: 'p3:160' }),
  ],
  quarantined: [{ kind: 'quarantined', since: 'justWritten' }],
  roleEchoed: [{ kind: 'roleEchoed', sent: 'member' as Role, echoed: 'admin' as Role }],
  nameEchoed: [{ kind: 'nameEchoed', storedKey: key }],
  requires: [{ kind: 'requires', key }],
  flapping: [{ kind: 'flapping', rounds: 3, sinceMs: nowMs }],
  anotherWriter: [{ kind: 'anotherWriter', twins: 2 }],
  suspended: [{ kind: 'suspended', what: 'grants' }],
  fileInvalid: [{ kind: 'fileInvalid', at: { file: 'teams/pay/a.yaml', line: 3, column: 1 }, why: 'unknown key "rol"' }],
}

/** The same reason with its fields in the opposite order, so that only the code under test can give the document its order. */
const reversed = (reason: HoldReason) => Object.fromEntries(Object.entries(reason).toReversed()) as HoldReason

/** Each outcome with all its optional fields. */
const outcomes: { readonly [Is in Outcome['kind']]: Extract<Outcome, { kind: Is }> } = {
  done: { kind: 'done', mapping: 'm1', echoed: 'guest', storedKey: key, answered: { autoRemove: true }, earlierLastByteMs: nowMs },
  notSent: { kind: 'notSent', why: 'connection refused', earlierLastByteMs: nowMs },
  refused: { kind: 'refused', status: 429, code: 'throttled', sentence: 'slow down', retryAfterMs: 5, earlierLastByteMs: nowMs },
  unknown: { kind: 'unknown', why: '502 Bad Gateway', lastByteMs: nowMs, status: 502 },
}

const changes: readonly Change[] = [
  create('ENG', 'made', 'admin', { label: 'Makers', size: people(3), allowProtected: true, ...full }),
  { ...patch('*', 'patched', 'member', 'guest', full), requires: [settings.id] },
  rename('OPS', 'before', 'after', 'guest', 'guest', { size: people(0), allowProtected: false }),
  remove('workspace', 'deleted', 'member', 'expired', full),
  change({
    action: 'settings',
    key: 'acme/groupSync' as Key,
    before: { enabled: false, syncOnLogin: false, autoRemove: true, offlineSync: true, groupAttribute: 'a', defaultWorkspaceRole: null },
    after: {
      enabled: true,
      syncOnLogin: true,
      autoRemove: false,
      offlineSync: false,
      groupAttribute: 'b',
      defaultWorkspaceRole: 'guest' as Role,
    },
    ...full,
  }),
]
const waiting = create('ENG', 'waits', 'member')
const document = view(
  { changes, holds: Object.values(reasons).flatMap((some) => some.map((reason) => held(waiting, reversed(reason)))) },
  { applied: { results: Object.values(outcomes).map((outcome) => ({ change: waiting, outcome })), holds: [], left: [] } },
)

test('the document of a plan has each field of changes, holds and outcomes, in this order', async () => {
  await expect(`${planJson([document])}\n`).toMatchFileSnapshot('./snapshots/every-field.json.txt')
})

test('each kind of change has its own fields only', () => {
  const names = changes.map((change) => Object.keys(documentChange(change, about.roles)).join(' '))
  expect(names.toSorted()).toEqual([
    'id action key before after because uncounted requires',
    'id action key target group mapping before role label groupId size effect allowProtected uncounted givenBy cause protected because requires',
    'id action key target group mapping before why label groupId size effect allowProtected uncounted givenBy cause protected because requires',
    'id action key target group mapping from fromGroup sameGroup before role label groupId size effect allowProtected uncounted givenBy cause protected because requires',
    'id action key target group role label groupId size effect allowProtected uncounted givenBy cause protected because requires',
  ])
})

test('names that a saved plan has besides are left aside', () => {
  const saved = JSON.parse(planJson([document])) as { workspaces: [{ changes: object[] }] }
  saved.workspaces[0].changes = saved.workspaces[0].changes.map((one) => ({ ...one, unheardOf: 7 }))
  expect(parsePlan(JSON.stringify({ ...saved, unheardOf: 7 }))).toMatchObject({ kind: 'plan', plan: { workspaces: [{ changes }] } })
  expect(JSON.stringify(parsePlan(JSON.stringify(saved)))).not.toMatch(/unheardOf|protected"/)
})

test('a saved plan with each field of changes comes back', () => {
  expect(parsePlan(planJson([document]))).toMatchObject({ kind: 'plan', plan: { workspaces: [{ changes }] } })
})
