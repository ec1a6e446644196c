import type { GroupName, List, Mapping } from '../mapping.ts'
import { targetText } from '../mapping.ts'
import type { Plan } from '../plan.ts'
import { counted, listed, listedFirst } from '../quantity.ts'
import { type RoleSettings, rankOf } from '../roles.ts'
import { lineText } from '../rule.ts'
import { visible } from '../safeName.ts'
import type { DoctorFinding } from './check.ts'
import { nameFormFindings } from './nameForms.ts'

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
  const { plan, directories } = facts
  const unknown = plan.holds.flatMap(({ group, key, because, reason, unknownTo }) => {
    if (group === undefined || (reason.kind !== 'groupUnknown' && unknownTo === undefined)) return []
    const isMapped = reason.kind !== 'groupUnknown' || reason.mapped
    const known = reason.kind === 'groupUnknown' ? reason.directories : (unknownTo ?? [])
    return [{ group, place: because === undefined ? key : lineText(because.at), isMapped, known }]
  })
  const { findings, explained } = nameFormFindings(unknown, directories)
  const mapped = unknown.filter(({ group, isMapped }) => isMapped && !explained.has(group))
  return [...findings, ...unknownGroupFinding(plan.workspace, mapped), ...addsNothingFinding(facts), ...unmanagedFindings(facts)]
}

const shownMax = 5

const quoted = (names: readonly string[]): string =>
  listedFirst(
    names.slice(0, shownMax).map((name) => `"${visible(name)}"`),
    names.length,
  )

function unknownGroupFinding(
  workspace: string,
  mapped: readonly { readonly group: GroupName; readonly known: readonly string[] }[],
): readonly DoctorFinding[] {
  const [first] = mapped
  if (first === undefined) return []
  const groups = [...new Set(mapped.map(({ group }) => group))].toSorted()
  return [
    {
      code: 'mapping-of-unknown-group',
      severity: 'warning',
      place: workspace,
      sentence: `${counted(mapped.length, 'mapping is', 'mappings are')} of a group that ${listed(first.known)} does not have: ${quoted(groups)}; no person has a role by it today, and the members of a new group of this name would get it`,
      cure: `if the group was renamed, write its new name in the rule; if it is gone, list its mappings under "removed": plane-group-sync export --removed prints those that no rule declares`,
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
