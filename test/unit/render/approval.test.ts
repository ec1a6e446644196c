import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { ApprovedPlan, Judged } from '../../../src/core/judge/guards.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { planApprovals } from '../../../src/render/approval.ts'
import { applyWith, exportOf } from '../../../src/render/commandLine.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import type { View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { plain } from '../properties/renderedRows.ts'
import { about, create, everyOutcome, held, inSet, nowMs, plan, remove, settings, view } from './sample.ts'

const text = (of: View) => plansText([of], { colour: false, width: 1000 })
const protectedRole = { kind: 'approval', why: 'protectedRole' } as const
const creates = inSet(
  ['x', 'y', 'z'].map((group) => create('ENG', group, 'guest', { size: people(3) })),
  { name: 'creates', count: 3, limit: 2, setting: 'guards.creates.count', sentence: '3 creates; guards.creates.count allows 2' },
)
const [setId] = creates.flatMap(({ reason }) => ('pass' in reason ? reason.pass : []))
const admins = [
  held(create('workspace', 'all-staff', 'admin', { size: people(2140) }), protectedRole),
  held(create('workspace', 'it-leads', 'admin', { size: people(24) }), protectedRole),
]
const inProjects = ['A', 'B'].map((project) => held(create(project, 'leads', 'admin', { size: people(24) }), protectedRole))
const idOf = (of: View) => of.judged.plan.fingerprint.slice(0, 32)

test('the ID of a plan is shown with all that it approves besides, and with how many people', () => {
  const whole = view({ holds: [...creates, ...inProjects, held(settings, { kind: 'approval', why: 'groupSync' })] })
  const label = 'all 2 protected changes (24 people), and also the change of the settings and 3 changes above the limits'
  expect(text(whole)).toContain(`to approve ${label}: --allow ${idOf(whole)}`)
})

test('a set has an ID of its own, which approves nothing else, also after a part of the plan was written', () => {
  const label = 'to approve exactly these 3 changes (9 people)'
  for (const whole of [view({ holds: [...creates, ...admins] }), view({ holds: creates }, { applied: everyOutcome })]) {
    expect(text(whole)).toContain(`      ${label}: --allow ${setId} (--all shows each, with its own ID)\n`)
    expect(planMarkdown([whole])).toContain(
      `${label.replace('to', 'To')}:\n\n\`\`\`sh\nplane-group-sync apply --workspace acme --allow ${setId}\n\`\`\`\n`,
    )
  }
  const one = view({ holds: creates.slice(0, 1) })
  expect(text(one)).toContain(`      to approve exactly this change (3 people): --allow ${setId}\n`)
})

test('each change of a set has its own ID, if all are shown', () => {
  const lines = plansText([view({ holds: creates })], { colour: false, width: 1000, all: true }).split('\n')
  const own = creates.map(({ change }) => [
    expect.stringMatching(/^ {2}! ENG {2}[xyz] → guest/),
    `      to approve this change: --allow ${change?.id}`,
  ])
  const first = lines.findIndex((line) => line.startsWith('  ! '))
  expect(lines.slice(first, first + 6)).toEqual(own.flat())
  expect(lines.slice(first - 2, first)).toEqual([
    '      if a pattern or a directory gives more groups than it should, correct it · or, if the limit is wrong, change guards.creates.count',
    `      to approve exactly these 3 changes (9 people): --allow ${setId}`,
  ])
})

test('what the ID of the plan approves is named by kind and number', () => {
  const label = (of: View, kind: 'protected' | 'settings') => planApprovals(of)[kind].label
  const change = held(settings, { kind: 'approval', why: 'groupSync' })
  expect(label(view({ holds: [change] }), 'settings')).toBe('to approve the change of the settings')
  expect(label(view({ holds: [...admins.slice(0, 1), ...creates.slice(0, 1)] }), 'protected')).toBe(
    'to approve 1 protected change (2,140 people), and also 1 change above the limits',
  )
  expect(label(view({ holds: admins }), 'protected')).toBe('to approve all 2 protected changes (2,164 people)')
  expect(label(view(), 'protected')).toBe('to approve it')
})

