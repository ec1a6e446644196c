import { expect, test } from 'vitest'
import type { ApprovedPlan } from '../../../src/core/judge/guards.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { overallText, plansText } from '../../../src/render/plansText.ts'
import type { View } from '../../../src/render/view.ts'
import { about, at, create, inSet, plan, remove, sixDeletes, unsure, view } from './sample.ts'

const named = (name: string, of: View): View => ({ ...of, about: { ...about, workspace: name as WorkspaceName } })
const busy = named('busy', view({ changes: [create('ENG', 'devs', 'guest')] }))
const quiet = ['calm', 'quiet'].map((name) => named(name, view()))
const [calm = busy] = quiet

test('a comment on several workspaces begins with the totals; quiet workspaces share the last line', () => {
  const markdown = planMarkdown([calm, busy, ...quiet.slice(1)])
  expect(markdown).toMatch(/^\*\*3 workspaces: 1 with changes, 2 in sync · 1 create, .*\*\*\n\n### `busy`/)
  expect(markdown.endsWith('\n\nIn sync (2 workspaces): `calm`, `quiet`')).toBe(true)
  expect(markdown.match(/^### /gm)).toHaveLength(1)
  expect(planMarkdown([calm])).toMatch(/^### `calm`: in sync/)
})

test('only a workspace without holds, findings and approvals is quiet', () => {
  const unknown = unsure('ENG', 'g', { kind: 'unsafeName', what: 'it is empty' })
  const finding = { code: 'group-renamed', severity: 'info', place: 'a.yaml:1', sentence: 'it has another name' } as const
  const waived = { ids: ['1'], by: 'jo', untilMs: 0, source: '--allow' }
  const approved = view({}, { judged: { plan: plan({}) as ApprovedPlan, waived: [waived] } })
  const loud = [view({ holds: [unknown] }), view({ findings: [finding] }), approved, view({}, { moved: true })]
  for (const one of loud) expect(planMarkdown([busy, named('other', one)])).toContain('### `other`')
  expect(planMarkdown([busy, { about: named('other', view()).about, failed: 'no' }])).toContain('### `other`: failed')
})

test('many quiet workspaces are counted', () => {
  const many = Array.from({ length: 60 }, (_, n) => named(`w${n}`, view()))
  expect(planMarkdown([busy, ...many])).toMatch(/In sync \(60 workspaces\): `w0`, .*`w49` and 10 more$/)
})

test('the changes of a set that waits are not in the sum of what is written', () => {
  const gone = Array.from({ length: 16 }, (_, n) => remove('ENG', `old-${n}`, 'guest', 'removed'))
  const waits = view({ holds: inSet(gone, sixDeletes) })
  expect(plansText([waits], { colour: false, width: 200 })).toContain('\nnothing to write now: 16 need approval (16 delete), 146 unchanged')
  expect(overallText([waits, busy])).toBe(
    '2 workspaces: 1 with changes, 1 waiting · 1 create, 0 raise, 0 lower, 0 delete · 16 need approval (16 delete), 292 unchanged',
  )
  const partly = view({ changes: [create('ENG', 'a', 'guest')], holds: inSet(gone, sixDeletes) })
  expect(planMarkdown([partly])).toContain('### `acme`: 1 create, 0 raise, 0 lower, 0 delete · 16 need approval (16 delete), 146 unchanged')
})

test('a table has the workspace and all projects before single projects', () => {
  const projects = Array.from({ length: 40 }, (_, n) => create(`P${n}`, `g${n}`, 'guest', at(`a.yaml:${n}`)))
  const changes = [...projects, create('workspace', 'wide', 'guest', at('z.yaml:1')), create('*', 'everywhere', 'guest', at('z.yaml:2'))]
  const markdown = planMarkdown([view({ changes })])
  const rows = markdown.split('\n').filter((line) => line.startsWith('| + |'))
  expect(rows.slice(0, 2).map((row) => row.split(' | ')[1])).toEqual(['`workspace`', '`all projects`'])
})
