import { expect, test } from 'vitest'
import { alsoPasses, type CountedSet } from '../../../src/render/alsoPasses.ts'
import { passingWith, type WaitingPlan } from '../../../src/render/approvable.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { workspaceOf } from '../../../src/render/json.ts'
import { statusHold } from '../../../src/render/statusEntries.ts'
import { waitingRows } from '../../../src/render/statusWorkspace.ts'
import { people } from '../bounds.ts'
import { at, create, held, inSet, nowMs, remove, settings, view } from './sample.ts'

const ids = (from: number, n: number) => Array.from({ length: n }, (_, index) => `${from + index}` as never)
const set = (name: CountedSet['over']['name'], changes: CountedSet['changes'], count = changes.length, more: object = {}): CountedSet => ({
  over: { name, count, limit: 10, setting: 'guards.deletes.count', ...more },
  changes,
})
const eleven = set('deletes', ids(0, 11))
const noSetting = { setting: 'no setting: only an approval lets them pass' }
const ofDeletes = { exceeds: 'deletes' }
const told = (sets: readonly CountedSet[], approved: CountedSet['changes']) => alsoPasses(sets, new Set(approved))
const rest = 'and are written, too, unless another limit holds them'

test.each<readonly [string, readonly CountedSet[], CountedSet['changes'], readonly string[]]>([
  ['one of eleven', [eleven], ids(0, 1), [`the other 10 changes of the limit deletes then fit into guards.deletes.count, ${rest}`]],
  ['one of twelve', [set('deletes', ids(0, 12))], ids(0, 1), []],
  ['all of them', [eleven], ids(0, 11), []],
  ['none of them', [eleven], [], []],
  [
    'the deletes beside those because a file is gone, which fit alone',
    [set('fileGone', ids(0, 5), 14, ofDeletes), set('deletes', ids(5, 9), 14)],
    ids(5, 9),
    [`the 5 changes of the limit fileGone then fit into guards.deletes.count, ${rest}`],
  ],
  [
    'the deletes beside those that exceed the limit alone',
    [set('fileGone', ids(0, 15), 15, ofDeletes), set('deletes', ids(15, 15))],
    ids(15, 15),
    [],
  ],
  ['one of those that would empty a list', [set('emptiesList', ids(0, 6), 6, { limit: 5, ...noSetting })], ids(0, 1), []],
  ['a part of what comes on top of a day', [set('day', ids(0, 3), 13, { setting: 'guards.day.deletes' })], ids(0, 2), []],
  ['one change of a set for people', [set('people', ids(0, 2), 120, { limit: 119, setting: 'guards.people.raise' })], ids(0, 1), []],
  [
    'the deletes beside which grants wait',
    [eleven, set('beside', ids(20, 12), 12, noSetting)],
    ids(0, 11),
    ['the 12 changes of the limit beside then do not wait, and are written, too, unless another limit holds them'],
  ],
  [
    'so many of these deletes that the rest fits',
    [eleven, set('beside', ids(20, 11), 11, noSetting)],
    ids(0, 1),
    [
      `the other 10 changes of the limit deletes then fit into guards.deletes.count, ${rest}`,
      'the 11 changes of the limit beside then do not wait, and are written, too, unless another limit holds them',
    ],
  ],
  [
    'deletes because files are gone, beside which grants wait',
    [set('fileGone', ids(0, 11), 11, ofDeletes), set('beside', ids(20, 12), 12, noSetting)],
    ids(0, 11),
    ['the 12 changes of the limit beside then do not wait, and are written, too, unless another limit holds them'],
  ],
  [
    'deletes of files beside which no grant waits, since they exceed the limit of a day',
    [set('fileGone', ids(40, 3), 13, { exceeds: 'day', setting: 'guards.day.deletes' }), eleven, set('beside', ids(20, 12), 12, noSetting)],
    ids(40, 3),
    [],
  ],
  ['too few of these deletes', [set('deletes', ids(0, 12)), set('beside', ids(20, 12), 12, noSetting)], ids(0, 1), []],
  [
    'one of two raises',
    [set('raises', ids(0, 2), 2, { limit: 1, setting: 'guards.raises.count' })],
    ids(0, 1),
    ['the other 1 change of the limit raises then fits into guards.raises.count, and is written, too, unless another limit holds it'],
  ],
])('of an approval of %s', (_, sets, approved, sentences) => {
  expect(told(sets, approved)).toEqual(sentences)
})

