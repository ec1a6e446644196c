import { describe, expect, test } from 'vitest'
import { explain } from './audit/explain.ts'
import { openInForce } from './audit/inForce.ts'
import { auditOwners } from './audit/owners.ts'
import { unsettled } from './audit/settled.ts'
import { vouchedFor, wanted } from './audit/wanted.ts'
import type { Write } from './audit/write.ts'
import { type DeclaredRule, type DeclaredWorkspace, type Place, type TeamFile } from './declared.ts'
import type { Fence } from './fences.ts'
import { basicSpec } from './generate.ts'
import type { Holding } from './projects.ts'
import { knowing, scene, second } from './scene.ts'
import type { StoredRow } from './service.ts'
import type { Row, Spec } from './spec.ts'

const pay: Fence = {
  owner: 'pay',
  workspace: 'acme',
  projectRoles: { projects: ['ENG'], allProjects: false, groups: ['pay-*', 'all'], roles: ['guest', 'member'] },
  may: [],
}
const web: Fence = { ...pay, owner: 'web' }
const devs: Place = { group: 'pay-devs', at: 'ENG' }

type More = Partial<Pick<TeamFile, 'removed' | 'unmanagedAt' | 'broken'>>

function fileOf(fence: Fence, rules: readonly DeclaredRule[], more: More = {}): TeamFile {
  const file = `teams/${fence.owner}/a.yaml`
  const projectRoles = rules.map((rule): DeclaredRule => ({ ...rule, inside: { file, fence } }))
  return { file, fence, projectRoles, removed: [], unmanagedAt: [], ...more }
}

const acme = (teams: readonly TeamFile[], rules: readonly DeclaredRule[] = []): DeclaredWorkspace => ({
  ...{ name: 'acme', projectRoles: rules, removed: [], unmanaged: [] },
  teams,
})
const rule = (role: string): DeclaredRule => ({ ...devs, role })
const wants = (one: DeclaredWorkspace, place = devs): string => {
  const want = wanted(one, place, { known: true, nowMs: 0 })
  return want.is === 'role' ? want.role : want.is
}

describe('what several files want together', () => {
  test('a pattern inside a fence speaks of nothing outside', () => {
    const one = acme([
      fileOf(pay, [
        { glob: '*', at: 'ENG', role: 'member' },
        { glob: '*', at: 'OPS', role: 'member' },
      ]),
    ])
    expect([wants(one), wants(one, { group: 'it', at: 'ENG' }), wants(one, { ...devs, at: 'OPS' })]).toEqual([
      'member',
      'undeclared',
      'undeclared',
    ])
    const captured = acme([fileOf(pay, [{ captured: ['pay'], map: { pay: ['ENG', 'OPS'] }, at: '', role: 'guest' }])])
    expect([wants(captured), wants(captured, { ...devs, at: 'OPS' })]).toEqual(['guest', 'undeclared'])
  })
  test('the file without limits is never overridden', () => {
    const pattern: DeclaredRule = { glob: 'pay-*', at: 'ENG', role: 'guest' }
    expect(wants(acme([fileOf(pay, [rule('member')])], [pattern]))).toBe('unknown')
    expect(wants(acme([fileOf(pay, [rule('guest')])], [pattern]))).toBe('guest')
    expect(wants(acme([fileOf(pay, [{ ...pattern, role: 'member' }])], [rule('guest')]))).toBe('guest')
    expect(wants(acme([fileOf(pay, [], { removed: [devs] })], [pattern]))).toBe('unknown')
    expect(wants(acme([fileOf(pay, [], { unmanagedAt: [devs] })], [pattern]))).toBe('unknown')
  })
  test('a pattern of the file without limits forbids a protected role only for a group that a directory has', () => {
    const pattern: DeclaredRule = { glob: 'pay-*', at: 'ENG', role: 'guest' }
    const one = acme([fileOf(pay, [{ ...rule('admin'), allowProtected: true, send: true }])], [pattern])
    expect([vouchedFor(one, devs, true, 0), vouchedFor(one, devs, false, 0)]).toEqual([false, true])
    const exact = acme([fileOf(pay, [{ ...rule('admin'), allowProtected: true, send: true }])], [rule('guest')])
    expect(vouchedFor(exact, devs, false, 0)).toBe(false)
  })
  test('files of two teams that contradict each other', () => {
    const removed = fileOf(web, [], { removed: [devs] })
    expect(wants(acme([fileOf(pay, [rule('member')]), removed]))).toBe('unknown')
    expect(wants(acme([fileOf(pay, [rule('member')]), fileOf(web, [rule('guest')])]))).toBe('unknown')
    expect(wants(acme([fileOf(pay, [rule('member')]), fileOf(web, [rule('member')])]))).toBe('member')
    expect(wants(acme([fileOf(pay, [], { unmanagedAt: [{ ...devs, group: 'pay-*' }] }), removed]))).toBe('unknown')
  })
})

