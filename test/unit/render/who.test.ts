import { describe, expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { GroupName, Key, WorkspaceName } from '../../../src/core/mapping.ts'
import { rolesOfPerson } from '../../../src/core/people/personRoles.ts'
import type { Provenance } from '../../../src/core/rule.ts'
import type { WhoDocument } from '../../../src/documents/who.ts'
import { documentText } from '../../../src/render/documentText.ts'
import type { FailedView } from '../../../src/render/view.ts'
import { whoJson } from '../../../src/render/whoJson.ts'
import { type PersonView, whoText } from '../../../src/render/whoText.ts'
import { acme, mapping, planOf, rule, type SmallWorld } from '../core/smallWorld.ts'
import { about, at, create, held, patch, settings, unsure } from './sample.ts'

/** The roles of a person who is in these groups. `rules`: key → `file:line`. */
function personIn(
  world: SmallWorld,
  groups: string,
  { rules = {}, ...more }: Partial<Omit<PersonView, 'rules'>> & { readonly rules?: Readonly<Record<string, string>> } = {},
): PersonView {
  const own = (groups === '' ? [] : groups.split(' ')) as GroupName[]
  const { changes } = planOf({ directories: {}, ...world })
  const because = Object.entries(rules).map(([key, text]): [Key, Provenance] => [`acme/${key}` as Key, at(text).because])
  return {
    about: { ...about, groupSync: { ...about.groupSync, autoRemove: true } },
    groups: own,
    unknown: new Map(),
    unread: new Map(),
    labels: new Map(),
    findings: [],
    roles: rolesOfPerson(acme, new Set(own), (world.existing ?? []).map(mapping), changes, about.roles),
    rules: new Map(because),
    held: [],
    ...more,
  }
}

const unknownBecause = (whys: Readonly<Record<string, string>>) =>
  new Map(Object.entries(whys).map(([name, why]) => [name as GroupName, why]))
const plain = { colour: false, width: 120 }
const textOf = (...views: readonly (PersonView | FailedView)[]) => whoText('ann@example.com', views, plain)
/** The lines of the only workspace, without its name. */
const rowsOf = (world: SmallWorld, groups: string, more?: Parameters<typeof personIn>[2]): readonly string[] =>
  (textOf(personIn(world, groups, more)).split('\n\n')[1] ?? '').split('\n').slice(1)

const failed: FailedView = { about: { ...about, workspace: 'labs' as WorkspaceName, slug: 'l\u001b1' }, failed: 'no \u001b answer' }

describe('the roles of a person as a text', () => {
  test('name the lists that were not read whole: no role is then not proved', () => {
    const unread = new Map([['workspaceRoles' as const, '403 Forbidden']])
    expect(rowsOf({}, '', { unread })).toEqual([
      'Not all of the workspace mappings are known, so it is not known whether this person has a role.',
      '      403 Forbidden',
      '  the roles are not known',
    ])
    expect(textOf(personIn({}, '', { unread }))).toContain('No group has ann@example.com among its known members.')
    expect(rowsOf({ existing: ['ENG devs member'] }, 'devs', { unread })[0]).toBe(
      'Not all of the workspace mappings are known, so this person may also have other roles.',
    )
  })

  test('begin with the groups, and end with what is not seen', () => {
    const world: SmallWorld = { existing: ['ENG devs member', '* staff guest'] }
    expect(textOf(personIn(world, 'staff devs', { rules: { 'project/ENG/devs': 'eng.yaml:3' } }))).toBe(
      `ann@example.com is a member of 2 groups with a role: devs and staff.

acme at plane.example.com
  = all projects  guest
      by staff: guest
  = ENG           member
      by devs: member · eng.yaml:3

Roles that are given by hand in Plane are not seen.
`,
    )
  })

  test('name each group once for all workspaces, and at most ten', () => {
    const existing = 'abcdefghijkl'.split('').map((group) => `ENG ${group} guest`)
    const first = (...groups: readonly string[]) => textOf(...groups.map((some) => personIn({ existing }, some))).split('\n')[0]
    expect(first('b a', 'a c')).toBe('ann@example.com is a member of 3 groups with a role: a, b and c.')
    expect(first('a')).toBe('ann@example.com is a member of 1 group with a role: a.')
    expect(first('a b c d e f g h i j k l')).toBe(
      'ann@example.com is a member of 12 groups with a role: a, b, c, d, e, f, g, h, i, j and 2 more.',
    )
  })

  test('say if group sync is off, and if auto-remove is off where a role ends or becomes lower', () => {
    const lines = (world: SmallWorld, more: NonNullable<typeof about.groupSync>) =>
      rowsOf(world, 'devs', { about: { ...about, groupSync: { ...about.groupSync, ...more } } }).filter((line) => !line.startsWith(' '))
    const off = ['Takes no effect: group sync is off in this workspace.']
    const stays = ['Auto-remove is off: people keep the access that they have.']
    const has: SmallWorld = { existing: ['ENG devs member'] }
    const loses: SmallWorld = { ...has, removed: ['ENG devs'] }
    const lowered: SmallWorld = { ...has, rules: [rule('devs', 'ENG', 'guest')] }
    const raised: SmallWorld = { ...has, rules: [rule('devs', 'ENG', 'admin')] }
    expect([has, loses].map((world) => lines(world, { enabled: false }))).toEqual([off, off])
    expect(rowsOf({}, 'devs', { about: { ...about, groupSync: { enabled: false } } })).toEqual(['  no role'])
    expect([has, loses, lowered, raised].map((world) => lines(world, {}))).toEqual([[], stays, stays, []])
    expect(lines(loses, { autoRemove: true })).toEqual([])
    expect(lines(has, { syncOnLogin: false, offlineSync: false })).toEqual([expect.stringContaining('Takes no effect: neither')])
  })

  test('are not claimed for a group that has no role today', () => {
    const first = (world: SmallWorld, groups: string) => textOf(personIn(world, groups)).split('\n')[0]
    const both: SmallWorld = { existing: ['ENG devs member'], rules: [rule('devs', 'ENG', 'member'), rule('leads', 'ENG', 'member')] }
    expect(first(both, 'devs')).toBe('ann@example.com is a member of 1 group with a role: devs.')
    expect(first(both, 'devs leads')).toBe('ann@example.com is a member of 2 groups that have a role, or would get one: devs and leads.')
    expect(first({}, 'held')).toBe('ann@example.com is a member of 1 group that would get a role: held.')
  })

  test('say that no group with a role has the person, and show no control characters of a name', () => {
    expect(whoText('ann\u001b', [personIn({}, '')], plain)).toBe(
      `No group that has a role, or would get one, has ann\\u{1b} as a member.

acme at plane.example.com
  no role

Roles that are given by hand in Plane are not seen.
`,
    )
    expect(whoText('ann\u001b', [personIn({}, 'a')], plain)).toMatch(/^ann\\u\{1b\} is a member/)
  })

  test('of a workspace that could not be planned are not known, and the cure follows', () => {
    expect(textOf(failed)).toBe(
      `No group that has a role, or would get one, has ann@example.com as a member.

labs (l\\u{1b}1) at plane.example.com
Failed, the roles are not known: no \\u{1b} answer
`,
    )
    expect(textOf({ ...failed, cure: 'look \u001b up' }, personIn({}, ''))).toContain(
      'no \\u{1b} answer\n      look \\u{1b} up\n\nacme at plane.example.com\n  no role\n\nRoles that',
    )
  })

  test('have colours at a terminal', () => {
    const refused = personIn({ existing: ['ENG devs member'] }, 'devs', { unknown: unknownBecause({ x: 'why' }) })
    const text = whoText('ann', [failed, refused], { ...plain, colour: true })
    expect(text.split('\n\n').slice(1, 3)).toEqual([
      '\u001b[1mlabs (l\\u{1b}1) at plane.example.com\u001b[0m\n\u001b[1;31mFailed, the roles are not known: no \\u{1b} answer\u001b[0m',
      [
        '\u001b[1macme at plane.example.com\u001b[0m',
        '\u001b[1;31mNot all members of 1 group are known, so this person may also have other roles.\u001b[0m',
        '      why',
        '  \u001b[2m=\u001b[0m ENG  member',
        '\u001b[2m      by devs: member\u001b[0m',
      ].join('\n'),
    ])
  })

  test('are not known, or may be more, if members of groups are not known', () => {
    const lost = { unknown: unknownBecause({ x: 'corp is \u001b away', y: 'no people' }) }
    expect(textOf(personIn({}, '', lost)).split('\n')).toEqual([
      'No group has ann@example.com among its known members.',
      '',
      'acme at plane.example.com',
      'Not all members of 2 groups are known, so it is not known whether this person has a role.',
      '      corp is \\u{1b} away',
      '      no people',
      '  the roles are not known',
      '',
      'Roles that are given by hand in Plane are not seen.',
      '',
    ])
    const more = rowsOf({ existing: ['ENG devs member'] }, 'devs', { unknown: unknownBecause({ x: 'why' }) })
    expect(more.slice(0, 3)).toEqual([
      'Not all members of 1 group are known, so this person may also have other roles.',
      '      why',
      '  = ENG  member',
    ])
    const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`g${n}`, `why ${n}`]))
    const shown = (length: number) => rowsOf({}, 'a', { unknown: unknownBecause(many(length)) }).slice(10, 12)
    expect([shown(12), shown(10)]).toEqual([
      ['      why 9', '      and 2 more'],
      ['      why 9', '  the roles are not known'],
    ])
  })

  test('end with the findings of the directories, each with its cure', () => {
    const finding = { code: 'people-unread', severity: 'warning', place: 'corp', sentence: 'not read', cure: 'ask for the right' } as const
    expect(rowsOf({}, '', { findings: [finding] })).toEqual([
      '  no role',
      'Findings (1)',
      '  warning people-unread: not read · corp',
      '      ask for the right',
    ])
  })

  test('name a group by its label, with the beginning of its id', () => {
    const id = '00000000-0000-4000-8000-000000000001'
    const text = textOf(personIn({ existing: [`ENG ${id} member`] }, id, { labels: new Map([[id as GroupName, 'Sales EMEA']]) }))
    expect(text).toContain('is a member of 1 group with a role: "Sales EMEA" 00000000….')
    expect(text).toContain('by "Sales EMEA" 00000000…: member')
  })

  test('have a hint if the directories know no person by such a text', () => {
    const hint = { hint: 'no person is known by a text with "@"' }
    expect(textOf(personIn({}, ''), personIn({}, '', hint)).replaceAll('\n', ' ')).toContain(
      'has ann@example.com as a member. Perhaps the person has another name there: no person is known by a text with "@" (people.identity in the settings of a directory).',
    )
  })

  test('have the mark of what a change does to the person', () => {
    const world = (role: string, existing: readonly string[]): SmallWorld => ({ rules: [rule('devs', 'ENG', role)], existing })
    expect(rowsOf(world('member', []), 'devs')).toEqual(['  + ENG  no role → member', '      by devs: no role → member'])
    expect(rowsOf(world('member', ['ENG devs guest']), 'devs')).toEqual(['  ↑ ENG  guest → member', '      by devs: guest → member'])
    expect(rowsOf(world('guest', ['ENG devs member']), 'devs')).toEqual(['  ↓ ENG  member → guest', '      by devs: member → guest'])
    expect(rowsOf({ removed: ['ENG devs'], existing: ['ENG devs member'] }, 'devs')).toEqual([
      '  - ENG  member → no role',
      '      by devs: member → no role',
    ])
  })

  test('have no direction if roles.order does not have one of them', () => {
    const world: SmallWorld = { rules: [rule('devs', 'ENG', 'member')], existing: ['ENG staff lead'] }
    expect(rowsOf(world, 'devs staff')).toEqual([
      '  ~ ENG  lead → lead and member, in no order',
      '      by devs: no role → member',
      '      by staff: lead',
    ])
    expect(rowsOf({ removed: ['ENG devs'], existing: ['ENG devs member', 'ENG staff lead'] }, 'devs staff')[0]).toBe(
      '  ~ ENG  lead and member, in no order → lead',
    )
  })

  test('have no direction between two roles of which one is not in the order, or that have one place there', () => {
    const moved = (before: string, after: string, aliases = {}) => {
      const world: SmallWorld = { removed: ['ENG devs'], rules: [rule('leads', 'ENG', after)], existing: [`ENG devs ${before}`] }
      const own = { ...about, roles: { ...about.roles, aliases } }
      return rowsOf(world, 'devs leads', { about: own }).filter((row) => row.includes('ENG'))
    }
    expect(moved('lead', 'member')).toEqual(['  ~ ENG  lead → member'])
    expect(moved('member', 'lead')).toEqual(['  ~ ENG  member → lead'])
    expect(moved('editor', 'member', { member: 'editor' })).toEqual(['  ~ ENG  editor → member'])
    expect(moved('editor', 'admin', { member: 'editor' })).toEqual(['  ↑ ENG  editor → admin'])
  })

  test('leave out a group whose lower role decides nothing', () => {
    expect(rowsOf({ existing: ['ENG devs member', 'ENG staff guest'] }, 'devs staff')).toEqual(['  = ENG  member', '      by devs: member'])
    const leaving: SmallWorld = { removed: ['ENG devs'], existing: ['ENG devs member', 'ENG staff guest'] }
    expect(rowsOf(leaving, 'devs staff')).toEqual(['  ↓ ENG  member → guest', '      by devs: member → no role', '      by staff: guest'])
    const both: SmallWorld = { rules: [rule('devs', 'ENG', 'member'), rule('staff', 'ENG', 'guest')] }
    expect(rowsOf(both, 'devs staff')).toEqual(['  + ENG  no role → member', '      by devs: no role → member'])
    const neither: SmallWorld = { removed: ['ENG devs', 'ENG staff'], existing: ['ENG devs member', 'ENG staff guest'] }
    expect(rowsOf(neither, 'devs staff')).toEqual(['  - ENG  member → no role', '      by devs: member → no role'])
  })

  test('show what changes first, and projects that are alike in one row', () => {
    const world: SmallWorld = {
      rules: [rule('devs', 'OPS', 'member'), rule('devs', 'WEB', 'member')],
      existing: ['* staff guest', 'ENG devs guest'],
      projects: ['ENG', 'OPS', 'WEB'],
    }
    const rules = { 'project/OPS/devs': 'ops.yaml:1', 'project/WEB/devs': 'web.yaml:2', 'allProjects/staff': 'all.yaml:7' }
    expect(rowsOf(world, 'devs staff', { rules })).toEqual([
      '  ↑ 2 projects    guest → member',
      '      by devs: no role → member · ops.yaml:1 and 1 more',
      '      by staff: guest in all projects · all.yaml:7',
      '      in OPS, WEB',
      '  = all projects  guest',
      '      by staff: guest · all.yaml:7',
      '  = ENG           guest',
      '      by devs: guest',
      '      by staff: guest in all projects · all.yaml:7',
    ])
  })

  test('do not share a row if the roles or the groups differ', () => {
    const leads = (existing: readonly string[]) => rowsOf({ existing }, 'devs leads').filter((row) => row.startsWith('  ='))
    expect(leads(['ENG devs guest', 'OPS devs member'])).toEqual(['  = ENG  guest', '  = OPS  member'])
    expect(leads(['ENG devs guest', 'OPS leads guest'])).toEqual(['  = ENG  guest', '  = OPS  guest'])
    expect(leads(['ENG devs guest', 'OPS devs guest'])).toEqual(['  = 2 projects  guest'])
    expect(leads(['workspace devs guest', '* devs guest'])).toEqual(['  = workspace     guest', '  = all projects  guest'])
    const gone = rowsOf(
      { removed: ['ENG devs'], existing: ['ENG devs member', 'OPS devs member', 'ENG leads member', 'OPS leads member'] },
      'devs leads',
    )
    expect(gone.filter((row) => row.startsWith('  ='))).toEqual(['  = ENG  member', '  = OPS  member'])
  })

  test('show changes that wait, with the reason and what to do', () => {
    const holds: readonly Hold[] = [
      held(patch('ENG', 'devs', 'guest', 'admin'), { kind: 'approval', why: 'protectedRole' }),
      held(create('OPS', 'devs', 'member'), { kind: 'quarantined', since: 'unknownOutcome' }),
      unsure('WEB', 'devs', { kind: 'groupUnknown', directories: ['corp'], near: 'dev\u001b', mapped: false }),
    ]
    expect(rowsOf({}, 'devs', { held: holds }).map((row) => row.replace(/[0-9a-f]{32}/, 'ID'))).toMatchInlineSnapshot(`
      [
        "  no role",
        "  ! ENG  devs guest → admin  waits: protected role",
        "      to approve this change: --allow ID · or in the file: allowProtected: true",
        "  ? OPS  devs → member  waits: an earlier write with unknown outcome may still be executed",
        "      wait: then the list is read again and a new plan is made",
        "  ? WEB  devs  waits: corp does not know this group",
        "      did you mean dev\\u{1b}?",
      ]
    `)
  })
})

