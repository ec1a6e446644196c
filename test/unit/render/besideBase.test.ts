import { describe, expect, test } from 'vitest'
import { endOfDatesMs, type Later } from '../../../src/core/later.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import type { RecordedView, View } from '../../../src/render/view.ts'
import { people } from '../bounds.ts'
import { about, at, create, held, nowMs, plan, remove, unsure, view } from './sample.ts'

/* What a reviewer reads of a branch beside its base. */

const nothing = { changes: [], holds: [], later: [], findings: [] }
type Gone = Partial<Pick<Plan, 'changes' | 'holds' | 'later'>>
const beside = (parts: Partial<Plan> = {}, gone: Gone = {}, recorded: Partial<RecordedView> = {}): View =>
  view(parts, {
    difference: { gone: { ...nothing, ...gone }, same: nothing, left: [] },
    recorded: { takenMs: nowMs, ageMs: 60_000, differs: [], base: { name: 'main', behind: 0, invalid: false }, ...recorded },
  })
const named = (name: string, of: View): View => ({ ...of, about: { ...about, workspace: name as WorkspaceName } })
const firstLine = (...views: readonly View[]) => planMarkdown(views).split('\n', 1)[0]
const one = { changes: [create('ENG', 'devs', 'member', { size: people(3), ...at('a.yaml:1') })] }

describe('the first line says what the branch does', () => {
  test('in one workspace, and in several', () => {
    expect(firstLine(beside(one))).toBe('### `acme`: 1 create, 0 raise, 0 lower, 0 delete · 146 unchanged')
    expect(firstLine(named('a', beside()), named('b', beside(one)))).toMatch(/^\*\*2 workspaces: 1 with changes, 1 without a new change · /)
    expect(
      planMarkdown([beside(one)])
        .split('\n')
        .at(-1),
    ).toMatch(/^<sub>What this change does beside main; from a recording of .*<\/sub>$/)
  })
  test('nothing, once', () => {
    const whole = planMarkdown([named('a', beside()), named('b', beside())])
    expect(whole.split('\n\n')).toEqual(['**Nothing changes for anyone** (2 workspaces): `a`, `b`', expect.stringMatching(/^<sub>/)])
  })
  test.each<[string, Partial<RecordedView>]>([
    ['other settings count', { differs: ['policy'] }],
    ['these cannot be compared', { differs: 'invalid' }],
    ['the base cannot be used', { base: { name: 'main', behind: 0, invalid: true } }],
    ['the branch is behind its base', { base: { name: 'main', behind: 2, invalid: false } }],
  ])('but that %s', (_, recorded) => expect(planMarkdown([beside(one, {}, recorded)])).toMatch(/^> \[!NOTE\]\n> (?:What|The files)/))
  test('not that there is no change if dates will bring some', () => {
    const row = {
      ...{ group: 'devs', target: { kind: 'workspace' }, key: 'acme/workspace/devs', atMs: nowMs + 1, why: 'starts' },
      ...{ write: { action: 'create', role: 'admin' }, allowProtected: true, ...at('a.yaml:1') },
    } as unknown as Later
    const later = beside({ later: [row], laterUntilMs: endOfDatesMs })
    expect(firstLine(named('a', later), named('b', beside()))).toBe(
      '**2 workspaces: 1 with changes at later dates only, 1 without a new change · 1 later (1 protected), 292 unchanged**',
    )
    expect(firstLine(later)).toBe('### `acme`: nothing to write now: 1 later (1 protected)')
    expect(planMarkdown([later])).toContain('**Later (1, 1 protected)**')
    const guest = { ...row, write: { action: 'create', role: 'guest' } } as Later
    expect(planMarkdown([beside({ later: [guest], laterUntilMs: endOfDatesMs })])).toContain('<details open><summary>Later (1)</summary>')
    expect(plansText([later], { colour: false, width: 200 })).toMatch(/\nnothing to write now: 1 later \(1 protected\)$/)
  })
})

test('workspaces in which the branch does nothing come last', () => {
  const unread = { ...beside(), directories: [{ ...(view().directories[0] as View['directories'][number]), status: 'partial' as const }] }
  const titles = planMarkdown([named('a', unread), named('b', { ...beside(one), directories: unread.directories })]).match(/^### `.`/gm)
  expect(titles).toEqual(['### `b`', '### `a`'])
})

test('what the branch holds is not folded, unless it is much', () => {
  const unknown = (n: number) =>
    Array.from({ length: n }, (_, index) => unsure('ENG', `g${index}`, { kind: 'groupUnknown', directories: ['corp'], mapped: false }))
  expect(planMarkdown([beside({ holds: unknown(10) })])).toContain('<details open><summary>Held (10)')
  expect(planMarkdown([beside({ holds: unknown(11) })])).toContain('<details><summary>Held (11)')
  expect(planMarkdown([view({ holds: unknown(1) })])).toContain('<details><summary>Held (1)')
})

test('what is done to a mapping stands once, not also as what it was held for', () => {
  const taken = remove('ENG', 'devs', 'member', 'undeclared')
  const holds = [held(taken, { kind: 'readingIncomplete', of: 'corp', why: 'it was cut off' })]
  const other = unsure('OPS', 'devs', { kind: 'undeclared', policy: 'sync' })
  const [text, markdown] = [
    plansText([beside({ changes: [taken] }, { holds: [...holds, other] })], { colour: false, width: 200 }),
    planMarkdown([beside({ changes: [taken] }, { holds: [...holds, other] })]),
  ]
  for (const shown of [text, markdown]) {
    expect(shown).not.toContain('No longer held')
    expect(shown).toContain('Declared now, by this change')
  }
  expect(planMarkdown([beside({}, { holds })])).toContain('No longer held')
  const undeclared = unsure('ENG', 'devs', { kind: 'undeclared', policy: 'sync' })
  expect(planMarkdown([beside({ holds: [undeclared] }, { holds })])).not.toContain('No longer held')
})

test('says when people feel it, and not what the rest of the plan costs', () => {
  const text = (of: View) => plansText([of], { colour: false, width: 200 })
  expect(text(beside(one))).toContain('\nTakes effect at the next login or within 2 h.\n')
  expect(text(view(one))).toMatch(/\nTakes effect at the next login or within 2 h\. \d+ calls, /)
  expect(plan(one).changes).toHaveLength(1)
})
