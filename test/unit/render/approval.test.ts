import { expect, test } from 'vitest'
import type { Hold, HoldReason } from '../../../src/core/hold.ts'
import type { ApprovedPlan, Verdict } from '../../../src/core/judge/guards.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { planApprovals } from '../../../src/render/approval.ts'
import { applyWith, exportUndeclared } from '../../../src/render/commandLine.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/text.ts'
import type { View } from '../../../src/render/view.ts'
import { plain } from '../properties/renderedRows.ts'
import { about, create, everyOutcome, held, nowMs, plan, refused, remove, settings, view } from './sample.ts'

const text = (of: View) => plansText([of], { colour: false, width: 1000 })
const protectedRole = { kind: 'approval', why: 'protectedRole' } as const
const flood: HoldReason = {
  ...{ kind: 'approval', why: 'creates', pass: 'f'.repeat(32), count: 300, limit: 200, setting: 'guards.creates.count' },
  sentence: '300 creates; guards.creates.count allows 200',
}
const creates = ['x', 'y', 'z'].map((group) => held(create('ENG', group, 'guest', { people: 3 }), flood))
const admins = [
  held(create('workspace', 'all-staff', 'admin', { people: 2140 }), protectedRole),
  held(create('workspace', 'it-leads', 'admin', { people: 24 }), protectedRole),
]
const idOf = (of: View) => of.verdict.plan.fingerprint.slice(0, 32)

test('the ID of a plan is shown with all that it approves besides, and with how many people', () => {
  const whole = view({ holds: [...creates, ...admins] })
  const label = 'all 3 creates (9 people), and also 2 protected changes (2,164 people)'
  expect(text(whole)).toContain(`to approve ${label}: --allow ${idOf(whole)} · or, if the limit is wrong`)
  expect(planMarkdown([whole])).toContain(`To approve ${label}:`)
  const stopped = refused({ holds: [...admins, held(settings, { kind: 'approval', why: 'groupSync' })] }, [
    { guard: 'deletes', count: 3, limit: 1, setting: 'guards.deletes.count', sentence: '3 deletes' },
  ])
  const also = 'this plan, and also 2 protected changes (2,164 people) and the change of the settings'
  expect(text(stopped)).toContain(`to approve ${also}: --allow ${idOf(stopped)}`)
  expect(planMarkdown([stopped])).toContain(
    `> To approve ${also}:\n> \n> \`\`\`sh\n> plane-group-sync apply --workspace acme --allow ${idOf(stopped)}\n> \`\`\`\n> \n> Or, if the limit is wrong, change guards.deletes.count.\n`,
  )
})

test('the ID of a refused plan approves what the guards refuse, too', () => {
  const refusal = { guard: 'deletes', count: 3, limit: 1, setting: 'guards.deletes.count', sentence: '3 deletes' } as const
  const whole = refused({ holds: creates }, [refusal])
  expect(text(whole)).toContain(`to approve all 3 creates (9 people), and also all that the guards refuse: --allow ${idOf(whole)}`)
  const several = ['A', 'B'].map((project) => held(create(project, 'leads', 'admin'), protectedRole))
  const both = refused({ holds: [...several, ...creates] }, [refusal])
  expect(text(both)).toContain(
    `to approve all 2 protected changes, and also all that the guards refuse and 3 creates (9 people): --allow ${idOf(both)}`,
  )
})

test('what the ID of the plan approves is named by kind and number', () => {
  const label = (of: View, kind: 'protected' | 'settings' | 'creates') => planApprovals(of)[kind].label
  const change = held(settings, { kind: 'approval', why: 'groupSync' })
  expect(label(view({ holds: [change] }), 'settings')).toBe('to approve the change of the settings')
  expect(label(view({ holds: creates.slice(0, 1) }), 'creates')).toBe('to approve 1 create (3 people)')
  const more = [...creates, held(create('ENG', 'leads', 'admin', { people: 2 }), flood)]
  expect(label(view({ holds: more }), 'creates')).toBe('to approve all 4 creates (1 protected, 11 people)')
  expect(label(view({ holds: [{ key: more[0]?.key as never, reason: flood }] }), 'creates')).toBe('to approve 1 create')
  expect(label(view(), 'protected')).toBe('to approve it')
})

test('after a part of the plan was written, its ID approves nothing any more', () => {
  const { creates: approval } = planApprovals(view({ holds: creates }, { applied: everyOutcome }))
  expect(approval).toEqual({
    label: 'to approve all 3 creates (9 people)',
    text: 'to approve all 3 creates (9 people): run the command plan again, and use --allow with the ID that it shows',
  })
})

test('the commands of a comment name the workspace; the ID of the plan comes last', () => {
  const whole = view({ changes: [remove('ENG', 'old', 'guest', 'removed')], holds: [...creates, ...admins] })
  const commands = planMarkdown([whole])
    .split('\n')
    .filter((line) => line.startsWith('plane-group-sync '))
  const ids = admins.map(({ change }) => `--allow ${change?.id}`)
  expect(commands).toEqual([
    `plane-group-sync apply --workspace acme ${ids.join(' ')}`,
    `plane-group-sync apply --workspace acme --allow ${idOf(whole)}`,
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
    Array.from({ length: n }, (_, index) => held(create('workspace', `g${index}`, 'admin', { people: 1 }), protectedRole))
  const many = view({ holds: of(11) })
  expect(planMarkdown([many])).toContain('To approve all 11 protected changes (11 people):')
  expect(planMarkdown([many]).match(/^plane-group-sync .*/gm)).toEqual([`plane-group-sync apply --workspace acme --allow ${idOf(many)}`])
  expect(planMarkdown([view({ holds: of(10) })]).match(/--allow \w+/g)).toHaveLength(20)
})

test('a workspace with a strange name is one word of the shell', () => {
  const named = view({ holds: admins.slice(0, 1) }, { about: { ...about, workspace: "a'b $(c)" as WorkspaceName } })
  expect(planMarkdown([named])).toContain("apply --workspace 'a'\\''b $(c)' --allow")
  expect(applyWith('a b', ['1', '2'])).toBe("plane-group-sync apply --workspace 'a b' --allow 1 --allow 2")
  expect(exportUndeclared('-a')).toBe("export --workspace '-a' --undeclared")
})

const waived = (of: View): View => {
  const verdict: Verdict = {
    approved: true,
    plan: plan({ changes: [create('workspace', 'it-leads', 'admin')] }) as ApprovedPlan,
    waived: [{ ids: ['1047bc07'.repeat(4)], by: '*jo*', untilMs: nowMs + 60_000, source: '--allow' }],
  }
  return { ...of, verdict }
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