describe('a group that no directory has', () => {
  const pattern: DeclaredRule = { glob: 'pay-*', at: 'ENG', role: 'guest' }
  const removed = fileOf(pay, [], { removed: [devs] })
  const member = { ...devs, role: 'member', id: '0' }
  const sends: DeclaredRule = { ...rule('admin'), send: true }
  const allows: DeclaredRule = { ...rule('admin'), allowProtected: true }
  const world = (one: DeclaredWorkspace, rows: readonly Row[]): Spec => ({
    ...{ ...basicSpec(1), policy: 'upsert-only', suspend: false, echo: false, duplicates: undefined, rows: { acme: rows } },
    versions: [{ atMs: 0, declared: { comment: '', workspaces: [one] } }],
  })
  /** The differences at the end of a world with these mappings. */
  function wrongs(
    one: DeclaredWorkspace,
    rows: readonly Row[],
    groups: readonly string[] = [],
    more: Partial<Spec> = {},
  ): readonly string[] {
    const holding: Holding = { id: 'eng', identifier: 'ENG', fromMs: 0, untilMs: undefined, isSeen: true }
    return unsettled(
      { ...world(one, rows), ...more },
      {
        ...{
          nowMs: 0,
          lastCycleMs: 0,
          given: new Set(),
          declared: [one],
          policy: more.policy ?? 'upsert-only',
          directories: new Map([['corp', new Set(groups)]]),
        },
        rows: () => rows.map((row, index): StoredRow => ({ ...row, id: `${index}`, project: 'eng' })),
        holdings: () => [holding],
      },
    )
  }
  /** What is wrong with a write of a process that was told of these mappings. */
  function faults(one: DeclaredWorkspace, rows: readonly Row[], write: Pick<Write, 'does' | 'before' | 'after'>): readonly string[] {
    const listed = rows.map((row, index) => ({ ...row, id: `${index}` }))
    const found: string[] = []
    explain(
      {
        ...{ request: 1, process: 0, workspace: 'acme', kind: 'project-mappings', atMs: 0, beganMs: 0 },
        ...{ listing: { rows: listed, besides: [], whole: true, beganMs: 0 }, ...write },
      },
      {
        ...{ policy: 'upsert-only', mayBeOurs: false, versions: [0], dates: [[0]], moments: [0], projects: ['ENG'], approvals: [] },
        directories: [{ atMs: 0, is: 'directory', process: 0, directory: 'corp', whole: true, names: [], ids: [] }],
        hasChanged: () => false,
        skips: () => [false],
      },
      world(one, rows),
      undefined,
      (promise, why) => void found.push(`${promise}: ${why}`),
    )
    return found
  }

  test('keeps a mapping that a team removes and a pattern of the file without limits names: the mapping shows the group to the pattern', () => {
    expect(wrongs(acme([removed], [pattern]), [member])).toEqual([])
    expect(faults(acme([removed], [pattern]), [member], { does: 'delete', before: member, after: undefined })).toEqual([
      'declared: its key is unknown',
    ])
  })
  test.each([
    ['no pattern names it', acme([removed])],
    ['the pattern names another target', acme([removed], [{ ...pattern, at: 'OPS' }])],
    ['the pattern has ended', acme([removed], [{ ...pattern, expires: '1969-12-30' }])],
    ['the file without limits removes it itself', { ...acme([], [pattern]), removed: [devs] }],
  ])('must lose the mapping that is removed if %s', (_what, one) => {
    expect(wrongs(one, [member])).toEqual(['acme ENG pay-devs: should be gone; there: member'])
    expect(faults(one, [member], { does: 'delete', before: member, after: undefined })).toEqual([])
  })

  test('gets no protected role of which one file says that it is allowed, and another that the group may be unknown', () => {
    const one = acme([fileOf(pay, [sends]), fileOf(web, [allows])])
    const create = { does: 'create', before: undefined, after: { ...devs, role: 'admin' } } as const
    expect(wrongs(one, [])).toEqual([])
    expect(faults(one, [], create)).toEqual(['declared: grants a protected role that nobody allowed'])
    const both = acme([fileOf(pay, [{ ...sends, ...allows }])])
    expect(wrongs(both, [])).toEqual(['acme ENG pay-devs: should be admin; there: none'])
    expect(faults(both, [], create)).toEqual([])
  })
  test('is no excuse for a group that a directory has: then both files give the role', () => {
    const one = acme([fileOf(pay, [sends]), fileOf(web, [allows])])
    expect(wrongs(one, [], ['pay-devs'])).toEqual(['acme ENG pay-devs: should be admin; there: none'])
  })

  test('keeps the name of its mapping while a pattern names it', () => {
    const renames = fileOf(pay, [{ ...rule('member'), group: 'pay-new', send: true, previously: devs.group }])
    const rename = { does: 'rename', before: member, after: { ...member, group: 'pay-new' } } as const
    expect(faults(acme([renames]), [member], rename)).toEqual([])
    expect(faults(acme([renames], [{ ...pattern, glob: 'pay-d*' }]), [member], rename)).toEqual([
      'declared: a rule speaks of the old name itself',
    ])
  })
  test('may be shown to a pattern by its other mappings only', () => {
    const one = acme([fileOf(pay, [{ ...rule('member'), send: true }])], [pattern])
    expect(wrongs(one, [{ group: 'pay-devs', at: 'OPS', role: 'guest' }])).toEqual([])
    expect(wrongs(one, [])).toEqual(['acme ENG pay-devs: should be member; there: none'])
  })
  test('may keep what a file that is gone gave, while only its fence keeps a pattern of another file from it', () => {
    const captured: DeclaredRule = { captured: ['pay'], map: { pay: ['ENG'] }, at: '', role: 'guest' }
    const ops: Fence = { ...web, projectRoles: { projects: ['OPS'], allProjects: false, groups: ['pay-*'], roles: ['guest'] } }
    const after = (rule: DeclaredRule, gone = [fileOf(pay, [pattern])]) => ({ ...acme([fileOf(ops, [rule])]), gone })
    const left = (one: DeclaredWorkspace, journal: 'folder' | 'none' = 'folder') =>
      wrongs(one, [member], ['pay-devs'], { policy: 'exclusive', journal })
    const wrong = ['acme ENG pay-devs: is undeclared, under exclusive; there: member']
    expect(left(after(captured))).toEqual([])
    expect(left(after(captured), 'none')).toEqual(wrong)
    expect(left(after(captured, []))).toEqual(wrong)
    expect(left(after({ ...captured, expires: '1969-12-30' }))).toEqual(wrong)
    expect(left(after({ ...captured, captured: ['eng'] }))).toEqual(wrong)
  })
})

