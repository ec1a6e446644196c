import { type Claim, ruling, settle } from './claims.ts'
import { by } from './compare.ts'
import type { Desired, Wish } from './desired.ts'
import type { GroupIndex } from './group.ts'
import { hinted } from './hints.ts'
import type { HoldReason } from './hold.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target } from './mapping.ts'
import { type Granted, produce } from './produce.ts'
import { type Reading, seen, whyIncomplete } from './reading.ts'
import type { Rule, WorkspaceDeclaration } from './rule.ts'
import { unsafeName } from './safeName.ts'
import { isUnmanaged } from './unmanaged.ts'

/** What rules are read against: everything that was seen outside. */
export type World = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** The service's mappings, as far as they were seen. */
  readonly existing: readonly Mapping[]
  /** Absent where no rule speaks of a project. */
  readonly projects?: Reading<ReadonlySet<ProjectIdentifier>>
  /** Of which it was agreed to write to them when they were known. */
  readonly projectsAgreed?: ReadonlySet<ProjectIdentifier>
  readonly nowMs: number
}

/**
 * The declaration's wish for every key, given the readings.
 *
 * | claims on a key                          | wish                                                  |
 * |------------------------------------------|-------------------------------------------------------|
 * | `removed`                                | absent                                                |
 * | an exact rule                            | its role, or unknown with the reason; patterns yield  |
 * | patterns that agree                      | their role                                            |
 * | patterns that differ                     | unknown: conflict                                     |
 * | a pattern whose directory is incomplete  | unknown: it might differ                              |
 * | expired rules only, of whatever kind      | absent                                                |
 */
export function resolve(declared: WorkspaceDeclaration, world: World): Desired {
  const claims = new Map<Key, Claim[]>()
  const mappedKeys = new Set(world.existing.map(({ key }) => key))
  const everyName = once(() => new Set([...world.existing.map(({ group }) => group), ...namesOf(world)]))
  const claim = (key: Key, made: Claim) => {
    const sofar = claims.get(key)
    if (sofar) sofar.push(made)
    else claims.set(key, [made])
  }

  for (const { group, target, because } of declared.removed) {
    claim(keyOf(declared.workspace, target, group), { weight: 'removed', wish: { group, target, because, want: 'absent', why: 'removed' } })
  }
  for (const rule of declared.rules) {
    const sources = sourcesOf(rule, world)
    for (const group of candidates(rule, everyName)) {
      const produced = produce(rule, group)
      if (produced === undefined || isUnmanaged(declared.unmanaged, group, produced.target)) continue
      const { target } = produced
      const key = keyOf(declared.workspace, target, group)
      const mapped = mappedKeys.has(key)
      const wish = wishOf(rule, { group, target, role: produced.role, mapped }, sources, world.nowMs)
      const reason = wish.want === 'role' ? projectUnseen(rule, target, world) : undefined
      claim(key, {
        weight: rule.groups.kind,
        wish,
        shadow: rule.groups.kind === 'pattern' && isShadow(wish, group, sources),
        sends: rule.unknownProjects === 'send',
        ...(reason === undefined ? {} : { unvouched: { ...baseOf(rule, { group, target }), want: 'unknown', reason } }),
      })
    }
  }
  const vouched = once(() => vouchedProjects(world, claims))
  const sure = (made: Claim): Claim =>
    made.unvouched?.target.kind !== 'project' || vouched().has(made.unvouched.target.project) ? made : { ...made, wish: made.unvouched }
  const mappedGroups = once(() => new Set(world.existing.map(({ group }) => group)))
  const wishes = new Map(
    [...claims].flatMap(([key, made]): [Key, Wish][] => {
      const wish = settle(made.some(({ unvouched }) => unvouched !== undefined) ? made.map(sure) : made)
      if (mappedKeys.has(key) || !made.every(({ shadow }) => shadow === true)) return [[key, wish]]
      const isAwaited = wish.want === 'unknown' && wish.reason.kind === 'readingIncomplete' && mappedGroups().has(wish.group)
      return isAwaited ? [[key, { ...wish, silent: true }]] : []
    }),
  )
  for (const [key, wish] of hinted(wishes, world)) wishes.set(key, wish)
  return wishes
}

/** The directories that may know a rule's groups, and those of them that cannot be believed. */
type Sources = {
  readonly known: readonly (readonly [string, GroupIndex])[]
  readonly incomplete: readonly (readonly [string, string])[]
  readonly asked: number
}

