import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { DocumentChange } from '../../../src/documents/change.ts'
import type { Approvable } from '../../../src/render/approvable.ts'
import { describedChange } from '../../../src/render/approvable.ts'
import { workspaceOf } from '../../../src/render/json.ts'
import { foldChanges, isSayable, waiverYaml } from '../../../src/render/waiverYaml.ts'
import { people } from '../bounds.ts'
import { create, patch, remove, rename, settings, view } from './sample.ts'

type Words = Extract<Approvable, { kind: 'words' }>

function documentsOf(...changes: readonly Change[]): readonly DocumentChange[] {
  const one = workspaceOf(view({ changes }))
  if (one.standing === 'failed') throw new Error('no plan')
  return one.changes
}
const words = (changes: readonly Change[], more: Partial<Words> = {}): Words => ({
  kind: 'words',
  changes: documentsOf(...changes),
  sentence: 'protected role',
  ...more,
})
const options = { untilMs: Date.UTC(2026, 10, 23, 12), reason: 'INC-99' }
const linesOf = (...all: readonly Words[]) => waiverYaml(new Map([['acme', all]]), options).split('\n')
const end = 'until: 2026-11-23T12:00Z, reason: INC-99'

describe('a file with waivers', () => {
  test('has an entry for each change, below the reason why the change waits', () => {
    const some = [
      words([create('PAY', 'leads', 'admin', { size: people(3) })], { people: 3 }),
      words([patch('workspace', 'leads', 'member', 'owner')], { sentence: 'a\u200Bb' }),
    ]
    expect(linesOf(...some)).toEqual([
      'version: 1',
      'workspaces:',
      '  acme:',
      '    waivers:',
      '      # protected role',
      '      #   PAY  leads → admin  3 people',
      `      - { project: PAY, group: leads, from: none, to: admin, people: 3, ${end} }`,
      '      # a\\u{200b}b',
      '      #   workspace  leads member → owner',
      `      - { workspace: true, group: leads, from: member, to: owner, ${end} }`,
      '',
    ])
  })

  test('has one entry for a set, with all its changes', () => {
    const gone = [remove('PAY', 'a', 'guest', 'removed'), remove('WEB', 'a', 'guest', 'removed')]
    expect(linesOf(words(gone)).slice(4, -1)).toEqual([
      '      # protected role',
      '      #   PAY  a = guest  removed',
      '      #   WEB  a = guest  removed',
      '      - changes:',
      '          - { project: [PAY, WEB], group: a, from: guest, to: none }',
      '        until: 2026-11-23T12:00Z',
      '        reason: INC-99',
    ])
  })

  test.each([
    [20, 20, undefined],
    [21, 20, '      #   … and 1 more'],
    [30, 20, '      #   … and 10 more'],
  ])('shows of %i changes %i', (count, shown, more) => {
    const all = Array.from({ length: count }, (_, index) => create('PAY', `g${index}`, 'guest'))
    const comments = linesOf(words(all)).filter((line) => line.startsWith('      #   '))
    expect(comments.filter((line) => line.includes('PAY'))).toHaveLength(shown)
    expect(comments.find((line) => line.includes('…'))).toBe(more)
  })

  test('has the workspaces in their order, quoted where that is needed', () => {
    const text = waiverYaml(
      new Map([
        ['no', []],
        ['beta', []],
      ]),
      { ...options, reason: 'a: b' },
    )
    expect(text.split('\n')).toEqual(['version: 1', 'workspaces:', '  "no":', '    waivers:', '  beta:', '    waivers:', ''])
  })

  test('rounds the end up to a minute', () => {
    const text = waiverYaml(new Map([['acme', [words([settings])]]]), { ...options, untilMs: options.untilMs + 1 })
    expect(text).toContain('until: 2026-11-23T12:01Z')
  })
})

describe('words can say', () => {
  test.each([
    ['changes of settings', [settings], true],
    ['a create', [create('PAY', 'a', 'admin')], true],
    ['a delete', [remove('PAY', 'a', 'admin', 'removed')], true],
    ['no role that is called none', [create('PAY', 'a', 'none')], false],
    ['no former role that is called none', [remove('PAY', 'a', 'none', 'removed')], false],
    ['no such role beside other changes', [settings, create('PAY', 'a', 'admin'), patch('PAY', 'b', 'none', 'guest')], false],
  ])('%s', (_what, changes, is) => {
    expect(isSayable(words(changes))).toBe(is)
  })
})

