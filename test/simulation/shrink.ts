import type { Promised } from './audit/violation.ts'
import type { Spec } from './spec.ts'
import { type Outcome, runWorld } from './world.ts'

export type Shrunken = { readonly spec: Spec; readonly outcome: Outcome; readonly removed: readonly string[] }

/** Removes from a world, one thing after another, everything that its violation does not need. */
export async function shrunken(spec: Spec, promise: Promised, turn: () => Promise<void>): Promise<Shrunken> {
  const breaks = async (smaller: Spec) => {
    const outcome = await runWorld(smaller, turn, true)
    return outcome.violations.some((one) => one.promise === promise) ? outcome : undefined
  }
  let [kept, outcome] = [spec, await runWorld(spec, turn, true)]
  const removed: string[] = []
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const { what, less } of reductions(kept)) {
      const still = await breaks(less)
      if (still === undefined) continue
      ;[kept, outcome, isSmaller] = [less, still, true]
      removed.push(what)
      break
    }
  }
  return { spec: kept, outcome, removed }
}

type Reduction = { readonly what: string; readonly less: Spec }

/** Tries to remove whole kinds first, then single items. */
function reductions(spec: Spec): readonly Reduction[] {
  const { fates, happenings, traps, lives, versions, rows, deleteFate, firstList, lacking, refusing } = spec
  const each = <T>(all: readonly T[], name: (one: T) => string, less: (rest: readonly T[]) => Spec): Reduction[] =>
    all.map((one, index) => ({ what: name(one), less: less(all.toSpliced(index, 1)) }))
  return [
    ...(fates.length > 1 ? [{ what: 'all fates', less: { ...spec, fates: [] } }] : []),
    ...(happenings.length > 1 ? [{ what: 'all happenings', less: { ...spec, happenings: [] } }] : []),
    ...(deleteFate === undefined ? [] : [{ what: 'the fate of deletes', less: { ...spec, deleteFate: undefined } }]),
    ...(firstList === undefined ? [] : [{ what: 'the first list', less: { ...spec, firstList: undefined } }]),
    ...(lacking === undefined ? [] : [{ what: 'the lacking lists', less: { ...spec, lacking: undefined } }]),
    ...(refusing === undefined ? [] : [{ what: 'the refusals', less: { ...spec, refusing: undefined } }]),
    ...(traps.length > 1 ? [{ what: 'all traps', less: { ...spec, traps: [] } }] : []),
    ...each(
      traps,
      ({ write }) => `trap at write ${write}`,
      (rest) => ({ ...spec, traps: rest }),
    ),
    ...(lives.length > 1
      ? each(
          lives,
          ({ atMs }) => `life at ${atMs}`,
          (rest) => ({ ...spec, lives: rest }),
        )
      : []),
    ...(versions.length > 1
      ? each(
          versions.slice(1),
          ({ atMs }) => `edit at ${atMs}`,
          (rest) => ({ ...spec, versions: [...versions.slice(0, 1), ...rest] }),
        )
      : []),
    ...each(
      happenings,
      ({ is, atMs }) => `${is} at ${atMs}`,
      (rest) => ({ ...spec, happenings: rest }),
    ),
    ...each(
      fates,
      ({ request, fate }) => `${fate.is} of request ${request}`,
      (rest) => ({ ...spec, fates: rest }),
    ),
    ...Object.entries(rows).flatMap(([name, all]) =>
      each(
        all,
        (row) => `row ${row.group} at ${row.at}`,
        (rest) => ({ ...spec, rows: { ...rows, [name]: rest } }),
      ),
    ),
  ]
}