/** By name: what is said of them does not depend on the order of the settings. */
function sourcesOf(rule: Rule, { directories }: World): Sources {
  const asked = [...directories].filter(([name]) => rule.from === undefined || rule.from.includes(name)).toSorted(by(([name]) => name))
  return {
    asked: asked.length,
    known: asked.flatMap(([name, reading]) => pairs(name, seen(reading))),
    incomplete: asked.flatMap(([name, reading]) => pairs(name, whyIncomplete(reading))),
  }
}

const pairs = <T>(name: string, value: T | undefined): readonly (readonly [string, T])[] => (value === undefined ? [] : [[name, value]])

/** An exact rule speaks of its name; a pattern of every name that a directory or an existing mapping has. */
const candidates = ({ groups }: Rule, everyName: () => ReadonlySet<GroupName>): Iterable<GroupName> =>
  groups.kind === 'exact' ? [groups.name] : everyName()

const namesOf = ({ directories }: World) => [...directories.values()].flatMap((reading) => [...(seen(reading)?.keys() ?? [])])

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

type Subject = { readonly group: GroupName; readonly target: Target; readonly role: Granted; readonly mapped: boolean }

const baseOf = ({ because, previously }: Rule, { group, target }: Pick<Subject, 'group' | 'target'>) => ({
  ...{ group, target, because },
  ...(previously === undefined ? {} : { previously: [previously] }),
})

/** Whether the project is known is not asked here: what vouches for it depends on all wishes. */
function wishOf(rule: Rule, subject: Subject, sources: Sources, nowMs: number): Wish {
  const { group, target, role } = subject
  const base = baseOf(rule, subject)
  const unknown = (reason: HoldReason): Wish => ({ ...base, want: 'unknown', reason })

  // What is there under a name that cannot be sent goes all the same: a delete names its mapping.
  if (rule.expiresMs !== undefined && nowMs >= rule.expiresMs) return { ...base, want: 'absent', why: 'expired' }
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
    return unknown({ kind: 'groupUnknown', directories: sources.known.map(([name]) => name), mapped: subject.mapped })
  if ('unmapped' in role) return unknown({ kind: 'roleUnmapped', captured: role.unmapped, allowed: role.allowed })
  if (target.kind === 'project' && !/^[^\s∕]{1,12}$/u.test(target.project))
    return unknown({ kind: 'projectUnknown', project: target.project })

  return {
    ...base,
    because: place === undefined ? rule.because : { ...rule.because, directory: place.directory },
    want: 'role',
    role: role.role,
    // A pattern grants to whoever names a group so: it cannot vouch for a protected role.
    allowProtected: rule.allowProtected && rule.groups.kind === 'exact',
    ...(place?.found.people === undefined ? {} : { people: place.found.people }),
  }
}

/** Why a rule has to wait for its project, unless a mapping vouches for that. */
function projectUnseen({ unknownProjects }: Rule, target: Target, { projects }: World): HoldReason | undefined {
  if (target.kind !== 'project' || unknownProjects === 'send' || seen(projects)?.has(target.project)) return undefined
  const why = whyIncomplete(projects)
  return why === undefined ? { kind: 'projectUnknown', project: target.project } : { kind: 'readingIncomplete', of: 'projects', why }
}

/**
 * A key's owner does not see private projects, so a mapping vouches for the one that it names. But what a rule sends whether the project is
 * known or not vouches for none: this program's own write would let the next plan write what was held.
 */
function vouchedProjects({ existing, projectsAgreed }: World, claims: ReadonlyMap<Key, readonly Claim[]>): ReadonlySet<ProjectIdentifier> {
  const vouches = ({ key }: Mapping) => !ruling(claims.get(key) ?? []).some(({ sends }) => sends === true)
  const mapped = existing.flatMap((one) => (one.target.kind === 'project' && vouches(one) ? [one.target.project] : []))
  return new Set([...mapped, ...(projectsAgreed ?? [])])
}

/**
 * What a pattern says that is expired, or of a name that its directories did not show: nothing alone. But where they could not be read whole,
 * it might give the name another role than a rule that can be read.
 */
const isShadow = (wish: Wish, group: GroupName, { known }: Sources): boolean =>
  wish.want === 'absent' || !known.some(([, index]) => index.has(group))
