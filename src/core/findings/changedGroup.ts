import type { ChangedGroups } from '../desired.ts'
import { acceptText, type Doors } from '../doors.ts'
import type { Finding } from '../finding.ts'
import type { GroupChanged } from '../hold.ts'
import { counted, listedFirst } from '../quantity.ts'
import { positionText } from '../rule.ts'
import { unsafeName } from '../safeName.ts'

/** What happened to a group that a rule names, and what to do. */
export function changedGroupText(
  { group, directory, was, called, pass }: GroupChanged,
  doors: Doors,
): {
  readonly sentence: string
  readonly cure: string
} {
  const today = called === undefined ? 'was not found' : `is called ${called} now`
  const sentence =
    was === undefined
      ? `group ${group} of ${directory} is another group now, with another id; the group that the rule meant ${today}`
      : `group ${group} is in ${directory} now; the group that the rule meant was in ${was} and ${today}`
  const former =
    called === undefined || unsafeName(called) !== undefined ? '' : `if the former group is meant, write ${called} in the file; `
  const accept = acceptText(pass, doors)
  return { sentence, cure: `${former}if the group of today is meant, edit the rule${accept === undefined ? '' : `, or: ${accept}`}` }
}

/** A directory with more changed groups gets one finding for all of them. */
const singleMax = 3
const namesShown = 3

/** A finding for each changed group. If many groups of a directory changed, it was probably replaced as a whole, and gets one finding. */
export function changedGroupFindings(changedGroups: readonly ChangedGroups[], doors: Doors): readonly Finding[] {
  return changedGroups.flatMap(({ directory, groups, pass }): readonly Finding[] => {
    const common = { code: 'group-changed', severity: 'warning' } as const
    if (groups.length <= singleMax)
      return groups.map(({ because, reason }) => {
        const { sentence, cure } = changedGroupText(reason, doors)
        return {
          ...common,
          place: positionText(because.at),
          sentence: `${sentence}; its mappings stay as they are, and new grants wait`,
          cure,
        }
      })
    const accept = acceptText(pass, doors)
    const names = groups.slice(0, namesShown).map(({ reason }) => reason.group)
    return [
      {
        ...common,
        place: directory,
        sentence: `${counted(groups.length, 'group')} of ${directory} are other groups now, with other ids: ${listedFirst(names, groups.length)}; their mappings stay as they are, and new grants wait`,
        cure:
          accept === undefined
            ? 'to accept the groups of today, edit their rules'
            : `if ${directory} was replaced or has other ids now, accept all of them: ${accept}; to accept some of them, edit their rules`,
      },
    ]
  })
}
