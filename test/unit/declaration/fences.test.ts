import { describe, expect, test } from 'vitest'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { fenceWords } from '../../../src/declaration/fenceWords.ts'
import { load } from './declare.ts'

export const pay: FenceText = {
  owner: 'team-pay',
  workspace: 'acme',
  projectRoles: { projects: ['PAY', 'PAYWEB'], allProjects: false, roles: ['guest', 'member'], groups: ['pay-*', 'all-staff'] },
  may: [],
  demand: { reason: false, expires: {} },
}
const dateMs = Date.parse('2026-01-01')
const everyWord = fenceWords

/** The problems of a file of the team, each with the word to which it points. */
function problemsOf(text: string, fence: Partial<FenceText> = {}): readonly string[] {
  const fences = { 'teams/pay/**': { ...pay, ...fence }, 'platform/**': 'everything' as const }
  const file = `version: 1\n${text}`
  const loaded = load({ 'teams/pay/a.yaml': file }, { fences, dateMs })
  const wordAt = (line: number, column: number) => /^[\w-]+|^./.exec((file.split('\n')[line - 1] ?? '').slice(column - 1))?.[0]
  return loaded.valid ? [] : loaded.problems.map(({ at, message }) => `${wordAt(at.line, at.column)}: ${message}`)
}
const acme = (text: string) => `workspaces:\n  acme:\n    ${text}`
const project = (rule: string) => acme(`projectRoles: [ { ${rule} } ]`)
const outside = (message: string) => `${message} (fence "teams/pay/**")`

describe('exact words of a file outside of its fence are errors', () => {
  const plain = 'group: pay-devs, project: PAY, role: member'
  test.each<readonly [what: string, text: string, message: string]>([
    ['a workspace', 'workspaces: { globex: { projectRoles: [] } }', 'globex: the workspace "globex" is outside'],
    ['a list', acme('workspaceRoles: []'), 'workspaceRoles: "workspaceRoles" is outside'],
    ['a group', project('group: ops, project: PAY, role: member'), 'ops: the group "ops" is outside'],
    ['a group in a list', project('group: [pay-devs, ops], project: PAY, role: member'), 'ops: the group "ops" is outside'],
    ['a group with another case', project('group: Pay-devs, project: PAY, role: member'), 'Pay-devs: the group "Pay-devs" is outside'],
    ['a project', project('group: pay-devs, project: ENG, role: member'), 'ENG: the project "ENG" is outside'],
    ['a project in a list', project('group: pay-devs, project: [pay, ENG], role: member'), 'ENG: the project "ENG" is outside'],
    ['a project by the old word', project('group: pay-devs, projects: [ENG], role: member'), 'ENG: the project "ENG" is outside'],
    ['all projects', project('group: pay-devs, allProjects: true, role: member'), 'allProjects: "allProjects" is outside'],
    ['a role', project('group: pay-devs, project: PAY, role: admin'), 'admin: the role "admin" is outside'],
    ['a role of a pattern', project('groupGlob: "*", project: PAY, role: admin'), 'admin: the role "admin" is outside'],
    [
      'a role in the map of a capture',
      project("groupRegex: 'pay-(?<l>.*)', project: PAY, role: { capture: l, map: { rw: member, adm: admin } }"),
      'admin: the role "admin" is outside',
    ],
    [
      'a project in the map of a capture',
      project("groupRegex: 'pay-(?<p>.*)', project: { capture: p, map: { x: [PAY, ENG] } }, role: member"),
      'ENG: the project "ENG" is outside',
    ],
    ['another owner', `owner: platform\n${project(plain)}`, 'platform: the owner of this file is "team-pay"'],
    ['another owner of a rule', project(`${plain}, owner: platform`), 'platform: the owner of this file is "team-pay"'],
    ['allowProtected', project(`${plain}, allowProtected: true`), 'allowProtected: "allowProtected" is not allowed here'],
    ['expires', project(`${plain}, expires: 2020-01-01`), 'expires: "expires" is not allowed here'],
    ['previously', project(`${plain}, previously: pay-old`), 'previously: "previously" is not allowed here'],
    ['unknownGroups', project(`${plain}, unknownGroups: send`), 'unknownGroups: "unknownGroups" is not allowed here'],
    ['unknownProjects', project(`${plain}, unknownProjects: send`), 'unknownProjects: "unknownProjects" is not allowed here'],
    ['from in a rule', project(`${plain}, from: corp`), 'from: "from" is not allowed here'],
    ['from in a workspace', acme('from: corp'), 'from: "from" is not allowed here'],
    ['from in a file', `from: corp\n${acme('projectRoles: []')}`, 'from: "from" is not allowed here'],
    ['groupSync', acme('groupSync: { autoRemove: true }'), 'groupSync: "groupSync" is not allowed here'],
    ['removed', acme('removed: [ { group: pay-devs, project: PAY } ]'), 'removed: "removed" is not allowed here'],
    ['unmanaged', acme('unmanaged: [ { groupGlob: "pay-*", project: PAY } ]'), 'unmanaged: "unmanaged" is not allowed here'],
  ])('%s', (_what, text, message) => expect(problemsOf(text)).toEqual([outside(message)]))

  test.each<readonly [what: string, text: string, message: string]>([
    ['the old name of a rename', project(`${plain}, previously: ops`), 'ops: the group "ops" is outside'],
    ['a removed group', acme('removed: [ { group: ops, project: PAY } ]'), 'ops: the group "ops" is outside'],
    ['a removed project', acme('removed: [ { group: pay-devs, project: ENG } ]'), 'ENG: the project "ENG" is outside'],
    [
      'a removed role of the workspace',
      acme('removed: [ { group: pay-devs, workspace: true } ]'),
      '{: a mapping in workspaceRoles is outside',
    ],
    ['unmanaged everywhere', acme('unmanaged: [ { group: pay-devs } ]'), '{: an entry without a target is outside'],
  ])('with all words allowed: %s', (_what, text, message) => expect(problemsOf(text, { may: everyWord })).toEqual([outside(message)]))

  test('what is inside is not', () => {
    expect(problemsOf(project(plain))).toEqual([])
    expect(problemsOf(project('group: [pay-devs, all-staff], project: [PAY, payweb], role: guest, reason: x, starts: 2026-02-01'))).toEqual(
      [],
    )
    expect(problemsOf(`owner: team-pay\n${project(`${plain}, owner: team-pay`)}`)).toEqual([])
    expect(problemsOf(project('groupGlob: "*", except: [ops], project: PAY, role: member'))).toEqual([])
    expect(
      problemsOf(project(`${plain}, previously: pay-old, unknownGroups: send, from: corp, expires: 2027-01-01`), { may: everyWord }),
    ).toEqual([])
  })
})

