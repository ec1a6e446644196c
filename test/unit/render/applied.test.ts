import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Key, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Applied, WorkspaceAbout } from '../../../src/core/report.ts'
import { isWhole, outcomeText, resultText } from '../../../src/render/applied.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { nextText } from '../../../src/render/nextStep.ts'
import { overallText, plansText } from '../../../src/render/plansText.ts'
import { about, at, create, everyOutcome, face, held, inSet, nowMs, patch, remove, settings, sixDeletes, unsure, view } from './sample.ts'

const options = { colour: false, width: 100 }
const snapshot = (name: string) => `./snapshots/${name}.txt`

const [lost, refused, unsent, written, echoed] = [
  create('ENG', 'lost', 'member', at('a.yaml:1')),
  create('ENG', 'refused', 'superuser', at('a.yaml:2')),
  create('ENG', 'unsent', 'member', at('a.yaml:3')),
  remove('ENG', 'written', 'member', 'removed', at('a.yaml:4')),
  patch('ENG', 'echoed', 'guest', 'member', at('a.yaml:5')),
] as const
const left = Array.from({ length: 20 }, (_, n) => create('OPS', `left-${n}`, 'guest', at(`b.yaml:${n}`)))
const troubled: Applied = {
  results: [
    { change: written, outcome: { kind: 'done' } },
    { change: echoed, outcome: { kind: 'done', echoed: 'contributor' } },
    { change: refused, outcome: { kind: 'refused', status: 400, code: 'rejected', sentence: 'Role "superuser" is not a valid choice.' } },
    { change: lost, outcome: { kind: 'unknown', why: 'the connection was cut before the answer was whole', lastByteMs: nowMs - 3000 } },
    { change: unsent, outcome: { kind: 'notSent', why: 'connect ECONNREFUSED 10.0.0.1:443' } },
  ],
  holds: [
    held(unsent, { kind: 'suspended', what: 'all' }),
    held(remove('ENG', 'after', 'member', 'removed'), { kind: 'requires', key: lost.key }),
  ],
  left,
  stopped: 'unreachable',
}

test('what went wrong comes first, each with what follows from it', async () => {
  await expect(`${plansText([view(face, { applied: troubled })], options)}\n`).toMatchFileSnapshot(snapshot('applied-troubled'))
})

