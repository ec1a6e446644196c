import { describe, expect, test } from 'vitest'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { load } from './declare.ts'

const dateMs = Date.parse('2026-11-23T12:00Z')
const context = { dateMs, waiverFiles: ['a.yaml'], roles: ['guest', 'member', 'admin'] }
const acme = (...waivers: readonly string[]) => `version: 1
owner: platform
workspaces:
  acme:
    waivers:
${waivers.map((one) => `      - ${one}\n`).join('')}`

const end = 'until: 2026-12-01, reason: INC-99'
const declaredBy = (...waivers: readonly string[]) => {
  const loaded = load({ 'a.yaml': acme(...waivers) }, context)
  if (!loaded.valid) throw new Error(loaded.text)
  return loaded.declaration.get('acme' as never)?.waivers ?? []
}
const wordsOf = (waiver: string) => declaredBy(waiver).map(({ words }) => words)

/** The problems, each with the word to which it points. */
function problemsOf(text: string, over: Partial<Parameters<typeof load>[1]> = {}, file = 'a.yaml'): readonly string[] {
  const loaded = load({ [file]: text }, { ...context, ...over })
  const wordAt = (line: number, column: number) => /^[\w-]+|^./.exec((text.split('\n')[line - 1] ?? '').slice(column - 1))?.[0]
  return loaded.valid ? [] : loaded.problems.map(({ at, message }) => `${wordAt(at.line, at.column)}: ${message}`)
}

