import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { by } from '../../../src/core/compare.ts'
import type { Key, Mapping, MappingId, Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import type { ToldById } from '../../../src/core/memory/knownMappings.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { type Edit, editsMax, type SeenList, type SeenMapping, type Since, seenReadingOf } from '../../../src/core/memory/seen.ts'
import { at, recordOf } from '../../../src/core/memory/shardedMap.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { entryFromLine, entryLine, headFromLine, headLine } from '../../../src/journal/lines.ts'
import { acme, changeOf, complete, mapping, partial } from './smallWorld.ts'

const waitMs = 100
const hourMs = 3_600_000
const list = 'projectRoles' as const
const name = `${acme}/${list}`
const place = { file: 'journal-000001.jsonl', line: 2 }

/** One process that reads the list and writes. Each entry goes through its stored form. */
function evidence(before: Memory = emptyMemory, max = 100) {
  let memory = before
  let lastReadMs: number | undefined
  const add = (entry: Entry) => {
    memory = remember(memory, entryFromLine(entryLine(entry), place, () => expect.unreachable()) as Entry, waitMs)
  }
  const steps = {
    memory: () => memory,
    /** Reads rows such as `ENG devs member`: requested at `readMs`, stored 5 ms later. The number of a row makes its id, unless it begins with one. */
    read(readMs: number, rows: readonly string[], told?: Partial<ToldById>, isWhole = true) {
      const shown = rows.map(row)
      const reading = (isWhole ? complete : partial)<readonly Mapping[]>(shown)
      const about = { workspace: acme, list, reading, readMs, afterMs: lastReadMs, max, waitMs }
      const { kept, afterMs } = seenReadingOf(memory, { ...about, told: told && { gone: new Set(), moved: new Map(), ...told } })
      if (kept !== undefined) add({ kind: 'seen', atMs: readMs + 5, run: 'r', ...kept })
      lastReadMs = afterMs
      return kept === undefined ? 'nothing' : 'kept'
    },
    intend: (change: Change, atMs: number) => add({ kind: 'intent', atMs, run: 'r', workspace: acme, change, declaration: 'd' }),
    settle: (change: Change, atMs: number, outcome: Outcome) =>
      add({ kind: 'result', atMs, run: 'r', workspace: acme, change, declaration: 'd', outcome }),
    /** The process ends clean, or else it is killed. Another one begins with what the file has. */
    restart(atMs: number, endedMs?: number) {
      if (endedMs !== undefined) add({ kind: 'end', atMs: endedMs, run: 'r' })
      memory = headFromLine(headLine(memory), { ...place, line: 1 }, () => expect.unreachable())
      lastReadMs = undefined
      add({ kind: 'start', atMs, run: 's', version: '1', command: 'run', waits: 'yes', service: { host: 'h', slugs: { acme } } })
    },
    mappings: () =>
      Object.entries<SeenMapping>(recordOf((at(memory.seen, name) as SeenList).mappings))
        .toSorted(by(([id]) => id))
        .map(
          ([id, { key, role, since, hidden }]) =>
            `${id} ${shortKey(key)} ${role ?? '-'} ${sinceText(since)}${hidden === undefined ? '' : `, hidden ${sinceText(hidden)}`}`,
        ),
    edits: () => memory.edits.map(editText),
  }
  return steps
}

const row = (text: string): Mapping => {
  const [, id, rest = ''] = /^(?:(m\d+): )?(.*)$/.exec(text) ?? []
  const made = mapping(rest, 0)
  return { ...made, id: (id ?? `m${rest.length}`) as MappingId }
}
const shortKey = (key: Key) => key.replace(`${acme}/project/`, '')
const sinceText = ({ by, atMs, afterMs }: Since) => `${by} ${afterMs === undefined ? '' : `${afterMs}–`}${atMs}`
const roleText = (role: Role | null | undefined) => (role === undefined ? 'nothing' : (role ?? '-'))
const editText = ({ mapping: id, key, before, after, ...since }: Edit) =>
  `${id} ${shortKey(key)} ${roleText(before)} → ${roleText(after)} ${sinceText(since)}`

const create = changeOf('create ENG a = member')
const raise = { ...changeOf('patch ENG a: guest → member'), mapping: 'm1' } as Change
const gone = { ...changeOf('delete ENG a = guest (removed)'), mapping: 'm1' } as Change
const rename = { ...changeOf('rename ENG a → b: guest → guest'), mapping: 'm1' } as Change
const made = (mapping?: string): Outcome => ({ kind: 'done', ...(mapping === undefined ? {} : { mapping }) })
const unanswered = (lastByteMs: number): Outcome => ({ kind: 'unknown', why: 'no answer', lastByteMs })

describe('the first whole reading', () => {
  test('is kept as it is: since when is unknown', () => {
    const seen = evidence()
    expect(seen.read(10, ['m1: ENG a guest'], undefined, false)).toBe('nothing')
    expect(seen.read(20, ['m1: ENG a guest', 'm2: ENG b -'])).toBe('kept')
    expect(seen.mappings()).toEqual(['m1 ENG/a guest unknown 25', 'm2 ENG/b - unknown 25'])
    expect(seen.edits()).toEqual([])
  })
  test('an equal reading adds nothing', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    expect(seen.read(20, ['m1: ENG a guest'])).toBe('nothing')
  })
})

