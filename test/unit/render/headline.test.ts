import { describe, expect, test } from 'vitest'
import type { GroupSize } from '../../../src/core/bounds.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { overallText } from '../../../src/render/plansText.ts'
import { planText } from '../../../src/render/planText.ts'
import { standingOf } from '../../../src/render/sections.ts'
import { statusWorkspace } from '../../../src/render/statusWorkspace.ts'
import { people } from '../bounds.ts'
import { last } from './lastParts.ts'
import { at, create, held, inSet, nowMs, patch, remove, sixDeletes, view } from './sample.ts'

const lastLine = (parts: Partial<Plan>, more = {}) => planText(view(parts, more), { colour: false, width: 300 }).split('\n').at(-1)
const document = (parts: Partial<Plan>) => JSON.parse(planJson([view(parts)])).workspaces[0]
const statusLines = (parts: Partial<Plan>) => {
  const [workspace] = last([[view(parts), 'waiting']]).workspaces
  return workspace === undefined ? [] : statusWorkspace(workspace, [], canvasOf({ colour: false, width: 300 }, nowMs))
}

const zeros = '0 create, 0 raise, 0 lower, 0 delete'
const lowerings = Array.from({ length: 186 }, (_, n) => patch('ENG', `l${n}`, 'member', 'guest', { size: people(2), ...at('eng.yaml:3') }))
const deletes = Array.from({ length: 540 }, (_, n) => remove('ENG', `d${n}`, 'guest', 'removed', { size: people(1) }))
const sixLowers = { ...sixDeletes, name: 'lowers', setting: 'guards.lowers.count', sentence: '186 lowerings' } as const
const waiting: readonly Hold[] = [...inSet(lowerings, sixLowers), ...inSet(deletes, sixDeletes)]

describe('the headline has the numbers of what waits', () => {
  const kinds = '726 need approval (186 lower, 540 delete)'

  test('as text and Markdown, alone and beside what is written', () => {
    expect(lastLine({ holds: waiting })).toBe(`nothing to write now: ${kinds}, 146 unchanged`)
    expect(lastLine({ holds: waiting, changes: [create('ENG', 'a', 'guest')] })).toBe(
      `1 create, 0 raise, 0 lower, 0 delete · ${kinds}, 146 unchanged`,
    )
    expect(planMarkdown([view({ holds: waiting })])).toMatch(`### \`acme\`: nothing to write now: ${kinds}, 146 unchanged`)
  })

  test('with several workspaces, and where the plan is not the reviewed one, zeros are not counted up', () => {
    const both = overallText([view({ holds: waiting }), view()])
    expect(both).toBe(`2 workspaces: 1 waiting, 1 in sync · ${kinds}, 292 unchanged`)
    expect(lastLine({ holds: waiting }, { moved: true })).toBe(`Stale, nothing is written: ${kinds}, 146 unchanged`)
    expect(overallText([view(), view()])).not.toContain(zeros)
  })

  test('in JSON and in status', () => {
    const { waits, counts, sets } = document({ holds: waiting })
    expect(waits).toEqual({ create: 0, raise: 0, lower: 186, other: 0, rename: 0, settings: 0, delete: 540 })
    expect(counts.waiting).toBe(726)
    expect(
      sets.map(({ limit, size, cure }: { limit: string; size?: GroupSize; cure: string }) => [limit, size, cure.slice(0, 20)]),
    ).toEqual([
      ['lowers', people(372), 'if lines or a file w'],
      ['deletes', people(540), 'if lines or a file a'],
    ])
    expect(statusLines({ holds: waiting })).toContain('Waits for approval (726: 186 lower, 540 delete)')
  })

  test('a set in status says how many people it concerns', () => {
    expect(statusLines({ holds: waiting }).filter((line) => line.includes('approve '))).toEqual([
      expect.stringMatching(/^ {6}these 186 changes \(372 people\): plane-group-sync approve [0-9a-f]{32} --now/),
      expect.stringMatching(/^ {6}these 540 changes \(540 people\): plane-group-sync approve [0-9a-f]{32} --now/),
    ])
  })
})

