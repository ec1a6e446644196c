import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { factName, type NoticeKind, type ToldFact, toldMax } from '../../../src/core/memory/told.ts'
import { type Notice, withoutFloods } from '../../../src/core/notice/notice.ts'
import { type Ending, hears, type NoticeListener, toTell } from '../../../src/core/notice/tell.ts'

const acme = 'acme' as WorkspaceName
const notice = (name: string, more: Partial<Notice> = {}): Notice => ({
  ...{ kind: 'waiting', workspace: acme, about: 'mapping', name, state: '1', owners: [], sentence: `${name} waits`, cure: 'approve it' },
  ...more,
})
const all: readonly NoticeKind[] = ['waiting', 'failed', 'foreign-edit', 'ends-soon']
const worded = ({ about, name }: ToldFact) => (about === 'mapping' ? name : `${about} ${name}`.trimEnd())
const everything: NoticeListener = { on: all }

/** A daemon with its journal: what it tells in each cycle, as `new a`. */
function openTelling(listeners: readonly NoticeListener[] = [everything], ending: Ending = 'over') {
  let memory: Memory = emptyMemory
  let entries = 0
  return {
    entries: () => entries,
    told: () => memory.told.map(factName),
    cycle(now: readonly Notice[], how: { readonly ending?: Ending; readonly listeners?: readonly NoticeListener[] } = {}) {
      const { news, journal } = toTell(memory.told, now, () => how.ending ?? ending, how.listeners ?? listeners)
      if (journal !== undefined) {
        entries++
        memory = remember(memory, { atMs: 1, run: 'r', kind: 'told', ...journal }, 1)
      }
      return news.map((each) => `${each.news} ${worded(each.notice)}`)
    },
  }
}

describe('a fact', () => {
  test('is told once, again when it changes, and once when it is over', () => {
    const { cycle, entries, told } = openTelling()
    expect(cycle([notice('a')])).toEqual(['new a'])
    expect(cycle([notice('a')])).toEqual([])
    expect(cycle([notice('a', { sentence: 'in other words' })])).toEqual([])
    expect(entries()).toBe(1)
    expect(cycle([notice('a', { state: '2' }), notice('b')])).toEqual(['changed a', 'new b'])
    expect(cycle([notice('b')])).toEqual(['over a'])
    expect(cycle([notice('b')])).toEqual([])
    expect(cycle([])).toEqual(['over b'])
    expect(cycle([])).toEqual([])
    expect([told(), entries()]).toEqual([[], 4])
    expect(cycle([notice('a')])).toEqual(['new a'])
  })

  test('that may still stand is not over, and one that has no end is forgotten in silence', () => {
    const { cycle, told } = openTelling()
    cycle([notice('a')])
    expect(cycle([], { ending: 'unknown' })).toEqual([])
    expect(cycle([notice('a')])).toEqual([])
    expect(cycle([], { ending: 'gone' })).toEqual([])
    expect(told()).toEqual([])
  })

  test('is another one in another workspace, of another kind, or about the declaration', () => {
    const { workspace: _, ...bare } = notice('a')
    const facts = [notice('a'), notice('a', { workspace: 'beta' as WorkspaceName }), notice('a', { kind: 'failed' }), bare]
    expect(openTelling().cycle(facts)).toHaveLength(4)
  })

  test('is told again when another owner has to know it, not when one less has', () => {
    const { cycle } = openTelling()
    cycle([notice('a', { owners: ['x'] })])
    expect(cycle([notice('a', { owners: ['x', 'y'] })])).toEqual(['changed a'])
    expect(cycle([notice('a', { owners: ['y'] })])).toEqual([])
  })

  test('that nobody hears is not told, and is told when somebody begins to hear it', () => {
    const { cycle, told } = openTelling()
    expect(cycle([notice('a')], { listeners: [{ on: ['failed'] }] })).toEqual([])
    expect(told()).toEqual([])
    expect(cycle([notice('a')])).toEqual(['new a'])
    expect(cycle([notice('a')], { listeners: [] })).toEqual([])
    expect(told()).toEqual([])
  })

  test('that another receiver heard is told to a later one only when it changes or is over, an unheard one at once', () => {
    const { cycle } = openTelling([{ owner: 'x', on: all }])
    const facts = [notice('a', { owners: ['x'] }), notice('b')]
    expect(cycle(facts)).toEqual(['new a'])
    const listeners = [{ owner: 'x', on: all }, everything]
    expect(cycle(facts, { listeners })).toEqual(['new b'])
    expect(cycle([notice('a', { owners: ['x'], state: '2' })], { listeners })).toEqual(['changed a', 'over b'])
  })

  test('is kept under the new name of its workspace', () => {
    const before = remember(emptyMemory, started({ acme: 'acme' }), 1)
    const told = remember(before, { atMs: 1, run: 'r', kind: 'told', told: [factOf(notice('a'))], gone: [] }, 1)
    const known = remember(told, { ...ids, workspace: acme }, 1)
    expect(remember(known, started({ newName: 'acme' }), 1).told.map(factName)).toEqual(['waiting newName/mapping a'])
  })
})

const started = (slugs: Readonly<Record<string, string>>) =>
  ({ atMs: 1, run: 'r', kind: 'start', version: '1', command: 'run', waits: 'no', service: { host: 'h', slugs } }) as const
const ids = { atMs: 1, run: 'r', kind: 'mappings', list: 'projectRoles', ids: { 'acme/project/ENG/a': ['1'] } } as const
const factOf = ({ kind, about, name, state, owners }: Notice): ToldFact => ({ kind, workspace: acme, about, name, state, owners })

