import { describe, expect, test } from 'vitest'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { type MeantIds, withMeantIds } from '../../../src/core/memory/meantIds.ts'
import type { GroupSelector, Rule, TargetSelector, Unmanaged } from '../../../src/core/rule.ts'
import { failed, lines, partial, pattern, planOf, projectIdsIn, projectsOf, rule, type SmallWorld, seenOf, target } from './smallWorld.ts'

/** The world after an earlier cycle that saw the projects `before`. */
function afterCycle(before: readonly string[], world: SmallWorld): SmallWorld {
  const { ids } = projectIdsIn(seenOf({ ...world, projects: before }))
  return { ...world, known: withMeantIds(world.known ?? {}, ids) }
}

const corp = { corp: ['devs', 'ops'] }
const devs = (more: Partial<Rule> = {}) => rule('devs', 'ENG', 'member', more)
const planned = (world: SmallWorld) => lines(planOf(world))
const held = (world: SmallWorld) => planOf(world).holds.map(({ key, reason }) => `${key.slice(5)}: ${reason.kind}`)

describe.each(['exclusive', 'upsert-only'] as const)('under %s a project that was found before', (policy) => {
  const world = (rules: readonly Rule[], more: SmallWorld): SmallWorld =>
    afterCycle(['ENG=1', 'OPS=2'], { rules, directories: corp, policy, ...more })

  test('and is as it was is followed', () => {
    expect(planned(world([devs()], { existing: ['ENG devs guest'], projects: ['ENG=1', 'OPS=2'] }))).toEqual([
      'patch ENG devs: guest → member',
    ])
  })
  test('and has another identifier is not touched under either', () => {
    const renamed = world([devs()], { existing: ['ENGX devs guest', 'ENGX ops admin'], projects: ['ENGX=1', 'OPS=2'] })
    expect(planned(renamed)).toEqual([
      'hold acme/project/ENG/devs: projectChanged',
      'hold acme/project/ENGX/devs: projectChanged',
      'hold acme/project/ENGX/ops: projectChanged',
    ])
    expect(planOf(renamed).holds[0]?.reason).toMatchObject({ project: 'ENG', replaced: false, called: 'ENGX' })
  })
  test('and was made again under its identifier is not touched', () => {
    const again = world([devs()], { existing: ['ENG ops guest'], projects: ['ENG=3', 'OPS=2'] })
    expect(planned(again)).toEqual(['hold acme/project/ENG/devs: projectChanged', 'hold acme/project/ENG/ops: projectChanged'])
    expect(planOf(again).holds[0]?.reason).toMatchObject({ project: 'ENG', replaced: true })
    expect(planOf(again).holds[0]?.reason).not.toHaveProperty('called')
  })
  test('and was swapped with another is not touched, nor is the other', () => {
    const rules = [devs(), rule('ops', 'OPS', 'guest')]
    const swapped = world(rules, { existing: ['OPS devs member', 'ENG ops guest', 'ENG devs guest'], projects: ['ENG=2', 'OPS=1'] })
    expect(held(swapped)).toEqual([
      'project/ENG/devs: projectChanged',
      'project/ENG/ops: projectChanged',
      'project/OPS/devs: projectChanged',
      'project/OPS/ops: projectChanged',
    ])
    expect(planOf(swapped).changes).toEqual([])
  })
  test('and is gone is not made again', () => {
    expect(planned(world([devs()], { projects: ['OPS=2'] }))).toEqual(['hold acme/project/ENG/devs: projectChanged'])
  })
  test('and is hidden is not written to, though a mapping names its identifier', () => {
    expect(planned(world([devs()], { existing: ['ENG devs guest'], projects: ['OPS=2'] }))).toEqual([
      'hold acme/project/ENG/devs: projectChanged',
    ])
  })
  test.each([
    ['is not there', failed],
    ['does not show it', partial(projectsOf('OPS=2'))],
  ])('is not written to where the list of projects %s', (_how, projects) => {
    expect(planned(world([devs()], { existing: ['ENG devs guest'], projects }))).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
  })
  test('is followed where half a list shows it, and held where that shows another', () => {
    const existing = ['ENG devs guest']
    expect(planned(world([devs()], { existing, projects: partial(projectsOf('ENG=1')) }))).toEqual(['patch ENG devs: guest → member'])
    expect(held(world([devs()], { existing, projects: partial(projectsOf('ENG=3')) }))).toEqual(['project/ENG/devs: projectChanged'])
  })
  test.each<[string, SmallWorld]>([
    ['removed', { removed: ['ENGX devs'] }],
    ['given another role', { rules: [rule('devs', 'ENGX', 'guest')] }],
    ['given another role for an hour', { rules: [rule('devs', 'ENGX', 'guest', { expiresMs: 0 })] }],
  ])('is not touched where another text has its group under the identifier of today %s', (_how, { removed = [], rules = [] }) => {
    const both = world([devs(), ...rules], { removed, existing: ['ENGX devs member'], projects: ['ENGX=1', 'OPS=2'] })
    expect(planned(both)).toEqual(['hold acme/project/ENG/devs: projectChanged', 'hold acme/project/ENGX/devs: projectChanged'])
    const followed = { ...both, rules: rules.length === 0 ? [rule('devs', 'ENGX', 'member')] : rules }
    expect(held(followed)).toEqual([])
  })
  test('is followed again when it returns', () => {
    const gone = world([devs()], { existing: ['ENG devs guest'], projects: ['OPS=2'] })
    const { ids } = projectIdsIn(seenOf(gone))
    expect(planned({ ...gone, known: withMeantIds(gone.known ?? {}, ids), projects: ['ENG=1', 'OPS=2'] })).toEqual([
      'patch ENG devs: guest → member',
    ])
  })
})

