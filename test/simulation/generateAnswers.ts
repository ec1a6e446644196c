import { type Chance, chance } from './chance.ts'
import { keyOf } from './declared.ts'
import { edited, isSteady, withRules } from './editVersions.ts'
import { latestMs } from './generateFates.ts'
import type { Fate, Spec } from './spec.ts'

/** In some worlds a delete gets no answer, and a proxy or login page answers its repetition. */
export function withLostDeletes(spec: Spec): Spec {
  const luck = chance(spec.seed, 'lost deletes')
  if (!luck.is(0.08)) return spec
  const removing = luck.is(0.6) ? withRemovals(spec, luck) : spec
  return { ...removing, deleteFate: { deletes: luck.between(1, 3), first: lost(luck, spec.deltaMs), again: elsewhere(luck) } }
}

const lost = (luck: Chance, deltaMs: number): Fate =>
  luck.one<() => Fate>([
    () => ({ is: 'lostRequest' }),
    () => ({ is: 'lostRequest' }),
    () => ({ is: 'status', status: luck.one([500, 502, 503, 504]), committed: false }),
    () => ({ is: 'late', afterMs: luck.between(1, latestMs(deltaMs)) }),
    () => ({ is: 'lostAnswer' }),
    () => ({ is: 'html', instead: true }),
  ])()

const elsewhere = (luck: Chance): Fate =>
  luck.is(0.15) ? { is: 'html', instead: true } : { is: 'notFound', by: luck.one(['proxy', 'page', 'address'] as const) }

/** Declares some existing mappings as removed. */
function withRemovals(spec: Spec, luck: Chance): Spec {
  const gone = new Map(Object.entries(spec.rows).map(([name, rows]) => [name, luck.some(rows, 0.4)]))
  return edited(spec, (one) => {
    const places = [...one.removed, ...(gone.get(one.name) ?? []).map(({ group, at }) => ({ group, at }))]
    const isUnmanaged = (group: string) => one.unmanaged.some((glob) => group.startsWith(glob.slice(0, -1)))
    const removed = new Map(places.filter((place) => !isSteady(place) && !isUnmanaged(place.group)).map((place) => [keyOf(place), place]))
    return withRules({ ...one, removed: [...removed.values()] }, [])
  })
}

/**
 * In some worlds the first answer to a list shows some of its rows or none. No process has read the list before, so its size is not
 * known.
 */
export function withFirstList(spec: Spec): Spec {
  const luck = chance(spec.seed, 'first list')
  if (!luck.is(0.08)) return spec
  const firstList = { shows: luck.is(0.6) ? 0 : luck.draw(), process: spec.journal === 'folder' ? 0 : luck.between(0, 2) }
  return { ...withRulesForRows(spec, luck, 0.5), firstList }
}

/** In some worlds lists lack a share of their rows, without a sign, once or for a while. */
export function withLackingLists(spec: Spec): Spec {
  const luck = chance(spec.seed, 'lacking lists')
  if (!luck.is(0.1) || spec.twoWriters) return spec
  const fromMs = luck.between(0, Math.floor(spec.endMs / 2))
  const lacking = {
    share: luck.one([0.05, 0.25, 0.45, 0.6, 1, luck.draw()]),
    which: luck.one(['random', 'same', 'last'] as const),
    of: luck.is(0.8) ? ('mappings' as const) : ('projects' as const),
    once: luck.is(0.3),
    elsewhere: luck.is(0.3) ? luck.one(['proxy', 'page', 'address'] as const) : undefined,
    fromMs,
    untilMs: luck.between(fromMs, spec.endMs),
  }
  return { ...withRulesForRows(spec, luck, 0.5), lacking }
}

/** Declares some existing mappings. Rows and rules are drawn independently, so they seldom match by chance. */
export function withRulesForRows(spec: Spec, luck: Chance, share: number): Spec {
  const chosen = new Map(Object.entries(spec.rows).map(([name, rows]) => [name, luck.some(rows, share)]))
  return edited(spec, (one) =>
    withRules(
      one,
      (chosen.get(one.name) ?? []).map(({ group, at, role }) => ({ group, at, role, allowProtected: true, send: true })),
    ),
  )
}