describe('a waiver means', () => {
  test('a create, by the id of its group', () =>
    expect(wordsOf(`{ project: pay, group: contractors, id: 8f1c, from: none, to: admin, ${end} }`)).toStrictEqual([
      { changes: [{ key: 'acme/project/PAY/contractors', after: 'admin', groupId: '8f1c' }] },
    ]))
  test('a patch in the workspace, for many people', () => {
    const patch = { key: 'acme/workspace/leads', before: 'member', after: 'admin' }
    expect(wordsOf(`{ workspace: true, group: leads, from: member, to: admin, people: 160, ${end} }`)).toStrictEqual([
      { changes: [patch], people: 160 },
    ])
    expect(wordsOf(`{ workspace: true, group: leads, from: member, to: admin, people: any, ${end} }`)).toStrictEqual([
      { changes: [patch], people: 'any' },
    ])
  })
  test('a mapping without a role that gets one', () =>
    expect(wordsOf(`{ project: PAY, group: leads, from: null, to: admin, ${end} }`)).toStrictEqual([
      { changes: [{ key: 'acme/project/PAY/leads', before: null, after: 'admin' }] },
    ]))
  test('a delete, and the mapping to all projects', () =>
    expect(wordsOf(`{ allProjects: true, group: leads, from: admin, to: none, ${end} }`)).toStrictEqual([
      { changes: [{ key: 'acme/allProjects/leads', before: 'admin' }] },
    ]))
  test('a rename', () =>
    expect(wordsOf(`{ project: PAY, group: new, previously: old, from: admin, to: admin, ${end} }`)).toStrictEqual([
      { changes: [{ key: 'acme/project/PAY/new', fromGroup: 'old', before: 'admin', after: 'admin' }] },
    ]))
  test('settings', () =>
    expect(
      wordsOf(
        `{ groupSync: { autoRemove: { from: true, to: false }, groupAttribute: { from: null, to: g }, defaultWorkspaceRole: { from: null, to: guest } }, ${end} }`,
      ),
    ).toStrictEqual([
      {
        changes: [
          {
            before: { autoRemove: true, defaultWorkspaceRole: null },
            after: { autoRemove: false, groupAttribute: 'g', defaultWorkspaceRole: 'guest' },
          },
        ],
      },
    ]))
  test('several changes, with lists that multiply', () =>
    expect(
      wordsOf(
        `{ changes: [ { project: [PAY, WEB], group: [a, b], from: guest, to: none }, { groupSync: { autoRemove: { from: true, to: false } } } ], ${end} }`,
      ),
    ).toStrictEqual([
      {
        changes: [
          ...['PAY/a', 'WEB/a', 'PAY/b', 'WEB/b'].map((place) => ({ key: `acme/project/${place}`, before: 'guest' })),
          { before: { autoRemove: true }, after: { autoRemove: false } },
        ],
      },
    ]))
  test('one waiver an entry, with its place, its end, its reason and its owner', () =>
    expect(
      declaredBy(
        `{ project: [PAY, WEB], group: leads, from: none, to: admin, ${end} }`,
        '{ project: PAY, group: leads, from: none, to: admin, until: 2026-11-23T18:00+01:00, reason: INC-1, owner: ann }',
      ).map(({ untilMs, because }) => [new Date(untilMs).toISOString(), because]),
    ).toStrictEqual([
      ['2026-12-02T00:00:00.000Z', { at: { file: 'a.yaml', line: 6, column: 9 }, owner: 'platform', reason: 'INC-99' }],
      ['2026-11-23T17:00:00.000Z', { at: { file: 'a.yaml', line: 7, column: 9 }, owner: 'ann', reason: 'INC-1' }],
    ]))
  test('one without an owner, if neither the file nor the entry has one', () => {
    const text = acme(`{ project: PAY, group: leads, from: none, to: admin, ${end} }`).replace('owner: platform\n', '')
    const loaded = load({ 'a.yaml': text }, context)
    if (!loaded.valid) throw new Error(loaded.text)
    const because = loaded.declaration.get('acme' as never)?.waivers?.map((one) => one.because)
    expect(because).toStrictEqual([{ at: { file: 'a.yaml', line: 5, column: 9 }, reason: 'INC-99' }])
  })
  test('of several files all, in the order of their places', () => {
    const one = (reason: string) => acme(`{ workspace: true, group: x, from: none, to: admin, until: 2026-12-01, reason: ${reason} }`)
    const loaded = load({ 'b.yaml': one('second'), 'a.yaml': one('first') }, { ...context, waiverFiles: ['*.yaml'] })
    if (!loaded.valid) throw new Error(loaded.text)
    const declared = loaded.declaration.get('acme' as never)
    expect(declared?.waivers?.map(({ because }) => because.reason)).toStrictEqual(['first', 'second'])
    expect(declared?.owns).toEqual(new Set())
  })
})

describe('the end of a waiver', () => {
  const until = (text: string) => acme(`{ project: PAY, group: leads, from: none, to: admin, until: ${text}, reason: x }`)
  const tooLate = (word: string) => [`${word}: a waiver ends at most 30 days from now`]
  test.each([
    ['2026-12-22', []],
    ['2026-12-23', tooLate('2026-12-23')],
    ['2026-12-23T12:00Z', []],
    ['2026-12-23T12:01Z', tooLate('2026-12-23T12')],
    ['2020-01-01', []],
  ])('%s', (text, problems) => expect(problemsOf(until(text))).toEqual(problems))
  test('is never valid if the present time is not known', () => {
    const { dateMs: _, ...timeless } = context
    expect(load({ 'a.yaml': until('2020-01-01') }, timeless).valid).toBe(false)
  })
})

