import { describe, expect, test } from 'vitest'
import type { ChangeId } from '../../../src/core/change.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import type { Key, Role } from '../../../src/core/mapping.ts'
import { boundText, durationText, holdUntilText, isoTime, listed, listedFirst, momentText, untilText } from '../../../src/core/quantity.ts'
import { changeSentence } from '../../../src/render/change.ts'
import { feltText, groupSyncChangeText, groupSyncText } from '../../../src/render/groupSync.ts'
import { explainHold } from '../../../src/render/hold.ts'
import { meaningText } from '../../../src/render/meaning.ts'
import { planText } from '../../../src/render/planText.ts'
import { widthOf, wrap } from '../../../src/render/width.ts'
import { people } from '../bounds.ts'
import { about, at, create, inSet, patch, remove, rename, settings, sixDeletes, view } from './sample.ts'

test('a change in one line', () => {
  const lines = [
    create('ENG', 'plane-eng-devs', 'member', { size: people(63), ...at('teams/eng.yaml:14', { owner: 'team-eng' }) }),
    patch('OPS', 'ops-oncall', 'guest', 'member', at('teams/ops.yaml:9', { reason: 'on-call edits runbooks' })),
    patch('OPS', 'ops', 'member', 'guest'),
    patch('OPS', 'ops', 'custom', 'guest'),
    rename('OPS', 'old', 'new', 'guest', 'guest'),
    remove('*', 'old staff', 'member', 'expired'),
    remove('A B', 'the "best"', 'member', 'removed'),
    settings,
  ].map((change) => changeSentence(change, about.roles))
  expect(lines).toMatchInlineSnapshot(`
    [
      "+ ENG  plane-eng-devs → member   63 people   teams/eng.yaml:14 · team-eng",
      "↑ OPS  ops-oncall  guest → member   "on-call edits runbooks"   teams/ops.yaml:9",
      "↓ OPS  ops  member → guest",
      "~ OPS  ops  custom → guest",
      "» OPS  old » new = guest",
      "- all projects  "old staff" = member   expired",
      "- "A B"  "the \\"best\\"" = member   removed",
      "⚙ settings  auto-remove off → on · claim "groups" → "ad_groups"   platform/acme.yaml:30",
    ]
  `)
})