describe('who could have said a write', () => {
  const create = (place: Place, role: string): Write => ({
    ...{ request: 1, process: 0, workspace: 'acme', kind: 'project-mappings', does: 'create', before: undefined, atMs: 0, beganMs: 0 },
    after: { ...place, role },
    listing: undefined,
  })
  const faults = (write: Write, one: DeclaredWorkspace) => {
    const found: string[] = []
    auditOwners(write, [one], (promise) => void found.push(promise))
    return found
  }
  const { projectRoles: _, ...silent } = acme([fileOf(pay, [{ glob: '*', at: 'ENG', role: 'member' }])])
  test('the mapping and the role are inside of the fence of a file that names the mapping', () => {
    expect(faults(create(devs, 'member'), silent)).toEqual([])
    expect(faults(create(devs, 'admin'), silent)).toEqual(['fences'])
    expect(faults(create({ group: 'it', at: 'ENG' }, 'member'), silent)).toEqual(['fences'])
    expect(faults(create({ ...devs, at: 'OPS' }, 'member'), silent)).toEqual(['fences'])
  })
})

describe('the declaration in force', () => {
  const versions = (...files: readonly (readonly TeamFile[])[]): Spec => ({
    ...basicSpec(1),
    ...{ journal: 'folder', happenings: [], rows: { acme: [] }, fences: { file: 'all.yaml', of: [pay, web] } },
    versions: files.map((teams, index) => ({ atMs: index, declared: { comment: '', workspaces: [acme(teams)] } })),
  })
  /** A process that reads these versions, one after the other. @returns what is in force in the end */
  function after(spec: Spec, read: readonly number[], restarts = false): readonly DeclaredWorkspace[] {
    const inForce = openInForce(spec)
    let numbers: readonly number[] = []
    const start = (process: number) =>
      void inForce.translated({ atMs: 0, is: 'start', process, mode: 'daemon', skewMs: 0, drift: 0, folder: 'state' })
    start(0)
    for (const [index, version] of read.entries()) {
      const process = restarts && index === read.length - 1 ? 1 : 0
      if (process === 1) start(1)
      const told = inForce.translated({ atMs: 0, is: 'declared', process, versions: [version] })
      if (told.is === 'declared') numbers = told.versions
    }
    return numbers.flatMap((number) => inForce.at(number))
  }
  const [a, b] = [fileOf(pay, [rule('member')]), fileOf(web, [{ group: 'all', at: 'ENG', role: 'guest' }])]
  const other = fileOf(web, [{ group: 'all', at: 'ENG', role: 'member' }])
  const roles = (one: DeclaredWorkspace | undefined) => [
    wants(one as DeclaredWorkspace),
    wants(one as DeclaredWorkspace, { group: 'all', at: 'ENG' }),
  ]
  test('an invalid file of a team keeps its last valid text, and the others go on', () => {
    const [one, ...more] = after(versions([a, b], [{ ...fileOf(pay, [rule('guest')]), broken: 'text' }, other]), [0, 1])
    expect([more, ...roles(one)]).toEqual([[], 'member', 'member'])
  })
  test('a file of a team that is gone says nothing', () => {
    const [one] = after(versions([a, b], [other]), [0, 1])
    expect(roles(one)).toEqual(['undeclared', 'member'])
  })
  test('the file without limits decides about what it names, also beside the file of a team', () => {
    const spec = versions([a, b], [a, b])
    const [first, second] = spec.versions as [Spec['versions'][number], Spec['versions'][number]]
    const taken = { ...second, declared: { comment: '', workspaces: [acme([a, b], [rule('guest')])] } }
    const [one] = after({ ...spec, versions: [first, taken] }, [0, 1])
    expect([wants(one as DeclaredWorkspace), one?.frozen]).toEqual(['guest', undefined])
  })
  test('after a restart an invalid file holds what it names, or what only patterns name if it cannot be read', () => {
    const frozen = (broken: 'text' | 'outside', ...teams: readonly TeamFile[]) =>
      after(versions([a, b], [{ ...a, broken }, ...teams]), [0, 1], true)[0]
    expect(roles(frozen('outside', other))).toEqual(['unknown', 'member'])
    expect(roles(frozen('text', other))).toEqual(['unknown', 'member'])
    const all = fileOf(web, [{ glob: '*', at: 'ENG', role: 'member' }])
    expect(roles(frozen('outside', all))).toEqual(['unknown', 'member'])
    expect(roles(frozen('text', all))).toEqual(['unknown', 'unknown'])
  })
  test('a rule of an invalid file that had ended before has ended', () => {
    const ended = fileOf(pay, [{ ...rule('member'), expires: '1960-01-01' }])
    expect(roles(after(versions([ended, b], [{ ...a, broken: 'outside' }, b]), [0, 1], true)[0])[0]).toBe('absent')
  })
})

