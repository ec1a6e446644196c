import { describe, expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { Existing } from '../../../src/core/existing.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { type Judged, judge, withFindings } from '../../../src/core/judge/guards.ts'
import type { Key } from '../../../src/core/mapping.ts'
import type { Applied } from '../../../src/core/report.ts'
import type { Waiver } from '../../../src/core/waiver.ts'
import { laterSlice, withLater } from '../../../src/cycle/laterSlice.ts'
import { complete, judging, mapping, planOf, projectsOf, rule } from '../core/smallWorld.ts'

const plan = () =>
  planOf({
    rules: [rule('a', 'ENG', 'member'), rule('b', 'OPS', 'member'), rule('c', 'workspace', 'member')],
    directories: { corp: ['a', 'b', 'c'] },
    existing: ['ENG a guest', 'WEB x guest', 'WEB y guest'],
    removed: ['WEB x'],
  })
const judgedOf = (waived: readonly Waiver[] = [], of = plan()): Judged => ({ ...judge(of, judging), waived })
const nothing: Applied = { results: [], holds: [], left: [] }
const done = { kind: 'done' } as const
const inForce = () => true
const nothingRead: Existing = { lists: new Map() }
const changeNamed = ({ plan: { changes } }: Judged, part: string): Change => {
  const found = changes.find(({ key }) => key.includes(part))
  if (found === undefined) throw new Error(part)
  return found
}
const holdOf = (change: Change): Hold => ({ key: change.key, change, reason: { kind: 'suspended', what: 'all' } })

describe('a later slice may write', () => {
  const judged = judgedOf()
  const [a, b] = [changeNamed(judged, 'ENG/a'), changeNamed(judged, 'OPS/b')]
  const kept = (applied: Applied, changes: readonly Change[] = judged.plan.changes) => {
    const { keep } = laterSlice(judged, nothingRead, applied, inForce)
    return changes.filter(keep).map(({ key }) => key.replace(/^acme\/(?:project\/)?/, ''))
  }

  test('the approved changes', () => {
    expect(kept(nothing).toSorted()).toEqual(['ENG/a', 'OPS/b', 'WEB/x', 'workspace/c'])
  })

  test('none that was tried or held', () => {
    const applied = {
      ...nothing,
      results: [{ change: a, outcome: done }],
      holds: [holdOf(b), { ...holdOf(b), change: undefined } as never],
    }
    expect(kept(applied).toSorted()).toEqual(['WEB/x', 'workspace/c'])
  })

  test('none that was not approved', () => {
    expect(kept(nothing, [{ ...a, id: 'x' as ChangeId }])).toEqual([])
  })

  test('none that requires another one, unless that one is left, too', () => {
    const needs = { ...b, requires: [a.id] }
    expect(kept(nothing, [needs])).toEqual(['OPS/b'])
    expect(kept({ ...nothing, results: [{ change: a, outcome: done }] }, [needs])).toEqual([])
    expect(kept(nothing, [{ ...b, requires: [a.id, 'x' as ChangeId] }])).toEqual([])
  })
})

test('a later slice knows the projects that the first one knew by the list or by a mapping, and no others of the plan', () => {
  const lists: Existing['lists'] = new Map([['projectRoles', complete([mapping('LAB x guest', 0), mapping('* y guest', 1)])]])
  const existing = { lists, projects: complete(projectsOf('ENG')) }
  expect([...laterSlice(judgedOf(), existing, nothing, inForce).knownProjects].toSorted()).toEqual(['ENG', 'LAB'])
})

describe('the approvals of a later slice', () => {
  const waiver = (source: string, more: Partial<Waiver> = {}): Waiver => ({ ids: [], by: 'ann', untilMs: 9, source, ...more })
  const after = (waived: readonly Waiver[], isInForce: (one: Waiver) => boolean = inForce) =>
    laterSlice(judgedOf(waived), nothingRead, nothing, isInForce)

  test('are those by an id, without words and approvals, which are read anew', () => {
    const waived = [waiver('--allow'), waiver('a.yaml:1:1', { words: { changes: [] } }), waiver('approval a')]
    expect(after(waived).waivers.map(({ source }) => source)).toEqual(['--allow'])
  })

  test('leave the changes of the first slice as they were judged, but for those whose approval has ended', () => {
    const ids = plan().changes.map(({ id }) => id)
    const [first = '', second = ''] = ids
    const ended = waiver('--allow', { ids: [first, `${second}:160`] })
    const idsBefore = (...of: Parameters<typeof after>) => after(...of).before.map(({ id }) => id)
    expect(idsBefore([])).toEqual(ids)
    expect(idsBefore([ended])).toEqual(ids)
    expect(idsBefore([ended], () => false)).toEqual(ids.slice(2))
  })
})

describe('the result of several slices', () => {
  const judged = judgedOf()
  const [a, b] = [changeNamed(judged, 'ENG/a'), changeNamed(judged, 'OPS/b')]
  const applied: Applied = { ...nothing, results: [{ change: a, outcome: done }], holds: [holdOf(changeNamed(judged, 'workspace/c'))] }
  const later = (holds: readonly Hold[], codes: readonly string[] = []): Judged => {
    const findings = codes.map((code) => ({ code, severity: 'warning', sentence: code }) as never)
    return judgedOf([], { ...plan(), holds, findings })
  }
  const keyHold = (key: Key): Hold => ({ key, reason: { kind: 'suspended', what: 'all' } })

  test('has the holds of approved changes that were not tried', () => {
    const other = { ...b, id: 'other' as ChangeId }
    const holds = [holdOf(a), holdOf(b), holdOf(other), keyHold(b.key), keyHold(a.key), keyHold('acme/x' as Key)]
    const result = withLater(judged, later(holds), applied)
    expect(result.applied).toEqual({ ...applied, holds: [...applied.holds, holds[1], holds[3]] })
  })

  test.each([
    ['another writer', [], ['another-writer', 'reading-incomplete'], ['another-writer']],
    ['another writer that is already known', ['another-writer'], ['another-writer'], ['another-writer']],
  ])('has the finding of %s', (_what, known, found, codes) => {
    const before = withFindings(
      judged,
      known.map((code) => ({ code, severity: 'warning', sentence: code }) as never),
    )
    const all = withLater(before, later([], found), nothing).judged.plan.findings
    expect(all.map(({ code }) => code).filter((code) => found.some((one) => one === code))).toEqual(codes)
  })

  test('has the finding of another writer once, although a later slice counts more twins', () => {
    const finding = (sentence: string) => ({ code: 'another-writer', severity: 'warning', sentence }) as never
    const before = withFindings(judged, [finding('2 twins')])
    const all = withLater(before, judgedOf([], { ...plan(), findings: [finding('3 twins')] }), nothing).judged.plan.findings
    expect(all.filter(({ code }) => code === 'another-writer')).toEqual([finding('2 twins')])
  })
})