describe('folded changes', () => {
  const folded = (...changes: readonly Change[]) =>
    foldChanges(documentsOf(...changes)).map((entry) => entry.map(([name, value]) => `${name} ${value}`).join(', '))
  const withId = (of: Change, groupId: string) => ({ ...of, groupId }) as Change

  test.each<readonly [string, readonly Change[], readonly string[]]>([
    [
      'of one group in several projects are one entry, each project once',
      [create('WEB', 'a', 'guest'), create('PAY', 'a', 'guest'), create('PAY', 'a', 'guest')],
      ['project [PAY, WEB], group a, from none, to guest'],
    ],
    [
      'of several groups in the same projects are one entry',
      [create('PAY', 'b', 'guest'), create('PAY', 'a', 'guest')],
      ['project PAY, group [a, b], from none, to guest'],
    ],
    [
      'of groups in other projects are several',
      [create('PAY', 'a', 'guest'), create('WEB', 'b', 'guest')],
      ['project PAY, group a, from none, to guest', 'project WEB, group b, from none, to guest'],
    ],
    [
      'of other targets, roles and former roles are several',
      [
        create('*', 'a', 'guest'),
        create('workspace', 'a', 'guest'),
        create('PAY', 'a', 'member'),
        patch('WEB', 'a', 'guest', 'member'),
        patch('API', 'a', null as never, 'member'),
        patch('OPS', 'a', 'null', 'member'),
      ],
      [
        'allProjects true, group a, from none, to guest',
        'workspace true, group a, from none, to guest',
        'project PAY, group a, from none, to member',
        'project WEB, group a, from guest, to member',
        'project API, group a, from null, to member',
        'project OPS, group a, from "null", to member',
      ],
    ],
    [
      'with an id are an entry for each group',
      [withId(create('PAY', 'a', 'guest'), '1'), withId(create('WEB', 'a', 'guest'), '1'), withId(create('PAY', 'b', 'guest'), '2')],
      ['project [PAY, WEB], group a, id "1", from none, to guest', 'project PAY, group b, id "2", from none, to guest'],
    ],
    [
      'with an id are not with those without',
      [withId(create('PAY', 'a', 'guest'), '1'), create('PAY', 'a', 'guest')],
      ['project PAY, group a, id "1", from none, to guest', 'project PAY, group a, from none, to guest'],
    ],
    [
      'of renames from several groups are several',
      [rename('PAY', 'x', 'a', 'guest', 'guest'), rename('WEB', 'x', 'a', 'guest', 'guest'), rename('PAY', 'z', 'b', 'guest', 'guest')],
      ['project [PAY, WEB], group a, previously x, from guest, to guest', 'project PAY, group b, previously z, from guest, to guest'],
    ],
    [
      'of deletes have no id',
      [withId(remove('PAY', 'a', 'guest', 'removed'), '1'), remove('PAY', 'b', 'guest', 'removed')],
      ['project PAY, group [a, b], from guest, to none'],
    ],
    [
      'of settings come last, with each value',
      [settings, create('PAY', 'a', 'guest')],
      [
        'project PAY, group a, from none, to guest',
        'groupSync { autoRemove: { from: false, to: true }, groupAttribute: { from: groups, to: ad_groups } }',
      ],
    ],
  ])('%s', (_what, changes, entries) => {
    expect(folded(...changes)).toEqual(entries)
  })

  test('of settings have a value before or after', () => {
    const [of] = documentsOf(settings)
    const change = {
      ...of,
      before: { enabled: true, autoRemove: undefined },
      after: { syncOnLogin: false, groupAttribute: 'no' },
    } as DocumentChange
    expect(foldChanges([change])).toEqual([
      [
        [
          'groupSync',
          '{ enabled: { from: true, to: null }, syncOnLogin: { from: null, to: false }, groupAttribute: { from: null, to: "no" } }',
        ],
      ],
    ])
  })
})

test.each([
  [create('PAY', 'a', 'guest'), { key: 'acme/project/PAY/a', after: 'guest' }],
  [patch('PAY', 'a', 'guest', 'member'), { key: 'acme/project/PAY/a', before: 'guest', after: 'member' }],
  [rename('PAY', 'x', 'a', 'guest', 'member'), { key: 'acme/project/PAY/a', fromGroup: 'x', before: 'guest', after: 'member' }],
  [remove('PAY', 'a', 'guest', 'removed'), { key: 'acme/project/PAY/a', before: 'guest' }],
])('the words of a change: %j', (change, described) => {
  expect(documentsOf(change).map(describedChange)).toStrictEqual([described])
})
