import { describe, expect, test } from 'vitest'
import type { Key, Role } from '../../../src/core/mapping.ts'
import type { Approval } from '../../../src/core/memory/approvals.ts'
import { firstSeenIn } from '../../../src/render/firstSeen.ts'
import { lastApprovals } from '../../../src/render/lastDocument.ts'
import { failedView, last, overLimit, quietView, waiting } from './lastParts.ts'
import { nowMs } from './sample.ts'

const iso = (ms: number) => new Date(ms).toISOString()

describe('an approval', () => {
  const given: Approval = {
    name: 'a',
    workspace: 'acme' as never,
    passes: [],
    by: 'ann',
    account: 'root',
    reason: 'INC-99',
    fromMs: nowMs,
    untilMs: nowMs + 1,
  }
  const shown = (more: Partial<Approval>) => lastApprovals([{ ...given, ...more }], nowMs)
  const key = (index: number) => ({ key: `acme/${index}` as Key })

  test('has its words', () => {
    const words = {
      changes: [
        { ...key(0), before: null, after: 'admin' as Role },
        { before: {}, after: { autoRemove: true } },
      ],
      people: 7,
    } as const
    expect(shown({ words })).toEqual([
      {
        name: 'a',
        workspace: 'acme',
        by: 'ann',
        account: 'root',
        reason: 'INC-99',
        from: iso(nowMs),
        until: iso(nowMs + 1),
        people: 7,
        keys: ['acme/0', 'acme/settings'],
        changes: 2,
        roles: [{ before: null, after: 'admin' }, {}],
        passes: [],
      },
    ])
  })

  test('has no words, if it accepts a project or a group', () => {
    const [one] = shown({ passes: ['acme/eng'] })
    expect(one).toMatchObject({ keys: [], changes: 0, passes: ['acme/eng'], people: undefined })
  })

  test('has five keys and five names at most', () => {
    const [one] = shown({ words: { changes: Array.from({ length: 6 }, (_, index) => key(index)) }, passes: ['1', '2', '3', '4', '5', '6'] })
    expect(one).toMatchObject({ keys: ['acme/0', 'acme/1', 'acme/2', 'acme/3', 'acme/4'], changes: 6, passes: ['1', '2', '3', '4', '5'] })
  })

  test.each([
    ['has ended', { untilMs: nowMs }, 0],
    ['lasts', { untilMs: nowMs + 1 }, 1],
    ['was given in two hours', { fromMs: nowMs + 7_200_000, untilMs: nowMs + 7_200_001 }, 0],
  ])('that %s', (_what, more, count) => {
    expect(shown(more)).toHaveLength(count)
  })

  test('that ends after the calendar has the last time of it', () => {
    expect(shown({ untilMs: Number.POSITIVE_INFINITY })[0]?.until).toBe('9999-12-31T23:59:59.999Z')
  })
})

test('the time of the last success is absent if it is not known', () => {
  const declaration = { hash: 'f', files: 1 }
  const none = last([], { declaration, workspaces: [{ view: quietView('a'), outcome: 'planned', succeededMs: 0 }] })
  expect(none.workspaces[0]?.lastSuccess).toBeUndefined()
  const known = last([[quietView('a'), 'success']], { declaration })
  expect(known.workspaces[0]?.lastSuccess).toBe(iso(nowMs - 120_000))
})

describe('what waits', () => {
  const document = last([
    [waiting, 'incomplete'],
    [overLimit, 'waiting'],
    [failedView, 'failed'],
  ])

  test('is known by its kind and its change, or its key', () => {
    const names = firstSeenIn(document, new Map([['lab', new Map([['x', iso(0)]])]]))
    const named = (of: typeof waiting) => of.judged.plan.holds.map(({ reason, change, key }) => `${reason.kind} ${change?.id ?? key}`)
    expect([...(names.get('acme')?.keys() ?? [])].toSorted()).toEqual(named(waiting).toSorted())
    expect([...(names.get('shop')?.keys() ?? [])].toSorted()).toEqual(named(overLimit).toSorted())
    expect(names.get('lab')).toEqual(new Map([['x', iso(0)]]))
    expect(firstSeenIn(document, new Map()).get('lab')).toEqual(new Map())
  })

  test('that was first seen at a time to come, since the clock was set back, waits from now on', () => {
    const names = [...(firstSeenIn(last([[waiting, 'incomplete']]), new Map()).get('acme') ?? new Map<string, string>()).keys()]
    const ahead = new Map([['acme', new Map(names.map((name) => [name, iso(nowMs + 86_400_000)]))]])
    const again = firstSeenIn(last([[waiting, 'incomplete']], { seen: ahead }), new Map()).get('acme')
    expect([...(again?.values() ?? [])]).toEqual(names.map(() => iso(nowMs - 120_000)))
  })

  test('has the time at which it was first seen, each its own', () => {
    const names = [...(firstSeenIn(document, new Map()).get('acme')?.keys() ?? [])]
    const seen = new Map([['acme', new Map(names.slice(1).map((name, index) => [name, iso(index)]))]])
    const again = firstSeenIn(last([[waiting, 'incomplete']], { seen }), new Map()).get('acme')
    expect(names.map((name) => again?.get(name))).toEqual([iso(nowMs - 120_000), ...names.slice(1).map((_, index) => iso(index))])
  })
})
