import { describe, expect, test } from 'vitest'
import type { ChangedProject, DesiredMapping } from '../../../src/core/desired.ts'
import type { HoldReason, ProjectChanged } from '../../../src/core/hold.ts'
import { type GroupName, type ProjectIdentifier, type Role, targetText } from '../../../src/core/mapping.ts'
import type { ProjectMeaning } from '../../../src/core/resolve/projects.ts'
import {
  followUnmanaged,
  lostProjects,
  meantElsewhere,
  movedProjects,
  openProjectTexts,
  undeclaredIn,
} from '../../../src/core/resolve/projectTexts.ts'
import { unmanagedHash } from '../../../src/core/resolve/textName.ts'
import type { Provenance, TextHash, Unmanaged } from '../../../src/core/rule.ts'
import { acme, hash, mapping, matchesIn, target } from './smallWorld.ts'

const project = (name: string) => name as ProjectIdentifier
const line = (number: number, owner?: string): Provenance => ({
  at: { file: 'groups.yaml', line: number, column: 1 },
  ...(owner === undefined ? {} : { owner }),
})
/** ENG is another project than the meant one, whose identifier is `called` now. */
const changed = (name: string, called?: string): ProjectChanged => ({
  kind: 'projectChanged',
  project: project(name),
  replaced: false,
  pass: `${name} ${called}`,
  ...(called === undefined ? {} : { called: project(called) }),
})
const current = (): ProjectMeaning => ({ kind: 'current' })

describe('what the texts of a declaration say of projects', () => {
  test('is which of them name which project', () => {
    const asked: string[] = []
    const texts = openProjectTexts((name, text) => {
      asked.push(`${name} ${text()}`)
      return current()
    })
    for (const [name, text] of [
      ['ENG', 'a'],
      ['OPS', 'a'],
      ['ENG', 'b'],
      ['ENG', 'a'],
    ] as const)
      expect(texts.follow(project(name), text as TextHash)).toEqual(current())
    expect(asked).toEqual(['ENG a', 'OPS a', 'ENG b', 'ENG a'])
    expect(texts.named()).toEqual(
      new Map([
        ['ENG', new Set(['a', 'b'])],
        ['OPS', new Set(['a'])],
      ]),
    )
    expect(texts.changed()).toEqual([])
  })
  test('is each change once, by the first place in the files, in the order of the files', () => {
    const texts = openProjectTexts(current)
    for (const [name, number] of [
      ['OPS', 7],
      ['ENG', 5],
      ['ENG', 3],
      ['ENG', 9],
      ['WEB', 1],
    ] as const)
      texts.noteChanged(changed(name), line(number))
    expect(texts.changed().map(({ reason, because }) => `${because.at.line} ${reason.project}`)).toEqual(['1 WEB', '3 ENG', '7 OPS'])
  })
})

describe('an unmanaged entry', () => {
  const entry = (where?: string): Unmanaged => ({
    groups: { kind: 'exact', name: 'legacy' as GroupName },
    ...(where === undefined ? {} : { target: target(where) }),
    because: line(4),
  })
  const follow = (one: Unmanaged, meaning: ProjectMeaning) => {
    const texts = openProjectTexts(() => meaning)
    return { followed: followUnmanaged([one], texts, hash), texts }
  }
  test.each<[string, string | undefined, ProjectMeaning, readonly (string | undefined)[]]>([
    ['of a project as it was', 'ENG', current(), ['ENG']],
    ['of a renamed project', 'ENG', { kind: 'changed', reason: changed('ENG', 'ENGX') }, ['ENG', 'ENGX']],
    ['of a project that is gone', 'ENG', { kind: 'changed', reason: changed('ENG') }, ['ENG']],
    ['of all projects', '*', { kind: 'changed', reason: changed('ENG', 'ENGX') }, ['all projects']],
    ['of the workspace', 'workspace', { kind: 'changed', reason: changed('ENG', 'ENGX') }, ['workspace']],
    ['without a target', undefined, { kind: 'changed', reason: changed('ENG', 'ENGX') }, [undefined]],
  ])('%s', (_which, where, meaning, expected) => {
    const one = entry(where)
    const { followed, texts } = follow(one, meaning)
    expect(followed.map((each) => each.target && targetText(each.target))).toEqual(expected)
    expect(followed.map((each) => ({ ...each, target: one.target }))).toEqual(followed.map(() => ({ ...one, target: one.target })))
    expect([...texts.named()]).toEqual(where === 'ENG' ? [['ENG', new Set([unmanagedHash(one, hash)])]] : [])
    expect(texts.changed()).toEqual(where === 'ENG' && meaning.kind === 'changed' ? [{ because: line(4), reason: meaning.reason }] : [])
  })
})

