import type { FaultName } from './faults.ts'
import { type Team, teams } from './teams.ts'

/** A fault, or a change of the directory that is none: a group was removed. */
export type Trial = FaultName | 'groupRemoved'

/** The groups of the directory, where the list itself is different. */
export const listed: Readonly<Partial<Record<Trial, readonly Team[]>>> = {
  groupRemoved: teams.filter(({ key }) => key !== 11),
  tenth: teams.slice(0, 1),
  seesNothing: [],
  seesPart: teams.slice(0, 9),
  twoNames: [...teams, { key: 13, name: 'team-05' }],
}

/** A group of the last page gets a name that is in the first page. */
export const renamedTeams: readonly Team[] = teams.map((team) => (team.key === 11 ? { ...team, name: 'team-00' } : team))

/** A group of the first page and one of the last page exchange their names. */
export const swappedTeams: readonly Team[] = teams.map((team) => {
  if (team.key === 2) return { ...team, name: 'team-11' }
  return team.key === 11 ? { ...team, name: 'team-02' } : team
})
