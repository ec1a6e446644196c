import * as fc from 'fast-check'
import { listsInScope } from '../../../src/core/existing.ts'
import { type Group, indexGroups } from '../../../src/core/group.ts'
import type { GroupSync } from '../../../src/core/groupSync.ts'
import {
  type GroupName,
  keyOf,
  listOf,
  type Mapping,
  type MappingId,
  type ProjectIdentifier,
  type Role,
  type Target,
  targetText,
} from '../../../src/core/mapping.ts'
import { policies } from '../../../src/core/policy.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { people } from '../bounds.ts'
import { acme, complete, projectsOf, roles, type Seen, target } from '../core/smallWorld.ts'
import { anyDeclaration, groupNames, nowMs, place, role, type Said, saidBy } from './anyDeclaration.ts'

/** The readings, and all mappings that the service stores. The readings lack the lists that the declaration does not name. */
export type AnyWorld = Seen & { readonly stored: readonly Mapping[] } & Partial<fc.WithToStringMethod>

/**
 * There are few names, places and roles, and most stored mappings belong to declared places. So declared, read and stored mappings often have
 * the same key. All readings are complete.
 */
export const anyWorld: fc.Arbitrary<AnyWorld> = fc
  .record({
    declared: anyDeclaration,
    directories: fc.tuple(fc.constantFrom(['corp'], ['corp'], ['corp', 'lab'], ['corp', 'lab'], []), anyHomes()).map(directoriesFrom),
    rows: fc.array(anyRow(), { maxLength: 14 }),
    projects: fc.subarray(['ENG', 'OPS', 'PAY'] as ProjectIdentifier[], { minLength: 1 }),
    has: anySync(),
    policy: fc.constantFrom(...policies, 'upsert-only', 'exclusive'),
    aliases: fc.constantFrom<Readonly<Record<string, string>>>({}, {}, {}, { member: 'contributor' }, { admin: 'boss' }),
    echoes: fc.record({ workspaceRoles: anyEchoes(), projectRoles: anyEchoes() }),
  })
  .map(({ declared: written, directories, rows, projects, has, aliases, ...options }): AnyWorld => {
    const declared = { ...written, rules: written.rules.map((rule) => withKnownFrom(rule, directories)) }
    const said = saidBy(declared)
    const stored = rows.map((row, index) => stand(row, said, options.echoes, index))
    return {
      declared,
      stored,
      directories,
      existing: { lists: listsSeen(declared, stored), ...(declared.groupSync === undefined ? {} : { groupSync: has }) },
      projects: complete(projectsOf(...projects)),
      nowMs,
      roles: { ...roles, aliases },
      ...options,
      [fc.toStringMethod]: () => inWords({ declared, stored, directories }, { projects, aliases, ...options }),
    }
  })

/** The rule without the directories that the world does not have: the settings have every directory that a rule names. */
function withKnownFrom({ from, ...rule }: Rule, directories: Seen['directories']): Rule {
  const known = from?.filter((name) => directories.has(name)) ?? []
  return known.length === 0 ? rule : { ...rule, from: known }
}

/** The lists as a cycle reads them: each list that the declaration names, complete. */
export const listsSeen = (declared: WorkspaceDeclaration, stored: readonly Mapping[]): Seen['existing']['lists'] =>
  new Map([...listsInScope(declared)].map((list) => [list, complete(stored.filter((one) => listOf(one.target) === list))]))

/** A mapping for a declared place, or for any place. It has the declared role, the role that the service would answer to it, or another role. */
type Row = {
  readonly of: number | null
  readonly place: readonly [string, string]
  readonly as: 'said' | 'answered' | Role | null
  readonly n: number
}

