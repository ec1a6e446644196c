import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { withFindings, withHeldMeanwhile } from '../../../src/core/judge/guards.ts'
import type { Key } from '../../../src/core/mapping.ts'
import { OperationalError } from '../../../src/core/operationalError.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { DirectoryReport } from '../../../src/core/report.ts'
import type { CycleReport, WorkspaceReport } from '../../../src/cycle/cycleReport.ts'
import type { LogLine } from '../../../src/log/line.ts'
import { changeLine } from '../../../src/log/planLines.ts'
import { openReportLog, reportLines } from '../../../src/log/report.ts'
import { acme, failed, judging, pattern, planOf, roles, rule } from '../core/smallWorld.ts'
import { corp, done, failedReport, judged, rejected, report, stoppedReport, unknown } from '../daemon/reports.ts'

const because = { at: { file: 'teams/eng.yaml', line: 14, column: 5 }, owner: 'team-eng', reason: 'ACC-7' }
const devs = rule('devs', 'ENG', 'member', { because })
const known = { corp: ['devs', 'ops', 'leads'] }

/** The lines of each report. A pair is a report of some workspaces, and the last report of each workspace. */
const said = (...reports: readonly (CycleReport | readonly [CycleReport, CycleReport])[]): readonly (readonly LogLine[])[] => {
  const lines: LogLine[][] = []
  const sink = (level: LogLine['level']) => (fields: object, message: string) => lines.at(-1)?.push({ level, fields, message } as LogLine)
  const log = openReportLog({ debug: sink('debug'), info: sink('info'), notice: sink('notice'), warn: sink('warn'), error: sink('error') })
  for (const one of reports) {
    lines.push([])
    if ('workspaces' in one) log(one)
    else log(...one)
  }
  return lines
}
const of = (lines: readonly LogLine[] = [], event: LogLine['fields']['event']) => lines.filter(({ fields }) => fields.event === event)

test('what workspaces share is told once, not once a workspace, and not again', () => {
  const busy = { ...judged({}), about: { ...judged({}).about, intervalMs: 1_000 } }
  const both = report(busy, { workspaces: [busy, busy] })
  const [first, second] = said(both, both)
  expect(of(first, 'finding').map(({ level, fields, message }) => [level, fields.code, fields.workspace, message.slice(0, 48)])).toEqual([
    ['warn', 'schedule-too-short', undefined, 'schedule-too-short: credential "default": a cycl'],
  ])
  expect(of(second, 'finding')).toEqual([])
})

test('a cycle for some workspaces does not make the others log again, nor what they share', () => {
  const finding = { code: 'another-writer', severity: 'warning', place: 'acme', sentence: 'somebody' } as const
  const of2 = (name: string) => {
    const one = judged({})
    if (one.kind !== 'judged') throw new Error('not judged')
    const about = { ...one.about, intervalMs: 1_000 }
    return { ...one, about, workspace: name as typeof one.workspace, judged: withFindings(one.judged, [finding]) }
  }
  const [acme, beta] = [of2('acme'), of2('beta')]
  const whole = report(acme, { workspaces: [acme, beta] })
  const all = said(whole, [report(acme, { workspaces: [acme] }), whole], whole)
  expect(all.map((lines) => of(lines, 'finding').length)).toEqual([3, 0, 0])
})

test('a finding with another sentence is logged, though code and place are the same; one with other numbers is not', () => {
  const finding = (sentence: string) => {
    const one = judged({})
    if (one.kind !== 'judged') throw new Error('not judged')
    return report({
      ...one,
      judged: withFindings(one.judged, [{ code: 'clock-differs', severity: 'warning', place: 'plane', sentence }]),
    })
  }
  const all = said(finding('it is 2 h ahead'), finding('it is 3 h ahead'), finding('it is 3 h behind'), finding('it is 3 h behind'))
  expect(all.map((lines) => of(lines, 'finding').length)).toEqual([1, 0, 1, 0])
})

test('a flood of creates is one line, with what lets it pass', () => {
  const flood = judged({ rules: [devs, rule('ops', 'OPS', 'member')], directories: known }, [], {
    guards: { ...judging.guards, creates: { count: 1 } },
  })
  const [lines] = said(report(flood))
  expect(of(lines, 'hold')).toEqual([])
  expect(of(lines, 'waitingSet')).toMatchObject([
    {
      level: 'warn',
      fields: { limit: 'creates', count: 2, allowed: 1 },
      message: expect.stringMatching(
        /^acme waits for approval: limit creates: 2 creates; guards\.creates\.count allows 1; .* · to approve exactly these 2 changes: --allow [0-9a-f]{32}$/,
      ),
    },
  ])
})