describe('the cure names what is allowed', () => {
  const demand = { reason: true, expires: { member: 90 * 86_400_000 } }
  const lists = { workspaceRoles: { roles: ['member'], groups: ['hq'] } }
  const curesOf = (text: string, fence: Partial<FenceText> = {}) => {
    const loaded = load({ 'teams/pay/a.yaml': `version: 1\n${text}` }, { fences: { 'teams/pay/**': { ...pay, ...fence } }, dateMs })
    return loaded.valid ? [] : loaded.problems.map(({ cure }) => cure)
  }
  const plain = 'group: pay-devs, project: PAY, role: member'
  test.each<readonly [what: string, text: string, fence: Partial<FenceText>, cure: string]>([
    ['of a workspace', 'workspaces: { globex: { projectRoles: [] } }', {}, 'these files may speak of the workspace "acme" only'],
    ['of a list', acme('workspaceRoles: []'), {}, 'these files may have: projectRoles'],
    ['of lists', acme('projectRoles: []'), { projectRoles: undefined, ...lists }, 'these files may have: workspaceRoles'],
    ['of a mapping', acme('removed: [ { group: pay-devs, workspace: true } ]'), { may: everyWord }, 'these files may have: projectRoles'],
    ['of a word', project(`${plain}, from: corp`), {}, 'remove it, or ask for "may: [from]"; allowed now: none'],
    [
      'of a word beside others',
      project(`${plain}, from: corp`),
      { may: ['removed', 'expires'] },
      'remove it, or ask for "may: [from]"; allowed now: removed, expires',
    ],
    ['of an owner', `owner: platform\n${project(plain)}`, {}, 'remove "owner": the settings say it'],
    ['of an entry without a target', acme('unmanaged: [ { group: pay-devs } ]'), { may: everyWord }, 'name its project, or the workspace'],
    ['of a role', project('group: pay-devs, project: PAY, role: admin'), {}, 'these files may give: guest, member'],
    ['of a group', project('group: ops, project: PAY, role: member'), {}, 'these files may name: pay-*, all-staff'],
    ['of a project', project('group: pay-devs, project: ENG, role: member'), {}, 'these files may name: PAY, PAYWEB'],
    ['of all projects', project('group: pay-devs, allProjects: true, role: member'), {}, 'name the projects'],
    ['of a reason', project('group: pay-devs, project: PAY, role: guest'), { demand }, 'add reason: with a ticket or a sentence'],
    [
      'of an end',
      project(`${plain}, reason: x`),
      { demand },
      'add "expires", and write 2026-04-01 or an earlier day, or a moment up to 2026-04-02T00:00Z',
    ],
  ])('%s', (_what, text, fence, cure) => expect(curesOf(text, fence)).toEqual([cure]))

  test('of a fence for the workspace alone', () => {
    const text = acme('removed: [ { group: hq, project: PAY } ]')
    expect(curesOf(text, { projectRoles: undefined, ...lists, may: everyWord })).toEqual(['these files may have: workspaceRoles'])
    expect(curesOf(acme('workspaceRoles: [ { group: hq, role: admin } ]'), lists)).toEqual(['these files may give: member'])
    expect(curesOf(acme('workspaceRoles: [ { group: hq, role: member } ]'), lists)).toEqual([])
    expect(curesOf(acme('workspaceRoles: [ { group: pay-devs, role: member } ]'), lists)).toEqual(['these files may name: hq'])
  })
})

