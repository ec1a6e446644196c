import type { Wish } from './desired.ts'
import type { HoldReason } from './hold.ts'
import type { Key } from './mapping.ts'
import { nearest } from './nearest.ts'
import type { World } from './resolve.ts'

/** How many unknown names are compared with all known ones: the first few, by key, help a person; thousands only cost time. */
const hintsMax = 20

/** Of the wishes that hang on an unknown name the first, with the name that was probably meant. */
export function hinted(wishes: ReadonlyMap<Key, Wish>, world: World): readonly (readonly [Key, Wish])[] {
  return [...wishes]
    .flatMap(([key, wish]) => (wish.want === 'unknown' && isOfName(wish.reason) ? [{ key, wish, reason: wish.reason }] : []))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, hintsMax)
    .flatMap(({ key, wish, reason }) => {
      const near = reason.kind === 'projectUnknown' ? nearProject(reason.project, world) : nearGroup(wish.group, reason.directories, world)
      return near === undefined ? [] : [[key, { ...wish, reason: { ...reason, near } }] as const]
    })
}

type OfName = Extract<HoldReason, { kind: 'groupUnknown' | 'projectUnknown' }>
const isOfName = (reason: HoldReason): reason is OfName => reason.kind === 'groupUnknown' || reason.kind === 'projectUnknown'

const nearProject = (name: string, { projects }: World): string | undefined =>
  projects === undefined || projects.status === 'failed' ? undefined : nearest(name, projects.value)

function nearGroup(name: string, asked: readonly string[], { directories }: World): string | undefined {
  const known = asked.flatMap((directory) => {
    const reading = directories.get(directory)
    return reading === undefined || reading.status === 'failed' ? [] : [...reading.value.keys()]
  })
  return nearest(name, known)
}
