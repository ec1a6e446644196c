import { describe, expect, test } from 'vitest'
import type { Change, ChangeId } from '../../../src/core/change.ts'
import type { Existing } from '../../../src/core/existing.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { type Verdict, withFindings } from '../../../src/core/judge/guards.ts'
import type { Key } from '../../../src/core/mapping.ts'
import type { Applied } from '../../../src/core/report.ts'
import type { Guard, Waiver } from '../../../src/core/waiver.ts'
import { laterSlice, withLater } from '../../../src/cycle/laterSlice.ts'
import { complete, mapping, planOf, projectsOf, rule } from '../core/smallWorld.ts'

const plan = () =>
  planOf({
    rules: [rule('a', 'ENG', 'member'), rule('b', 'OPS', 'member'), rule('c', 'workspace', 'member')],
    directories: { corp: ['a', 'b', 'c'] },
    existing: ['ENG a guest', 'WEB x guest', 'WEB y guest'],
    removed: ['WEB x'],
  })
const verdictOf = (waived: readonly Waiver[] = [], of = plan()): Verdict => ({ approved: false, plan: of, refusals: [], waived })
const nothing: Applied = { results: [], holds: [], left: [] }
const done = { kind: 'done' } as const
const inForce = () => true
const nothingRead: Existing = { lists: new Map() }
const changeNamed = ({ plan: { changes } }: Verdict, part: string): Change => {
  const found = changes.find(({ key }) => key.includes(part))
  if (found === undefined) throw new Error(part)
  return found
}
const holdOf = (change: Change): Hold => ({ key: change.key, change, reason: { kind: 'suspended', what: 'all' } })

