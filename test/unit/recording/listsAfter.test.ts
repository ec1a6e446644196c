import { describe, expect, test } from 'vitest'
import type { MappingChange } from '../../../src/core/change.ts'
import { type GroupName, type Key, keyOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { type Lists, listsAfter } from '../../../src/recording/listsAfter.ts'
import { acme, complete, failed, target } from '../core/smallWorld.ts'

const eng = target('ENG')
const mapping = (id: string, group: string, role: string | null): Mapping => ({
  id: id as MappingId,
  group: group as GroupName,
  key: keyOf(acme, eng, group as GroupName),
  target: eng,
  role: role as Role | null,
})
const lists: Lists = new Map([['projectRoles', complete([mapping('1', 'devs', 'guest'), mapping('2', 'ops', 'member')])]])
const about = (group: string) => ({ id: 'c', requires: [], group, target: eng, key: keyOf(acme, eng, group as GroupName) })
const change = (group: string, body: object) => ({ ...about(group), ...body }) as unknown as MappingChange
const done = (more: object = {}): Outcome => ({ kind: 'done', ...more })
const rows = (after: Lists) => {
  const reading = after.get('projectRoles')
  return reading === undefined || reading.status === 'failed'
    ? reading?.status
    : [reading.status, ...reading.value.map(({ id, group, key, role }) => `${id} ${group} ${role} ${key}`)]
}
const untouched = rows(lists)
const row = (id: string, group: string, role: string) => `${id} ${group} ${role} acme/project/ENG/${group}`

describe('a list after a write', () => {
  test.each([
    [
      'a create',
      change('new', { action: 'create', role: 'member' }),
      done({ mapping: '3' }),
      [row('1', 'devs', 'guest'), row('2', 'ops', 'member'), row('3', 'new', 'member')],
    ],
    [
      'a create that was stored otherwise',
      change('New', { action: 'create', role: 'member' }),
      done({ mapping: '3', echoed: 'contributor', storedKey: 'acme/project/ENG/new' as Key }),
      [row('1', 'devs', 'guest'), row('2', 'ops', 'member'), row('3', 'new', 'contributor')],
    ],
    [
      'a patch',
      change('devs', { action: 'patch', mapping: '1', before: 'guest', role: 'admin' }),
      done(),
      [row('2', 'ops', 'member'), row('1', 'devs', 'admin')],
    ],
    [
      'a rename',
      change('crew', { action: 'rename', mapping: '1', fromGroup: 'devs', before: 'guest', role: 'guest' }),
      done(),
      [row('2', 'ops', 'member'), row('1', 'crew', 'guest')],
    ],
    ['a delete', change('devs', { action: 'delete', mapping: '1', before: 'guest', why: 'removed' }), done(), [row('2', 'ops', 'member')]],
  ] as const)('%s', (_, made, outcome, expected) => {
    expect(rows(listsAfter(lists, made, outcome))).toEqual(['complete', ...expected])
  })

  test('lacks a mapping of which Plane says that it is gone', () => {
    const gone = { kind: 'refused', status: 404, code: 'gone', sentence: '' } as const
    for (const action of ['delete', 'patch', 'rename'])
      expect(rows(listsAfter(lists, change('devs', { action, mapping: '1', role: 'admin' }), gone))).toEqual([
        'complete',
        row('2', 'ops', 'member'),
      ])
  })

  test('is incomplete if Plane has something else than was read', () => {
    const conflict = { kind: 'refused', status: 409, code: 'conflict', sentence: '' } as const
    expect(rows(listsAfter(lists, change('new', { action: 'create', role: 'member' }), conflict))?.[0]).toBe('partial')
  })

  test('is incomplete if the answer to a create does not name the mapping', () => {
    expect(rows(listsAfter(lists, change('new', { action: 'create', role: 'member' }), done()))).toEqual([
      'partial',
      ...(untouched as string[]).slice(1),
    ])
  })

  test.each([
    [
      'a refused write',
      change('devs', { action: 'delete', mapping: '1' }),
      { kind: 'refused', status: 403, code: 'forbidden', sentence: '' },
    ],
    ['an unknown outcome', change('new', { action: 'create', role: 'member' }), { kind: 'unknown', why: '', lastByteMs: 0 }],
    ['an answer that names an old mapping', change('new', { action: 'create', role: 'member' }), done({ mapping: '1' })],
  ] as const)('stays as it is after %s', (_, made, outcome) => {
    expect(rows(listsAfter(lists, made, outcome))).toEqual(untouched)
  })

  test('of which nothing was read stays unread', () => {
    const made = change('new', { action: 'create', role: 'member' })
    expect(rows(listsAfter(new Map(), made, done({ mapping: '3' })))).toBeUndefined()
    expect(rows(listsAfter(new Map([['projectRoles', failed]]), made, done({ mapping: '3' })))).toBe('failed')
  })
})