test('every reason has a sentence and a cure', () => {
  const reasons: readonly HoldReason[] = [
    { kind: 'groupUnknown', directories: [], mapped: false },
    { kind: 'groupUnknown', directories: [], mapped: false, hasLabel: true },
    { kind: 'groupUnknown', directories: ['corp'], mapped: false },
    { kind: 'groupUnknown', directories: ['corp'], mapped: false, asksOnly: true },
    { kind: 'groupUnknown', directories: ['corp', 'hr'], mapped: false, asksOnly: true, elsewhere: ['idp'] },
    { kind: 'groupUnknown', directories: ['corp'], mapped: true, asksOnly: true, elsewhere: ['idp', 'lab'] },
    { kind: 'groupUnknown', directories: ['corp'], near: 'support ', mapped: false },
    { kind: 'groupUnknown', directories: ['corp'], mapped: false, hasLabel: true },
    { kind: 'groupUnknown', directories: ['entra'], near: '9ab2', nearLabel: 'Sales', mapped: false, hasLabel: true },
    { kind: 'groupUnknown', directories: ['entra'], near: '9ab2', nearLabel: 'Sales', mapped: true, hasLabel: true },
    { kind: 'groupUnknown', directories: ['corp', 'idp', 'hr'], near: 'devs', mapped: true },
    { kind: 'groupUnknown', directories: ['corp'], mapped: true },
    { kind: 'projectUnknown', project: 'EGN', near: 'ENG' },
    { kind: 'projectUnknown', project: 'EGN' },
    { kind: 'projectUnknown', project: 'EGN', captured: true },
    { kind: 'roleUnmapped', captured: 'adm', allowed: ['rw', 'ro'] },
    { kind: 'ambiguous', places: ['corp: cn=a', 'idp: /a'] },
    { kind: 'ambiguous', places: ['corp: cn=a'], names: ['a', 'b'] },
    { kind: 'conflict', roles: ['member' as Role, 'guest' as Role], rules: [at('a.yaml:1').because, at('b.yaml:2').because] },
    { kind: 'unsafeName', what: 'it is empty' },
    { kind: 'readingIncomplete', of: 'corp', why: 'connection refused. ' },
    { kind: 'patternsUnmatched', why: 'the limit is 4 steps' },
    { kind: 'undeclared', policy: 'upsert-only' },
    { kind: 'policy', policy: 'observe' },
    { kind: 'approval', why: 'protectedRole' },
    { kind: 'approval', why: 'protectedGroup' },
    { kind: 'approval', why: 'groupSync' },
    { kind: 'approval', why: 'allProjectsProtected' },
    {
      ...{ kind: 'approval', why: 'limit', name: 'creates', pass: 'bd35d05b' as ChangeId, count: 201, limit: 200 },
      ...{ setting: 'guards.creates.count', sentence: '201 creates' },
    },
    { kind: 'quarantined', since: 'unknownOutcome' },
    { kind: 'quarantined', since: 'startUp' },
    { kind: 'quarantined', since: 'justWritten' },
    { kind: 'nameEchoed', storedKey: 'acme/project/ENG/devs' as Key },
    { kind: 'flapping', rounds: 3, sinceMs: Date.UTC(2026, 10, 3, 2, 14) },
    { kind: 'anotherWriter', twins: 1 },
    { kind: 'anotherWriter', twins: 10 },
    { kind: 'roleEchoed', sent: 'member' as Role, echoed: 'admin' as Role },
    { kind: 'requires', key: 'acme/project/ENG/devs' as Key },
    { kind: 'suspended', what: 'all' },
    { kind: 'suspended', what: 'grants' },
    { kind: 'fileInvalid', at: { file: 'teams/pay/a.yaml', line: 3, column: 1 }, why: 'unknown key "rol"' },
    { kind: 'fileInvalid', at: { file: 'teams/pay/a.yaml', line: 0, column: 0 }, why: 'it is empty.' },
  ]
  const change = create('ENG', 'devs', 'admin')
  expect(
    reasons.map((reason) => explainHold({ reason, change }, { doors: 'any' })).map(({ sentence, cure }) => `${sentence} → ${cure}`),
  ).toMatchInlineSnapshot(`
    [
      "the settings have no directory that could know this group → add a directory to the settings",
      "the settings have no directory that could know this group → add a directory to the settings, or remove the label of the rule",
      "corp does not know this group → correct the name, or create the group; or, if nobody else can create it, write unknownGroups: send in the rule or the settings",
      "corp does not know this group, and its rule asks no other directory → correct the name or the "from" of the rule, or create the group; or, if nobody else can create it, write unknownGroups: send in the rule or the settings",
      "corp and hr do not know this group, and its rule asks no other directory; idp has a group of this name → if the group of idp is meant, let the "from" of the rule name idp",
      "corp does not know this group, and its rule asks no other directory; idp and lab have a group of this name → first look in the claim of a login which name the group has there; then: if the group of one of these is meant, let the "from" of the rule name that directory · if the group was renamed, write its new name with "previously" in a rule with this group alone · if it is gone for good, list the mapping under "removed"",
      "corp does not know this group → did you mean "support "?",
      "corp does not know this group → correct the name, or create the group; or, if nobody else can create it, remove the label and write unknownGroups: send in the rule or the settings",
      "entra does not know this group → another group is called "Sales" now: 9ab2; if it is the group that is meant, made again, write this id",
      "entra does not know this group → first look in the claim of a login which name the group has there; then: another group is called "Sales" now: 9ab2; if it is the group that is meant, made again, write this id · if the group was renamed, write its new name with "previously" in a rule with this group alone · if it is gone for good, list the mapping under "removed"",
      "corp, idp and hr do not know this group → first look in the claim of a login which name the group has there; then: if the group was renamed, write its new name with "previously" in a rule with this group alone · if it is gone for good, list the mapping under "removed"",
      "corp does not know this group → first look in the claim of a login which name the group has there; then: if the group was renamed, write its new name with "previously" in a rule with this group alone · if it is gone for good, list the mapping under "removed"",
      "the credential sees no project EGN → did you mean ENG?",
      "the credential sees no project EGN → write its identifier (such as ENG, not its name), add the owner of the credential to the project, or, if it exists, write unknownProjects: send in the rule or the settings",
      "the credential sees no project EGN → correct it, add the owner of the credential to the project, or write unknownProjects: skip in the rule, to leave out projects that do not exist",
      "the captured role "adm" is not in the rule's map (rw, ro) → first make sure that the people of the group should have the role; then: add it to the rule's map, or leave the group out with except:",
      "the name is in 2 places: corp: cn=a; idp: /a → first look in the claim of a login which group it is; then: name the directory with from:, or rename one of the groups",
      "the group has several names (a, b), and logins may send any of them: corp: cn=a → first look in the claim of a login which group it is; then: remove all names but one from the entry, or exclude the entry with the directory's groups.filter",
      "patterns want different roles: member, guest (a.yaml:1, b.yaml:2) → write an exact rule for this group: it beats the patterns",
      "the name cannot be sent: it is empty → rename the group in its directory",
      "corp could not be read whole: connection refused → existing mappings stay until it is read whole",
      "patterns of this workspace were not matched with the groups: the limit is 4 steps → first look at the plan with this edit; then: use fewer or simpler patterns; existing mappings stay until then",
      "no rule declares this mapping; the policy upsert-only keeps it → to keep: export --undeclared · to delete: export --removed · to ignore: add to unmanaged:",
      "the policy observe does not write this → to write it, set another policy in the settings",
      "protected role → to approve this change: --allow f7710b29ea0c7e1c3a1c99632bffea32 · or in the file: allowProtected: true",
      "protected group → to approve this change: --allow f7710b29ea0c7e1c3a1c99632bffea32 · or take it out of guards.protectedGroups",
      "settings of the whole workspace always need approval → to approve this change: --allow f7710b29ea0c7e1c3a1c99632bffea32",
      "protected role in all projects → to approve this change: --allow f7710b29ea0c7e1c3a1c99632bffea32 · or name the projects",
      "201 creates → if a pattern or a directory gives more groups than it should, correct it · or, if the limit is wrong, change guards.creates.count · to approve exactly the changes of this set: --allow bd35d05b",
      "an earlier write with unknown outcome may still be executed → wait: then the list is read again and a new plan is made",
      "a create of the previous process may still be executed → apply and run wait by themselves, each from its own start; or use --no-wait, if no other process wrote recently",
      "this program wrote the mapping, and the list does not show that write → apply and run wait by themselves, each from its own start. If the list still does not show the write after that, it is written again",
      "the service keeps it as another mapping: acme/project/ENG/devs → first look who is in the group of that mapping; then: delete that mapping in Plane if it is not as meant; if only the name differs, use that name in the declaration, or rename the group in Plane",
      "written 3 times since 2026-11-03 02:14 UTC, and undone each time → find out who undoes it; an edit of the declaration restarts the count, guards.flapping sets the limit",
      "another writer makes the same mappings: 1 mapping of this program exists twice → first compare the roles of the mappings with that of the file; then: stop the other writer, then delete one mapping of each pair in Plane; the finding another-writer names them",
      "another writer makes the same mappings: 10 mappings of this program exist twice → first compare the roles of the mappings with that of the file; then: stop the other writer, then delete one mapping of each pair in Plane; the finding another-writer names them",
      "the service answered "admin" where "member" was sent → first look in Plane which role the people of the group have; then: if the two are one role: roles.aliases: { member: admin } in the settings; or correct it in Plane. An edit of the role or reason of its rule sends it again",
      "waits for the change of acme/project/ENG/devs → see the reason at that change",
      "writing is suspended → to go on, set suspend: false in the settings",
      "grants are suspended → to go on, set suspend: false in the settings",
      "teams/pay/a.yaml:3:1 is not used here, and it names this mapping, gave it, or may name it: unknown key "rol" → correct the file or its fence: plane-group-sync validate shows all problems",
      "teams/pay/a.yaml is not used here, and it names this mapping, gave it, or may name it: it is empty → correct the file or its fence: plane-group-sync validate shows all problems",
    ]
  `)
})

