import { expect, test } from 'vitest'
import type { Change, MappingChange } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { Later } from '../../../src/core/later.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { commentMax, planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { statusWorkspace } from '../../../src/render/statusWorkspace.ts'
import type { View } from '../../../src/render/view.ts'
import { isLong } from '../../long.ts'
import { people } from '../bounds.ts'
import { last, named } from './lastParts.ts'
import { at, create, held, inSet, nowMs, patch, remove, sixDeletes, view } from './sample.ts'

/* An outlier that would hide in a row with others: it has a row of its own in each section and format, however many changes there are. */

const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))
const of = (n: number) => ({ size: people(20 + (n % 7)), ...at(`teams.yaml:${4 + n}`) })
const outlier = { size: people(900), ...at('teams.yaml:3') }

/** Each makes the changes of `n` teams and of one other group, `zz-everyone` in OPS. */
type Make = (n: number) => readonly Change[]
const makes: readonly (readonly [string, Make])[] = [
  [
    'creates',
    (n) => [...many(n, (i) => create('ENG', `team-${10 + i}`, 'member', of(i))), create('OPS', 'zz-everyone', 'member', outlier)],
  ],
  [
    'creates of one rule',
    (n) => [
      ...many(n, (i) => create('ENG', `team-${10 + i}`, 'member', { size: people(20 + (i % 7)), ...at('teams.yaml:4') })),
      create('OPS', 'zz-everyone', 'member', { size: people(900), ...at('teams.yaml:4') }),
    ],
  ],
  [
    'raises',
    (n) => [
      ...many(n, (i) => patch('ENG', `team-${10 + i}`, 'guest', 'member', of(i))),
      patch('OPS', 'zz-everyone', 'guest', 'member', outlier),
    ],
  ],
  [
    'deletes',
    (n) => [
      ...many(n, (i) => remove('ENG', `team-${10 + i}`, 'member', 'removed', of(i))),
      remove('OPS', 'zz-everyone', 'member', 'removed', outlier),
    ],
  ],
  [
    'protected roles',
    (n) => [...many(n, (i) => create('ENG', `team-${10 + i}`, 'admin', of(i))), create('OPS', 'zz-everyone', 'admin', outlier)],
  ],
]
const plans = makes.map(([name, make]) => [name, (n: number) => make(n) as readonly MappingChange[]] as const)

const laterOf = (change: MappingChange): Later => ({
  key: change.key,
  group: change.group,
  target: change.target,
  because: change.because as Later['because'],
  atMs: Date.parse('2027-01-01T00:00:00Z'),
  why: 'starts',
  write: writeOf(change),
  ...(change.size === undefined ? {} : { size: change.size }),
})
function writeOf(change: MappingChange): Later['write'] {
  if (change.action === 'create') return { action: 'create', role: change.role }
  if (change.action === 'patch') return { action: 'patch', before: change.before, role: change.role }
  return { action: 'delete', before: change.before }
}
const sections: readonly (readonly [string, (changes: readonly MappingChange[]) => View])[] = [
  ['what will be applied', (changes) => view({ changes })],
  ['what is held', (changes) => view({ holds: changes.map((one) => held(one, { kind: 'suspended', what: 'all' })) })],
  ['what waits alone', (changes) => view({ holds: changes.map((one) => held(one, { kind: 'approval', why: 'protectedGroup' })) })],
  ['a set that waits', (changes) => view({ holds: inSet(changes, sixDeletes) })],
  ['what is undeclared', (changes) => view({ holds: changes.map((one) => held(one, { kind: 'undeclared', policy: 'sync' })) })],
  ['what comes later', (changes) => view({ later: changes.map(laterOf) })],
  [
    'what was written',
    (changes) => view({}, { applied: { results: changes.map((change) => ({ change, outcome: { kind: 'done' } })), holds: [], left: [] } }),
  ],
  [
    'what was refused',
    (changes) =>
      view(
        {},
        { applied: { results: changes.map((change) => ({ change, outcome: { kind: 'notSent', why: 'no route' } })), holds: [], left: [] } },
      ),
  ],
  ['what was not tried', (changes) => view({}, { applied: { results: [], holds: [], left: changes, stopped: 'signal' } })],
]

