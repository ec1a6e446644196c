import { describe, expect, test } from 'vitest'
import { clippedPatternFindings } from '../../../src/core/findings/patterns.ts'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { declaredBy, directories, heldIn, planned, projects } from './fencedFiles.ts'
import { acme, complete, failed, mapping, matchesIn, planIn, seenOf } from './smallWorld.ts'

const none = 'projectRoles: []'

describe('a pattern of a file inside a fence', () => {
  test('makes only mappings of the groups, projects and roles of the fence', () => {
    expect(planned({ pay: 'projectRoles: [ { groupGlob: "*", project: PAY, role: member } ]' })).toEqual([
      'create PAY all-staff = member',
      'create PAY pay-devs = member',
      'create PAY pay-leads = member',
    ])
    expect(planned({ pay: "projectRoles: [ { groupRegex: '(?<p>[a-z]+)-.*', project: { capture: p }, role: member } ]" })).toEqual([
      'create PAY pay-devs = member',
      'create PAY pay-leads = member',
    ])
  })

  test('that has expired deletes nothing outside of the fence', () => {
    const existing = ['ENG admins admin', 'OPS pay-devs admin', 'PAY ops-devs member', 'PAY pay-devs member']
    const expired = 'projectRoles: [ { groupGlob: "*", project: PAY, role: member, expires: 2020-01-01 } ]'
    expect(planned({ pay: expired }, existing, { nowMs: Date.parse('2026-01-01') })).toEqual(['delete PAY pay-devs = member (expired)'])
  })
})

describe('a pattern that matches more than its fence contains is told', () => {
  const found = (files: Parameters<typeof declaredBy>[0], known = seenOf({ directories, projects }).directories) => {
    const declared = declaredBy(files)
    return clippedPatternFindings(declared.rules.toReversed(), known, matchesIn(declared, known, []))
  }
  const told = (text: string) => found({ pay: text }).map(({ code, place, sentence }) => `${code} ${place} ${sentence}`)
  const pattern = (glob: string) => `{ groupGlob: "${glob}", project: PAY, role: member }`

  test('with the number of groups, and the first of them', () => {
    expect(told('projectRoles: [ { groupGlob: "*", project: [PAY, PAYWEB], role: member } ]')).toEqual([
      'pattern-clipped pay/a.yaml:3:27 1 pattern matches more than the fence contains: * (2 groups: "admins" and "ops-devs")',
    ])
  })
  test.each([
    [
      'has groups inside only, without its exceptions',
      { pay: `projectRoles: [ { groupGlob: "*", except: [admins, ops-devs], project: PAY, role: member } ]` },
    ],
    ['has groups inside only', { pay: `projectRoles: [ ${pattern('pay-*')} ]` }],
    ['belongs to a file without limits', { platform: `projectRoles: [ ${pattern('*')} ]` }],
    [
      'belongs to a file without limits, and captures projects',
      { platform: "projectRoles: [ { groupRegex: '(?<p>[a-z]+)-.*', project: { capture: p }, role: member } ]" },
    ],
  ])('unless it %s', (_what, files) => {
    expect(found(files)).toEqual([])
  })
  test('and an exact group is no pattern', () => {
    expect(told('projectRoles: [ { group: pay-devs, project: PAY, role: member } ]')).toEqual([])
  })
  test('in the order of the places, as one finding with its cure', () => {
    const [finding, ...more] = found({
      pay: `projectRoles: [ ${pattern('a*')}, ${pattern('o*')} ]`,
      web: `projectRoles: [ ${pattern('ops*')} ]`,
    })
    expect([finding, more]).toEqual([
      {
        code: 'pattern-clipped',
        severity: 'info',
        place: 'pay/a.yaml:3:27',
        sentence:
          '3 patterns match more than the fence contains: a* (pay/a.yaml:3:27, 1 group: "admins"), o* (pay/a.yaml:3:76, 1 group: "ops-devs") and ops* (web/a.yaml:3:27, 1 group: "ops-devs")',
        cure: 'narrow the pattern to the groups that are meant, or let the settings widen the fence',
      },
      [],
    ])
  })
  test('ten of them at most', () => {
    const letters = 'a b c d e f g h i j k l'.split(' ')
    const known = seenOf({ directories: { corp: letters.map((letter) => `${letter}-team`) }, projects }).directories
    const [finding] = found({ pay: `projectRoles: [ ${letters.map((letter) => pattern(`${letter}*`)).join(', ')} ]` }, known)
    expect(finding?.sentence).toMatch(/^12 patterns match .*, j\* \([^)]*\) and 2 more$/)
  })
  test('with the groups of each directory that the rule asks', () => {
    const known = seenOf({ directories: { corp: ['admins'], other: ['ops-devs'] }, projects }).directories
    expect(found({ pay: `projectRoles: [ ${pattern('*')} ]` }, known)[0]?.sentence).toContain('2 groups: "admins" and "ops-devs"')
  })
  test('but not of directories that were not read, also if Plane has a mapping of the group', () => {
    const declared = declaredBy({ pay: `projectRoles: [ ${pattern('*')} ]` })
    const unread = new Map([['corp', failed]])
    expect(clippedPatternFindings(declared.rules, unread, matchesIn(declared, unread, [mapping('PAY ops-devs member', 0)]))).toEqual([])
  })
  test('with three groups at most, by their labels', () => {
    const groups = ['f4', 'f3', 'f2', 'f1'].map((id) => ({ name: id as GroupName, id, place: id, label: `Sales ${id}` }))
    const [finding] = found({ pay: `projectRoles: [ ${pattern('f*')} ]` }, new Map([['corp', complete(indexGroups(groups))]]))
    expect(finding?.sentence).toContain('4 groups: "Sales f1" (f1), "Sales f2" (f2), "Sales f3" (f3) and 1 more)')
  })
  test('with the number of projects', () => {
    const [sentence] = told(
      "projectRoles: [ { groupRegex: '(?:pay|ops)-(?<p>.*)', project: { capture: p, map: { leads: PAY } }, role: member } ]",
    )
    expect(sentence).toContain(' (1 group: "ops-devs"; 1 project: "DEVS")')
  })
})

