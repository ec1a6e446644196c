import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { DesiredMapping } from '../../../src/core/desired.ts'
import type { Later } from '../../../src/core/later.ts'
import { type Key, listOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import { valueIfRead } from '../../../src/core/reading.ts'
import { compareRoles } from '../../../src/core/roles.ts'
import { desiredIn, planIn } from '../core/smallWorld.ts'
import { nowMs } from './anyDeclaration.ts'
import { type AnyWorld, anyWorld, listsSeen } from './anyWorld.ts'
import { holds } from './runs.ts'

const lastMs = nowMs + 10
const date = fc.option(fc.integer({ min: nowMs - 2, max: lastMs + 2 }), { nil: undefined, freq: 2 })
const anySpans = fc.array(fc.tuple(date, date), { minLength: 10, maxLength: 10 })

/** The world with dates for its rules. */
function dated(world: AnyWorld, spans: readonly (readonly [number | undefined, number | undefined])[]): AnyWorld {
  const rules = world.declared.rules.map((plain, index) => {
    const { startsMs: _, expiresMs: __, ...rule } = plain
    const [startsMs, expiresMs] = spans[index % spans.length] ?? []
    const isSpan = startsMs === undefined || expiresMs === undefined || startsMs < expiresMs
    return { ...rule, ...(startsMs !== undefined && isSpan && { startsMs }), ...(expiresMs !== undefined && { expiresMs }) }
  })
  return { ...world, declared: { ...world.declared, rules }, policy: 'exclusive', laterUntilMs: lastMs }
}

/** Whether a mapping with the wanted role is to be made, or one with another role to be changed. */
const isOther = (
  mapped: readonly Pick<Mapping, 'role'>[],
  { target, role }: Pick<Later, 'target'> & { role: Role },
  world: AnyWorld,
): boolean =>
  mapped.length === 0 ||
  mapped.some((one) => compareRoles(role, one.role, target, world.echoes[listOf(target)] ?? {}, world.roles) === 'other')

/** The mappings after the plan of today and what the rows announce up to a moment are written. */
function announced(world: AnyWorld, later: readonly Later[], atMs: number): readonly Mapping[] {
  const desired = desiredIn(world)
  const mapped = Map.groupBy(world.stored, ({ key }) => key)
  /** Plane stores some roles under another name. */
  const give = (key: Key, { group, target }: Pick<DesiredMapping, 'group' | 'target'>, sent: Role) => {
    const role = (world.echoes[listOf(target)]?.[sent] ?? sent) as Role
    mapped.set(key, [{ id: `made ${key}` as MappingId, ...mapped.get(key)?.[0], key, group, target, role }])
  }
  for (const [key, wanted] of desired.mappings) {
    // A role that Plane answers in the place of the wanted one stays as it is.
    if (wanted.kind === 'role' && isOther(mapped.get(key) ?? [], wanted, world)) give(key, wanted, wanted.role)
    if (wanted.kind === 'absent') mapped.delete(key)
  }
  for (const row of later.filter((one) => one.atMs <= atMs && one.waits === undefined)) {
    if ('role' in row.write) give(row.key, row, row.write.role)
    if (row.write.action === 'delete') mapped.delete(row.key)
  }
  return [...mapped.values()].flat()
}

describe('what dates will change', () => {
  holds(
    'At each date the declaration wants what the rows of today announce, and no row announces anything else',
    400,
    fc.property(anyWorld, anySpans, fc.integer({ min: 1, max: 10 }), (plain, spans, ms) => {
      const world = dated(plain, spans)
      const { later } = planIn(world)
      const atMs = nowMs + ms
      const before = announced(world, later, atMs - 1)
      const then = desiredIn({ ...world, nowMs: atMs, existing: { ...world.existing, lists: listsSeen(world.declared, before) } })
      const after = Map.groupBy(announced(world, later, atMs), ({ key }) => key)
      // Some projects and some names that patterns match are known only from mappings, and these come and go.
      const indexes = [...world.directories.values()].map(valueIfRead)
      const hasPattern = world.declared.rules.some(({ groups }) => groups.kind === 'pattern')
      const isSeen = ({ target: on, group }: Pick<Later, 'target' | 'group'>) =>
        (on.kind !== 'project' || valueIfRead(world.projects)?.has(on.project) === true) &&
        (!hasPattern || indexes.some((index) => index?.has(group)))
      for (const [key, wanted] of then.mappings) {
        const { target, group } = wanted
        if (!isSeen(wanted) || wanted.kind === 'unknown' || !then.isOwned(group, target)) continue
        const has = (after.get(key) ?? []).map(({ role }) => role)
        if (wanted.kind === 'absent') expect([key, ...has]).toEqual([key])
        else if (isOther(after.get(key) ?? [], wanted, world)) expect([key, ...has]).toEqual([key, wanted.role])
      }
      for (const row of later.filter((one) => one.atMs === atMs && isSeen(one))) {
        const wanted = then.mappings.get(row.key)
        if (row.waits !== undefined) expect([row, wanted?.kind]).toEqual([row, 'unknown'])
        else if ('role' in row.write) expect(wanted).toMatchObject({ kind: 'role', role: row.write.role })
        else expect(wanted?.kind).toBe('absent')
      }
    }),
  )
})
