import type { Hash } from '../change.ts'
import { by } from '../compare.ts'
import type { DesiredMapping } from '../desired.ts'
import { projectsReason } from '../existing.ts'
import type { GroupIndex } from '../group.ts'
import type { HoldReason } from '../hold.ts'
import type { GroupName, Mapping, ProjectIdentifier, ProjectIndex, Target } from '../mapping.ts'
import { type Reading, seen, whyIncomplete } from '../reading.ts'
import type { Rule } from '../rule.ts'
import { unsafeName } from '../safeName.ts'
import type { Granted } from './produce.ts'
import type { ProjectCheck } from './projects.ts'

/** What rules are read against: everything that was seen outside. */
export type ResolveInput = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** The service's mappings, as far as they were seen. */
  readonly existing: readonly Mapping[]
  /** Absent where no rule speaks of a project. */
  readonly projects?: Reading<ProjectIndex>
  /** Whether an identifier still names the project that a text meant. */
  readonly check: ProjectCheck
  readonly hash: Hash
  /** Known when the first slice of the plan was approved. */
  readonly approvedProjects?: ReadonlySet<ProjectIdentifier> | undefined
  readonly nowMs: number
}

/** The directories that may know a rule's groups, and those of them that cannot be believed. */
export type Sources = {
  readonly known: readonly (readonly [string, GroupIndex])[]
  readonly incomplete: readonly (readonly [string, string])[]
  readonly asked: number
}

/** By name: what is said of them does not depend on the order of the settings. */
export function sourcesOf(rule: Rule, { directories }: ResolveInput): Sources {
  const asked = [...directories].filter(([name]) => rule.from === undefined || rule.from.includes(name)).toSorted(by(([name]) => name))
  return {
    asked: asked.length,
    known: asked.flatMap(([name, reading]) => pairs(name, seen(reading))),
    incomplete: asked.flatMap(([name, reading]) => pairs(name, whyIncomplete(reading))),
  }
}

const pairs = <T>(name: string, value: T | undefined): readonly (readonly [string, T])[] => (value === undefined ? [] : [[name, value]])

type Match = { readonly group: GroupName; readonly target: Target; readonly role: Granted; readonly mapped: boolean }

export const baseOf = ({ because, previously }: Rule, { group, target }: Pick<Match, 'group' | 'target'>) => ({
  ...{ group, target, because },
  ...(previously === undefined ? {} : { previously: [previously] }),
})

/** Whether the project is known is not asked here: what vouches for it depends on all wishes. */
export function desiredFor(rule: Rule, match: Match, sources: Sources, nowMs: number): DesiredMapping {
  const { group, target, role } = match
  const base = baseOf(rule, match)
  const unknown = (reason: HoldReason): DesiredMapping => ({ ...base, kind: 'unknown', reason })

  // What is there under a name that cannot be sent goes all the same: a delete names its mapping.
  if (rule.expiresMs !== undefined && nowMs >= rule.expiresMs) return { ...base, kind: 'absent', why: 'expired' }
  const unsafe = unsafeName(group)
  if (unsafe !== undefined) return unknown({ kind: 'unsafeName', what: unsafe })

  const places = sources.known.flatMap(([directory, index]) => (index.get(group) ?? []).map((found) => ({ directory, found })))
  if (places.length > 1) {
    return unknown({ kind: 'ambiguous', places: places.map(({ directory, found }) => `${directory}: ${found.place}`).toSorted() })
  }
  const [lacking] = sources.incomplete
  // That a name is in no other place, or in none at all, is an absence: only complete readings prove it.
  if (lacking !== undefined) return unknown({ kind: 'readingIncomplete', of: lacking[0], why: lacking[1] })
  const send = rule.groups.kind === 'exact' && (rule.unknownGroups === 'send' || sources.asked === 0)
  const [place] = places
  if (place === undefined && !send)
    return unknown({ kind: 'groupUnknown', directories: sources.known.map(([name]) => name), mapped: match.mapped })
  if ('unmapped' in role) return unknown({ kind: 'roleUnmapped', captured: role.unmapped, allowed: role.allowed })
  if (target.kind === 'project' && !/^[^\s∕]{1,12}$/u.test(target.project))
    return unknown({ kind: 'projectUnknown', project: target.project })

  return {
    ...base,
    because: place === undefined ? rule.because : { ...rule.because, directory: place.directory },
    kind: 'role',
    role: role.role,
    // A pattern grants to whoever names a group so: it cannot vouch for a protected role.
    allowProtected: rule.allowProtected && rule.groups.kind === 'exact',
    ...(place?.found.people === undefined ? {} : { people: place.found.people }),
  }
}

/** Why a rule has to wait for its project, unless a mapping vouches for that. */
export function projectUnseen({ unknownProjects }: Rule, target: Target, { projects }: ResolveInput): HoldReason | undefined {
  if (target.kind !== 'project' || unknownProjects === 'send' || seen(projects)?.has(target.project)) return undefined
  return projectsReason(projects) ?? { kind: 'projectUnknown', project: target.project }
}

/**
 * What a pattern says that is expired, or of a name that its directories did not show: nothing alone. But where they could not be read whole,
 * it might give the name another role than a rule that can be read.
 */
export const isWeak = (wanted: DesiredMapping, group: GroupName, { known }: Sources): boolean =>
  wanted.kind === 'absent' || !known.some(([, index]) => index.has(group))
