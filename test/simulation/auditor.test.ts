import { describe, expect, test } from 'vitest'
import { openApprovals } from './audit/approvals.ts'
import type { DeclaredRule, Place } from './declared.ts'
import { change, knowing, type Setting, scene } from './scene.ts'
import type { ProjectChange, Row } from './spec.ts'

const devsInEng: DeclaredRule = { group: 'devs', at: 'ENG', role: 'member' }
const devsInEngx: DeclaredRule = { ...devsInEng, at: 'ENGX' }
const atEng: Place = { group: 'devs', at: 'ENG' }
const atEngx: Place = { group: 'devs', at: 'ENGX' }

describe('a group was made again', () => {
  const wrong = ['devs was another group when the rule was written']
  const row = { ...devsInEng, group: 'devs' }
  const again = (setting: Partial<Setting> = {}) => {
    const one = knowing({ versions: [[0, [devsInEng]]], rows: [], ...setting })
    one.makeAgain()
    return one
  }
  test('the new group gets no mapping, many cycles later and by the next process, too', () => {
    const one = again()
    for (let n = 0; n < 3; n++) {
      one.look(0)
      one.end(0)
    }
    one.start(1)
    one.look(1)
    one.grant(1, row)
    expect(one.wrongs('groups')).toEqual(wrong)
  })
  test('nor a higher role; a lower one and a delete are right', () => {
    const rows = [{ group: 'devs', at: 'ENG', role: 'guest' }]
    const one = again({ rows })
    one.look(0)
    one.patch(0, row)
    expect(one.wrongs('groups')).toEqual(wrong)
    const other = again({ rows: [{ group: 'devs', at: 'ENG', role: 'admin' }] })
    other.look(0)
    other.patch(0, row)
    other.remove(0, atEng)
    expect(other.wrongs('groups')).toEqual([])
  })
  test('nor does a pattern give it a role', () => {
    const one = again({ versions: [[0, [{ glob: 'dev*', at: 'ENG', role: 'member' }]]] })
    one.look(0)
    one.grant(0, row)
    expect(one.wrongs('groups')).toEqual(wrong)
  })
  test('the new group gets the role of a rule that was edited since', () => {
    const one = again({
      versions: [
        [0, [devsInEng]],
        [1, [{ ...devsInEng, reason: 'the new one' }]],
      ],
    })
    one.look(0, { version: 1 })
    one.grant(0, row)
    expect(one.wrongs('groups')).toEqual([])
  })
  test('a process without the journal cannot know it', () => {
    const one = again({ journal: 'none' })
    one.start(1)
    one.look(1)
    one.grant(1, row)
    expect(one.wrongs('groups')).toEqual([])
  })
  test('after a power failure it cannot be known, unless it was durable', () => {
    for (const isDurable of [false, true]) {
      const one = again()
      if (isDurable) one.hear({ is: 'durable', process: 0 })
      one.hear({ is: 'power', process: 0 })
      one.start(1)
      one.look(1)
      one.grant(1, row)
      expect(one.wrongs('groups')).toEqual(isDurable ? wrong : [])
    }
  })
})