describe('while nothing of an invalid file is used', () => {
  const outside: Place = { group: 'it', at: 'ENG' }
  const declared: DeclaredWorkspace = { ...acme([fileOf(web, [])], [rule('guest')]), frozen: [] }
  /** A mapping is deleted while these mappings of its key exist. */
  function deleting({ group, at }: Place, roles: readonly string[], one: DeclaredWorkspace, mayBeOurs = false): readonly string[] {
    const rows = roles.map((role, index) => ({ id: `${index}`, group, at, role }))
    const write: Write = {
      ...{ request: 1, process: 0, workspace: 'acme', kind: 'project-mappings', does: 'delete', atMs: 0, beganMs: 0 },
      ...{ before: rows[0], after: undefined, listing: { whole: true, rows, besides: [], beganMs: 0 } },
    }
    const spec = {
      ...{ ...basicSpec(1), policy: 'exclusive' as const, suspend: false, rows: { acme: [] as readonly Row[] } },
      versions: [{ atMs: 0, declared: { comment: '', workspaces: [one] } }],
    }
    const corp = { ...{ atMs: 0, is: 'directory' as const, process: 0, directory: 'corp', whole: true }, names: [group], ids: ['1'] }
    const told = {
      ...{
        policy: 'exclusive' as const,
        mayBeOurs,
        versions: [0],
        directories: [corp],
        dates: [[0]],
        moments: [0],
        projects: ['ENG'],
        approvals: [],
      },
      ...{ hasChanged: () => false, skips: () => [false] },
    }
    const found: string[] = []
    explain(write, told, spec, undefined, (_promise, why) => void found.push(why))
    return found
  }
  test('a duplicate of a declared mapping may go, and the mapping itself may not', () => {
    expect(deleting(devs, ['guest', 'admin'], declared)).toEqual([])
    expect(deleting(devs, ['guest'], declared)).toEqual(['its key is role'])
  })
  test('a mapping that an invalid file names may go if a rule of another file has ended', () => {
    const invalid = { ...fileOf(pay, [rule('member')]), broken: 'outside' as const, earlier: [] }
    const ending = { ...rule('guest'), expires: '1960-01-01' }
    const beside = (...teams: readonly TeamFile[]) => ({ ...acme(teams), frozen: [invalid] })
    expect(deleting(devs, ['guest'], beside(fileOf(web, [ending])))).toEqual([])
    expect(deleting(devs, ['guest'], beside(fileOf(web, [])))).toEqual(['its key is unknown'])
  })
  test('a mapping goes if its rule in the file without limits has ended, of which nothing is used', () => {
    const { projectRoles: _, ...silent } = acme([])
    const unreadable = (expires: string) => ({ ...silent, frozenOpen: [acme([], [{ ...rule('guest'), expires }])] })
    expect(deleting(devs, ['guest'], unreadable('1960-01-01'))).toEqual([])
    expect(deleting(devs, ['guest'], unreadable('2030-01-01'))).toEqual(['its key is unknown'])
  })
  test('a pattern of an invalid file holds a group only if a directory or a mapping shows it', () => {
    const invalid = (more: More) => ({ ...fileOf(pay, [], { broken: 'waivers', ...more }), earlier: [] })
    const glob = fileOf(pay, [{ glob: 'pay-*', at: 'ENG', role: 'guest' }])
    const files = [glob, fileOf(pay, [], { unmanagedAt: [{ group: 'pay-*', at: 'ENG' }] }), fileOf(pay, [rule('guest')])]
    const results = files.map((file) => {
      const one: DeclaredWorkspace = { ...acme([fileOf(web, [{ ...rule('member'), send: true }])]), frozen: [invalid(file)] }
      const facts = [{ known: false }, { known: true }, { known: false, mapped: true }, { known: false, groupMapped: true }]
      return facts.map((more) => wanted(one, devs, { ...more, nowMs: 0 }).is)
    })
    const held = ['unknown', 'unknown', 'unknown']
    expect(results).toEqual([
      ['role', ...held],
      ['role', ...held],
      ['unknown', ...held],
    ])
  })
  test('no undeclared mapping goes, nor one of two of them', () => {
    expect(deleting(outside, ['guest'], declared)).toEqual(['its key is undeclared'])
    expect(deleting(outside, ['guest', 'admin'], declared)).toEqual(['its key is undeclared'])
    const { frozen: _, ...whole } = declared
    expect(deleting(outside, ['guest', 'admin'], whole)).toEqual([])
  })
  test('a mapping that a former text gave goes, if it may be ours', () => {
    const { projectRoles: _, ...silent } = acme([])
    const after = { ...silent, former: [fileOf(pay, [rule('member')])] }
    expect(deleting(devs, ['guest'], after)).toEqual(['it is not ours'])
    expect(deleting(devs, ['guest'], after, true)).toEqual([])
    expect(deleting({ ...devs, at: 'OPS' }, ['guest'], after, true)).toEqual(['its key is undeclared'])
  })
  test('a duplicate of a mapping that is held stays', () => {
    const contested = acme([fileOf(pay, [rule('member')]), fileOf(web, [rule('guest')])])
    expect(deleting(devs, ['guest', 'member'], contested)).toEqual(['its key is unknown'])
  })
})

