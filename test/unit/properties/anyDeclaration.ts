import * as fc from 'fast-check'
import { type GroupName, keyOf, type List, listOf, type Mapping, type ProjectIdentifier, type Role } from '../../../src/core/mapping.ts'
import { unmanagedEntries } from '../../../src/core/matches.ts'
import { produce } from '../../../src/core/resolve/produce.ts'
import {
  type GroupSelector,
  type Pattern,
  type Removal,
  type Rule,
  type Unmanaged,
  type WorkspaceDeclaration,
} from '../../../src/core/rule.ts'
import { acme, matchesOf, pattern, rule, target } from '../core/smallWorld.ts'

export const nowMs = 1_000

/** Some of these names have a slash, a capital letter or a space at the beginning. */
export const groupNames = [
  'a',
  'b',
  'c',
  'd',
  'eng-rw',
  'eng-ro',
  'ops-rw',
  'pay-adm',
  'x/y',
  'A',
  ' blank',
] as readonly string[] as readonly GroupName[]

/** No directory has the groups `old`, `older` and `ghost`. Rules name the first two as former names. */
const group = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...groupNames) },
  { weight: 1, arbitrary: fc.constantFrom('old', 'older', 'ghost') },
)
const where = fc.constantFrom('workspace', 'workspace', '*', 'ENG', 'ENG', 'OPS', 'GONE')
export const place = fc.tuple(group, where)
export const role = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('guest', 'member') },
  { weight: 3, arbitrary: fc.constantFrom('contributor', 'admin', 'owner') },
  { weight: 1, arbitrary: fc.constantFrom('auditor', 'boss') },
) as fc.Arbitrary<Role>

export const rarely = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })

const bothLists: readonly List[] = ['projectRoles', 'workspaceRoles']
const patterns = ['.*', '[a-d]', '[^ -]+', 'eng-.*', '(?<app>eng|ops|pay)-(?<level>adm|rw|ro)']
const because = (file: string, line: number) => ({ at: { file, line, column: 5 } })

/** The declaration of one workspace. It has only contradictions that the loader accepts. */
export const anyDeclaration: fc.Arbitrary<WorkspaceDeclaration> = fc
  .record({
    rules: fc.array(fc.oneof({ weight: 5, arbitrary: exactRule() }, { weight: 2, arbitrary: patternRule() }), { maxLength: 10 }),
    removed: fc.array(place, { maxLength: 3 }),
    unmanaged: rarely([], fc.array(anyUnmanaged(), { minLength: 1, maxLength: 2 })),
    owns: fc.oneof(
      { weight: 9, arbitrary: fc.constant(bothLists) },
      { weight: 3, arbitrary: fc.constantFrom<readonly List[]>(['projectRoles'], ['workspaceRoles'], []) },
    ),
    wantsSync: rarely(undefined, fc.record({ enabled: fc.boolean(), autoRemove: fc.boolean() }, { requiredKeys: ['enabled'] })),
  })
  .map(({ rules, removed, unmanaged, owns, wantsSync }) =>
    withoutContradictions({
      workspace: acme,
      owns: new Set(owns),
      rules: rules.map((one, index) => ({ ...one, because: because('groups.yaml', index + 1) })),
      removed: removed.map(
        ([name, at], index): Removal => ({ group: name as GroupName, target: target(at), because: because('removed.yaml', index + 1) }),
      ),
      unmanaged: unmanaged.map((one, index) => ({ ...one, because: because('unmanaged.yaml', index + 1) })),
      ...(wantsSync === undefined ? {} : { groupSync: { wanted: wantsSync, because: because('sync.yaml', 1) } }),
    }),
  )

function exactRule(): fc.Arbitrary<Rule> {
  const more = fc.record({
    ...common(),
    allowProtected: rarely(false, fc.constant(true)),
    unknownGroups: rarely<Rule['unknownGroups']>('hold', fc.constant('send')),
    previously: fc.option(fc.constantFrom('old', 'older', 'a', 'b') as fc.Arbitrary<GroupName>, { freq: 2, nil: undefined }),
  })
  return fc
    .tuple(place, role, more)
    .map(([[name, at], said, { previously, ...rest }]) =>
      rule(name, at, said, defined({ ...rest, previously: previously === name ? undefined : previously })),
    )
}

/** A declaration may leave out only names that the pattern matches, and that a mapping can have. */
function exceptionsOf({ compile }: Pattern): (name: GroupName) => boolean {
  const matches = compile()
  return (name) => name.trim() === name && matches(name) !== undefined
}

function patternRule(): fc.Arbitrary<Rule> {
  const except = rarely([], fc.subarray([...groupNames], { maxLength: 2 }))
  const rules = fc.tuple(fc.constantFrom(...patterns), except, where, role, fc.record(common()), fc.boolean())
  return rules.map(([source, without, at, said, rest, skips]): Rule => {
    const made = pattern(source, at, said, defined(rest))
    if (made.groups.kind === 'pattern') Object.assign(made.groups, { except: new Set(without.filter(exceptionsOf(made.groups.pattern))) })
    if (!source.includes('?<app>')) return made
    const [app, level] = [
      new Map([['pay', ['PAYPLAT', 'PAY'] as readonly string[] as readonly ProjectIdentifier[]]]),
      new Map([
        ['rw', 'member' as Role],
        ['ro', 'guest' as Role],
      ]),
    ]
    const captures: Pick<Rule, 'target' | 'role'> = {
      target: { kind: 'captured', capture: 'app', map: app },
      role: { kind: 'captured', capture: 'level', map: level },
    }
    return { ...made, ...captures, ...(skips ? { unknownProjects: 'skip' } : {}) }
  })
}

