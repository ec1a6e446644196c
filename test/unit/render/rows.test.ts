import { expect, test } from 'vitest'
import type { Hold, HoldReason } from '../../../src/core/hold.ts'
import type { GroupName, Key, MappingId, Role } from '../../../src/core/mapping.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { heldMark } from '../../../src/render/marks.ts'
import { changeRows, type HoldStyle, holdRows, unchangedRows } from '../../../src/render/rows.ts'
import { about, at, corp, create, nowMs, settings, target, unsure, view } from './sample.ts'

const canvas = (width: number) => canvasOf({ colour: false, width }, nowMs)
const style: HoldStyle = { mark: heldMark }
const shown = (holds: readonly Hold[], more: Partial<HoldStyle> = {}, width = 100, directories = [corp]) =>
  holdRows(holds, { ...style, ...more }, view({ holds }, { directories }), canvas(width)).lines
const unknown: HoldReason = { kind: 'groupUnknown', directories: ['corp'], mapped: false }
const role = 'guest' as Role
const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))

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
  const changes = many(70, (n) => create('ENG', `team-${10 + n}`, 'guest', at('teams/a.yaml:1')))
  const rows = changeRows(changes, about, canvas(100))
  expect(rows.shared).toBe(11)
  expect(rows.lines).toHaveLength(60)
  expect(rows.lines.at(-1)).toBe('  + 11 groups: team-69, team-70 … → guest  in ENG  11 changes  teams/a.yaml:1')
  expect(changeRows(changes, about, canvas(60)).lines.at(-1)).toBe('  + 11 groups → guest  in ENG  11 changes  teams/a.yaml:1')
})

test('holds of more different cures than there are rows share rows, and none is left out', () => {
  const holds = many(70, (n) => unsure('ENG', `g${n}`, { ...unknown, near: `near-${n}` }, at(`a.yaml:${n}`)))
  const lines = shown(holds, {}, 400)
  expect(lines.filter((line) => line.startsWith('  ?'))).toHaveLength(60)
  expect(lines.at(-1)).toMatch(
    /^ {2}\? 11 groups: g59, g60, g61 … {2}in ENG {2}11 changes, corp does not know this group; did you mean near-59\?, near-60\?, .* and near-69\?/,
  )
})

test('holds that wait for two directories have no line of their own for a reason that they do not share', () => {
  const directories = ['corp', 'lab'].map((name) => ({ ...corp, name, status: 'failed' as const, groups: 0 }))
  const holds = ['corp', 'lab'].map((of) => unsure('ENG', of, { kind: 'readingIncomplete', of, why: 'no' }))
  expect(shown(holds, {}, 100, directories)).toEqual(['  ? ENG  corp  waits for corp', '  ? ENG  lab  waits for lab'])
})

test('a row for several keys without a target names none', () => {
  const holds = many(61, (n): Hold => ({ key: `k${n}` as Key, reason: unknown }))
  expect(shown(holds).at(-3)).toMatch(/^ {2}\? 2 groups: k59, k60 {2}2 changes/)
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
  const holds = [unsure('ENG', 'a', unknown), unsure('ENG', 'b', unknown)]
  expect(holdRows(holds, style, view({ holds }), painted).lines.at(-1)).toMatch(/^<dim> {6}/)
})

test('the change of the settings has a row of its own beside the others', () => {
  const creates = many(61, (n) => create('ENG', `g${n}`, 'guest', at('a.yaml:1')))
  const { lines } = changeRows([...creates, settings], about, canvas(200))
  expect(lines).toHaveLength(60)
  expect(lines[0]).toMatch(/^ {2}⚙ /)
})

test('a protected grant in many projects takes the room of several, and the others share rows', () => {
  const single = many(55, (n) => create('workspace', `g${n}`, 'admin', at(`a.yaml:${n}`)))
  const wide = many(100, (n) => create(`PROJECT${n}`, 'wide', 'admin', at('b.yaml:1')))
  const { lines, shared } = changeRows([...single, ...wide], about, canvas(100))
  expect(shared).toBeGreaterThan(1)
  expect(lines.join('\n')).toContain('‼ wide → admin  in 100 projects')
  expect(lines.filter((line) => line.trim() === '')).toEqual([])
  expect(changeRows(single, about, canvas(100)).lines).toHaveLength(55)
})
