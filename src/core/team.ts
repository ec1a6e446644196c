/**
 * A fence whose path has `{team}` is a template: it stands for one fence for each team that has a file there. In its words `{team}` is the name of the team, and
 * `{TEAM}` the same in upper case. What follows knows concrete fences only.
 */
export const teamWord = '{team}'
export const upperTeamWord = '{TEAM}'

/**
 * The name of a team becomes a part of names of groups and projects, so it has no character that means something there, and no letter that has several forms.
 * Two names of teams never become one in upper case.
 */
export const teamNamePattern = '[a-z0-9]+(?:[-_][a-z0-9]+)*'
const teamName = new RegExp(`^${teamNamePattern}$`)
export const isTeamName = (name: string): boolean => name.length <= teamCharactersMax && teamName.test(name)
export const teamNameCure = 'lower-case letters a to z and digits, with single hyphens or underscores between them, at most 60 characters'
const teamCharactersMax = 60

export const isTemplate = (path: string): boolean => path.includes(teamWord)

/** The word with the name of a team in place of both forms. */
export const withTeam = (word: string, team: string): string =>
  word.replaceAll(teamWord, team).replaceAll(upperTeamWord, team.toUpperCase())

/** Whether a word has the name of a team. */
export const namesTeam = (word: string): boolean => word.includes(teamWord) || word.includes(upperTeamWord)

/** Whether an owner is the one that a fence says, or that of a team by a template. */
export function isOwner(word: string, owner: string): boolean {
  if (!namesTeam(word)) return word === owner
  const [before = '', after = ''] = word.split(/\{team\}|\{TEAM\}/)
  const team = owner.slice(before.length, owner.length - after.length).toLowerCase()
  return isTeamName(team) && withTeam(word, team) === owner
}
