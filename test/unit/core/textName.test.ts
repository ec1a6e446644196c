import { describe, expect, test } from 'vitest'
import type { GroupName, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import { removalHash, ruleHash, textsNamingProjects, unmanagedHash } from '../../../src/core/resolve/textName.ts'
import type { Provenance, Removal, Rule, Unmanaged } from '../../../src/core/rule.ts'
import { acme, hash, pattern, rule, target } from './smallWorld.ts'

const because = (reason?: string): Provenance => ({
  at: { file: 'a', line: 1, column: 1 },
  ...(reason === undefined ? {} : { reason }),
})
const devs = (more: Partial<Rule> = {}) => rule('devs', 'ENG', 'member', { because: because(), ...more })
const apps = (more: Partial<Rule> = {}) =>
  pattern('(?<app>.*)-(?<as>.*)', 'ENG', 'guest', { because: because(), target: captured('app'), role: givenBy('as'), ...more })
const captured = (capture: string, ...map: readonly [string, string][]): Rule['target'] => ({
  kind: 'captured',
  capture,
  map: new Map(map.map(([value, project]) => [value, [project as ProjectIdentifier]])),
})
const givenBy = (capture: string, ...map: readonly [string, string][]): Rule['role'] => ({
  kind: 'captured',
  capture,
  map: new Map(map.map(([value, role]) => [value, role as Role])),
})
const except = (...names: readonly string[]): { readonly groups: Rule['groups'] } => ({
  groups: {
    kind: 'pattern',
    pattern: { syntax: 'regex', source: 'd.*', steps: 3, compile: () => () => ({}) },
    except: new Set(names as readonly GroupName[]),
  },
})
const exactly = (name: string): Rule['groups'] => ({ kind: 'exact', name: name as GroupName })
const removal = (group: string, where: string, reason?: string): Removal => ({
  group: group as GroupName,
  target: target(where),
  because: because(reason),
})
const unmanaged = (group: string, where?: string, reason?: string): Unmanaged => ({
  groups: exactly(group),
  ...(where === undefined ? {} : { target: target(where) }),
  because: because(reason),
})

/** The value whose hash is the name. */
function words(name: (hash: (text: string) => string) => string): unknown {
  let hashed = ''
  const made = name((text) => {
    hashed = text
    return hash(text)
  })
  expect(made).toBe(hash(hashed).slice(0, 16))
  return JSON.parse(hashed)
}

// Journals store these hashes. A version that hashes other fields would not find the stored project ids.
describe('the words of a name are for good', () => {
  test.each<[string, Rule, unknown]>([
    ['a rule', devs(), ['rule', 'devs', 'ENG', 'member', []]],
    [
      'a rule with all words',
      devs({
        from: ['corp'],
        unknownGroups: 'send',
        unknownProjects: 'send',
        allowProtected: true,
        expiresMs: 5,
        startsMs: 3,
        previously: 'old' as GroupName,
        because: because('r'),
      }),
      [
        'rule',
        'devs',
        'ENG',
        'member',
        [
          ['allowProtected', true],
          ['expiresMs', 5],
          ['previously', 'old'],
          ['reason', 'r'],
          ['startsMs', 3],
        ],
      ],
    ],
    ['a rule for all projects', rule('devs', '*', 'member', { because: because() }), ['rule', 'devs', 'all projects', 'member', []]],
    [
      'a pattern that captures',
      apps({ role: givenBy('as', ['lead', 'admin']) }),
      ['rule', ['pattern', '(?<app>.*)-(?<as>.*)', []], ['capture', 'app'], ['capture', 'as', [['lead', 'admin']]], []],
    ],
    ['a pattern with exceptions', devs(except('d2', 'd1')), ['rule', ['pattern', 'd.*', ['d1', 'd2']], 'ENG', 'member', []]],
  ])('%s', (_which, text, expected) => {
    expect(words((hashed) => ruleHash(text, hashed))).toEqual(expected)
  })
  test('a removal', () => {
    expect(words((hashed) => removalHash(removal('devs', 'ENG', 'r'), hashed))).toEqual(['removed', 'devs', 'ENG', 'r'])
  })
  test('an unmanaged entry', () => {
    expect(words((hashed) => unmanagedHash(unmanaged('devs', 'ENG', 'r'), hashed))).toEqual(['unmanaged', 'devs', 'ENG', 'r'])
    expect(words((hashed) => unmanagedHash(unmanaged('devs'), hashed))).toEqual(['unmanaged', 'devs', null, null])
  })
})

describe('an edit gives another name', () => {
  test.each<[string, readonly string[]]>([
    [
      'of a rule',
      [
        devs(),
        devs({ groups: exactly('ops') }),
        devs(except()),
        devs(except('d1')),
        rule('devs', 'OPS', 'member', { because: because() }),
        rule('devs', '*', 'member', { because: because() }),
        rule('devs', 'ENG', 'guest', { because: because() }),
        devs({ allowProtected: true }),
        devs({ expiresMs: 1 }),
        devs({ startsMs: 1 }),
        devs({ previously: 'old' as GroupName }),
        devs({ because: because('r') }),
        devs({ target: captured('app') }),
        devs({ target: captured('as') }),
        devs({ role: givenBy('app') }),
        devs({ role: givenBy('as') }),
        devs({ role: givenBy('as', ['lead', 'admin']) }),
        devs({ role: givenBy('as', ['lead', 'guest']) }),
      ].map((one) => ruleHash(one, hash)),
    ],
    [
      'of a removal',
      [removal('devs', 'ENG'), removal('ops', 'ENG'), removal('devs', 'OPS'), removal('devs', 'ENG', 'r')].map((one) =>
        removalHash(one, hash),
      ),
    ],
    [
      'of an unmanaged entry',
      [
        unmanaged('devs', 'ENG'),
        unmanaged('ops', 'ENG'),
        unmanaged('devs', 'OPS'),
        unmanaged('devs'),
        unmanaged('devs', 'ENG', 'r'),
        { ...unmanaged('devs', 'ENG'), ...except() },
      ].map((one) => unmanagedHash(one, hash)),
    ],
  ])('%s', (_which, names) => {
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('the name stays', () => {
  test.each<[string, Rule, Rule]>([
    ['where the settings say which directories are asked', devs(), devs({ from: ['corp'] })],
    ['where the settings say that unknown groups are sent', devs(), devs({ unknownGroups: 'send' })],
    ['where the settings say that unknown projects are sent', devs(), devs({ unknownProjects: 'send' })],
    ['where the settings say that unknown projects are skipped', apps(), apps({ unknownProjects: 'skip' })],
    ['at another place', devs(), devs({ because: { at: { file: 'b', line: 9, column: 9 } } })],
    ['under another owner', devs(), devs({ because: { ...because(), owner: 'new-team' } })],
    ['with one more project in the map of a capture', apps(), apps({ target: captured('app', ['x', 'OPS']) })],
    ['with its exceptions in another order', devs(except('d1', 'd2')), devs(except('d2', 'd1'))],
  ])('%s', (_which, before, after) => {
    expect(ruleHash(after, hash)).toBe(ruleHash(before, hash))
  })
})

test('texts that name a project are those that do, or capture one', () => {
  const [fixed, capturing] = [devs(), apps()]
  const [gone, legacy] = [removal('devs', 'ENG'), unmanaged('legacy', 'ENG')]
  const declared = {
    workspace: acme,
    owns: new Set<never>(),
    rules: [fixed, capturing, rule('devs', '*', 'member'), rule('devs', 'workspace', 'member')],
    removed: [gone, removal('devs', '*'), removal('devs', 'workspace')],
    unmanaged: [legacy, unmanaged('legacy'), unmanaged('legacy', '*'), unmanaged('legacy', 'workspace')],
  }
  expect([...textsNamingProjects(declared, hash)]).toEqual([
    ruleHash(fixed, hash),
    ruleHash(capturing, hash),
    removalHash(gone, hash),
    unmanagedHash(legacy, hash),
  ])
})
