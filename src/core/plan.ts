import type { Bounds, GroupSize } from './bounds.ts'
import type { Cause } from './cause.ts'
import { type Change, type ChangeId, canonical, type Hash, type MappingChange } from './change.ts'
import { by, compare } from './compare.ts'
import type { Finding } from './finding.ts'
import type { GroupFacts } from './group.ts'
import type { Hold } from './hold.ts'
import { canonicalLater, type Later } from './later.ts'
import type { GroupName, List, Mapping, ProjectIndex, WorkspaceName } from './mapping.ts'
import { defined } from './optionalFields.ts'
import type { PeopleLimits, PeopleOfChange } from './peopleEffect.ts'
import { type Reading, valueIfRead } from './reading.ts'
import type { Provenance, RenamedGroup } from './rule.ts'

/** The changes, holds and findings of one workspace. Sorted: equal inputs give equal plans. */
export type Plan = {
  readonly workspace: WorkspaceName
  /** The changes in the order of writing. */
  readonly changes: readonly Change[]
  readonly holds: readonly Hold[]
  readonly findings: readonly Finding[]
  /** The rules whose groups their directories call by other names; absent: none. `export --renamed` prints them. */
  readonly renamed?: readonly RenamedGroup[]
  /** What dates will change up to `laterUntilMs`, by date. */
  readonly later: readonly Later[]
  readonly laterUntilMs: number
  readonly unchanged: number
  /** These mappings, in the order of their keys; only if they were asked for. */
  readonly unchangedMappings?: readonly UnchangedMapping[]
  /** For the guards: the number of existing mappings in each list that are managed. */
  readonly owned: Readonly<Partial<Record<List, number>>>
  /** For the guards: how many of these mappings certainly give their group an administrator role in the workspace. */
  readonly administrators: number
  /**
   * SHA-256 in hex over origin, format version, the changes with ids and before/after, the ids of their projects and groups, and what dates will change
   * (key, role, date); not over counts, other times or people.
   */
  readonly fingerprint: string
}

/** An existing mapping that is as its rule declares it. `role`: as Plane shows it. `label`: how people call the group, if its name is an id. */
export type UnchangedMapping = Mapping & { readonly because: Provenance; readonly size?: GroupSize; readonly label?: string }

/** Raise it when the same plan means something else than in an older version. A saved plan of an older format is refused. */
export const planFormat = 5

type Naming = {
  readonly origin: string
  readonly hash: Hash
  /**
   * The fingerprint covers the ids of projects, since an identifier may name another project when the plan is applied. Undefined if no text
   * of the declaration names a project.
   */
  readonly projects: Reading<ProjectIndex> | undefined
  /**
   * The fingerprint covers the ids of groups, since a name may belong to another group when the plan is applied. A delete takes the role away from any
   * group of this name, so its group is not covered.
   */
  readonly factsOf: (group: GroupName) => GroupFacts
}

export function planOf(parts: Omit<Plan, 'fingerprint'>, { origin, hash, projects, factsOf }: Naming): Plan {
  const named = new Set(
    parts.changes.flatMap((change) => ('target' in change && change.target.kind === 'project' ? change.target.project : [])),
  )
  const known = valueIfRead(projects)
  const projectIds = [...named].toSorted().map((project) => [project, known?.get(project)?.id ?? null])
  const given = new Set(parts.changes.flatMap((change) => ('role' in change ? change.group : [])))
  const groupIds = [...given].toSorted().map((group) => [group, factsOf(group).groupId ?? null])
  return {
    ...parts,
    holds: parts.holds.toSorted((a, b) => compare(a.key, b.key) || compare(wouldText(a), wouldText(b))),
    ...(parts.unchangedMappings && { unchangedMappings: parts.unchangedMappings.toSorted(by(({ key }) => key)) }),
    findings: distinct(parts.findings).toSorted(by(({ place, code, sentence }) => lineOrder(place) + code + sentence)),
    fingerprint: hash(
      JSON.stringify([
        planFormat,
        origin,
        parts.workspace,
        parts.changes.map(canonical),
        projectIds,
        groupIds,
        parts.later.map(canonicalLater),
      ]),
    ),
  }
}

/** Several mappings with one key have a hold each, which differ in the role of the mapping. */
const wouldText = ({ would }: Hold): string => (would === undefined ? '' : JSON.stringify(would))

/** Line 9 comes before line 10. */
const lineOrder = (place: string): string => place.replaceAll(/\d+/g, (digits) => digits.padStart(10, '0'))

