import { describe, expect, test } from 'vitest'
import type { MappingId, WorkspaceName } from '../../../src/core/mapping.ts'
import type { UnchangedMapping } from '../../../src/core/plan.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import type { View } from '../../../src/render/view.ts'
import { longTest } from '../../long.ts'
import { about, at, corp, create, everything, face, held, inSet, nowMs, remove, sixDeletes, troubledWorld, unsure, view } from './sample.ts'

const snapshot = (name: string) => `./snapshots/${name}.md`

test('the face as a comment on a pull request', async () => {
  await expect(`${planMarkdown([view(face)])}\n`).toMatchFileSnapshot(snapshot('face'))
})

test('a set above a limit, and a workspace that failed', async () => {
  const gone = Array.from({ length: 6 }, (_, n) => remove('ENG', `old-${n}`, 'member', 'removed', at(`t.yaml:${n}`)))
  const whole = view({ ...face, holds: [...(face.holds ?? []), ...inSet(gone, sixDeletes)] })
  await expect(`${planMarkdown([whole, { about: whole.about, failed: '403 for @acme' }])}\n`).toMatchFileSnapshot(snapshot('over-limit'))
})

test('everything, a workspace that moved, one that failed, and what they share', async () => {
  const views = [
    view(everything, troubledWorld),
    view(everything, { moved: true }),
    { about, failed: 'the key is refused', cure: 'check *the key*' },
  ]
  await expect(`${planMarkdown(views)}\n`).toMatchFileSnapshot(snapshot('everything'))
})

test('in sync', async () => {
  await expect(`${planMarkdown([view()])}\n`).toMatchFileSnapshot(snapshot('in-sync'))
})

describe('workspaces in sync', () => {
  const named = (name: string, one: View = view()): View => ({ ...one, about: { ...about, workspace: name as WorkspaceName } })
  const many = (n: number) => Array.from({ length: n }, (_, index) => named(`w${index}`))
  const line = (views: readonly View[]) => /^In sync .*/m.exec(planMarkdown([view(face), ...views]))?.[0]

  test('stand in one line, at most fifty of them by name', () => {
    expect(line(many(2))).toBe('In sync (2 workspaces): `w0`, `w1`')
    expect(line(many(50))).toMatch(/^In sync \(50 workspaces\): .*`w49`$/)
    expect(line(many(53))).toMatch(/^In sync \(53 workspaces\): .*`w49` and 3 more$/)
    expect(line([named('w'.repeat(61))])).toBe(`In sync (1 workspace): \`${'w'.repeat(60)}\``)
  })

  const one = view()
  const finding = { code: 'group-renamed', severity: 'info', place: 'a.yaml', sentence: 'it was renamed' } as const
  const waiver = { ids: ['a'.repeat(32)], by: 'ann', untilMs: nowMs + 60_000, source: '--allow' }
  const applied = { results: [], holds: [], left: [] }
  test.each<[string, boolean, View]>([
    ['with nothing to say', true, one],
    ['after an apply that had nothing to write', true, { ...one, applied }],
    ['after an apply that was stopped', false, { ...one, applied: { ...applied, stopped: 'signal' } }],
    ['with a hold', false, view({ holds: [unsure('ENG', 'old', { kind: 'undeclared', policy: 'upsert-only' })] })],
    ['with a finding', false, view({ findings: [finding] })],
    ['with an approval that was used', false, { ...one, judged: { ...one.judged, waived: [waiver] } }],
  ])('%s: %s', (_, isInLine, shown) => expect(line([named('w', shown)]) !== undefined).toBe(isInLine))

  test('have parts of their own where there is no other workspace', () => expect(planMarkdown([named('w')])).not.toContain('In sync ('))
})

test('names are no markup, no link and nobody who gets a message', () => {
  const names = [
    'a|b',
    '`a`',
    '<img src=x>',
    '@acme/owners',
    '#12',
    '[a](https://example.com)',
    '**a**',
    'www.example.com',
    'a\n\n# b',
    '&amp;',
    '\\|',
  ]
  const whole = planMarkdown([
    view({ changes: names.map((name) => create('ENG', name, 'member', at('a.yaml:1', { reason: `${name} said so` }))) }),
  ])
  const rows = whole.split('\n').filter((line) => line.startsWith('| +'))
  expect(rows).toHaveLength(names.length)
  for (const row of rows) {
    const own = row.replaceAll(/`[^`]*`|<code>[^<]*<\/code>/g, 'code').replaceAll(/&#\d+;/g, '')
    expect(own).not.toMatch(/[`<>@#[\]*\\]|www\.|https:/)
    expect(own.match(/\|/g)).toHaveLength(7)
  }
  expect(whole).toContain('`www.example.com`')
  // Outside code GitHub notifies a person even if `@` is an entity. So a zero-width space follows the `@`.
  expect(whole).toContain('&#64;&#8203;acme/owners said so')
})

