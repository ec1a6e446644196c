import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { Key } from '../../../src/core/mapping.ts'
import { changeEntry, holdEntries, type PlanEntry } from '../../../src/render/entry.ts'
import { heldMark } from '../../../src/render/marks.ts'
import { about, create, held, rename, settings, target, unsure, view } from './sample.ts'

const unread = { kind: 'readingIncomplete', of: 'corp', why: 'no' } as const
const ofChange = (change: Parameters<typeof changeEntry>[0]) => changeEntry(change, about.roles)
const ofHold = (hold: Hold) => holdEntries([hold], heldMark, view())[0] as PlanEntry

test.each<[string, PlanEntry, Pick<PlanEntry, 'target' | 'group' | 'people'>]>([
  ['a change', ofChange(create('ENG', 'devs', 'guest')), { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string }],
  [
    'a change of which it is known how many people it is for',
    ofChange(rename('ENG', 'old', 'devs', 'guest', 'guest', { people: 3 })),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string, people: 3 },
  ],
  ['the settings', ofChange(settings), {}],
  [
    'a change that waits',
    ofHold(held(create('ENG', 'devs', 'guest', { people: 3 }), unread)),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string, people: 3 },
  ],
  [
    'a key that cannot be judged',
    ofHold(unsure('ENG', 'devs', unread)),
    { target: target('ENG'), group: 'devs' as PlanEntry['group'] & string },
  ],
  ['a key of which neither target nor group is known', ofHold({ key: 'acme/all' as Key, reason: unread }), {}],
])('%s has its target, its group and its people, as far as they are known', (_which, entry, expected) => {
  const names = ['target', 'group', 'people'] as const
  expect(Object.fromEntries(names.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])))).toStrictEqual(expected)
})

test('a change that is written has no cure', () => {
  expect(ofChange(create('ENG', 'devs', 'guest'))).toMatchObject({ why: '', label: '', cure: '', sharedCure: '' })
})
