import { describe, expect, test } from 'vitest'
import { targetText } from '../../../src/core/mapping.ts'
import { ruleHash } from '../../../src/core/resolve/textName.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { hash } from '../core/smallWorld.ts'
import { declared, load, problemsOf, under } from './declare.ts'

/** A rule in one line: group, target, role. */
function line({ groups, target, role }: Rule): string {
  const group = groups.kind === 'exact' ? groups.name : `/${groups.pattern.source}/`
  const where = target.kind === 'fixed' ? targetText(target.target) : `{${target.capture}}`
  return `${group} · ${where} · ${role.kind === 'fixed' ? role.role : `{${role.capture}}`}`
}

describe('lists', () => {
  test('multiply, each group at its own place', () => {
    const { rules } = declared('projectRoles:\n  - groups: [engineering, platform]\n    projects: [ENG, ops]\n    role: member\n')
    expect(rules.map((rule) => `${rule.because.at.line}:${rule.because.at.column} ${line(rule)}`)).toEqual([
      '5:18 engineering · ENG · member',
      '5:18 engineering · OPS · member',
      '5:31 platform · ENG · member',
      '5:31 platform · OPS · member',
    ])
  })

  test('have each group at its own place also under the old words, with one hint for a file', () => {
    const text = (group: string, project: string) =>
      `projectRoles:\n  - { ${group}: [a, b], ${project}: [ENG], role: member }\n  - { ${group}: [c], ${project}: [OPS], role: guest }\n`
    const files = { 'new.yaml': under('acme', text('group', 'project')), 'old.yaml': under('globex', text('groups', 'projects')) }
    const loaded = load(files)
    if (!loaded.valid) throw new Error(loaded.text)
    expect([...loaded.declaration.values()].map(({ rules }) => rules.map(({ because }) => because.at.column))).toEqual([
      [19, 22, 19],
      [20, 23, 20],
    ])
    expect(loaded.hints.map(({ at, message }) => `${at.file}:${at.line}:${at.column} ${message}`)).toEqual([
      'old.yaml:5:11 "groups" is an old word for "group"',
    ])
  })

  test('that are absent are not managed, that are empty are', () => {
    expect([...declared('projectRoles: []\n').owns]).toEqual(['projectRoles'])
    expect([...declared('removed: []\n').owns]).toEqual([])
  })

  test('of several files are one declaration, in the order of the files', () => {
    const loaded = load({
      'a.yaml': `owner: team-a\n${under('acme', 'projectRoles:\n  - { group: a, project: ENG, role: member }\n')}`,
      'teams/b.yaml': under(
        'acme',
        'workspaceRoles: []\nprojectRoles:\n  - { group: b, project: ENG, role: guest, owner: team-b }\ngroupSync: { autoRemove: false }\n',
      ),
      'z.yaml': under('acme', 'groupSync: { autoRemove: false, enabled: true }\n'),
    })
    if (!loaded.valid) throw new Error(loaded.text)
    const [acme] = loaded.declaration.values()
    expect(loaded.files).toBe(3)
    expect(acme?.rules.map(line)).toEqual(['a · ENG · member', 'b · ENG · guest'])
    expect(acme?.rules.map(({ because }) => because)).toEqual([
      { at: { file: 'a.yaml', line: 6, column: 9 }, owner: 'team-a' },
      { at: { file: 'teams/b.yaml', line: 6, column: 9 }, owner: 'team-b' },
    ])
    expect(new Set(acme?.owns)).toEqual(new Set(['workspaceRoles', 'projectRoles']))
    expect(acme?.groupSync).toEqual({
      wanted: { autoRemove: false, enabled: true },
      because: { at: { file: 'teams/b.yaml', line: 7, column: 5 } },
    })
  })

  test('may not multiply to more than memory holds', () => {
    const names = (prefix: string) => Array.from({ length: 1_000 }, (_, index) => `${prefix}${index}`).join(', ')
    expect(problemsOf(`projectRoles:\n  - groups: [${names('g')}]\n    projects: [${names('P')}]\n    role: member\n`)).toEqual([
      '5:9 with this entry the declaration has 1,000,000 mappings',
    ])
  })
})

