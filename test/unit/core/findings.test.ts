import { describe, expect, test } from 'vitest'
import { budgetNear } from '../../../src/core/findings/budgetNear.ts'
import { echoFinding } from '../../../src/core/findings/diffFindings.ts'
import { declarationFindings } from '../../../src/core/findings/notices.ts'
import type { GroupIndex } from '../../../src/core/group.ts'
import type { Role } from '../../../src/core/mapping.ts'
import { planOf as sealed } from '../../../src/core/plan.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { acme, complete, failed, hash, partial, pattern, planOf, projectsOf, rule, type SmallWorld } from './smallWorld.ts'

const devs = [rule('devs', 'ENG', 'member')]
const directories = { corp: ['devs'] }
const findings = (world: SmallWorld) => planOf({ directories, ...world }).findings
const duplicate = (more: object = {}) => ({
  code: 'duplicate-mapping',
  severity: 'warning',
  place: 'acme/project/ENG/devs',
  sentence: '2 mappings give this group a role on ENG (guest, member); the highest counts',
  ...more,
})

describe('a key with several mappings', () => {
  const existing = ['ENG devs guest', 'ENG devs member']
  test('is a leak that somebody has to look at', () => {
    expect(findings({ rules: devs, existing })).toEqual([duplicate({ cure: 'delete the extra ones in Plane' })])
  })
  test('is told under sync as well, which deletes the extra ones', () => {
    expect(findings({ rules: devs, existing, policy: 'exclusive' })).toEqual([duplicate()])
  })
  test('is none where there is one', () => {
    expect(findings({ rules: devs, existing: existing.slice(1) })).toEqual([])
  })
})

describe('a role that the service answers for another', () => {
  const echo = (echoed: string) => ({
    code: 'role-echoed',
    severity: 'warning',
    place: 'acme',
    sentence: `the service answers "${echoed}" where "member" was sent`,
    cure: `if the two are one role, say so in the settings: roles.aliases: { member: ${echoed} }`,
  })
  test.each(['guest', 'admin'])('%s', (echoed) => {
    expect(findings({ rules: devs, existing: [`ENG devs ${echoed}`], echoes: { member: echoed } })).toEqual([echo(echoed)])
  })
  test.each([
    ['the role that was sent', 'member', { member: 'guest' }],
    ['drift', 'commenter', { member: 'guest' }],
  ])('not %s', (_name, has, echoes) => {
    expect(findings({ rules: devs, existing: [`ENG devs ${has}`], echoes })).toEqual([])
  })
})

describe('a list that was not read whole', () => {
  test.each([
    ['projectRoles', 'the project mappings'],
    ['workspaceRoles', 'the workspace mappings'],
  ] as const)('%s', (list, text) => {
    expect(findings({ lists: new Map([[list, partial([])]]), owns: [list] })).toEqual([
      {
        code: 'reading-incomplete',
        severity: 'warning',
        place: 'acme',
        sentence: `${text} were not read whole (page 3); nothing is created in them or deleted from them`,
      },
    ])
  })
  test('has the cure of its reading', () => {
    const reading = { ...partial([]), cure: 'look at the proxy' } as const
    expect(findings({ lists: new Map([['projectRoles', reading]]), owns: ['projectRoles'] })).toMatchObject([{ cure: 'look at the proxy' }])
  })
  test('is no finding where it failed, or is not there: then the workspace fails', () => {
    expect(findings({ lists: new Map([['projectRoles', failed]]), owns: ['projectRoles'] })).toEqual([])
    expect(findings({ lists: new Map(), owns: ['projectRoles'] })).toEqual([])
  })
})

describe('a list of projects that was not read whole', () => {
  test.each([
    ['failed', failed, 'could not be read', 'cannot connect'],
    ['partial', partial(projectsOf('ENG')), 'could not be read whole', 'page 3'],
  ] as const)('%s, also beside a list of mappings', (_name, projects, how, why) => {
    const finding = {
      code: 'reading-incomplete',
      severity: 'warning',
      place: 'acme',
      sentence: `the list of projects ${how}, so this program does not know whether all identifiers still name the same projects, and changes that need the list wait: ${why}`,
      cure: "see Plane's log, and check that the credential may read projects; the next cycle reads the list again",
    }
    expect(findings({ rules: devs, existing: ['ENG devs member'], projects })).toEqual([finding])
    const both = findings({ rules: devs, lists: new Map([['projectRoles', partial([])]]), projects })
    expect(both).toEqual([finding, expect.objectContaining({ sentence: expect.stringContaining('the project mappings') as string })])
  })
  test('has the cure of the error, if it has one', () => {
    const projects = { ...failed, cure: 'the answer is a page to log in: look at the proxy' }
    expect(findings({ rules: devs, existing: ['ENG devs member'], projects })).toMatchObject([
      { cure: 'the answer is a page to log in: look at the proxy' },
    ])
  })
  test('is no finding if the list is complete, or if no text names a project', () => {
    expect(findings({ rules: devs, existing: ['ENG devs member'], projects: complete(projectsOf('ENG')) })).toEqual([])
    expect(findings({ rules: [rule('devs', 'workspace', 'member')], existing: ['workspace devs member'] })).toEqual([])
  })
})

