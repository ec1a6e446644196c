import { describe, expect, test } from 'vitest'
import { missingProjectFindings } from '../../../src/core/findings/missingProjects.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { ruleHash } from '../../../src/core/resolve/textName.ts'
import { desiredIn, failed, hash, mapping, partial, pattern, projectsOf, rule, type SmallWorld, seenOf } from './smallWorld.ts'

const at = (line: number) => ({ because: { at: { file: 'g', line, column: 7 } } })
const devs = rule('devs', 'ENG', 'member', at(7))
const usual: SmallWorld = { rules: [devs], directories: { corp: ['devs'] } }

function findingsIn(world: SmallWorld): ReturnType<typeof missingProjectFindings> {
  const seen = seenOf({ ...usual, ...world })
  const existing = (world.existing ?? []).map(mapping)
  return missingProjectFindings(seen.declared, desiredIn(seen), existing, seen.projects)
}
const found = (world: SmallWorld): readonly string[] =>
  findingsIn(world).map(({ code, severity, place, sentence }) => `${severity} ${code} ${place}: ${sentence}`)
const archived = 'info project-archived'
const vanished = 'warning project-vanished'
const missing = 'deleted, renamed, or hidden from the owner of the credential'
const unmanaged = [{ groups: { kind: 'exact', name: 'old' as GroupName }, ...at(9) }] as const

describe('an archived project', () => {
  test.each<[string, SmallWorld, readonly string[]]>([
    ['that a rule names', {}, [`${archived} g:7:7: project ENG is archived in Plane, and rules name it`]],
    [
      'that rules name, of which one has its mapping',
      { rules: [devs, rule('ops', 'ENG', 'guest', at(20))], directories: { corp: ['devs', 'ops'] }, existing: ['ENG ops guest'] },
      [`${archived} g:7:7: project ENG is archived in Plane, and 1 mapping is there`],
    ],
    [
      'that a rule names for a group that is held',
      { directories: { corp: [] } },
      [`${archived} g:7:7: project ENG is archived in Plane, and rules name it`],
    ],
    [
      'with mappings that no rule declares',
      { rules: [], existing: ['ENG b guest', 'ENG a guest'] },
      [`${archived} acme/project/ENG/a: project ENG is archived in Plane, and 2 mappings are there`],
    ],
    [
      'at the first of its rules',
      { rules: [rule('ops', 'ENG', 'guest', at(20)), devs, rule('ops', 'OPS', 'guest', at(3))], existing: ['ENG devs member'] },
      [`${archived} g:7:7: project ENG is archived in Plane, and 1 mapping is there`],
    ],
    [
      'at the first of its rules, in another order',
      { rules: [devs, rule('ops', 'ENG', 'guest', at(20))] },
      [`${archived} g:7:7: project ENG is archived in Plane, and rules name it`],
    ],
    ['that only an incomplete list shows', { projects: partial(projectsOf('ENG~')) }, [expect.stringContaining(archived) as string]],
    ['with nothing but a mapping to be removed', { rules: [], removed: ['ENG old'], existing: ['ENG old guest'] }, []],
    ['with nothing but an expired rule', { rules: [rule('devs', 'ENG', 'guest', { expiresMs: 0 })], existing: ['ENG devs guest'] }, []],
    ['with nothing but an unmanaged mapping', { rules: [], unmanaged, existing: ['ENG old guest'] }, []],
    ['that nothing names', { rules: [rule('devs', 'OPS', 'guest')] }, []],
    ['of a list that is not owned', { rules: [], owns: ['workspaceRoles'], existing: ['ENG a guest'] }, []],
  ])('%s', (_what, world, expected) => {
    expect(found({ projects: ['ENG~', 'OPS'], ...world })).toEqual(expected)
  })
})