describe('a file inside a fence owns the keys inside of it', () => {
  const existing = ['ENG admins admin', 'PAY ops-devs member', 'PAY pay-devs member', '* pay-devs guest', 'workspace pay-devs admin']
  test('so under sync nothing outside becomes undeclared', () => {
    expect(planned({ pay: none }, existing, { policy: 'exclusive' })).toEqual(['delete PAY pay-devs = member (undeclared)'])
    expect(planned({ pay: none }, existing)).toEqual([
      'hold acme/project/PAY/pay-devs: undeclared (delete PAY pay-devs = member (undeclared))',
    ])
  })
  test('and a file that does not name the list owns nothing', () => {
    expect(planned({ pay: 'removed: []' }, existing, { policy: 'exclusive' })).toEqual([])
  })
  test('while a file without limits owns whole lists', () => {
    expect(planned({ pay: none, platform: none }, existing, { policy: 'exclusive' })).toEqual([
      'delete all projects pay-devs = guest (undeclared)',
      'delete ENG admins = admin (undeclared)',
      'delete PAY ops-devs = member (undeclared)',
      'delete PAY pay-devs = member (undeclared)',
    ])
  })
  test('also those of groups that no directory has: a mistyped name is held, and unknownGroups sends it', () => {
    const mistyped = 'projectRoles: [ { group: pay-dvs, project: PAY, role: member } ]'
    expect(planned({ pay: mistyped })).toEqual(['hold acme/project/PAY/pay-dvs: groupUnknown'])
    expect(planned({ pay: mistyped.replace('member', 'member, unknownGroups: send') })).toEqual(['create PAY pay-dvs = member'])
  })
  test('and a key that the file of another fence declares is declared', () => {
    const ops = 'projectRoles: [ { group: pay-devs, project: OPS, role: member } ]'
    expect(planned({ pay: none, ops }, ['OPS pay-devs member', 'OPS all-staff member'], { policy: 'exclusive' })).toEqual([
      'delete OPS all-staff = member (undeclared)',
    ])
  })
})

test('settings of group sync about which two files inside fences contradict each other are held, and the others are not', () => {
  const files = {
    pay: 'groupSync: { autoRemove: true, enabled: true }',
    ops: 'groupSync: { autoRemove: false, enabled: true, syncOnLogin: true }',
  }
  expect(() => declaredBy(files)).toThrow('a workspace has one value for each setting')
  const seen = seenOf({ directories, projects })
  const groupSync = { autoRemove: false, enabled: false, syncOnLogin: false }
  const declared = { ...declaredBy(files, new Map()), workspace: acme }
  const plan = planIn({ ...seen, declared, existing: { lists: new Map(), groupSync } })
  expect(plan.changes).toMatchObject([{ action: 'settings', after: { enabled: true, syncOnLogin: true } }])
  expect(plan.holds).toMatchObject([
    { key: 'acme/groupSync', reason: { kind: 'contested', rules: [{ at: { file: 'ops/a.yaml' } }, { at: { file: 'pay/a.yaml' } }] } },
  ])
})