test('findings are sorted by their place, then by their code, and each is there once', () => {
  const world: SmallWorld = {
    rules: [rule('devs', 'OPS', 'member'), ...devs],
    existing: ['OPS devs guest', 'OPS devs guest', 'ENG devs guest', 'ENG devs guest'],
    echoes: { member: 'guest' },
  }
  expect(findings(world).map(({ place, code }) => `${place} ${code}`)).toEqual([
    'acme/project/ENG/devs duplicate-mapping',
    'acme/project/OPS/devs duplicate-mapping',
    'acme role-echoed',
  ])
})

describe('what a declaration is worth a word for', () => {
  const noticed = (rules: readonly Rule[], seen: Parameters<typeof declarationFindings>[1]) =>
    declarationFindings({ workspace: acme, owns: new Set(), rules, removed: [], unmanaged: [] }, seen, [], () => undefined)

  test('no directory at all', () => {
    const first = rule('devs', 'ENG', 'member')
    expect(noticed([first], new Map())).toEqual([
      {
        code: 'no-directories',
        severity: 'info',
        place: `groups.yaml:${first.because.at.line}:5`,
        sentence: 'the settings have no directory, so this program cannot check whether the groups exist',
        cure: 'add a directory to the settings, so that a mistyped group is held instead of sent',
      },
    ])
  })

  test('a directory of a pattern that the settings do not have', () => {
    for (const seen of [new Map(), new Map([['corp', complete<GroupIndex>(new Map())]])]) {
      expect(
        noticed([pattern('eng-.*', 'ENG', 'member', { from: ['corp', 'lab'] })], seen).map(({ code, place }) => `${code} ${place}`),
      ).toEqual(seen.size === 0 ? ['reading-incomplete corp', 'reading-incomplete lab'] : ['reading-incomplete lab'])
      expect(noticed([rule('devs', 'ENG', 'member', { from: ['lab'] })], seen)).toEqual([])
    }
  })

  test.each([
    ['failed', failed, 'cannot connect'],
    ['partial', partial(new Map()), 'page 3'],
  ] as const)('a directory of a pattern whose reading is %s', (_name, reading, why) => {
    const expected = [
      {
        code: 'reading-incomplete',
        severity: 'warning',
        place: 'corp',
        sentence: `corp could not be read whole, so patterns may miss groups: ${why}`,
      },
    ]
    const seen = new Map<string, Reading<GroupIndex>>([
      ['corp', reading],
      ['other', complete(new Map())],
    ])
    expect(noticed([pattern('eng-.*', 'ENG', 'member')], seen)).toEqual(expected)
    expect(noticed([pattern('eng-.*', 'ENG', 'member', { from: ['corp'] })], seen)).toEqual(expected)
    expect(noticed([pattern('eng-.*', 'ENG', 'member', { from: ['other'] })], seen)).toEqual([])
  })
})

describe('a shared credential near its budget', () => {
  const seen = { credential: 'default', limit: 60, allowed: 54, others: 50, windowMs: 60_000 }
  test('says who, how much, and what to do', () => {
    expect(budgetNear(seen, 13)).toEqual([
      {
        code: 'budget-near',
        severity: 'warning',
        place: 'credential "default"',
        sentence: 'others use 50 of the 60 requests that this credential has in 60 s; 4 are left, and this cycle needs 13',
        cure: 'use a separate key for this program, since Plane counts each key by itself; if this key has no other user, Plane allows it less than service.limit says: set that to about 10 in 60 s',
      },
    ])
  })
  test.each([
    ['nobody else is there, however much is needed', { ...seen, allowed: 5, others: 0 }, 6, 0],
    ['all of one window is needed, and a few use it, too', { ...seen, others: 1 }, 54, 1],
    ['more than a window is needed, and a few use it, too', { ...seen, others: 1 }, 55, 0],
  ])('%s', (_name, budget, needed, count) => expect(budgetNear(budget, needed)).toHaveLength(count))
})

test('findings come in the order of the lines that they speak of', () => {
  const findings = [10, 9, 100].map((line) => ({ ...echoFinding(acme, 'a' as Role, 'b' as Role), place: `groups.yaml:${line}:1` }))
  const sorted = sealed({ ...planOf({}), findings }, { origin: '', hash, projects: undefined, factsOf: () => ({}) }).findings
  expect(sorted.map(({ place }) => place)).toEqual([9, 10, 100].map((line) => `groups.yaml:${line}:1`))
})
