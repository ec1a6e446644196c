import { type Chance, chance } from './chance.ts'
import { rulesOf, targetsOf } from './declared.ts'
import { universe } from './generate.ts'
import type { Happening, Spec } from './spec.ts'

/**
 * In some worlds a person approves grants of protected roles for a limited time, as `approve --now` does. Some approvals describe another change:
 * another role before or after, or another group of that name. Mappings are deleted later, also when the approval has ended.
 */
export function withApprovals(spec: Spec): Spec {
  const luck = chance(spec.seed, 'approvals')
  if (!luck.is(0.15) || spec.journal === 'none' || spec.twoWriters || spec.policy === 'observe' || spec.suspend !== false) return spec
  const wanted = spec.versions.flatMap(({ declared }) =>
    declared.workspaces.flatMap((one) =>
      rulesOf(one).flatMap((rule) => {
        if (rule.role !== 'admin' || rule.allowProtected === true) return []
        return universe.slice(0, 8).flatMap((group) => targetsOf(rule, group).map((at) => ({ workspace: one.name, group, at })))
      }),
    ),
  )
  if (wanted.length === 0) return spec
  const happenings = Array.from({ length: luck.between(1, 4) }, () => approved(luck.one(wanted), spec, luck)).flat()
  return { ...spec, happenings: [...spec.happenings, ...happenings].toSorted((a, b) => a.atMs - b.atMs) }
}

type Wanted = { readonly workspace: string; readonly group: string; readonly at: string }

function approved({ workspace, group, at }: Wanted, { endMs, intervalMs }: Spec, luck: Chance): readonly Happening[] {
  const atMs = luck.between(0, endMs)
  const forMs = luck.between(1_000, 3 * intervalMs)
  const wrong = luck.is(0.4) ? { wrong: luck.one(['from', 'to', 'id'] as const) } : {}
  const names = luck.is(0.7) || 'wrong' in wrong
  const row = { group, at, role: 'admin' }
  const drop = (afterMs: number): Happening => ({ atMs: atMs + afterMs, is: 'hand', workspace, row, does: 'drop' })
  return [
    { atMs, is: 'approve', workspace, group, at, to: 'admin', forMs, names, ...wrong },
    ...(luck.is(0.5) ? [drop(luck.between(0, forMs))] : []),
    ...(luck.is(0.5) ? [drop(forMs + luck.between(0, intervalMs))] : []),
  ]
}
