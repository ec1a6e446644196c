import { chance } from './chance.ts'
import { universe } from './generate.ts'
import { withRulesForRows } from './generateAnswers.ts'
import { roles } from './given.ts'
import type { Happening, Spec } from './spec.ts'

/** In some worlds groups are made again under their names, or swap their names, and people delete or lower the mappings of these groups. */
export function withGroupIds(spec: Spec): Spec {
  const luck = chance(spec.seed, 'group ids')
  if (!luck.is(0.15)) return spec
  const ruled = withRulesForRows(spec, luck, 0.6)
  const places = Object.entries(ruled.rows).flatMap(([workspace, rows]) => rows.map((row) => ({ workspace, row })))
  const groups = [...places.map(({ row }) => row.group), ...universe.slice(0, 7)]
  const happenings = Array.from({ length: luck.between(1, 3) }, (): readonly Happening[] => {
    const group = luck.one(groups)
    const directory = luck.one(spec.directories)
    const atMs = luck.between(0, spec.endMs)
    const change: Happening = luck.is(0.3)
      ? { atMs, is: 'groupId', directory, group, does: 'swap', other: luck.one(universe.slice(0, 7)) }
      : { atMs, is: 'groupId', directory, group, does: 'again' }
    const hands = places
      .filter(({ row }) => row.group === group && luck.is(0.7))
      .map(({ workspace, row }): Happening => {
        const does = luck.one(['drop', 'drop', 'set'] as const)
        const lowered = does === 'set' ? { ...row, role: luck.one(roles) } : row
        return { atMs: luck.between(atMs, spec.endMs), is: 'hand', workspace, row: lowered, does }
      })
    return [change, ...hands]
  }).flat()
  return { ...ruled, happenings: [...ruled.happenings, ...happenings].toSorted((a, b) => a.atMs - b.atMs) }
}
