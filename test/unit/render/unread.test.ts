import { expect, test } from 'vitest'
import type { HeldWrite, Hold, HoldReason } from '../../../src/core/hold.ts'
import type { Role, WorkspaceName } from '../../../src/core/mapping.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { planText } from '../../../src/render/planText.ts'
import { keptTexts, shownFindings, unreadDirectories, unreadWarning, waitsForDirectory } from '../../../src/render/unread.ts'
import type { View } from '../../../src/render/view.ts'
import { about, at, corp, everyOutcome, nowMs, unsure, view } from './sample.ts'

const text = (...views: readonly View[]) => plansText(views, { colour: false, width: 110 })
const why = '46 now, 94 before: 51 % fewer; if that is right, set directories.corp.shrink.share to 100% for one cycle'
const partial: Partial<View> = { directories: [{ ...corp, status: 'partial', groups: 46, why }] }
const unread: HoldReason = { kind: 'readingIncomplete', of: 'corp', why }
const role = (name: string) => name as Role
const holds = (n: number, would: HeldWrite, of = 'g'): readonly Hold[] =>
  Array.from({ length: n }, (_, index) => ({ ...unsure('ENG', `${of}-${index}`, unread, at(`a.yaml:${index}`)), would }))
const keep = { action: 'keep', before: role('guest') } as const
const wants = [
  ...holds(1, { action: 'create', role: role('admin') }, 'new'),
  ...holds(1, { action: 'patch', before: role('member'), role: role('guest') }, 'lowered'),
  ...holds(1, { action: 'patch', before: null, role: role('guest') }, 'none'),
  ...holds(1, { action: 'delete', before: role('guest') }, 'old'),
]
const world = view({ holds: [...holds(403, keep), ...wants], unchanged: 0 }, partial)

test('a directory that was not read whole is one warning above all workspaces, with the cure', () => {
  const other = view({}, { ...partial, about: { ...about, workspace: 'other' as WorkspaceName } })
  const shown = text(world, other)
  expect(shown.startsWith('WARNING corp could not be read whole: 46 now, 94 before: 51 % fewer;')).toBe(true)
  expect(shown.match(/94 before/g)).toHaveLength(1)
  expect(shown.match(/corp: partial, 40 s ago\n/g)).toHaveLength(2)
  expect(shown.split('\n\n')[0]).toMatch(/repair\s+this, then plan again/)
  const markdown = planMarkdown([world, other])
  expect(markdown.startsWith('> [!WARNING]\n> corp could not be read whole: 46 now, 94 before')).toBe(true)
  expect(markdown.match(/94 before/g)).toHaveLength(1)
  const failed = { ...corp, status: 'failed', groups: 0, why: 'connection refused.' } as const
  expect(text(view({}, { directories: [failed] }))).toMatch(
    /^WARNING corp could not be read: connection refused\n {6}until corp is read whole/,
  )
  expect(text(view({}, { directories: [{ ...failed, stopped: true }] }))).toMatch(/^WARNING corp could not be read: connection refused\n\n/)
  expect(text(view())).not.toContain('WARNING')
})

test('an apply has the same warning', () => {
  const applied = { ...world, applied: everyOutcome }
  expect(text(applied)).toMatch(/^WARNING corp could not be read whole/)
  expect(text(applied)).toContain('\n403 existing mappings are kept until corp is read whole\nHeld (4)\n')
  expect(planMarkdown([applied])).toContain('\n\n403 existing mappings are kept until corp is read whole\n\n')
})