describe('changes', () => {
  const logged = (one: WorkspaceReport): readonly LogLine[] =>
    one.kind === 'judged' ? (one.applied?.results ?? []).map((result) => changeLine(result, one.about, 12_000)) : []

  test('one line each, with everything that an audit asks', () => {
    const lines = logged(judged({ rules: [devs], directories: known, existing: ['ENG devs guest'] }, [done]))
    expect(lines).toEqual([
      {
        level: 'notice',
        fields: {
          event: 'change',
          workspace: 'acme',
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          action: 'patch',
          target: 'ENG',
          group: 'devs',
          before: 'guest',
          after: 'member',
          rule: 'teams/eng.yaml:14',
          owner: 'team-eng',
          reason: 'ACC-7',
          directory: 'corp',
          outcome: 'done',
        },
        message: 'acme ↑ ENG  devs  guest → member   "ACC-7"   teams/eng.yaml:14 · team-eng',
      },
    ])
  })

  test('also those that came to nothing, with the reason', () => {
    const rules = [devs, rule('ops', 'OPS', 'member'), rule('leads', 'OPS', 'member')]
    const one = judged({ rules, directories: known }, [done, rejected, unknown])
    expect(logged(one).map(({ level, fields }) => [level, fields.outcome])).toEqual([
      ['notice', 'done'],
      ['error', 'refused'],
      ['warn', 'unknown'],
    ])
    expect(logged(one)[1]?.message).toMatch(/refused: 400: the role does not exist/)
    expect(logged(one)[1]?.message).not.toContain('has failed since')
    const [lines] = said(report(one))
    // They were logged when their outcomes were known.
    expect(of(lines, 'change')).toEqual([])
    expect(of(lines, 'summary')).toMatchObject([
      { level: 'error', fields: { outcome: 'partial', planned: 3, written: 1 }, message: expect.stringContaining('1 of 3 written') },
    ])
  })

  const [create] = planOf({ rules: [devs], directories: known }).changes
  const about = { workspace: acme, roles, unknownOutcomeWaitMs: 120_000 }
  const hold: Hold = { key: 'acme/project/ENG/devs' as Key, reason: { kind: 'suspended', what: 'all' } }
  test.each<[Outcome, LogLine['level']]>([
    [{ kind: 'done' }, 'notice'],
    [{ kind: 'done', echoed: 'admin' }, 'warn'],
    [{ kind: 'done', storedKey: 'acme/project/ENG/Devs' as Key }, 'warn'],
    [{ kind: 'notSent', why: 'held at the last moment', hold }, 'notice'],
    [{ kind: 'notSent', why: 'cannot connect' }, 'warn'],
    [{ kind: 'unknown', why: '502', status: 502, lastByteMs: 1 }, 'warn'],
    [{ kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }, 'error'],
    [{ kind: 'refused', status: 409, code: 'conflict', sentence: 'no' }, 'error'],
  ])('of each level: %j is %s', (outcome, level) => {
    expect(changeLine({ change: create as Change, outcome }, about, 12_000).level).toBe(level)
  })

  test('that failed before say since when', () => {
    const line = (outcome: Outcome) => changeLine({ change: create as Change, outcome, failedMs: 60_000 }, about, 3_720_000).message
    const since = '; it has failed since 1970-01-01 00:01 UTC, or longer'
    expect(line({ kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }).endsWith(`tried again at the next run${since}`)).toBe(
      true,
    )
    expect(line({ kind: 'unknown', why: '502', status: 502, lastByteMs: 3_720_000 })).toContain(since)
    expect(line({ kind: 'done' })).not.toContain('failed')
  })

  test.each([
    [
      [done, done, done],
      '3 of 3 written',
      ' · the disk is full; no change is left to send, and only the last result is not in the journal',
    ],
    [[done, unknown], '1 of 3 written', ' · stopped: the disk is full; a change that is not in the journal is not sent'],
  ])('a journal that fails: %#', (outcomes, written, end) => {
    const rules = [devs, rule('ops', 'OPS', 'member'), rule('leads', 'OPS', 'member')]
    const one = judged({ rules, directories: known }, outcomes)
    if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
    const [lines] = said(report({ ...one, applied: { ...one.applied, stopped: 'journal', why: 'the disk is full' } }))
    const message = of(lines, 'summary')[0]?.message ?? ''
    expect(message).toContain(written)
    expect(message.endsWith(end), message).toBe(true)
  })

  test('none where nothing was written: a dry run says what it would do, and is no success', () => {
    const [lines] = said(report(judged({ rules: [devs], directories: known })))
    expect(of(lines, 'change')).toEqual([])
    expect(of(lines, 'summary')).toMatchObject([
      {
        level: 'info',
        fields: { outcome: 'planned', written: 0 },
        message: 'acme dry run: 1 create, 0 raise, 0 lower, 0 delete · 0 unchanged',
      },
    ])
  })
})