describe('an undeclared mapping with a protected role', () => {
  const kept = (group: string, role: string): Hold => held(remove('ENG', group, role, 'undeclared'), { kind: 'undeclared', policy: 'sync' })
  const withoutChange = (group: string, role: string): Hold => {
    const { change: _, ...rest } = kept(group, role)
    return { ...rest, would: { action: 'delete', before: role as never } }
  }

  test.each([
    ['as a held delete', kept],
    ['as a mapping that is kept', withoutChange],
  ])('is marked, first, and counted, %s', (_, hold) => {
    const parts = { holds: [hold('a-staff', 'guest'), hold('z-admins', 'admin')] }
    const lines = planText(view(parts), { colour: false, width: 300 }).split('\n')
    const from = lines.findIndex((line) => line.startsWith('Undeclared'))
    expect(lines[from]).toBe('Undeclared (2, 1 protected), not ours: kept')
    expect(lines[from + 1]).toMatch(/^ {2}‼ ENG {2}z-admins = admin/)
    expect(lines.at(-1)).toBe('nothing to write: 2 undeclared (1 protected), 146 unchanged')
    const { protected: counts, holds } = document(parts)
    expect(counts.undeclared).toBe(1)
    expect(holds.map(({ group, protected: is }: { group: string; protected?: boolean }) => [group, is])).toEqual([
      ['a-staff', undefined],
      ['z-admins', true],
    ])
    expect(statusLines(parts).join('\n')).toMatch(/Undeclared \(2, 1 protected\)\n {2}‼ ENG {2}z-admins = admin/)
  })

  test('stands open in Markdown; others are folded', () => {
    const markdown = planMarkdown([view({ holds: [kept('staff', 'guest'), kept('z', 'admin')] })])
    const [open = '', folded] = markdown.split('<details>')
    expect(open).toMatch(/\*\*Undeclared with a protected role, not ours: kept \(1\)\*\*[^]*\| ‼ \| `ENG` \| `z` \| `= admin` \|/)
    expect(folded).toMatch(/^<summary>Undeclared, not ours: kept \(1\)<\/summary>[^]*`staff`/)
  })
})

describe('in sync is said only of lists that are managed and equal', () => {
  test('not beside an undeclared mapping', () => {
    const undeclared = { holds: [held(remove('ENG', 'z', 'guest', 'undeclared'), { kind: 'undeclared', policy: 'sync' })] } as const
    expect(standingOf(view(undeclared))).toBe('nothing')
    expect(overallText([view(undeclared), view()])).toMatch(/^2 workspaces: 1 with nothing to write, 1 in sync/)
  })

  test('a workspace without a managed list says so', () => {
    const none = { owned: {}, unchanged: 0 }
    expect(lastLine(none)).toBe('no list of this workspace is managed; export prints what exists')
    expect(planMarkdown([view(none)])).toContain('### `acme`: no list of this workspace is managed; export prints what exists')
    expect(document(none).standing).toBe('unmanaged')
    expect(overallText([view(none), view()])).toBe('2 workspaces: 1 with no managed list, 1 in sync · 146 unchanged')
  })
})

describe('the headline of several workspaces', () => {
  const change = create('ENG', 'a', 'guest')
  const other = create('ENG', 'b', 'guest')
  const refused = { kind: 'refused', status: 403, code: 'forbidden', why: 'no' } as unknown as Outcome
  const lost: Outcome = { kind: 'unknown', why: 'cut', lastByteMs: 1_000 }
  test.each<[string, readonly Outcome[], string]>([
    ['nothing was written', [refused, refused], '1 not written'],
    ['it is not known whether anything was', [lost, refused], '1 with an unknown outcome'],
    ['a part was written', [{ kind: 'done' }, refused], '1 partly written'],
    ['all was written', [{ kind: 'done' }, { kind: 'done' }], '1 written'],
  ])('says so if %s', (_, outcomes, text) => {
    const results = [change, other].map((one, n) => ({ change: one, outcome: outcomes[n] as Outcome }))
    const applied = { results, holds: [], left: [] }
    expect(overallText([view({ changes: [change, other] }, { applied }), view()])).toContain(`2 workspaces: ${text}, 1 in sync`)
  })
  test('calls a workspace waiting only if an approval or the end of a suspension is missing', () => {
    const of = (reason: Hold['reason']) => overallText([view({ holds: [held(change, reason)] }), view()])
    expect(of({ kind: 'approval', why: 'protectedRole' })).toContain('1 waiting, 1 in sync')
    expect(of({ kind: 'suspended', what: 'all' })).toContain('1 waiting, 1 in sync')
    expect(of({ kind: 'readingIncomplete', of: 'corp', why: 'x' })).toContain('1 with nothing to write now, 1 in sync')
    const invalid = { code: 'file-invalid', severity: 'error', place: 'a.yaml', sentence: 'bad' } as const
    expect(overallText([view({ findings: [invalid] }), view()])).toContain('1 with nothing to write now, 1 in sync')
  })
})