describe('a process was killed in the middle of a cycle', () => {
  test('a later one may know the group that it read, and then gives the role to this group', () => {
    const one = scene({ versions: [[0, [devsInEng]]], rows: [] })
    one.start(0)
    one.look(0)
    one.hear({ is: 'kill', process: 0 })
    one.makeAgain()
    one.start(1)
    one.look(1)
    one.end(1)
    one.show({ devs: '1', guests: '2' })
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs('groups')).toEqual([])
  })

  test('a later one that reads the same group knows it', () => {
    const one = scene({ versions: [[0, [devsInEng]]], rows: [] })
    one.start(0)
    one.look(0)
    one.hear({ is: 'kill', process: 0 })
    one.start(1)
    one.look(1)
    one.end(1)
    one.makeAgain()
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs('groups')).toEqual(['devs was another group when the rule was written'])
  })

  test('a later one may know how many groups a directory had, and then refuses a much smaller one', () => {
    const few = { devs: '1' }
    const many = { ...few, guests: '2', a: '3', b: '4', c: '5', d: '6' }
    const one = scene({ versions: [[0, [devsInEng]]], rows: [] })
    one.start(0)
    one.show(many)
    one.hear({ is: 'directory', process: 0, directory: 'corp', whole: true, names: Object.keys(many), ids: Object.values(many) })
    one.hear({ is: 'kill', process: 0 })
    one.start(1)
    one.show(few)
    one.look(1)
    one.end(1)
    one.show({ ...many, devs: '7' })
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs('groups')).toEqual([])
  })

  test('a later one that reads the same project knows it, after a sync of the journal, too', () => {
    const one = scene({ versions: [[0, [devsInEng]]], rows: [] })
    one.start(0)
    one.look(0)
    one.hear({ is: 'durable', process: 0 })
    one.hear({ is: 'kill', process: 0 })
    one.start(1)
    one.look(1)
    one.end(1)
    one.change({ does: 'vanish', project: 'ENG', takes: false })
    one.change({ does: 'make', project: 'ENG' })
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual(['ENG was another project when the rule was written'])
  })
})

test('nothing is written by readings from before the machine was suspended for an hour', () => {
  const after = (...byMs: readonly number[]) => {
    const one = knowing({ versions: [[0, [devsInEng]]], rows: [] })
    one.hear({ is: 'clockSet', byMs: 5 * 3_600_000 })
    one.look(0)
    for (const by of byMs) one.hear({ is: 'clockSet', byMs: by })
    one.grant(0, devsInEng)
    return one.wrongs('reading')
  }
  expect(after()).toEqual([])
  expect(after(3_599_999, -9 * 3_600_000)).toEqual([])
  expect(after(1_800_000, 1_800_000)).toEqual(['rests on readings from before the machine was suspended for an hour'])
})

describe('a cycle ends', () => {
  /** A cycle of so many minutes and requests, with a limit of so many requests a minute. */
  const after = (minutes: number, requests: number, limit: number) => {
    const one = scene({ versions: [[0, [devsInEng]]], settingsLimit: limit, serviceLimit: limit, reserve: '10%' })
    one.start(0)
    one.look(0, { reads: [] })
    for (let n = 0; n < requests; n++) one.read(0, ['mappings'])
    one.pass(minutes * 60_000)
    one.end(0)
    return one.wrongs('bounded')
  }
  test('within two hours, and the time that its requests need at the rate limit', () => {
    expect(after(120, 54, 60)).toEqual([])
    expect(after(122, 54, 60)).toEqual(['a cycle of 122 minutes with 54 requests, of at most 121 ()'])
    expect(after(132, 131, 2)).toEqual([])
    expect(after(132, 10, 2)).toEqual(['a cycle of 132 minutes with 10 requests, of at most 130 ()'])
    expect(after(260, 131, 2)).toEqual(['a cycle of 260 minutes with 131 requests, of at most 251 ()'])
  })
})