test('a group of a fence without * and ? is an exact name, whatever else is in it', () => {
  const projectRoles = { projects: ['PAY'], allProjects: false, roles: ['member'], groups: ['pay [staff]'] }
  const named = (group: string) => problemsOf(project(`group: "${group}", project: PAY, role: member`), { projectRoles })
  expect(named('pay [staff]')).toEqual([])
  expect(named('pay s')).toEqual([outside('": the group "pay s" is outside')])
})

test('a file owns the keys of the lists that it names, as far as its fence contains them', () => {
  const fences = { 'teams/pay/**': { ...pay, workspaceRoles: { roles: ['member'], groups: ['hq'] } } }
  const ownedBy = (text: string) => {
    const loaded = load({ 'teams/pay/a.yaml': `version: 1\n${acme(text)}` }, { fences, dateMs })
    if (!loaded.valid) throw new Error(loaded.text)
    return [...loaded.declaration.values()].flatMap(({ ownsKeys = [] }) => ownsKeys)
  }
  expect(ownedBy('workspaceRoles: []')).toMatchObject([
    { list: 'workspaceRoles', groups: [{ kind: 'exact', name: 'hq' }], projects: { named: new Set() }, allProjects: false },
  ])
  expect(ownedBy('projectRoles: []')).toMatchObject([
    { list: 'projectRoles', projects: { named: new Set(['PAY', 'PAYWEB']) }, allProjects: false },
  ])
})

describe('the place of a problem', () => {
  const placeOf = (text: string) => {
    const loaded = load({ 'teams/pay/a.yaml': `version: 1\n${text}` }, { fences: { 'teams/pay/**': pay }, dateMs })
    return loaded.valid ? [] : loaded.problems.map(({ at }) => `${at.line}:${at.column}`)
  }
  test('is the group or the project itself, also in a list', () => {
    const column = (text: string, word: string) => `4:${(project(text).split('\n')[2] ?? '').indexOf(word) + 1}`
    const texts = ['group: ops', 'group: [pay-devs, ops]', 'groups: [pay-devs, ops]'].map((group) => `${group}, project: PAY, role: member`)
    expect(texts.map((text) => placeOf(project(text)))).toEqual(texts.map((text) => [column(text, 'ops')]))
    const others = ['project: ENG', 'project: [PAY, ENG]'].map((where) => `group: pay-devs, ${where}, role: member`)
    expect(others.map((text) => placeOf(project(text)))).toEqual(others.map((text) => [column(text, 'ENG')]))
  })
})

