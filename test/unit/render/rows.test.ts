import { expect, test } from 'vitest'
import type { Hold, HoldReason } from '../../../src/core/hold.ts'
import type { GroupName, Key, MappingId, Role } from '../../../src/core/mapping.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { heldMark } from '../../../src/render/marks.ts'
import { changeRows, type HoldStyle, holdRows, unchangedRows } from '../../../src/render/rows.ts'
import { about, at, corp, create, nowMs, settings, target, unsure, view } from './sample.ts'

const canvas = (width: number) => canvasOf({ colour: false, width }, nowMs)
const style: HoldStyle = { mark: heldMark, neverCut: () => false, rowsMax: 100 }
const shown = (holds: readonly Hold[], more: Partial<HoldStyle> = {}, width = 100, directories = [corp]) =>
  holdRows(holds, { ...style, ...more }, view({ holds }, { directories }), canvas(width))
const unknown: HoldReason = { kind: 'groupUnknown', directories: ['corp'], mapped: false }
const role = 'guest' as Role

test('one mapping that stays is one line', () => {
  const mapping = {
    key: 'k' as Key,
    group: 'devs' as GroupName,
    target: target('ENG'),
    id: 'm1' as MappingId,
    role,
    because: at('a.yaml:1').because,
  }
  expect(unchangedRows([mapping], canvas(80))).toEqual(['  = ENG  devs = guest  a.yaml:1'])
})

test('a row for several groups names them if there is room', () => {
  const changes = ['team-a', 'team-b', 'team-c'].map((group) => create('ENG', group, 'guest', at('teams/a.yaml:1')))
  expect(changeRows(changes, about, canvas(100), 1)).toEqual({
    lines: ['  + 3 groups: team-a, team-b … → guest  in ENG  3 changes  teams/a.yaml:1'],
    shared: 3,
  })
  expect(changeRows(changes, about, canvas(60), 1).lines).toEqual(['  + 3 groups → guest  in ENG  3 changes  teams/a.yaml:1'])
})

test('holds of more different cures than there are rows are counted', () => {
  const holds = [
    unsure('ENG', 'a', unknown),
    unsure('ENG', 'b', { kind: 'clocksDiffer' }),
    unsure('ENG', 'c', { kind: 'suspended', what: 'all' }),
    unsure('ENG', 'd', { kind: 'suspended', what: 'all' }),
  ]
  const lines = shown(holds, { rowsMax: 2 })
  expect(lines.filter((line) => line.startsWith('  ?'))).toHaveLength(2)
  expect(lines.at(-1)).toBe('  … and 2 more (--all shows each)')
})

/** Twelve or more holds with one cure. Those with `before` are of existing mappings. */
const alike = (count: number, existing: readonly number[]): readonly Hold[] =>
  Array.from({ length: count }, (_, n) => ({
    ...unsure('ENG', `g${n}`, unknown, at(`a.yaml:${n}`)),
    would: existing.includes(n) ? { action: 'patch', before: 'member' as Role, role } : { action: 'create', role },
  }))
const groupsOf = (lines: readonly string[]) => lines.flatMap((line) => /^ {2}\? (?:ENG +)?(g\d+|\d+ groups)/.exec(line)?.[1] ?? [])

test('twelve holds with one cure have a row each, in their order', () => {
  expect(groupsOf(shown(alike(12, [5, 9])))).toEqual(Array.from({ length: 12 }, (_, n) => `g${n}`))
})

test('more than twelve share rows; those of existing mappings come first', () => {
  expect(groupsOf(shown(alike(40, [20, 30, 39])))).toEqual(['3 groups', '37 groups'])
  const places = (n: number) => at(`dir${n}/a.yaml:${n}`)
  const apart = alike(14, [5, 9]).map((hold, n) => ({ ...hold, ...places(n), ...unsure('ENG', `g${n}`, unknown, places(n)) }))
  expect(shown(apart)[0]).toContain('14 groups: g5, g9, g0')
})

test('holds that wait for two directories have no line of their own for a reason that they do not share', () => {
  const directories = ['corp', 'lab'].map((name) => ({ ...corp, name, status: 'failed' as const, groups: 0 }))
  const holds = ['corp', 'lab'].map((of) => unsure('ENG', of, { kind: 'readingIncomplete', of, why: 'no' }))
  expect(shown(holds, {}, 100, directories)).toEqual(['  ? ENG  corp  waits for corp', '  ? ENG  lab  waits for lab'])
})

test('a row for several keys without a target names none', () => {
  const holds = Array.from({ length: 13 }, (_, n): Hold => ({ key: `k${n}` as Key, reason: unknown }))
  expect(shown(holds)[0]).toMatch(/^ {2}\? 13 groups: k0, k1, k2, k3 … {2}13 changes/)
})

test('the change of the settings has a row of its own beside the others', () => {
  const creates = ['a', 'b'].map((group) => create('ENG', group, 'guest', at('a.yaml:1')))
  expect(changeRows([...creates, settings], about, canvas(200), 2).lines.map((line) => line.slice(0, 4))).toEqual(['  ⚙ ', '  + ', '  + '])
})

test('lines that only help are dim', () => {
  const painted = { ...canvas(80), paint: (of: string, text: string) => (of === 'plain' ? text : `<${of}>${text}`) }
  const mapping = {
    key: 'k' as Key,
    group: 'devs' as GroupName,
    target: target('ENG'),
    id: 'm1' as MappingId,
    role,
    because: at('a.yaml:1').because,
  }
  expect(unchangedRows([mapping], painted)).toEqual(['  <dim>= ENG  devs = guest  <dim>a.yaml:1'])
  const holds = [unsure('ENG', 'a', unknown), unsure('ENG', 'b', { kind: 'clocksDiffer' })]
  expect(holdRows(holds, { ...style, rowsMax: 1 }, view({ holds }), painted).at(-1)).toBe('  <dim>… and 1 more (--all shows each)')
})

test('a protected grant in many projects takes the room of several, and the others are counted', () => {
  const single = Array.from({ length: 55 }, (_, n) => create('workspace', `g${n}`, 'admin', at(`a.yaml:${n}`)))
  const wide = Array.from({ length: 100 }, (_, n) => create(`PROJECT${n}`, 'wide', 'admin', at('b.yaml:1')))
  const { lines } = changeRows([...single, ...wide], about, canvas(100), 5)
  expect(lines.filter((line) => line.includes('more change'))).not.toEqual([])
  expect(lines.at(-1)).toContain('--all shows each of them')
  expect(lines.filter((line) => line.trim() === '')).toEqual([])
  expect(changeRows(single, about, canvas(100), 5).lines).toHaveLength(55)
})