describe('what others do', () => {
  test('has the span between two readings of the process', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.read(20, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.read(30, ['m1: ENG a admin', 'm2: ENG b guest', 'm3: ENG c admin'])
    expect(seen.mappings()).toEqual(['m1 ENG/a admin others 20–35', 'm2 ENG/b guest unknown 15', 'm3 ENG/c admin others 20–35'])
    expect(seen.edits()).toEqual(['m1 ENG/a guest → admin others 20–35', 'm3 ENG/c nothing → admin others 20–35'])
  })
  test('after a restart begins at the last reading that is in the journal', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.read(20, ['m1: ENG a guest'])
    seen.restart(25)
    seen.read(30, ['m1: ENG a admin'])
    expect(seen.mappings()).toEqual(['m1 ENG/a admin others 10–35'])
    seen.restart(40)
    expect(seen.read(50, ['m1: ENG a admin'])).toBe('kept')
    seen.restart(60)
    seen.read(70, ['m1: ENG a guest'])
    expect(seen.mappings()).toEqual(['m1 ENG/a guest others 50–75'])
  })
  test('a mapping that the list lacks is hidden, until Plane says by its id that it is gone', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.read(20, ['m1: ENG a guest'], undefined, false)
    expect(seen.mappings()).toHaveLength(2)
    seen.read(30, ['m1: ENG a guest'])
    expect(seen.mappings()[1]).toBe('m2 ENG/b guest unknown 15, hidden others 10–35')
    expect(seen.read(40, ['m1: ENG a guest'])).toBe('nothing')
    seen.read(50, ['m1: ENG a guest'], { gone: new Set(['m2' as MappingId]) })
    expect(seen.mappings()).toEqual(['m1 ENG/a guest unknown 15'])
    expect(seen.edits()).toEqual(['m2 ENG/b guest → nothing others 10–35'])
  })
  test('a hidden mapping that the list shows again is as it was', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.read(20, ['m1: ENG a guest'])
    seen.read(30, ['m1: ENG a guest', 'm2: ENG b guest'])
    expect(seen.mappings()[1]).toBe('m2 ENG/b guest unknown 15')
  })
  test('a hidden mapping is forgotten after a month', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.read(20, ['m1: ENG a guest'])
    seen.read(31 * 86_400_000, ['m1: ENG a admin'])
    expect(seen.mappings()).toHaveLength(1)
  })
  test('a mapping keeps its id at another key', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.read(20, ['m1: NEW a guest'])
    expect(seen.mappings()).toEqual(['m1 NEW/a guest others 10–25'])
    expect(seen.memory().edits).toMatchObject([{ from: 'acme/project/ENG/a', key: 'acme/project/NEW/a' }])
  })
})