describe('what a text meant', () => {
  const swapped = ['ENG=2', 'OPS=1']
  const once = afterCycle(['ENG=1', 'OPS=2'], { rules: [devs()], directories: corp, policy: 'exclusive', projects: swapped })

  test('stays remembered, however often the change is seen', () => {
    let known = once.known ?? {}
    for (let cycle = 0; cycle < 3; cycle++) known = withMeantIds(known, projectIdsIn(seenOf({ ...once, known })).ids)
    expect(planned({ ...once, known })).toEqual(['hold acme/project/ENG/devs: projectChanged'])
  })
  test('is asked for no longer when its words change', () => {
    expect(planned({ ...once, rules: [rule('devs', 'ENG', 'guest')] })).toEqual(['create ENG devs = guest'])
    expect(planned({ ...once, rules: [devs({ because: { at: { file: 'x', line: 1, column: 1 }, reason: 'the new one' } })] })).toEqual([
      'create ENG devs = member',
    ])
  })
  test('is asked for where only its place, or its owner, or another text of that project changes', () => {
    const moved = devs({ because: { at: { file: 'other.yaml', line: 7, column: 1 }, owner: 'new-team' } })
    expect(planned({ ...once, rules: [moved, rule('ops', 'ENG', 'guest')] })).toEqual([
      'create ENG ops = guest',
      'hold acme/project/ENG/devs: projectChanged',
    ])
  })
  test('is the project of today where a waiver names the change, from then on without it', () => {
    const reason = planOf(once).holds[0]?.reason
    const pass = reason?.kind === 'projectChanged' ? reason.pass : ''
    const waived = { ...once, waived: [pass] }
    expect(planned(waived)).toEqual(['create ENG devs = member'])
    const { ids, waived: used } = projectIdsIn(seenOf(waived))
    expect(used).toEqual([pass])
    const later = { ...once, known: withMeantIds(once.known ?? {}, ids) }
    expect(planned(later)).toEqual(['create ENG devs = member'])
    expect(held({ ...later, projects: ['ENG=1', 'OPS=2'] })).toEqual(['project/ENG/devs: projectChanged'])
  })
  test('has a waiver of its own for each change', () => {
    const passOf = (projects: readonly string[]) => {
      const reason = planOf({ ...once, projects }).holds[0]?.reason
      return reason?.kind === 'projectChanged' ? reason.pass : undefined
    }
    const all = [swapped, ['ENG=3', 'OPS=1'], ['ENG=2'], ['OPS=1'], ['OPS=2']].map(passOf)
    expect(new Set(all).size).toBe(5)
    for (const pass of all) expect(pass).toMatch(/^[0-9a-f]{32}$/)
  })
  test('is learned from whole lists only', () => {
    const world: SmallWorld = { rules: [devs()], directories: corp }
    expect(projectIdsIn(seenOf({ ...world, projects: partial(projectsOf('ENG=1')) })).ids).toEqual({})
    expect(projectIdsIn(seenOf({ ...world, projects: failed })).ids).toEqual({})
  })
  test('is forgotten with the text, and not with a directory that is not read', () => {
    const [first] = [devs()]
    const world = afterCycle(['ENG=1'], { rules: [first], directories: corp, projects: ['ENG=1'] })
    expect(projectIdsIn(seenOf({ ...world, directories: { corp: failed } })).ids).toEqual({})
    expect(projectIdsIn(seenOf({ ...world, rules: [] })).ids).toEqual({ ENG: {} })
    expect(withMeantIds(world.known as MeantIds, { ENG: {} })).toEqual({})
  })
})