describe('holds', () => {
  const waiting = () =>
    report(judged({ rules: [rule('leads', 'workspace', 'admin'), rule('typo', 'ENG', 'member')], directories: known }, []))

  test('are said once, and again when they change', () => {
    const other = report(judged({ rules: [rule('leads', 'workspace', 'admin'), rule('tipo', 'ENG', 'member')], directories: known }, []))
    const lines = said(waiting(), waiting(), other, waiting())
    expect(lines.map((one) => of(one, 'hold').map(({ fields }) => `${String(fields.hold)} ${String(fields.group)}`))).toEqual([
      ['groupUnknown typo', 'approval leads'],
      [],
      ['groupUnknown tipo'],
      ['groupUnknown typo'],
    ])
  })

  test('say how to pass exactly this', () => {
    const [lines] = said(waiting())
    expect(of(lines, 'hold').find(({ fields }) => fields.hold === 'approval')).toMatchObject({
      level: 'warn',
      fields: { id: expect.any(String), after: 'admin' },
      message: expect.stringMatching(
        /^acme waits for approval \+ workspace {2}leads → admin.*: protected role; to approve this change: --allow [0-9a-f]{32}/,
      ),
    })
  })

  /** The lines of a hold that ends at this time. The cycle ends at 12 s. */
  const saidUntil = (untilMs: number) => {
    const one = judged({ rules: [devs], directories: known }, [])
    if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
    const [change] = one.applied.left
    const reason = { kind: 'quarantined', since: 'startUp' } as const
    const hold = { key: change?.key as Key, change: change as Change, reason, untilMs }
    const after = withHeldMeanwhile(one.judged, [hold])
    return of(said(report({ ...one, judged: after, applied: { results: [], holds: [hold], left: [] } }))[0], 'hold')
  }

  test('say until when, where time settles them', () => {
    expect(saidUntil(132_000)).toMatchObject([
      {
        level: 'info',
        fields: { hold: 'quarantined', until: '1970-01-01T00:02:12.000Z' },
        message: expect.stringMatching(/^acme 1 held: .* may still be executed; held until 00:02:12 UTC \(in 2 min\); /),
      },
    ])
  })

  test.each([7_000, 12_000])('say that a time has passed: %i', (untilMs) => {
    expect(saidUntil(untilMs)).toMatchObject([{ message: expect.stringMatching(/ may still be executed; held until the next read; /) }])
  })

  test('are not said anew after a cycle that failed', () => {
    const lines = said(waiting(), report(failedReport), waiting())
    expect(lines.map((one) => of(one, 'hold').length)).toEqual([2, 0, 0])
  })

  test('of one cause are one line: a directory that fails does not fill the log', () => {
    const many = Array.from({ length: 300 }, (_none, index) => rule(`g${index}`, 'ENG', 'member'))
    const [lines] = said(report(judged({ rules: many, directories: { corp: failed } }, [])))
    expect(of(lines, 'hold')).toMatchObject([
      { fields: { hold: 'readingIncomplete', count: 300 }, message: expect.stringContaining('300 held') },
    ])
    expect(of(lines, 'summary')).toMatchObject([{ level: 'warn', fields: { outcome: 'incomplete' } }])
  })

  test('name the mappings that are only kept as the summary does', () => {
    const rules = ['a', 'b', 'c'].map((name) => rule(name, 'ENG', 'member'))
    const existing = ['ENG a member', 'ENG b member']
    const [some, all] = said(
      report(judged({ rules, existing, directories: { corp: failed } }, [])),
      report(judged({ rules: rules.slice(0, 2), existing, directories: { corp: failed } }, [])),
    )
    expect(of(some, 'hold')).toMatchObject([
      { fields: { count: 3 }, message: expect.stringMatching(/^acme 1 held, 2 kept: corp could not/) },
    ])
    expect(of(some, 'summary')[0]?.message).toContain('1 held, 2 kept')
    expect(of(all, 'hold')).toMatchObject([{ fields: { count: 2 }, message: expect.stringMatching(/^acme 2 kept: corp could not/) }])
  })

  test('in a crowd are bounded, with how many there are more', () => {
    const many = Array.from({ length: 150 }, (_none, index) => rule(`nobody-${index}`, 'ENG', 'member'))
    const [lines] = said(report(judged({ rules: many, directories: known }, [])))
    expect(of(lines, 'hold')).toHaveLength(101)
    expect(of(lines, 'hold').at(-1)?.message).toBe('acme holds 50 more: plan --workspace acme shows them')
  })

  test('undeclared mappings are one line', () => {
    const [lines] = said(report(judged({ existing: ['ENG a member', 'ENG b admin'] }, [])))
    expect(of(lines, 'hold')).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/^acme 2 undeclared \(1 protected\): .*export --workspace acme --undeclared/) },
    ])
  })

  test('a name from outside is shown with its hidden characters', () => {
    const [lines] = said(report(judged({ rules: [pattern('x.*', 'ENG', 'member')], directories: { corp: ['x\u202Egnp'] } }, [])))
    const [hold] = of(lines, 'hold')
    expect(hold?.message).toContain('\\u{202e}')
    expect(hold?.message).not.toContain('\u202E')
  })
})

