import { describe, expect, test } from 'vitest'
import type { DesiredMapping } from '../../../src/core/desired.ts'
import { renamedGroups } from '../../../src/core/findings/renamedGroups.ts'
import { indexGroups } from '../../../src/core/group.ts'
import { type GroupName, type Key, keyOf } from '../../../src/core/mapping.ts'
import { comparePositions, nothingDeclared, type Rule } from '../../../src/core/rule.ts'
import { printRenamed } from '../../../src/declaration/printRenamed.ts'
import { acme, complete, rule } from '../core/smallWorld.ts'
import { context, load } from './declare.ts'

const former = 'eng-'
const latter = 'engineering-'

/** The declaration after its directory has renamed each group `eng-…`. Other names are ids of their own. */
function exported(files: Readonly<Record<string, string>>, { also = [] as readonly string[], defaults = context.defaults } = {}): string {
  const declared = declaredIn(files, defaults)
  const names = [...new Set(declared.rules.flatMap(({ groups }) => (groups.kind === 'exact' ? groups.name : [])))]
  const known = [
    ...names.map((name) => ({ name: name.replace(former, latter), id: name })),
    ...also.map((name) => ({ name, id: `also ${name}` })),
  ]
  const index = indexGroups(known.map(({ name, id }) => ({ name: name as GroupName, id, place: id })))
  const renamed = renamedGroups(declared, new Map([['corp', complete(index)]]), (name) => name.replace('corp/', ''))
  return printRenamed(acme, renamed, defaults)
}

function declaredIn(files: Readonly<Record<string, string>>, defaults = context.defaults) {
  const loaded = load(files, { defaults })
  const declared = loaded.valid ? loaded.declaration.get(acme) : undefined
  if (declared === undefined) throw new Error('text' in loaded ? loaded.text : 'nothing is declared')
  return declared
}

const file = (list: string) => `version: 1\nworkspaces:\n  acme:\n${list}`
const every = file(`    from: corp
    workspaceRoles:
      - { group: eng-leads, role: admin, allowProtected: true, reason: "ACC-1: yes" }
    projectRoles:
      - group: [eng-web, stays, eng-api]
        project: [ENG, OPS]
        role: member
        starts: 2026-01-01
        expires: 2027-01-31
        unknownGroups: send
        unknownProjects: send
      - { group: eng-ops, allProjects: true, role: guest, owner: team-ops, label: Ops, from: [corp, lab], starts: 2026-01-01T08:30Z, expires: 2027-01-31T18:00+01:00 }
      - { group: eng-old, previously: older, project: ENG, role: guest }
`)

