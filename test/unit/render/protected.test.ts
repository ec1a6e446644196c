import { expect, test } from 'vitest'
import type { Applied } from '../../../src/core/report.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { at, create, held, inSet, nowMs, patch, remove, settings, view } from './sample.ts'

const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))
const text = (of: View, width = 80) => `${plansText([of], { colour: false, width })}\n`
/** The lines between the header and the last ones. */
function body(of: View, width = 80): readonly string[] {
  const lines = text(of, width).split('\n')
  const end = lines.findIndex((line) => /^(Takes |nothing to write)/.test(line))
  return lines.slice(lines.findIndex((line) => line.includes('corp: complete')) + 1, end)
}
/** A long text without its middle. */
function ends(whole: string, first: number, last: number): string {
  const lines = whole.trimEnd().split('\n')
  return `${[...lines.slice(0, first), '⋮', ...lines.slice(-last)].join('\n')}\n`
}
const snapshot = (name: string) => `./snapshots/${name}`

const projects = ['API', 'PAY', 'WEB', ...many(122, (n) => `P${n}`)]
const guests = projects.map((project) => create(project, 'auditors', 'guest', { size: people(4), ...at('teams/audit.yaml:7') }))
const allowed = { allowProtected: true, ...at('teams/zz.yaml:6', { owner: 'team-web' }) }
const admin = create('WEB4', 'contractors-all', 'admin', { size: people(160), ...allowed })

/** The protected grant is the last change, and the one that a reviewer must see. */
const buried = view({ changes: [...guests, admin] })

test('one protected grant among many others comes first, as text', async () => {
  await expect(text(buried)).toMatchFileSnapshot(snapshot('protected-80.txt'))
  expect(text(buried)).toMatch(
    /1 protected role, approved in the file \(allowProtected\); will be applied\n {2}‼ WEB4 {2}contractors-all → admin.*\nWill be applied \(125\)/,
  )
})

test('one protected grant among many others comes first, as Markdown', async () => {
  await expect(`${planMarkdown([buried])}\n`).toMatchFileSnapshot(snapshot('protected.md'))
  expect(planMarkdown([buried])).toMatch(/\|---\|\n\| ‼ \| `WEB4` \| `contractors-all` \| `→ admin`/)
})

/** More grants than a format has room for, with every kind of target. */
const admins = [
  ...many(90, (n) => create('workspace', `leads-${n}`, 'admin', { size: people(n), ...at(`teams/a.yaml:${n}`) })),
  ...many(30, (n) => create('*', `staff-${n}`, 'owner', at(`teams/b.yaml:${n}`))),
  ...many(40, (n) => create(`P${n}`, `team-${n % 8}`, 'admin', { size: people(10), ...at(`teams/c.yaml:${n}`) })),
]
const waiting = admins.map((change) => held(change, { kind: 'approval', why: 'protectedRole' }))
const flood = { name: 'creates', count: 300, limit: 200, setting: 'guards.creates.count' } as const
const flooded = inSet(
  many(70, (n) => create('ENG', `new-${n}`, n === 60 ? 'admin' : 'guest')),
  { ...flood, sentence: '300 creates; guards.creates.count allows 200' },
)

test('more protected grants than there is room for: the others share rows by target and role, with groups and people', async () => {
  await expect(ends(text(view({ changes: [...guests, ...admins] })), 7, 12)).toMatchFileSnapshot(snapshot('protected-many-80.txt'))
})

test('more that needs approval than there is room for: shared rows say the name with which all of it passes', async () => {
  await expect(ends(text(view({ changes: guests, holds: [...waiting, ...flooded] }), 100), 7, 16)).toMatchFileSnapshot(
    snapshot('waiting-many-100.txt'),
  )
})

const hostile = <T extends (typeof admins)[number]>(change: T): T => ({
  ...change,
  because: { at: { file: '`'.repeat(300), line: 1, column: 1 } },
})