describe('what each rule must have', () => {
  const demand = { reason: true, expires: { member: 90 * 86_400_000 } }
  test.each([
    ['no reason', 'role: guest', ['{: a rule needs a "reason" here']],
    ['a reason', 'role: guest, reason: x', []],
    ['no end', 'role: member, reason: x', ['{: a rule with the role "member" needs an end here']],
    ['an end in time', 'role: member, reason: x, expires: 2026-03-31', []],
  ])('%s', (_what, rule, problems) =>
    expect(problemsOf(project(`group: pay-devs, project: PAY, ${rule}`), { demand })).toEqual(problems.map(outside)),
  )
})

describe('90 days after today, 2026-01-01 in UTC, is the last day on which a rule may end', () => {
  const lists = { projects: ['PAY', 'PAYWEB'], allProjects: true, roles: ['guest', 'member'], groups: ['pay-*', 'all-staff'] }
  const fence: FenceText = {
    ...pay,
    projectRoles: lists,
    workspaceRoles: { roles: ['member'], groups: ['pay-*'] },
    may: everyWord,
    demand: { reason: false, expires: { member: 90 * 86_400_000 } },
  }
  /** The lines with a problem, judged at this moment. Each of the rules has a line. */
  function linesAt(moment: string, text: string, over: Partial<FenceText> = {}): readonly number[] {
    const fences = { 'teams/pay/**': { ...fence, ...over } }
    const loaded = load({ 'teams/pay/a.yaml': text }, { fences, dateMs: Date.parse(moment) })
    return loaded.valid ? [] : loaded.problems.map(({ at }) => at.line)
  }
  const fileOf = (...rules: readonly string[]) =>
    `version: 1\nworkspaces: { acme: { projectRoles: [\n${rules.map((rule) => `  { ${rule} }`).join(',\n')} ] } }`
  const dated = (dates: string) => `group: pay-devs, project: PAY, role: member${dates === '' ? '' : `, ${dates}`}`
  const midday = '2026-01-01T13:45:10Z'

  test.each([
    // Days.
    ['expires: 2026-04-01', true],
    ['expires: 2026-04-02', false],
    ['expires: "2026-04-01"', true],
    ["expires: '2026-04-02'", false],
    ['expires: 2025-12-31', true],
    ['expires: 2026-01-01', true],
    ['expires: 2999-12-31', false],
    // Moments, also with an offset: the day in UTC counts.
    ['expires: 2026-04-01T18:00Z', true],
    ['expires: "2026-04-01T23:59:59Z"', true],
    ['expires: 2026-04-02T00:00Z', true],
    ['expires: 2026-04-02T00:00:01Z', false],
    ['expires: 2026-04-02T02:00+02:00', true],
    ['expires: 2026-04-02T02:00:01+02:00', false],
    ['expires: 2026-04-01T19:00-05:00', true],
    ['expires: 2026-04-01T19:01-05:00', false],
    // A start moves nothing.
    ['', false],
    ['starts: 2026-01-10', false],
    ['starts: 2999-01-01', false],
    ['starts: 2020-01-01, expires: 2026-04-01', true],
    ['starts: 2026-03-31, expires: 2026-04-01', true],
    ['starts: 2026-04-01T23:00Z, expires: 2026-04-01', true],
    ['starts: 2026-03-01, expires: 2026-04-02', false],
    ['starts: 2026-04-02, expires: 2026-04-10', false],
    ['starts: 2027-01-01, expires: 2027-01-02T00:00Z', false],
  ])('%s', (dates, isInside) => expect(linesAt(midday, fileOf(dated(dates)))).toEqual(isInside ? [] : [3]))

  test.each([
    ['a list of groups and projects', 'group: [pay-a, pay-b], project: [PAY, PAYWEB], role: member'],
    ['all projects', 'group: pay-a, allProjects: true, role: member'],
    ['a glob', 'groupGlob: "pay-*", project: PAY, role: member'],
    ['a regular expression', 'groupRegex: "pay-.*", project: PAY, role: member'],
    ['a captured project', 'groupRegex: "(?<app>pay)-.*", project: { capture: app }, role: member'],
    ['a captured role', 'groupRegex: "pay-(?<level>a|b)", project: PAY, role: { capture: level, map: { a: guest, b: member } }'],
    ['a former name', 'group: pay-b, previously: pay-a, project: PAY, role: member'],
  ])('%s', (_what, rule) => {
    const late = 'expires: 2026-04-02'
    expect(linesAt(midday, fileOf(`${rule}, expires: 2026-04-01`))).toEqual([])
    expect(linesAt(midday, fileOf(`${rule}, ${late}`))).toEqual([3])
    expect(linesAt(midday, fileOf(rule))).toEqual([3])
    const guests = rule.replaceAll('member', 'guest')
    expect(linesAt(midday, fileOf(`${guests}, ${late}`))).toEqual([])
  })

  test('in the list of the workspace, too', () => {
    const list = (day: string) =>
      `version: 1\nworkspaces: { acme: { workspaceRoles: [\n  { group: pay-a, role: member, expires: ${day} } ] } }`
    expect([linesAt(midday, list('2026-04-01')), linesAt(midday, list('2026-04-02'))]).toEqual([[], [3]])
  })

  test('rules that follow each other give nothing beyond it', () => {
    const from = Date.parse('2026-01-01')
    const day = (index: number) => new Date(from + index * 86_400_000).toISOString().slice(0, 10)
    const chain = Array.from({ length: 13 }, (_, index) =>
      dated(`starts: ${day(index * 89)}T00:00:01Z, expires: ${day((index + 1) * 89)}T00:00Z`),
    )
    expect(linesAt(midday, fileOf(...chain))).toEqual(chain.slice(1).map((_, index) => index + 4))
  })

  test('a time of hours begins at the end of today', () => {
    const demand = { reason: false, expires: { member: 12 * 3_600_000 } }
    const at = (moment: string) => linesAt(midday, fileOf(dated(`expires: ${moment}`)), { demand })
    expect([at('2026-01-01'), at('2026-01-02T12:00Z'), at('2026-01-02T12:01Z'), at('2026-01-02')]).toEqual([[], [], [3], [3]])
  })

  test('a file that is outside today is inside later, and never the other way round', () => {
    const text = fileOf(dated('starts: 2026-03-01, expires: 2026-04-03'))
    const days = ['2026-01-01T23:59:59Z', '2026-01-02T23:59:59.999Z', '2026-01-03T00:00Z', '2026-03-01', '2026-04-03T12:00Z', '2031-01-01']
    expect(days.map((moment) => linesAt(moment, text))).toEqual([[3], [3], [], [], [], []])
  })

  test('the cure names the last day', () => {
    const loaded = load(
      { 'teams/pay/a.yaml': fileOf(dated('expires: 2026-05-01'), dated('')) },
      { fences: { '**': fence }, dateMs: Date.parse(midday) },
    )
    expect(loaded.valid ? [] : loaded.problems.map(({ message, cure }) => [message, cure])).toEqual([
      [
        'a rule with the role "member" ends at most 90 d after today here (fence "**")',
        'write 2026-04-01 or an earlier day, or a moment up to 2026-04-02T00:00Z',
      ],
      [
        'a rule with the role "member" needs an end here (fence "**")',
        'add "expires", and write 2026-04-01 or an earlier day, or a moment up to 2026-04-02T00:00Z',
      ],
    ])
  })
})

