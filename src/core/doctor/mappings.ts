import { compare } from '../compare.ts'
import type { GroupName, List, Mapping } from '../mapping.ts'
import { targetText } from '../mapping.ts'
import type { Plan } from '../plan.ts'
import { counted, listed, listedFirst } from '../quantity.ts'
import { type RoleSettings, rankOf } from '../roles.ts'
import { lineText } from '../rule.ts'
import { visible } from '../safeName.ts'
import { otherDirectoryCure } from '../unknownTo.ts'
import type { DoctorFinding } from './check.ts'
import { nameFormFindings, type UsedName } from './nameForms.ts'

type MappingFacts = {
  readonly plan: Pick<Plan, 'workspace' | 'holds' | 'unchangedMappings'>
  /** The mappings that Plane has. */
  readonly existing: readonly Mapping[]
  /** The names of each directory that was read whole. */
  readonly directories: ReadonlyMap<string, Iterable<GroupName>>
  readonly roles: RoleSettings
  /** The number of mappings in each list that the declaration does not manage. */
  readonly unmanagedLists: ReadonlyMap<List, number>
}

/** What is wrong with mappings, and no plan says. All that the declaration calls unmanaged is left out, as in a plan. */
export function mappingFindings(facts: MappingFacts): readonly DoctorFinding[] {
  const { plan } = facts
  const directories = new Map([...facts.directories].map(([name, names]) => [name, new Set(names)]))
  const has = (directory: string, group: GroupName) => directories.get(directory)?.has(group) === true
  const unknown = plan.holds.flatMap(({ group, key, because, reason, unknownTo }): readonly UnknownGroup[] => {
    if (group === undefined || (reason.kind !== 'groupUnknown' && unknownTo === undefined)) return []
    const isRule = reason.kind === 'groupUnknown'
    const asked = isRule ? reason.directories : (unknownTo ?? [])
    const others = [...directories.keys()].filter((name) => !asked.includes(name) && has(name, group))
    const elsewhere = [...new Set([...((isRule && reason.elsewhere) || []), ...others])].toSorted(compare)
    const asksOnly = isRule && reason.asksOnly === true
    const place = because === undefined ? key : lineText(because.at)
    return [{ group, place, isMapped: !isRule || reason.mapped, isRule, asked, asksOnly, elsewhere }]
  })
  const { findings, explained } = nameFormFindings(unknown, directories)
  // The doctor reads each directory. If one that no rule asks has the group of an undeclared mapping, the group is not unknown.
  const mapped = unknown.filter(
    ({ group, asked, isMapped, isRule, elsewhere }) =>
      isMapped && asked.length > 0 && !explained.has(group) && (isRule || elsewhere.length === 0),
  )
  const alike = Map.groupBy(mapped, ({ asked, asksOnly, elsewhere }) => JSON.stringify([asked, asksOnly, elsewhere]))
  return [
    ...findings,
    ...alike.values().flatMap((some) => unknownGroupFinding(plan.workspace, some)),
    ...addsNothingFinding(facts),
    ...unmanagedFindings(facts),
  ]
}

const shownMax = 5

const quoted = (names: readonly string[]): string =>
  listedFirst(
    names.slice(0, shownMax).map((name) => `"${visible(name)}"`),
    names.length,
  )

/**
 * A group that the directories which were asked do not have. `isRule`: a rule names it; else its mapping is undeclared. `isMapped`: Plane has a mapping of it.
 * `asksOnly`: the rule leaves out other directories. `elsewhere`: those that have it.
 */
type UnknownGroup = UsedName & {
  readonly isMapped: boolean
  readonly isRule: boolean
  readonly asksOnly: boolean
  readonly elsewhere: readonly string[]
}

/** @param mapped groups for which the same directories were asked, and that the same others have */
function unknownGroupFinding(workspace: string, mapped: readonly UnknownGroup[]): readonly DoctorFinding[] {
  const [first] = mapped
  if (first === undefined) return []
  const groups = [...new Set(mapped.map(({ group }) => group))].toSorted()
  const { asked, asksOnly, elsewhere } = first
  const what = `${counted(mapped.length, 'mapping is of a group', 'mappings are of groups')} that ${listed(asked)} ${asked.length === 1 ? 'does' : 'do'} not know`
  if (elsewhere.length > 0)
    return [
      {
        code: 'mapping-of-unknown-group',
        severity: 'warning',
        place: workspace,
        sentence: `${what}, and ${listed(elsewhere)} ${elsewhere.length === 1 ? 'has' : 'have'}: ${quoted(groups)}; the rules ask only ${listed(asked)}`,
        cure: `${otherDirectoryCure(elsewhere)}; if not, list its mappings under "removed"`,
      },
    ]
  return [
    {
      code: 'mapping-of-unknown-group',
      severity: 'warning',
      place: workspace,
      sentence: `${what}: ${quoted(groups)}; unless a login still sends this name, no person has a role by it, and the members of a new group of this name would get it`,
      cure: `if the group was renamed, write its new name in the rule, with "previously"; ${asksOnly ? 'if another directory has it, let the "from" of the rule name that one; ' : ''}if it is gone, delete its rule: then plane-group-sync export --removed prints its lines for "removed"`,
    },
  ]
}

/** Mappings of one project that give no more than the mapping of the same group to all projects. Of declared ones the plan says it: `lower-in-project`. */
function addsNothingFinding({ plan, existing, roles }: MappingFacts): readonly DoctorFinding[] {
  const declared = new Set<string>((plan.unchangedMappings ?? []).map(({ key }) => key))
  const managed = new Set<string>([...declared, ...plan.holds.map(({ key }) => key)])
  const general = new Map<GroupName, number>()
  for (const { group, target, role } of existing) {
    if (target.kind !== 'allProjects' || role === null) continue
    general.set(group, Math.max(general.get(group) ?? -1, rankOf(role, roles)))
  }
  const idle = existing.filter(({ key, group, target, role }) => {
    if (target.kind !== 'project' || role === null || !managed.has(key) || declared.has(key)) return false
    const own = rankOf(role, roles)
    return own >= 0 && own <= (general.get(group) ?? -1)
  })
  if (idle.length === 0) return []
  const names = idle.map(({ group, target, role }) => `${visible(group)} = ${role ?? ''} in ${targetText(target)}`)
  return [
    {
      code: 'mapping-adds-nothing',
      severity: 'info',
      place: plan.workspace,
      sentence: `${counted(idle.length, 'mapping in a project adds', 'mappings in projects add')} nothing, since the same group has at least that role in all projects: ${listedFirst(names.slice(0, shownMax), names.length)}`,
      cure: 'if the group should have less in this project, declare its projects one by one; if not, list the mapping under "removed"',
    },
  ]
}

const unmanagedFindings = ({ plan, unmanagedLists }: MappingFacts): readonly DoctorFinding[] =>
  [...unmanagedLists].flatMap(([list, count]): readonly DoctorFinding[] =>
    count === 0
      ? []
      : [
          {
            code: 'list-unmanaged',
            severity: 'info',
            place: plan.workspace,
            sentence: `no file declares ${list}, so ${counted(count, 'mapping')} of this kind ${count === 1 ? 'is' : 'are'} neither compared nor changed`,
            cure: `to manage them: plane-group-sync export prints them as a declaration`,
          },
        ],
  )