test('more than a comment has room for', async () => {
  const whole = planMarkdown([
    view({ changes: admins.map(hostile), holds: waiting.map((hold) => ({ ...hold, change: hostile(hold.change ?? admin) })) }),
  ])
  expect(whole.length).toBeLessThan(60_000)
  const shared = whole.split('\n').filter((line) => / groups|in rows for/.test(line))
  await expect(`${shared.join('\n')}\n`).toMatchFileSnapshot(snapshot('protected-totals.md'))
})

test('protected grants come by reach: target, then people, of whom an unknown number is the most', () => {
  const of = (where: string, group: string, n?: number) => create(where, group, 'admin', n === undefined ? {} : { size: people(n) })
  const changes = [
    of('B', 'b', 5),
    of('*', 'c', 1),
    of('A', 'a', 7),
    of('workspace', 'd', 2),
    of('A', 'u'),
    of('workspace', 'e', 3),
    of('C', 'v'),
  ]
  const rows = body(view({ changes })).flatMap((line) => /‼ .*?([a-z]) → admin/.exec(line)?.[1] ?? [])
  expect(rows.join('')).toBe('edcuvab')
})

test('settings are never cut either: they come after protected grants', () => {
  const others = many(61, (n) => create('ENG', `g-${n}`, 'member'))
  const rows = body(view({ changes: [...others, settings, admin] }), 120)
  expect(rows).toEqual([
    '1 protected role, approved in the file (allowProtected); will be applied',
    expect.stringContaining('‼ WEB4'),
    'Will be applied (62), 3 in rows for several groups (--all shows each)',
    expect.stringContaining('⚙ settings'),
    ...many(58, () => expect.stringMatching(/^ {2}\+ ENG/)),
    '  + 3 groups: g-58, g-59, g-60 → member  in ENG  3 changes',
  ])
})