function anyRow(): fc.Arbitrary<Row> {
  const as = fc.oneof(
    { weight: 2, arbitrary: fc.constant('said' as const) },
    { weight: 3, arbitrary: fc.constant('answered' as const) },
    { weight: 4, arbitrary: role },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  return fc.record({ of: fc.option(fc.nat(999), { freq: 3 }), place, as, n: fc.nat(99) })
}

function stand({ of, place: [name, at], as, n }: Row, said: readonly Said[], echoes: Seen['echoes'], index: number): Mapping {
  const spoken = of === null ? undefined : said[of % said.length]
  const { group, target: to, role: wanted } = spoken ?? { group: name as GroupName, target: target(at), role: 'guest' as Role }
  const answered = (echoes[listOf(to)]?.[wanted] ?? wanted) as Role
  return {
    id: `m${n}-${index}` as MappingId,
    key: keyOf(acme, to, group),
    group,
    target: to,
    role: as === 'said' ? wanted : as === 'answered' ? answered : as,
  }
}

/** The home of each group. Most groups are in one place of one directory. Some are in none, in two places, or in two directories. */
function anyHomes(): fc.Arbitrary<readonly { readonly home: string; readonly size: number }[]> {
  const home = fc.constantFrom('first', 'first', 'first', 'first', 'second', 'second', 'nowhere', 'both', 'twice')
  return fc.array(fc.record({ home, size: fc.nat(9) }), { minLength: groupNames.length, maxLength: groupNames.length })
}

function directoriesFrom([names, homes]: [readonly string[], readonly { home: string; size: number }[]]): Seen['directories'] {
  const groupsIn = (directory: number) =>
    groupNames.flatMap((name, index): Group[] => {
      const { home = '', size } = homes[index] ?? {}
      const of = (ou: string): Group => ({ name, id: `${name}@${ou}`, place: `cn=${name},${ou}`, ...(size ? { size: people(size) } : {}) })
      const here = directory === 0 ? ['first', 'both', 'twice', ...(names.length === 1 ? ['second'] : [])] : ['second', 'both']
      return here.includes(home) ? [of('ou=groups'), ...(home === 'twice' ? [of('ou=other')] : [])] : []
    })
  return new Map(names.map((name, directory) => [name, complete(indexGroups(groupsIn(directory)))]))
}

function anySync(): fc.Arbitrary<GroupSync> {
  return fc.record({ enabled: fc.boolean(), autoRemove: fc.boolean(), defaultWorkspaceRole: fc.constantFrom('guest' as Role, null) })
}

/** The service may answer a role with less access, more access, or an unknown role. */
function anyEchoes(): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    {},
    { member: 'contributor' },
    { member: 'admin', guest: 'commenter' },
    { guest: 'auditor', member: 'commenter' },
    { contributor: 'guest', member: 'owner' },
  )
}

/** The text of a world that breaks a property, one fact a line. */
function inWords({ declared, stored, directories }: Pick<AnyWorld, 'declared' | 'stored' | 'directories'>, rest: object): string {
  const { rules, removed, unmanaged, owns } = declared
  const at = (to: Target | undefined) => (to === undefined ? 'anywhere' : targetText(to))
  const said = rules.map(({ groups, target: to, role: wanted, because, ...more }) => {
    const name = groups.kind === 'exact' ? groups.name : `/${groups.pattern.source}/ but ${[...groups.except].join(', ')}`
    const value = wanted.kind === 'fixed' ? wanted.role : wanted.capture
    return `${because.at.line}: ${name} in ${to.kind === 'fixed' ? at(to.target) : to.capture} = ${value} ${JSON.stringify(more)}`
  })
  const seen = [...directories].map(([name, reading]) =>
    reading.status === 'failed'
      ? name
      : `${name} (${reading.status}): ${[...reading.value.values()]
          .flat()
          .map(({ id }) => id)
          .join(', ')}`,
  )
  return [
    `\nowns ${[...owns].join(', ')} ${JSON.stringify(rest)}`,
    ...said,
    ...removed.map((one) => `removed: ${one.group} in ${at(one.target)}`),
    ...unmanaged.map(
      ({ groups, target: to }) => `unmanaged: ${groups.kind === 'exact' ? groups.name : groups.pattern.source} in ${at(to)}`,
    ),
    ...stored.map(({ id, group, target: to, role: has }) => `${id}: ${group} in ${at(to)} = ${has}`),
    ...seen,
    '',
  ].join('\n')
}
