import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import {
  type GroupName,
  keyOf,
  type Mapping,
  type MappingId,
  projectIdentifier,
  type Role,
  type Target,
} from '../../../src/core/mapping.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { unsafeName, visible } from '../../../src/core/safeName.ts'
import { printDeclaration } from '../../../src/declaration/print.ts'
import { printRemoved } from '../../../src/declaration/printRemoved.ts'
import { acme, complete, groups, planIn, roles, type Seen } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { nastyName } from './anyText.ts'
import { listsSeen } from './anyWorld.ts'
import { holds } from './runs.ts'

const group = fc.oneof({ weight: 3, arbitrary: nastyName }, { weight: 1, arbitrary: fc.constantFrom('devs', 'ops', '') })
/** People made the mappings of the service, so a name there may break the rules of a declaration. */
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constant<Target>({ kind: 'workspace' }),
  fc.constant<Target>({ kind: 'allProjects' }),
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom('ENG', 'OPS', 'Ä', '日本', 'NO', '1E3', '42', 'ON', '~') },
      { weight: 1, arbitrary: nastyName },
    )
    .map((name): Target => ({ kind: 'project', project: projectIdentifier(name.replaceAll('/', '')) })),
)
const role = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('admin', 'member', 'guest', 'on', '7') },
  { weight: 1, arbitrary: nastyName },
  { weight: 1, arbitrary: fc.constant(null) },
)

const anyMappings: fc.Arbitrary<readonly Mapping[]> = fc
  .array(fc.tuple(group, target, role, fc.boolean()), { maxLength: 24 })
  .map((rows) => rows.flatMap((row) => (row[3] ? [row, row] : [row])))
  .map((rows) =>
    rows.map(
      ([name, to, has], index): Mapping => ({
        id: `m${index}` as MappingId,
        key: keyOf(acme, to, name as GroupName),
        group: name as GroupName,
        target: to,
        role: has as Role | null,
      }),
    ),
  )

function declaredBy(text: string): WorkspaceDeclaration {
  const loaded = load({ 'a.yaml': text })
  const declared = loaded.valid ? loaded.declaration.get(acme) : undefined
  if (declared === undefined) throw new Error('text' in loaded ? loaded.text : `nothing is declared in\n${text}`)
  return declared
}

/** The world in which the printed declaration is read again. It has no directory, or one directory with all groups. */
const seenWith = (declared: WorkspaceDeclaration, mappings: readonly Mapping[], hasDirectory: boolean, policy: Seen['policy']): Seen => ({
  declared,
  directories: new Map(hasDirectory ? [['corp', complete(groups(...new Set(mappings.map((one) => one.group))))]] : []),
  existing: { lists: listsSeen(declared, mappings) },
  projects: complete(new Map()),
  nowMs: 0,
  policy,
  roles,
  echoes: {},
})

/** Whether a declaration cannot express a mapping: its key has two roles, or the service would refuse one of its values. */
function isUnsayable(mapping: Mapping, all: readonly Mapping[]): boolean {
  const { key, role: has } = mapping
  return all.some((other) => other.key === key && other.role !== has) || has === null || isUnnameable(mapping)
}

/** Whether a declaration cannot contain the group or the project of a mapping. */
function isUnnameable({ group: name, target: to }: Mapping): boolean {
  const length = (text: string) => Array.from(text).length
  return (
    name === '' ||
    length(name) > 255 ||
    (to.kind === 'project' && (/\s/.test(to.project) || to.project === '' || length(to.project) > 12 || visible(to.project) !== to.project))
  )
}

/** Whether a rule can express a mapping. `export` lists the others under `unmanaged`, or as a comment. */
const isRule = ({ group: name, role: has }: Mapping): boolean =>
  unsafeName(name) === undefined &&
  has !== null &&
  has.trim() === has &&
  has !== '' &&
  Array.from(has).length <= 255 &&
  visible(has.replaceAll(/\s/gu, '')) === has.replaceAll(/\s/gu, '') &&
  !/[\n\r\u2028\u2029]/.test(has)

describe('printed declarations', () => {
  holds(
    'If the output of `export` is the declaration, a plan has no changes; under `sync` it deletes only duplicates and mappings that no declaration can express',
    500,
    fc.property(anyMappings, fc.boolean(), (mappings, hasDirectory) => {
      const declared = declaredBy(printDeclaration(acme, mappings, { lists: 'every' }))
      const planned = (policy: Seen['policy']) => planIn(seenWith(declared, mappings, hasDirectory, policy)).changes
      expect(planned('upsert-only')).toEqual([])
      const sync = planned('exclusive')
      expect(sync.every(({ action }) => action === 'delete')).toBe(true)
      const undeclared = sync.flatMap((change) => (change.action === 'delete' && change.why === 'undeclared' ? [change.key] : []))
      const unsayable = mappings.filter((one) => isUnsayable(one, mappings)).map(({ key }) => key)
      expect(undeclared.toSorted()).toEqual(unsayable.toSorted())
    }),
  )

  holds(
    'The output of `export --removed` beside the declaration deletes exactly the mappings for which it was printed, but those that no declaration can name',
    500,
    fc.property(anyMappings, anyMappings, fc.boolean(), (mappings, others, hasDirectory) => {
      const printed = printRemoved(acme, mappings, roles)
      expect(printRemoved(acme, mappings.toReversed(), roles)).toBe(printed)
      const loaded = load({ 'a.yaml': printDeclaration(acme, [], { lists: 'every' }), 'removed.yaml': printed })
      const declared = loaded.valid ? loaded.declaration.get(acme) : undefined
      if (declared === undefined) throw new Error('text' in loaded ? loaded.text : 'nothing is declared')
      const keys = new Set(mappings.map(({ key }) => key))
      const kept = others.filter(({ key }) => !keys.has(key)).map((one) => ({ ...one, id: `other ${one.id}` as MappingId }))
      const { changes } = planIn(seenWith(declared, [...mappings, ...kept], hasDirectory, 'upsert-only'))
      const deleted = changes.map((change) => (change.action === 'delete' && change.why === 'removed' ? change.mapping : change.action))
      const named = mappings.filter((one) => !isUnnameable(one)).map(({ id }) => id)
      expect(deleted.toSorted()).toEqual(named.toSorted())
    }),
  )

  holds(
    '`export` prints the same text for mappings in any order, and prints it again for the mappings that this text declares',
    300,
    fc.property(anyMappings, (mappings) => {
      const print = (some: readonly Mapping[]) => printDeclaration(acme, some, { lists: 'every' })
      const text = print(mappings)
      expect(print(mappings.toReversed())).toBe(text)
      const sayable = mappings.filter((one) => !isUnsayable(one, mappings) && isRule(one))
      const read = declaredBy(print(sayable)).rules.map(({ groups: of, target: at, role: gives }, index): Mapping => {
        const name = (of.kind === 'exact' ? of.name : of.pattern.source) as GroupName
        const to: Target = at.kind === 'fixed' ? at.target : { kind: 'workspace' }
        return {
          id: `${index}` as MappingId,
          key: keyOf(acme, to, name),
          group: name,
          target: to,
          role: (gives.kind === 'fixed' ? gives.role : '') as Role,
        }
      })
      expect(print(read)).toBe(print(sayable))
    }),
  )
})
