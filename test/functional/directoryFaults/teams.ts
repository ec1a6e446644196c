import type { Effect } from './faults.ts'

/** A group of the faulty directory. `key` stays the same after a rename. */
export type Team = { readonly key: number; readonly name: string }

export const twoDigits = (n: number): string => `${n}`.padStart(2, '0')
/** Three pages of four groups. */
export const teams: readonly Team[] = Array.from({ length: 12 }, (_, at) => ({ key: at + 1, name: `team-${twoDigits(at + 1)}` }))
export const pageSize = 4

/** A group of each page. The healthy directory has groups of the same names. */
const inEachPage = ['team-02', 'team-06', 'team-11'] as const

/** The groups of the healthy directory. */
export const healthy: readonly string[] = ['staff', ...inEachPage]

/**
 * Changes that would be wrong if a group counted as missing because it was not read:
 *
 * - WEB: a rule without `from`. Both directories have the group, so no role may be given. It would be if the faulty directory seemed not to have it.
 * - OPS: mappings that no rule declares. The groups get a role in all projects instead, by a pattern. A delete waits for this new mapping; it would not
 *   wait if the pattern seemed not to match.
 * - QA: an exact rule for a group of the first page, and one for a group of the last page that has a mapping with another role.
 *
 * `staff` and `leaver` do not need the faulty directory.
 */
export const declaration = {
  version: 1,
  workspaces: {
    acme: {
      projectRoles: [
        { groupGlob: 'team-*', from: 'outer', allProjects: true, role: 'guest' },
        ...inEachPage.map((group) => ({ group, project: 'WEB', role: 'member' })),
        { group: 'team-03', from: 'outer', project: 'QA', role: 'member' },
        { group: 'team-10', from: 'outer', project: 'QA', role: 'member' },
        { group: 'staff', from: 'corp', project: 'QA', role: 'member' },
      ],
    },
  },
}

const mapping = (project: string, group: string, role: string) => ({ project, idp_group_name: group, role })

export const workspaces = {
  acme: {
    projects: ['OPS', 'QA', 'WEB'],
    projectMappings: [
      ...inEachPage.map((group) => mapping('OPS', group, 'member')),
      mapping('QA', 'team-10', 'guest'),
      mapping('QA', 'leaver', 'member'),
    ],
  },
}

const unneeding = ['QA staff → member']
const waiting = [...inEachPage.map((group) => `OPS ${group} → member`), 'QA team-10 → guest']

type Written = { readonly groups?: readonly Team[] | undefined; readonly heldNames?: readonly string[] | undefined }

/**
 * The mappings after the run, as `stateOf` shows them.
 *
 * @param written which groups were read, if all of them were, and for which of their names changes are held
 */
export function expectedState(effect: Exclude<Effect, 'none'>, { groups = teams, heldNames = [] }: Written = {}): readonly string[] {
  if (effect === 'held') return [...waiting, ...unneeding].toSorted()
  const names = groups.map(({ name }) => name)
  const everywhere = names.filter((name) => effect === 'whole' || !heldNames.includes(name)).map((name) => `all ${name} → guest`)
  const ofHealthy = inEachPage.filter((name) => !names.includes(name)).map((name) => `WEB ${name} → member`)
  return [...everywhere, ...ofHealthy, 'QA team-03 → member', 'QA team-10 → member', ...unneeding].toSorted()
}