describe('an exact name that no directory knows, in a file whose fence contains it by a glob', () => {
  const rule = 'group: pay-new, project: PAY, role: member'
  test('is held, and shown', () => {
    expect(planned({ pay: `projectRoles: [ { ${rule} } ]` })).toEqual([
      expect.stringMatching(/^hold acme\/project\/PAY\/pay-new: groupUnknown/),
    ])
  })
  test('is written with `unknownGroups: send`', () => {
    expect(planned({ pay: `projectRoles: [ { ${rule}, unknownGroups: send } ]` })).toEqual(['create PAY pay-new = member'])
  })
})

describe('files of two teams that contradict each other about a mapping hold it', () => {
  const removed = 'removed: [ { group: pay-devs, project: PAY } ]'
  const member = 'projectRoles: [ { group: pay-devs, project: PAY, role: member } ]'
  const existing = ['PAY pay-devs guest']
  const held = ['hold acme/project/PAY/pay-devs: contested']
  test('if both are certain', () => {
    expect(planned({ pay: removed, web: member }, existing)).toEqual(held)
    expect(planned({ pay: member.replace('member', 'guest'), web: member }, existing)).toEqual(held)
  })
  test('if the role of one of them has to wait: the name is in two directories, or in none', () => {
    const twice = { corp: ['pay-devs'], extra: ['pay-devs'] }
    expect(planned({ pay: removed, web: member }, existing, { directories: twice })).toEqual(held)
    const sends = member.replace('member', 'guest, unknownGroups: send')
    expect(planned({ pay: sends, web: member }, [], { directories: { corp: ['ops-devs'] } })).toEqual(held)
  })
  test('if it is unmanaged in one of them', () => {
    for (const unmanaged of ['group: pay-devs', 'groupGlob: "pay-*"'])
      for (const text of [member, removed])
        expect(planned({ pay: `projectRoles: [], unmanaged: [ { ${unmanaged}, project: PAY } ]`, web: text }, existing)).toEqual(held)
  })
})