test('mappings that only stay share one line; the rows are those that want a change, with both roles', () => {
  const lines = text(world).split('\n')
  const from = lines.indexOf('403 existing mappings are kept until corp is read whole')
  expect(lines.slice(from + 1, from + 7).map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual([
    'Held (4)',
    '‼ ENG new-0 → admin waits for corp a.yaml:0',
    '? ENG lowered-0 member → guest a.yaml:0',
    '? ENG none-0 no role → guest a.yaml:0',
    '? ENG old-0 = guest to be deleted a.yaml:0',
    'all 3 rows: waits for corp',
  ])
  expect(lines.at(-1)).toBe('nothing to write now: 4 held (1 protected), 403 kept, 0 unchanged')
  const markdown = planMarkdown([world])
  expect(markdown).toContain('\n\n403 existing mappings are kept until corp is read whole\n\n')
  expect(markdown).toContain('| ? | `ENG` | `lowered-0` | `member → guest` | waits for corp | `a.yaml:0` |')
  expect(markdown.match(/^\| [?‼] /gm)).toHaveLength(4)
})

test('of several directories only those that were not read whole have a warning, and their own findings are left out', () => {
  const torn = { ...corp, name: 'torn', status: 'failed', groups: 0 } as const
  const directories = [corp, torn]
  expect(unreadDirectories([view({}, { directories })])).toEqual([torn])
  expect(unreadWarning(torn).sentence).toBe('torn could not be read')
  const finding = (code: 'reading-incomplete' | 'members-unreadable') =>
    ({ code, severity: 'warning', place: 'torn', sentence: 'x' }) as const
  const findings = [finding('reading-incomplete'), finding('members-unreadable')]
  expect(shownFindings(view({ findings }, { directories }))).toEqual([findings[1]])
  const waits = (of: string) => waitsForDirectory({ reason: { kind: 'readingIncomplete', of, why: '' } }, directories)
  expect([waits('torn'), waits('corp'), waits('projects')]).toEqual([true, false, false])
})

test('the finding of an invalid file is left out where the line above the plan says the same', () => {
  const finding = { code: 'file-invalid', severity: 'error', place: 'a.yaml:3', sentence: 'x' } as const
  const world = view({ findings: [finding] })
  expect(shownFindings(world)).toEqual([finding])
  expect(shownFindings({ ...world, declaration: { ...world.declaration, kept: 'a.yaml:3:1: x' } })).toEqual([])
})

test('only lists are named in the plural', () => {
  const kept = (of: string) => keptTexts([{ hold: unsure('ENG', 'a', { kind: 'readingIncomplete', of, why: '' }), isProtected: false }])
  expect(['projects', 'my-projects', 'projects-2'].flatMap(kept)).toEqual([
    '1 existing mapping is kept until projects are read whole',
    '1 existing mapping is kept until my-projects is read whole',
    '1 existing mapping is kept until projects-2 is read whole',
  ])
})

test('one mapping, a list, and patterns that were not matched', () => {
  const list: HoldReason = { kind: 'readingIncomplete', of: 'the project mappings', why: 'page 3' }
  const patterns: HoldReason = { kind: 'patternsUnmatched', why: 'too costly' }
  const of = (reason: HoldReason): Hold => ({ ...unsure('ENG', 'a', reason), would: { action: 'unknown', before: null } })
  const shown = text(view({ holds: [...holds(1, keep), of(list), of(patterns), of(patterns)] }, partial))
  expect(shown).toContain('\n1 existing mapping is kept until corp is read whole\n')
  expect(shown).toContain('\n1 existing mapping is kept until the project mappings is read whole\n'.replace(' is read', ' are read'))
  expect(shown).toContain('\n2 existing mappings are kept until the patterns are matched\n')
})

test('a mapping inside the fence of an invalid file is kept until that file is valid', () => {
  const reason: HoldReason = { kind: 'fileInvalid', at: at('teams/pay/a.yaml:3').because.at, why: 'unknown key "x"' }
  const world = view({ holds: [{ ...unsure('ENG', 'a', reason), would: { action: 'keep', before: null } }] })
  const line = '1 existing mapping is kept until teams/pay/a.yaml is valid'
  expect(text(world)).toContain(`\n${line}\n`)
  expect(planMarkdown([world])).toContain(`\n${line}\n`)
})

test('kept mappings with a protected role are counted, and with --all are marked', () => {
  const reason: HoldReason = { kind: 'fileInvalid', at: at('b.yaml:2').because.at, why: 'not indented' }
  const kept = (name: string, before: string, action: 'keep' | 'unknown'): Hold => ({
    ...unsure('ENG', name, reason),
    would: { action, before: role(before) },
  })
  const world = view({ holds: [kept('boss', 'admin', 'unknown'), kept('lead', 'admin', 'keep'), kept('team', 'member', 'unknown')] })
  const line = '3 existing mappings (2 protected) are kept until b.yaml is valid'
  for (const shown of [text(world), planMarkdown([world])]) expect(shown).toContain(`\n${line}\n`)
  const rows = planText(world, { colour: false, width: 120, all: true }).split('\n')
  expect(rows.filter((row) => row.includes('‼')).map((row) => row.trim().split(/\s+/)[2])).toEqual(['boss', 'lead'])
})

test('a valid file whose pattern names a mapping outside of its fence is not said to be invalid', () => {
  const why = 'its pattern names this group, and the fence of the file does not contain it'
  const reason: HoldReason = { kind: 'fileInvalid', at: at('teams/pay/a.yaml:3').because.at, why, isOutside: true }
  const world = view({ holds: [{ ...unsure('ENG', 'a', reason), would: { action: 'unknown', before: role('member') } }] })
  expect(text(world)).toContain('1 existing mapping is kept until the fence of teams/pay/a.yaml or its pattern is edited')
  const shown = planText(world, { colour: false, width: 300, all: true })
  expect(shown).toContain(
    `teams/pay/a.yaml:3:5: ${why}; widen the fence; or take the group out of the pattern, then the mapping is undeclared`,
  )
  expect(shown).not.toContain('validate')
})

test('with --all each kept mapping has a row', () => {
  const world = view({ holds: holds(3, keep) }, partial)
  expect(text(world)).not.toContain(' g-0 ')
  const shown = planText(world, { colour: false, width: 120, all: true })
  expect(shown).toContain('\nKept (3)\n')
  expect(shown.match(/ g-\d /g)).toHaveLength(3)
})

test('a hold for another reason says that the mapping is kept', () => {
  const hold: Hold = { ...unsure('ENG', 'a', { kind: 'notStarted', startsMs: nowMs }), would: keep }
  expect(text(view({ holds: [hold] }))).toContain('? ENG  a = guest  kept, the rule starts at')
})

test('the finding of a directory is not shown a second time; that of a list is', () => {
  const finding = (place: string) => ({ code: 'reading-incomplete', severity: 'warning', place, sentence: `${place} is torn` }) as const
  const findings = [finding('corp'), finding('ENG')]
  for (const shown of [text(view({ findings }, partial)), planMarkdown([view({ findings }, partial)])]) {
    expect(shown).not.toContain('corp is torn')
    expect(shown).toContain('ENG is torn')
    expect(shown).toContain('Findings (1)')
  }
  expect(text(view({ findings }))).toContain('corp is torn')
})

test('many holds of one cure share rows, and none is left out; a change of an existing mapping has its own', () => {
  const creates = Array.from({ length: 70 }, (_, n) => ({
    ...unsure(`P${n}`, `g-${n}`, unread, at(`a.yaml:${n}`)),
    would: { action: 'create', role: role('guest') } as const,
  }))
  const shown = text(view({ holds: [...creates, ...holds(1, { action: 'patch', before: role('member'), role: role('guest') })] }, partial))
  expect(shown).not.toContain('more (--all')
  const rows = shown.split('\n').filter((line) => line.startsWith('  ? '))
  expect(rows).toHaveLength(60)
  expect(rows).toContainEqual(expect.stringMatching(/g-0 +member → guest/))
  expect(rows).toContainEqual(expect.stringMatching(/12 groups: .*→ guest.* 12 changes/))
})