const own = /\bOPS\b.*zz-everyone.* (→|=) ?\w+/
const sizes = [15, 20, 60, 61, 500]
const cases = sizes.flatMap((size) =>
  plans.flatMap(([plan, make]) => sections.map(([section, viewOf]) => [size, plan, section, make, viewOf] as const)),
)

test.each(cases)('%d changes (%s): the outlier has a row of its own in %s', (size, _plan, section, make, viewOf) => {
  const one = viewOf(make(size - 1))
  const text = plansText([one], { colour: false, width: 200 })
  const markdown = planMarkdown([one])
  const showsPeople = !/was (written|refused)/.test(section)
  for (const output of [text, markdown]) {
    const rows = output.split('\n').filter((line) => line.includes('zz-everyone'))
    expect(rows).toHaveLength(1)
    expect(rows[0]?.replaceAll('`', '')).toMatch(own)
    expect(rows[0]).not.toContain('groups')
    if (showsPeople) expect(rows[0]).toContain('900 people')
  }
  expect(text.split('\n').filter((line) => /^  \S .*(team-\d\d+|\d groups)/.test(line)).length).toBe(Math.min(59, size - 1))
})

test.each(sizes)('status shows the outlier among %d holds', (size) => {
  const [, make] = plans[0] as (typeof plans)[number]
  const holds: readonly Hold[] = make(size - 1).map((one) => held(one, { kind: 'suspended', what: 'all' }))
  const [workspace] = last([[view({ holds }, named('beta')), 'incomplete']]).workspaces
  const lines = statusWorkspace(workspace as NonNullable<typeof workspace>, [], canvasOf({ colour: false, width: 200 }, nowMs))
  expect(lines.filter((line) => line.includes('zz-everyone'))).toEqual([expect.stringMatching(/OPS.*zz-everyone.*900 people/)])
  expect(lines.filter((line) => /^  \S .*(team-\d\d+|\d groups)/.test(line)).length).toBe(Math.min(59, size - 1))
})

test('a role in the workspace or in all projects shares no row with one in projects', () => {
  const changes: readonly Change[] = [
    ...many(200, (n) => create('ENG', `team-${n}`, 'member', of(n))),
    ...many(200, (n) => create('workspace', `wide-${n}`, 'member', of(n))),
    ...many(200, (n) => create('*', `all-${n}`, 'member', of(n))),
  ]
  const shared = plansText([view({ changes })], { colour: false, width: 200 })
    .split('\n')
    .filter((line) => /^ {2}\S .*\d groups/.test(line))
  expect(shared.map((line) => /groups: (\w+)-\d+.* in (\w+)/.exec(line)?.slice(1))).toEqual([
    ['wide', 'workspace'],
    ['all', 'all'],
    ['team', 'ENG'],
  ])
})

test.each([[commentMax.least, 30_000], [commentMax.usual, 65_536], ...(isLong ? [340_000, 1_000_000].map((bound) => [bound, bound]) : [])])(
  'a bound of %d characters is kept, and used',
  (lengthMax, most) => {
    const changes = many(Math.ceil(lengthMax / 50), (n) => create(`P${n % 90}`, `team-${n}`, 'member', of(n)))
    const holds = many(200, (n) => held(create('workspace', `leads-${n}`, 'admin', of(n)), { kind: 'approval', why: 'protectedRole' }))
    const markdown = planMarkdown([view({ changes, holds })], { lengthMax })
    expect(markdown.length).toBeLessThanOrEqual(most)
    expect(markdown.length).toBeGreaterThan(most / 3)
    expect(markdown).toMatch(/in rows for several groups \(`--format text --all` shows each\)/)
    // A character of the step summary takes up to three bytes in UTF-8.
    if (lengthMax === 340_000) expect(3 * most).toBeLessThan(1024 ** 2)
  },
)

test('a plan that fits is not folded in a larger bound', () => {
  const changes = many(2_000, (n) => create(`P${n % 90}`, `team-${n}`, 'member', of(n)))
  const rows = (lengthMax: number) => planMarkdown([view({ changes })], { lengthMax }).match(/^\| \+ /gm)?.length ?? 0
  expect(rows(commentMax.usual)).toBeLessThan(1_000)
  expect(rows(1_000_000)).toBe(2_000)
})
