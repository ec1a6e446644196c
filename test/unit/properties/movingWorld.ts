import * as fc from 'fast-check'
import { type GroupName, keyOf, type List, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import { acme, pattern, rule, target } from '../core/smallWorld.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'

/** A group moves from all projects to one project, or the reverse. The new mapping may exist under another group name. */
type Move = {
  readonly group: string
  readonly to: '*' | 'ENG'
  readonly now: 'missing' | 'there' | 'another name'
  readonly by: 'name' | 'pattern'
  readonly isRemoved: boolean
}

const moves: fc.Arbitrary<readonly Move[]> = fc.uniqueArray(
  fc.record({
    group: fc.constantFrom('a', 'b', 'c', 'd'),
    to: fc.constantFrom('*', 'ENG'),
    now: fc.constantFrom('missing', 'missing', 'there', 'another name'),
    by: fc.constantFrom('name', 'name', 'pattern'),
    isRemoved: fc.boolean(),
  }),
  { minLength: 1, selector: ({ group }) => group },
)

/** Worlds in which nearly every deleted mapping has a replacement. `anyWorld` seldom draws such worlds. */
export const movingWorld: fc.Arbitrary<AnyWorld> = fc.tuple(anyWorld, moves).map(([world, all]): AnyWorld => {
  const declared = {
    ...world.declared,
    owns: new Set<List>(['projectRoles', 'workspaceRoles']),
    rules: all.map(({ group, to, by }, index) => {
      const because = { at: { file: 'groups.yaml', line: index + 1, column: 5 } }
      const previously = before(group)
      return by === 'pattern'
        ? pattern(group, to, 'member', { unknownProjects: 'send', because })
        : rule(group, to, 'member', { unknownProjects: 'send', because, previously })
    }),
    removed: all.flatMap(({ group, to, isRemoved }, index) => {
      const because = { at: { file: 'removed.yaml', line: index + 1, column: 5 } }
      return isRemoved ? [{ group: group as GroupName, target: target(other(to)), because }] : []
    }),
    unmanaged: [],
  }
  const stored = all.flatMap(({ group, to, now }) => [
    mapping(group, other(to)),
    ...(now === 'there' ? [mapping(group, to)] : now === 'another name' ? [mapping(before(group), to)] : []),
  ])
  const { [fc.toStringMethod]: _words, ...rest } = world
  return { ...rest, declared, stored, existing: { lists: listsSeen(declared, stored) } }
})

const other = (to: Move['to']) => (to === '*' ? 'ENG' : '*')
const before = (group: string) => `old-${group}` as GroupName

function mapping(group: string, at: string): Mapping {
  const to = target(at)
  return {
    id: `${group} ${at}` as MappingId,
    key: keyOf(acme, to, group as GroupName),
    group: group as GroupName,
    target: to,
    role: 'member' as Role,
  }
}
