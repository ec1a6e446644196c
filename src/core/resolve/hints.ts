import { by } from '../compare.ts'
import type { DesiredMapping, DesiredMappings } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import type { Key } from '../mapping.ts'
import { nearest } from '../nearest.ts'
import { valueIfRead } from '../reading.ts'
import type { ResolveInput } from './desiredMapping.ts'

/** The most unknown names that get a suggestion. The first few, by key, help a person; thousands only cost time. */
const hintsMax = 20

/** The first mappings that wait for an unknown name, with the name that was probably meant. */
export function withSuggestions(mappings: DesiredMappings, input: ResolveInput): readonly (readonly [Key, DesiredMapping])[] {
  return [...mappings]
    .flatMap(([key, wanted]) => (wanted.kind === 'unknown' && isOfName(wanted.reason) ? [{ key, wanted, reason: wanted.reason }] : []))
    .toSorted(by(({ key }) => key))
    .slice(0, hintsMax)
    .flatMap(({ key, wanted, reason }) => {
      const near =
        reason.kind === 'projectUnknown' ? nearProject(reason.project, input) : nearGroup(wanted.group, reason.directories, input)
      return near === undefined ? [] : [[key, { ...wanted, reason: { ...reason, near } }] as const]
    })
}

type OfName = Extract<HoldReason, { kind: 'groupUnknown' | 'projectUnknown' }>
const isOfName = (reason: HoldReason): reason is OfName => reason.kind === 'groupUnknown' || reason.kind === 'projectUnknown'

const nearProject = (name: string, { projects }: ResolveInput): string | undefined => nearest(name, valueIfRead(projects)?.keys() ?? [])

const nearGroup = (name: string, asked: readonly string[], { directories }: ResolveInput): string | undefined =>
  nearest(
    name,
    asked.flatMap((directory) => [...(valueIfRead(directories.get(directory))?.keys() ?? [])]),
  )
