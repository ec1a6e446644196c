import { describe, expect, test } from 'vitest'
import { pastRows, type Unsure } from '../../../src/core/access/access.ts'
import type { Key, MappingId, Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import type { Edit } from '../../../src/core/memory/seen.ts'
import { notFoundText, type ReportFilter, type ReportView, reportDocument } from '../../../src/render/reportDocument.ts'
import { reportText } from '../../../src/render/reportText.ts'
import { acme, roles } from '../core/smallWorld.ts'

const day = Date.parse('2026-11-03T02:00:00Z')
const keyOf = (group: string) => `acme/project/ENG/${group}` as Key
const everything: ReportFilter = { roles: [], owners: [], groups: [] }
const first: Entry = {
  ...{ kind: 'seen', run: 'r', atMs: day, workspace: acme, list: 'projectRoles', readMs: day - 1, first: true },
  mappings: {
    ['m1' as MappingId]: { key: keyOf('devs'), role: 'member' as Role },
    ['m2' as MappingId]: { key: keyOf('ops'), role: 'admin' as Role },
    ['m3' as MappingId]: { key: keyOf('old'), role: null },
  },
}
const span = { afterMs: day + 60_000, atMs: day + 180_000 }

function viewed(unsure: Readonly<Record<string, Unsure>> = {}, edits?: readonly Edit[]): ReportView {
  const { seen } = remember(emptyMemory, first, 100)
  const rows = pastRows(acme, {
    seen,
    written: new Map(),
    unsure: new Map(Object.entries(unsure).map(([id, change]) => [id as MappingId, change])),
  })
  return {
    ...{ atMs: day + 100_000, from: 'journal', service: { host: 'plane.example', slugs: {} } },
    workspaces: [{ workspace: acme, lists: [], rows, roles, ...(edits === undefined ? {} : { edits }) }],
  }
}
const report = (filter: Partial<ReportFilter>, unsure?: Readonly<Record<string, Unsure>>, edits?: readonly Edit[]) =>
  reportDocument(viewed(unsure, edits), { ...everything, ...filter })
const idsOf = ({ workspaces }: ReturnType<typeof report>) => workspaces.flatMap(({ rows }) => rows.map(({ id }) => id))

describe('a filter chooses', () => {
  test.each([
    [{}, ['m1', 'm3', 'm2']],
    [{ roles: ['member'] }, ['m1']],
    [{ roles: ['member', 'no role'] }, ['m1', 'm3']],
    [{ groups: ['ops'] }, ['m2']],
    [{ roles: ['member'], groups: ['ops'] }, []],
  ] as const)('%j', (filter, ids) => expect(idsOf(report(filter))).toEqual(ids))

  test('what may have had another role or another group', () => {
    const moved = { m1: { ...span, key: keyOf('web'), role: 'guest' as Role } }
    expect(idsOf(report({ groups: ['web'] }, moved))).toEqual(['m1'])
    expect(idsOf(report({ roles: ['guest'] }, moved))).toEqual(['m1'])
    expect(idsOf(report({ roles: ['admin'] }, moved))).toEqual(['m2'])
  })
  test('edits by both roles and both groups', () => {
    const edit: Edit = { ...span, by: 'others', mapping: 'm1' as MappingId, key: keyOf('web'), from: keyOf('devs'), before: null }
    const edited = (filter: Partial<ReportFilter>) => report(filter, {}, [edit]).workspaces[0]?.edits?.length
    expect(edited({ groups: ['devs'] })).toBe(1)
    expect(edited({ groups: ['web'] })).toBe(1)
    expect(edited({ roles: ['no role'] })).toBe(1)
    expect(edited({ roles: ['member'] })).toBe(0)
    expect(edited({ owners: ['team'] })).toBeUndefined()
  })
})

test.each([
  [{}, ''],
  [{ roles: ['member', 'no role'], groups: ['ops'] }, ''],
  [{ roles: ['membr'] }, 'no mapping has the role "membr"; did you mean "member"?\n'],
  [{ roles: ['admin', 'owner'] }, 'no mapping has the role "owner"; they have admin, member, no role\n'],
  [{ owners: ['team-x'] }, 'no mapping is known to have a rule of the owner "team-x"\n'],
  [{ groups: ['Ops'] }, 'no mapping is of the group "Ops"; did you mean "ops"? (It differs only in letter case.)\n'],
] as const)('%j names what no row has', (filter, said) => expect(notFoundText(viewed(), { ...everything, ...filter })).toBe(said))

test('a rule that is not known counts, if role and group are asked for', () => {
  expect(report({ owners: ['team'] }).workspaces[0]?.withoutRule).toBe(3)
  expect(report({ owners: ['team'], roles: ['admin'] }).workspaces[0]?.withoutRule).toBe(1)
  expect(report({ owners: ['team'], roles: ['guest'] }).workspaces[0]?.withoutRule).toBeUndefined()
  expect(report({ roles: ['admin'] }).workspaces[0]?.withoutRule).toBeUndefined()
})

describe('what is not certain is told in words', () => {
  test.each([
    [{ role: 'admin' as Role, key: keyOf('devs') }, 'it became admin between'],
    [{ role: 'member' as Role, key: keyOf('web') }, 'it became ENG web = member between'],
    [{}, 'it was taken away between'],
    [{ role: 'guest' as Role, key: keyOf('devs'), isNew: true as const }, 'it was made between'],
  ])('%j', (change, words) => {
    const text = reportText(report({}, { m1: { ...span, ...change } }), { colour: false, width: 200 })
    expect(text).toContain(`not certain: ${words} 2026-11-03 02:01 and 02:03 UTC`)
  })
})