function common() {
  return {
    from: rarely(undefined, fc.subarray(['corp', 'lab'], { minLength: 1 })),
    unknownProjects: rarely<Rule['unknownProjects']>('hold', fc.constant('send')),
    startsMs: rarely(undefined, fc.constantFrom(nowMs - 2, nowMs, nowMs + 1)),
    expiresMs: rarely(undefined, fc.constantFrom(nowMs - 1, nowMs, nowMs + 2)),
  }
}

function anyUnmanaged(): fc.Arbitrary<Pick<Unmanaged, 'groups' | 'target'>> {
  const selector = fc.oneof(
    group.map((name): GroupSelector => rule(name, 'ENG', 'x').groups),
    fc.constantFrom('eng-.*', '[cd]').map((source) => pattern(source, 'ENG', 'x').groups),
  )
  return fc.tuple(selector, fc.option(where)).map(([groups, at]) => ({ groups, ...(at === null ? {} : { target: target(at) }) }))
}

const defined = (of: object): object => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))

/**
 * The declaration without contradictions that the loader refuses: each rule is in an owned list, exact rules agree on the role of a key at any time, and no
 * mapping is both declared and removed, or both declared and unmanaged.
 */
function withoutContradictions(declared: WorkspaceDeclaration): WorkspaceDeclaration {
  const isUnmanaged = unmanagedEntries(declared.unmanaged, matchesOf(declared.unmanaged, groupNames))
  const known = new Map<string, Rule[]>()
  const rules = declared.rules.map(withoutLateStart).flatMap((one) => {
    if (!declared.owns.has(one.target.kind === 'fixed' ? listOf(one.target.target) : 'projectRoles')) return []
    if (one.groups.kind === 'pattern' || one.target.kind === 'captured') return [one]
    if (isUnmanaged(one.groups.name, one.target.target) !== undefined) return []
    const key = keyOf(acme, one.target.target, one.groups.name)
    const same = known.get(key) ?? []
    const [first, ...more] = same.filter((other) => overlap(one, other))
    if (first !== undefined && more.some(({ role: gives }) => roleText(gives) !== roleText(first.role))) return []
    const agreed = { ...one, role: first?.role ?? one.role }
    known.set(key, [...same, agreed])
    return [agreed]
  })
  const removed = declared.removed.filter(
    ({ group: name, target: at }) => !known.has(keyOf(acme, at, name)) && isUnmanaged(name, at) === undefined,
  )
  return { ...declared, rules, removed }
}

/** A rule cannot start at or after its end. */
function withoutLateStart({ startsMs, ...rest }: Rule): Rule {
  return startsMs === undefined || startsMs >= (rest.expiresMs ?? Number.POSITIVE_INFINITY) ? rest : { ...rest, startsMs }
}

const overlap = (a: Rule, b: Rule): boolean =>
  (a.startsMs ?? Number.NEGATIVE_INFINITY) < (b.expiresMs ?? Number.POSITIVE_INFINITY) &&
  (b.startsMs ?? Number.NEGATIVE_INFINITY) < (a.expiresMs ?? Number.POSITIVE_INFINITY)

const roleText = (role: Rule['role']): string => (role.kind === 'fixed' ? role.role : role.capture)

export type Said = Pick<Mapping, 'group' | 'target'> & { readonly role: Role }

/**
 * The groups and targets that a declaration names, with their roles. The result also has the entries of `removed`. Former names are in it three times, so
 * that they are drawn more often.
 */
export function saidBy({ rules, removed }: WorkspaceDeclaration): readonly Said[] {
  const guest = 'guest' as Role
  const said = (one: Rule, name: GroupName): Said[] => {
    const captured = one.groups.kind === 'exact' ? {} : one.groups.except.has(name) ? undefined : one.groups.pattern.compile()(name)
    if (captured === undefined) return []
    const made = produce(one, captured)
    return made.targets.map((to) => ({ group: name, target: to, role: 'role' in made.role ? made.role.role : guest }))
  }
  const before = (one: Rule): Said[] =>
    one.previously === undefined || one.groups.kind === 'pattern'
      ? []
      : said(one, one.groups.name).map((same) => ({ ...same, group: one.previously ?? same.group }))
  return [
    ...rules.flatMap((one) => (one.groups.kind === 'exact' ? said(one, one.groups.name) : groupNames.flatMap((name) => said(one, name)))),
    ...rules.flatMap((one) => [...before(one), ...before(one), ...before(one)]),
    ...removed.map((gone) => ({ ...gone, role: guest })),
  ]
}
