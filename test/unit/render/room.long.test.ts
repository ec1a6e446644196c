import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/core/finding.ts'
import { changeEntry, type PlanEntry } from '../../../src/render/entry.ts'
import { moreWorkspaces, planMarkdown } from '../../../src/render/markdown.ts'
import { appliedSections } from '../../../src/render/markdownSections.ts'
import { changeColumns, entryTable } from '../../../src/render/markdownTable.ts'
import { isProtectedEntry } from '../../../src/render/rows.ts'
import type { FailedView } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { about, at, corp, create, face, held, inSet, settings, sixDeletes, view } from './sample.ts'

const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))
const whole = 60_000
const lengthOf = (rows: readonly string[]) => rows.reduce((sum, row) => sum + row.length + 1, 0)
const rowsOf = (markdown: string) => markdown.split('\n').filter((row) => /^\| .* \|$/.test(row) && !row.startsWith('|  | '))

describe('a table has room up to the last character', () => {
  /** The grants have equal lengths, so that 20 of them need more than the least room. */
  const grants = many(20, (n) =>
    changeEntry(create('ENG', `leads-${10 + n}`, 'admin', at(`departments/platform/teams/leads-${10 + n}.yaml:1`)), about.roles),
  )
  const guest = changeEntry(create('ENG', 'guests', 'guest', at('teams/guests.yaml:1')), about.roles)
  const rows = (entries: readonly PlanEntry[], room: number) => rowsOf(entryTable(entries, changeColumns, isProtectedEntry, room))
  const shown = (entries: readonly PlanEntry[], room: number) => {
    const of = rows(entries, room)
    return { grants: of.filter((row) => row.includes('leads-')).length, guests: of.filter((row) => row.includes('guests')).length }
  }
  const all = lengthOf(rows(grants, whole))
  const ofGuest = lengthOf(rows([guest], whole))

  test('for what may not be left out: a row each, else shared rows', () => {
    expect(all).toBeGreaterThan(1500)
    expect(rows(grants, all)).toHaveLength(20)
    const folded = rows(grants, all - 1)
    expect(folded.at(-1)).toContain('2 groups')
    expect(folded).toHaveLength(19)
  })
  test('for the others, in the room that what may not be left out leaves', () => {
    expect(shown([...grants, guest], all + ofGuest)).toEqual({ grants: 20, guests: 1 })
    expect(shown([...grants, guest], all + ofGuest - 1)).toEqual({ grants: 19, guests: 1 })
  })
  test('of what may not be left out for a few rows, however little there is', () => {
    const few = grants.slice(0, 8)
    expect(lengthOf(rows(few, whole))).toBeLessThan(1500)
    expect(shown([...few, guest], 0)).toEqual({ grants: 8, guests: 1 })
    expect(rows(grants, 0).length).toBeLessThan(20)
    expect(rows([guest], 0)).toEqual([])
  })
  test('counts below it what is in no row, and what shares one', () => {
    const table = (room: number) =>
      entryTable([...many(9, () => guest)], changeColumns, () => false, room)
        .split('\n')
        .slice(-1)
    expect(table(10)).toEqual(['… and 9 more (9 create; `--format text --all` shows each)'])
    expect(entryTable(grants, changeColumns, isProtectedEntry, 0).split('\n').at(-1)).toMatch(
      /^\d+ in rows for several groups \(`--format text --all` shows each\)$/,
    )
  })
  test('a row says its places in up to sixty characters; where it may not be left out, all of them stand below the table', () => {
    const projects = many(30, (n) => `P${10 + n}`)
    const of = (role: string) => projects.map((project) => changeEntry(create(project, 'devs', role, at('a.yaml:1')), about.roles))
    expect(rows(of('guest'), whole)[0]).toContain(`30 projects: \`${projects.slice(0, 12).join(', ')} …\``)
    const table = (role: string) => entryTable(of(role), changeColumns, isProtectedEntry, whole)
    expect(table('admin')).toContain(`30 projects: \`${projects.slice(0, 12).join(', ')} …\``)
    expect(table('admin').split('\n\n').slice(1)).toEqual([`30 projects of \`devs\`, \`→ admin\`: \`${projects.join(', ')}\``])
    expect(table('guest').split('\n\n')).toHaveLength(1)
  })
})