describe('a rule', () => {
  test('holds to the end of its last day in UTC', () => {
    const [rule] = declared('workspaceRoles:\n  - { group: a, role: member, expires: 2028-02-29 }\n').rules
    expect(rule?.expiresMs).toBe(Date.UTC(2028, 2, 1))
  })

  test.each([
    ['a day starts at its first moment', 'starts: 2028-02-29', { startsMs: Date.UTC(2028, 1, 29) }],
    ['a moment ends exactly then', 'expires: 2028-02-29T18:00Z', { expiresMs: Date.UTC(2028, 1, 29, 18) }],
    ['a moment may have seconds', 'expires: 2028-02-29T18:00:07Z', { expiresMs: Date.UTC(2028, 1, 29, 18, 0, 7) }],
    ['an offset ahead of UTC', 'starts: 2028-03-01T00:30+01:00', { startsMs: Date.UTC(2028, 1, 29, 23, 30) }],
    ['an offset behind UTC', 'starts: 2028-02-29T20:00-05:30', { startsMs: Date.UTC(2028, 2, 1, 1, 30) }],
    ['one day', 'starts: 2028-02-29, expires: 2028-02-29', { startsMs: Date.UTC(2028, 1, 29), expiresMs: Date.UTC(2028, 2, 1) }],
  ])('has dates: %s', (_which, dates, expected) => {
    expect(declared(`workspaceRoles:\n  - { group: a, role: member, ${dates} }\n`).rules).toMatchObject([expected])
  })

  test('takes `from` from its workspace, and else from its file', () => {
    const acme = (text: string) => under('acme', `workspaceRoles:\n  - { group: a, role: member${text} }\n`)
    const files = {
      'a.yaml': `from: corp\n${acme('')}`,
      'b.yaml': `from: corp\n${acme(', from: [lab, corp]')}`,
      'c.yaml': `from: corp\n${under('globex', 'from: [lab]\nworkspaceRoles:\n  - { group: a, role: member }\n  - { group: b, role: member, from: corp }\n')}`,
      'd.yaml': acme(''),
    }
    const loaded = load(files)
    if (!loaded.valid) throw new Error(loaded.text)
    const rules = [...loaded.declaration.values()].flatMap((one) => one.rules)
    expect(rules.map(({ because, from }) => `${because.at.file}: ${from?.join(' ') ?? 'all'}`)).toEqual([
      'a.yaml: corp',
      'b.yaml: lab corp',
      'd.yaml: all',
      'c.yaml: lab',
      'c.yaml: corp',
    ])
    // The text of a rule is the same, wherever its `from` stands.
    expect(
      new Set(rules.filter(({ groups }) => groups.kind === 'exact' && groups.name === 'a').map((rule) => ruleHash(rule, hash))).size,
    ).toBe(1)
  })

  test('that captures its project may skip; by default, other rules hold', () => {
    const { rules } = declared(
      `projectRoles:\n  - { group: a, project: A, role: guest }\n  - { groupRegex: "(?<app>.*)", project: { capture: app, map: { pay: [pay, PAY, payx] } }, role: guest }\n`,
      { defaults: { unknownGroups: 'hold', unknownProjects: 'skip' } },
    )
    expect(rules.map(({ unknownProjects }) => unknownProjects)).toEqual(['hold', 'skip'])
    expect(rules[1]?.target).toMatchObject({ map: new Map([['pay', ['PAY', 'PAYX']]]) })
  })

  test('takes from the settings what it does not say', () => {
    const text =
      'projectRoles:\n  - { group: a, project: A, role: member }\n  - { group: b, project: B, role: member, unknownGroups: hold, unknownProjects: hold, from: corp, previously: c }\n'
    const [first, second] = declared(text, { defaults: { unknownGroups: 'send', unknownProjects: 'send' } }).rules
    expect(first).toMatchObject({ unknownGroups: 'send', unknownProjects: 'send', allowProtected: false })
    expect(first).not.toHaveProperty('from')
    expect(second).toMatchObject({ unknownGroups: 'hold', unknownProjects: 'hold', from: ['corp'], previously: 'c' })
  })

  test('with captures has their maps, projects upper-case', () => {
    const text = `projectRoles:\n  - groupRegex: 'plane-(?<app>[a-z]+)-(?<level>rw|ro)'\n    project: { capture: app, map: { payments: payplat } }\n    role: { capture: level, map: { rw: member } }\n`
    const [rule] = declared(text).rules
    expect(rule?.target).toEqual({ kind: 'captured', capture: 'app', map: new Map([['payments', ['PAYPLAT']]]) })
    expect(rule?.role).toEqual({ kind: 'captured', capture: 'level', map: new Map([['rw', 'member']]) })
    expect(rule?.groups.kind === 'pattern' && rule.groups.pattern.compile()('plane-web-ro')).toEqual({ app: 'web', level: 'ro' })
  })

  test('may name a group in any script, with quotes, slashes, commas and backslashes', () => {
    const { rules } = declared(
      `workspaceRoles:\n  - groups: [инженеры, '日本語', "O'Brien, \\"x\\"", 'CORP\\eng', /a/b, "\\u00e9"]\n    role: member\n`,
    )
    expect(rules.map(({ groups }) => groups.kind === 'exact' && groups.name)).toEqual([
      'инженеры',
      '日本語',
      `O'Brien, "x"`,
      'CORP\\eng',
      '/a/b',
      'é',
    ])
  })
})