describe('each file has one fence', () => {
  const fences = { 'teams/pay/**': pay, 'teams/*/shared.yaml': pay, 'platform/*.yaml': 'everything' as const }
  const wrong = (file: string) => {
    const loaded = load({ [file]: `version: 1\n${acme('projectRoles: []')}` }, { fences })
    return loaded.valid ? [] : loaded.problems.map(({ message }) => message)
  }
  test.each([
    ['teams/pay/a.yaml', []],
    ['teams/pay/deep/er/a.yaml', []],
    ['platform/a.yaml', []],
    ['platform/deep/a.yaml', ['no fence of the settings matches this file']],
    ['Teams/pay/a.yaml', ['no fence of the settings matches this file']],
    ['a.yaml', ['no fence of the settings matches this file']],
    ['teams/pay/shared.yaml', ['several fences match this file: teams/pay/**, teams/*/shared.yaml']],
  ])('%s', (file, messages) => expect(wrong(file)).toEqual(messages))

  test('in the form NFC', () => {
    const composed = { 'caf\u00e9/*.yaml': 'everything' as const }
    expect(load({ 'cafe\u0301/a.yaml': `version: 1\n${acme('projectRoles: []')}` }, { fences: composed }).valid).toBe(true)
  })
})

describe('a key that two files name is an error', () => {
  const fences = { 'teams/pay/**': { ...pay, may: everyWord }, 'platform/*': 'everything' as const }
  const rule = project('group: pay-devs, project: PAY, role: member')
  const wrong = (files: Readonly<Record<string, string>>) => {
    const said = Object.entries(files).map(([file, text]) => [file, `version: 1\n${text}`])
    const loaded = load(Object.fromEntries(said), { fences })
    return loaded.valid ? [] : loaded.problems.map(({ at, message }) => `${at.file}: ${message}`)
  }
  const twice = (there: string) => `"pay-devs" in PAY is also at ${there}, and with fences one file says it`
  test('of one team, although both agree', () => {
    expect(wrong({ 'teams/pay/a.yaml': rule, 'teams/pay/b.yaml': rule })).toEqual([`teams/pay/b.yaml: ${twice('teams/pay/a.yaml:4:21')}`])
  })
  test('of a file without limits: the other one is wrong', () => {
    expect(wrong({ 'platform/a.yaml': rule, 'teams/pay/b.yaml': rule })).toEqual([`teams/pay/b.yaml: ${twice('platform/a.yaml:4:21')}`])
    const unmanaged = acme('unmanaged: [ { group: pay-devs, project: PAY } ]')
    expect(wrong({ 'platform/a.yaml': unmanaged, 'teams/pay/b.yaml': rule })).toContain(
      `teams/pay/b.yaml: ${twice('platform/a.yaml:4:18')}`,
    )
    expect(wrong({ 'platform/z.yaml': rule, 'teams/pay/b.yaml': acme('removed: [ { group: pay-devs, project: PAY } ]') })).toContain(
      `teams/pay/b.yaml: ${twice('platform/z.yaml:4:21')}`,
    )
  })
  test('but not in one file', () =>
    expect(wrong({ 'teams/pay/a.yaml': `${rule.slice(0, -2)}, { group: pay-devs, project: PAY, role: member } ]` })).toEqual([]))
})

