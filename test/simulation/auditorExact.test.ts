import { expect, test } from 'vitest'
import { openExact } from './audit/exact.ts'
import type { DeclaredWorkspace } from './declared.ts'
import { basicSpec } from './generate.ts'
import type { StoredRow } from './service.ts'
import type { Guards, Spec } from './spec.ts'

const rowsOf = (name: string, count: number, role: string): StoredRow[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${name}-${n}`, group: `${name}-${n}`, at: 'ENG', role, project: 'eng' }))
const guards: Guards = { creates: 100, raises: 100, lowers: 2, deletes: 100, day: 100 }
/** Three lowerings, and so many creates. */
const before = [...rowsOf('low', 3, 'member'), ...rowsOf('same', 40, 'member')]
const lowered = [...rowsOf('low', 3, 'guest'), ...rowsOf('same', 40, 'member')]

type Cycle = {
  readonly creates?: number
  readonly outcome?: string
  readonly isOrdered?: boolean
  readonly isApproved?: boolean
  readonly more?: Partial<Guards>
  readonly exact?: boolean
}

/** What the auditor says of one cycle that leaves these rows. */
function wrongs(
  after: readonly StoredRow[],
  { creates = 0, outcome = 'acme waiting', isOrdered = false, isApproved = false, more = {}, exact = true }: Cycle = {},
): readonly string[] {
  const declared: DeclaredWorkspace = {
    name: 'acme',
    projectRoles: [...lowered, ...rowsOf('new', creates, 'member')].map(({ group, at, role }) => ({ group, at, role })),
    removed: [],
    unmanaged: [],
  }
  const spec: Spec = {
    ...basicSpec(1),
    guards: { ...guards, ...more },
    versions: [{ atMs: 0, declared: { comment: '', workspaces: [declared] } }],
    ...(exact ? { exact } : {}),
  }
  let rows: readonly StoredRow[] = before
  const audit = openExact(
    spec,
    () => rows,
    ({ does }) => isApproved && does === 'patch',
  )
  const begun = [...audit.hear({ atMs: 0, is: 'cycle', process: 0, ...(isOrdered ? { isOrdered } : {}) })]
  rows = after
  return [...begun, ...audit.hear({ atMs: 1, is: 'cycled', process: 0, outcome, judged: ['acme'] })]
}
const success = { outcome: 'acme success' }

test('what exceeds a limit waits, and a cycle says so', () => {
  expect(wrongs(before)).toEqual([])
  expect(wrongs(before, success)).toEqual(['ended as acme success instead of acme waiting'])
  expect(wrongs(lowered, success)).toEqual(['wrote 3 lowers in acme, and 0 do not exceed a limit'])
  expect(wrongs([...lowered.slice(0, 2), ...before.slice(2)])).toEqual(['wrote 2 lowers in acme, and 0 do not exceed a limit'])
})

test('what does not exceed a limit is written, and so is what was approved', () => {
  expect(wrongs(lowered, { ...success, more: { lowers: 3 } })).toEqual([])
  expect(wrongs(before, { more: { lowers: 3 } })).toEqual(['wrote 0 lowers of 3 that do not exceed a limit'])
  expect(wrongs(lowered, { ...success, isApproved: true })).toEqual([])
  expect(wrongs(before, { isApproved: true })).toEqual([0, 1, 2].map((n) => `did not write acme ENG low-${n}, which was approved`))
})

test('of a day only the rest is written', () => {
  const more = { lowers: 3, day: 2 }
  expect(wrongs([...lowered.slice(0, 2), ...before.slice(2)], { more })).toEqual([])
  expect(wrongs(lowered, { ...success, more })).toEqual(['wrote 3 lowers, and 2 do not exceed a limit'])
})

test('ten grants are written beside a set that waits, and eleven wait', () => {
  const made = (creates: number) => [...before, ...rowsOf('new', creates, 'member')]
  expect(wrongs(made(10), { creates: 10 })).toEqual([])
  expect(wrongs(before, { creates: 11 })).toEqual([])
  expect(wrongs(made(11), { creates: 11 })).toEqual(['wrote 11 creates in acme, and 0 do not exceed a limit'])
})

test('the cycle of an order may write less; in other worlds nothing is checked', () => {
  expect(wrongs(before, { isOrdered: true, more: { lowers: 3 } })).toEqual([])
  expect(wrongs(lowered, { exact: false })).toEqual([])
})