describe('a project has another identifier now', () => {
  const meant = ['the same project is meant by ENG']

  test('its mapping is not deleted as undeclared', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.change(change)
    one.look(0)
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(meant)
  })

  test('nor many cycles later, nor by the next process with the same journal', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.change(change)
    for (let n = 0; n < 5; n++) {
      one.look(0)
      one.end(0)
    }
    one.hear({ is: 'kill', process: 0 })
    one.start(1)
    one.look(1)
    one.remove(1, atEngx)
    expect(one.wrongs()).toEqual(meant)
  })

  test('nor where the rule is followed whether the project is known or not', () => {
    const one = knowing({ versions: [[0, [{ ...devsInEng, sendsProject: true }]]] })
    one.change(change)
    one.look(0)
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(meant)
  })

  test('nor while the key sees the project no more', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.change({ does: 'hide', project: 'ENG' })
    one.change(change)
    one.look(0)
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(meant)
  })

  test('nor in a cycle that read no projects', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.change(change)
    one.look(0, { reads: ['mappings'] })
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(meant)
  })

  test('but under a policy that deletes nothing undeclared the projects need not be read', () => {
    const one = knowing({
      policy: 'upsert-only',
      versions: [
        [0, [{ ...devsInEng, sendsProject: true }]],
        [1, [{ ...devsInEng, sendsProject: true }], [atEngx]],
      ],
    })
    one.change(change)
    one.look(0, { version: 1, reads: ['mappings'] })
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual([])
  })

  test('a list of projects that is older than the rename excuses it, and is counted', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.look(0, { reads: ['projects'] })
    one.change(change)
    one.read(0, ['mappings'])
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual([])
    expect(one.auditor.raced()).toBe(1)
  })

  test('a rule that was written for the new identifier is followed', () => {
    const one = knowing({
      versions: [
        [0, [devsInEng]],
        [5, [{ ...devsInEngx, role: 'guest' }]],
      ],
    })
    one.change(change)
    one.look(0, { version: 1 })
    one.patch(0, { ...atEngx, role: 'guest' })
    expect(one.wrongs()).toEqual([])
  })

  test('a rule that named the new identifier before does not lower the mapping', () => {
    const one = knowing({ versions: [[0, [devsInEng, { ...devsInEngx, role: 'guest' }]]] })
    one.change(change)
    one.look(0)
    one.patch(0, { ...atEngx, role: 'guest' })
    expect(one.wrongs()).toEqual(meant)
  })

  test('a rule that is edited and still names the old identifier holds the mapping as unknown', () => {
    const one = knowing({
      versions: [
        [0, [devsInEng]],
        [5, [{ ...devsInEng, role: 'guest' }]],
      ],
    })
    one.change(change)
    one.look(0, { version: 1 })
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(['ENG is named for the group, and is not known'])
  })

  test('mappings of other groups there go as undeclared', () => {
    const one = knowing({ rows: [{ group: 'guests', at: 'ENG', role: 'guest' }], versions: [[0, [devsInEng]]] })
    one.change(change)
    one.look(0)
    one.remove(0, { group: 'guests', at: 'ENGX' })
    expect(one.wrongs()).toEqual([])
  })

  test('a mapping of the group in a project that is known to be another one goes as undeclared', () => {
    const one = knowing({
      rows: [
        { group: 'devs', at: 'ENG', role: 'member' },
        { group: 'devs', at: 'OPS', role: 'member' },
      ],
      versions: [[0, [devsInEng]]],
    })
    one.change(change)
    one.look(0)
    one.remove(0, { group: 'devs', at: 'OPS' })
    expect(one.wrongs()).toEqual([])
  })

  test.each([
    ['2020-01-01', []],
    ['2099-01-01', meant],
  ] as const)('a rule that was edited means the project of today, beside one that expires on %s', (expires, wrongs) => {
    const captures: DeclaredRule = { captured: ['eng'], map: {}, at: '', role: 'member' }
    const ofPerson: DeclaredRule = { group: 'eng-a', at: 'ENG', role: 'member', expires }
    const one = knowing({
      rows: [{ group: 'eng-a', at: 'ENG', role: 'member' }],
      versions: [
        [0, [captures, ofPerson]],
        [1, [{ ...captures, reason: 'the new one' }, ofPerson]],
      ],
    })
    one.change(change)
    one.change({ does: 'make', project: 'ENG' })
    one.look(0, { version: 1 })
    one.remove(0, { group: 'eng-a', at: 'ENGX' })
    expect(one.wrongs()).toEqual(wrongs)
  })

  test('what a person wrote down to go goes', () => {
    const one = knowing({
      versions: [
        [0, [devsInEng]],
        [5, [], [atEngx]],
      ],
    })
    one.change(change)
    one.look(0, { version: 1 })
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual([])
  })
})