describe('a file inside a fence never changes what a file without limits says', () => {
  const platform = 'projectRoles: [ { groupGlob: "pay-*", project: PAY, role: guest } ]'
  const existing = ['PAY pay-devs guest', 'PAY pay-leads guest']
  test.each([
    ['another role', 'projectRoles: [ { group: pay-devs, project: PAY, role: member } ]'],
    ['another role by a pattern', 'projectRoles: [ { groupGlob: "*-devs", project: PAY, role: member } ]'],
    ['removed', 'removed: [ { group: pay-devs, project: PAY } ]'],
    ['unmanaged', 'unmanaged: [ { group: pay-devs, project: PAY } ]'],
    ['unmanaged by a pattern', 'unmanaged: [ { groupGlob: "*-devs", project: PAY } ]'],
  ])('%s: the key waits', (_what, text) => {
    expect(planned({ platform, pay: text }, existing)).toEqual(['hold acme/project/PAY/pay-devs: outranked'])
  })
  test('a group that no directory has: a pattern speaks of it as long as Plane has a mapping that it names', () => {
    const pay = 'removed: [ { group: pay-gone, project: PAY } ]'
    const gone = ['PAY pay-gone guest']
    expect(planned({ platform, pay }, gone)).toContain('hold acme/project/PAY/pay-gone: outranked')
    expect(planned({ platform: none, pay }, gone)).toEqual(['delete PAY pay-gone = guest (removed)'])
    expect(planned({ platform: `${platform}, ${pay}` }, gone)).toContain('delete PAY pay-gone = guest (removed)')
    const sends = 'projectRoles: [ { group: pay-gone, project: PAY, role: member, unknownGroups: send } ]'
    expect(planned({ platform, pay: sends })).toContain('create PAY pay-gone = member')
    expect(planned({ platform, pay: sends }, gone)).toContain('hold acme/project/PAY/pay-gone: outranked')
    expect(planned({ platform, pay: sends }, ['OPS pay-gone guest'])).toContain('hold acme/project/PAY/pay-gone: outranked')
  })
  test.each<[string, string, object]>([
    [
      'two roles',
      'projectRoles: [ { group: pay-devs, project: PAY, role: member } ]',
      { inside: 'member', outside: 'guest', by: { at: { file: 'platform/a.yaml' } } },
    ],
    ['a role and a removal', 'removed: [ { group: pay-devs, project: PAY } ]', { inside: null, outside: 'guest' }],
    [
      'a role and an unmanaged entry',
      'unmanaged: [ { group: pay-devs, project: PAY } ]',
      { outside: 'guest', by: { at: { file: 'platform/a.yaml' } }, unmanaged: { at: { file: 'pay/a.yaml' } } },
    ],
  ])('the hold says both: %s', (_what, text, expected) => {
    expect(heldIn({ platform, pay: text }, existing)).toMatchObject([{ kind: 'outranked', ...expected }])
  })
  test('a key that waits keeps the mappings under earlier names', () => {
    const renamed = 'projectRoles: [ { group: pay-devs, project: PAY, role: member, previously: all-staff } ]'
    expect(planned({ platform, pay: renamed }, ['PAY all-staff guest', ...existing], { policy: 'exclusive' })).toEqual([
      'hold acme/project/PAY/all-staff: requires',
      'hold acme/project/PAY/pay-devs: outranked',
    ])
  })
  test('and takes or holds no mapping that a file without limits renames', () => {
    const renames = (to: string) => `projectRoles: [ { group: ${to}, project: PAY, role: guest, previously: pay-old } ]`
    const old = ['PAY pay-old guest']
    const inOrder = (open: string, inside: string) => planned({ platform: renames(open), pay: renames(inside) }, old).toSorted()
    for (const [open, inside] of [
      ['pay-devs', 'pay-leads'],
      ['pay-leads', 'pay-devs'],
    ] as const)
      expect(inOrder(open, inside)).toEqual([`create PAY ${inside} = guest`, `rename PAY pay-old → ${open}: guest → guest`])
    expect(inOrder('pay-devs', 'pay-none')).toEqual([
      'hold acme/project/PAY/pay-none: groupUnknown',
      'rename PAY pay-old → pay-devs: guest → guest',
    ])
    const both =
      'projectRoles: [ { group: pay-none, project: PAY, role: guest, previously: pay-old }, { group: pay-devs, project: PAY, role: guest, previously: pay-old } ]'
    for (const file of ['pay', 'platform']) expect(planned({ [file]: both }, old)).toContain('hold acme/project/PAY/pay-devs: requires')
    expect(planned({ platform: renames('pay-none'), pay: renames('pay-devs') }, old)).toContain('hold acme/project/PAY/pay-devs: requires')
  })
  test('exact words of a file without limits win over patterns and unmanaged entries inside fences', () => {
    const all = 'projectRoles: [ { groupGlob: "pay-*", project: PAY, role: member } ]'
    const has = ['PAY pay-devs member', 'PAY pay-leads member']
    expect(planned({ platform: 'removed: [ { group: pay-devs, project: PAY } ]', pay: all }, has)).toEqual([
      'delete PAY pay-devs = member (removed)',
    ])
    expect(planned({ platform: 'projectRoles: [ { group: pay-devs, project: PAY, role: guest } ]', pay: all }, has)).toEqual([
      'patch PAY pay-devs: member → guest',
    ])
    const unmanaged = 'unmanaged: [ { groupGlob: "*", project: PAY } ]'
    expect(planned({ platform: 'removed: [ { group: pay-devs, project: PAY } ]', pay: unmanaged }, has)).toEqual([
      'delete PAY pay-devs = member (removed)',
    ])
  })
  test('the same role is no difference', () => {
    expect(planned({ platform, pay: 'projectRoles: [ { group: pay-devs, project: PAY, role: guest } ]' }, existing)).toEqual([])
  })
  test('a rule that has ended, or starts later, says nothing', () => {
    const ended = 'projectRoles: [ { groupGlob: "pay-*", project: PAY, role: guest, expires: 2020-01-01 } ]'
    const member = 'projectRoles: [ { group: pay-devs, project: PAY, role: member } ]'
    const nowMs = Date.parse('2026-01-01')
    expect(planned({ platform: ended, pay: member }, [], { nowMs })).toEqual(['create PAY pay-devs = member'])
    expect(planned({ platform, pay: ended.replaceAll('guest', 'member') }, existing, { nowMs })).toEqual([])
    const later = platform.replace('guest', 'guest, starts: 2030-01-01')
    expect(planned({ platform: later, pay: member }, [], { nowMs })).toEqual(['create PAY pay-devs = member'])
  })
  test('what is unmanaged there stays unmanaged', () => {
    const unmanaged = 'unmanaged: [ { groupGlob: "pay-*" } ]'
    expect(planned({ platform: unmanaged, pay: 'projectRoles: [ { groupGlob: "*", project: PAY, role: member } ]' }, existing)).toEqual([
      'create PAY all-staff = member',
    ])
  })
})