test('after a part of the plan was written, its ID approves nothing any more', () => {
  const { protected: approval } = planApprovals(view({ holds: [...admins, ...creates] }, { applied: everyOutcome }))
  expect(approval).toEqual({
    label: 'to approve all 2 protected changes (2,164 people)',
    text: 'to approve all 2 protected changes (2,164 people): run the command plan again, and use --allow with its ID',
  })
})

test('the commands of a comment name the workspace; those of sets come last', () => {
  const whole = view({ changes: [remove('ENG', 'old', 'guest', 'removed')], holds: [...creates, ...admins] })
  const commands = planMarkdown([whole])
    .split('\n')
    .filter((line) => line.startsWith('plane-group-sync '))
  const ids = admins.map(({ change }) => `--allow ${change?.id}`)
  expect(commands).toEqual([
    `plane-group-sync apply --workspace acme ${ids.join(' ')}`,
    `plane-group-sync apply --workspace acme --allow ${setId}`,
  ])
  expect(planMarkdown([whole])).toContain('To approve these 2 changes, and no others:')
  expect(planMarkdown([whole])).toContain('Such a command also writes the change that needs no approval.')
  const one = planMarkdown([view({ holds: admins.slice(0, 1) })])
  expect(one).toContain('To approve this change, and no other:')
  expect(one).not.toContain('Such a command also')
  expect(one.match(/^plane-group-sync /gm)).toHaveLength(1)
})

test('more than ten changes are approved with the ID of the plan', () => {
  const of = (n: number): readonly Hold[] =>
    Array.from({ length: n }, (_, index) => held(create('workspace', `g${index}`, 'admin', { size: people(1) }), protectedRole))
  const many = view({ holds: of(11) })
  expect(planMarkdown([many])).toContain('To approve all 11 protected changes (11 people):')
  expect(planMarkdown([many]).match(/^plane-group-sync .*/gm)).toEqual([`plane-group-sync apply --workspace acme --allow ${idOf(many)}`])
  expect(planMarkdown([view({ holds: of(10) })]).match(/--allow \w+/g)).toHaveLength(20)
})

test('a workspace with a strange name is one word of the shell', () => {
  const named = view({ holds: admins.slice(0, 1) }, { about: { ...about, workspace: "a'b $(c)" as WorkspaceName } })
  expect(planMarkdown([named])).toContain("apply --workspace 'a'\\''b $(c)' --allow")
  expect(applyWith('a b', ['1', '2'])).toBe("plane-group-sync apply --workspace 'a b' --allow 1 --allow 2")
  expect(exportOf('undeclared', '-a')).toBe("export --workspace '-a' --undeclared")
})

const waived = (of: View): View => {
  const judged: Judged = {
    plan: plan({ changes: [create('workspace', 'it-leads', 'admin')] }) as ApprovedPlan,
    waived: [{ ids: ['1047bc07'.repeat(4)], by: '*jo*', untilMs: nowMs + 60_000, source: '--allow' }],
  }
  return { ...of, judged }
}

test('an approval that was used is shown in text and Markdown, before and after an apply', () => {
  const shown = `${'1047bc07'.repeat(4)} (--allow, until 02:15:30 UTC (in 1 min))`
  for (const of of [waived(view()), waived(view({}, { applied: everyOutcome }))]) {
    expect(text(of)).toContain(`Approved by *jo*: ${shown}`)
    expect(plain(planMarkdown([of]))).toContain(`> [!IMPORTANT]\n> Approved by *jo*: ${shown}`)
  }
})

test('to keep undeclared mappings, the export names the workspace', () => {
  const undeclared = held(remove('ENG', 'nobody', 'admin', 'undeclared'), { kind: 'undeclared', policy: 'upsert-only' })
  const whole = view({ holds: [undeclared] }, { about: { ...about, workspace: 'product' as WorkspaceName } })
  expect(text(whole)).toContain('to keep: export --workspace product --undeclared')
  expect(planMarkdown([whole])).toContain('to keep: export --workspace product --undeclared')
})