describe('a comment has room', () => {
  /** A part of `length` characters. */
  const failed = (length: number, more: Partial<FailedView['about']> = {}): FailedView => {
    const empty = planMarkdown([{ about, failed: '' }]).length
    return { about: { ...about, ...more }, failed: 'f'.repeat(length - empty) }
  }
  /** The length of the first line, which sums up all workspaces. */
  const totalsOfAll = (views: Parameters<typeof planMarkdown>[0]) => planMarkdown(views).indexOf('\n\n')
  const parts = (markdown: string) => markdown.match(/^### /gm)?.length ?? 0

  test('for as many workspaces as fit, up to the last character', () => {
    const views = many(59, () => failed(997))
    const left = whole - totalsOfAll([...views, failed(997)]) - 59 * 999 - 2
    expect(planMarkdown([...views, failed(left)])).not.toContain('more workspace')
    expect(parts(planMarkdown([...views, failed(left + 1)]))).toBeLessThan(60)
  })
  test('beside the line of the workspaces in sync', () => {
    const views = [...many(59, () => failed(997)), view()]
    const [totals = '', ...rest] = planMarkdown(views).split('\n\n')
    const left = whole - totals.length - 2 - (rest.at(-1) ?? '').length - 59 * 999 - 2
    expect(planMarkdown([...views, failed(left)])).not.toContain('more workspace')
    expect(planMarkdown([...views, failed(left)]).length).toBe(whole)
    expect(planMarkdown([...views, failed(left + 1)])).toContain('more workspace')
  })
  test('for what is counted of the others: more where something may not be left out', () => {
    expect(parts(planMarkdown(many(61, () => failed(998))))).toBe(47)
    const calm = view({ changes: [create('ENG', 'devs', 'guest')] })
    const length = planMarkdown([calm]).length + 2
    const all = many(500, () => calm)
    expect(parts(planMarkdown(all))).toBe(Math.floor((whole - 2_000 - totalsOfAll(all)) / length))
  })
  test.each([
    [1, whole],
    [2, whole / 2],
    [20, whole / 20],
    [30, whole / 20],
  ])('that %d workspaces share alike', (views, room) => {
    const changes = many(views > 2 ? 300 : 1_000, (n) => create('ENG', `group-${n}`, 'guest', at(`teams/group-${n}.yaml:1`)))
    const [, first = ''] = planMarkdown(many(views, () => view({ changes }))).split('### ')
    const length = lengthOf(rowsOf(first))
    expect(length).toBeLessThanOrEqual(room)
    expect(length).toBeGreaterThan(room / 2 - 200)
  })
  test('for findings: of a workspace in a small part of its share, up to the last character', () => {
    const finding: Finding = { code: 'group-renamed', severity: 'info', place: 'a.yaml', sentence: '' }
    const withRows = (length: number, n = 50) => {
      const empty = lengthOf(rowsOf(planMarkdown([view({ findings: [finding] })])))
      return planMarkdown([view({ findings: many(n, (index) => ({ ...finding, sentence: String(index).padStart(length - empty, 's') })) })])
    }
    const shown = (markdown: string) => rowsOf(markdown).length
    const rows = shown(withRows(100, 2_000))
    expect(rows).toBeGreaterThanOrEqual(36)
    expect(withRows(100, 2_000).length).toBeLessThanOrEqual(whole)
    expect(withRows(100, 2_000)).toContain('<summary>Findings (2,000)</summary>')
    expect(withRows(100, 2_000)).toContain(`\n\n… and ${(2_000 - rows).toLocaleString('en')} more (\`--format text --all\` shows each)`)
    expect(shown(withRows(120, 2_000))).toBeLessThan(rows)
    expect(shown(withRows(100, 36))).toBe(36)
    expect(withRows(100, 36)).not.toContain('more (`--format json`')
  })
  test('for findings about the schedule: in what the workspaces leave', () => {
    const views = many(58, (n) => failed(998, { credential: `key-${n}`, intervalMs: 1, quietCalls: 99 }))
    const markdown = planMarkdown(views)
    expect(parts(markdown)).toBe(58)
    expect(rowsOf(markdown).length).toBeGreaterThan(3)
    expect(lengthOf(rowsOf(markdown))).toBeLessThanOrEqual(whole - 58 * 1_000 + 2)
    expect(rowsOf(planMarkdown(views.slice(0, 10)))).toHaveLength(10)
  })
})

test('a comment says what to do next only where something is left to do', () => {
  const done = { change: create('ENG', 'devs', 'guest'), outcome: { kind: 'done' } } as const
  const ends = (left: readonly (typeof done.change)[]) =>
    appliedSections({ ...view(), applied: { results: [done], holds: [], left } }, whole).map((section) => section.slice(0, 8))
  expect(ends([])).toEqual(['**Writte', '|  | tar'])
  expect(ends([done.change])).toEqual(['**Not tr', '|  | tar', '**Writte', '|  | tar', 'Next: do'])
})

test('a comment says why nothing is written', () => {
  const cautions = (markdown: string) => markdown.split('\n').filter((row) => row.startsWith('>'))
  expect(cautions(planMarkdown([view(face)]))).toEqual([])
  expect(cautions(planMarkdown([view(face, { moved: true })]))).toHaveLength(2)
})

test('a comment says for which limit a set waits, in at most 500 characters', () => {
  const long = inSet([create('ENG', 'devs', 'guest')], { ...sixDeletes, sentence: 's'.repeat(1_001) })
  expect(planMarkdown([view({ holds: long })]).split('\n')).toContain(`**Limit deletes:** ${'s'.repeat(499)}…`)
})

test('a comment ends with the plan, the place, the declaration, the policy and ten directories', () => {
  const directories = many(11, (n) => ({ ...corp, name: `dir-${n}`, why: 'w'.repeat(300) }))
  const footer = planMarkdown([view(face, { directories })]).split('<sub>')[1] ?? ''
  const [plan, place, declaration, policy, ...seen] = footer.replace('</sub>', '').split(' · ')
  expect(plan).toBe(`plan \`${view(face).judged.plan.fingerprint.slice(0, 8)}\``)
  expect(place).toBe('acme at plane.example.com')
  expect(declaration).toMatch(/^declaration `[0-9a-f]{7}` \(14 files\)$/)
  expect(policy).toBe('policy sync')
  expect(seen).toHaveLength(10)
  for (const one of seen) expect(one.replaceAll(':', ':')).toHaveLength(200)
})

describe('workspaces that have no room', () => {
  const grants = (workspace: string, n: number) =>
    many(n, (index) => create('ENG', `g${index}`, `role-${index}`, { size: people(2), ...at(`${workspace}:${index}`) }))
  const of = (workspace: string, n: number) =>
    view({ changes: grants(workspace, n) }, { about: { ...about, workspace: workspace as typeof about.workspace } })

  test('are counted, and nothing more where nothing may not be left out', () => {
    const guests = view({ changes: [create('ENG', 'devs', 'guest')] })
    expect(moreWorkspaces([guests, view()], whole).split('\n\n')).toEqual([
      '… and 2 more workspaces (`--format text` shows all)',
      '2 workspaces: 1 with changes, 1 in sync · 1 create, 0 raise, 0 lower, 0 delete · 292 unchanged',
    ])
  })
  test('say which limits they exceed, by name', () => {
    const set = (name: 'deletes' | 'raises') => inSet([create('ENG', name, 'guest')], { ...sixDeletes, name })
    const views = [view({ holds: [...set('deletes'), ...set('raises')] }), view({ holds: set('deletes') }), view()]
    expect(moreWorkspaces(views, whole).split('\n\n')[2]).toBe(
      '- above the limit deletes: 2 sets of changes\n- above the limit raises: 1 set of changes',
    )
  })
  test('have rows, each of its own workspace, without a cure', () => {
    const views = [of('acme', 1), of('other', 1), { about, failed: 'no' }]
    expect(rowsOf(moreWorkspaces(views, whole))).toEqual([
      '| ‼ | `acme/ENG` | `g0` | `→ role-0` | 2 people | will be applied | `acme:0` |',
      '| ‼ | `other/ENG` | `g0` | `→ role-0` | 2 people | will be applied | `other:0` |',
    ])
  })
  test('have rows of settings as well', () => {
    const waits = view({ holds: [held(settings, { kind: 'approval', why: 'groupSync' })] })
    const [row = '', ...more] = rowsOf(moreWorkspaces([waits], whole))
    expect(more).toEqual([])
    expect(row).toMatch(/^\| ! \| `acme\/settings` \|/)
  })
  test('have shared rows where there is less room', () => {
    const views = [of('acme', 200)]
    expect(rowsOf(moreWorkspaces(views, whole))).toHaveLength(200)
    const little = moreWorkspaces(views, 6_000)
    expect(little.length).toBeLessThan(6_000)
    expect(little).toMatch(/in rows for several groups \(`--format text --all` shows each\)/)
  })
})