describe('a mapping in a project that the list does not show', () => {
  const here = { existing: ['ENG devs member'], projects: ['OPS'] }
  test.each<[string, SmallWorld, readonly string[]]>([
    ['that is as declared', {}, [`${vanished} g:7:7: Plane's list does not show project ENG, and 1 mapping is there: ${missing}`]],
    [
      'that is undeclared',
      { rules: [] },
      [`${vanished} acme/project/ENG/devs: Plane's list does not show project ENG, and 1 mapping is there: ${missing}`],
    ],
    ['whose group is gone, too', { directories: { corp: [] } }, [expect.stringContaining(vanished) as string]],
    ['is not reported if the list is incomplete', { projects: partial(projectsOf('OPS')) }, []],
    ['is not reported if there is no list', { projects: failed }, []],
    ['is not reported if project-changed reports the project', { known: { ENG: { 'id-ENG': [ruleHash(devs, hash)] } } }, []],
    [
      'is not reported if project-changed reports the project for another rule',
      {
        rules: [devs, rule('ops', 'ENG', 'guest')],
        directories: { corp: ['devs', 'ops'] },
        existing: ['ENG ops guest'],
        known: { ENG: { 'id-ENG': [ruleHash(devs, hash)] } },
      },
      [],
    ],
    ['is not reported if the rule says that the list need not show it', { rules: [{ ...devs, unknownProjects: 'send' }] }, []],
    ['is not a mapping of the workspace, or of all projects', { existing: ['workspace devs guest', '* devs guest'] }, []],
    ['is not reported if it is unmanaged', { rules: [], unmanaged, existing: ['ENG old guest'] }, []],
    ['is not reported if it is removed', { rules: [], removed: ['ENG devs'] }, []],
    ['is not reported without a mapping: the hold says it', { existing: [] }, []],
  ])('%s', (_what, world, expected) => {
    expect(found({ ...here, ...world })).toEqual(expected)
  })

  test('is not reported beside the hold of its key', () => {
    // The mapping of `ops` is no evidence for the project, so the other rule is held.
    const rules = [rule('ops', 'ENG', 'guest', { unknownProjects: 'send' }), devs]
    expect(found({ rules, directories: { corp: ['devs', 'ops'] }, existing: ['ENG ops guest'], projects: ['OPS'] })).toEqual([])
  })

  test('is not reported if a hold of the same mapping says it', () => {
    // The mapping may be written by the pattern that trusts the file, so it is no evidence for the other pattern.
    const rules = [pattern('dev.', 'ENG', 'member', { unknownProjects: 'send' }), pattern('.evs', 'ENG', 'member')]
    expect(found({ ...here, rules })).toEqual([])
  })
})

test('three projects have a finding each; more share one that names ten', () => {
  const existing = (count: number) => Array.from({ length: count }, (_, n) => `P${String(n).padStart(2, '0')} a guest`)
  expect(found({ rules: [], existing: existing(3).toReversed(), projects: ['ENG'] })).toEqual(
    ['P00', 'P01', 'P02'].map((project) => expect.stringContaining(`project ${project}, and 1 mapping is there`) as string),
  )
  expect(found({ rules: [], existing: existing(12), projects: ['ENG'] })).toEqual([
    `${vanished} acme: Plane's list does not show projects P00, P01, P02, P03, P04, P05, P06, P07, P08, P09 and 2 more, and 12 mappings are there: ${missing}`,
  ])
})

test('archived projects are counted in the sentence and in the cure', () => {
  const rules = ['A', 'B', 'C', 'D'].map((project, n) => rule('devs', project, 'guest', at(n)))
  const projects = ['A~', 'B~', 'C~', 'D~']
  const cured = (world: SmallWorld) =>
    findingsIn({ projects, directories: { corp: [] }, ...world }).map(({ sentence, cure }) => [sentence, cure])
  expect(cured({ rules })).toEqual([
    [
      'projects A, B, C and D are archived in Plane, and rules name them',
      'if no longer needed, remove them from the rules; otherwise restore them in Plane',
    ],
  ])
  expect(cured({ rules: rules.slice(0, 1) })).toEqual([
    ['project A is archived in Plane, and rules name it', 'if no longer needed, remove it from the rules; otherwise restore it in Plane'],
  ])
  expect(cured({ rules: rules.slice(0, 1), directories: { corp: ['devs'] }, existing: ['A devs guest'] })).toEqual([
    [
      'project A is archived in Plane, and 1 mapping is there',
      'if no longer needed, remove it from the rules and list the mappings under "removed"; otherwise restore it in Plane',
    ],
  ])
})

test('a project that the list does not show was deleted, renamed or hidden; the cure has an edit for each', () => {
  const [finding] = findingsIn({ rules: [], existing: ['ENG devs member'], projects: ['OPS'] })
  expect(finding?.cure).toBe(
    'if renamed, write the new identifier in the file; if deleted, list the mappings under "removed"; if hidden, add the owner of the credential to the project, or set unknownProjects: send',
  )
})
