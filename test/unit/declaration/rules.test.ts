import { describe, expect, test } from 'vitest'
import { targetText } from '../../../src/core/mapping.ts'
import type { Rule } from '../../../src/core/rule.ts'
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
      '5:9 with this entry the declaration has 1000000 mappings',
    ])
  })
})

describe('a rule', () => {
  test('holds to the end of its last day in UTC', () => {
    const [rule] = declared('workspaceRoles:\n  - { group: a, role: member, expires: 2028-02-29 }\n').rules
    expect(rule?.expiresMs).toBe(Date.UTC(2028, 2, 1))
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
    expect(rule?.target).toEqual({ kind: 'captured', capture: 'app', map: new Map([['payments', 'PAYPLAT']]) })
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
      [', expires: 2027-01-31', '', ', expires: 2028-01-31'],
      { line: 6, expiresMs: undefined, allowProtected: false },
    ],
    [
      'whole, without what the other allowed',
      [', expires: 2027-01-31, allowProtected: true', ''],
      { line: 6, expiresMs: undefined, allowProtected: false },
    ],
    ['prefers what allows, at equal length', ['', ', allowProtected: true', ''], { line: 6, expiresMs: undefined, allowProtected: true }],
    ['then the first', ['', ''], { line: 5, expiresMs: undefined, allowProtected: false }],
  ])('%s', (_, rules, expected) => {
    expect(merged(...rules)).toEqual([expected])
  })
  test.each([
    ['of the rule that yields', [', previously: old, expires: 2027-01-31', ''], ['6 old']],
    ['of both', [', previously: old', ', previously: older, expires: 2027-01-31', ', previously: old'], ['5 old', '5 older']],
    ['of none', ['', ''], ['5 undefined']],
  ])('keeps the old name %s', (_, rules, expected) => {
    const { rules: kept } = declared(`workspaceRoles:\n${rules.map((more) => `  - { group: a, role: admin${more} }\n`).join('')}`)
    expect(kept.map(({ because, previously }) => `${because.at.line} ${previously}`)).toEqual(expected)
  })
})

test('a name that no mapping can be written for may be that of a mapping, or of a group in a directory', () => {
  const odd = ['engineering ', 'eng\u001b', 'e\u0301quipe'].map((name) => JSON.stringify(name)).join(', ')
  expect(
    problemsOf(`
workspaceRoles:
  - { groupGlob: "*", except: [${odd}], role: guest }
  - { group: équipe, previously: "e\\u0301quipe", role: member }
removed:
  - { groups: [${odd}], workspace: true }
unmanaged:
  - { groups: [${odd}], project: OPS }
`),
  ).toEqual([])
})