/** The same plan with the people of its changes, as far as they were counted. They are not part of its fingerprint. */
export const withPeople = (plan: Plan, people: ReadonlyMap<ChangeId, PeopleOfChange>): Plan =>
  people.size === 0
    ? plan
    : { ...plan, changes: plan.changes.map((change) => (change.action === 'settings' ? change : { ...change, ...people.get(change.id) })) }

/**
 * How many people several changes concern together in the way that a limit counts, each person once. Their texts are not kept for it, only which numbers of
 * people the changes have in common.
 */
export type PeopleTogether = (limit: keyof PeopleLimits, changes: readonly ChangeId[]) => Bounds

/** The people of the changes of a plan, as far as they were counted. */
export const peopleIn = ({ changes }: Plan): ReadonlyMap<ChangeId, PeopleOfChange> =>
  new Map(
    changes.flatMap((change) => {
      if (change.action === 'settings' || change.effect === undefined) return []
      const { effect, size } = change
      return [[change.id, { effect, ...(size === undefined ? {} : { size }) }] as const]
    }),
  )

/** The same plan with the labels of its groups, and with the ids of those that get a role. The labels are not part of its fingerprint. */
export function withGroupFacts(plan: Plan, factsOf: (group: GroupName) => GroupFacts): Plan {
  const labelled = <T extends { readonly group?: GroupName }>(entry: T): T => {
    const label = entry.group === undefined ? undefined : factsOf(entry.group).label
    return label === undefined ? entry : { ...entry, label }
  }
  const withFacts = (change: Change): Change => {
    if (change.action === 'settings') return change
    const groupId = change.action === 'delete' ? undefined : factsOf(change.group).groupId
    return groupId === undefined ? labelled(change) : { ...labelled(change), groupId }
  }
  return {
    ...plan,
    changes: plan.changes.map(withFacts),
    holds: plan.holds.map((hold) => labelled(hold.change === undefined ? hold : { ...hold, change: withFacts(hold.change) })),
    later: plan.later.map((row) => ({
      ...labelled(row),
      ...defined({ groupId: 'role' in row.write ? factsOf(row.group).groupId : undefined }),
    })),
    ...(plan.unchangedMappings && { unchangedMappings: plan.unchangedMappings.map(labelled) }),
  }
}

/** The same plan with where its entries come from. The causes are not part of its fingerprint. */
export function withCauses(plan: Plan, { ofChange, ofHold }: Causes): Plan {
  const caused = (change: Change): Change => {
    if (change.action === 'settings') return change
    const cause = ofChange(change)
    return cause === undefined ? change : { ...change, cause }
  }
  const causedHold = (hold: Hold): Hold => ({ ...hold, ...defined({ change: hold.change && caused(hold.change), cause: ofHold(hold) }) })
  return { ...plan, changes: plan.changes.map(caused), holds: plan.holds.map(causedHold) }
}
type Causes = { ofChange(change: MappingChange): Cause | undefined; ofHold(hold: Hold): Cause | undefined }

/** The same plan with the rules whose groups have other names now. They are not part of its fingerprint. */
export const withRenamed = (plan: Plan, renamed: readonly RenamedGroup[]): Plan => (renamed.length === 0 ? plan : { ...plan, renamed })

/** The same plan with fewer changes. */
export const restrict = (plan: Plan, keep: (change: Change) => boolean): Plan => ({ ...plan, changes: plan.changes.filter(keep) })

/** The same plan with some changes moved to the holds. */
export const moveToHolds = (plan: Plan, holds: ReadonlyMap<ChangeId, Hold>): Plan => ({
  ...plan,
  changes: plan.changes.filter(({ id }) => !holds.has(id)),
  holds: [...plan.holds, ...holds.values()].toSorted(by(({ key }) => key)),
})

/** The same plan with more findings. */
export const addFindings = (plan: Plan, findings: readonly Finding[]): Plan => ({
  ...plan,
  findings: distinct([...plan.findings, ...findings]),
})

/** Two steps of a cycle may find the same fact. */
const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify([finding.code, finding.place, finding.sentence]), finding])).values(),
]

/** The same plan without some findings. */
export const withoutFindings = (plan: Plan, isLeftOut: (finding: Finding) => boolean): Plan => ({
  ...plan,
  findings: plan.findings.filter((finding) => !isLeftOut(finding)),
})