test('removed and unmanaged say where, unmanaged also everywhere', () => {
  const { removed, unmanaged } = declared(
    'removed:\n  - { groups: [a, b], projects: [ENG] }\n  - { group: a, workspace: true }\nunmanaged:\n  - { groupGlob: "legacy-*", except: [legacy-a] }\n  - { group: x, allProjects: true }\n',
  )
  expect(removed.map(({ group, target }) => `${group} ${targetText(target)}`)).toEqual(['a ENG', 'b ENG', 'a workspace'])
  expect(unmanaged.map(({ target }) => target?.kind)).toEqual([undefined, 'allProjects'])
})

describe('the same key twice with one role and dates', () => {
  const kept = (...dates: readonly string[]) =>
    declared(`workspaceRoles:\n${dates.map((more) => `  - { group: a, role: admin, ${more} }\n`).join('')}`).rules.map(
      ({ because, previously }) => `${because.at.line}${previously === undefined ? '' : ` ${previously}`}`,
    )
  test.each([
    ['keeps both if neither lies in the other', ['starts: 2099-02-01', 'expires: 2099-03-01'], ['6', '5']],
    ['keeps both if they do not meet', ['starts: 2099-02-01', 'expires: 2099-01-01'], ['6', '5']],
    [
      'keeps the one in which the other lies',
      ['starts: 2099-02-01, expires: 2099-02-03', 'starts: 2099-01-01, expires: 2099-03-01'],
      ['6'],
    ],
    ['keeps a former name with the rule that stays', ['starts: 2099-02-01, previously: old', 'starts: 2099-01-01'], ['6 old']],
    ['keeps a former name with its own rule', ['starts: 2099-02-01, previously: old', 'expires: 2099-03-01'], ['6', '5 old']],
  ])('%s', (_what, dates, expected) => expect(kept(...dates)).toEqual(expected))
})

