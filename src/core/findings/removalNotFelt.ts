import type { Change } from '../change.ts'
import type { Finding } from '../finding.ts'
import type { GroupSync } from '../groupSync.ts'
import { endingSoon, soonDays } from '../later.ts'
import type { Plan } from '../plan.ts'
import { counted, listed } from '../quantity.ts'
import { comparePositions, type Position, positionText, type WorkspaceDeclaration } from '../rule.ts'

/**
 * A finding if auto-remove is off, and mappings are deleted by this plan, wait to be deleted, or end soon. Plane then takes no membership away. There is no finding if the
 * settings of group sync were not read.
 *
 * The place is the first entry that deletes a mapping, or the first that ends.
 *
 * @param groupSync the settings as they are after the plan is written
 * @param dateMs now, epoch ms, by the date
 */
export function removalNotFeltFindings(
  { workspace, groupSync: declared }: WorkspaceDeclaration,
  groupSync: GroupSync | undefined,
  { changes, holds, later }: Pick<Plan, 'changes' | 'holds' | 'later'>,
  dateMs: number,
): readonly Finding[] {
  if (groupSync?.autoRemove !== false) return []
  const held = holds.flatMap(({ change, reason }) => (change === undefined || reason.kind === 'undeclared' ? [] : [change]))
  const [now, waiting] = [changes.filter(takesAway), held.filter(takesAway)]
  const deletes = [...now, ...waiting]
  const soon = endingSoon(later, dateMs)
  const ending = soon.length
  const concerned = [
    ...(now.length === 0 ? [] : [`${counted(now.length, 'mapping')} that this plan deletes`]),
    ...(waiting.length === 0
      ? []
      : [`${counted(waiting.length, 'mapping')} whose ${waiting.length === 1 ? 'delete waits' : 'deletes wait'}`]),
    ...(ending === 0 ? [] : [`${counted(ending, 'mapping')} that ${ending === 1 ? 'ends' : 'end'} within ${soonDays} days`]),
  ]
  if (concerned.length === 0) return []
  const at = deletes.flatMap(({ because }): readonly Position[] => (because === undefined ? [] : [because.at]))
  const [first] = at.toSorted(comparePositions)
  const place = deletes.length === 0 ? soon[0] && positionText(soon[0].because.at) : first && positionText(first)
  const waits = declared?.wanted.autoRemove === true
  return [
    {
      code: 'removal-not-felt',
      severity: 'warning',
      place: place ?? workspace,
      sentence: `auto-remove is off${waits ? ' until the change of the settings is written' : ''}, so people keep the access of ${listed(concerned)}`,
      cure: waits
        ? 'autoRemove: true is declared, and waits: its row says what for'
        : 'set groupSync: { autoRemove: true } in the declaration, or remove these people in Plane',
    },
  ]
}

/** The delete of a duplicate leaves the group its role. */
const takesAway = (change: Change): boolean => change.action === 'delete' && change.why !== 'duplicate'