describe('a project has the identifier of another one', () => {
  const other = ['ENG was another project when the rule was written']
  const remade: readonly ProjectChange[] = [change, { does: 'make', project: 'ENG' }]

  test('nothing is granted there', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    for (const what of remade) one.change(what)
    one.look(0)
    one.grant(0, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual(other)
  })

  test('nor is anything removed', () => {
    const one = knowing({ versions: [[0, [], [atEng]]] })
    one.change({ does: 'rename', project: 'OPS', to: 'OPSX' })
    one.change({ does: 'swap', project: 'ENG', to: 'OPSX' })
    one.service.edit('acme', 'add', { ...atEng, role: 'admin' }, 0)
    one.look(0)
    one.remove(0, atEng)
    expect(one.wrongs()).toEqual(other)
  })

  test('a project that a group captures', () => {
    const captures: DeclaredRule = { captured: ['eng'], map: {}, at: '', role: 'member' }
    const one = knowing({ rows: [{ group: 'eng-a', at: 'ENG', role: 'guest' }], versions: [[0, [captures]]] })
    for (const what of remade) one.change(what)
    one.look(0)
    one.grant(0, { group: 'eng-b', at: 'ENG', role: 'member' })
    expect(one.wrongs()).toEqual(other)
  })

  test('a project that no group captured then', () => {
    const captures: DeclaredRule = { captured: ['eng'], map: {}, at: '', role: 'member' }
    const one = knowing({ versions: [[0, [captures]]] })
    for (const what of remade) one.change(what)
    one.look(0)
    one.grant(0, { group: 'eng-b', at: 'ENG', role: 'member' })
    expect(one.wrongs()).toEqual([])
  })

  test('after a swap neither side is changed', () => {
    const one = knowing({
      rows: [
        { group: 'devs', at: 'ENG', role: 'member' },
        { group: 'devs', at: 'OPS', role: 'guest' },
      ],
      versions: [[0, [devsInEng, { group: 'devs', at: 'OPS', role: 'guest' }]]],
    })
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.look(0)
    one.patch(0, { ...atEng, role: 'member' })
    one.patch(0, { group: 'devs', at: 'OPS', role: 'guest' })
    expect(one.wrongs()).toEqual([...other, 'OPS was another project when the rule was written'])
  })

  test('until the text of the rule changes', () => {
    const one = knowing({
      versions: [
        [0, [devsInEng]],
        [5, [{ ...devsInEng, reason: 'the new one' }]],
      ],
    })
    for (const what of remade) one.change(what)
    one.look(0, { version: 1 })
    one.grant(0, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual([])
  })

  test('a rule whose fields only stand in another order still means the same project', () => {
    const { role, ...place } = { ...atEng, role: 'member' }
    const one = knowing({
      versions: [
        [0, [{ role, ...place }]],
        [1, [{ ...place, role }]],
      ],
    })
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.look(0, { version: 1 })
    one.end(0)
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.look(0, { version: 1 })
    one.grant(0, { group: 'devs', at: 'ENG', role: 'member' })
    expect(one.wrongs()).toEqual([])
  })

  test('a rule that is taken away and written again means the project of that time', () => {
    const one = knowing({
      versions: [
        [0, [devsInEng]],
        [1, []],
        [5, [devsInEng]],
      ],
    })
    one.look(0, { version: 1 })
    for (const what of remade) one.change(what)
    one.look(0, { version: 2 })
    one.grant(0, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual([])
  })

  test('a list of projects that is older excuses it', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.look(0)
    for (const what of remade) one.change(what)
    one.grant(0, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual([])
  })

  test.each([
    ['not after a cycle that came to no plan', ['kill'], false],
    ['after a cycle that came to a plan', ['cycled', 'kill'], true],
    ['not after a power failure', ['cycled', 'power'], false],
    ['after a power failure that the journal was synced before', ['cycled', 'durable', 'power'], true],
  ] as const)('the next process knows the other one: %s', (_what, events, isKnown) => {
    const one = scene({ versions: [[0, [devsInEng]]] })
    one.start(0)
    one.look(0)
    for (const is of events)
      if (is === 'cycled') one.end(0)
      else one.hear({ is, process: 0 })
    for (const what of remade) one.change(what)
    one.start(1)
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual(isKnown ? other : [])
  })

  test.each([
    ['after its journal was synced', ['projects', 'mappings'], true],
    // What was written to the journal outlives the process even without a sync.
    ['after it read all lists', ['projects', 'mappings'], true],
    ['before it read the projects', ['mappings'], false],
  ] as const)('a process that died in its cycle, %s, may have left the meaning of that time', (what, reads, isPossible) => {
    const one = scene({ versions: [[0, [devsInEng]]] })
    one.start(0)
    one.look(0, { reads })
    if (what === 'after its journal was synced') one.hear({ is: 'durable', process: 0 })
    one.hear({ is: 'kill', process: 0 })
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.start(1)
    one.look(1)
    one.end(1)
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.start(2)
    one.look(2)
    one.grant(2, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual(isPossible ? [] : other)
  })

  test('without a journal the next process cannot know it', () => {
    const one = knowing({ journal: 'none', versions: [[0, [devsInEng]]] })
    for (const what of remade) one.change(what)
    one.start(1)
    one.look(1)
    one.grant(1, { ...atEng, role: 'member' })
    expect(one.wrongs()).toEqual([])
  })
})

describe('no id was ever known', () => {
  test('while a project is unknown no mapping of its group is deleted as undeclared', () => {
    const one = scene({ versions: [[0, [devsInEng]]] })
    one.change(change)
    one.start(0)
    one.look(0)
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(['ENG is named for the group, and is not known'])
  })

  test('nor where no list of projects was read', () => {
    const one = scene({ versions: [[0, [{ ...devsInEng, sendsProject: true }]]] })
    one.change(change)
    one.start(0)
    one.look(0, { reads: ['mappings'] })
    one.remove(0, atEngx)
    expect(one.wrongs()).toEqual(['ENG is named for the group, and no list of projects was read'])
  })

  test('a mapping that names the project shows that it exists', () => {
    const one = scene({
      rows: [
        { group: 'guests', at: 'ENG', role: 'guest' },
        { group: 'devs', at: 'OPS', role: 'member' },
      ],
      versions: [[0, [devsInEng]]],
    })
    one.change({ does: 'hide', project: 'ENG' })
    one.start(0)
    one.look(0)
    one.remove(0, { group: 'devs', at: 'OPS' })
    expect(one.wrongs()).toEqual([])
  })
})

test('a first list that hides a mapping is no reason to make it again', () => {
  const one = scene({ versions: [[0, [devsInEng]]] })
  one.start(0)
  one.look(0, { reads: ['projects'] })
  one.read(0, ['mappings'], 0)
  one.grant(0, { ...atEng, role: 'member' })
  one.commit(0, { ...atEng, role: 'member' })
  expect(one.auditor.violations.map(({ promise }) => promise)).toEqual(['twice'])
})

test('a mapping that appeared after the list was read is', () => {
  const one = scene({ rows: [], versions: [[0, [devsInEng]]] })
  one.start(0)
  one.look(0)
  one.commit(undefined, { ...atEng, role: 'guest' })
  one.grant(0, { ...atEng, role: 'member' })
  one.commit(0, { ...atEng, role: 'member' })
  expect(one.auditor.violations).toEqual([])
})

describe('a list in pages is read again after two projects swapped their identifiers', () => {
  const atOps: Place = { group: 'devs', at: 'OPS' }
  const rows: Row[] = [
    { ...atOps, role: 'admin' },
    { group: 'guests', at: 'OPS', role: 'member' },
  ]

  test.each([
    ['does not end: the process goes by the first reading', 'all but the last page', []],
    ['ends: the process goes by the second reading', 'all', ['declared']],
  ] as const)('and the second reading %s', (_what, shows, promises) => {
    const one = scene({ rows, versions: [[0, [{ ...devsInEng, at: 'OPS' }], [atEng]]] })
    one.start(0)
    one.look(0, { reads: [] })
    one.readPages(0, 'all')
    one.read(0, ['projects'])
    one.change({ does: 'swap', project: 'ENG', to: 'OPS' })
    one.readPages(0, shows)
    one.patch(0, { ...atEng, role: 'member' })
    expect(one.auditor.violations.map(({ promise }) => promise)).toEqual(promises)
  })
})

test('a mapping that comes on two pages has the role of the later one', () => {
  const one = knowing({ versions: [[0, [{ ...atEng, role: 'contributor' }]]] })
  one.look(0, { reads: ['projects'] })
  const path = '/api/v1/workspaces/acme/group-sync/project-mappings/'
  const id = one.service.rows('acme')[0]?.id
  let request = 1_000
  const page = (role: string, query: string, next_page_results: boolean) => {
    const body = { results: [{ id, idp_group_name: 'devs', role, project: 'ENG', all_projects: false }], next_page_results }
    one.hear({ is: 'sent', process: 0, request: ++request, method: 'GET', path, query, body: '', fate: '' })
    one.hear({ is: 'answered', process: 0, request, status: 200, body: JSON.stringify(body), intact: true })
  }
  page('contributor', '', true)
  page('contributor', 'per_page=1', true)
  page('member', 'per_page=1&cursor=1:1:0', false)
  one.patch(0, { ...atEng, role: 'contributor' })
  expect(one.wrongs('declared')).toEqual([])
})

describe('what is reported', () => {
  test.each([
    ['there', ['reported']],
    ['gone', []],
  ] as const)('a delete that is reported as done, of a mapping that is %s', (where, promises) => {
    const one = knowing({ versions: [[0, [], [atEng]]] })
    const [row] = one.service.rows('acme')
    if (where === 'gone') one.service.edit('acme', 'drop', { ...atEng, role: 'member' }, 1)
    one.hear({ is: 'reported', process: 0, workspace: 'acme', does: 'delete', row: row?.id ?? '' })
    expect(one.auditor.violations.map(({ promise }) => promise)).toEqual(promises)
  })

  test('a create that is reported as done and was not executed', () => {
    const one = knowing({ versions: [[0, [devsInEng]]] })
    one.hear({ is: 'reported', process: 0, workspace: 'acme', does: 'create', row: 'some-row' })
    expect(one.auditor.violations.map(({ promise }) => promise)).toEqual(['reported'])
  })
})

describe('an approval lets a change pass once', () => {
  const opened = () => {
    const approvals = openApprovals(true)
    const raise = {
      process: 0,
      workspace: 'acme',
      does: 'patch',
      before: { ...atEng, role: 'guest', id: '1' },
      after: { ...atEng, role: 'member' },
    } as const
    const give = (atMs: number, name: string) => {
      const changes = [{ ...atEng, from: 'guest', to: 'member' }]
      approvals.hear({ atMs, is: 'approved', process: 0, approved: { workspace: 'acme', changes, untilMs: 9, name } })
    }
    approvals.hear({ atMs: 0, is: 'start', process: 0, mode: 'daemon', skewMs: 0, drift: 0, folder: 'state' })
    give(1, 'earlier')
    give(3, 'later')
    return { approvals, raise, left: () => approvals.of(raise, []).map(({ name }) => name) }
  }
  test('a write uses up those that its process had when the answer came, and none that a person gave later', () => {
    const { approvals, raise, left } = opened()
    approvals.used(raise, [], 2)
    expect(left()).toEqual(['later'])
  })
  test.each([
    ['as before', 'guest', 'acme', 'project-mappings', ['earlier', 'later']],
    ['as done', 'member', 'acme', 'project-mappings', ['later']],
    ['as done in another workspace', 'member', 'beta', 'project-mappings', ['earlier', 'later']],
    ['in another list', 'member', 'acme', 'workspace-mappings', ['earlier', 'later']],
  ] as const)('a list that shows it %s', (_what, role, workspace, kind, names) => {
    const { approvals, left } = opened()
    approvals.shown(0, workspace, kind, { rows: [{ ...atEng, role, id: '1' }], beganMs: 2 })
    expect(left()).toEqual(names)
  })
})
