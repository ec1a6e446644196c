import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import type { Applied } from '../../../src/core/report.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import type { View } from '../../../src/render/view.ts'
import { counted, forPeople, people } from '../bounds.ts'
import { about, at, corp, create, hash, held, nowMs, patch, plan, remove, rename, settings, unsure, view } from './sample.ts'

const limit = { count: 0, share: 0, minExisting: 0 }
const sum = { creates: 0, raises: 0, lowers: 0, deletes: 0 }
const guards = {
  ...{ creates: limit, raises: limit, lowers: limit, deletes: limit, run: sum, day: sum, protectedGroups: [] },
  flapping: { rounds: 3, span: 1 },
}
const judging = { guards, roles: about.roles, tally: { run: sum, day: sum }, hash, waivers: [], dateMs: nowMs }

const times = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))
const effect = (n: number) => counted({ newly: n, raised: n, gainProtected: n, lowered: n, lost: n, raise: n, lose: n })
const withPeople = (change: Change, n: number): Change =>
  change.action === 'settings' ? change : { ...change, size: people(n), effect: effect(n) }
const of = at('acme.yaml:3')

const changesOf = (n: number): readonly Change[] => [
  ...times(n, (index) => withPeople(create('ENG', `new${index}`, 'member', of), n)),
  ...times(n, (index) => withPeople(patch('ENG', `up${index}`, 'guest', 'member', of), n)),
  ...times(n, (index) => withPeople(patch('OPS', `down${index}`, 'member', 'guest', of), n)),
  ...times(n, (index) => withPeople(rename('OPS', `old${index}`, `again${index}`, 'guest', 'guest', of), n)),
  ...times(n, (index) => withPeople(remove('ENG', `gone${index}`, 'guest', 'removed', of), n)),
  ...times(Math.min(n, 1), () => settings),
]

const reasons = (n: number): readonly HoldReason[] => [
  { kind: 'groupUnknown', directories: ['corp'], mapped: false },
  { kind: 'readingIncomplete', of: 'corp', why: 'the server ended the connection' },
  { kind: 'ambiguous', places: times(n, (index) => `ou=${index}`) },
  { kind: 'approval', why: 'protectedRole' },
  forPeople({ over: 'raise', people: n, limit: 0, setting: 'guards.people.raise', pass: `id:${n}` }),
  { kind: 'undeclared', policy: 'upsert-only' },
  { kind: 'flapping', rounds: n, sinceMs: 0 },
  { kind: 'anotherWriter', twins: n },
]

/** Plans in which everything that can be counted is there `n` times. */
function viewsOf(n: number): readonly View[] {
  const changes = changesOf(n)
  const owned = { projectRoles: n, workspaceRoles: n }
  const { holds: overLimits } = judge(plan({ changes, owned }), judging).plan
  const single = reasons(n).flatMap((reason, kind) => [
    ...times(n, (index) => unsure('ENG', `unsure${kind}${index}`, reason, of)),
    ...times(n, (index) => held(withPeople(create('OPS', `held${kind}${index}`, 'member', of), n), reason)),
  ])
  const holds = [...single, ...overLimits]
  const parts = { changes, holds, unchanged: n, owned, administrators: n }
  const outcomes: readonly Applied['results'][number]['outcome'][] = [
    { kind: 'done', mapping: 'm' },
    { kind: 'refused', status: 400, code: 'rejected', sentence: 'no' },
    { kind: 'unknown', why: 'no answer', lastByteMs: 0 },
  ]
  const results = outcomes.flatMap((outcome) => changes.map((change) => ({ change, outcome })))
  const more: Partial<View> = { directories: [{ ...corp, groups: n }], declaration: { hash: 'd', files: n } }
  const unread: Partial<View> = { ...more, directories: [{ ...corp, groups: n, status: 'partial', why: 'cut off' }] }
  return [
    view(parts, more),
    view(parts, unread),
    view({ ...parts, changes: [], holds: overLimits }, more),
    view(parts, { ...more, applied: { results, holds, left: changes } }),
    view({ ...parts, changes: [] }, more),
    view({ ...parts, holds: [] }, more),
  ]
}

const nouns =
  'calls|changes|creates|deletes|grants|lowerings|patches|renames|raises|directories|entries|failures|files|findings|groups|holds|mappings|names|people|places|projects|reasons|rows|rules|times|workspaces|writes'
/** `1 mappings`, `1 existing mappings`. */
const oneOfSeveral = new RegExp(`(?<![\\d,./-])1 (?:[a-z]+ )?(?:${nouns})\\b.*`, 'g')
const manyOfOne =
  /(?<![\d,./-])[02] (?:call|change|create|delete|file|finding|group|mapping|person|project|row|workspace)\b(?! or| mapping).*/g

test.each([0, 1, 2])('each number agrees with its noun if everything is there %i times', (n) => {
  for (const one of viewsOf(n)) {
    for (const text of [plansText([one], { colour: false, width: 200 }), planMarkdown([one])]) {
      expect(text.match(oneOfSeveral) ?? []).toEqual([])
      expect((text.match(manyOfOne) ?? []).filter((found) => !/^\d (?:create, \d raise|delete\))/.test(found))).toEqual([])
    }
  }
})
