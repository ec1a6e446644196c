import { isGlob, isLike } from '../core/fencedProjects.ts'
import { projectIdentifier } from '../core/mapping.ts'
import { isTeamName, isTemplate, namesTeam, teamWord, withTeam } from '../core/team.ts'
import type { FenceText, FenceTexts } from './fence.ts'

/**
 * What stands at the place of `{team}` in a path of a file or folder; undefined if the path is another place. No wildcard stands before `{team}`, so the folders
 * before it are those of the template.
 */
export function teamPart(template: string, path: string): string | undefined {
  const segments = template.split('/')
  const at = segments.findIndex((segment) => segment.includes(teamWord))
  const names = path.split('/')
  const name = names[at]
  if (name === undefined || segments.slice(0, at).some((segment, index) => segment !== names[index])) return undefined
  const [before = '', after = ''] = (segments[at] as string).split(teamWord)
  const isFitting = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
  return isFitting ? name.slice(before.length, name.length - after.length) : undefined
}

/** The team whose file or folder this is; undefined if it is none of the template, or no name of a team. */
export function teamAt(template: string, path: string): string | undefined {
  const part = teamPart(template, path)
  return part !== undefined && isTeamName(part) ? part : undefined
}

/**
 * The concrete fences. A fence of the settings for exactly the path of a team stands in place of that of the template.
 *
 * @param paths of the files of the declaration, and of folders that cannot be read
 */
export function concreteFences(fences: FenceTexts, paths: Iterable<string>): FenceTexts {
  const written = Object.entries(fences).map(([path, fence]) => [path.normalize('NFC'), fence] as const)
  const templates = written.filter(([path]) => isTemplate(path))
  if (templates.length === 0) return fences
  const concrete = new Map(written.filter(([path]) => !isTemplate(path)))
  const names = [...new Set([...paths].map((path) => path.normalize('NFC'))), ...concrete.keys()]
  const teamsOf = templates.map(([template, fence]) => {
    const teams = [...new Set(names.flatMap((path) => teamAt(template, path) ?? []))].toSorted()
    return { template, fence, teams }
  })
  const made = teamsOf.flatMap(({ template, fence, teams }) =>
    teams.map((team) => [withTeam(template, team), fence === 'everything' ? fence : fenceOfTeam(fence, team, teamsOf)] as const),
  )
  // The check of the settings refuses two templates that can stand for one path. Here neither has the files.
  const twice = new Set(made.map(([path]) => path).filter((path, index, all) => all.indexOf(path) !== index))
  return Object.fromEntries([...made.filter(([path]) => !concrete.has(path) && !twice.has(path)), ...concrete])
}

/** The fence that a template makes of its words, and the teams that have files by it. */
type Teams = { readonly fence: FenceText | 'everything'; readonly teams: readonly string[] }

/**
 * A name that words of two teams contain belongs to the team with the longer name: with the teams `a` and `a-b`, the words `a-*` and `A-*` of `a` do not stand
 * for `a-b-devs` and `A-B`. A word has a wildcard only on one side of the team, so two such teams have the same beginning or the same end.
 *
 * @param all each template with its teams. The other team may be one of any template: a group is one in all workspaces, a project is one of its workspace
 */
function fenceOfTeam(fence: FenceText, team: string, all: readonly Teams[]): FenceText {
  const longer = all.flatMap((other) => other.teams.filter((one) => isLonger(one, team)).map((one) => ({ fence: other.fence, team: one })))
  const wordsOfLonger = (wordsOf: (other: FenceText) => readonly string[]) => [
    ...new Set(longer.flatMap(({ fence: other, team: one }) => (other === 'everything' ? [] : teamWords(wordsOf(other), one)))),
  ]
  const own = (words: readonly string[], ofLonger: readonly string[], form: (word: string) => string = (word) => word) => {
    const theirs = ofLonger.map(form)
    const without: Record<string, readonly string[]> = {}
    const kept = words.flatMap((word): string | readonly [] => {
      const named = withTeam(word, team)
      if (!namesTeam(word)) return named
      if (!isGlob(named)) return theirs.some((other) => isLike(other, form(named))) ? [] : named
      if (theirs.length > 0) without[named] = theirs
      return named
    })
    return { words: kept, without }
  }
  const groups = wordsOfLonger((other) => [...(other.workspaceRoles?.groups ?? []), ...(other.projectRoles?.groups ?? [])])
  const projects = wordsOfLonger((other) => (other.workspace === fence.workspace ? (other.projectRoles?.projects ?? []) : []))
  const { workspaceRoles, projectRoles } = fence
  return {
    ...fence,
    owner: withTeam(fence.owner, team),
    workspaceRoles: workspaceRoles && { ...workspaceRoles, ...groupsOf(own(workspaceRoles.groups, groups)) },
    projectRoles: projectRoles && {
      ...projectRoles,
      ...groupsOf(own(projectRoles.groups, groups)),
      ...projectsOf(own(projectRoles.projects, projects, projectIdentifier)),
    },
  }
}

const isLonger = (other: string, team: string): boolean => other.length > team.length && (other.startsWith(team) || other.endsWith(team))

/** The words that have the name of the team, with it. */
const teamWords = (words: readonly string[], team: string): readonly string[] => words.filter(namesTeam).map((word) => withTeam(word, team))

type OwnWords = { readonly words: readonly string[]; readonly without: Readonly<Record<string, readonly string[]>> }
const groupsOf = ({ words, without }: OwnWords) => ({ groups: words, groupsWithout: without })
const projectsOf = ({ words, without }: OwnWords) => ({ projects: words, projectsWithout: without })

/** Whether two templates can stand for one path, by the names of some teams. */
export function canBeOnePath(template: string, other: string): boolean {
  const [first, second] = [template.split('/'), other.split('/')]
  const isOpen = (segment: string) => segment.includes(teamWord)
  return (
    first.length === second.length &&
    first.every((segment, index) => segment === second[index] || isOpen(segment) || isOpen(second[index] ?? ''))
  )
}