describe('a captured project', () => {
  const target: TargetSelector = { kind: 'captured', capture: 'app', map: new Map() }
  const apps = () => pattern('(?<app>[A-Z]+)-team', 'ENG', 'guest', { target })
  const world = (more: SmallWorld): SmallWorld =>
    afterCycle(['PAY=1', 'WEB=2'], { rules: [apps()], directories: { corp: ['PAY-team', 'WEB-team'] }, policy: 'exclusive', ...more })

  test('is remembered for each that the pattern makes', () => {
    expect(planned(world({ existing: ['PAYX PAY-team guest', 'WEB WEB-team guest'], projects: ['PAYX=1', 'WEB=2'] }))).toEqual([
      'hold acme/project/PAY/PAY-team: projectChanged',
      'hold acme/project/PAYX/PAY-team: projectChanged',
    ])
  })
  test('of a group that no directory knows any more is held, too', () => {
    const gone = world({ existing: ['PAYX PAY-team guest'], projects: ['PAYX=1', 'WEB=2'] })
    expect(planned({ ...gone, directories: { corp: ['WEB-team'] } })).toContain('hold acme/project/PAYX/PAY-team: projectChanged')
  })
  test('stays remembered when its map gets another entry', () => {
    const more: TargetSelector = { kind: 'captured', capture: 'app', map: new Map([['X', ['OPS' as ProjectIdentifier]]]) }
    const one = world({ existing: [], projects: ['PAY=3', 'WEB=2'] })
    expect(held({ ...one, rules: [pattern('(?<app>[A-Z]+)-team', 'ENG', 'guest', { target: more })] })).toEqual([
      'project/PAY/PAY-team: projectChanged',
    ])
  })
})

describe('other texts that name a project', () => {
  const legacy = (where: string): Unmanaged => {
    const groups: GroupSelector = { kind: 'exact', name: 'legacy' as GroupName }
    return { groups, target: target(where), because: { at: { file: 'g', line: 3, column: 1 } } }
  }
  test('what is unmanaged stays so under the identifier of today', () => {
    const world = afterCycle(['ENG=1'], {
      unmanaged: [legacy('ENG')],
      rules: [rule('devs', 'OPS', 'guest')],
      directories: corp,
      policy: 'exclusive',
      existing: ['ENGX legacy admin', 'OPS devs guest'],
      projects: ['ENGX=1', 'OPS=2'],
    })
    expect(planned(world)).toEqual([])
    expect(planned({ ...world, known: {} })).toEqual(['hold acme/project/ENGX/legacy: perhapsRenamed'])
  })
  test('what is removed goes where it was, not where another project has the identifier', () => {
    const world = afterCycle(['ENG=1'], { removed: ['ENG devs'], existing: ['ENG devs member'], projects: ['ENG=3', 'OPS=1'] })
    expect(planned(world)).toEqual(['hold acme/project/ENG/devs: projectChanged'])
    expect(planned({ ...world, projects: ['ENG=1'] })).toEqual(['delete ENG devs = member (removed)'])
    expect(planned({ ...world, projects: failed })).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
    expect(planned({ ...world, known: {}, projects: failed })).toEqual(['delete ENG devs = member (removed)'])
  })
  test('also in a list that is not managed, where a removal deletes, too', () => {
    const world = afterCycle(['ENG=1'], { removed: ['ENG devs'], existing: ['ENG devs member'], owns: [], projects: ['ENG=3'] })
    expect(planned(world)).toEqual(['hold acme/project/ENG/devs: projectChanged'])
    expect(planned({ ...world, projects: ['ENG=1'] })).toEqual(['delete ENG devs = member (removed)'])
    expect(planned({ ...world, projects: failed })).toEqual(['hold acme/project/ENG/devs: readingIncomplete'])
  })
  test('nothing is said of a removal that has nothing to remove', () => {
    expect(planned(afterCycle(['ENG=1'], { removed: ['ENG devs'], projects: ['ENGX=1'] }))).toEqual([])
  })
  test('what expires goes where it was', () => {
    const rules = [devs({ expiresMs: 5 })]
    const world = afterCycle(['ENG=1'], { rules, directories: corp, existing: ['ENG devs member'], projects: ['ENG=3'] })
    expect(planned({ ...world, nowMs: 5 })).toEqual(['hold acme/project/ENG/devs: projectChanged'])
    expect(planned({ ...world, nowMs: 5, rules: [...rules, rule('devs', 'ENG', 'guest', { expiresMs: 3 })] })).toEqual([
      'delete ENG devs = member (expired)',
    ])
  })
})