test('every outcome in colour', async () => {
  const coloured = plansText([view(face, { applied: everyOutcome })], { colour: true, width: 120 })
  await expect(`${coloured.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot(snapshot('outcomes-colour'))
})

test('what is long is bounded', () => {
  const results = Array.from({ length: 61 }, (_, n) => ({ change: create('ENG', `g-${n}`, 'member'), outcome: { kind: 'done' } as const }))
  const text = plansText([view({}, { applied: { results, holds: [], left: [] } })], { colour: true, width: 100 })
  expect(text).toContain('2 groups: g-59, g-60 → member  in ENG  2 changes')
  expect(text.split('\n')).toContain('\u001B[32mWritten (61)\u001B[0m, 2 in rows for several groups (--all shows each)')
  expect(text).toContain('\u001B[32m61 of 61 written')
})

test('a change that could not be sent and was then held counts once', () => {
  expect(plansText([view(face, { applied: troubled })], options)).toContain(
    '2 of 26 written, 1 unknown, 1 refused (1 protected), 1 not sent, 1 held, 20 not tried',
  )
})

test('of a repeated write, until when its first sending may still be executed', () => {
  const earlierLastByteMs = nowMs - 3000
  const told = (outcome: Parameters<typeof outcomeText>[0]) => outcomeText(outcome, echoed, about, nowMs)
  const alone = 'this key is not written until 02:16:27 UTC (in 1 min 57 s), then it is read and planned again'
  expect(told({ kind: 'notSent', why: 'refused.', earlierLastByteMs })).toBe(`refused; an earlier attempt may have been executed: ${alone}`)
  expect(told({ kind: 'refused', status: 404, code: 'gone', sentence: 'no.', earlierLastByteMs })).toBe(
    `404: no; planned again from the next read; an earlier attempt may have been executed: ${alone}`,
  )
  expect(told({ kind: 'done', earlierLastByteMs })).toBe('')
})

test('a role that was asked for is not worth a word when it comes back', () => {
  expect(outcomeText({ kind: 'done', echoed: 'member' }, echoed, about, nowMs)).toBe('')
  expect(outcomeText({ kind: 'done', echoed: 'contributor' }, echoed, about, nowMs)).toBe(
    'the service answers contributor; if that is the same role, add it to roles.aliases',
  )
  expect(outcomeText({ kind: 'done', storedKey: 'acme/project/ENG/Echoed' as Key }, echoed, about, nowMs)).toBe(
    'the service keeps it as acme/project/ENG/Echoed, which is another mapping',
  )
})

test('settings that the service answers with other values are named', () => {
  const sent = { ...settings, after: { autoRemove: false, defaultWorkspaceRole: 'guest' as Role } } as Change
  const answered = { autoRemove: true, defaultWorkspaceRole: 'ow\u202Ener' as Role }
  expect(outcomeText({ kind: 'done', answered }, sent, about, nowMs)).toBe(
    'the service answers auto-remove on instead of off · default role "ow\\u{202e}ner" instead of "guest"; look at these settings in Plane, then plan again',
  )
})

test.each([
  ['credential', 'nothing more is sent with this credential'],
  ['forbidden', 'tried again at the next run'],
  ['rejected', 'tried again at the next run'],
  ['conflict', 'the next read shows whether it exists by now'],
  ['gone', 'planned again from the next read'],
  ['throttled', 'tried again later'],
  ['redirected', 'tried again at the next run'],
] as const)('what follows from a refusal: %s', (code, then) => {
  expect(outcomeText({ kind: 'refused', status: 400, code, sentence: 'No.' }, refused, about, nowMs)).toBe(`400: No; ${then}`)
})

const done = { change: written, outcome: { kind: 'done' } } as const
const notSent = { change: unsent, outcome: { kind: 'notSent', why: 'connection refused' } } as const
const bare = unsure('ENG', 'bare', { kind: 'readingIncomplete', of: 'corp', why: 'down' })

test('everything is written only where nothing else came of anything', () => {
  const whole = (more: Partial<Applied>) => isWhole({ results: [done], holds: [], left: [], ...more })
  expect([{}, { results: [] }].map(whole)).toEqual([true, true])
  const another = { change: written, outcome: { kind: 'done', storedKey: 'acme/project/ENG/Written' as Key } } as const
  expect(whole({ results: [another] })).toBe(false)
  expect(whole({ results: [{ change: settings, outcome: { kind: 'done', answered: { enabled: false } } }] })).toBe(false)
  expect([{ results: [done, notSent] }, { results: [notSent] }, { holds: [bare] }, { left: [unsent] }].map(whole)).toEqual([
    ...[false, false, false, false],
  ])
  expect(resultText([{ about, applied: { results: [done, notSent], holds: [bare], left: [] } }])).toBe('1 of 3 written, 1 not sent, 1 held')
})

test('what became of each workspace', async () => {
  const failed = { about, failed: '403', cure: 'check the key' }
  const waits = view({ holds: [held(unsent, { kind: 'suspended', what: 'all' })] })
  const every = [
    failed,
    view(face, { moved: true }),
    view({ holds: inSet([written], sixDeletes) }),
    view(face, { applied: { results: [done], holds: [bare], left: [] } }),
    view(face, { applied: { results: [done], holds: [], left: [] } }),
    view(face),
    waits,
    view(),
  ]
  expect(overallText(every)).toBe(
    '8 workspaces: 1 failed, 1 stale, 1 partly written, 1 written, 1 with changes, 2 waiting, 1 in sync' +
      ' · 2 of 3 written, 1 held · 5 need approval (4 create, 1 delete), 5 held, 4 undeclared (4 protected), 1,022 unchanged',
  )
  expect(overallText([view(face), view()])).toBe(
    '2 workspaces: 1 with changes, 1 in sync · 2 create, 1 raise, 0 lower, 0 delete · 1 needs approval (1 create), 1 held, 1 undeclared (1 protected), 292 unchanged',
  )
  expect(overallText([failed, failed])).toBe('2 workspaces: 2 failed')
  const coloured = plansText([failed, waits, view()].slice(0, 2), { colour: true, width: 100 })
  await expect(`${coloured.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot(snapshot('several-colour'))
})

test.each(['credential', 'throttled', 'unreachable', 'notAsSent', 'signal', 'journal', 'outdated', undefined] as const)(
  'what is next after %s',
  (stopped) => {
    const text = plansText([view(face, { applied: { results: [], holds: [], left, ...(stopped && { stopped }) } })], {
      ...options,
      width: 300,
    })
    expect(text.split('\n').find((line) => line.startsWith('Next: '))).toMatchSnapshot()
  },
)

test.each([
  ['a minute', undefined],
  ['a minute', 5_000],
  ['a minute', 60_000],
  ['2 min', 90_001],
  ['15 min', 900_000],
])('after a request to wait, the next apply is in %s', (when, retryAfterMs) => {
  const wait = retryAfterMs && { retryAfterMs }
  for (const outcome of [
    { kind: 'refused', status: 429, code: 'throttled', sentence: 'slow down', ...wait },
    { kind: 'notSent', why: 'asked to wait', ...wait },
  ] as const) {
    const applied: Applied = {
      results: [
        { change: written, outcome: { kind: 'done' } },
        { change: refused, outcome },
      ],
      holds: [],
      left,
      stopped: 'throttled',
    }
    expect(nextText({ ...view(face), applied }, false)).toBe(
      `Next: the service asked to wait. Apply again in ${when}; the daemon does so by itself.`,
    )
  }
})

test('what is next after a refusal, and after several equal ones', () => {
  const outcome: Outcome = { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }
  const applied: Applied = { results: [{ change: refused, outcome }], holds: [], left: [] }
  const again = 'then apply again; it reads afresh and writes only what is still missing.'
  expect(nextText({ ...view(face), applied }, false)).toBe(`Next: do what the rows above say, ${again}`)
  const stopped: Applied = { ...applied, left: [written], stopped: 'refused' }
  expect(nextText({ ...view(face), applied: stopped }, false)).toBe(
    'Next: plane.example.com failed in the same way several times in a row, so the rest was not tried. Do what the failed rows say, then apply again.',
  )
})

test('what is next after a part of a saved plan is written: another plan', () => {
  const results = (...outcomes: readonly Outcome[]) => outcomes.map((outcome, n) => ({ change: n === 0 ? refused : written, outcome }))
  const no: Outcome = { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }
  const next = (of: readonly Outcome[], more: Partial<Applied> = {}, isSaved = true) =>
    nextText({ ...view(face), applied: { results: results(...of), holds: [], left: [], ...more }, isSaved }, false)
  const stale = 'The saved plan is stale now, since a part of it is written: save a new plan, or apply without a file.'
  expect(next([no, { kind: 'done' }])).toMatch(/^Next: do what the rows above say, .*/)
  for (const more of [{}, { stopped: 'throttled' }, { stopped: 'signal' }] as const)
    expect(next([no, { kind: 'done' }], more).endsWith(` ${stale}`)).toBe(true)
  expect(next([no])).not.toContain('stale')
  expect(next([no, { kind: 'done' }], {}, false)).not.toContain('stale')
  // All of the file is done: applied again it is already as planned.
  expect(next([{ kind: 'done' }])).not.toContain('stale')
  expect(next([{ kind: 'done' }], { left: [written] })).toContain('stale')
})

test('what is next if only the last result is not in the journal', () => {
  const done: Applied = {
    results: [{ change: written, outcome: { kind: 'done' } }],
    holds: [],
    left: [],
    stopped: 'journal',
    why: 'no space',
  }
  const lines = plansText([view({ changes: [written] }, { applied: done })], { ...options, width: 300 }).split('\n')
  expect(lines).toContain(
    'Next: no space. No change is left to send, and only the last result is not in the journal. Make the journal writable, then apply again.',
  )
  expect(lines).toContainEqual(expect.stringContaining('1 of 1 written'))
})

test('several workspaces, and a line over all', async () => {
  const changes = face.changes ?? []
  const applied: Applied = { results: changes.map((change) => ({ change, outcome: { kind: 'done' } })), holds: [], left: [] }
  const beta = { ...about, workspace: 'beta' as WorkspaceName, slug: 'beta-stg' }
  const views = [
    view(face, { applied }),
    view({}, { applied: { results: [], holds: [], left: [] } }),
    { about: beta, failed: 'GET https://plane.example.com/api/v1/workspaces/beta-stg/: 403, the key may not read this workspace' },
  ]
  await expect(`${plansText(views, options)}\n`).toMatchFileSnapshot(snapshot('several'))
})

describe('the result of apply --yes, which shows no plan', () => {
  const done: Applied = { results: [{ change: written, outcome: { kind: 'done' } }], holds: [], left: [] }
  const linesOf = (...views: Parameters<typeof plansText>[0]) => plansText(views, { ...options, width: 300 }).split('\n')
  const findings = [
    { code: 'duplicate-mapping', severity: 'warning', place: 'ENG a', sentence: 'there are two', cure: 'delete one' },
  ] as const
  const dangling = unsure('ENG', 'left', { kind: 'groupUnknown', directories: ['corp'], mapped: true })
  const corpDown = { name: 'corp', kind: 'ldap', status: 'failed', groups: 0, why: 'connection refused', atMs: nowMs, tookMs: 1 } as const

  test('has each section of the plan that no write ends', async () => {
    const holds = [...(face.holds ?? []), dangling, unsure('ENG', 'bare', { kind: 'readingIncomplete', of: 'corp', why: 'down' })]
    const one = view({ ...face, holds, findings }, { applied: done, directories: [corpDown] })
    await expect(`${plansText([one], options)}\n`).toMatchFileSnapshot(snapshot('applied-waits'))
    for (const text of [plansText([one], options), planMarkdown([one])])
      for (const name of ['it-leads', 'partners-legal', 'left', 'bare', 'old-eng-admins', 'there are two', 'connection refused'])
        expect(text).toContain(name)
  })

  const readingIncomplete = unsure('ENG', 'bare', { kind: 'readingIncomplete', of: 'the project mappings', why: 'cut' })
  const groupUnknown = unsure('ENG', 'bare', { kind: 'groupUnknown', directories: ['corp'], mapped: false })
  test.each<[string, Parameters<typeof view>[0], Parameters<typeof view>[1], string]>([
    ['an approval', face, {}, 'Next: for each change that needs approval, either add its --allow to the next apply'],
    [
      'a set',
      { holds: inSet([written], sixDeletes) },
      {},
      'Next: for each change or set of changes that needs approval, either add its --allow to the next apply',
    ],
    ['a directory', {}, { directories: [corpDown] }, 'Next: corp could not be read whole. Repair that, then apply again'],
    ['a list', { holds: [readingIncomplete] }, {}, 'Next: a list could not be read whole. Apply again'],
    ['an unknown group', { holds: [groupUnknown] }, {}, 'Next: each held row says what ends its hold.'],
    ['nothing, since what stays is meant to stay', { holds: [dangling] }, {}, ''],
    [
      'a change that is missing',
      {},
      { applied: { ...done, holds: [readingIncomplete] } },
      'Next: do what the rows above say, then apply again',
    ],
    ['the command itself', {}, { applied: { ...done, holds: [readingIncomplete] }, goesOn: true }, ''],
  ])('says what is next: %s', (_, parts, more, next) => {
    const line = linesOf(view(parts, { applied: done, ...more })).find((text) => text.startsWith('Next: ')) ?? ''
    expect(line.slice(0, next.length)).toBe(next)
    expect(line === '').toBe(next === '')
  })

  test('says to switch on group sync if a workspace has it off', () => {
    const { groupSync, ...unread } = about
    const next = (one: WorkspaceAbout) => nextText({ ...view({}), about: one, applied: done }, true)
    expect(next({ ...unread, groupSync: { ...groupSync, enabled: false } })).toBe(
      'Next: switch on group sync in the settings of this workspace in Plane, or declare groupSync: { enabled: true }. Until then the mappings take no effect.',
    )
    expect(next(about)).toBe('')
    expect(next(unread)).toBe('')
  })

  test('says nothing of a next step if the command goes on by itself', () =>
    expect(nextText({ ...view(face), applied: done, goesOn: true }, true)).toBe(''))

  const many = ['ENG', 'OPS'].map((where) => held(create(where, 'leads', 'admin'), { kind: 'approval', why: 'protectedRole' }))
  test.each([
    ['several grants of one rule', many],
    ['several grants beside a set', [...many, ...inSet([remove('ENG', 'gone', 'guest', 'removed')], sixDeletes)]],
  ])('names no plan whose name a write has changed: %s', (_, holds) => {
    const before = view({ holds, changes: [written] })
    const plan = `: --allow ${before.judged.plan.fingerprint.slice(0, 32)}`
    expect(linesOf(before).join()).toContain(plan)
    const after = linesOf({ ...before, applied: done }).join()
    expect(after).toContain('run the command plan again, and use --allow with its ID')
    expect(after).not.toContain(plan)
    const refused: Applied = { ...done, results: [{ change: written, outcome: { kind: 'notSent', why: 'no' } }] }
    expect(linesOf({ ...before, applied: refused }).join()).toContain(plan)
  })
})