describe('a file may have waivers', () => {
  const text = acme(`{ project: PAY, group: leads, from: none, to: admin, ${end} }`)
  const refused = ['waivers: this file may not have "waivers"']
  test.each<readonly [file: string, waiverFiles: readonly string[], problems: readonly string[]]>([
    ['platform/a.yaml', ['platform/**'], []],
    ['platform/deep/a.yaml', ['platform/**'], []],
    ['platform/a.yaml', ['platform/*', 'platform/a.yaml'], []],
    ['platform/a.yaml', ['Platform/*'], refused],
    ['platform/deep/a.yaml', ['platform/*'], refused],
    ['teams/a.yaml', ['platform/**'], refused],
    ['teams/a.yaml', [], refused],
  ])('%s, named by %j', (file, waiverFiles, problems) => expect(problemsOf(text, { waiverFiles }, file)).toEqual(problems))
  test('also an empty list, or an invalid one, is refused', () => {
    expect(problemsOf('version: 1\nworkspaces: { acme: { waivers: [] } }', { waiverFiles: [] })).toEqual(refused)
    expect(problemsOf('version: 1\nworkspaces: { acme: { waivers: [ { reason: 1 } ] } }', { waiverFiles: [] })).toContain(refused[0])
  })
  test('without a setting none may', () => {
    const loaded = load({ 'a.yaml': text }, { dateMs })
    expect(loaded.valid).toBe(false)
  })
})

describe('a file inside a fence', () => {
  const pay: FenceText = {
    owner: 'team-pay',
    workspace: 'acme',
    projectRoles: { projects: ['PAY'], allProjects: false, roles: ['guest', 'member'], groups: ['pay-*'] },
    may: ['waivers'],
    demand: { reason: false, expires: {} },
  }
  const inside = (waiver: string, fence: Partial<FenceText> = {}, over: object = {}) => {
    const text = acme(waiver).replace('owner: platform\n', '')
    const fences = { 'teams/**': { ...pay, ...fence }, 'platform/**': 'everything' as const }
    return problemsOf(text, { fences, waiverFiles: ['platform/**'], ...over }, 'teams/a.yaml')
  }
  const outside = (message: string) => [`${message} (fence "teams/**")`]
  const grant = 'project: PAY, group: pay-devs, from: none, to: member'

  test('may have waivers for its own keys', () => {
    expect(inside(`{ ${grant}, ${end} }`)).toEqual([])
    expect(inside(`{ project: pay, group: [pay-a, pay-b], from: admin, to: none, ${end}, owner: team-pay }`)).toEqual([])
    expect(inside(`{ project: PAY, group: pay-a, previously: pay-b, from: guest, to: guest, ${end} }`)).toEqual([])
  })
  test.each<readonly [what: string, waiver: string, message: string]>([
    ['a group', 'project: PAY, group: ops, from: none, to: member', 'ops: the group "ops" is outside'],
    ['a group of a list', 'project: PAY, group: [pay-a, ops], from: none, to: member', 'ops: the group "ops" is outside'],
    ['a project', 'project: [PAY, ENG], group: pay-a, from: none, to: member', 'ENG: the project "ENG" is outside'],
    ['a list', 'workspace: true, group: pay-a, from: none, to: member', '{: a mapping in workspaceRoles is outside'],
    ['all projects', 'allProjects: true, group: pay-a, from: none, to: member', 'allProjects: "allProjects" is outside'],
    ['a role', 'project: PAY, group: pay-a, from: none, to: admin', 'admin: the role "admin" is outside'],
    ['the old name', 'project: PAY, group: pay-a, previously: ops, from: guest, to: guest', 'ops: the group "ops" is outside'],
    ['people', `${grant}, people: any`, 'people: "people" in a waiver is outside'],
    ['settings', 'groupSync: { autoRemove: { from: true, to: false } }', 'groupSync: "groupSync" in a waiver is outside'],
    ['several changes', `changes: [ { ${grant} } ]`, 'changes: "changes" in a waiver is outside'],
    ['an owner', `${grant}, owner: platform`, 'platform: the owner of this file is "team-pay"'],
  ])('is refused with %s outside', (_, waiver, message) => {
    expect(inside(`{ ${waiver}, ${end} }`)).toEqual(outside(message))
    expect(inside(`{ ${waiver}, ${end} }`, {}, { waiverFiles: ['teams/**'] })).toEqual(outside(message))
  })
  test.each([
    ['project: PAY, group: pay-a, from: none, to: admin', 'these files may give: guest, member'],
    [`${grant}, people: any`, 'ask for it in a file without limits that the settings name under "waivers.files"'],
  ])('is refused with a cure: %s', (waiver, cure) => {
    const text = acme(`{ ${waiver}, ${end} }`).replace('owner: platform\n', '')
    const fence = { ...pay, projectRoles: { projects: ['PAY'], allProjects: false, roles: ['guest', 'member'], groups: ['pay-*'] } }
    const loaded = load({ 'teams/a.yaml': text }, { ...context, fences: { 'teams/**': fence } })
    expect(loaded.valid ? [] : loaded.problems.map((one) => one.cure)).toEqual([cure])
  })
  test('needs the word, although the settings name the file', () => {
    const refused = outside('waivers: "waivers" is not allowed here')
    expect(inside(`{ ${grant}, ${end} }`, { may: [] })).toEqual(refused)
    expect(inside(`{ ${grant.replace('pay-devs', 'ops')}, ${end} }`, { may: [] })).toEqual(refused)
    expect(inside(`{ ${grant}, ${end} }`, { may: [] }, { waiverFiles: ['teams/**'] })).toEqual(refused)
  })
  test('may not name another workspace', () => {
    const text = acme(`{ ${grant}, ${end} }`).replace('owner: platform\n', '').replace('acme', 'globex')
    expect(problemsOf(text, { fences: { 'teams/**': pay } }, 'teams/a.yaml')).toEqual(outside('globex: the workspace "globex" is outside'))
  })
  test('has its owner', () => {
    const text = acme(`{ ${grant}, ${end} }`).replace('owner: platform\n', '')
    const loaded = load({ 'teams/a.yaml': text }, { ...context, fences: { 'teams/**': pay } })
    if (!loaded.valid) throw new Error(loaded.text)
    const [waiver] = loaded.declaration.get('acme' as never)?.waivers ?? []
    expect(waiver?.because.owner).toBe('team-pay')
  })
  test('a file without limits still needs to be named in the settings', () => {
    const fences = { 'teams/**': pay, 'platform/**': 'everything' as const }
    const text = acme(`{ ${grant}, ${end} }`)
    expect(problemsOf(text, { fences, waiverFiles: ['platform/**'] }, 'platform/a.yaml')).toEqual([])
    expect(problemsOf(text, { fences, waiverFiles: [] }, 'platform/a.yaml')).toEqual(['waivers: this file may not have "waivers"'])
  })
})