describe('who hears a fact', () => {
  const fact = notice('a', { owners: ['team-web', 'team-pay'] })
  test.each<[string, NoticeListener, boolean]>([
    ['without an owner', { on: all }, true],
    ['one of its owners', { owner: 'team-pay', on: all }, true],
    ['another owner', { owner: 'team-ops', on: all }, false],
    ['a part of the name of an owner', { owner: 'team', on: all }, false],
    ['not for this kind', { on: ['failed', 'foreign-edit', 'ends-soon'] }, false],
    ['its owner, not for this kind', { owner: 'team-web', on: ['failed'] }, false],
  ])('%s', (_, listener, isHeard) => expect(hears(listener, fact)).toBe(isHeard))

  test('nobody with an owner, if it has none', () => expect(hears({ owner: 'team-web', on: all }, notice('a'))).toBe(false))
})

describe('a moment', () => {
  const edit = (name: string, more: Partial<Notice> = {}) => notice(name, { kind: 'foreign-edit', about: 'edit', moment: 'usual', ...more })
  const edits = (from: number, count: number) => Array.from({ length: count }, (_, n) => edit(`g${from + n}`))

  test('is told once: it is never changed, and never over', () => {
    const { cycle, told } = openTelling([everything], 'gone')
    expect(cycle([edit('a')])).toEqual(['new edit a'])
    expect(cycle([edit('a', { owners: ['x'], state: '2' })])).toEqual([])
    expect(cycle([])).toEqual([])
    expect(told()).toEqual([])
  })

  test('is not told again after a time in which nobody heard it', () => {
    const { cycle } = openTelling([{ owner: 'x', on: all }], 'gone')
    expect(cycle([edit('a', { owners: ['x'] })])).toEqual(['new edit a'])
    expect(cycle([edit('a')])).toEqual([])
    expect(cycle([edit('a', { owners: ['x'] })])).toEqual([])
  })

  test('is one of many only with others that are new, and each is remembered', () => {
    const { cycle, told } = openTelling([everything], 'gone')
    expect(cycle(edits(0, 51))).toEqual(['new many edits'])
    expect(told()).toHaveLength(51)
    expect(cycle(edits(0, 52))).toEqual(['new edit g51'])
    expect(cycle(edits(10, 42))).toEqual([])
    expect(told()).toHaveLength(42)
    expect(cycle(edits(10, 93))).toEqual(['new many edits'])
  })

  test('that is grave stands alone and comes first, however many others there are', () => {
    const { cycle } = openTelling([everything], 'gone')
    const grave = edit('z', { moment: 'grave' })
    expect(cycle([notice('a'), ...edits(0, 51), grave])).toEqual(['new edit z', 'new many edits', 'new a'])
    const sorted = withoutFloods([notice('a'), ...edits(0, 60), grave], (text) => text)
    expect(sorted).toHaveLength(62)
    expect(sorted[0]).toBe(grave)
  })
})

describe('bounds', () => {
  const many = (count: number, more: Partial<Notice> = {}) => Array.from({ length: count }, (_, n) => notice(`g${n}`, more))

  test('fifty facts that are alike are told one by one, and more of them as one', () => {
    const length = (text: string) => `${text.length}`.padStart(16, '0')
    expect(withoutFloods(many(50), length)).toHaveLength(50)
    const told = withoutFloods([...many(51), ...many(3, { owners: ['x'] })], length)
    const [flood, ...others] = told.toSorted((a, b) => (b.more ?? 1) - (a.more ?? 1))
    expect(flood).toMatchObject({
      kind: 'waiting',
      workspace: acme,
      about: 'many',
      name: '',
      sentence: '51 approvals are needed',
      more: 51,
    })
    expect(others).toHaveLength(3)
  })

  test('many approvals as one say how many of them are for protected roles', () => {
    const sentenceOf = (facts: readonly Notice[]) => withoutFloods(facts, (text) => text)[0]?.sentence
    const grave = Array.from({ length: 3 }, (_, n) => notice(`p${n}`, { grantsProtected: true }))
    expect(sentenceOf([...many(48), ...grave])).toBe('51 approvals are needed, 3 of them for a protected role (‼)')
    expect(sentenceOf([...many(50), ...grave.slice(2)])).toBe('51 approvals are needed, 1 of them for a protected role (‼)')
  })

  test('one more fact, or another state, changes the one that stands for many', () => {
    const stateOf = (notices: readonly Notice[]) => withoutFloods(notices, (text) => hash('sha256', text))[0]?.state
    const sha256 = (text: string) => hash('sha256', text)
    const states = [many(51), many(52), [...many(50), notice('g50', { state: '2' })]].map(
      (notices) => withoutFloods(notices, sha256)[0]?.state,
    )
    expect(new Set(states).size).toBe(3)
    expect(stateOf(many(60))).toBe(stateOf(many(60).toReversed()))
  })

  test('what is remembered is bounded, and what does not fit is not told in each cycle', () => {
    const { cycle, told } = openTelling()
    const facts = many(toldMax + 10)
    expect(cycle(facts)).toHaveLength(toldMax)
    expect(cycle(facts)).toEqual([])
    expect(told()).toHaveLength(toldMax)
    // What may still stand takes its room.
    expect(cycle(many(5, { kind: 'failed' }), { ending: 'unknown' })).toEqual([])
  })
})
