import { describe, expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { Later } from '../../../src/core/later.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { LastApproval, LastDocument, LastWorkspace } from '../../../src/documents/last.ts'
import { canvasOf } from '../../../src/render/canvas.ts'
import { ofOwner, ownersIn } from '../../../src/render/ofOwner.ts'
import { statusEntry, statusHold } from '../../../src/render/statusEntries.ts'
import { statusText } from '../../../src/render/statusText.ts'
import { approvalLines, statusWorkspace } from '../../../src/render/statusWorkspace.ts'
import { forPeople, people } from '../bounds.ts'
import { approvals, failedView, last, minuteMs, named, overLimit, quietView, statusOf } from './lastParts.ts'
import { at, corp, create, held, inSet, nowMs, remove, settings, sixDeletes, unsure, view } from './sample.ts'

const wide = { colour: false, width: 400 }
const canvas = canvasOf(wide, nowMs)
const iso = (ms: number) => new Date(ms).toISOString()
const blocksOf = (of: LastDocument, more: Parameters<typeof statusOf>[1] = {}, owner?: string) =>
  statusText(statusOf(of, more), wide, owner).split('\n\n')
const head = (of: LastDocument, more: Parameters<typeof statusOf>[1] = {}) => blocksOf(of, more)[0]?.split('\n') ?? []
const quiet = last([[quietView('beta'), 'success']])

describe('the approvals in force', () => {
  const one: LastApproval = {
    name: 'f'.repeat(32),
    workspace: 'acme',
    by: 'ann',
    account: 'root',
    reason: 'INC-99',
    from: iso(nowMs),
    until: iso(nowMs + 10 * minuteMs),
    keys: ['acme/a'],
    changes: 1,
    passes: [],
  }
  test.each<readonly [Partial<LastApproval>, string]>([
    [{}, '1 change: acme/a'],
    [{ keys: ['acme/a', 'acme/b'], changes: 2 }, '2 changes: acme/a, acme/b'],
    [{ keys: ['acme/a'], changes: 2 }, '2 changes: acme/a …'],
    [{ keys: ['acme/project/OPS/ops-a'], roles: [{ after: 'admin' }] }, '1 change: OPS  ops-a → admin'],
    [{ keys: ['acme/workspace/a/b'], roles: [{ before: null, after: 'admin' }] }, '1 change: workspace  a/b no role → admin'],
    [{ keys: ['acme/allProjects/a'], roles: [{ before: 'guest', after: 'admin' }] }, '1 change: all projects  a guest → admin'],
    [{ keys: ['acme/project/OPS/a'], roles: [{ before: 'guest' }] }, '1 change: OPS  a = guest'],
    [{ people: 1 }, '1 change for up to 1 person: acme/a'],
    [{ people: 2 }, '1 change for up to 2 people: acme/a'],
    [{ people: 'any' }, '1 change for any number of people: acme/a'],
    [{ changes: 0, keys: [], passes: ['acme/eng', 'acme/ops'] }, 'projects or groups with another id: acme/eng, acme/ops'],
  ])('%j: %s', (more, text) => {
    expect(approvalLines([{ ...one, ...more }], canvas)).toEqual([
      'Approvals in force (1)',
      `  ✓ ${text}; by ann (root): "INC-99"; until 02:24:30 UTC (in 10 min)`,
      `      plane-group-sync approve --withdraw ${'f'.repeat(32)}`,
    ])
  })

  test('are wrapped with a mark on the first line', () => {
    const lines = approvalLines([one], canvasOf({ colour: false, width: 40 }, nowMs))
    expect(lines.slice(1, 4)).toEqual(['  ✓ 1 change: acme/a; by ann (root):', '    "INC-99"; until 02:24:30 UTC (in 10', '    min)'])
  })

  test('have no title if there are none', () => {
    expect(approvalLines([], canvas)).toEqual([])
  })
})

describe('the head', () => {
  const began = 'Last cycle 2 min ago'
  test.each([
    ['a daemon that runs', {}, `${began} · the next begins in 8 min or earlier`],
    ['a next cycle that is due', { at: iso(nowMs + 8 * minuteMs) }, `${began} · the next is due`],
    ['no daemon', { daemon: 'none' as const }, began],
    [
      'a daemon that was restarted',
      { daemon: 'restarted' as const },
      `${began} · the next begins in 8 min or earlier · another daemon runs since`,
    ],
  ])('of %s', (_what, more, line) => {
    expect(head(quiet, more)[0]).toBe(line)
  })

  test('has its troubles first, then the process, directories and budgets', () => {
    expect(head(quiet, { trouble: ['No daemon runs', 'The next cycle is overdue'] })).toEqual([
      'No daemon runs',
      'The next cycle is overdue',
      `${began} · the next begins in 8 min or earlier`,
      'process 4711 on plane-sync-0 · version 1.4.0 · declaration 4f2c91e (14 files)',
      'corp: complete, 1,912 groups, 40 s ago · budget default: 41 of 60 requests free, others used 3',
    ])
  })

  test.each([
    [{ limit: 60, remaining: 41, others: 0, waitMs: 0 }, '41 of 60 requests free'],
    [{ limit: 1, remaining: 0, others: 1, waitMs: 1_000 }, '0 of 1 request free, others used 1, the next waits 1 s'],
  ])('of a budget %j', (budget, text) => {
    expect(head(last([], { budgets: new Map([['default', budget]]), directories: [] }))[2]).toBe(`budget default: ${text}`)
  })

  test('has a line for each directory that was not read whole', () => {
    const directories: LastDocument['directories'] = [
      { name: 'ad', kind: 'ldap', status: 'failed', groups: 0, tookMs: 0, why: 'no answer' },
      { name: 'corp', kind: 'ldap', status: 'complete', groups: 1, tookMs: 0 },
      { name: 'hr', kind: 'ldap', status: 'partial', groups: 7, tookMs: 0, at: iso(nowMs - minuteMs) },
    ]
    expect(head({ ...quiet, directories, budgets: [] }).slice(2)).toEqual([
      'ad: failed: no answer',
      'hr: partial, 1 min ago',
      'corp: complete, 1 group',
    ])
  })

  test.each<readonly [string, Partial<LastDocument['declaration']>, string]>([
    [
      'without a time',
      { kept: 'a.yaml:1: bad', keptFiles: [{ file: 'a.yaml', isUsed: true }] },
      'Invalid: a.yaml. The last valid text stays in use: a.yaml:1: bad',
    ],
    [
      'with frames',
      { kept: 'a.yaml:1:1: bad\n  1 | x\n    | ^\n\na.yaml:2:1: worse\n  2 | y\n    | ^', keptFiles: [{ file: 'a.yaml', isUsed: true }] },
      'Invalid: a.yaml. The last valid text stays in use: a.yaml:1:1: bad; a.yaml:2:1: worse; plane-group-sync validate shows what to correct',
    ],
    [
      'between files of owners',
      { kept: 'bad', keptFiles: [] },
      'Files contradict each other, and what is in dispute is held, or decided by a file without limits: bad',
    ],
    [
      'in files of owners',
      {
        kept: 'bad',
        keptFiles: ['a', 'b', 'c', 'd'].map((file) => ({ file, owner: `team-${file}`, isUsed: file !== 'b' })),
      },
      'Invalid: a (team-a), b (team-b, nothing of it is used), c (team-c) and 1 more. The last valid text stays in use; without one, what the file names or gave is held, and nothing undeclared is deleted: bad',
    ],
  ])('of an invalid declaration %s', (_what, more, line) => {
    expect(head({ ...quiet, declaration: { ...quiet.declaration, ...more } })[2]).toBe(line)
  })
})

describe('the workspaces', () => {
  const block = (name: string, outcome: LastWorkspace['outcome'], parts: Parameters<typeof view>[0] = {}) =>
    [view({ workspace: name as WorkspaceName, ...parts }, named(name)), outcome] as const
  const names = (of: LastDocument, owner?: string) =>
    blocksOf(of, {}, owner)
      .slice(1)
      .map((text) => text.split(' ')[0])
  const approval = { holds: [held(create('ENG', 'a', 'admin'), { kind: 'approval', why: 'protectedRole' })] }
  const unknown = { holds: [unsure('ENG', 'a', { kind: 'groupUnknown', directories: ['corp'], mapped: false })] }

  test('are sorted by their trouble', () => {
    const all = last([
      block('planned', 'planned'),
      block('held', 'incomplete', unknown),
      block('waits', 'incomplete', approval),
      block('partial', 'partial'),
      [{ ...failedView, ...named('unread') }, 'incomplete'],
      [{ ...failedView, ...named('failed') }, 'failed'],
      [{ ...overLimit, ...named('limit') }, 'waiting'],
      block('stale', 'stale'),
    ])
    expect(names(all)).toEqual(['partial', 'failed', 'stale', 'unread', 'waits', 'limit', 'held', 'planned'])
  })

  test('without trouble share one line', () => {
    expect(blocksOf(last([block('a', 'success'), block('b', 'success'), block('c', 'success', unknown)])).slice(2)).toEqual([
      'Nothing waits in a and b',
    ])
  })

  test('have a block if they are suspended, were not successful, or have an approval', () => {
    const suspended = view({}, { about: { ...named('a').about, suspend: 'grants' } })
    const all = last([[suspended, 'success'], block('b', 'planned'), block('acme', 'success'), block('c', 'success')], { approvals })
    expect(names(all)).toEqual(['a', 'b', 'acme', 'Nothing'])
  })

  test('one alone has a block', () => {
    expect(names(last([block('a', 'success')]))).toEqual(['a'])
  })

  test('of an owner have a block only with rows', () => {
    const all = last([block('a', 'planned')])
    expect(blocksOf(all, {}, 'team-a').slice(1)).toEqual(['Nothing of team-a waits in a'])
    expect(names(last([block('a', 'success', unknown), [overLimit, 'waiting'], [failedView, 'failed']]), 'team-a')).toEqual([
      'lab',
      'shop',
      'a',
    ])
  })

  test('that the file has no room for are counted', () => {
    expect(blocksOf({ ...quiet, leftOut: 2 }).slice(2)).toEqual(['Too many for the file, and not shown: 2 workspaces'])
  })
})

describe('a workspace', () => {
  const linesOf = (one: LastWorkspace | undefined) => (one === undefined ? [] : statusWorkspace(one, [], canvas))
  const [beta] = quiet.workspaces as [LastWorkspace]
  const planned = (
    parts: Parameters<typeof view>[0],
    more: Parameters<typeof view>[1] = {},
    outcome: LastWorkspace['outcome'] = 'success',
  ) => last([[view(parts, { ...named('beta'), ...more }), outcome]]).workspaces[0]
  const body = (...given: Parameters<typeof planned>) => linesOf(planned(...given)).slice(1)

  test.each<readonly [Partial<LastWorkspace>, string]>([
    [{}, 'success 2 min ago'],
    [{ lastSuccess: undefined }, 'success'],
    [{ outcome: 'partial' }, 'partial · last success 2 min ago'],
    [{ outcome: 'planned', lastSuccess: undefined }, 'planned · no success is known'],
  ])('%j', (more, text) => {
    expect(linesOf({ ...beta, ...more } as LastWorkspace)).toEqual([`beta at plane.example.com · ${text}`])
  })

  test.each([
    ['grants', 'Grants are suspended by the settings.'],
    [true, 'Writing is suspended by the settings.'],
  ] as const)('that is suspended: %s', (suspend, line) => {
    expect(body({}, { about: { ...named('beta').about, suspend } })).toEqual([line])
  })

  test('that failed has the reason, and the cure if there is one', () => {
    const { cure: _, ...without } = failedView
    const shown = (one: typeof failedView | typeof without) => linesOf(last([[one, 'failed']]).workspaces[0]).slice(1)
    expect(shown(without)).toEqual(['Failed, nothing was planned: plane.example.com does not answer'])
    expect(shown(failedView)).toHaveLength(2)
  })

  const changes = [create('ENG', 'a', 'guest'), create('ENG', 'b', 'guest')]
  const notSent = { kind: 'notSent', why: 'no answer' } as const
  test.each([
    ['nothing was planned', [], undefined, []],
    ['a dry run', changes, undefined, ['2 changes planned, and not written']],
    ['all are written', changes, changes.map((one) => ({ change: one, outcome: { kind: 'done' } as const })), ['2 changes written']],
    [
      'one is not sent',
      changes,
      changes.map((one, n) => ({ change: one, outcome: n === 0 ? ({ kind: 'done' } as const) : notSent })),
      ['1 change written · 1 change not written: not sent: no answer; the next cycle plans anew'],
    ],
    [
      'all are refused',
      changes,
      changes.map((one) => ({ change: one, outcome: { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no rights' } as const })),
      ['0 changes written · 2 changes not written: refused with 403: no rights; the next cycle plans anew'],
    ],
  ])('in which %s', (_what, of, results, lines) => {
    expect(body({ changes: of }, results === undefined ? {} : { applied: { results, holds: [], left: [] } })).toEqual(lines)
  })

  test('counts what is kept, apart from what is held', () => {
    const reason = { kind: 'patternsUnmatched', why: 'too many' } as const
    const kept = unsure('ENG', 'a', reason)
    const text = body({
      holds: [
        { ...kept, would: { action: 'keep' } } as typeof kept,
        { ...unsure('ENG', 'b', reason), would: { action: 'unknown' } } as typeof kept,
        unsure('ENG', 'c', reason),
      ],
    })
    expect(text.filter((line) => line.includes('are kept until') || line.startsWith('Held'))).toEqual([
      'Held (1)',
      '2 existing mappings are kept until the patterns are matched',
    ])
  })

  test('counts the rows for which the file had no room', () => {
    expect(linesOf({ ...beta, leftOut: { changes: 1, holds: 2, later: 4, findings: 3 } }).slice(1)).toEqual([
      'Too many for the file, and not shown: 1 change, 2 holds, 4 changes of later dates, 3 findings; plan shows all',
    ])
  })

  test('leaves out no held mapping', () => {
    const reason = (near: string) => ({ kind: 'groupUnknown', directories: ['corp'], mapped: false, near }) as const
    const holds = Array.from({ length: 70 }, (_, n) => unsure(`P${n}`, `g${n}`, reason(`near-${n}`)))
    const lines = body({ holds })
    expect(lines.filter((line) => line.startsWith('  ? '))).toHaveLength(60)
    expect(lines.join('\n')).toMatch(/^Held \(70\), 11 in rows for several groups \(--all shows each\)$/m)
    expect(lines.join('\n')).toContain('did you mean near-62?, near-63?, near-64?,')
  })

  test('says why rows wait that share a line, also if they wait since different times', () => {
    const holds = Array.from({ length: 70 }, (_, n) =>
      unsure(`P${n}`, `g${n}`, { kind: 'groupUnknown', directories: ['corp'], mapped: false }),
    )
    const since = new Map(holds.map(({ key }, n) => [`groupUnknown ${key}`, iso(nowMs - (n + 2) * minuteMs)]))
    const [one] = last([[view({ holds }, named('beta')), 'incomplete']], { seen: new Map([['beta', since]]) }).workspaces
    const reason = (some: readonly string[]) => some.filter((line) => line.includes('corp does not know this group')).length
    const shared = linesOf(one)
    expect(shared.filter((line) => line.startsWith('  ? '))).toHaveLength(60)
    expect(shared.filter((line) => line.startsWith('  ? 11 groups'))).toHaveLength(1)
    expect(reason(shared)).toBe(1)
    const twelve = last([[view({ holds: holds.slice(0, 12) }, named('beta')), 'incomplete']], { seen: new Map([['beta', since]]) })
    const own = linesOf(twelve.workspaces[0])
    expect(
      own
        .filter((line) => line.startsWith('  ? '))
        .map((line) => /since 02:(\d\d) UTC/.exec(line)?.[1] ?? '')
        .toSorted(),
    ).toEqual(Array.from({ length: 12 }, (_, n) => String(1 + n).padStart(2, '0')))
    expect(reason(own)).toBe(1)
  })

  test('says why rows wait that share a line, also if the reasons differ', () => {
    const holds = Array.from({ length: 50 }, (_, n) =>
      unsure(`P${n}`, `g${n}`, { kind: 'readingIncomplete', of: 'corp', why: n === 0 ? 'no answer' : 'a page is missing' }),
    )
    const text = body({ holds }).join('\n')
    expect(text).toContain('no answer')
    expect(text).toContain('a page is missing')
  })
})

describe('in colour', () => {
  const painted = canvasOf({ colour: true, width: 400 }, nowMs)
  const sgr = { alarm: '1;31', bold: '1', dim: '2', yellow: '33' }
  const inStyle = (style: keyof typeof sgr, text: string) => `\u001B[${sgr[style]}m${text}\u001B[0m`
  const [beta] = quiet.workspaces as [LastWorkspace]
  const linesOf = (one: LastWorkspace) => statusWorkspace(one, [], painted)
  const textOf = (of: LastDocument, width = 400) => statusText(statusOf(of), { colour: true, width })

  test.each([
    ['success', 'bold'],
    ['incomplete', 'bold'],
    ['planned', 'bold'],
    ['partial', 'alarm'],
    ['stale', 'alarm'],
    ['waiting', 'alarm'],
    ['failed', 'alarm'],
  ] as const)('the title of a workspace with the outcome %s is %s', (outcome, style) => {
    const [title = ''] = linesOf({ ...beta, outcome })
    expect(title.slice(0, title.indexOf('beta'))).toBe(`\u001B[${sgr[style]}m`)
  })

  test('what keeps a workspace from writing stands out, and what is left out does not', () => {
    const suspended = { ...beta, plan: { ...beta.plan, suspend: true } } as LastWorkspace
    expect(linesOf(suspended)[1]).toBe(inStyle('yellow', 'Writing is suspended by the settings.'))
    const kept = { ...unsure('ENG', 'a', { kind: 'patternsUnmatched', why: 'x' }), would: { action: 'keep' } } as Hold
    const [keeping] = last([[view({ holds: [kept] }), 'incomplete']]).workspaces as [LastWorkspace]
    expect(linesOf(keeping)[1]).toBe(inStyle('yellow', '1 existing mapping is kept until the patterns are matched'))
    const cut = { ...beta, leftOut: { changes: 1, holds: 2, later: 4, findings: 3 } } as LastWorkspace
    expect(linesOf(cut)[1]).toBe(
      inStyle('dim', 'Too many for the file, and not shown: 1 change, 2 holds, 4 changes of later dates, 3 findings; plan shows all'),
    )
  })

  test('changes stand out if some are not written', () => {
    const changes = [create('ENG', 'a', 'guest'), create('ENG', 'b', 'guest')]
    const after = (...results: readonly object[]) => {
      const applied = { results: results.map((outcome, n) => ({ change: changes[n], outcome })) as never, holds: [], left: [] }
      return linesOf(last([[view({ changes }, { applied }), 'partial']]).workspaces[0] as LastWorkspace)[1]
    }
    expect(after({ kind: 'done' }, { kind: 'done' })).toBe('2 changes written')
    expect(after({ kind: 'done' }, { kind: 'notSent', why: 'x' })).toBe(
      inStyle('yellow', '1 change written · 1 change not written: not sent: x; the next cycle plans anew'),
    )
  })

  test('a directory that was not read stands out in the head, and the number of workspaces that are left out does not', () => {
    const directories: LastDocument['directories'] = [
      { name: 'ad', kind: 'ldap', status: 'failed', groups: 0, tookMs: 0, why: 'no answer' },
    ]
    const text = textOf({ ...quiet, directories, leftOut: 2 })
    expect(text).toContain(inStyle('alarm', 'ad: failed: no answer'))
    expect(text).toContain(inStyle('dim', 'Too many for the file, and not shown: 2 workspaces'))
  })

  test('the names of quiet workspaces are wrapped', () => {
    const two = last(['first-workspace', 'second-workspace'].map((name) => [quietView(name), 'success'] as const))
    const lines = statusText(statusOf(two), { colour: false, width: 30 }).split('\n')
    expect(lines.slice(-2).join(' ')).toBe('Nothing waits in first-workspace and second-workspace')
  })
})

describe('an entry', () => {
  const holdsOf = (...holds: readonly Hold[]) => {
    const [one] = last([[view({ holds }), 'incomplete']]).workspaces
    return one !== undefined && 'holds' in one.plan ? one.plan.holds : []
  }
  const entryOf = (of: Hold) => {
    const [hold] = holdsOf(of)
    if (hold === undefined) throw new Error('no hold')
    return statusEntry(statusHold(hold, 'any'), nowMs)
  }
  const guest = create('ENG', 'a', 'guest', { size: people(3), ...at('a.yaml:4') })

  test('that waits for approval of a protected role has its command', () => {
    expect(entryOf(held(guest, { kind: 'approval', why: 'protectedRole' })).cure).toBe(
      `plane-group-sync approve ${guest.id} --now --reason …`,
    )
  })

  test.each([
    [{ kind: 'approval', why: 'protectedRole' } as const, create('ENG', 'a', 'admin'), '‼'],
    [{ kind: 'approval', why: 'protectedGroup' } as const, guest, '!'],
    [{ kind: 'undeclared', policy: 'upsert-only' } as const, remove('ENG', 'a', 'guest', 'undeclared'), '·'],
    [{ kind: 'suspended', what: 'all' } as const, guest, '?'],
  ])('held by %j has its mark', (reason, of, sign) => {
    expect(JSON.stringify(entryOf(held(of, reason)).mark)).toContain(sign)
  })

  test('has its target, group, people and place, of the change or of the mapping', () => {
    expect(entryOf(held(guest, { kind: 'approval', why: 'protectedGroup' }))).toMatchObject({
      target: { kind: 'project', project: 'ENG' },
      group: 'a',
      size: people(3),
      because: { at: { file: 'a.yaml', line: 4 } },
    })
    const unknown = { kind: 'groupUnknown', directories: ['corp'], mapped: false } as const
    expect(entryOf(unsure('OPS', 'b', unknown))).toMatchObject({ target: { kind: 'project', project: 'OPS' }, group: 'b' })
    expect(entryOf(held(settings, { kind: 'approval', why: 'groupSync' }))).not.toHaveProperty('target')
  })

  test('of an undeclared mapping has its people, and not that it is undeclared', () => {
    const factOf = (more: object) =>
      entryOf(held(remove('ENG', 'a', 'guest', 'undeclared', more), { kind: 'undeclared', policy: 'upsert-only' })).parts.fact
    expect([factOf({ size: people(3) }), factOf({})]).toEqual(['3 people', ''])
  })

  test('that waits because of its people has their number in the sentence alone', () => {
    const { id } = guest
    const crowd = forPeople({ over: 'raise', people: 3, limit: 1, setting: 'guards.people.raise', pass: `${id}:3` })
    const factOf = (reason: Hold['reason']) => entryOf(held(guest, reason)).parts.fact
    expect([factOf(crowd), factOf({ kind: 'approval', why: 'protectedGroup' }), factOf({ kind: 'suspended', what: 'all' })]).toEqual([
      '',
      '3 people',
      '3 people',
    ])
  })

  test('of settings that files contradict has no target', () => {
    const entry = entryOf({ key: 'acme/groupSync', reason: { kind: 'contested', rules: [] } } as never)
    expect(entry).not.toHaveProperty('target')
  })

  test('of another group with the name of the group has the command that accepts it', () => {
    const changed = { kind: 'groupChanged', group: 'devs' as never, directory: 'corp', pass: 'a'.repeat(32) } as const
    expect(entryOf(unsure('ENG', 'devs', changed)).cure).toMatch(
      new RegExp(`^.+; beside a daemon: plane-group-sync approve ${'a'.repeat(32)} --now --reason …$`),
    )
  })

  test('says since when, with the day if it is another one, and until when', () => {
    const [hold] = holdsOf(held(guest, { kind: 'quarantined', since: 'unknownOutcome' }, nowMs + 90_000))
    if (hold === undefined) throw new Error('no hold')
    const whyFrom = (since: number) => statusEntry(statusHold({ ...hold, since: iso(since) }, 'any'), nowMs).times
    expect(whyFrom(nowMs - minuteMs)).toBe('since 02:13 UTC (1 min); held until 02:16:00 UTC (in 1 min 30 s)')
    expect(whyFrom(nowMs - 24 * 60 * minuteMs)).toMatch(/^since 2026-11-02 02:14 UTC \(24 h\); held/)
  })

  test('says that its time has passed', () => {
    const untilWords = (ms: number) => entryOf(held(guest, { kind: 'quarantined', since: 'unknownOutcome' }, nowMs + ms)).times
    expect([untilWords(-5_000), untilWords(0)]).toEqual(Array(2).fill(expect.stringMatching(/; held until the next read$/)))
  })

  test('has the section of its reason', () => {
    const reading = { kind: 'readingIncomplete', of: 'corp', why: 'partial' } as const
    const section = (would: object | undefined, reason: Parameters<typeof unsure>[2]) =>
      holdsOf({ ...unsure('ENG', 'a', reason), ...(would === undefined ? {} : { would }) } as ReturnType<typeof unsure>).map(
        (hold) => statusHold(hold, 'any').section,
      )
    expect([
      ...section({ action: 'keep' }, reading),
      ...section({ action: 'unknown' }, reading),
      ...section({ action: 'create' }, reading),
      ...section(undefined, reading),
      ...section({ action: 'keep' }, { kind: 'groupUnknown', directories: [], mapped: false }),
      ...section({ action: 'keep' }, { kind: 'groupUnknown', directories: [], mapped: true }),
      ...section({ action: 'keep' }, { kind: 'fileInvalid', at: { file: 'a.yaml', line: 0, column: 0 }, why: 'bad' }),
    ]).toEqual(['kept', 'kept', 'held', 'held', 'held', 'dangling', 'kept'])
    expect(holdsOf(held(guest, reading)).map((hold) => statusHold(hold, 'any').section)).toEqual(['held'])
  })
})

describe('findings', () => {
  const unread = {
    code: 'reading-incomplete',
    severity: 'warning',
    place: 'acme',
    sentence: 'the list of projects could not be read: an answer with 200 is HTML',
    cure: 'log in',
  } as const
  const kept: Hold = {
    ...unsure('ENG', 'a', { kind: 'readingIncomplete', of: 'projects', why: 'an answer with 200 is HTML' }),
    would: { action: 'keep', before: 'guest' as never },
  }
  const other = { code: 'another-writer', severity: 'error', place: 'acme', sentence: 'another program writes here' } as const
  const info = { code: 'waiver-used', severity: 'info', place: 'a.yaml:1:1', sentence: 'an approval was used' } as const
  const linesOf = (of: LastDocument) => blocksOf(of)[1]?.split('\n').slice(1) ?? []

  test('say below the line about kept mappings why the list was not read, with the cure, once', () => {
    const of = last([[view({ changes: [], holds: [kept], findings: [info, unread] }), 'incomplete']])
    expect(linesOf(of)).toEqual([
      '1 existing mapping is kept until projects are read whole',
      'Findings (1)',
      '  warning reading-incomplete: the list of projects could not be read: an answer with 200 is HTML · acme',
      '      log in',
    ])
  })

  test('say it to the owner of the mappings, too, and nothing else', () => {
    const own = { ...kept, ...at('pay.yaml:1', { owner: 'team-pay' }) }
    const of = last([[view({ changes: [], holds: [own], findings: [other, unread] }), 'incomplete']])
    const [, block] = blocksOf(ofOwner(of, 'team-pay', noFence), {}, 'team-pay')
    expect(block).toContain('an answer with 200 is HTML')
    expect(block).not.toContain('another-writer')
  })

  test('that are errors come first, and those that are for information are not shown', () => {
    const late = Array.from({ length: 40 }, (_, n) => ({ ...unread, code: 'pattern-unused', place: `a.yaml:${n}:1` }) as const)
    const lines = linesOf(last([[view({ changes: [], holds: [kept], findings: [info, ...late, unread, other] }), 'incomplete']]))
    expect(lines.slice(1, 4)).toEqual([
      'Findings (42)',
      '  error another-writer: another program writes here · acme',
      expect.stringMatching(/^ {2}warning reading-incomplete: /),
    ])
    expect(lines.at(-1)).toBe('  … and 12 more (--all shows each)')
  })

  test('do not repeat what stands above: a directory that was not read, an invalid file', () => {
    const corpUnread = { ...unread, place: 'corp' }
    const invalid = { ...other, code: 'file-invalid' } as const
    const declaration = { hash: 'abc', files: 1, kept: 'a.yaml:1:1: wrong', keptFiles: [] }
    const directories = [{ ...corp, status: 'failed', why: 'no connection' }] as const
    const planned = view({ changes: [], holds: [], findings: [corpUnread, invalid] }, { directories, declaration })
    expect(linesOf(last([[planned, 'incomplete']], { directories, declaration }))).toEqual([])
  })

  test('about all workspaces stand in the head, and a workspace with one is not quiet', () => {
    const clock = { code: 'clock-differs', severity: 'warning', place: 'plane.example.com', sentence: 'the clocks differ', cure: 'run NTP' }
    const all = last([
      [quietView('beta'), 'success'],
      [
        view({ workspace: 'gamma' as WorkspaceName, changes: [], holds: [], findings: [{ ...other, place: 'gamma' }] }, named('gamma')),
        'success',
      ],
    ])
    expect(head({ ...all, findings: [clock as never, { ...clock, severity: 'info' } as never] }).slice(-3)).toEqual([
      'Findings (1)',
      '  warning clock-differs: the clocks differ · plane.example.com',
      '      run NTP',
    ])
    expect(blocksOf(all)[1]).toContain('another-writer')
    expect(blocksOf(all)[2]).toBe('Nothing waits in beta')
  })
})

test('settings that are not used stand in the head, with what is wrong', () => {
  const text = head({ ...quiet, settings: { hash: 'abc', kept: 'config.yaml:3:5: unknown key' } }).join('\n')
  expect(text).toContain('The settings are invalid, and those that were read before stay in use: config.yaml:3:5: unknown key')
  const { settings: _, ...older } = quiet
  expect(head(older)).toEqual(head(quiet))
})

const noFence = () => undefined
describe('the document of one owner', () => {
  test('has what a gone line leaves, by the fence of the file that gave the mapping', () => {
    const given = (group: string, team: string) => ({ ...remove('ENG', group, 'guest', 'undeclared'), givenBy: `teams/${team}/a.yaml` })
    const kept = { ...unsure('ENG', 'd', { kind: 'undeclared', policy: 'sync' }), givenBy: 'teams/eng/b.yaml' }
    const written = given('c', 'eng')
    const of = last([
      [
        view({ changes: [written, given('e', 'pay')], holds: [...inSet([given('a', 'eng'), given('b', 'pay')], sixDeletes), kept] }),
        'waiting',
      ],
    ])
    const ownerOfFile = (file: string) => `team-${file.split('/')[1]}`
    expect([...ownersIn(of, ownerOfFile)].toSorted()).toEqual(['team-eng', 'team-pay'])
    const [one] = ofOwner(of, 'team-eng', ownerOfFile).workspaces
    if (one === undefined || !('changes' in one.plan)) throw new Error('no plan')
    expect(one.plan.changes.map(({ id }) => id)).toEqual([written.id])
    expect(one.plan.holds.map(({ group }) => group)).toEqual(['a', 'd'])
    expect(one.plan.sets).toHaveLength(1)
  })

  const mine = create('ENG', 'a', 'guest', at('pay.yaml:1', { owner: 'team-pay' }))
  const theirs = create('ENG', 'b', 'guest', at('ops.yaml:1', { owner: 'team-ops' }))
  const unowned = create('ENG', 'c', 'guest')

  test('has the rows of their rules alone, and no approvals and findings', () => {
    const hold = (of: typeof mine) => held(of, { kind: 'approval', why: 'protectedRole' })
    const all = last([[view({ changes: [mine, theirs, unowned], holds: [hold(mine), hold(theirs), hold(unowned)] }), 'incomplete']], {
      approvals,
    })
    const own = ofOwner({ ...all, findings: [{ code: 'x' } as never] }, 'team-pay', noFence)
    const [one] = own.workspaces
    if (one === undefined || !('changes' in one.plan)) throw new Error('no plan')
    expect([one.plan.changes, one.plan.holds].map((rows) => rows.map((row) => row.because?.owner))).toEqual([['team-pay'], ['team-pay']])
    expect([own.approvals, own.findings, one.plan.findings, 'applied' in one.plan]).toEqual([[], [], [], false])
  })

  test('has their rows of dates, and no others', () => {
    const date = (of: typeof mine) =>
      ({ ...of, atMs: nowMs + 86_400_000, why: 'ends', write: { action: 'delete', before: 'guest' } }) as unknown as Later
    const of = last([[view({ changes: [], holds: [], later: [date(mine), date(theirs)] }), 'success']])
    expect([...ownersIn(of, noFence)]).toEqual(['team-pay', 'team-ops'])
    const text = blocksOf(ofOwner(of, 'team-pay', noFence), {}, 'team-pay').join('\n')
    expect([text.includes('pay.yaml:1'), text.includes('ops.yaml:1')]).toEqual([true, false])
    expect(blocksOf(ofOwner(of, 'team-web', noFence), {}, 'team-web').slice(1)).toEqual(['Nothing of team-web waits in acme'])
  })

  test('says what became of their changes, and of no others', () => {
    const applied = {
      results: [mine, theirs].map((change) => ({ change, outcome: { kind: 'done' } as const })),
      holds: [held(mine, { kind: 'suspended', what: 'all' } as const), held(theirs, { kind: 'suspended', what: 'all' } as const)],
      left: [mine, theirs],
    }
    const of = last([[view({ changes: [mine, theirs], holds: [] }, { applied }), 'success']])
    const [one] = ofOwner(of, 'team-pay', noFence).workspaces
    if (one === undefined || !('changes' in one.plan)) throw new Error('no plan')
    const own = one.plan.applied
    expect([own?.results.map(({ change }) => change), own?.holds.map(({ because }) => because?.owner), own?.left]).toEqual([
      [mine.id],
      ['team-pay'],
      [mine.id],
    ])
    expect(blocksOf(ofOwner(of, 'team-pay', noFence), {}, 'team-pay').join('\n')).not.toContain('planned, and not written')
  })

  test('has their invalid files, and workspaces without a plan', () => {
    const files = ['team-pay', 'team-ops'].map((owner) => ({ file: owner, owner, isUsed: true }))
    const of = last([[failedView, 'failed']])
    const own = ofOwner({ ...of, declaration: { ...of.declaration, keptFiles: files } }, 'team-pay', noFence)
    expect([own.declaration.keptFiles, own.workspaces]).toEqual([[files[0]], of.workspaces])
    expect(ofOwner(of, 'team-pay', noFence).declaration.keptFiles).toBeUndefined()
  })

  test('is there for each owner of a change or of a hold', () => {
    const hold = held(theirs, { kind: 'approval', why: 'protectedRole' })
    expect([
      ...ownersIn(
        last([
          [view({ changes: [mine, unowned], holds: [hold] }), 'incomplete'],
          [failedView, 'failed'],
        ]),
        noFence,
      ),
    ]).toEqual(['team-pay', 'team-ops'])
  })
})
