import { by } from '../compare.ts'
import type { Wish, Wishes } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import type { Key } from '../mapping.ts'
import { nearest } from '../nearest.ts'
import { seen } from '../reading.ts'
import type { ResolveInput } from './wish.ts'

/** How many unknown names are compared with all known ones: the first few, by key, help a person; thousands only cost time. */
const hintsMax = 20

/** Of the wishes that hang on an unknown name the first, with the name that was probably meant. */
export function hinted(wishes: Wishes, world: ResolveInput): readonly (readonly [Key, Wish])[] {
  return [...wishes]
    .flatMap(([key, wish]) => (wish.want === 'unknown' && isOfName(wish.reason) ? [{ key, wish, reason: wish.reason }] : []))
    .toSorted(by(({ key }) => key))
    .slice(0, hintsMax)
    .flatMap(({ key, wish, reason }) => {
      const near = reason.kind === 'projectUnknown' ? nearProject(reason.project, world) : nearGroup(wish.group, reason.directories, world)
      return near === undefined ? [] : [[key, { ...wish, reason: { ...reason, near } }] as const]
    })
}

type OfName = Extract<HoldReason, { kind: 'groupUnknown' | 'projectUnknown' }>
const isOfName = (reason: HoldReason): reason is OfName => reason.kind === 'groupUnknown' || reason.kind === 'projectUnknown'

const nearProject = (name: string, { projects }: ResolveInput): string | undefined => nearest(name, seen(projects)?.keys() ?? [])

const nearGroup = (name: string, asked: readonly string[], { directories }: ResolveInput): string | undefined =>
  nearest(
    name,
    asked.flatMap((directory) => [...(seen(directories.get(directory))?.keys() ?? [])]),
  )
