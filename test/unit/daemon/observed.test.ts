import { describe, expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import { withParts } from '../../../src/core/judge/guards.ts'
import type { Key, MappingId, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Edit } from '../../../src/core/memory/seen.ts'
import { factName, type ToldFact } from '../../../src/core/memory/told.ts'
import type { Notice } from '../../../src/core/notice/notice.ts'
import type { Rule } from '../../../src/core/rule.ts'
import type { WorkspaceReport } from '../../../src/cycle/cycleReport.ts'
import { observedFacts } from '../../../src/daemon/notice/observed.ts'
import { given, guards, rule, type SmallWorld } from '../core/smallWorld.ts'
import { done, failedReport, judged, rejected, report, stoppedReport, unknown } from './reports.ts'

const fence = (owner: string) => ({ owner, workspace: 'acme', may: [], demand: { reason: false, expires: {} } })
const fences = { 'teams/web/**': fence('team-web'), 'teams/pay/*': fence('team-pay'), 'platform/*': 'everything' } as const
const settings = { fences, workspaces: { acme: { suspend: undefined } } } as unknown as Parameters<typeof observedFacts>[1]['settings']
const ruleIn = (file: string, owner = 'whatever it says'): Partial<Rule> => ({ because: { at: { file, line: 3, column: 5 }, owner } })
const seen = (more: Partial<Parameters<typeof observedFacts>[1]> = {}) => ({
  ...{ settings, memory: emptyMemory, dateMs: 10_000 },
  ...more,
})
const facts = (workspace: WorkspaceReport, more = {}) => observedFacts(report(workspace), seen(more)).notices
const shown = (notices: readonly Notice[]) => notices.map((notice) => `${factName(notice)} [${notice.owners.join()}]`)

const world: SmallWorld = {
  directories: { corp: ['a', 'b', 'c', 'd', 'old'] },
  rules: [
    rule('a', 'ENG', 'admin', ruleIn('teams/web/x/a.yaml')),
    rule('b', 'ENG', 'admin', ruleIn('platform/all.yaml', 'team-web')),
    rule('c', 'ENG', 'guest', { ...ruleIn('teams/pay/b.yaml'), expiresMs: 10_000 + 5 * 86_400_000 }),
  ],
}

describe('the owners of a fact', () => {
  test('are those of fences, by the path of the file: what a file says of its owner does not count', () => {
    const existing = { ...world, existing: ['ENG c guest'] }
    expect(shown(facts(judged(existing)))).toEqual([
      'ends-soon acme/mapping project/ENG/c [team-pay]',
      'waiting acme/mapping project/ENG/a [team-web]',
      'waiting acme/mapping project/ENG/b []',
    ])
    expect(shown(facts(judged(existing), { settings: { ...settings, fences: undefined } })).every((name) => name.endsWith('[]'))).toBe(true)
  })

  test('of a delete whose line is gone are those of the file that gave the mapping', () => {
    const groups = Array.from({ length: 6 }, (_, n) => `g${n}`)
    const gone = (files?: Readonly<Record<string, string>>) =>
      facts(
        judged({
          directories: { corp: groups },
          existing: groups.map((group) => `ENG ${group} member`),
          policy: 'exclusive',
          owns: ['projectRoles'],
          ...(files && { owned: given(files) }),
        }),
      )
    expect(shown(gone())).toEqual(['waiting acme/set deletes []'])
    expect(shown(gone({ g0: 'teams/pay/b.yaml', g1: 'teams/web/a.yaml' }))).toEqual([
      'waiting acme/set deletes of team-pay, team-web [team-pay,team-web]',
    ])
  })
})

test('what waits says whether it gives a protected role, also a set', () => {
  const groups = Array.from({ length: 60 }, (_, n) => `g${n}`)
  const flood = (role: string) => facts(judged({ directories: { corp: groups }, rules: groups.map((group) => rule(group, 'ENG', role)) }))
  expect(flood('admin').map(({ sentence }) => sentence)).toEqual(['60 approvals are needed, 60 of them for a protected role (‼)'])
  const sets = (role: string) => {
    const rules = groups.map((group) => rule(group, 'ENG', role, { allowProtected: true }))
    return facts(judged({ directories: { corp: groups }, rules }, undefined, { guards: { ...guards, creates: { count: 5 } } }))
  }
  expect(sets('guest').map(({ about, grantsProtected }) => [about, grantsProtected])).toEqual([['set', false]])
  expect(sets('admin').map(({ about, grantsProtected }) => [about, grantsProtected])).toEqual([['set', true]])
})

test('the same changes are the same fact, whichever limit they exceed', () => {
  const groups = Array.from({ length: 8 }, (_, n) => `g${n}`)
  const deletes = { directories: { corp: groups }, policy: 'exclusive', owns: ['projectRoles'] } as const
  const existing = groups.map((group) => `ENG ${group} member`)
  const [emptied, few] = [
    facts(judged({ ...deletes, existing })),
    facts(
      judged({
        ...deletes,
        existing: [...existing, 'ENG kept member'],
        rules: [rule('kept', 'ENG', 'member')],
        directories: { corp: [...groups, 'kept'] },
      }),
    ),
  ]
  expect([emptied, few].map(([set]) => set?.sentence.replace(/: all.*|: 8 deletes.*/, ''))).toEqual([
    '8 changes wait for approval: limit emptiesList',
    '8 changes wait for approval: limit deletes',
  ])
  expect(emptied.map((fact) => [factName(fact), fact.state])).toEqual(few.map((fact) => [factName(fact), fact.state]))
})

describe('the end of a mapping', () => {
  const ends = { expiresMs: 10_000 + 5 * 86_400_000 }
  const directories = { corp: ['a', 'b'] }
  const told = (...of: Parameters<typeof judged>) => shown(facts(judged(...of))).filter((name) => name.startsWith('ends-soon'))
  test('is told only of one that exists: its create is written', () => {
    const [waits, writes] = (['admin', 'guest'] as const).map((role) => ({ directories, rules: [rule('a', 'ENG', role, ends)] }))
    expect(told(waits as SmallWorld)).toEqual([])
    expect(told(writes as SmallWorld)).toEqual([])
    expect(told(writes as SmallWorld, [rejected])).toEqual([])
    expect(told(writes as SmallWorld, [done])).toEqual(['ends-soon acme/mapping project/ENG/a []'])
    expect(told({ ...(waits as SmallWorld), existing: ['ENG a guest'] })).toEqual(['ends-soon acme/mapping project/ENG/a []'])
  })
  test('is not told of one that a later date makes first', () => {
    const starts = { directories, rules: [rule('a', 'ENG', 'guest', { ...ends, startsMs: 10_000 + 86_400_000 })] }
    expect(told(starts)).toEqual([])
  })
})

describe('what failed', () => {
  const plain = {
    directories: { corp: ['a', 'b', 'c'] },
    rules: ['a', 'b', 'c'].map((group) => rule(group, 'ENG', 'guest', ruleIn('teams/web/a.yaml'))),
  }
  test('is one fact for each way in which writes failed', () => {
    const notices = facts(judged(plain, [rejected, rejected, unknown]))
    expect(shown(notices)).toEqual([
      'failed acme/write rejected of team-web [team-web]',
      'failed acme/write unknown of team-web [team-web]',
    ])
    expect(notices[0]?.sentence).toMatch(/^could not be written: \+ ENG {2}a → guest .* \(and 1 other\): 400: the role does not exist/)
    expect(facts(judged(plain, [done, done, done]))).toEqual([])
  })
  test('is a workspace that could not be read, by the code of the error', () => {
    expect(facts(failedReport)).toMatchObject([{ kind: 'failed', about: 'cycle', name: '', state: 'defect', owners: [] }])
  })
  test('is a file, told to the owner of its fence, or files that contradict each other', () => {
    const ofFiles = (keptFiles: readonly object[]) =>
      observedFacts(report(stoppedReport, { declaration: { hash: '', files: 1, kept: 'wrong', keptFiles: keptFiles as never } }), seen())
        .notices
    expect(
      shown(
        ofFiles([
          { file: 'teams/web/a.yaml', owner: 'team-web', isUsed: true },
          { file: 'x.yaml', isUsed: false },
        ]),
      ),
    ).toEqual(['failed /file teams/web/a.yaml [team-web]', 'failed /file x.yaml []'])
    expect(shown(ofFiles([]))).toEqual(['failed /declaration []'])
  })
})

describe('what others edited in Plane', () => {
  const edit: Edit = {
    key: 'acme/project/ENG/a' as Key,
    mapping: 'm1' as MappingId,
    before: null,
    by: 'others',
    afterMs: 0,
    atMs: 3_600_000,
  }
  const byProgram: Edit = { ...edit, by: 'program' }
  const elsewhere: Edit = { ...edit, key: 'beta/project/ENG/a' as Key }
  test('comes from the memory, with its span, and with the owner of the rule of its key', () => {
    const notices = facts(judged(world), { memory: { ...emptyMemory, edits: [byProgram, elsewhere, edit] } })
    expect(shown(notices)[0]).toBe('foreign-edit acme/edit project/ENG/a m1 3600000 [team-web]')
    expect(notices[0]).toMatchObject({
      sentence: 'edited in Plane between 1970-01-01 00:00 and 01:00 UTC: ENG a, no role → no mapping',
      row: { key: edit.key, before: null },
      moment: 'usual',
    })
  })

  test('says the former group of a rename, whose rule says the owner, too', () => {
    const renamed: Edit = {
      ...edit,
      key: 'acme/project/ENG/search bosses' as Key,
      from: edit.key,
      before: 'guest' as Role,
      after: 'guest' as Role,
    }
    const told = (more: Partial<Edit> = {}) =>
      facts(judged(world), { memory: { ...emptyMemory, edits: [{ ...renamed, ...more }] } }).filter(({ kind }) => kind === 'foreign-edit')
    expect(told()).toMatchObject([{ owners: ['team-web'], row: { because: { at: { file: 'teams/web/x/a.yaml' } } } }])
    const sentences = [told(), told({ before: null }), told({ from: 'acme/project/OPS/old a' as Key })].map(([notice]) =>
      notice?.sentence.replace(/^.* UTC: /, ''),
    )
    expect(sentences).toEqual([
      'ENG "search bosses" = guest, renamed from a',
      'ENG "search bosses", no role → guest, renamed from a',
      'ENG "search bosses" = guest, renamed from OPS "old a"',
    ])
  })

  test('stands alone and first if it gave a protected role, among however many others', () => {
    const junk = Array.from(
      { length: 51 },
      (_, n): Edit => ({ ...edit, key: `acme/project/ENG/j${n}` as Key, mapping: `j${n}` as MappingId }),
    )
    const grant: Edit = { ...edit, key: 'acme/workspace/eve' as Key, mapping: 'm2' as MappingId, after: 'admin' as Role }
    const notices = facts(judged({}), { memory: { ...emptyMemory, edits: [...junk, grant] } })
    expect(notices).toHaveLength(52)
    expect(notices[0]).toMatchObject({ moment: 'grave', sentence: expect.stringContaining(': ‼ workspace eve, no role → admin') as string })
  })
})

describe('a told fact that does not stand', () => {
  const told = (kind: ToldFact['kind'], about: ToldFact['about'] = 'mapping', workspace = 'acme'): ToldFact => ({
    ...{ kind, about, name: 'x', state: '', owners: [] },
    ...(workspace === '' ? {} : { workspace: workspace as WorkspaceName }),
  })
  const endingOf = (workspace: WorkspaceReport, fact: ToldFact) => observedFacts(report(workspace), seen()).endingOf(fact)
  const whole = judged({}, [])
  const withHold = (hold: object): WorkspaceReport => {
    if (whole.kind !== 'judged') throw new Error('no plan')
    const holds = [{ key: 'acme/project/ENG/a', ...hold } as Hold]
    return { ...whole, judged: withParts(whole.judged, { changes: [], findings: [], later: [], holds }) }
  }
  const unread = withHold({ reason: { kind: 'readingIncomplete', of: 'corp', why: 'cut' } })
  const invalid = withHold({ reason: { kind: 'fileInvalid', at: { file: 'a', line: 1, column: 1 }, why: 'x' } })
  const waitsToSettle = withHold({ reason: { kind: 'quarantined', since: 'unknownOutcome' } })
  const notTried = judged(world, [])
  test.each<[string, WorkspaceReport, ToldFact, string]>([
    ['whole reading', whole, told('waiting'), 'over'],
    ['an end that has come', whole, told('ends-soon'), 'over'],
    ['names that were not read whole', unread, told('waiting'), 'unknown'],
    ['an invalid file', invalid, told('waiting'), 'unknown'],
    ['a failed workspace', failedReport, told('waiting'), 'unknown'],
    ['a stopped cycle', stoppedReport, told('failed', 'cycle'), 'unknown'],
    ['no report of the workspace', { ...whole, workspace: 'beta' as WorkspaceName }, told('waiting'), 'unknown'],
    ['a workspace that the settings no longer have', whole, told('waiting', 'mapping', 'beta'), 'gone'],
    ['a workspace that is read again', unread, told('failed', 'cycle'), 'over'],
    ['writes that were all tried', whole, told('failed', 'write'), 'over'],
    ['writes that were not tried', notTried, told('failed', 'write'), 'unknown'],
    ['a dry run', judged({}), told('failed', 'write'), 'unknown'],
    ['a write that may still be executed', waitsToSettle, told('failed', 'write'), 'unknown'],
    ['an edit of which the memory no longer knows', whole, told('foreign-edit', 'edit'), 'gone'],
    ['a change that is no longer undone', whole, told('foreign-edit', 'undone'), 'over'],
    ['a file that is valid', failedReport, told('failed', 'file', ''), 'over'],
  ])('%s', (_, workspace, fact, ending) => expect(endingOf(workspace, fact)).toBe(ending))
})
