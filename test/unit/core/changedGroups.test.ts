import { describe, expect, test } from 'vitest'
import { changedGroupFindings } from '../../../src/core/findings/changedGroup.ts'
import { type Group, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { withMeantIds } from '../../../src/core/memory/meantIds.ts'
import { checkGroups } from '../../../src/core/resolve/groups.ts'
import type { Rule } from '../../../src/core/rule.ts'
import {
  complete,
  failed,
  groups,
  groupsIn,
  hash,
  lines,
  matchesIn,
  partial,
  pattern,
  planOf,
  rule,
  type SmallWorld,
  seenOf,
} from './smallWorld.ts'

/** The world after an earlier cycle that saw the groups `before`. */
function afterCycle(before: SmallWorld['directories'], world: SmallWorld): SmallWorld {
  const { ids } = groupsIn(seenOf({ ...world, directories: before ?? {} }))
  return { ...world, knownGroups: withMeantIds(world.knownGroups ?? {}, ids) }
}
/** The same world one cycle later. */
const nextCycle = (world: SmallWorld): SmallWorld => afterCycle(world.directories, world)

const corp = { corp: ['devs#1', 'ops#2'] }
const remade = { corp: ['devs#3', 'ops#2'] }
const devs = (more: Partial<Rule> = {}) => rule('devs', 'ENG', 'member', more)
const planned = (world: SmallWorld) => lines(planOf(world))
const told = (world: SmallWorld) => changedGroupFindings(groupsIn(seenOf(world)).byDirectory, 'any').map(({ sentence }) => sentence)
const findings = (world: SmallWorld) => changedGroupFindings(groupsIn(seenOf(world)).byDirectory, 'any')
/** The id of a waiver, which a person may have in a command: it stays the same in later versions. */
const waiverOf = (...words: readonly unknown[]) => hash(JSON.stringify(words)).slice(0, 32)
const changedIn = (world: SmallWorld) => [...groupsIn(seenOf(world)).changed.values()].flatMap((groups) => [...groups.values()])
const passIn = (world: SmallWorld) => changedIn(world)[0]?.pass ?? ''
const sentence =
  'group devs of corp is another group now, with another id; the group that the rule meant was not found; its mappings stay as they are, and new grants wait'
const world = (more: SmallWorld): SmallWorld => afterCycle(corp, { rules: [devs()], directories: remade, ...more })

describe('a group that was made again under its name', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['a mapping that is not there', {}, ['hold acme/project/ENG/devs: groupChanged']],
    ['a raise', { existing: ['ENG devs guest'] }, ['hold acme/project/ENG/devs: groupChanged']],
    ['a role that the order does not have', { existing: ['ENG devs odd'] }, ['hold acme/project/ENG/devs: groupChanged']],
    [
      'a rename',
      { rules: [devs({ previously: 'x' as never })], existing: ['ENG x member'] },
      ['hold acme/project/ENG/devs: groupChanged', 'hold acme/project/ENG/x: requires'],
    ],
    ['a mapping as it is declared', { existing: ['ENG devs member'] }, []],
    [
      'a mapping with the role that the service stores for the declared one',
      { existing: ['ENG devs guest'], echoes: { member: 'guest' } },
      [],
    ],
    ['a lowering', { existing: ['ENG devs admin'] }, ['patch ENG devs: admin → member']],
    ['a removal', { rules: [], removed: ['ENG devs'], existing: ['ENG devs member'] }, ['delete ENG devs = member (removed)']],
    ['an expiry', { rules: [devs({ expiresMs: 0 })], existing: ['ENG devs member'] }, ['delete ENG devs = member (expired)']],
    ['another group', { rules: [devs(), rule('ops', 'ENG', 'guest')], existing: ['ENG devs member'] }, ['create ENG ops = guest']],
  ])('%s', (_what, more, expected) => expect(planned(world(more))).toEqual(expected))

  test.each<[string, readonly Rule[], readonly string[]]>([
    ['an end has no row, since there is no mapping', [devs({ expiresMs: 5 })], []],
    ['a next rule that waits in the same way has none', [devs({ expiresMs: 5 }), devs({ startsMs: 5 })], []],
    [
      'a next rule with another role has one',
      [devs({ expiresMs: 5 }), rule('devs', 'ENG', 'guest', { startsMs: 5 })],
      ['5 create guest (groupChanged)'],
    ],
  ])('of a grant that waits, %s', (_what, rules, expected) => {
    const { later } = planOf(world({ rules, nowMs: 4 }))
    expect(later.map(({ atMs, write, waits }) => `${atMs} ${write.action} ${'role' in write ? write.role : ''} (${waits?.kind})`)).toEqual(
      expected,
    )
  })

  test('duplicates are deleted under sync, and the kept one is not raised', () => {
    const twice = world({ existing: ['ENG devs guest', 'ENG devs commenter'], policy: 'exclusive' })
    expect(planned(twice)).toEqual(['delete ENG devs = guest (duplicate)', 'hold acme/project/ENG/devs: groupChanged'])
  })
  test('gets the role of a newer pattern, if no exact rule of the same rights names it', () => {
    const beside = (more: Partial<Rule>) => {
      const seen = world({ rules: [devs(more)] })
      return planned({ ...seen, rules: [...(seen.rules ?? []), pattern('dev.*', 'ENG', 'member')] })
    }
    expect(beside({ fenced: true })).toEqual(['create ENG devs = member'])
    expect(beside({})).toEqual(['hold acme/project/ENG/devs: groupChanged'])
    const both = world({ rules: [devs({ fenced: true }), pattern('dev.*', 'ENG', 'member')] })
    expect(planned(both)).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is told at every cycle, whether anything waits or not', () => {
    let seen = world({ existing: ['ENG devs member'] })
    for (let cycle = 0; cycle < 3; cycle++) {
      expect(told(seen)).toEqual([sentence])
      seen = nextCycle(seen)
    }
    expect(planned({ ...seen, existing: [] })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is told with its rule and what to do', () => {
    const seen = world({})
    const { at } = seen.rules?.[0]?.because ?? { at: undefined }
    expect(findings(seen)).toEqual([
      {
        code: 'group-changed',
        severity: 'warning',
        place: `groups.yaml:${at?.line}:5`,
        sentence,
        cure: `if the group of today is meant, edit the rule, or: apply --allow ${passIn(seen)}`,
      },
    ])
  })
  test('is told once, by its first rule, for all rules that meant the same group', () => {
    const seen = world({ rules: [devs(), rule('devs', 'OPS', 'guest')] })
    expect(told(seen)).toEqual([sentence])
    expect(findings({ ...seen, rules: (seen.rules ?? []).toReversed() })).toEqual(findings(seen))
    expect(planned(seen)).toEqual(['hold acme/project/ENG/devs: groupChanged', 'hold acme/project/OPS/devs: groupChanged'])
  })
  test('is followed when the text of the rule changes, and only by that rule', () => {
    const seen = nextCycle(world({ rules: [devs(), rule('devs', 'OPS', 'guest')] }))
    const [, other] = seen.rules ?? []
    const edited = { ...seen, rules: [rule('devs', 'ENG', 'guest'), other as Rule] }
    expect(planned(edited)).toEqual(['create ENG devs = guest', 'hold acme/project/OPS/devs: groupChanged'])
    expect(planned(nextCycle(edited))).toEqual(planned(edited))
  })
  test('is held when only the place of the rule, its owner or its directories change', () => {
    const moved = devs({ because: { at: { file: 'other.yaml', line: 7, column: 1 }, owner: 'new-team' }, from: ['corp'] })
    expect(planned({ ...world({}), rules: [moved] })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is followed when a waiver names it, from then on without the waiver', () => {
    const seen = world({})
    const waived = { ...seen, waived: [passIn(seen)] }
    expect(planned(waived)).toEqual(['create ENG devs = member'])
    expect(told(waived)).toEqual([])
    expect(groupsIn(seenOf(waived)).waived).toEqual([passIn(seen)])
    expect(groupsIn(seenOf(waived)).ids).toEqual({ 'corp/devs': { 3: [expect.any(String)] } })
    const later = { ...nextCycle(waived), waived: [] }
    expect(planned(later)).toEqual(['create ENG devs = member'])
    expect(told({ ...later, ...corp, directories: corp })).toHaveLength(1)
  })
  test('is not accepted by the waiver of another change', () => {
    const passes = [remade, { corp: ['devs#4'] }, { corp: ['ops#3'] }].map((directories) => passIn({ ...world({}), directories }))
    expect(new Set(passes).size).toBe(3)
    expect(planned({ ...world({}), waived: passes.slice(1) })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('has a waiver that is made of the two groups; the waiver for the whole directory is made of these', () => {
    const pass = waiverOf('group', 'devs', 'corp', '1', 'corp', '3')
    const { byDirectory } = groupsIn(seenOf(world({})))
    expect(changedIn(world({}))).toStrictEqual([{ kind: 'groupChanged', group: 'devs', directory: 'corp', pass }])
    expect(byDirectory).toMatchObject([{ directory: 'corp', pass: waiverOf('groups', 'corp', [pass]) }])
  })
  test('is forgotten after a waiver for each rule of this text, whichever directories the rule asks', () => {
    const [inHome, inLab] = [devs({ from: ['home'] }), devs({ from: ['lab'] })]
    const before = { corp: [], home: ['devs#2'], lab: ['devs#1'] }
    const rules = [devs({ from: ['corp', 'lab'] }), inLab, devs({ from: ['corp', 'home', 'lab'] })]
    const moved = { ...afterCycle(before, { rules: [inHome, inLab] }), rules, directories: { corp: ['devs#3'], home: [], lab: [] } }
    const { ids } = groupsIn(seenOf({ ...moved, waived: [waiverOf('group', 'devs', 'lab', '1', 'corp', '3')] }))
    expect(ids).toEqual({ 'corp/devs': { 3: [expect.any(String)] }, 'lab/devs': {} })
  })
  test('is the same group again when it comes back with its id', () => {
    const seen = nextCycle(world({ existing: ['ENG devs guest'] }))
    expect(planned({ ...seen, directories: corp })).toEqual(['patch ENG devs: guest → member'])
    expect(told({ ...seen, directories: corp })).toEqual([])
  })
  test('is held after any time in which it was gone, or its directory could not be read', () => {
    const between = [
      { corp: ['ops#2'] },
      { corp: failed },
      { corp: partial(groups('ops#2')) },
      { corp: ['devs#3@a', 'devs#4@b'] },
      { corp: ['devs'] },
    ]
    const seen = between.reduce<SmallWorld>((sofar, directories) => afterCycle(directories, sofar), world({}))
    expect(planned(seen)).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is told from half a reading, in which its rule waits for the rest', () => {
    const half = world({ directories: { corp: partial(groups('devs#3')) } })
    expect(told(half)).toEqual([sentence])
    expect(planned(half)).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
  })
  test.each([
    ['over', 0, []],
    ['not over yet', 1, [sentence]],
  ])('is told of a rule until the rule is over: %s', (_when, expiresMs, expected) =>
    expect(told(world({ rules: [devs({ expiresMs })] }))).toEqual(expected),
  )
  test('waits for one rule, and another rule of the same key that means the new group grants', () => {
    const seen = nextCycle(world({}))
    const [old] = seen.rules ?? []
    const fresh = devs({ because: { at: { file: 'z.yaml', line: 1, column: 1 }, reason: 'the new one' } })
    expect(planned({ ...seen, rules: [old as Rule, fresh] })).toEqual(['create ENG devs = member'])
  })
  test('decides about its key, beside a rule that does not find the group in its directories', () => {
    const rules = [devs({ from: ['lab'] }), devs()]
    const seen = afterCycle({ ...corp, lab: [] }, { rules, directories: { ...remade, lab: [] } })
    expect(planned({ ...seen, existing: ['ENG devs admin'] })).toEqual(['patch ENG devs: admin → member'])
    expect(planned(seen)).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
})

describe('a group that a pattern matched, and that was made again', () => {
  const wide = (more: Partial<Rule> = {}) => pattern('dev.*', 'ENG', 'member', more)
  const matched = (more: SmallWorld = {}) => world({ rules: [wide()], ...more })
  test.each<[string, SmallWorld, readonly string[]]>([
    ['a mapping that is not there', {}, ['hold acme/project/ENG/devs: groupChanged']],
    ['a raise', { existing: ['ENG devs guest'] }, ['hold acme/project/ENG/devs: groupChanged']],
    ['a mapping as it is declared', { existing: ['ENG devs member'] }, []],
    ['a lowering', { existing: ['ENG devs admin'] }, ['patch ENG devs: admin → member']],
    ['an expiry', { rules: [wide({ expiresMs: 0 })], existing: ['ENG devs member'] }, ['delete ENG devs = member (expired)']],
  ])('%s', (_what, more, expected) => expect(planned(matched(more))).toEqual(expected))
  test('is told with the rule', () => {
    const seen = matched()
    expect(findings(seen)).toMatchObject([{ place: `groups.yaml:${seen.rules?.[0]?.because.at.line}:5`, sentence }])
  })
  test('waits alone: other groups of the pattern get their role, also new ones', () => {
    const seen = afterCycle({ corp: ['devs#1', 'devops#2'] }, { rules: [wide()], directories: { corp: ['devs#3', 'devops#2', 'dev#9'] } })
    expect(planned(seen)).toEqual(['create ENG dev = member', 'create ENG devops = member', 'hold acme/project/ENG/devs: groupChanged'])
  })
  test('is followed when the text of the rule changes, or when a waiver names it', () => {
    const seen = matched()
    expect(planned({ ...seen, rules: [pattern('dev.*', 'ENG', 'guest')] })).toEqual(['create ENG devs = guest'])
    const waived = { ...seen, waived: [passIn(seen)] }
    expect(planned(waived)).toEqual(['create ENG devs = member'])
    expect(planned({ ...nextCycle(waived), waived: [] })).toEqual(['create ENG devs = member'])
  })
  test('is held after the group was gone for a time, while a mapping had its name', () => {
    const between = afterCycle({ corp: ['ops#2'] }, matched({ existing: ['ENG devs guest'] }))
    expect(planned(between)).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is a new group after a time in which neither the directory nor a mapping had its name', () => {
    expect(planned(afterCycle({ corp: ['ops#2'] }, matched()))).toEqual(['create ENG devs = member'])
    expect(groupsIn(seenOf({ ...matched(), directories: { corp: ['ops#2'] } })).ids).toEqual({ 'corp/devs': {} })
  })
  const incomplete = new Map([['projectRoles', partial([])]] as const)
  test.each<[string, SmallWorld]>([
    ['the directory could not be read', { directories: { corp: failed } }],
    ['half of the directory was read', { directories: { corp: partial(groups('ops#2')) } }],
    ['half of the mappings were read', { directories: { corp: ['ops#2'] }, lists: incomplete }],
  ])('is not forgotten in a cycle in which %s', (_what, between) => {
    const { ids } = groupsIn(seenOf({ ...matched(), ...between }))
    expect(ids).toEqual({})
  })
  test('of a group that the rule excepts, nothing is remembered', () => {
    const { groups: selector } = wide()
    if (selector.kind === 'exact') throw new Error('an exact rule')
    const excepting = wide({ groups: { ...selector, except: new Set(['devs' as GroupName]) } })
    expect(groupsIn(seenOf({ rules: [excepting], directories: corp })).ids).toEqual({})
  })
  test('with many others: one finding for the directory, and one waiver', () => {
    const names = ['dev1', 'dev2', 'dev3', 'dev4']
    const at = (generation: number) => ({ corp: names.map((name) => `${name}#${generation}${name}`) })
    const seen = afterCycle(at(1), { rules: [wide()], directories: at(2) })
    expect(told(seen)).toEqual([
      expect.stringContaining('4 groups of corp are other groups now, with other ids: dev1, dev2, dev3 and 1 more'),
    ])
    const pass = groupsIn(seenOf(seen)).byDirectory[0]?.pass ?? ''
    expect(planned({ ...seen, waived: [pass] })).toHaveLength(4)
    expect(told({ ...nextCycle({ ...seen, waived: [pass] }), waived: [] })).toEqual([])
  })
})

describe('two groups', () => {
  const both = [devs(), rule('ops', 'OPS', 'guest')]
  test('that swapped their names are told with the names that they have now', () => {
    const swapped = world({ rules: both, directories: { corp: ['devs#2', 'ops#1'] }, existing: ['ENG devs member'] })
    expect(told(swapped)).toEqual([
      expect.stringContaining('group devs of corp is another group now, with another id; the group that the rule meant is called ops now'),
      expect.stringContaining('group ops of corp is another group now, with another id; the group that the rule meant is called devs now'),
    ])
    expect(findings(swapped)[0]?.cure).toMatch(/^if the former group is meant, write ops in the file; if the group of today is meant/)
    expect(planned(swapped)).toEqual(['hold acme/project/OPS/ops: groupChanged'])
  })
  test('of which one took the name of the other, that has a new name', () => {
    const taken = world({ directories: { corp: ['devs#2', 'developers#1'] } })
    expect(told(taken)).toEqual([expect.stringContaining('the group that the rule meant is called developers now')])
  })
  test('of which one has several names now: none of them is said to be its name', () => {
    const names = ['developers', 'engineers'] as GroupName[]
    const entry = names.map((name): Group => ({ name, id: '1', place: 'cn=developers', names }))
    const other: Group = { name: 'devs' as GroupName, id: '3', place: 'cn=devs' }
    expect(told(world({ directories: { corp: complete(indexGroups([...entry, other])) } }))).toEqual([sentence])
  })
  test('that have one name are no change: the rule is held, since the name is ambiguous', () => {
    const twice = world({ directories: { corp: ['devs#3', 'devs#4'] } })
    expect(told(twice)).toEqual([])
    expect(planned(twice)).toEqual(['hold acme/project/ENG/devs: ambiguous'])
  })
  test('of two directories are told in the order of the directories, whatever the order of the rules is', () => {
    const seen = { rules: [rule('ops', 'ENG', 'guest'), devs()], directories: { lab: ['ops#4'], corp: ['devs#3'] } }
    expect(told(afterCycle({ lab: ['ops#2'], corp: ['devs#1'] }, seen))).toEqual([
      sentence,
      expect.stringContaining('group ops of lab is another group now'),
    ])
  })
})

describe('a group that is in another directory now', () => {
  const lab = { corp: ['ops#2'], lab: ['devs#9'] }
  const before = { corp: ['devs#1', 'ops#2'], lab: ['x#8'] }
  const moved = (more: SmallWorld) => afterCycle(before, { rules: [devs()], directories: lab, ...more })
  test('is told and held', () => {
    expect(planned(moved({}))).toEqual(['hold acme/project/ENG/devs: groupChanged'])
    expect(told(moved({}))).toEqual([
      'group devs is in lab now; the group that the rule meant was in corp and was not found; its mappings stay as they are, and new grants wait',
    ])
  })
  test('is the same group where it has its id', () => {
    expect(planned(moved({ directories: { corp: [], lab: ['devs#1'] } }))).toEqual(['create ENG devs = member'])
  })
  test.each([
    ['failed', failed],
    ['partial', partial(groups('ops#2'))],
  ])('is not told while the first one is %s: it may have the name, too', (_how, reading) => {
    const seen = moved({ directories: { ...lab, corp: reading } })
    expect(told(seen)).toEqual([])
    expect(planned(seen)).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
    expect(planned({ ...nextCycle(seen), directories: lab })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is followed where the rule or the settings no longer name the first one', () => {
    expect(planned(moved({ rules: [devs({ from: ['lab'] })] }))).toEqual(['create ENG devs = member'])
    expect(planned({ ...moved({}), directories: { lab: ['devs#9'] } })).toEqual(['create ENG devs = member'])
  })
  test('keeps what it was while both have the name', () => {
    const ambiguous = nextCycle(moved({ directories: { corp: ['devs#1'], lab: ['devs#9'] } }))
    expect(planned(ambiguous)).toEqual(['hold acme/project/ENG/devs: ambiguous'])
    expect(planned({ ...ambiguous, directories: lab })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('is compared with the group that the rule meant there, if the rule meant one in each directory', () => {
    const meantBoth = (now: readonly string[]) => {
      const first = afterCycle({ corp: ['devs#1'] }, { rules: [devs()] })
      return told({ ...afterCycle({ lab: ['devs#9'] }, first), directories: { corp: [], lab: now } })
    }
    expect(meantBoth(['devs#9'])).toEqual([])
    expect(meantBoth(['devs#10'])).toEqual([expect.stringContaining('group devs of lab is another group now')])
  })
})

describe('without ids of its own', () => {
  const bare = { corp: ['devs', 'ops'] }
  test('a group is never another one', () => {
    expect(planned(afterCycle(bare, { rules: [devs()], directories: { corp: ['devs@elsewhere'] } }))).toEqual(['create ENG devs = member'])
  })
  test('that appear, nothing was remembered; they are from then on', () => {
    const seen = afterCycle(bare, { rules: [devs()], directories: corp })
    expect(planned(seen)).toEqual(['create ENG devs = member'])
    expect(planned({ ...nextCycle(seen), directories: remade })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('that vanish, nothing is told, and they stay remembered', () => {
    const seen = nextCycle(world({ directories: bare }))
    expect(planned(seen)).toEqual(['create ENG devs = member'])
    expect(planned({ ...seen, directories: remade })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('a name in the place of an id is none', () => {
    expect(groupsIn(seenOf({ rules: [devs()], directories: { corp: ['devs#devs'] } })).ids).toEqual({})
  })
})

describe('a directory that was replaced as a whole', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const rules = names.map((name) => rule(name, 'ENG', 'member'))
  const replaced = afterCycle(
    { corp: names.map((name) => `${name}#1${name}`) },
    { rules, directories: { corp: names.map((name) => `${name}#2${name}`) } },
  )
  test('is one finding, that says how to accept all', () => {
    const [one, ...more] = findings(replaced)
    expect(more).toEqual([])
    expect(one).toMatchObject({ code: 'group-changed', place: 'corp' })
    expect(one?.sentence).toBe(
      '5 groups of corp are other groups now, with other ids: a, b, c and 2 more; their mappings stay as they are, and new grants wait',
    )
    const pass = /--allow ([0-9a-f]{32})/.exec(one?.cure ?? '')?.[1] ?? ''
    const waived = { ...replaced, waived: [pass] }
    expect(told(waived)).toEqual([])
    expect(planned(waived)).toHaveLength(5)
    expect(groupsIn(seenOf(waived)).waived).toEqual([pass])
    expect(told({ ...nextCycle(waived), waived: [] })).toEqual([])
  })
  test('has another waiver when one more group changes', () => {
    const passOf = (seen: SmallWorld) => groupsIn(seenOf(seen)).byDirectory[0]?.pass
    expect(passOf({ ...replaced, directories: { corp: names.map((name) => `${name}#3${name}`) } })).not.toBe(passOf(replaced))
    expect(passOf({ ...replaced, rules: rules.toReversed() })).toBe(passOf(replaced))
  })
  test('three groups have a finding each', () => {
    expect(findings({ ...replaced, rules: rules.slice(0, 3) })).toHaveLength(3)
    expect(findings({ ...replaced, rules: rules.slice(0, 4) })).toHaveLength(1)
  })
})

describe('what is remembered', () => {
  const learned = (seen: SmallWorld) => groupsIn(seenOf(seen)).ids
  const textOf = (seen: SmallWorld) => Object.values(learned(seen)['corp/devs'] ?? {}).flat()
  test('is the id for each text, once', () => {
    const fresh: SmallWorld = { rules: [devs(), rule('devs', 'OPS', 'guest'), rule('ops', 'workspace', 'guest')], directories: corp }
    expect(learned(fresh)).toEqual({ 'corp/devs': { 1: textOf(fresh) }, 'corp/ops': { 2: [expect.any(String)] } })
    expect(textOf(fresh)).toHaveLength(2)
    expect(learned(nextCycle(fresh))).toEqual({})
  })
  test('loses the text of a rule that is gone, but not while its group is another one', () => {
    expect(learned({ ...world({}), directories: corp, rules: [] })).toEqual({ 'corp/devs': {} })
    expect(learned({ ...world({}), rules: [] })).toEqual({})
    expect(learned({ ...world({}), directories: { corp: failed }, rules: [] })).toEqual({})
    expect(learned({ ...world({}), directories: { corp: ['devs#1', 'devs#4'] }, rules: [] })).toEqual({})
  })
  test('loses such a text in the directory that has the group', () => {
    const both = { corp: ['ops#2'], lab: ['devs#9'] }
    expect(learned({ ...afterCycle(both, { rules: [devs()], directories: both }), rules: [] })).toEqual({ 'lab/devs': {} })
  })
  test('needs whole readings of all directories of the rule', () => {
    expect(learned({ rules: [devs()], directories: { ...corp, lab: failed } })).toEqual({})
    expect(learned({ rules: [devs()], directories: { corp: partial(groups('devs#1')) } })).toEqual({})
    expect(Object.keys(learned({ rules: [devs({ from: ['corp'] })], directories: { ...corp, lab: failed } }))).toEqual(['corp/devs'])
    // The settings have no directory lab.
    expect(learned({ rules: [devs({ from: ['corp', 'lab'] })], directories: corp })).toEqual({})
  })
})

describe('a journal of an older version, that has the last id of each name', () => {
  const check = (lastId: string, directories: SmallWorld['directories'] = corp, waived: readonly string[] = [], rules = [devs()]) => {
    const seen = seenOf({ rules, directories: directories ?? {} })
    const remembered = {
      ids: undefined,
      lastId: (name: string) => (name.startsWith('corp/') ? lastId : undefined),
      countOf: () => 0,
      isWaived: (pass: string) => waived.includes(pass),
    }
    const names = { matches: matchesIn(seen.declared, seen.directories, []), isWhole: true }
    return checkGroups(seen.declared.rules, seen.directories, remembered, names, hash, { hereMs: 0, thereMs: undefined })
  }
  test('gives the texts of today their ids', () => {
    expect(check('1')).toMatchObject({ byDirectory: [], ids: { 'corp/devs': { 1: [expect.any(String)] } } })
    const { byDirectory, ids } = check('0')
    expect(byDirectory).toMatchObject([{ directory: 'corp', groups: [{ reason: { group: 'devs' } }] }])
    expect(Object.keys(ids['corp/devs'] ?? {})).toEqual(['0'])
    const pass = byDirectory[0]?.groups[0]?.reason.pass ?? ''
    expect(Object.keys(check('0', corp, [pass]).ids['corp/devs'] ?? {})).toEqual(['1'])
  })
  test.each([
    ['its directory cannot be read', { corp: failed }],
    ['it is not there', { corp: ['ops#2'] }],
    ['it is in neither directory', { corp: ['ops#2'], lab: ['x#8'] }],
  ])('the id is kept while %s, and tells the group that comes back', (_what, directories) => {
    const { ids } = check('0', directories)
    expect(ids).toEqual({ 'corp/devs': { 0: [expect.any(String)] } })
    expect(planned({ rules: [devs()], directories: corp, knownGroups: ids })).toEqual(['hold acme/project/ENG/devs: groupChanged'])
  })
  test('has places and names instead of ids, which are none', () => {
    expect(Object.keys(check('cn=devs').ids['corp/devs'] ?? {})).toEqual(['1'])
    expect(Object.keys(check('devs').ids['corp/devs'] ?? {})).toEqual(['1'])
    expect(check('devs', { corp: ['ops#2'] }).ids).toEqual({})
  })
  test.each([
    ['without an id of its own', { corp: ['devs'], lab: ['x#8'] }],
    ['several times', { corp: ['devs#3', 'devs#4'], lab: ['x#8'] }],
  ])('the id is not kept while a directory shows the name %s', (_how, directories) => expect(check('0', directories).ids).toEqual({}))
  test('has the last id of a group that a pattern matches, if an exact rule named the group', () => {
    expect(Object.keys(check('0', corp, [], [pattern('dev.*', 'ENG', 'member')]).ids['corp/devs'] ?? {})).toEqual(['0'])
  })
})

test('a former group whose name no file may have is not to be written there', () => {
  const groups = [
    {
      because: { at: { file: 'a.yaml', line: 1, column: 1 } },
      reason: { kind: 'groupChanged', group: 'devs' as GroupName, directory: 'corp', called: 'devs\u200b' as GroupName, pass: 'p' },
    },
  ] as const
  const [found] = changedGroupFindings([{ directory: 'corp', groups, pass: 'p' }], 'any')
  expect(found?.cure).toBe('if the group of today is meant, edit the rule, or: apply --allow p')
})