describe('the limits of a file', () => {
  const one = (group: string) => `{ workspace: true, group: ${group}, from: none, to: admin, ${end} }`
  test('are 1,000 waivers', () => {
    const many = (count: number) => acme(...Array.from({ length: count }, (_, index) => one(`g${index}`)))
    expect(problemsOf(many(1_000))).toEqual([])
    expect(problemsOf(many(1_002))).toEqual(['{: with this entry the file has 1,001 waivers'])
  })
  test('are 10,000 changes', () => {
    const wide = (groups: number) =>
      acme(
        one('a'),
        `{ group: [${Array.from({ length: groups }, (_, index) => `g${index}`).join(', ')}], project: [${Array.from({ length: 101 }, (_, index) => `P${index}`).join(', ')}], from: none, to: admin, ${end} }`,
      )
    expect(problemsOf(wide(99))).toEqual([])
    expect(problemsOf(wide(100))).toEqual(['{: with this entry the file has waivers for 10,101 changes'])
  })
  test('each change also counts as a mapping of the declaration', () => {
    const list = (letter: string, length: number) => `[${Array.from({ length }, (_, index) => `${letter}${index}`).join(', ')}]`
    const text = acme(`{ group: ${list('g', 500)}, project: ${list('P', 401)}, from: none, to: admin, ${end} }`)
    expect(problemsOf(text)).toContain('{: with this entry the declaration has 200,500 mappings')
  })
})
