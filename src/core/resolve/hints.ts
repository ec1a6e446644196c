import { by } from '../compare.ts'
import type { DesiredMapping, DesiredMappings } from '../desired.ts'
import { defined } from '../fields.ts'
import type { Group } from '../group.ts'
import type { HoldReason } from '../hold.ts'
import { type GroupName, type Key, keyOf, type ProjectIdentifier, type Target, type WorkspaceName } from '../mapping.ts'
import { nearest } from '../nearest.ts'
import { valueIfRead } from '../reading.ts'
import type { ResolveInput } from './desiredMapping.ts'
import { fullName } from './groupIds.ts'

/** The most unknown names that get a suggestion. The first few, by key, help a person; thousands only cost time. */
const hintsMax = 20

/**
 * The first mappings that wait for an unknown name, with the name that was probably meant. A name that once was right has no suggestion: only an id
 * says what it is called now. A suggestion never names a mapping that another rule declares.
 */
export function withSuggestions(
  mappings: DesiredMappings,
  input: ResolveInput,
  workspace: WorkspaceName,
): readonly (readonly [Key, DesiredMapping])[] {
  const isFree = (target: Target, group: GroupName) => !mappings.has(keyOf(workspace, target, group))
  return [...mappings]
    .flatMap(([key, wanted]) =>
      wanted.kind === 'unknown' && isOfName(wanted.reason) && wanted.reason.near === undefined
        ? [{ key, wanted, reason: wanted.reason }]
        : [],
    )
    .toSorted(by(({ key }) => key))
    .slice(0, hintsMax)
    .flatMap(({ key, wanted, reason }) => {
      const { group, target } = wanted
      const suggested =
        reason.kind === 'projectUnknown'
          ? {
              ...reason,
              ...defined({ near: nearProject(reason.project, input, (project) => isFree({ kind: 'project', project }, group)) }),
            }
          : { ...reason, ...nearGroup(group, reason, input, (name) => isFree(target, name)) }
      return suggested.near === undefined ? [] : [[key, { ...wanted, reason: suggested }] as const]
    })
}

type OfName = Extract<HoldReason, { kind: 'groupUnknown' | 'projectUnknown' }>
const isOfName = (reason: HoldReason): reason is OfName => reason.kind === 'groupUnknown' || reason.kind === 'projectUnknown'

function nearProject(name: string, { projects }: ResolveInput, isFree: (project: ProjectIdentifier) => boolean): string | undefined {
  return nearest(name, (valueIfRead(projects)?.keys() ?? [].values()).filter(isFree))
}

function nearGroup(
  name: GroupName,
  { directories: asked, mapped }: Extract<HoldReason, { kind: 'groupUnknown' }>,
  { directories, lastId }: ResolveInput,
  isFree: (group: GroupName) => boolean,
): Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'near' | 'nearLabel'> {
  if (mapped || asked.some((directory) => lastId(fullName(directory, name)) !== undefined)) return {}
  const indexes = asked.flatMap((directory) => valueIfRead(directories.get(directory)) ?? [])
  const groups = indexes.flatMap((index) => [...index.values()].flat())
  const only = (is: (group: Group) => boolean): Group | undefined => {
    const [found, ...others] = groups.filter(is)
    return found !== undefined && others.length === 0 && isFree(found.name) ? found : undefined
  }
  // Where names are ids, a person writes the label first.
  const called = only(({ label }) => label === name)
  if (called !== undefined) return { near: called.name, nearLabel: name }
  // Where names are no ids, a person may copy the id from the address of a page. Case does not count in the ids of Entra.
  const withId = only(({ id }) => id.length === name.length && id.toLowerCase() === name.toLowerCase())
  if (withId !== undefined) return { near: withId.name }
  const near = nearest(name, new Set(indexes.flatMap((index) => [...index.keys()]).filter(isFree)))
  return defined({ near })
}