test('a mapping that a file declares, and that is unmanaged in it by a glob, is an error if the fence contains it by a glob', () => {
  const text = `${project('group: pay-devs, project: PAY, role: member')}\n    unmanaged: [ { groupGlob: "*", project: PAY } ]`
  expect(problemsOf(text, { may: ['unmanaged'] })).toEqual(['{: "pay-devs" in PAY is declared here and unmanaged at teams/pay/a.yaml:5:18'])
  expect(problemsOf(text.replaceAll('pay-devs', 'all-staff'), { may: ['unmanaged'] })).toHaveLength(1)
})

describe('a file inside a fence cannot make a file without limits wrong', () => {
  const fences = { 'm/*': { ...pay, may: everyWord }, 'a/*': 'everything' as const, 'z/*': 'everything' as const }
  const rule = (role: string) => `projectRoles: [ { group: pay-devs, project: PAY, role: ${role} } ]`
  const removed = 'removed: [ { group: pay-devs, project: PAY } ]'
  const unmanaged = 'unmanaged: [ { group: pay-devs, project: PAY } ]'
  const allUnmanaged = 'unmanaged: [ { groupGlob: "*", project: PAY } ]'
  const sync = (value: boolean) => `groupSync: { autoRemove: ${value} }`
  const pairs = [
    [rule('guest'), rule('member')],
    [rule('guest'), removed],
    [removed, rule('guest')],
    [rule('guest'), unmanaged],
    [unmanaged, rule('guest')],
    [rule('guest'), allUnmanaged],
    [allUnmanaged, rule('guest')],
    [removed, allUnmanaged],
    [sync(true), sync(false)],
  ] as const
  test.each(pairs.flatMap(([open, inside]) => ['a', 'z'].map((folder) => [folder, open, inside] as const)))(
    '%s: %s, and %s',
    (folder, open, inside) => {
      const files = { [`${folder}/x.yaml`]: `version: 1\n${acme(open)}`, 'm/x.yaml': `version: 1\n${acme(inside)}` }
      for (const lastValid of [undefined, new Map<string, Uint8Array>()]) {
        const loaded = load(files, { fences }, lastValid)
        expect(loaded.valid ? [] : loaded.problems.map(({ at }) => at.file).filter((file) => file !== 'm/x.yaml')).toEqual([])
      }
    },
  )
})