describe('mappings in a project that texts meant under another identifier', () => {
  const all: readonly ChangedProject[] = [
    { because: line(1), reason: changed('ENG', 'ENGX') },
    { because: line(2), reason: changed('OPS') },
    { because: line(3), reason: changed('WEB', 'ENG') },
    { because: line(4), reason: changed('ENGX', 'WEB') },
  ]
  test('are found by both identifiers, the first text winning', () => {
    expect([...movedProjects(all)].map(([name, { because }]) => `${name} ${because.at.line}`)).toEqual([
      'ENG 1',
      'ENGX 1',
      'OPS 2',
      'WEB 3',
    ])
  })
  test('are held', () => {
    const existing = ['ENGX devs member', 'DOC devs member', '* devs guest', 'OPS ops guest', 'workspace ops guest'].map(mapping)
    expect([...undeclaredIn(movedProjects(all), existing)]).toEqual([
      [
        'acme/project/ENGX/devs',
        { group: 'devs', target: target('ENGX'), because: line(1), kind: 'unknown', reason: changed('ENG', 'ENGX') },
      ],
      ['acme/project/OPS/ops', { group: 'ops', target: target('OPS'), because: line(2), kind: 'unknown', reason: changed('OPS') }],
    ])
  })
})

const base = (group: string, where: string, number = 1) => ({ group: group as GroupName, target: target(where), because: line(number) })
const granted = (group: string, where: string, number?: number): DesiredMapping => ({
  ...base(group, where, number),
  kind: 'role',
  role: 'member' as Role,
  allowProtected: false,
})
const unknown = (group: string, where: string, reason: HoldReason, number?: number): DesiredMapping => ({
  ...base(group, where, number),
  kind: 'unknown',
  reason,
})

test('a wish is repeated under the identifier of today, and only that of a renamed project', () => {
  const desiredMappings: readonly DesiredMapping[] = [
    granted('devs', 'ENG'),
    unknown('devs', 'ENG', { kind: 'unsafeName', what: 'too long' }),
    unknown('devs', 'OPS', changed('OPS')),
    { ...unknown('devs', 'ENG', changed('ENG', 'ENGX'), 7), previously: ['old' as GroupName] },
  ]
  expect([...meantElsewhere(desiredMappings, acme)]).toEqual([
    ['acme/project/ENGX/devs', unknown('devs', 'ENGX', changed('ENG', 'ENGX'), 7)],
  ])
})

describe('a project that a group is declared for', () => {
  const there = new Set(['ENG'])
  const isThere = (name: ProjectIdentifier) => there.has(name)
  const lostIn = (claimed: readonly DesiredMapping[], unmanaged: readonly Unmanaged[] = [], existing: readonly string[] = []) =>
    [
      ...lostProjects(claimed, {
        isThere,
        existing: existing.map(mapping),
        unmanaged,
        matches: matchesIn({ rules: [], unmanaged }, new Map(), existing.map(mapping)),
      }),
    ].map(([group, { project: name, because }]) => `${group}: ${name} ${because.at.line}`)
  test.each<[string, readonly DesiredMapping[], readonly string[]]>([
    ['is there', [granted('devs', 'ENG')], []],
    ['is there, and the group is not known', [unknown('devs', 'ENG', { kind: 'groupUnknown', directories: [], mapped: false })], []],
    ['is not there', [granted('devs', 'OPS', 3)], ['devs: OPS 3']],
    ['is not there, and the group is not known', [unknown('devs', 'OPS', { kind: 'unsafeName', what: 'x' }, 3)], ['devs: OPS 3']],
    ['is called otherwise now', [unknown('devs', 'OPS', changed('OPS', 'ENG'))], []],
    ['is not shown, while another has its identifier', [unknown('devs', 'ENG', changed('ENG'), 3)], ['devs: ENG 3']],
    ['is any', [granted('devs', '*'), granted('devs', 'workspace')], []],
  ])('%s', (_how, claimed, expected) => {
    expect(lostIn(claimed)).toEqual(expected)
  })
  test('is named by the first text that loses it, of one text by the first name', () => {
    expect(lostIn([granted('devs', 'D', 1), granted('devs', 'A', 1)])).toEqual(['devs: A 1'])
    expect(lostIn([granted('devs', 'B', 2), granted('devs', 'A', 1), granted('devs', 'C', 3), granted('devs', 'D', 1)])).toEqual([
      'devs: A 1',
    ])
    expect(lostIn([granted('devs', 'A', 1), granted('devs', 'B', 2), granted('ops', 'B', 2)])).toEqual(['devs: A 1', 'ops: B 2'])
  })
  test('is lost for the names that its group had, too', () => {
    expect(lostIn([{ ...granted('devs', 'OPS'), previously: ['old', 'older'] as unknown as readonly GroupName[] }])).toEqual([
      'devs: OPS 1',
      'old: OPS 1',
      'older: OPS 1',
    ])
  })
  test('or is unmanaged in: of the groups that are mapped somewhere', () => {
    const entry = (where: string, number: number): Unmanaged => ({
      groups: { kind: 'exact', name: 'legacy' as GroupName },
      target: target(where),
      because: line(number),
    })
    const { target: _none, ...anywhere } = entry('ENG', 7)
    const existing = ['ENGX legacy member', 'ENGX devs member']
    expect(lostIn([], [entry('ENG', 5), entry('*', 6), anywhere], existing)).toEqual([])
    expect(lostIn([], [entry('OPS', 5), entry('WEB', 4)], existing)).toEqual(['legacy: WEB 4'])
    expect(lostIn([], [entry('OPS', 5)], ['ENGX devs member'])).toEqual([])
  })
})