describe('a group that was made again, and a pattern of the file without limits', () => {
  const mobile: Fence = { ...pay, projectRoles: { projects: ['ENG'], allProjects: false, groups: ['devs'], roles: ['guest', 'member'] } }
  const team = fileOf(mobile, [{ group: 'devs', at: 'ENG', role: 'member' }])
  const pattern: DeclaredRule = { glob: 'dev*', at: 'ENG', role: 'member' }
  const granted = (before: readonly DeclaredRule[], after: readonly DeclaredRule[]): readonly string[] => {
    const versions = [
      [0, before, [], [team]],
      [1, after, [], [team]],
    ] as const
    const one = knowing({ versions, rows: [] })
    one.makeAgain()
    one.look(0, { version: 1 })
    one.grant(0, { group: 'devs', at: 'ENG', role: 'member' })
    return one.wrongs('groups')
  }
  const wrong = ['devs was another group when the rule was written']
  test('a pattern that is newer than the group decides before the exact rule of a team', () => {
    expect(granted([], [pattern])).toEqual([])
  })
  test('a pattern that is older than the group grants nothing, nor does the rule of the team alone', () => {
    expect(granted([pattern], [pattern])).toEqual(wrong)
    expect(granted([], [])).toEqual(wrong)
    expect(granted([], [{ ...pattern, starts: '2030-01-01' }])).toEqual(wrong)
  })
  test('an exact rule of the file without limits decides before its pattern', () => {
    const exact: DeclaredRule = { group: 'devs', at: 'ENG', role: 'member' }
    expect(granted([exact], [exact, pattern])).toEqual(wrong)
  })
})

test('when an exact rule has ended, its allowProtected lets no pattern of a team grant the role', () => {
  const mobile: Fence = { ...pay, projectRoles: { projects: ['ENG'], allProjects: false, groups: ['devs'], roles: ['admin'] } }
  const team = fileOf(mobile, [{ glob: 'dev*', at: 'ENG', role: 'admin' }])
  const rules: readonly DeclaredRule[] = [{ group: 'devs', at: 'ENG', role: 'admin', allowProtected: true, expires: second(60) }]
  const granted = (waitedMs: number) => {
    const one = scene({ versions: [[0, rules, [], [team]]], rows: [] })
    one.start(0)
    one.pass(waitedMs)
    one.look(0)
    one.grant(0, { group: 'devs', at: 'ENG', role: 'admin' })
    return one.wrongs('declared')
  }
  expect(granted(0)).toEqual([])
  expect(granted(60_000)).toEqual(['grants a protected role that nobody allowed'])
})