describe('the roles of a person as a document', () => {
  const documentOf = (...views: readonly (PersonView | FailedView)[]) => JSON.parse(whoJson('ann', views)) as WhoDocument

  test('have each target, each group, and the rule', () => {
    const world: SmallWorld = {
      rules: [rule('devs', 'ENG', 'member')],
      existing: ['ENG staff lead', '* devs guest'],
    }
    const rules = { 'project/ENG/devs': 'eng.yaml:3' }
    const because = { at: { file: 'eng.yaml', line: 3, column: 5 } }
    const all = { kind: 'allProjects' }
    const eng = { kind: 'project', project: 'ENG' }
    const general = { group: 'devs', target: all, before: 'guest', after: 'guest' }
    const document = documentOf(personIn(world, 'devs staff', { rules, unknown: unknownBecause({ x: 'why' }) }))
    expect(document).toEqual({
      format: 'plane-group-sync/who',
      version: 1,
      person: 'ann',
      workspaces: [
        {
          workspace: 'acme',
          groups: ['devs', 'staff'],
          unknown: ['x'],
          roles: [
            { target: all, before: 'guest', after: 'guest', by: [general] },
            {
              target: eng,
              before: ['guest', 'lead'],
              after: ['guest', 'lead', 'member'],
              by: expect.arrayContaining([
                { group: 'devs', target: eng, before: null, after: 'member', because },
                general,
                { group: 'staff', target: eng, before: 'lead', after: 'lead' },
              ]) as unknown,
            },
          ],
          held: [],
        },
      ],
    })
    expect(whoJson('ann', [personIn(world, 'devs staff', { rules, unknown: unknownBecause({ x: 'why' }) })])).toBe(documentText(document))
  })

  test('have labels, findings and the hint', () => {
    const finding = { code: 'people-unread', severity: 'warning', place: 'corp', sentence: 'not read' } as const
    const view = personIn({}, 'f00d', { labels: new Map([['f00d' as GroupName, 'Sales']]), findings: [finding], hint: 'why' })
    expect(documentOf(view).workspaces).toEqual([
      {
        workspace: 'acme',
        groups: ['f00d'],
        unknown: [],
        labels: { f00d: 'Sales' },
        findings: [finding],
        hint: 'why',
        roles: [],
        held: [],
      },
    ])
  })

  test('say why they are not known', () => {
    expect(documentOf(failed, personIn({}, '')).workspaces).toEqual([
      { workspace: 'labs', failed: 'no \u001b answer', groups: [], unknown: [], roles: [], held: [] },
      { workspace: 'acme', groups: [], unknown: [], roles: [], held: [] },
    ])
  })

  test('have what waits for groups, and no settings', () => {
    const holds: readonly Hold[] = [
      held(settings, { kind: 'approval', why: 'groupSync' }),
      held(create('ENG', 'devs', 'admin'), { kind: 'approval', why: 'protectedRole' }),
      { key: 'acme/devs' as Key, group: 'devs' as GroupName, reason: { kind: 'clocksDiffer' } },
    ]
    expect(documentOf(personIn({}, 'devs', { held: holds })).workspaces[0]?.held).toEqual([
      { group: 'devs', target: { kind: 'project', project: 'ENG' }, reason: 'protected role' },
      { group: 'devs', reason: expect.any(String) as string },
    ])
  })
})

test.each(['a\nb', 'a\r\u2028b', '\u202Ea', '\u001B[2Ja', 'n'.repeat(65_536), '\u0007'.repeat(65_536)])(
  'no person and no reason breaks its line or fills the screen: %#',
  (text) => {
    const view = { ...personIn({}, ''), unknown: unknownBecause({ devs: text }) }
    const unread: FailedView = { ...failed, failed: text, cure: text }
    const shown = whoText(text, [view, unread], plain)
    expect(shown.length).toBeLessThan(12_000)
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(shown).not.toMatch(/^b/m)
  },
)