describe('under sync, where nothing is remembered', () => {
  const world = (more: SmallWorld): SmallWorld => ({
    rules: [devs()],
    directories: corp,
    policy: 'exclusive',
    projects: ['ENGX', 'OPS'],
    ...more,
  })

  test('a mapping of a group that is declared for an unknown project is held, wherever it is', () => {
    expect(planned(world({ existing: ['ENGX devs member', 'OPS devs guest', 'OPS ops guest'] }))).toEqual([
      'delete OPS ops = guest (undeclared)',
      'hold acme/project/ENG/devs: projectUnknown',
      'hold acme/project/ENGX/devs: perhapsRenamed',
      'hold acme/project/OPS/devs: perhapsRenamed',
    ])
  })
  test.each<[string, SmallWorld]>([
    ['sent though the project is unknown', { rules: [devs({ unknownProjects: 'send' })] }],
    ['of a group that no directory knows', { directories: { corp: ['ops'] } }],
    ['of a pattern that finds no group any more', { rules: [pattern('dev.', 'ENG', 'member')], directories: { corp: ['ops'] } }],
  ])('also where the rule is %s', (_which, more) => {
    expect(planned(world({ existing: ['ENGX devs member'], ...more }))).toContain('hold acme/project/ENGX/devs: perhapsRenamed')
  })
  test('is deleted where a rule names its project by another text, or a mapping shows that the declared one is there', () => {
    expect(planned(world({ existing: ['ENGX devs member'], projects: ['ENGX', 'ENG'] }))).toContain(
      'delete ENGX devs = member (undeclared)',
    )
    expect(planned(world({ existing: ['ENGX devs member', 'ENG ops guest'] }))).toContain('delete ENGX devs = member (undeclared)')
  })
  test.each([
    ['failed', failed],
    ['partial', partial(projectsOf('ENG', 'OPS'))],
  ])('no mapping of a project is deleted where the list of projects is %s', (_how, projects) => {
    expect(planned(world({ existing: ['OPS ops guest'], projects }))).toContain('hold acme/project/OPS/ops: readingIncomplete')
  })
  test('a mapping of the workspace is deleted, whatever is not known of projects', () => {
    const owns = ['projectRoles', 'workspaceRoles'] as const
    const existing = ['workspace devs guest']
    expect(planned(world({ owns, existing, projects: failed }))).toContain('delete workspace devs = guest (undeclared)')
    expect(planned(world({ owns, existing }))).toContain('delete workspace devs = guest (undeclared)')
  })
  test('where no text names a project their list is not asked for', () => {
    expect(planned(world({ rules: [rule('devs', '*', 'guest')], existing: ['OPS ops guest'], projects: failed }))).toContain(
      'delete OPS ops = guest (undeclared)',
    )
  })
})