describe('the rules of renamed groups', () => {
  test('are printed by their places, each with all its words', () => {
    expect(exported({ 'a.yaml': every })).toMatchInlineSnapshot(`
      "# The directory has other names for these groups. First look in the claim of a login which names it has.
      # If they are the new ones, put each rule in the place that its comment names. A list of groups loses the name, and keeps the others.
      version: 1
      workspaces:
        acme:
          workspaceRoles:
            # eng-leads of corp, a.yaml:6:9
            - group: engineering-leads
              previously: eng-leads
              role: admin
              from: corp
              allowProtected: true
              reason: "ACC-1: yes"
          projectRoles:
            # eng-web of corp, a.yaml:8:17
            - group: engineering-web
              previously: eng-web
              project: [ENG, OPS]
              role: member
              from: corp
              unknownGroups: send
              unknownProjects: send
              starts: 2026-01-01
              expires: 2027-01-31
            # eng-api of corp, a.yaml:8:33
            - group: engineering-api
              previously: eng-api
              project: [ENG, OPS]
              role: member
              from: corp
              unknownGroups: send
              unknownProjects: send
              starts: 2026-01-01
              expires: 2027-01-31
            # eng-ops of corp, a.yaml:15:9
            - group: engineering-ops
              previously: eng-ops
              allProjects: true
              role: guest
              from: [corp, lab]
              starts: 2026-01-01T08:30:00Z
              expires: 2027-01-31T17:00:00Z
              label: Ops
              owner: team-ops
            # eng-old of corp, a.yaml:16:9
            - group: engineering-old
              previously: eng-old
              project: ENG
              role: guest
              from: corp
      "
    `)
  })

  test('say of the group with the new name what the former rules said', () => {
    const nowhere = { file: '', line: 0, column: 0 }
    const meant = (rule: Rule) => {
      const { previously: _, ...others } = rule
      return { ...others, because: { ...rule.because, at: nowhere } }
    }
    const before = declaredIn({ 'a.yaml': every }).rules.filter(({ groups }) => groups.kind === 'exact' && groups.name.startsWith(former))
    const after = declaredIn({ 'a.yaml': exported({ 'a.yaml': every }) }).rules
    const named = JSON.stringify(before.map(meant)).replaceAll(former, latter)
    const sorted = (rules: readonly object[]) => rules.map((rule) => JSON.stringify(rule)).toSorted()
    expect(sorted(after.map(meant))).toEqual(sorted(JSON.parse(named) as object[]))
    expect(after.map(({ previously }) => previously)).toEqual(
      after.map(({ groups }) => (groups.kind === 'exact' ? groups.name.replace(latter, former) : '')),
    )
  })

  test('have the order of their places, and a rule whose group two directories call alike is printed once', () => {
    const rules = declaredIn({ 'a.yaml': every.replaceAll('from: corp', 'from: [corp, lab]') }).rules
    const names = ['eng-leads', 'eng-web', 'stays', 'eng-api', 'eng-ops', 'eng-old']
    const index = indexGroups(names.map((id) => ({ name: id.replace(former, latter) as GroupName, id, place: id })))
    const print = (of: readonly Rule[], directories: readonly string[]) => {
      const seen = new Map(directories.map((name) => [name, complete(index)]))
      const renamed = renamedGroups({ ...nothingDeclared(acme), rules: of }, seen, (name) => name.replace(/^\w+\//, ''))
      return printRenamed(acme, renamed, context.defaults)
    }
    const text = print(rules, ['corp', 'lab'])
    expect(
      print(
        rules.toSorted((a, b) => comparePositions(b.because.at, a.because.at)),
        ['lab', 'corp'],
      ),
    ).toBe(text)
    expect(text).toBe(print(rules, ['corp']))
    expect(text.match(/- group: .*/g)).toEqual(['leads', 'web', 'api', 'ops', 'old'].map((name) => `- group: ${latter}${name}`))
  })

  test('of one owner have it once, at the top', () => {
    const text = exported({
      'a.yaml': `owner: team\n${file('    projectRoles:\n      - { group: eng-web, project: ENG, role: guest }\n')}`,
    })
    expect(text).toMatch(/^owner: team\nversion: 1$/m)
    expect(text).not.toMatch(/^ +owner/m)
  })

  test('say only what the settings do not say', () => {
    const list = file('    projectRoles:\n      - { group: eng-web, project: ENG, role: guest }\n')
    for (const defaults of [
      { unknownGroups: 'send', unknownProjects: 'skip' },
      { unknownGroups: 'hold', unknownProjects: 'send' },
    ] as const)
      expect(exported({ 'a.yaml': list }, { defaults })).not.toContain('unknown')
  })

  test('that cannot have the new name are comments', () => {
    const list = file(`    projectRoles:
      - { group: eng-web, project: ENG, role: guest }
      - { group: engineering-web, project: ENG, role: guest }
`)
    const declared = declaredIn({ 'a.yaml': list })
    const index = indexGroups([{ name: 'dev\u200b' as GroupName, id: '1', place: '1' }])
    const renamed = renamedGroups(declared, new Map([['corp', complete(index)]]), (name) => (name === 'corp/eng-web' ? '1' : undefined))
    const text = printRenamed(acme, renamed, context.defaults)
    expect(text).toContain('# eng-web of corp in ENG, a.yaml:5:9: "dev\\u{200b}" cannot be written here: it contains U+200B')
    expect(load({ 'a.yaml': text }).valid).toBe(true)
    expect(text).toContain('  acme: {}')
  })

  test('are printed without the projects in which another rule has the new name', () => {
    const declared = declaredIn({
      'a.yaml': file('    projectRoles:\n      - { group: eng-web, project: [ENG, OPS, PAY], role: guest }\n'),
    })
    const name = 'engineering-web' as GroupName
    const index = indexGroups([{ name, id: '1', place: '1' }])
    const at = { file: 'b.yaml', line: 7, column: 9 }
    const ofOther = ['ENG', 'PAY'].map((project): [Key, DesiredMapping] => {
      const { target } = rule(name, project, 'guest')
      if (target.kind !== 'fixed') throw new Error('not a fixed target')
      const key = keyOf(acme, target.target, name)
      return [key, { kind: 'absent', why: 'removed', group: name, target: target.target, because: { at } }]
    })
    const around = { mappings: new Map(ofOther) }
    const renamed = renamedGroups(declared, new Map([['corp', complete(index)]]), () => '1', around)
    expect(printRenamed(acme, renamed, context.defaults).split('\n').slice(5)).toEqual([
      '    projectRoles:',
      '      # eng-web of corp in ENG and PAY, a.yaml:5:9: "engineering-web" has an entry for this target already, b.yaml:7; if both mean the same, remove this one',
      '      # eng-web of corp, a.yaml:5:9',
      '      - group: engineering-web',
      '        previously: eng-web',
      '        project: OPS',
      '        role: guest',
      '',
    ])
  })

  test('of a file inside a fence say what the fence must allow, and which name is outside of it', () => {
    const at = { file: 'web.yaml', line: 3, column: 9 }
    const web: Rule = { ...rule('eng-web', 'ENG', 'guest'), because: { at, owner: 'team-web' }, fenced: true }
    const declared = { ...nothingDeclared(acme), rules: [web] }
    const index = indexGroups([{ name: 'engineering-web' as GroupName, id: '1', place: '1' }])
    const renamed = renamedGroups(declared, new Map([['corp', complete(index)]]), () => '1')
    expect(printRenamed(acme, renamed, context.defaults).split('\n').slice(2)).toEqual([
      '# Inside a fence that does not allow "previously", leave this word out: then the mapping is made anew, and the former one deleted.',
      'owner: team-web',
      'version: 1',
      'workspaces:',
      '  acme:',
      '    projectRoles:',
      '      # eng-web of corp, web.yaml:3:9: "engineering-web" is outside of the fence of this file',
      '      - group: engineering-web',
      '        previously: eng-web',
      '        project: ENG',
      '        role: guest',
      '',
    ])
  })

  test('are none: the file says nothing', () => {
    expect(printRenamed(acme, [], context.defaults)).toBe('version: 1\nworkspaces:\n  acme: {}\n')
  })
})
