import { describe, expect, test } from 'vitest'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { type MembersReading, memberPauseMs, type UnreadGroup } from '../../../src/core/people/membersReading.ts'
import { openMemberPauses } from '../../../src/cycle/memberPauses.ts'

const minute = 60_000
const hour = 60 * minute
const cycleMs = 10 * minute
const groupOf = (id: string): Group => ({ id, name: id as GroupName, place: id })

test('a pause is one cycle, then twice as long after each failure, at most an hour', () => {
  expect([1, 2, 3, 4, 5, 400].map((failures) => memberPauseMs(failures, cycleMs) / minute)).toEqual([10, 20, 40, 60, 60, 60])
  expect(memberPauseMs(1, 6 * hour)).toBe(hour)
})

/** A directory in which the groups of `failing` cannot be read. `cycle`: asks for these groups, and then the time of a cycle passes. */
function world() {
  let nowMs = Date.UTC(2026, 10, 3, 4)
  const failing = new Set<string>()
  const asked: string[] = []
  const state = { text: 'a' }
  const pauses = openMemberPauses({ now: () => nowMs, wall: () => nowMs })
  let answer = (ids: readonly string[]): MembersReading => {
    const value = new Map(ids.filter((id) => !failing.has(id)).map((id) => [id, { people: ['ann'] }]))
    const unread = new Map(ids.filter((id) => failing.has(id)).map((id): [string, UnreadGroup] => [id, { why: `${id}: 500` }]))
    const times = { atMs: nowMs, tookMs: 1 }
    return unread.size === 0
      ? { status: 'complete', value, ...times }
      : { status: 'partial', value, missing: [...unread.values()].map(({ why }) => why).join('; '), unread, ...times }
  }
  const readerOf = (directory: string) =>
    pauses.around(
      directory,
      async (groups, _asOfMs, signal) => {
        asked.push(groups.map(({ id }) => id).join(' '))
        signal.throwIfAborted()
        return answer(groups.map(({ id }) => id))
      },
      cycleMs,
      async () => state.text,
    )
  const corp = readerOf('corp')
  return {
    pauses,
    failing,
    asked,
    state,
    lab: readerOf('lab'),
    corp,
    pass: (ms: number) => {
      nowMs += ms
    },
    answerWith: (other: typeof answer) => {
      answer = other
    },
    async cycle(...ids: readonly string[]) {
      asked.length = 0
      const reading = await corp(ids.map(groupOf), 0, new AbortController().signal)
      nowMs += cycleMs
      return { reading, asked: asked.join(' | ') }
    },
  }
}