describe('what could not be done', () => {
  test('a set that waits: in each cycle one line, with the sentence, the harmless way, the setting and the ID', () => {
    const existing = Array.from({ length: 20 }, (_none, index) => `ENG g${index} member`)
    const removed = existing.slice(0, 11).map((text) => text.replace(/ member$/, ''))
    const one = report(judged({ existing, removed, rules: [devs], directories: known }, [done]))
    for (const lines of said(one, one)) {
      expect(of(lines, 'hold').filter(({ fields }) => fields.hold === 'approval')).toEqual([])
      const sets = of(lines, 'waitingSet')
      expect(sets).toMatchObject([
        {
          level: 'warn',
          fields: { workspace: 'acme', limit: 'deletes', count: 11, allowed: 5, owned: 20, setting: 'guards.deletes.minExisting' },
        },
      ])
      expect(sets[0]?.message).toBe(
        'acme waits for approval: limit deletes: 11 deletes (55 % of 20 owned mappings); guards.deletes.minExisting allows 5, which is more than 20 % of 20 owned mappings; ' +
          'if lines or a file are gone by mistake, restore them · or, if the limit is wrong, change guards.deletes.minExisting · ' +
          `to approve exactly these 11 changes: --allow ${String(sets[0]?.fields.id)}`,
      )
      expect(of(lines, 'summary')).toMatchObject([
        {
          level: 'warn',
          fields: { outcome: 'waiting', written: 1, waiting: 11 },
          message: expect.stringMatching(/^acme 1 of 1 written: 1 create, .* · 11 need approval/),
        },
      ])
    }
  })

  test('a set of a limit without a setting', () => {
    const [lines] = said(report(judged({ existing: ['workspace leads admin'], removed: ['workspace leads'] }, [])))
    const set = of(lines, 'waitingSet').find(({ fields }) => fields.limit === 'lastAdministrator')
    expect(set).toMatchObject({ fields: { count: 1, allowed: 0 } })
    expect(set?.message).toMatch(
      /^acme waits for approval: limit lastAdministrator: leads has the last mapping .*; name another group that keeps an administrator role · to approve/,
    )
    expect(of(lines, 'summary')).toMatchObject([
      {
        level: 'warn',
        fields: { outcome: 'waiting', written: 0 },
        message: 'acme nothing to write now: 1 needs approval (1 delete), 0 unchanged',
      },
    ])
  })

  test('a failed workspace: one error with the cure', () => {
    const error = new OperationalError('Refused', 'the service refuses the credential "default"', { cure: 'make a new key' })
    const [lines] = said(report({ ...failedReport, error } as typeof failedReport))
    expect(of(lines, 'failure')).toMatchObject([
      {
        level: 'error',
        fields: { outcome: 'failed' },
        message: 'acme failed: the service refuses the credential "default"; make a new key',
      },
    ])
    expect(of(lines, 'summary')).toEqual([])
  })

  test('one that was stopped before its lists were read has not failed', () => {
    const [lines] = said(report(stoppedReport))
    expect(lines?.filter(({ level }) => level !== 'debug')).toEqual([
      {
        level: 'info',
        fields: { event: 'summary', workspace: 'acme', outcome: 'incomplete', written: 0, tookMs: 2_000 },
        message: 'acme stopped before its plan was judged; nothing was written',
      },
    ])
  })

  test('a directory, at every cycle', () => {
    const one = report(failedReport, { directories: [{ ...corp, status: 'failed', groups: 0, why: 'cannot connect' }] })
    const lines = said(one, one)
    for (const cycle of lines)
      expect(of(cycle, 'directory')).toMatchObject([{ level: 'error', message: expect.stringContaining('cannot connect') }])
  })

  test('a directory that was being read when the program was stopped has not failed', () => {
    const [lines] = said(report(stoppedReport, { directories: [{ ...corp, status: 'failed', groups: 0, why: 'given up', stopped: true }] }))
    expect(of(lines, 'directory')).toMatchObject([{ level: 'info', message: 'corp: stopped while it was read' }])
  })

  test('a directory that is complete again after it was not is said once, also if it was not read meanwhile', () => {
    const partial: DirectoryReport = { ...corp, status: 'partial', why: 'cut off' }
    const cycle = (...directories: readonly DirectoryReport[]) => report(stoppedReport, { directories })
    const cycles = said(cycle(corp), cycle(partial), cycle(), cycle({ ...corp, status: 'failed', stopped: true }), cycle(corp), cycle(corp))
    expect(cycles.map((lines) => of(lines, 'directory').map(({ level, message }) => `${level} ${message}`))).toEqual([
      ['debug corp: complete, 3 groups'],
      [expect.stringMatching(/^warn corp: partial: cut off/)],
      [],
      ['info corp: stopped while it was read'],
      ['info corp: complete again, 3 groups'],
      ['debug corp: complete, 3 groups'],
    ])
  })

  test('a folder that is not there is no invalid file', () => {
    const keptFiles = [{ file: '/srv/groups', isUsed: true, unread: true as const }]
    const kept = '/srv/groups: there is no such file or folder; mount it'
    const away = report(failedReport, { declaration: { hash: 'abcdef0123', files: 1, kept, keptFiles } })
    const [first, second] = said(away, away).map((lines) => of(lines, 'declaration')[0]?.message)
    expect(first).toBe(`/srv/groups cannot be read. The last valid text stays in use: ${kept}`)
    expect(second).toMatch(/^\/srv\/groups still cannot be read\. The last valid text stays in use; /)
  })

  test('an invalid declaration: whole once, then a line in each cycle, and whole again where it has changed or come back', () => {
    const good = report(failedReport, { declaration: { hash: 'abcdef0123', files: 1 } })
    const bad = (kept: string) =>
      report(failedReport, { declaration: { hash: 'abcdef0123', files: 1, kept, keptFiles: [{ file: 'groups.yaml', isUsed: true }] } })
    const [a, b] = ['groups.yaml:3:1: unknown key\n 3 | grops', 'groups.yaml:4:1: unknown key']
    const cycles = said(bad(a), bad(a), bad(b), bad(b), bad(a), good, bad(a))
    const version = 'The last valid text stays in use'
    const whole = (why: string) => `groups.yaml is invalid. ${version}: ${why}`
    const still = `groups.yaml is still invalid. ${version}; plane-group-sync validate shows what to correct`
    expect(cycles.map((lines) => of(lines, 'declaration').map(({ message }) => message))).toEqual([
      ...[[whole(a)], [still], [whole(b)], [still], [whole(a)], [], [whole(a)]],
    ])
    const [first, second] = cycles.map((lines) => of(lines, 'declaration')[0])
    // The message has the mistakes, so no field repeats them.
    const fields = { event: 'declaration', inUse: 'abcdef0123', files: [{ file: 'groups.yaml', isUsed: true }] }
    expect([first, second]).toMatchObject([{ level: 'error' }, { level: 'warn' }])
    expect([first?.fields, second?.fields]).toEqual([fields, fields])
  })
})

test('a quiet cycle is one line, and it is a success', () => {
  const { lines } = reportLines(report(judged({ rules: [devs], directories: known, existing: ['ENG devs member'] }, [])), new Map())
  expect(lines.filter(({ level }) => level !== 'debug')).toMatchObject([
    { level: 'info', fields: { event: 'summary', outcome: 'success', unchanged: 1 }, message: 'acme in sync: 1 unchanged' },
  ])
})
