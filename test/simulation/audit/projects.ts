import { type DeclaredWorkspace, hasEnded, type Place, type Statement, statementsOf, states } from '../declared.ts'
import type { Holding } from '../projects.ts'
import type { Version } from '../spec.ts'
import { declaredIn, type Judged } from './explain.ts'
import type { KnownProjects, ProjectList } from './knownProjects.ts'
import type { Fail } from './violation.ts'
import { wanted } from './wanted.ts'
import { isLower, type Write } from './write.ts'

/** The true state of the world, for the auditor. */
export type Truth = {
  /** The id of the project of a mapping. */
  readonly projectOf: (workspace: string, row: string) => string | undefined
  readonly holdings: (workspace: string) => readonly Holding[]
}

type Told = { readonly versions: readonly number[]; readonly moments: readonly number[] }

/**
 * A person who names a project means the project that had this identifier at that time. The auditor checks that writes respect this:
 *
 * - Taken over: no rule writes to a project that now has the identifier of the project that the rule means.
 * - Renamed: if a rule means a project for a group, the project's new identifier is no reason to delete or lower the group's mapping there.
 * - Unknown: while a rule names a project for a group, and this project is not in the list, no mapping of the group is deleted as undeclared.
 *
 * A rule that was written after the project got its identifier means this project. So does a rule that names the identifier, if the process never saw
 * another project under it. A list of projects that is older than a change excuses writes that follow from the list.
 *
 * @param raced is called if only such a list excuses the loss of a mapping
 */
export function openProjectsAudit(spec: Judged, known: KnownProjects, truth: Truth, raced: () => void) {
  return (write: Write, { versions, moments }: Told, fail: Fail): void => {
    if (write.kind !== 'project-mappings') return
    const wrongs = versions.map((version) => {
      const one = declaredIn(spec, version, write.workspace)
      return one === undefined ? undefined : wrongIn(one, write, moments)
    })
    if (wrongs.length > 0 && !wrongs.includes(undefined)) fail('projects', wrongs[0] ?? '')
  }

  function wrongIn(one: DeclaredWorkspace, write: Write, moments: readonly number[]): string | undefined {
    const { process, workspace, does, before, after } = write
    const place: Place | undefined = after ?? before
    if (place === undefined || place.at === '*') return undefined
    const list = known.told(process, workspace)
    const speaking = statementsOf(one).filter((statement) => statement.at(place.group).includes(place.at))
    const here = { one, write, place, list, speaking, moments }
    const takesAway =
      does === 'delete' || (does === 'patch' && before !== undefined && after !== undefined && isLower(before.role, after.role))
    return takenOver(here) ?? (takesAway ? (renamed(here) ?? (speaking.length === 0 ? whileUnknown(here) : undefined)) : undefined)
  }

  function takenOver({ write: { process, workspace }, place: { at }, list, speaking }: Here): string | undefined {
    const id = list?.ids.get(at)
    if (id === undefined || speaking.length === 0) return undefined
    const meant = speaking.map(({ text }) => known.meant(process, workspace, text, at))
    return meant.every((one) => one !== undefined && one !== id) ? `${at} was another project when the rule was written` : undefined
  }

  function renamed({ one, write, place: { group, at }, list, speaking, moments }: Here): string | undefined {
    const { process, workspace, before, listing } = write
    const project = before === undefined ? undefined : truth.projectOf(workspace, before.id)
    if (project === undefined || speaking.some(({ text }) => isOfToday(text, process, workspace, project, at))) return undefined
    for (const { text, meantAt } of claimsOn(one, group, at, moments)) {
      if (known.meant(process, workspace, text, meantAt) !== project) continue
      if (mayBe(project, meantAt, at, list, listing?.rows ?? [])) return `the same project is meant by ${meantAt}`
      if (list?.identifiers.get(project) === meantAt) raced()
    }
    return undefined
  }

  /** Whether a process that knows the id must assume that `at` is this project. */
  function mayBe(project: string, meantAt: string, at: string, list: ProjectList | undefined, rows: readonly Place[]): boolean {
    // Under a policy that deletes, a process reads the projects for every rule that names a project. Under other policies it may not have read them.
    if (list === undefined) return ['sync', 'exclusive'].includes(spec.policy) && !rows.some((row) => row.at === meantAt)
    const called = list.identifiers.get(project)
    return called === at || (called === undefined && !list.ids.has(at))
  }

  function whileUnknown({ one, write, place: { group, at }, list, moments }: Here): string | undefined {
    const { process, workspace, listing } = write
    const rows = listing?.rows ?? []
    for (const { rule, meantAt } of claimsOn(one, group, at, moments)) {
      if (rows.some((row) => row.at === meantAt)) continue
      if (list === undefined) return `${meantAt} is named for the group, and no list of projects was read`
      if (list.ids.has(meantAt) || rule.sendsProject === true || ('captured' in rule && rule.skipsProject !== true)) continue
      const ids = [...known.ever(process, workspace, meantAt)]
      if (!ids.some((id) => !mayBe(id, meantAt, at, list, rows))) return `${meantAt} is named for the group, and is not known`
    }
    return undefined
  }

  /** Whether a statement was written after the project got its identifier, or the process cannot know that it means another project. */
  function isOfToday(text: string, process: number, workspace: string, project: string, at: string): boolean {
    return known.meant(process, workspace, text, at) === undefined || isNewer(text, workspace, project, at)
  }

  /** Whether a statement was written after the project got its identifier. */
  function isNewer(text: string, workspace: string, project: string, at: string): boolean {
    const holding = truth.holdings(workspace).findLast(({ id, identifier }) => id === project && identifier === at)
    const version = spec.versions.findLast(({ atMs }) => spec.beginMs + atMs <= (holding?.fromMs ?? 0))
    return version === undefined || !saysIn(version, workspace, text, at)
  }
}

const saysIn = ({ declared }: Version, workspace: string, text: string, at: string): boolean =>
  declared.workspaces.some((one) => one.name === workspace && states(one, text, at))

type Here = {
  readonly one: DeclaredWorkspace
  readonly write: Write
  readonly place: Place
  readonly list: ProjectList | undefined
  /** Statements that name the target of the write for its group. */
  readonly speaking: readonly Statement[]
  readonly moments: readonly number[]
}

/** Rules that give the group a role in another project than `at`, or would if a reading were complete. */
function claimsOn(one: DeclaredWorkspace, group: string, at: string, moments: readonly number[]) {
  return statementsOf(one).flatMap(({ text, rule, at: targetOf }) => {
    return targetOf(group).flatMap((meantAt) => {
      if (rule === undefined || meantAt === at || meantAt === '*') return []
      const isGiven = moments.every(
        (nowMs) => !hasEnded(rule, nowMs) && ['role', 'unknown'].includes(wanted(one, { group, at: meantAt }, { known: true, nowMs }).is),
      )
      return isGiven ? [{ text, rule, meantAt }] : []
    })
  })
}