describe('a swap that was seen is not followed', () => {
  const swapped = ['ENG=2', 'OPS=1']
  const world = (more: SmallWorld) => afterCycle(['ENG=1', 'OPS=2'], { directories: corp, policy: 'exclusive', projects: swapped, ...more })
  test.each([
    ['failed', failed],
    ['partial', partial(projectsOf('X=9'))],
  ])('by what is removed, expires, or is sent to any project, where the next list is %s', (_how, projects) => {
    const removed = world({ removed: ['ENG devs'], rules: [rule('devs', 'OPS', 'member')], existing: ['ENG devs member'] })
    expect(planOf(removed).changes).toEqual([])
    expect(planOf({ ...removed, projects }).changes).toEqual([])
    const expired = world({ rules: [devs({ expiresMs: 5 })], existing: ['ENG devs member'], nowMs: 6 })
    expect(planOf({ ...expired, projects }).changes).toEqual([])
    const sent = world({ rules: [devs({ unknownProjects: 'send' })], existing: ['OPS devs member'] })
    expect(planOf({ ...sent, projects }).changes).toEqual([])
  })
  test('after the text was gone for a cycle, and came back', () => {
    const gone = world({ rules: [devs()] })
    const { ids } = projectIdsIn(seenOf({ ...gone, rules: [rule('ops', 'OPS', 'guest')] }))
    const back = { ...gone, known: withMeantIds(gone.known ?? {}, ids) }
    expect(planned(back)).toContain('hold acme/project/ENG/devs: projectChanged')
  })
})

describe('under sync a mapping that may be of the project that was meant is held', () => {
  const world = (more: SmallWorld) => afterCycle(['ENG=1', 'OPS=2'], { rules: [devs()], directories: corp, policy: 'exclusive', ...more })
  test('where that one is hidden, and another has its identifier', () => {
    const replaced = world({ existing: ['ENGX devs member'], projects: ['ENG=3', 'OPS=2'] })
    expect(planned(replaced)).toContain('hold acme/project/ENGX/devs: perhapsRenamed')
    const vouched = world({ existing: ['ENGX devs member', 'ENG ops guest'], projects: ['OPS=2'] })
    expect(planOf(vouched).changes).toEqual([])
  })
  test('also under the name that its group had', () => {
    const renaming: SmallWorld = { rules: [devs({ previously: 'old-devs' as GroupName })], existing: ['ENGX old-devs member'] }
    expect(planned(world({ ...renaming, projects: ['OPS=2'] }))).toContain('hold acme/project/ENGX/old-devs: perhapsRenamed')
    expect(planned({ ...world(renaming), known: {}, projects: ['ENGX=1', 'OPS=2'] })).toContain(
      'hold acme/project/ENGX/old-devs: perhapsRenamed',
    )
  })
  test('and no other where the list shows what the project is called now', () => {
    const rules = [pattern('.*', 'ENG', 'member')]
    const one = world({ rules, existing: ['OPS devs admin', 'ENGX devs member'], projects: ['ENGX=1', 'OPS=2'] })
    expect(planned(one)).toContain('delete OPS devs = admin (undeclared)')
  })
})

test('a revocation that a rename takes the ground from is told', () => {
  const world = afterCycle(['ENG=1', 'OPS=2'], {
    rules: [devs({ expiresMs: 5 }), rule('ops', 'OPS', 'guest')],
    directories: corp,
    existing: ['ENGX devs member', 'OPS ops guest'],
    projects: ['ENGX=1', 'OPS=2'],
  })
  expect(planned({ ...world, nowMs: 5 })).toContain('hold acme/project/ENGX/devs: projectChanged')
})

test('an identifier means the project of the day also where a rule gives nobody anything yet', () => {
  const rules = [pattern('web.*', 'ENG', 'member')]
  const { ids } = projectIdsIn(seenOf({ rules, directories: corp, projects: ['ENG=1'] }))
  const later: SmallWorld = { rules, known: withMeantIds({}, ids), directories: { corp: ['webmasters'] }, projects: ['ENG=2'] }
  expect(planned(later)).toEqual(['hold acme/project/ENG/webmasters: projectChanged'])
})