describe('a group whose members were not read', () => {
  test('is asked for again in the next cycle, and then more and more seldom; the others are asked for each time', async () => {
    const { failing, cycle } = world()
    failing.add('big')
    const cycles: string[] = []
    for (let n = 0; n < 20; n++) cycles.push((await cycle('big', 'a')).asked)
    const whenAsked = cycles.flatMap((asked, n) => (asked === 'a' ? [] : [n]))
    expect(whenAsked).toEqual([0, 1, 3, 7, 13, 19])
    expect(cycles[1]).toBe('a big')
  })

  test('is never left alone for longer than an hour', async () => {
    const { failing, cycle, pass } = world()
    failing.add('big')
    for (let n = 0; n < 50; n++) await cycle('big')
    pass(hour)
    expect((await cycle('big')).asked).toBe('big')
    expect((await cycle('big')).asked).toBe('')
  })

  test('has its reason, since when it is unread, and when it is asked for again', async () => {
    const { failing, cycle } = world()
    failing.add('big')
    const pauseOf = ({ reading }: { readonly reading: MembersReading }) => {
      const { sinceMs = 0, againMs = 0 } = reading.unread?.get('big')?.pause ?? {}
      return [sinceMs, againMs].map((ms) => new Date(ms).toISOString().slice(11, 16))
    }
    expect(pauseOf(await cycle('a', 'big'))).toEqual(['04:00', '04:10'])
    expect(pauseOf(await cycle('a', 'big'))).toEqual(['04:00', '04:30'])
    const paused = await cycle('a', 'big')
    expect(pauseOf(paused)).toEqual(['04:00', '04:30'])
    expect(paused.asked).toBe('a')
    expect(paused.reading).toMatchObject({ status: 'partial', missing: 'big: 500' })
    expect((await cycle('big')).reading).toMatchObject({ status: 'partial', missing: 'big: 500' })
  })

  test('that is read has no pause any more, and a failure after that is the first one', async () => {
    const { failing, cycle } = world()
    failing.add('big')
    for (let n = 0; n < 3; n++) await cycle('big')
    failing.clear()
    expect((await cycle('big')).reading.status).toBe('complete')
    failing.add('big')
    expect((await cycle('big')).asked).toBe('big')
    expect((await cycle('big')).asked).toBe('big')
    expect((await cycle('big')).asked).toBe('')
  })

  test('in one directory is another group than one with the same id in another directory', async () => {
    const { failing, cycle, lab, asked } = world()
    failing.add('big')
    for (let n = 0; n < 2; n++) await cycle('big')
    asked.length = 0
    await lab([groupOf('big')], 0, new AbortController().signal)
    expect(asked).toEqual(['big'])
  })

  test.each<[string, (made: ReturnType<typeof world>) => void, string]>([
    ['an edit of the settings or of a secret of its directory', ({ state }) => void (state.text = 'b'), 'big'],
    ['another declaration', ({ pauses }) => pauses.declared('two'), 'big'],
    ['the same declaration', ({ pauses }) => pauses.declared('one'), ''],
    ['a person', ({ pauses }) => pauses.end(), 'big'],
  ])('%s: is it asked for at once?', async (_, happen, expected) => {
    const made = world()
    made.pauses.declared('one')
    made.failing.add('big')
    for (let n = 0; n < 2; n++) await made.cycle('big')
    happen(made)
    const { asked, reading } = await made.cycle('big')
    expect(asked).toBe(expected)
    expect(new Date(reading.unread?.get('big')?.pause?.sinceMs ?? 0).toISOString()).toBe('2026-11-03T04:00:00.000Z')
  })

  test('that was not asked for, since the reading ended before, has no pause', async () => {
    const { answerWith, cycle } = world()
    const why = { why: 'the token is refused' }
    answerWith(() => ({
      ...{ status: 'partial', value: new Map(), missing: why.why, atMs: 0, tookMs: 0 },
      unread: new Map<string, UnreadGroup>([
        ['big', why],
        ['later', { ...why, notAsked: true }],
      ]),
    }))
    for (let n = 0; n < 2; n++) await cycle('big', 'later')
    expect((await cycle('big', 'later')).asked).toBe('later')
  })

  test('because the whole reading failed has a pause', async () => {
    const { answerWith, cycle } = world()
    answerWith(() => ({ status: 'failed', why: 'cannot connect', cure: 'start it', atMs: 0, tookMs: 0 }))
    const { reading } = await cycle('a', 'b')
    expect(reading).toMatchObject({ status: 'failed', why: 'cannot connect', cure: 'start it' })
    await cycle('a', 'b')
    const paused = await cycle('a', 'b')
    expect(paused.asked).toBe('')
    expect(paused.reading.unread?.get('a')).toMatchObject({ why: 'cannot connect', cure: 'start it' })
  })

  test('of two workspaces that ask at the same time has failed once', async () => {
    const { failing, corp, cycle } = world()
    failing.add('big')
    const { signal } = new AbortController()
    await Promise.all([corp([groupOf('big')], 0, signal), corp([groupOf('big')], 0, signal)])
    await cycle()
    expect((await cycle('big')).asked).toBe('big')
  })

  test('of which the directory has no list of members has no pause', async () => {
    const { answerWith, cycle } = world()
    answerWith(() => ({ status: 'complete', value: new Map(), atMs: 0, tookMs: 0 }))
    for (let n = 0; n < 4; n++) expect(await cycle('big')).toMatchObject({ asked: 'big', reading: { status: 'complete' } })
  })
})