describe('the same key twice with one role', () => {
  const merged = (...rules: string[]) =>
    declared(`workspaceRoles:\n${rules.map((rule) => `  - { group: a, role: admin${rule} }\n`).join('')}`).rules.map(
      ({ because, expiresMs, allowProtected }) => ({
        line: because.at.line,
        expiresMs,
        allowProtected,
      }),
    )

  test.each([
    [
      'keeps what holds longest',
      [', expires: 2099-01-31', '', ', expires: 2028-01-31'],
      { line: 6, expiresMs: undefined, allowProtected: false },
    ],
    [
      'whole, without what the other allowed',
      [', expires: 2099-01-31, allowProtected: true', ''],
      { line: 6, expiresMs: undefined, allowProtected: false },
    ],
    ['prefers what allows, at equal length', ['', ', allowProtected: true', ''], { line: 6, expiresMs: undefined, allowProtected: true }],
    ['then the first', ['', ''], { line: 5, expiresMs: undefined, allowProtected: false }],
  ])('%s', (_, rules, expected) => {
    expect(merged(...rules)).toEqual([expected])
  })
  test.each([
    ['of the rule that stays', [', label: Sales', ''], ['5 Sales']],
    ['of the rule that yields, if the other has none', [', label: Sales, expires: 2099-01-31', ''], ['6 Sales']],
  ])('keeps the label %s', (_, rules, expected) => {
    const { rules: kept } = declared(`workspaceRoles:\n${rules.map((more) => `  - { group: a, role: admin${more} }\n`).join('')}`)
    expect(kept.map(({ because, label }) => `${because.at.line} ${label}`)).toEqual(expected)
  })
  test.each([
    ['of the rule that yields', [', previously: old, expires: 2099-01-31', ''], ['6 old']],
    ['of both', [', previously: old', ', previously: older, expires: 2099-01-31', ', previously: old'], ['5 old', '5 older']],
    ['of none', ['', ''], ['5 undefined']],
  ])('keeps the old name %s', (_, rules, expected) => {
    const { rules: kept } = declared(`workspaceRoles:\n${rules.map((more) => `  - { group: a, role: admin${more} }\n`).join('')}`)
    expect(kept.map(({ because, previously }) => `${because.at.line} ${previously}`)).toEqual(expected)
  })
})

describe('the same key twice with one role, of which only one rule says what holds for an unknown group or project', () => {
  const kept = (...rules: readonly string[]) =>
    declared(`projectRoles:\n${rules.map((more) => `  - { group: a, project: ENG, role: admin${more} }\n`).join('')}`)
      .rules.map(({ unknownGroups, unknownProjects, allowProtected, label, expiresMs }) =>
        [unknownGroups, unknownProjects, allowProtected && 'allowed', label, expiresMs && 'ends'].filter(Boolean).join(' '),
      )
      .toSorted()
  const both = ['hold hold', 'send hold']
  test.each<[string, readonly string[], readonly string[]]>([
    ['keeps both: each gives the role on its own terms', ['', ', unknownGroups: send'], both],
    ['keeps both for projects', ['', ', unknownProjects: send'], ['hold hold', 'hold send']],
    [
      'does not let one allow a protected role for the other',
      [', allowProtected: true', ', unknownGroups: send'],
      ['hold hold allowed', 'send hold'],
    ],
    [
      'keeps both although the time of one lies in that of the other',
      ['', ', unknownGroups: send, expires: 2099-01-31'],
      ['hold hold', 'send hold ends'],
    ],
    [
      'gives the label of one to both: only the right group is meant',
      [', label: Sales', ', unknownGroups: send'],
      ['hold hold Sales', 'send hold Sales'],
    ],
    ['keeps each once', ['', ', unknownGroups: send', '', ', unknownGroups: send, expires: 2099-01-31'], both],
  ])('%s, in whatever order they come', (_, rules, expected) => {
    expect(kept(...rules)).toEqual(expected)
    expect(kept(...rules.toReversed())).toEqual(expected)
  })
})

test('a name that no mapping can be written for may be that of a mapping', () => {
  const odd = ['engineering ', 'eng\u001b', 'e\u0301quipe'].map((name) => JSON.stringify(name)).join(', ')
  expect(
    problemsOf(`
workspaceRoles:
  - { group: équipe, previously: "e\\u0301quipe", role: member }
removed:
  - { groups: [${odd}], workspace: true }
unmanaged:
  - { groups: [${odd}], project: OPS }
  - { groupGlob: "*", except: [${odd}], project: QA }
`),
  ).toEqual([])
})