const deletes = Array.from({ length: 26 }, (_, index) =>
  remove('ENG', `a${String(index).padStart(2, '0')}`, 'guest', 'removed', at('t.yaml:1')),
)
const over = { name: 'deletes', count: 26, limit: 10, owned: 100, setting: 'guards.deletes.count', sentence: '26 deletes' } as const
const wide = remove('workspace', 'zz', 'guest', 'removed')
const staff = create('workspace', 'all-staff', 'admin', { size: people(40), ...at('acme.yaml:4') })
const ops = create('OPS', 'ops-a', 'admin', at('ops.yaml:2'))
const document = workspaceOf(
  view({
    holds: [
      ...inSet([...deletes, wide], over),
      ...[staff, ops].map((change) => held(change, { kind: 'approval', why: 'protectedRole' })),
      held(settings, { kind: 'approval', why: 'groupSync' }),
    ],
  }),
) as WaitingPlan
const shown = (of: WaitingPlan, id: string) => {
  const { sets, holds } = passingWith(of, [id])
  return waitingRows(
    { sets },
    holds.map((hold) => statusHold(hold, 'any')),
    canvasOf({ colour: false, width: 400 }, nowMs),
    true,
  )
}

test('a person who is asked sees what waits as the plan shows it: protected grants and wide changes first, and none left out', () => {
  const rows = shown(document, document.fingerprint)
  expect(rows.map((row) => row.replaceAll(/(?<=\S) +/g, ' '))).toEqual([
    '  ‼ workspace all-staff → admin 40 people acme.yaml:4',
    '  ‼ OPS ops-a → admin ops.yaml:2',
    '      both rows: protected role',
    expect.stringMatching(/^ {2}! settings auto-remove off → on · claim "groups" → "ad_groups" settings of the whole workspace/),
    '  limit deletes: 26 deletes',
    '  ! workspace zz = guest removed',
    ...Array.from({ length: 26 }, (_, n) => `  ! ENG a${`${n}`.padStart(2, '0')} = guest removed t.yaml:1`),
  ])
  expect(rows.join('\n')).not.toMatch(/--now|--allow|more/)
})

test('of one change of a set, the question shows its limit and this change', () => {
  const [first] = deletes
  expect(shown(document, first?.id ?? '')).toEqual(['  limit deletes: 26 deletes', '  ! ENG  a00 = guest  removed  t.yaml:1'])
  expect(passingWith(document, [first?.id ?? ''])).toMatchObject({ missing: 0, also: [] })
  const enough = deletes.slice(0, 17).map(({ id }) => id)
  expect(passingWith(document, enough).also).toHaveLength(1)
})

test('changes for which the document has no room are counted', () => {
  const cut = { ...document, holds: document.holds.filter(({ change }) => change?.id !== deletes[3]?.id) }
  expect([passingWith(cut, [document.fingerprint]).missing, passingWith(document, ['e'.repeat(32)]).holds]).toEqual([1, []])
})

test('the grants beside deletes that empty a list let these pass later: the list then has other mappings', () => {
  const noSetting = { setting: 'no setting' }
  const sets = [set('emptiesList', ids(0, 2), 2, noSetting), set('beside', ids(2, 12), 12, noSetting)]
  expect(alsoPasses(sets, new Set(ids(2, 12)))).toEqual([
    'once these grants exist, the 2 changes of the limit emptiesList may be written, too: the list is then not emptied',
  ])
  expect(alsoPasses(sets, new Set(ids(0, 1)))).toEqual([])
})
