import { expect, test } from 'vitest'
import { waiverFindings } from '../../../src/core/findings/waivers.ts'
import type { Hold, HoldReason, LimitName } from '../../../src/core/hold.ts'
import { limitAbove } from '../../../src/core/judge/waivers.ts'
import type { Key, Role } from '../../../src/core/mapping.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import type { WaiverWords } from '../../../src/core/waiverWords.ts'
import { forPeople } from '../bounds.ts'
import { acme, changeOf } from './smallWorld.ts'

const at = { file: 'acme.yaml', line: 9, column: 5 }
const words = { changes: [{ key: 'acme/project/ENG/leads' as Key }] }
const endMs = Date.parse('2026-12-31T00:00:00Z')
const waiver: Waiver = { ids: [], words, at, by: 'ann', untilMs: endMs, source: 'acme.yaml:9:5' }
const used = (...ids: readonly string[]): Waiver => ({ ...waiver, ids })

test.each([
  [
    'is used',
    waiver,
    [used('1', '2')],
    endMs - 1,
    'waiver-used: the waiver of ann lets 2 changes of acme pass the guards until 2026-12-31 00:00 UTC',
  ],
  [
    'is not used',
    waiver,
    [],
    endMs - 1,
    'waiver-unmatched: no change of acme that waits for approval is the one that the waiver of ann describes; it ends at 2026-12-31 00:00 UTC; if its change is written, remove it; if its change still waits, run approve with the ID of the change for the right words',
  ],
  [
    'has ended',
    waiver,
    [],
    endMs,
    'waiver-expired: the waiver of ann for acme ended at 2026-12-31 00:00 UTC, so it lets nothing pass; remove it, or give it a new end',
  ],
])('a waiver of a file that %s', (_what, one, uses, dateMs, text) => {
  const findings = waiverFindings(acme, [one], uses, () => undefined, new Set(), dateMs)
  expect(findings.map(({ code, sentence, cure }) => `${code}: ${[sentence, cure].filter(Boolean).join('; ')}`)).toEqual([text])
  expect(findings).toMatchObject([{ severity: 'info', place: 'acme.yaml:9:5' }])
})

test('a waiver from elsewhere has no finding', () => {
  const { at: _at, ...elsewhere } = waiver
  expect(waiverFindings(acme, [elsewhere], [], () => undefined, new Set(), endMs)).toEqual([])
})

test('another waiver is used', () => {
  const other = { ...waiver, words: { changes: [] } }
  expect(waiverFindings(acme, [waiver, other], [used('1')], () => undefined, new Set(), 0).map(({ code }) => code)).toEqual([
    'waiver-used',
    'waiver-unmatched',
  ])
})

test('a waiver whose change waits for the approval of more people says so', () => {
  const change = changeOf('create ENG leads = member')
  const described = { changes: [{ key: change.key, after: 'member' as Role }], people: 5 }
  const hold = (reason: HoldReason): Hold => ({ key: change.key, change, reason })
  const sentences = (one: HoldReason, more: Partial<WaiverWords> = {}) =>
    waiverFindings(acme, [{ ...waiver, words: { ...described, ...more } }], [], limitAbove({ holds: [hold(one)] }), new Set(), 0).map(
      ({ sentence }) => sentence,
    )
  const crowd = forPeople({ over: 'raise', people: 9, limit: 3, pass: `${change.id}:9`, setting: 'guards.people.raise' })
  const other = [expect.stringMatching(/^no change of acme that waits for approval is the one/)]
  expect(sentences(crowd)).toEqual([
    'the waiver of ann describes a change of acme that waits, but it is not for as many people as the change concerns; it ends at 2026-12-31 00:00 UTC',
  ])
  expect(sentences(crowd, { changes: [{ key: change.key, after: 'guest' as Role }] })).toEqual(other)
  expect(sentences({ kind: 'suspended', what: 'all' })).toEqual(other)
})

test('a waiver of a file inside a fence whose change waits for a limit says that it passes none', () => {
  const change = changeOf('delete ENG leads = admin')
  const fenced: Waiver = { ...waiver, fenced: true, words: { changes: [{ key: change.key, before: 'admin' as Role }] } }
  const found = (one: Waiver, ...reasons: readonly HoldReason[]) => {
    const holds = reasons.map((reason): Hold => ({ key: change.key, change, reason }))
    return waiverFindings(acme, [one], [], limitAbove({ holds }), new Set(), 0).map(
      ({ code, sentence, cure }) => `${code}: ${sentence}; ${cure}`,
    )
  }
  const set = (name: LimitName): HoldReason => ({
    ...{ kind: 'approval', why: 'limit', name, count: 1, limit: 0, pass: change.id, setting: '', sentence: '' },
  })
  const text =
    'waiver-unmatched: the waiver of ann describes a change of acme that waits for the limit emptiesList, and no waiver of a file inside a fence passes a limit; it ends at 2026-12-31 00:00 UTC; remove it, and approve the change with the ID that the plan shows, or in a file without limits'
  expect(found(fenced, set('emptiesList'))).toEqual([text])
  expect(found(fenced, set('people'))).toEqual([text.replace('emptiesList', 'people')])
  const crowd = forPeople({ over: 'lose', people: 9, limit: 3, pass: `${change.id}:9`, setting: 'guards.people.lose' })
  expect(found(fenced, crowd)).toEqual([text.replace('emptiesList', 'people')])
  const other = [expect.stringMatching(/^waiver-unmatched: no change of acme that waits for approval is the one/)]
  expect(found(fenced, { kind: 'approval', why: 'protectedGroup' })).toEqual(other)
  expect(found(fenced, { kind: 'suspended', what: 'all' })).toEqual(other)
  expect(found(fenced)).toEqual(other)
  expect(limitAbove({ holds: [{ key: change.key, reason: set('emptiesList') }] })(fenced)).toBeUndefined()
  expect(found(waiver, set('emptiesList'))).toEqual(other)
})