test('a pattern cannot have allowProtected, so its grant is told to use an exact rule', () => {
  const change = create('ENG', 'leads-eng', 'admin', at('a.yaml:1', { pattern: { syntax: 'glob', source: 'leads-*' } }))
  expect(explainHold({ reason: { kind: 'approval', why: 'protectedRole' }, change }, { doors: 'any' }).cure).toBe(
    `to approve this change: --allow ${change.id} · or write an exact rule with allowProtected: true`,
  )
})

test('what waits for a word, without a change that could be named', () => {
  expect(explainHold({ reason: { kind: 'approval', why: 'groupSync' } }, { doors: 'any' }).cure).toBe('to approve it: --allow with its ID')
})

test("the workspace's own settings", () => {
  expect(groupSyncText({ syncOnLogin: false, offlineSync: false, defaultWorkspaceRole: 'member' as Role })).toBe(
    'sync at login off · offline sync off · default role "member"',
  )
  expect(groupSyncText({ syncOnLogin: true, defaultWorkspaceRole: null })).toBe('')
  expect(groupSyncChangeText({ groupAttribute: 'a' }, { syncOnLogin: false, offlineSync: true, defaultWorkspaceRole: null })).toBe(
    'sync at login unset → off · offline sync unset → on · claim "a" → unset · default role unset → none',
  )
})

