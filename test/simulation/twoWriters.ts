import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import { type Chance, chance } from './chance.ts'
import { type DeclaredRule, keyOf } from './declared.ts'
import { wideGuards } from './given.ts'
import type { Service } from './service.ts'
import type { Life, Spec } from './spec.ts'

/**
 * The most mappings that two programs may leave twice if they start together, and neither waits for its rate limit before its first read after
 * a create. The programs read again after 10 creates.
 */
export const pairsMax = 10

/**
 * In some worlds two programs with one declaration and two journals start at nearly the same time, and find many mappings missing. Nothing else
 * happens in such a world, so that the number of pairs has a bound.
 */
export function withTwoStarts(spec: Spec): Spec {
  const luck = chance(spec.seed, 'two starts')
  return luck.is(0.015) ? twoStarts(spec, luck, { gapMaxMs: 30_000, limit: 1_000 }) : spec
}

/** @param limit of the service, in requests a minute, for both programs together */
export function twoStarts(spec: Spec, luck: Chance, { gapMaxMs, limit }: { readonly gapMaxMs: number; readonly limit: number }): Spec {
  const groups = Array.from({ length: luck.between(2, 80) }, (_, n) => `team-${n}`)
  const rules = groups.map((group): DeclaredRule => ({ group, at: luck.one(['ENG', 'OPS', '*']), role: 'member' }))
  const gapMs = luck.is(0.7) ? luck.between(0, 150) : luck.between(0, gapMaxMs)
  const life = (folder: string, atMs: number): Life => ({
    ...{ atMs, folder, mode: 'daemon', noWait: false, skewMs: luck.between(-60_000, 60_000), drift: (luck.draw() - 0.5) / 2_000 },
    end: { is: 'stop', atMs: spec.endMs },
  })
  return {
    ...spec,
    ...{ serviceLimit: limit, settingsLimit: limit, usedAtBegin: 0, policy: 'upsert-only', suspend: false, journal: 'folder' },
    ...{ duplicates: undefined, echo: false, lagMs: undefined, recycleEvery: undefined, limiter: 'sliding-log' },
    ...{ happenings: [], fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    refusing: undefined,
    guards: wideGuards,
    rows: { acme: [{ group: 'all', at: 'OPS', role: 'guest' }] },
    directories: ['corp'],
    groups: { corp: ['corp-1', 'corp-2', 'all', ...groups] },
    versions: [
      {
        atMs: 0,
        declared: {
          comment: 'two programs',
          workspaces: [{ name: 'acme', projectRoles: [{ group: 'all', at: 'OPS', role: 'guest' }, ...rules], removed: [], unmanaged: [] }],
        },
      },
    ],
    lives: [life('state', 0), life('other', gapMs)].toSorted((a, b) => a.atMs - b.atMs),
    twoWriters: true,
    pairsMax,
  }
}

/** After the faults have ended, an operator does what the finding `another-writer` says: deletes one mapping of each pair. */
export function removePairs({ workspaces }: CycleReport, service: Pick<Service, 'rows' | 'edit'>, nowMs: number): void {
  for (const one of workspaces) {
    if (one.kind !== 'judged' || !one.judged.plan.holds.some(({ reason }) => reason.kind === 'anotherWriter')) continue
    const seen = new Set<string>()
    for (const row of service.rows(one.workspace)) {
      if (seen.has(keyOf(row))) service.edit(one.workspace, 'drop', row, nowMs)
      seen.add(keyOf(row))
    }
  }
}
