import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Change, canonical } from '../../../src/core/change.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { changeLine, complete, failed, partial, planIn, type Seen } from '../core/smallWorld.ts'
import { anyWorld } from './anyWorld.ts'
import { movingWorld } from './movingWorld.ts'
import { holds } from './runs.ts'

/** Makes a reading from a part of the items: `partial`, `failed`, or `complete`, which wrongly claims to have all items. */
type Dimming = <T>(less: T) => Reading<T>

const less = <T, I>(reading: Reading<T>, dim: Dimming, itemsOf: (value: T) => readonly I[], from: (items: readonly I[]) => T) =>
  reading.status === 'failed'
    ? fc.constant<Reading<T>>(reading)
    : fc.oneof(
        { weight: 1, arbitrary: fc.constant<Reading<T>>(reading) },
        { weight: 3, arbitrary: fc.subarray([...itemsOf(reading.value)]).map((items) => dim(from(items))) },
      )

const lessEach = <K, T, I>(
  readings: ReadonlyMap<K, Reading<T>>,
  dim: Dimming,
  itemsOf: (value: T) => readonly I[],
  from: (items: readonly I[]) => T,
): fc.Arbitrary<ReadonlyMap<K, Reading<T>>> =>
  fc
    .tuple(...[...readings].map(([name, reading]) => less(reading, dim, itemsOf, from).map((now) => [name, now] as const)))
    .map((all) => new Map(all))

const directoriesOf = ({ directories }: Seen, dim: Dimming) =>
  lessEach(
    directories,
    dim,
    (index) => [...index],
    (items) => new Map(items),
  )

/** The same world with smaller readings. A reading that lacks items is partial or failed, never complete. */
const dimmed = (world: Seen): fc.Arbitrary<Seen> =>
  fc
    .constantFrom<Dimming>(partial, partial, partial, () => failed)
    .chain((dim) =>
      fc.record({
        directories: directoriesOf(world, dim),
        lists: lessEach(
          world.existing.lists,
          dim,
          (rows) => rows,
          (items) => items,
        ),
        projects: less(
          world.projects,
          dim,
          (known) => [...known],
          (items) => new Map(items),
        ),
      }),
    )
    .map(({ directories, lists, projects }) => ({ ...world, directories, projects, existing: { ...world.existing, lists } }))

/** Without the ids of groups and projects, which a smaller reading may lack. */
const writesOf = (changes: readonly Change[]): ReadonlySet<string> => new Set(changes.map(canonical))
/** The changes of the second world's plan that the first world's plan does not have. */
const added = (world: Seen, second: Seen): readonly Change[] => {
  const before = writesOf(planIn(world).changes)
  return planIn(second).changes.filter((change) => !before.has(canonical(change)))
}

const worlds = fc.oneof({ weight: 2, arbitrary: anyWorld }, { weight: 1, arbitrary: movingWorld })

describe('readings with less information', () => {
  holds(
    'Partial and failed readings add no create, no rename and no delete to a plan',
    2_000,
    fc.property(
      worlds.chain((world) => dimmed(world).map((less) => ({ world, less }))),
      ({ world, less }) => {
        expect(
          added(world, less)
            .filter(({ action }) => action !== 'patch')
            .map(changeLine),
        ).toEqual([])
      },
    ),
  )

  holds(
    'If a plan from complete readings gives a group a mapping and then deletes the one that it replaces, a plan from smaller readings never has only this delete',
    1_500,
    fc.property(
      worlds.chain((world) => dimmed(world).map((less) => ({ world, less }))),
      ({ world, less }) => {
        const [whole, now] = [planIn(world).changes, planIn(less).changes]
        const [gone, here] = [writesOf(now.filter(({ action }) => action === 'delete')), writesOf(now)]
        const missing = whole.flatMap((change) =>
          whole.filter(
            (made) =>
              gone.has(canonical(change)) &&
              change.requires.includes(made.id) &&
              'group' in made &&
              'group' in change &&
              made.group === change.group &&
              !here.has(canonical(made)),
          ),
        )
        expect(missing.map(changeLine)).toEqual([])
      },
    ),
  )

  holds(
    'A reading of a directory with fewer groups adds no delete to a plan, even if it claims to be complete',
    1_000,
    fc.property(
      anyWorld.chain((world) => directoriesOf(world, complete).map((directories) => ({ world, less: { ...world, directories } }))),
      ({ world, less }) => {
        // With fewer groups an ambiguous name can become unique. Its rule then applies, and the mapping that it replaces is deleted.
        const before = new Set(world.declared.rules.map(({ previously }) => previously))
        const waited = new Set(planIn(world).holds.flatMap(({ reason, change }) => (reason.kind === 'requires' ? [change?.id] : [])))
        const gone = added(world, less).filter(
          (change) => change.action === 'delete' && change.why !== 'duplicate' && !before.has(change.group) && !waited.has(change.id),
        )
        expect(gone.map(changeLine)).toEqual([])
      },
    ),
  )
})