describe('own writes', () => {
  test.each<[string, Change, Outcome, readonly string[], readonly string[]]>([
    ['create', create, made('m7'), ['m1 ENG/a guest unknown 15', 'm7 ENG/a member program 30'], ['m7 ENG/a nothing → member program 30']],
    [
      'a stored key',
      create,
      { ...made('m7'), storedKey: 'acme/project/ENG/A' as Key } as Outcome,
      ['m1 ENG/a guest unknown 15', 'm7 ENG/A member program 30'],
      ['m7 ENG/A nothing → member program 30'],
    ],
    ['patch', raise, made(), ['m1 ENG/a member program 30'], ['m1 ENG/a guest → member program 30']],
    [
      'an echo',
      raise,
      { kind: 'done', echoed: 'contributor' },
      ['m1 ENG/a contributor program 30'],
      ['m1 ENG/a guest → contributor program 30'],
    ],
    ['rename', rename, made(), ['m1 ENG/b guest program 30'], ['m1 ENG/b guest → guest program 30']],
    ['delete', gone, made(), [], ['m1 ENG/a guest → nothing program 30']],
    ['refused', raise, { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }, ['m1 ENG/a guest unknown 15'], []],
  ])('%s', (_, change, outcome, mappings, edits) => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.intend(change, 25)
    seen.settle(change, 30, outcome)
    expect(seen.mappings()).toEqual(mappings)
    expect(seen.edits()).toEqual(edits)
  })
  test('a list that may not show a write yet tells nothing about its key', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.settle(raise, 30, made())
    expect(seen.read(129, ['m1: ENG a guest'])).toBe('nothing')
    expect(seen.read(130, ['m1: ENG a guest'])).toBe('kept')
    expect(seen.edits().at(-1)).toBe('m1 ENG/a member → guest others 10–135')
  })
  test('a reading that does not compare all keys moves no bound, also over a restart', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest'])
    seen.settle(raise, 30, made())
    expect(seen.read(60, ['m1: ENG a guest', 'm2: ENG b admin'])).toBe('kept')
    seen.restart(70)
    seen.read(500, ['m1: ENG a guest', 'm2: ENG b admin'])
    expect(seen.edits().at(-1)).toBe('m1 ENG/a member → guest others 10–505')
  })
  test('commands that run for a moment do not wait for a write anew for ever', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.settle(raise, 30, made())
    seen.restart(1_000, 40)
    // Another host may have begun this run, and its clock may be ahead.
    expect(seen.read(1_010, ['m1: ENG a guest'])).toBe('kept')
    expect(seen.mappings()).toEqual(['m1 ENG/a member program 30'])
    const shownMs = hourMs + 30 + 2 * waitMs
    seen.restart(shownMs - 20, 1_020)
    seen.read(shownMs - 10, ['m1: ENG a guest'])
    expect(seen.mappings()).toEqual(['m1 ENG/a member program 30'])
    seen.restart(shownMs - 2, shownMs - 8)
    seen.read(shownMs, ['m1: ENG a guest'])
    expect(seen.edits().at(-1)).toBe(`m1 ENG/a member → guest others 10–${shownMs + 5}`)
  })
  test('a write in another list moves the bound of its list only', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    const other = { ...raise, target: { kind: 'workspace' }, key: `${acme}/workspace/a` as Key } as Change
    seen.settle(other, 30, made())
    seen.read(60, ['m1: ENG a guest'])
    seen.read(70, ['m1: ENG a admin'])
    expect(seen.edits().at(-1)).toBe('m1 ENG/a guest → admin others 60–75')
  })
  test.each([
    ['with another role', changeOf('patch ENG a: member → admin'), 'm1 ENG/a guest → member unknown 9–30'],
    ['at another key', changeOf('patch NEW a: guest → admin'), 'm1 NEW/a guest → guest unknown 9–30'],
  ])('a write that finds its mapping %s tells of an earlier edit', (_, change, edit) => {
    const seen = evidence()
    seen.read(9, ['m1: ENG a guest'])
    seen.settle({ ...change, mapping: 'm1' } as Change, 30, made())
    expect(seen.edits()[0]).toBe(edit)
    expect(seen.edits()).toHaveLength(2)
  })
  test('a create that the list does not show yet is not hidden', () => {
    const seen = evidence()
    seen.read(10, [])
    seen.settle(create, 30, made('m7'))
    expect(seen.read(60, [])).toBe('nothing')
    expect(seen.read(140, [])).toBe('kept')
    expect(seen.mappings()).toEqual(['m7 ENG/a member program 30, hidden others 10–145'])
  })
  test('of a write without an answer it is not known who did it, until a later reading', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.intend(raise, 20)
    seen.settle(raise, 30, unanswered(25))
    seen.read(40, ['m1: ENG a member'])
    expect(seen.mappings()).toEqual(['m1 ENG/a member unknown 10–45'])
    // 25 + 100: from then on the write cannot be executed any more.
    expect(seen.read(125, ['m1: ENG a member'])).toBe('kept')
    seen.read(200, ['m1: ENG a guest'])
    expect(seen.mappings()).toEqual(['m1 ENG/a guest others 125–205'])
  })
  test('also where the process was killed before the result', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG a guest'])
    seen.intend(raise, 20)
    seen.restart(1_000)
    seen.read(1_050, ['m1: ENG a guest'])
    seen.read(1_200, ['m1: ENG a member'])
    expect(seen.mappings()).toEqual(['m1 ENG/a member unknown 1050–1205'])
    seen.read(1_300, ['m1: ENG a admin'])
    expect(seen.mappings()).toEqual(['m1 ENG/a admin others 1200–1305'])
  })
  test('an incomplete reading does not end the doubt, whatever else it shows', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG b guest'])
    seen.settle(create, 30, unanswered(25))
    expect(seen.read(130, ['m1: ENG b admin'], undefined, false)).toBe('kept')
    seen.read(200, ['m1: ENG b admin', 'm7: ENG a member'])
    expect(seen.mappings()[1]).toBe('m7 ENG/a member unknown 10–205')
  })
  test('a reading that does not compare all keys does not end it either, and adds nothing', () => {
    const seen = evidence()
    seen.read(10, ['m1: ENG b guest'])
    seen.settle(create, 30, unanswered(25))
    seen.settle({ ...changeOf('patch ENG b: guest → member'), mapping: 'm1' } as Change, 110, made())
    expect(seen.read(140, ['m1: ENG b member'])).toBe('nothing')
    expect(seen.read(210, ['m1: ENG b member'])).toBe('kept')
  })
  test('a create whose answer has no id', () => {
    const seen = evidence()
    seen.read(10, [])
    seen.intend(create, 20)
    seen.settle(create, 30, made())
    seen.read(140, ['m7: ENG a member'])
    expect(seen.mappings()).toEqual(['m7 ENG/a member unknown 10–145'])
  })
})

