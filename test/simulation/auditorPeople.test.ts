import { expect, test } from 'vitest'
import type { Allowance } from './audit/approvals.ts'
import { openPeople } from './audit/people.ts'
import type { Write } from './audit/write.ts'
import { type DeclaredWorkspace, keyOf } from './declared.ts'
import { basicSpec } from './generate.ts'
import type { StoredRow } from './service.ts'
import type { PeopleLimits, Row, Spec } from './spec.ts'

const rowOf = (text: string): StoredRow => {
  const [group = '', role = ''] = text.split(' ')
  return { id: group, group, at: 'ENG', role, project: 'eng' }
}

type Scene = {
  readonly limits: PeopleLimits
  /** Group → its people, as one letter each. */
  readonly members: Readonly<Record<string, string>>
  /** `group role`, all in one project. */
  readonly before?: readonly string[]
  readonly declares?: readonly string[]
  readonly isRead?: boolean
  readonly approvals?: readonly Allowance[]
}

/** One process under `exclusive`, and what the auditor says of its cycles. */
function audited({ limits, members, before = [], declares = [], isRead = true, approvals = [] }: Scene) {
  const rules = declares.map(rowOf).map(({ group, at, role }) => ({ group, at, role, allowProtected: true }))
  const declared: DeclaredWorkspace = { name: 'acme', projectRoles: rules, removed: [], unmanaged: [] }
  const spec: Spec = {
    ...basicSpec(1),
    ...{ policy: 'exclusive', projects: ['ENG', 'OPS'], rows: { acme: [] }, groups: { corp: Object.keys(members) } },
    people: { limits, isCalm: true, members: {} },
    versions: [{ atMs: 0, declared: { comment: '', workspaces: [declared] } }],
  }
  let rows: readonly StoredRow[] = before.map(rowOf)
  let request = 0
  const audit = openPeople(spec, { rows: () => rows, approvals: () => approvals, made: () => true })
  const told = (event: Parameters<typeof audit.hear>[0]) => [...audit.hear(event)]
  told({ atMs: 0, is: 'start', process: 0, mode: 'daemon', skewMs: 0, drift: 0, folder: 'state' })
  return {
    begin(now: Readonly<Record<string, string>> = members): void {
      told({ atMs: 1, is: 'cycle', process: 0 })
      told({ atMs: 1, is: 'declared', process: 0, versions: [0, 0] })
      const of = Object.fromEntries(Object.entries(now).map(([group, people]) => [group, people.split('')]))
      if (isRead) told({ atMs: 1, is: 'members', process: 0, of })
    },
    /** `group role` is granted; `group` alone is deleted. */
    write(text: string, allowances: readonly Allowance[] = []): readonly string[] {
      const [group = '', role] = text.split(' ')
      const old = rows.find((row) => row.group === group)
      const after: Row | undefined = role === undefined ? undefined : { group, at: 'ENG', role }
      const does = after === undefined ? 'delete' : old === undefined ? 'create' : 'patch'
      const about = {
        request: ++request,
        process: 0,
        workspace: 'acme',
        kind: 'project-mappings',
        listing: undefined,
        atMs: 2,
        beganMs: 1,
      } as const
      const write: Write = { ...about, does, before: old, after }
      const said = [...audit.sent(write, rows, allowances)]
      rows = [...rows.filter((row) => keyOf(row) !== `ENG ${group}`), ...(after === undefined ? [] : [rowOf(text)])]
      return said.map((one) => one.replace(/ by one plan.*: /, ': '))
    },
    end: (outcome: string): readonly string[] => told({ atMs: 3, is: 'cycled', process: 0, outcome, judged: ['acme'] }),
  }
}

const members = { devs: 'ab', staff: 'bc', ops: 'd' }
const forPeople = (people: number | 'any', ...groups: readonly string[]): Allowance => ({
  ...{ workspace: 'acme', name: 'one', people, untilMs: 9e15 },
  changes: groups.map((group) => ({ group, at: 'ENG', to: 'guest' })),
})

test('the people of all writes of one plan count, each once', () => {
  const one = audited({ limits: { raise: 3 }, members })
  one.begin()
  expect([one.write('devs guest'), one.write('staff guest')]).toEqual([[], []])
  expect(one.write('ops guest')).toEqual(['4 people newly get a role, or a higher one: a, b, c, d'])
})

test('another plan counts anew', () => {
  const one = audited({ limits: { raise: 2 }, members })
  one.begin()
  expect(one.write('devs guest')).toEqual([])
  one.begin()
  expect(one.write('ops guest')).toEqual([])
})

test('only who had less gains, and only a protected role that is new is a gain of one', () => {
  const one = audited({ limits: { raise: 1, gainProtected: 0 }, members, before: ['devs admin'] })
  one.begin()
  expect(one.write('staff admin')).toEqual(['1 people newly get a protected role: c'])
})

test('a person loses a role also if a grant of the same plan gives it back', () => {
  const one = audited({ limits: { lose: 1 }, members, before: ['devs guest', 'ops guest'], declares: ['all guest'] })
  one.begin({ ...members, all: 'abcd' })
  expect(one.write('ops')).toEqual([])
  expect(one.write('devs')).toEqual(['3 people lose a role, or keep a lower one: d, a, b'])
})

test('an approval lets as many people pass as it says, in all plans together', () => {
  const approval = forPeople(2, 'devs', 'ops')
  const one = audited({ limits: { raise: 0 }, members })
  one.begin()
  expect(one.write('devs guest', [approval])).toEqual([])
  one.begin()
  expect(one.write('ops guest', [approval])).toEqual(['1 people newly get a role, or a higher one: d'])
  const any = audited({ limits: { raise: 0 }, members })
  any.begin()
  expect(any.write('devs guest', [forPeople('any', 'devs')])).toEqual([])
})

test('a write needs a count of the same cycle', () => {
  const one = audited({ limits: { raise: 9 }, members, isRead: false })
  one.begin()
  expect(one.write('devs guest')).toEqual(['written by an earlier count of people'])
})

test('what exceeds no limit, and what was approved for enough people, must be written', () => {
  const declares = ['devs guest', 'ops guest']
  const outcomeOf = (scene: Partial<Scene>, outcome: string) => {
    const one = audited({ limits: { raise: 2 }, members, declares, ...scene })
    one.begin()
    return one.end(outcome)
  }
  expect(outcomeOf({}, 'acme waiting')).toEqual([])
  expect(outcomeOf({}, 'acme success')).toEqual(['ended as acme success instead of acme waiting'])
  const reason = 'and nothing that exceeds a limit on people'
  expect(outcomeOf({ limits: { raise: 3 } }, 'acme waiting')).toEqual(
    ['devs', 'ops'].map((group) => `did not write create ENG ${group} = guest, ${reason}`),
  )
  const approved = 'did not write create ENG ops = guest, which was approved for enough people'
  expect(outcomeOf({ approvals: [forPeople(1, 'ops')] }, 'acme waiting')).toEqual([approved])
  expect(outcomeOf({ approvals: [forPeople(0, 'ops')] }, 'acme waiting')).toEqual([])
})
