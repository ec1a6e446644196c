import * as fc from 'fast-check'
import type { Target } from '../../../src/core/mapping.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { fenceWords } from '../../../src/declaration/fenceWords.ts'

/** Names of groups, of which some differ by letter case, by the form of a letter, or by a character that people do not see. */
export const names = [
  ...['pay-devs', 'pay-leads', 'pay-', 'pay-web-rw', 'pay-eng-adm', 'ops-devs', 'ops-rw', 'all-staff', 'admins', 'Pay-devs', 'PAY-devs'],
  ...['pay-caf\u00e9', 'pay-cafe\u0301', 'p\u0430y-devs', 'pay-*', 'pay-devs ', 'a/pay-devs', 'pay-a/b'],
]
export const projects = ['PAY', 'PAYWEB', 'ENG', 'OPS', 'WEB']
const allRoles = ['guest', 'member', 'admin', 'owner']
const globs = ['pay-*', '*', '*-devs', '?ay-*', 'pay-?eads', 'pay-*-*', 'ops-*', 'a*f']

const some = <T>(from: readonly T[]) => fc.subarray([...from], { minLength: 1, maxLength: 3 })
const groupsInside = fc.oneof(
  { weight: 3, arbitrary: fc.subarray(['pay-*', 'all-staff'], { minLength: 1 }) },
  { weight: 2, arbitrary: some([...globs, 'pay-devs', 'ops-devs', 'pay-cafe\u0301']) },
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

export const anyFence: fc.Arbitrary<FenceText> = fc.record({
  owner: fc.constant('team-pay'),
  workspace: fc.constant('acme'),
  workspaceRoles: fc.option(fc.record({ groups: groupsInside, roles: some(allRoles) }), { freq: 2, nil: undefined }),
  projectRoles: fc.option(
    fc.record({
      projects: some(['PAY', 'PAYWEB', 'OPS', 'pay', 'PayWeb']),
      allProjects: fc.boolean(),
      groups: groupsInside,
      roles: some(allRoles),
    }),
    { freq: 9, nil: undefined },
  ),
  may: fc.oneof(fc.constant(fenceWords), fc.subarray([...fenceWords])),
  demand: fc.record({
    reason: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    expires: fc.constantFrom<Readonly<Record<string, number>>>({}, {}, {}, { member: 90 * 86_400_000 }),
  }),
})

/** Written apart from the program: whether `*` (any characters) and `?` (one character) of a text match a whole name. */
export function globMatches(glob: string, name: string): boolean {
  const [pattern, text] = [Array.from(glob), Array.from(name)]
  const from = (p: number, t: number): boolean => {
    if (p === pattern.length) return t === text.length
    if (pattern[p] === '*') return from(p + 1, t) || (t < text.length && from(p, t + 1))
    return t < text.length && (pattern[p] === '?' || pattern[p] === text[t]) && from(p + 1, t + 1)
  }
  return from(0, 0)
}

const listIn = (fence: FenceText, target: Target) => (target.kind === 'workspace' ? fence.workspaceRoles : fence.projectRoles)

export function isTargetInside(fence: FenceText, target: Target): boolean {
  const { projectRoles, workspaceRoles } = fence
  if (target.kind === 'workspace') return workspaceRoles !== undefined
  if (target.kind === 'allProjects') return projectRoles?.allProjects === true
  return projectRoles?.projects.some((one) => one.toUpperCase() === target.project) === true
}

export const isGroupInside = (fence: FenceText, target: Target, group: string): boolean =>
  listIn(fence, target)?.groups.some((glob) => globMatches(glob, group)) === true

export const isInside = (fence: FenceText, target: Target, group: string): boolean =>
  isTargetInside(fence, target) && isGroupInside(fence, target, group)

export const mayGive = (fence: FenceText, target: Target, role: string): boolean => listIn(fence, target)?.roles.includes(role) === true

/** The text of a file, as JSON, which is YAML, too. The words are mostly those that the fence allows; without a fence they are any words. */
export function anyFile(fence: FenceText | undefined): fc.Arbitrary<string> {
  const of = <T>(all: readonly T[], isIn: (one: T) => boolean): fc.Arbitrary<T> => {
    const inside = fence === undefined ? all : all.filter(isIn)
    return inside.length === 0
      ? fc.constantFrom(...all)
      : fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...inside) }, { weight: 1, arbitrary: fc.constantFrom(...all) })
  }
  const may = (word: (typeof fenceWords)[number]) => fence === undefined || fence.may.includes(word)
  const word = <T>(name: (typeof fenceWords)[number], value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof({ weight: may(name) ? 20 : 200, arbitrary: fc.constant(undefined) }, { weight: may(name) ? 8 : 1, arbitrary: value })
  const group = (target: Target) => of(names, (one) => fence !== undefined && isGroupInside(fence, target, one))
  const pattern = fc.constantFrom(
    ...['*', '*', 'pay-*', '*-devs', '?ay-*', 'ops-*', '*a*'].map((groupGlob) => ({ groupGlob })),
    ...['.*', 'pay-.*', '(?i)pay-.*', '(?s).*', '[^/]*'].map((groupRegex) => ({ groupRegex })),
  )
  const named = [...projects, 'pay', 'Eng']
  const project = of(named, (one) => fence?.projectRoles?.projects.some((own) => own.toUpperCase() === one.toUpperCase()) === true)
  const role = (target: Target) => of(allRoles, (one) => fence !== undefined && mayGive(fence, target, one))
  const extra = (target: Target) => ({
    previously: word('previously', group(target)),
    expires: word('expires', fc.constantFrom('2020-01-01', '2026-02-01', '2099-01-01')),
    starts: fc.option(fc.constantFrom('2019-01-01', '2026-01-02'), { freq: 2, nil: undefined }),
    unknownGroups: word('unknownGroups', fc.constantFrom('send', 'hold')),
    allowProtected: word('allowProtected', fc.boolean()),
    from: word('from', fc.constantFrom('corp', ['corp', 'lab'])),
    reason: fence?.demand.reason === true ? fc.constantFrom('x', 'x', 'x', undefined) : maybe(fc.constant('x')),
  })
  const inWorkspace: Target = { kind: 'workspace' }
  const inProject: Target = { kind: 'project', project: 'PAY' as never }
  const where = fc.oneof(
    { weight: 3, arbitrary: fc.record({ project }) },
    { weight: 1, arbitrary: fc.record({ project: fc.array(project, { minLength: 1, maxLength: 2 }) }) },
    { weight: fence === undefined || fence.projectRoles?.allProjects === true ? 1 : 0, arbitrary: fc.constant({ allProjects: true }) },
  )
  const exactly = (target: Target) =>
    fc.oneof(fc.record({ group: group(target) }), fc.record({ group: fc.array(group(target), { minLength: 1, maxLength: 2 }) }))
  const captured = fc.record({
    groupRegex: fc.constantFrom('(?<p>[a-z]+)-(?<l>[a-z]+)', '(?<p>.+)-(?<l>.+)', 'pay-(?<p>[a-z]+)-(?<l>rw|adm)'),
    project: fc.oneof(
      fc.constant({ capture: 'p' }),
      fc.record({ capture: fc.constant('p'), map: fc.record({ pay: project, ops: project }) }),
    ),
    role: fc.oneof(
      role(inProject),
      fc.record({ capture: fc.constant('l'), map: fc.record({ devs: role(inProject), rw: role(inProject) }) }),
    ),
    unknownProjects: word('unknownProjects', fc.constantFrom('skip', 'send')),
  })
  const both = <A, B>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) => fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }))
  const { previously: _, ...ofPatterns } = extra(inProject)
  const projectRule = fc.oneof(
    { weight: 4, arbitrary: both(both(exactly(inProject), where), fc.record({ role: role(inProject), ...extra(inProject) })) },
    { weight: 3, arbitrary: both(both(pattern, where), fc.record({ role: role(inProject), ...ofPatterns })) },
    { weight: 2, arbitrary: both(captured, fc.record(ofPatterns)) },
  )
  const { previously: __, ...inList } = extra(inWorkspace)
  const workspaceRule = fc.oneof(
    both(exactly(inWorkspace), fc.record({ role: role(inWorkspace), ...extra(inWorkspace) })),
    both(pattern, fc.record({ role: role(inWorkspace), ...inList })),
  )
  const list = <T>(has: boolean, rule: fc.Arbitrary<T>, maxLength: number) =>
    has ? fc.option(fc.array(rule, { maxLength }), { nil: undefined, freq: 9 }) : fc.constant(undefined)
  const entry = both(exactly(inProject), where)
  const ofWorkspace = fc.record({
    projectRoles: list(fence === undefined || fence.projectRoles !== undefined, projectRule, 4),
    workspaceRoles: list(fence === undefined || fence.workspaceRoles !== undefined, workspaceRule, 2),
    removed: word('removed', fc.array(entry, { minLength: 1, maxLength: 2 })),
    unmanaged: word('unmanaged', fc.array(fc.oneof(entry, both(pattern, where)), { minLength: 1, maxLength: 2 })),
    groupSync: word('groupSync', fc.constant({ autoRemove: true })),
  })
  return fc
    .record({ version: fc.constant(1), owner: fc.constantFrom(undefined, undefined, 'team-pay'), acme: ofWorkspace })
    .map(({ acme, ...file }) => JSON.stringify({ ...file, workspaces: { acme } }))
}