describe('a later slice may write', () => {
  const verdict = verdictOf()
  const [a, b] = [changeNamed(verdict, 'ENG/a'), changeNamed(verdict, 'OPS/b')]
  const kept = (applied: Applied, changes: readonly Change[] = verdict.plan.changes) => {
    const { keep } = laterSlice(verdict, nothingRead, applied, inForce)
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
  expect([...laterSlice(verdictOf(), existing, nothing, inForce).knownProjects].toSorted()).toEqual(['ENG', 'LAB'])
})

test('what earlier slices have written counts: writes that were done, and those whose outcome is unknown', () => {
  const verdict = verdictOf()
  const { written } = laterSlice(
    verdict,
    nothingRead,
    {
      ...nothing,
      results: [
        { change: changeNamed(verdict, 'WEB/x'), outcome: done },
        { change: changeNamed(verdict, 'ENG/a'), outcome: { kind: 'unknown', why: 'lost', lastByteMs: 0 } as never },
        { change: changeNamed(verdict, 'OPS/b'), outcome: done },
        { change: changeNamed(verdict, 'workspace/c'), outcome: { kind: 'notSent', why: 'no answer' } },
      ],
    },
    inForce,
  )
  expect(verdict.plan.owned).toEqual({ workspaceRoles: 0, projectRoles: 3 })
  expect(written).toEqual({ changes: 2, deletes: 1, creates: 1, owned: 3 })
})

describe('the waivers of a later slice', () => {
  const waiver = (source: string, more: Partial<Waiver> = {}): Waiver => ({ ids: [], by: 'ann', untilMs: 9, source, ...more })
  const scope = (...guards: readonly Guard[]) => ({ rememberedScope: new Map(guards.map((guard) => [guard, new Set<ChangeId>()])) })
  const limited = (guard: 'deletes' | 'changes') => ({ words: { changes: [], limit: { guard, count: 9 } } })
  const after = (waived: readonly Waiver[], isInForce: (one: Waiver) => boolean = inForce) =>
    laterSlice(verdictOf(waived), nothingRead, nothing, isInForce).waivers
  const guardsOf = (waivers: readonly Waiver[]) => [...(waivers.at(-1)?.rememberedScope?.keys() ?? [])]

  test('are those by an id, without words and approvals, which are read anew', () => {
    const waived = [waiver('--allow'), waiver('a.yaml:1:1', { words: { changes: [] } }), waiver('approval a')]
    expect(after(waived).map(({ source }) => source)).toEqual(['--allow', 'its first slice'])
  })

  test('let the approved changes pass the limits, which judge a plan once', () => {
    const verdict = verdictOf()
    const own = laterSlice(verdict, nothingRead, nothing, inForce).waivers.at(-1)
    const approved = new Set(verdict.plan.changes.map(({ id }) => id))
    expect(own).toEqual({
      ids: [],
      by: 'this run',
      untilMs: Number.POSITIVE_INFINITY,
      source: 'its first slice',
      rememberedScope: new Map((['changes', 'deletes', 'creates', 'run', 'day'] as const).map((guard) => [guard, approved])),
    })
  })

  test('do not pass a limit whose waiver has ended', () => {
    const gone = (...waived: readonly Waiver[]) => guardsOf(after(waived, () => false))
    expect(gone()).toEqual(['changes', 'deletes', 'creates', 'run', 'day'])
    expect(gone(waiver('--allow'))).toEqual(['changes', 'deletes', 'creates', 'run', 'day'])
    expect(gone(waiver('--allow', scope('deletes', 'run')))).toEqual(['changes', 'creates', 'day'])
    expect(gone(waiver('a.yaml:1:1', limited('deletes')))).toEqual(['changes', 'creates', 'run', 'day'])
    expect(gone(waiver('a.yaml:1:1', { ...limited('deletes'), ...scope('run') }))).toEqual(['changes', 'creates', 'run', 'day'])
    expect(gone(waiver('a.yaml:1:1', { words: { changes: [] }, ...scope('day') }))).toEqual(['changes', 'deletes', 'creates', 'run'])
    expect(guardsOf(after([waiver('--allow', scope('deletes'))]))).toEqual(['changes', 'deletes', 'creates', 'run', 'day'])
  })
})

describe('the result of several slices', () => {
  const verdict = verdictOf()
  const [a, b] = [changeNamed(verdict, 'ENG/a'), changeNamed(verdict, 'OPS/b')]
  const applied: Applied = { ...nothing, results: [{ change: a, outcome: done }], holds: [holdOf(changeNamed(verdict, 'workspace/c'))] }
  const later = (holds: readonly Hold[], codes: readonly string[] = []): Verdict => {
    const findings = codes.map((code) => ({ code, severity: 'warning', sentence: code }) as never)
    return verdictOf([], { ...plan(), holds, findings })
  }
  const keyHold = (key: Key): Hold => ({ key, reason: { kind: 'suspended', what: 'all' } })

  test('has the holds of approved changes that were not tried', () => {
    const other = { ...b, id: 'other' as ChangeId }
    const holds = [holdOf(a), holdOf(b), holdOf(other), keyHold(b.key), keyHold(a.key), keyHold('acme/x' as Key)]
    const result = withLater(verdict, later(holds), applied)
    expect(result.applied).toEqual({ ...applied, holds: [...applied.holds, holds[1], holds[3]] })
  })

  test.each([
    ['another writer', [], ['another-writer', 'reading-incomplete'], ['another-writer']],
    ['another writer that is already known', ['another-writer'], ['another-writer'], ['another-writer']],
  ])('has the finding of %s', (_what, known, found, codes) => {
    const before = withFindings(
      verdict,
      known.map((code) => ({ code, severity: 'warning', sentence: code }) as never),
    )
    const all = withLater(before, later([], found), nothing).verdict.plan.findings
    expect(all.map(({ code }) => code).filter((code) => found.some((one) => one === code))).toEqual(codes)
  })

  test('has the finding of another writer once, although a later slice counts more twins', () => {
    const finding = (sentence: string) => ({ code: 'another-writer', severity: 'warning', sentence }) as never
    const before = withFindings(verdict, [finding('2 twins')])
    const all = withLater(before, verdictOf([], { ...plan(), findings: [finding('3 twins')] }), nothing).verdict.plan.findings
    expect(all.filter(({ code }) => code === 'another-writer')).toEqual([finding('2 twins')])
  })
})