describe('bounds', () => {
  test('a list that does not fit is not kept, and one that grows too large is dropped', () => {
    const seen = evidence(emptyMemory, 2)
    expect(seen.read(10, ['m1: ENG a guest', 'm2: ENG b guest', 'm3: ENG c guest'])).toBe('nothing')
    expect(seen.read(20, ['m1: ENG a guest', 'm2: ENG b guest'])).toBe('kept')
    expect(seen.read(30, ['m1: ENG a guest', 'm2: ENG b guest', 'm3: ENG c guest'])).toBe('kept')
    expect(at(seen.memory().seen, name)).toBeUndefined()
  })
  test('the newest edits are kept, for two weeks', () => {
    const seen = evidence(emptyMemory, 10_000)
    seen.read(10, [])
    seen.read(
      20,
      Array.from({ length: editsMax + 1 }, (_, index) => `m${index}: ENG g${index} guest`),
    )
    expect(seen.edits()).toHaveLength(editsMax)
    const end = (atMs: number): Memory => remember(seen.memory(), { kind: 'end', atMs, run: 'r' }, waitMs)
    expect(end(25 + 14 * 86_400_000).edits).toHaveLength(editsMax)
    expect(end(26 + 14 * 86_400_000).edits).toHaveLength(0)
  })
})

test('a workspace with another name keeps what was seen', () => {
  const seen = evidence()
  seen.restart(1)
  seen.read(10, ['m1: ENG a guest'])
  seen.read(20, ['m1: ENG a admin'])
  const renamed = remember(seen.memory(), { kind: 'service', atMs: 30, run: 'r', service: { host: 'h', slugs: { beta: acme } } }, waitMs)
  expect(recordOf((at(renamed.seen, `beta/${list}`) as SeenList).mappings)).toMatchObject({ m1: { key: 'beta/project/ENG/a' } })
  expect(renamed.edits).toMatchObject([{ key: 'beta/project/ENG/a' }])
})
