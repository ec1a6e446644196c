import { describe, expect, test } from 'vitest'
import { isOwnedInPart } from '../../../src/core/existing.ts'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { removalHash, ruleHash } from '../../../src/core/resolve/textName.ts'
import type { FrozenFile, Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { declaredBy, heldIn, planned, planOfFiles } from './fencedFiles.ts'
import { hash, lines, pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const devs = (role: string, more = '') => `{ group: pay-devs, project: PAY, role: ${role}${more} }`
const all = (role: string, more = '') => `{ groupGlob: "pay-*", project: PAY, role: ${role}${more} }`
const rules = (...entries: readonly string[]) => `projectRoles: [ ${entries.join(', ')} ]`
const removed = 'removed: [ { group: pay-devs, project: PAY } ]'
const unmanaged = 'unmanaged: [ { group: pay-devs, project: PAY } ]'

describe('a file without limits and a file inside a fence', () => {
  test('an exact rule wins over the file inside the fence, also beside a pattern of its own file', () => {
    expect(planned({ platform: rules(devs('guest'), all('member')), pay: rules(all('member')) }, ['PAY pay-devs member'])).toEqual([
      'patch PAY pay-devs: member → guest',
      'create PAY pay-leads = member',
    ])
  })
  test('the same role is no difference, also if the rule inside the fence has to wait for its project', () => {
    const platform = rules(all('guest', ', unknownProjects: send'))
    expect(planned({ platform, pay: rules(devs('guest')) }, [], { projects: ['OPS'] })).toEqual([
      'create PAY pay-devs = guest',
      'create PAY pay-leads = guest',
    ])
    expect(heldIn({ platform, pay: rules(devs('member')) }, [], { projects: ['OPS'] })).toMatchObject([
      { kind: 'outranked', outside: 'guest', inside: 'member' },
    ])
  })
  test('patterns of the file without limits that differ give no role, and the hold has none of it', () => {
    const platform = rules(all('guest'), '{ groupGlob: "*-devs", project: PAY, role: admin }')
    const [held] = heldIn({ platform, pay: rules(devs('member')) })
    expect(held).toMatchObject({ kind: 'outranked', inside: 'member' })
    expect(held).not.toHaveProperty('outside')
  })
  test('a removal inside the fence that contradicts a pattern is outranked, also if the removal meant another project', () => {
    const [platform, pay] = [rules(all('guest')), `${removed}, ${rules()}`]
    const [removal] = declaredBy({ pay }).removed as [WorkspaceDeclaration['removed'][number]]
    const known = { PAY: { 'id-OLD': [removalHash(removal, hash)] } }
    const existing = ['PAY pay-devs member']
    expect(heldIn({ pay }, existing, { known })).toMatchObject([{ kind: 'projectChanged' }])
    expect(heldIn({ platform, pay }, existing, { known })).toMatchObject([{ kind: 'outranked', outside: 'guest', inside: null }])
  })
  test('a pattern that gives the same protected role decides, so `allowProtected` inside the fence does not count', () => {
    const inside = rule('devs', 'ENG', 'admin', { fenced: true, allowProtected: true })
    const changes = (...more: readonly Rule[]) => planOf({ directories: { corp: ['devs'] }, rules: [inside, ...more] }).changes
    expect(changes()).toMatchObject([{ action: 'create', allowProtected: true }])
    expect(changes(pattern('dev.*', 'ENG', 'admin'))).toMatchObject([{ action: 'create', allowProtected: false }])
  })
})

test('a held rule of a file without limits keeps the earlier name of one that starts later, also beside a pattern inside a fence', () => {
  const pay = (role: string, more: string) => `{ group: pay-new, project: PAY, role: ${role}${more} }`
  const platform = rules(pay('guest', ', expires: 2026-01-31'), pay('member', ', starts: 2026-02-01, previously: old'))
  const over = { nowMs: Date.parse('2026-01-01'), policy: 'exclusive' } as const
  const rows = ['PAY old member', 'PAYWEB pay-new guest', 'OPS ops-devs member']
  const alone = planned({ platform }, rows, over)
  expect(alone.filter((line) => line.includes(' old'))).toEqual([])
  const beside = planned({ platform, pay: rules('{ groupGlob: "pay-n*", project: PAY, role: guest }') }, rows, over)
  expect(beside.filter((line) => line.includes(' old'))).toEqual([])
})

describe('two files inside fences', () => {
  test('exact rules that differ hold the key; the hold names both files, and no third one with a pattern', () => {
    expect(heldIn({ web: rules(devs('guest')), pay: rules(devs('member'), all('guest')) })).toMatchObject([
      { kind: 'contested', rules: [{ at: { file: 'pay/a.yaml' } }, { at: { file: 'web/a.yaml' } }] },
    ])
    expect(heldIn({ web: removed, pay: rules(devs('member')) }, ['PAY pay-devs member'])).toMatchObject([
      { kind: 'contested', rules: [{ at: { file: 'pay/a.yaml' } }, { at: { file: 'web/a.yaml' } }] },
    ])
  })
  test('patterns that differ hold it as patterns of one file do: as a conflict', () => {
    const [conflict] = heldIn({ web: rules(all('guest')), pay: rules(all('member')) })
    expect(conflict).toMatchObject({ kind: 'conflict', roles: ['guest', 'member'] })
  })
  test('rules that start later are in no dispute yet', () => {
    const nowMs = Date.parse('2026-01-01')
    const later = (role: string) => rules(devs(role, ', starts: 2030-01-01'))
    expect(heldIn({ web: later('guest'), pay: later('member') }, ['PAY pay-devs member'], { nowMs })).toMatchObject([
      { kind: 'notStarted' },
    ])
  })
  describe('if two clocks disagree about the end of a rule', () => {
    const clocks = { nowMs: Date.parse('2026-01-02T01:00:00Z'), thereMs: Date.parse('2026-01-01T12:00:00Z') }
    const pay = rules(devs('member', ', expires: 2026-01-01'))
    const contested = [{ kind: 'contested', rules: [{ at: { file: 'pay/a.yaml' } }, { at: { file: 'web/a.yaml' } }] }]
    test('another role, or a removal, is in dispute with it: by one of the clocks the rule goes on', () => {
      expect(heldIn({ pay, web: rules(devs('guest')) }, [], clocks)).toMatchObject(contested)
      expect(heldIn({ pay, web: removed }, ['PAY pay-devs member'], clocks)).toMatchObject(contested)
      expect(planned({ pay, web: removed }, ['PAY pay-devs member'], clocks)).toEqual(['hold acme/project/PAY/pay-devs: contested'])
    })
    test('the same role is given, since it does not rest on the date', () =>
      expect(planned({ pay, web: rules(devs('member')) }, [], clocks)).toEqual(['create PAY pay-devs = member']))
    test('a rule that has ended by both clocks is in no dispute', () =>
      expect(planned({ pay, web: rules(devs('guest')) }, [], { ...clocks, thereMs: clocks.nowMs })).toEqual([
        'create PAY pay-devs = guest',
      ]))
    test('two rules that have ended by both clocks want the same: no mapping', () => {
      const web = rules(devs('guest', ', expires: 2026-01-01'))
      expect(planned({ pay, web }, ['PAY pay-devs member'], { ...clocks, thereMs: clocks.nowMs })).toEqual([
        'delete PAY pay-devs = member (expired)',
      ])
    })
  })
  test('what one of them says is unmanaged is held for an exact rule of the other, with both places', () => {
    expect(heldIn({ pay: rules(devs('guest')), web: unmanaged })).toMatchObject([
      { kind: 'contested', rules: [{ at: { file: 'pay/a.yaml' } }, { at: { file: 'web/a.yaml' } }] },
    ])
  })
  test('what one of them says is unmanaged is no match of a pattern of the other', () => {
    expect(planned({ pay: rules(all('guest')), web: unmanaged }, ['PAY pay-devs member'])).toEqual(['create PAY pay-leads = guest'])
  })
})

describe('the mappings of a file inside a fence', () => {
  const existing = ['ENG admins admin', 'PAY ops-devs member', 'PAY pay-devs member', 'PAY pay-leads member']
  const ownedBy = (files: Readonly<Record<string, string>>, has = existing) => planOfFiles(files, has).owned
  test('are those that its limits are shares of: neither the others of the list, nor what is unmanaged', () => {
    expect(ownedBy({ pay: rules() })).toEqual({ projectRoles: 2 })
    expect(ownedBy({ pay: `${rules()}, ${unmanaged}` })).toEqual({ projectRoles: 1 })
    expect(ownedBy({ pay: rules(), platform: rules() })).toEqual({ projectRoles: 4 })
    expect(ownedBy({ platform: rules() })).toEqual({ projectRoles: 4 })
  })
  test('are also those that a file removes from a list that it does not own', () => {
    expect(ownedBy({ pay: removed, ops: rules() }, [...existing, 'OPS ops-devs member'])).toEqual({ projectRoles: 2 })
  })
  test('are those of the whole list if no file owns any of it', () => {
    expect(ownedBy({ pay: removed })).toEqual({ projectRoles: 4 })
  })
  test('make the list owned in part, and no other list', () => {
    const owned = (files: Readonly<Record<string, string>>) => {
      const declared = declaredBy(files)
      return [isOwnedInPart('projectRoles', declared), isOwnedInPart('workspaceRoles', declared)]
    }
    expect(owned({ pay: rules() })).toEqual([true, false])
    expect(owned({ platform: 'workspaceRoles: []' })).toEqual([false, true])
    expect(owned({ pay: rules(), platform: 'workspaceRoles: []' })).toEqual([true, true])
    expect(owned({ pay: removed })).toEqual([false, false])
  })
})

describe('while nothing of a file is used', () => {
  const at = { file: 'web/a.yaml', line: 3, column: 1 }
  const frozen: FrozenFile = { because: { at }, why: 'no', paths: ['web/a.yaml'], names: [], isWhole: true, rights: 'fenced', fence: [] }
  const unread = { frozen: [frozen] }
  const sync = { policy: 'exclusive' } as const
  test('sync deletes nothing undeclared; what is removed is still deleted', () => {
    const files = { platform: `${rules()}, removed: [ { group: ops-devs, project: PAY } ]` }
    const existing = ['ENG admins admin', 'PAY ops-devs member']
    expect(planned(files, existing, sync)).toContain('delete ENG admins = admin (undeclared)')
    const plan = planOfFiles(files, existing, sync, unread)
    expect(plan.changes).toMatchObject([{ action: 'delete', group: 'ops-devs', why: 'removed' }])
    expect(plan.holds).toMatchObject([{ group: 'admins', reason: { kind: 'fileInvalid', at, why: 'no' } }])
  })
  test('sync deletes a duplicate of a mapping that another file declares, and no undeclared duplicate', () => {
    const existing = ['PAY pay-devs member', 'PAY pay-devs guest', 'ENG admins admin', 'ENG admins admin']
    const plan = planOfFiles({ platform: rules(devs('guest')) }, existing, sync, unread)
    expect(plan.changes).toMatchObject([{ action: 'delete', mapping: 'm0', before: 'member', why: 'duplicate' }])
    expect(plan.holds).toMatchObject([{ group: 'admins' }, { group: 'admins' }])
  })
  test('the rules of the other files decide about its mappings, also a rule that has ended', () => {
    const existing = ['PAY pay-devs member']
    expect(planned({ platform: rules(all('guest')) }, existing, {}, unread)).toContain('patch PAY pay-devs: member → guest')
    const ended = { platform: rules(all('guest', ', expires: 2026-01-01')) }
    expect(planned(ended, existing, { nowMs: Date.parse('2026-02-01') }, unread)).toEqual(['delete PAY pay-devs = member (expired)'])
  })
})

describe('the keys that an invalid file inside a fence names', () => {
  const at = { file: 'web/a.yaml', line: 3, column: 1 }
  const exact = (name: string) => ({ kind: 'exact', name: name as GroupName }) as const
  const groups = ['pay-devs', 'pay-leads'].map(exact)
  const PAY = 'PAY' as ProjectIdentifier
  const file: FrozenFile = {
    ...{ because: { at }, why: 'no', paths: ['web/a.yaml'], isWhole: true, rights: 'fenced' },
    names: [{ groups: [...groups, exact('pay-none'), exact('pay-gone')], targets: [{ kind: 'project', project: PAY }] }],
    fence: [{ list: 'projectRoles', groups, projects: { named: new Set([PAY]) }, allProjects: false }],
  }
  const over = { nowMs: Date.parse('2026-02-01') }
  const frozen = (files: Parameters<typeof planOfFiles>[0], existing: readonly string[] = [], more: SmallWorld = {}) =>
    planOfFiles(files, existing, { ...over, ...more }, { frozen: [file] })
  const held = (group: string) => `hold acme/project/PAY/${group}: fileInvalid`
  const none = 'workspaceRoles: []'
  const has = ['PAY pay-devs member']
  test.each<[string, Parameters<typeof frozen>[0], readonly string[], readonly string[]]>([
    ['are held where another file inside a fence has them', { pay: rules(devs('guest')) }, [], [held('pay-devs')]],
    [
      'are held where a pattern has them, and the others are not',
      { platform: rules('{ groupGlob: "*", project: [PAY, OPS], role: guest }') },
      [],
      [
        ...['admins', 'all-staff', 'ops-devs', 'pay-devs', 'pay-leads'].map((group) => `create OPS ${group} = guest`),
        ...['admins', 'all-staff', 'ops-devs'].map((group) => `create PAY ${group} = guest`),
        held('pay-devs'),
        held('pay-leads'),
      ],
    ],
    [
      'are decided by an exact rule of a file without limits',
      { platform: rules(devs('guest')) },
      has,
      ['patch PAY pay-devs: member → guest'],
    ],
    [
      'are decided by it also if a pattern of its file has them',
      { platform: rules(devs('guest'), all('member')) },
      has,
      ['patch PAY pay-devs: member → guest', held('pay-leads')],
    ],
    ['are held where such a rule starts later', { platform: rules(devs('guest', ', starts: 2027-01-01')) }, has, [held('pay-devs')]],
    ['are held where such a rule has ended', { platform: rules(devs('guest', ', expires: 2026-01-01')) }, has, [held('pay-devs')]],
    ['go where such a file removes them', { platform: `${none}, ${removed}` }, has, ['delete PAY pay-devs = member (removed)']],
    ['are held where a file inside a fence removes them', { pay: removed }, has, [held('pay-devs')]],
    ['are held where nothing declares them', { platform: none }, [...has, 'OPS pay-devs guest', 'PAY ops-devs guest'], [held('pay-devs')]],
    ['are not held where they are unmanaged', { platform: `${none}, ${unmanaged}` }, has, []],
    [
      'are held for a name that neither a directory nor a mapping has, since a pattern of the fence may have it',
      { pay: rules('{ group: pay-none, project: PAY, role: guest, unknownGroups: send }') },
      [],
      [held('pay-none')],
    ],
    [
      'are not held for a name that a mapping has, and that is outside the fence',
      { pay: rules('{ group: pay-gone, project: PAY, role: guest, unknownGroups: send }') },
      ['PAY pay-gone member'],
      ['patch PAY pay-gone: member → guest'],
    ],
  ])('%s', (_, files, existing, expected) => expect(lines(frozen(files, existing))).toEqual(expected))

  test.each<[string, readonly string[]]>([
    [devs('guest'), ['patch PAY pay-devs: member → guest']],
    [all('guest'), [held('pay-devs')]],
  ])('are those of its fence if it cannot be read whole, and no other file names the key exactly: %s', (text, expected) => {
    const half = { ...file, names: [], isWhole: false }
    expect(lines(planOfFiles({ pay: rules(text) }, has, over, { frozen: [half] })).filter((line) => /pay-devs/.test(line))).toEqual(
      expected,
    )
  })
  test('keep the mappings under earlier names, and each hold has the place and the reason of the problem', () => {
    const existing = ['PAY all-staff guest']
    const plan = frozen({ platform: rules(), pay: rules(devs('guest', ', previously: all-staff')) }, existing)
    expect(lines(plan)).toEqual(['hold acme/project/PAY/all-staff: requires', held('pay-devs')])
    const reason = { kind: 'fileInvalid', at, why: 'no' }
    expect(frozen({ platform: none }, has).holds).toMatchObject([{ group: 'pay-devs', reason, because: { at } }])
    expect(frozen({ pay: rules(devs('guest')) }, has).holds).toMatchObject([{ group: 'pay-devs', reason, because: { at } }])
  })

  test('are not those of a name that one of two directories has', () => {
    const files = { pay: rules('{ group: all-staff, project: PAY, role: guest }') }
    expect(lines(frozen(files, [], { directories: { corp: ['all-staff'], lab: ['other'] } }))).toEqual(['create PAY all-staff = guest'])
  })

  test('are held for the file, also in a project that is another one now', () => {
    const files = { platform: rules('{ group: admins, project: PAY, role: guest }') }
    const known = { PAY: { old: declaredBy(files).rules.map((one) => ruleHash(one, hash)) } }
    expect(lines(frozen(files, has, { known }))).toEqual(['hold acme/project/PAY/admins: projectChanged', held('pay-devs')])
  })

  test('wait at dates, too', () => {
    const later = frozen({
      pay: rules(devs('guest', ', starts: 2026-02-05'), '{ group: all-staff, project: PAY, role: guest, starts: 2026-02-05 }'),
    })
    expect(later.later).toMatchObject([
      { group: 'all-staff', write: { action: 'create', role: 'guest' } },
      { group: 'pay-devs', waits: { kind: 'fileInvalid' } },
    ])
    expect(later.later[0]).not.toHaveProperty('waits')
  })
})
