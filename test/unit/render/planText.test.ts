import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { FindingCode } from '../../../src/core/finding.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { ApprovedPlan } from '../../../src/core/judge/guards.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { header, troubleLines } from '../../../src/render/header.ts'
import { approvedLines, findingLines } from '../../../src/render/notices.ts'
import { planText, waitingLines } from '../../../src/render/planText.ts'
import { standingOf } from '../../../src/render/sections.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import {
  about,
  at,
  corp,
  create,
  everything,
  face,
  held,
  inSet,
  nowMs,
  patch,
  plan,
  remove,
  rename,
  settings,
  sixDeletes,
  troubledWorld,
  unsure,
  view,
} from './sample.ts'

const text = (of: Parameters<typeof planText>[0], width = 120) => `${planText(of, { colour: false, width })}\n`
const snapshot = (name: string) => `./snapshots/${name}.txt`
const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))

test.each([100, 200])('the face of the documentation, %i columns', async (width) => {
  await expect(text(view(face), width)).toMatchFileSnapshot(snapshot(`face-${width}`))
})

test('the face in colour', async () => {
  const coloured = planText(view(face), { colour: true, width: 120 })
  await expect(`${coloured.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot(snapshot('face-colour'))
  expect(stripVTControlCharacters(coloured)).toBe(planText(view(face), { colour: false, width: 120 }))
})

/** Each kind of change, names in other scripts, names that look like something else, and names that are too long for a line. */
const changes: readonly Change[] = [
  remove('ENG', 'old', 'member', 'removed', at('teams/eng.yaml:90')),
  remove('ENG', 'twice', 'admin', 'duplicate', at('teams/eng.yaml:91')),
  patch('*', 'all staff', 'member', 'guest', { size: people(4123), ...at('teams/eng.yaml:1', { owner: 'platform-team' }) }),
  settings,
  patch('OPS', 'weird', 'custom-role', 'other-custom', { size: people(1), ...at('teams/ops.yaml:5') }),
  rename('OPS', 'ops-old', 'ops-new', 'guest', 'guest', at('teams/ops.yaml:3')),
  rename('OPS', 'ops-older', 'ops-newer', 'guest', 'admin', at('teams/ops.yaml:4')),
  create('ENG', '開発者グループ', 'member', { size: people(5), ...at('teams/ops.yaml:6') }),
  create('ENG', 'evil\u202Ename\u001B[31m', 'member', at('teams/ops.yaml:7')),
  create('ENG', 'devs → admin  63 people', 'guest', at('teams/ops.yaml:8')),
  create('ENG', 'cn=a group with a very long name, ou=groups, ou=department of redundancy department, dc=example, dc=com', 'member', {
    size: people(7),
    ...at('teams/ops.yaml:9', { reason: 'somebody once said that the audit of the redundancy department needs this' }),
  }),
]

test.each([100, 200])('every kind of change, %i columns', async (width) => {
  await expect(text(view({ changes }), width)).toMatchFileSnapshot(snapshot(`changes-${width}`))
})

const holds: readonly Hold[] = [
  ...many(20, (n) =>
    unsure(
      'ENG',
      `group-${n}`,
      { kind: 'readingIncomplete', of: 'corp', why: 'ldaps://ldap1.example.com: connection refused.' },
      at(`a.yaml:${n}`),
    ),
  ),
  unsure('ENG', 'unknown-1', { kind: 'groupUnknown', directories: ['corp'], mapped: false }, at('a.yaml:30')),
  unsure('ENG', 'unknown-2', { kind: 'groupUnknown', directories: ['corp'], mapped: false }, at('a.yaml:31')),
  unsure('ENG', 'mistyped', { kind: 'groupUnknown', directories: ['corp', 'idp'], near: 'mistypes', mapped: false }, at('a.yaml:32')),
  unsure('ENG', 'gone', { kind: 'groupUnknown', directories: ['corp'], mapped: true }, at('a.yaml:33')),
  unsure('EGN', 'devs', { kind: 'projectUnknown', project: 'EGN', near: 'ENG' }, at('a.yaml:34')),
  unsure('ENG', 'both', { kind: 'ambiguous', places: ['corp: cn=both,ou=a', 'corp: cn=both,ou=b'] }, at('a.yaml:35')),
  held(create('ENG', 'waits', 'member', at('a.yaml:36')), { kind: 'quarantined', since: 'unknownOutcome' }, nowMs + 100_000),
  held(create('ENG', 'undone', 'member', at('a.yaml:37')), { kind: 'flapping', rounds: 3, sinceMs: nowMs - 60_000 }, nowMs + 86_400_000),
  held(settings, { kind: 'approval', why: 'groupSync' }),
  held(create('*', 'bosses', 'admin', at('a.yaml:38')), { kind: 'approval', why: 'allProjectsProtected' }),
  ...many(40, (n) => held(remove('ENG', `nobody-${n}`, 'admin', 'undeclared'), { kind: 'undeclared', policy: 'upsert-only' })),
]
const failing = { ...corp, name: 'idp', status: 'failed', why: 'https://idp.example.com: the certificate has expired' } as const

test.each([100, 200])('what is held, %i columns', async (width) => {
  await expect(text(view({ holds }, { directories: [corp, failing] }), width)).toMatchFileSnapshot(snapshot(`holds-${width}`))
})

test('sets that wait say how much, of what, which setting, the harmless way and which waiver', async () => {
  const deletes = many(30, (n) => remove('ENG', `old-${n}`, 'member', 'removed', at(`t.yaml:${n}`)))
  const leads = remove('workspace', 'it-leads', 'owner', 'removed', { size: people(3), ...at('t.yaml:40') })
  const grants = many(12, (n) => create('OPS', `new-${n}`, n === 7 ? 'admin' : 'member', { allowProtected: true, ...at(`u.yaml:${n}`) }))
  const [setting, none] = ['guards.deletes.count', 'no setting: only an approval lets them pass']
  const sentence = '30 deletes (30 % of 100 owned mappings); guards.deletes.count allows 10'
  const last = 'it-leads has the last mapping to a workspace administrator role; without it no group gives that role'
  const beside = '12 grants beside deletes that wait: they may belong together'
  const whole = view({
    holds: [
      ...inSet(deletes, { name: 'deletes', count: 30, limit: 10, owned: 100, setting, sentence }),
      ...inSet(grants, { name: 'beside', count: 12, limit: 10, setting: none, sentence: beside }),
      ...inSet([leads], { name: 'lastAdministrator', count: 1, limit: 0, setting: none, sentence: last }),
      ...(face.holds ?? []),
    ],
  })
  await expect(text(whole, 100)).toMatchFileSnapshot(snapshot('over-limits-100'))
})

test.each([60, 100, 200])('everything, %i columns', async (width) => {
  await expect(text(view(everything, troubledWorld), width)).toMatchFileSnapshot(snapshot(`everything-${width}`))
})

test('everything in colour', async () => {
  const coloured = planText(view(everything, { ...troubledWorld, moved: true }), { colour: true, width: 120 })
  await expect(`${coloured.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot(snapshot('everything-colour'))
})

test('the world on one line, where all is well and there is room', () => {
  const seen = (width: number, more: Partial<View> = {}) => header(view({}, more), canvasOf({ colour: true, width }, nowMs)).slice(1)
  const plane = 'Plane: group sync on · claim "groups" · auto-remove off · offline sync every 2 h'
  const whole = `${plane}     corp: complete, 1,912 groups, 40 s ago`
  expect(seen(whole.length)).toEqual([`\u001B[2m${whole}\u001B[0m`])
  expect(seen(whole.length - 1)).toHaveLength(2)
  const hr = { ...corp, name: 'hr', status: 'partial' } as const
  expect(seen(300, { directories: [corp, hr] })).toEqual([
    `\u001B[2m${plane}\u001B[0m`,
    '\u001B[2mcorp: complete, 1,912 groups, 40 s ago\u001B[0m',
    '\u001B[1;31mhr: partial, 40 s ago\u001B[0m',
  ])
  const { groupSync: _, ...unread } = about
  expect(seen(300, { about: unread })).toEqual(['\u001B[2mcorp: complete, 1,912 groups, 40 s ago\u001B[0m'])
  const refused = { ...unread, groupSyncUnread: 'the group-sync settings cannot be read: the service forbids this (403: \u202e)' }
  expect(seen(300, { about: refused })[0]).toBe(
    '\u001B[1;31mthe group-sync settings cannot be read: the service forbids this (403: \\u{202e})\u001B[0m',
  )
  expect(seen(300, { about: { ...unread, suspend: true }, directories: [] })).toEqual(['\u001B[33mSuspended: nothing is written.\u001B[0m'])
})

test('complete directories stand on the last of several first lines, if they fit there', () => {
  const { groupSync: _, ...unread } = about
  const first = (width: number, directories: View['directories']) =>
    header(view({}, { about: unread, directories }), canvasOf({ colour: false, width }, nowMs))
  const alone = first(80, [])
  const last = alone.at(-1) ?? ''
  const whole = ' · corp: complete, 1,912 groups, 40 s ago'
  expect(alone).toHaveLength(2)
  expect(first(80, [corp])).toEqual([...alone.slice(0, -1), `${last}${whole}`])
  expect(first(80, [{ ...corp, name: 'c'.repeat(80 - last.length) }]).slice(0, 2)).toEqual(alone)
  expect(first(80, [{ ...corp, status: 'partial' }])).toEqual([...alone, 'corp: partial, 40 s ago'])
})

test('what stops or weakens a plan has lines of its own, and nothing has an empty line', () => {
  const lines = (more: Partial<View>) => troubleLines(view({}, more), canvasOf({ colour: true, width: 60 }, nowMs))
  expect(lines({})).toEqual([])
  expect(lines({ about: { ...about, suspend: 'grants' } })).toEqual([
    '\u001B[33mGrants are suspended: only what takes rights away is\u001B[0m',
    '\u001B[33mwritten.\u001B[0m',
  ])
  expect(lines({ declaration: { ...view().declaration, kept: 'a mistake', keptFiles: [{ file: 'groups.yaml', isUsed: true }] } })).toEqual([
    '\u001B[1;31mInvalid: groups.yaml. The last valid text stays in use: a\u001B[0m',
    '\u001B[1;31mmistake\u001B[0m',
  ])
})

const coloured = (lines: readonly string[]) => lines.map((line) => line.replaceAll('\u001B', '␛'))
const narrow = canvasOf({ colour: true, width: 40 }, nowMs)

test('a set has a title in narrow lines, and no setting if its limit has none', () => {
  const lines = (setting: string) =>
    waitingLines(
      inSet([create('ENG', 'a', 'guest')], { ...sixDeletes, sentence: '30 deletes; 10 are allowed', setting }),
      'x',
      view(),
      narrow,
    )
  expect(coloured(lines('guards.deletes.count')).map((line) => line.replace(/[0-9a-f]{32}/, 'ID'))).toEqual([
    '␛[1mx␛[0m',
    '  ␛[35mlimit deletes: 30 deletes; 10 are␛[0m',
    '    ␛[35mallowed␛[0m',
    '␛[2m      if lines or a file are gone by␛[0m',
    '␛[2m      mistake, restore them · or, if the␛[0m',
    '␛[2m      limit is wrong, change␛[0m',
    '␛[2m      guards.deletes.count␛[0m',
    '␛[2m      to approve exactly this change:␛[0m',
    '␛[2m      --allow␛[0m',
    '␛[2m      ID␛[0m',
    '  ␛[35m!␛[0m ENG  a → guest',
  ])
  expect(lines('none').join(' ')).not.toContain('limit is wrong')
})

test('waivers, the first ten and the first five names of each', () => {
  const waiver = (ids: readonly string[], untilMs: number) => ({ ids, by: 'jo', untilMs, source: '--allow' })
  const waived = (...of: readonly ReturnType<typeof waiver>[]) =>
    coloured(approvedLines({ plan: plan({}) as ApprovedPlan, waived: of }, canvasOf({ colour: true, width: 200 }, nowMs)))
  const names = ['1', '2', '3', '4', '5']
  expect(waived(waiver(names, Number.POSITIVE_INFINITY), waiver([...names, '6'], nowMs + 60_000))).toEqual([
    '␛[33mApproved by jo: 1, 2, 3, 4, 5 (--allow)␛[0m',
    '␛[33mApproved by jo: 1, 2, 3, 4, 5, … (--allow, until 02:15:30 UTC (in 1 min))␛[0m',
  ])
  expect(waived(...many(11, () => waiver(names, nowMs)))).toHaveLength(10)
})

test('of a set that was approved, its ID is shown, and how many changes passed; a single change has its own ID', () => {
  const gone = many(3, (n) => remove('ENG', `old-${n}`, 'guest', 'removed'))
  const ids = gone.map(({ id }) => id)
  const shown = (...names: readonly string[]) => {
    const waived = [{ ids: names, by: 'jo', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
    return text(view({}, { judged: { plan: plan({ changes: gone }) as ApprovedPlan, waived } }), 300)
      .split('\n')
      .find((line) => line.startsWith('Approved'))
  }
  expect(shown('a-set', ...ids)).toBe('Approved by jo: a-set for 3 changes (--allow)')
  expect(shown('a-set', ...ids.slice(1), `${ids[0]}:160`)).toBe('Approved by jo: a-set for 3 changes (--allow)')
  expect(shown(...ids.slice(0, 2))).toBe(`Approved by jo: ${ids[0]}, ${ids[1]} (--allow)`)
})

test('findings, in narrow lines and no more than there is room for', () => {
  const finding = (n: number) =>
    ({ code: 'duplicate-mapping', severity: 'error', place: `a.yaml:${n}`, sentence: 'two of one name are too many' }) as const
  expect(
    coloured(
      findingLines(many(32, finding), narrow)
        .slice(0, 5)
        .concat(findingLines(many(32, finding), narrow).slice(-1)),
    ),
  ).toEqual([
    '␛[1mFindings (32)␛[0m',
    '  ␛[31merror duplicate-mapping: two of one␛[0m',
    '    name are too many · a.yaml:0',
    '  ␛[31merror duplicate-mapping: two of one␛[0m',
    '    name are too many · a.yaml:1',
    '  ␛[2m… and 2 more (--all shows each)␛[0m',
  ])
})

test('holds of one cure stand together, and say each its own reason', async () => {
  const unknown = (n: number, near?: string) =>
    unsure('ENG', `group-${n}`, { kind: 'groupUnknown', directories: [n % 2 === 0 ? 'corp' : 'idp'], mapped: false, ...(near && { near }) })
  const kinds = ['near-a', 'near-b', 'near-c'].flatMap((near, kind) => many(13, (n) => unknown(10 + 20 * kind + n, near)))
  const all = [...kinds, unknown(80, 'near-d'), unknown(81, 'near-d'), unknown(82, 'near-e')]
  const shown = planText(view({ ...face, holds: all }, { directories: [] }), { colour: true, width: 100 })
  await expect(`${shown.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot(snapshot('bounded-colour'))
})

test('more changes than there is room for, in colour', () => {
  const lines = planText(view({ changes: many(61, (n) => create('ENG', `g-${n}`, 'member')) }), { colour: true, width: 100 }).split('\n')
  expect(lines).toContain('\u001B[1mWill be applied (61)\u001B[0m, 2 in rows for several groups (--all shows each)')
})

test('the last line has the colour of what it says', () => {
  const last = (of: View) => coloured(planText(of, { colour: true, width: 200 }).split('\n')).at(-1)
  expect(last(view({ holds: inSet([create('ENG', 'a', 'guest')], sixDeletes) }))).toMatch(/^␛\[33mnothing to write now: 1 needs approval/)
  expect(last(view(face, { moved: true }))).toMatch(/^␛\[1;31mStale/)
  expect(last(view({ holds: [held(settings, { kind: 'suspended', what: 'all' })] }))).toMatch(/^␛\[33mnothing to write now/)
  expect(last(view())).toMatch(/^␛\[32min sync/)
  expect(last(view({ holds: [unsure('ENG', 'g', { kind: 'unsafeName', what: 'it is empty' })] }))).toMatch(
    /^␛\[33mnothing to write: 1 held/,
  )
  expect(last(view(face))).toMatch(/^␛\[1m2 create/)
})

test('what could not be read whole keeps a plan from being in sync, another finding does not', () => {
  const standing = (code: FindingCode) =>
    standingOf(view({ findings: [{ code, severity: 'warning', place: 'corp', sentence: 'it was cut off' }] }))
  expect([standing('reading-incomplete'), standing('file-invalid'), standing('group-renamed')]).toEqual(['waits', 'waits', 'inSync'])
})

test('in sync is short, but says why something is held', async () => {
  const settled = holds.filter(({ reason }) => reason.kind === 'groupUnknown' || reason.kind === 'undeclared')
  await expect([text(view()), text(view({ holds: settled }))].join('\n')).toMatchFileSnapshot(snapshot('in-sync'))
})

test('in sync is not said where a key could not be judged, or where a change only waits', () => {
  const last = (of: readonly Hold[]) =>
    text(view({ holds: of }))
      .trimEnd()
      .split('\n')
      .at(-1)
  expect(last([unsure('ENG', 'g', { kind: 'readingIncomplete', of: 'corp', why: 'down' })])).toBe(
    'nothing to write now: 1 held, 146 unchanged',
  )
  expect(last([held(create('ENG', 'g', 'member'), { kind: 'suspended', what: 'all' })])).toBe('nothing to write now: 1 held, 146 unchanged')
  expect(last([unsure('ENG', 'g', { kind: 'unsafeName', what: 'it is empty' })])).toBe('nothing to write: 1 held, 146 unchanged')
})

test('long lists are bounded', () => {
  const lines = text(view({ changes: many(500, (n) => create('ENG', `g-${n}`, 'member')) })).split('\n')
  expect(lines.length).toBeLessThan(70)
  expect(lines).toContain('Will be applied (500), 441 in rows for several groups (--all shows each)')
})

test('of an invalid declaration, a plan names the first mistakes', () => {
  const mistake = (line: number) => `a.yaml:${line}:1: unknown key "x"\n  ${line} | x: 1\n    | ^\n    Allowed here: version`
  const declaration = (lines: readonly number[]) => ({
    hash: 'abcdef0123',
    files: 1,
    kept: lines.map(mistake).join('\n\n'),
    keptFiles: [{ file: 'groups.yaml', isUsed: true }],
  })
  const told = (lines: readonly number[]) =>
    text(view({}, { declaration: declaration(lines) }), 500)
      .split('\n')
      .find((line) => line.startsWith('Invalid: '))
  const start = 'Invalid: groups.yaml. The last valid text stays in use: a.yaml:1:1: unknown key "x"'
  const end = '; plane-group-sync validate shows what to correct'
  expect([told([1]), told([1, 2, 3]), told([1, 2, 3, 4])]).toEqual([
    `${start}${end}`,
    `${start}; a.yaml:2:1: unknown key "x"; a.yaml:3:1: unknown key "x"${end}`,
    `${start}; a.yaml:2:1: unknown key "x"; a.yaml:3:1: unknown key "x"; and 1 more${end}`,
  ])
})

test('a suspended workspace, a kept declaration and another slug are said at once', async () => {
  const whole = view(
    {},
    {
      about: { ...about, slug: 'acme-stg', suspend: 'grants' },
      declaration: {
        hash: 'abcdef0123',
        files: 1,
        kept: 'groups.yaml:14:9: unknown key "grops"',
        keptFiles: [{ file: 'groups.yaml', isUsed: true }],
      },
      judged: {
        plan: plan({}) as ApprovedPlan,
        waived: [{ ids: ['1047bc07'], by: 'jo', untilMs: nowMs + 60_000, source: '--allow' }],
      },
      moved: true,
    },
  )
  await expect(text(whole)).toMatchFileSnapshot(snapshot('unusual'))
})