describe('when people feel it', () => {
  const on = { enabled: true, syncOnLogin: true, offlineSync: true, autoRemove: true }
  test.each([
    [on, 'Takes effect at the next login or within 2 h.'],
    [{ ...on, offlineSync: false }, 'Takes effect at the next login.'],
    [{ ...on, syncOnLogin: false }, 'Takes effect within 2 h.'],
    [{ ...on, syncOnLogin: false, offlineSync: false }, 'Takes no effect: neither sync at login nor offline sync is on.'],
    [{ ...on, enabled: false }, 'Takes no effect: group sync is off in this workspace.'],
    [undefined, ''],
    [{}, ''],
    [{ enabled: true }, ''],
    [{ syncOnLogin: true, offlineSync: true }, ''],
    [{ enabled: true, syncOnLogin: false }, ''],
    [{ enabled: true, syncOnLogin: true }, 'Takes effect at the next login.'],
    [{ enabled: true, offlineSync: true }, 'Takes effect within 2 h.'],
  ])('%o', (known, sentence) => {
    expect(feltText(known, true)).toBe(sentence)
  })

  test('without auto-remove nobody loses anything', () => {
    expect(feltText({ ...on, autoRemove: false }, true)).toBe(
      'Takes effect at the next login or within 2 h. Auto-remove is off: people keep the access that they have.',
    )
    expect(feltText({ ...on, autoRemove: false }, false)).toBe('Takes effect at the next login or within 2 h.')
  })

  test('only of what is written', () => {
    const changes = [create('ENG', 'b', 'member')]
    const plain = { colour: false, width: 120 }
    expect(planText(view({ holds: inSet(changes, sixDeletes) }), plain)).not.toContain('ake effect')
    expect(planText(view({ changes }, { moved: true }), plain)).not.toContain('ake effect')
  })

  test('by the settings as the plan leaves them', () => {
    const changes = [remove('ENG', 'a', 'member', 'removed')]
    expect(meaningText(view({ changes }))).toContain('Auto-remove is off')
    expect(meaningText(view({ changes: [...changes, settings] }))).not.toContain('Auto-remove is off')
    expect(meaningText(view({ changes: [create('ENG', 'b', 'member'), ...changes] }))).toContain('Auto-remove is off')
    expect(meaningText(view({ changes: [patch('ENG', 'a', 'member', 'guest')] }))).toContain('Auto-remove is off')
    expect(meaningText(view({ changes: [patch('ENG', 'a', 'guest', 'member')] }))).not.toContain('Auto-remove is off')
  })
})

test('spans and moments', () => {
  const hour = 3_600_000
  expect([0, 40_000, 100_000, 7_500_000, 48 * hour - 60_000, 48 * hour, 260_000_000, 73 * hour, Number.NaN].map(durationText)).toEqual([
    '0 s',
    '40 s',
    '1 min 40 s',
    '2 h 5 min',
    '47 h 59 min',
    '2 d',
    '3 d',
    '3 d 1 h',
    'an unknown time',
  ])
  expect([0, 4_900, 5_000, 61_000, 3_600_000].map(boundText)).toEqual(['5 s', '5 s', '10 s', '2 min', '1 h 1 min'])
  const now = Date.UTC(2026, 10, 3, 23, 59)
  expect(untilText(now + 30_000, now)).toBe('until 23:59:30 UTC (in 30 s)')
  expect(untilText(now + 100_000, now)).toBe('until 2026-11-04 00:00:40 UTC (in 1 min 40 s)')
  expect(untilText(now - 1, now)).toBe('until 23:58:59 UTC, which has passed')
  expect(untilText(now, now)).toBe('until 23:59:00 UTC, which has passed')
  expect([now - 1, now, now + 30_000].map((until) => holdUntilText(until, now))).toEqual([
    'until the next read',
    'until the next read',
    'until 23:59:30 UTC (in 30 s)',
  ])
  expect(untilText(Number.POSITIVE_INFINITY, now)).toBe('with no end time')
  expect(untilText(now, Number.NaN)).toBe('until 2026-11-03 23:59:00 UTC, which has passed')
  expect([momentText(now), momentText(Number.NaN)]).toEqual(['2026-11-03 23:59 UTC', 'an unknown time, UTC'])
  const last = 8.64e15
  expect([0, last, last + 1, -last - 1, Number.POSITIVE_INFINITY, Number.NaN].map(isoTime)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    ...[undefined, undefined, undefined, undefined],
  ])
})

test('names in a sentence', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c'])
  expect([[], ['a'], ['a', 'b']].map((first) => listedFirst(first, first.length))).toEqual(['', 'a', 'a and b'])
  expect([1, 2, 1_500].map((total) => listedFirst(['a'], total))).toEqual(['a', 'a and 1 more', 'a and 1,499 more'])
})

test('columns of a terminal', () => {
  expect(['abc', 'äöü', 'a\u0308', '開発', '👩‍👩‍👧', '→ é', '한국어', 'ﾃｽﾄ', 'a\u302A', 'a\u20DD'].map(widthOf)).toEqual([
    3, 3, 1, 4, 2, 3, 6, 3, 1, 1,
  ])
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('a-word-that-is-too-long for it', 10)).toEqual(['a-word-that-is-too-long', 'for it'])
})