test('one rule for one group is one row; another role, group, reason or line is another, and so is a duplicate', () => {
  const of = (project: string, group: string, role: string, line: string, reason?: string) =>
    create(project, group, role, at(`a.yaml:${line}`, reason === undefined ? {} : { reason }))
  const changes = [
    ...[of('A', 'devs', 'guest', '1'), of('B', 'devs', 'guest', '1'), of('B', 'devs', 'member', '1'), of('C', 'ops', 'guest', '1')],
    ...[
      of('D', 'devs', 'guest', '2'),
      of('E', 'devs', 'guest', '2', 'why'),
      of('C', 'devs', 'guest', '1'),
      of('workspace', 'devs', 'guest', '1'),
    ],
    ...['m1', 'm2'].map(() => remove('A', 'twice', 'guest', 'duplicate')),
  ]
  expect(body(view({ changes }), 120).map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual([
    'Will be applied (10)',
    '- A twice = guest duplicate',
    '- A twice = guest duplicate',
    '+ workspace devs → guest a.yaml:1',
    '+ devs → guest in 3 projects: A, B, C a.yaml:1',
    '+ B devs → member a.yaml:1',
    '+ C ops → guest a.yaml:1',
    '+ D devs → guest a.yaml:2',
    '+ E devs → guest "why" a.yaml:2',
  ])
})

test('a protected row names all its projects, up to a thousand characters; others as many as stay on the line', () => {
  const grants = (n: number) => projects.slice(0, n).map((project) => create(project, 'leads', 'admin', { size: people(2), ...allowed }))
  expect(body(view({ changes: grants(3) }), 120)[1]).toBe(
    '  ‼ leads → admin  in 3 projects: API, PAY, WEB  2 people  teams/zz.yaml:6 · team-web',
  )
  const [, row, ...names] = body(view({ changes: grants(60) }), 120)
  expect(row).toBe('  ‼ leads → admin  in 60 projects  2 people  teams/zz.yaml:6 · team-web')
  expect(names.join(' ').replaceAll(/ +/g, ' ')).toBe(` ${projects.slice(0, 60).join(', ')}`)
  const long = many(300, (n) => create(`P${n}`, 'leads', 'admin', allowed))
  expect(text(view({ changes: long }))).toContain(' … (--all shows each)')
  expect(text(view({ changes: long }))).toContain('‼ leads → admin  in 300 projects')
})

test('what waits in several projects passes with the name of the plan, one alone with its own', () => {
  const why = { kind: 'approval', why: 'protectedRole' } as const
  const several = ['A', 'B'].map((project) => held(create(project, 'leads', 'admin'), why))
  const one = held(create('A', 'ops', 'admin'), why)
  const whole = view({ holds: [...several, one] })
  const name = whole.judged.plan.fingerprint.slice(0, 32)
  expect(body(whole, 200)).toEqual([
    '3 changes need approval',
    '  ‼ leads → admin  in 2 projects: A, B  protected role',
    `      to approve all 3 protected changes: --allow ${name} · or in the file: allowProtected: true`,
    '  ‼ A  ops → admin  protected role',
    `      to approve this change: --allow ${one.change?.id} · or in the file: allowProtected: true`,
  ])
})

test('a protected grant that is held is first in its section, and counted there', () => {
  const startUp = { kind: 'quarantined', since: 'startUp' } as const
  const holds = [...guests, admin].map((change) => held(change, startUp, nowMs + 60_000))
  const whole = view({ holds })
  expect(body(whole, 100).slice(0, 2)).toEqual(['Held (126)', expect.stringMatching(/^ {2}‼ WEB4 {2}contractors-all → admin/)])
  expect(text(whole, 100)).toContain('nothing to write now: 126 held (1 protected), 146 unchanged')
  expect(planMarkdown([whole])).toMatch(/<details open><summary>Held \(126\)<\/summary>\n\n.*\n.*\n\| ‼ \| `WEB4`/)
})

const done = { kind: 'done' } as const
const no = (n: number) => ({ kind: 'refused', status: 400, code: 'rejected', sentence: `No ${n}.` }) as const
const troubled: Applied = {
  results: [
    ...[...guests, admin].map((change) => ({ change, outcome: done })),
    ...many(70, (n) => ({ change: patch('ENG', `r-${n}`, 'guest', 'member'), outcome: no(n) })),
  ],
  holds: [held(create('OPS', 'stopped', 'admin', { size: people(3) }), { kind: 'suspended', what: 'grants' })],
  left: [...many(13, (n) => create('OPS', `left-${n}`, 'guest')), create('OPS', 'left-leads', 'admin')],
  stopped: 'unreachable',
}
const startUpHold = held(create('workspace', 'quarantined', 'owner'), { kind: 'quarantined', since: 'startUp' })
const sentence = 'all 30 project mappings would be deleted, and none would be left'
const emptied = inSet(
  many(30, (n) => remove('OPS', `old-${n}`, 'guest', 'removed')),
  { name: 'emptiesList', count: 30, limit: 29, setting: 'none', sentence },
)
/** The report of an apply with every kind of outcome. */
const half = view(
  { holds: [startUpHold, held(guests[0] ?? admin, { kind: 'suspended', what: 'grants' }), ...waiting.slice(0, 2), ...emptied] },
  { applied: troubled },
)

test('the report of an apply leaves nothing out either', async () => {
  await expect(ends(text(half, 100), 6, 52)).toMatchFileSnapshot(snapshot('applied-half-100.txt'))
  await expect(ends(planMarkdown([half]), 5, 70)).toMatchFileSnapshot(snapshot('applied-half.md'))
})

test('workspaces that have no room: what may not be left out is counted over all of them, the limits that they exceed too', async () => {
  const long = many(40, (n) => create(`P${n}`, '`'.repeat(250) + String(n), 'admin', allowed))
  const calm = many(30, () => view())
  const whole = planMarkdown([
    ...calm,
    ...many(20, () => view({ changes: long })),
    ...many(9, () => half),
    { about: half.about, failed: '403' },
  ])
  expect(whole.length).toBeLessThan(60_000)
  const rest = whole.slice(whole.search(/… and \d+ more workspaces/))
  await expect(`${rest}\n`).toMatchFileSnapshot(snapshot('rest.md'))
  // There is room for workspaces in sync, but workspaces that need a person come first.
  expect(whole).toMatch(/^### `acme`: 126 of 211 written/m)
  expect(whole).not.toMatch(/^### .*in sync/m)
})