longTest('a comment never grows beyond what GitHub takes', () => {
  const long = (n: number) => '`'.repeat(250) + String(n)
  const changes = Array.from({ length: 2000 }, (_, n) => create('ENG', long(n), 'member', at('a.yaml:1')))
  const holds = changes.flatMap((change) => [
    held(change, { kind: 'approval', why: 'protectedRole' }),
    unsure('ENG', change.key, { kind: 'groupUnknown', directories: [long(1)], mapped: true }),
  ])
  const findings = changes.map(({ key }) => ({ code: 'duplicate-mapping', severity: 'info', place: key, sentence: key }) as const)
  const why = `${'x'.repeat(500)} is wrong`
  const directories = Array.from({ length: 12 }, (_, n) => ({ ...corp, name: `dir${n}`, why }))
  const one = view({ changes, holds, findings }, { directories })
  const smaller = view({ changes: changes.slice(0, 200), holds: holds.slice(0, 400), findings: findings.slice(0, 200) }, { directories })
  for (const views of [[one], Array.from({ length: 30 }, () => smaller)]) {
    const whole = planMarkdown(views)
    expect(whole.length).toBeLessThan(65_536)
    expect(whole).toMatch(/more \(.*`--format text --all` shows each\)/)
    expect(whole.match(/<details>/g)?.length).toBe(whole.match(/<\/details>/g)?.length)
    expect(whole).toContain(`dir9: complete, 1,912 groups, 40 s ago: ${'x'.repeat(150)}`)
    expect(whole).not.toMatch(/dir10|x{200}|is wrong/)
  }
  const failed = planMarkdown([{ about, failed: 'f'.repeat(1_001), cure: 'c'.repeat(1_001) }])
  expect(failed.split('> ').at(-1)).toBe(`${'f'.repeat(999)}…; ${'c'.repeat(999)}…`)
})

longTest('workspaces that have no room are counted', () => {
  const changes = Array.from({ length: 200 }, (_, n) => create('ENG', `${'`'.repeat(100)}${n}`, 'member'))
  const whole = planMarkdown(Array.from({ length: 60 }, () => view({ changes })))
  const shown = whole.match(/^### /gm)?.length ?? 0
  expect(shown).toBeGreaterThan(25)
  const left = 60 - shown
  expect(whole.split('\n\n').slice(-2)).toEqual([
    `… and ${left} more workspaces (\`--format text\` shows all)`,
    expect.stringMatching(`^${left} workspaces: ${left} with changes · ${(left * 200).toLocaleString('en')} create,`),
  ])
})

longTest('beside workspaces that have no room, the findings about all of them are counted', () => {
  const changes = Array.from({ length: 200 }, (_, n) => create('ENG', `${'`'.repeat(100)}${n}`, 'member'))
  const shared = [{ code: 'clock-stepped', severity: 'warning', place: 'here', sentence: 'the clock was set' }] as const
  const whole = planMarkdown(Array.from({ length: 60 }, () => view({ changes }, { about: { ...about, shared } })))
  expect(whole).toContain('more workspaces')
  expect(whole.slice(whole.indexOf('<summary>Findings ('))).toMatch(
    /^<summary>Findings \((\d)\)[^]*… and \1 more \(`--format text --all` shows each\)/,
  )
})

const tableRows = (markdown: string, mark: string) => markdown.split('\n').filter((row) => row.startsWith(`| ${mark} |`))
const projects = (n: number, name = 'g') =>
  Array.from({ length: n }, (_, index) => create(`P${index}`, name, 'member', at('a.yaml:1', { owner: 'team-eng' })))

test('with `all`, each change, hold and unchanged mapping has a row of its own', () => {
  const hold = unsure('ENG', 'x', { kind: 'groupUnknown', directories: ['corp'], mapped: false })
  const unchangedMappings = projects(30, 'same').flatMap((change): UnchangedMapping[] =>
    change.action === 'create'
      ? [
          {
            key: change.key,
            group: change.group,
            target: change.target,
            role: change.role,
            because: at('a.yaml:1').because,
            id: 'm1' as MappingId,
          },
        ]
      : [],
  )
  const whole = view({ changes: projects(100), holds: [hold], unchangedMappings })
  const markdown = planMarkdown([whole], { all: true })
  expect([tableRows(markdown, '+'), tableRows(markdown, '='), tableRows(markdown, '?')].map(({ length }) => length)).toEqual([100, 30, 1])
  expect(markdown).toContain('<details><summary>Unchanged (30)</summary>')
  expect(markdown.startsWith('### ')).toBe(true)
  expect(tableRows(planMarkdown([view({ changes: projects(100) })]), '+')).toHaveLength(1)
})

test('with `all`, as many rows as fit, and a note that some are left out', () => {
  const changes = Array.from({ length: 1500 }, (_, n) => create(`P${n}`, `group-${n}`, 'member', at(`a.yaml:${n}`)))
  const small = view({ changes: projects(3, 'small') })
  const markdown = planMarkdown([view({ changes }), small], { all: true })
  expect(markdown.length).toBeLessThan(60_000)
  expect(markdown.split('\n\n', 1)[0]).toBe(
    '> [!NOTE]\n> A comment has at most 65,536 characters, and these plans need more. So some rows stand for several changes, and each table says how many rows it leaves out. The same command with --all and --format text shows every row.',
  )
  expect(markdown).toMatch(/\n[\d,]+ in rows for several groups \(`--format text --all` shows each\)/)
})

test('approvals that were used have a box, a paragraph each, of at most 1,000 characters', () => {
  const waiver = (by: string) => ({ ids: ['a'.repeat(32)], by, untilMs: nowMs + 60_000, source: '--allow' })
  const one = view()
  const judged = { ...one.judged, waived: [waiver('ann'), waiver(`ben ${'x'.repeat(3000)}`)] }
  const box = /> \[!IMPORTANT\]\n(?:>.*\n?)*/.exec(planMarkdown([{ ...one, judged }]))?.[0].split('\n') ?? []
  expect(box[1]).toContain('ann')
  expect(box[2]).toBe('> ')
  expect(box[3]).toContain('ben xxx')
  expect(box[3]?.length).toBeLessThan(1100)
  expect(box[4] ?? '').toBe('')
})
