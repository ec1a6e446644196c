import { settingsAfter } from '../existing.ts'
import type { GroupSync } from '../groupSync.ts'
import type { Plan } from '../plan.ts'
import { counted, listed } from '../quantity.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import type { DoctorFinding } from './check.ts'

type SwitchFacts = {
  readonly declared: WorkspaceDeclaration
  /** As Plane has them now. */
  readonly groupSync: GroupSync
  readonly plan: Pick<Plan, 'changes' | 'findings'>
}

/** The settings of group sync in Plane that keep the declaration from having an effect. */
export function switchFindings({ declared, groupSync, plan }: SwitchFacts): readonly DoctorFinding[] {
  const { workspace, rules } = declared
  const after = settingsAfter(groupSync, plan.changes) ?? groupSync
  const wanted = { ...groupSync, ...declared.groupSync?.wanted }
  /** A switch that the plan turns is only an info. Where its change waits, the row of the plan says what for. */
  const about = (finding: Omit<DoctorFinding, 'place'>, isWrong: (settings: GroupSync) => boolean): DoctorFinding => {
    if (!isWrong(after))
      return { ...finding, severity: 'info', place: workspace, cure: 'the declaration says otherwise, and the next apply turns it' }
    const cure = 'the declaration says otherwise, and the change is held: plane-group-sync plan shows why'
    return { ...finding, place: workspace, ...(isWrong(wanted) ? {} : { cure }) }
  }
  const isOff = (now: GroupSync) => now.enabled === false
  const isIdle = (now: GroupSync) => now.enabled !== false && now.syncOnLogin === false && now.offlineSync === false
  const isUnset = (now: GroupSync) => now.groupAttribute?.trim() === ''
  return [
    ...(isOff(groupSync) && rules.length > 0
      ? [
          about(
            {
              code: 'group-sync-off',
              severity: 'error',
              sentence: `group sync is off, so none of the ${counted(rules.length, 'declared rule')} gives anybody a role`,
              cure: 'declare groupSync: { enabled: true }, or turn it on in Plane (workspace settings, group sync)',
            },
            isOff,
          ),
        ]
      : []),
    ...(isIdle(groupSync) && rules.length > 0
      ? [
          about(
            {
              code: 'group-sync-never-runs',
              severity: 'error',
              sentence: 'neither sync at login nor offline sync is on, so no mapping ever takes effect',
              cure: 'declare groupSync: { syncOnLogin: true, offlineSync: true }, or turn one of them on in Plane',
            },
            isIdle,
          ),
        ]
      : []),
    ...(isUnset(groupSync)
      ? [
          about(
            {
              code: 'claim-unset',
              severity: 'error',
              sentence: 'no claim is named, so Plane sees no groups in a login',
              cure: 'declare groupSync: { groupAttribute: groups }, with the name of the claim that the identity provider sends',
            },
            isUnset,
          ),
        ]
      : []),
    ...autoRemoveFindings(declared, after, plan),
  ]
}

/** Where the plan has deletes or ends that nobody will feel, its own finding says so. */
function autoRemoveFindings({ workspace, rules, removed }: WorkspaceDeclaration, after: GroupSync, { findings }: SwitchFacts['plan']) {
  if (after.autoRemove !== false || findings.some(({ code }) => code === 'removal-not-felt')) return []
  const ends = rules.filter(({ expiresMs }) => expiresMs !== undefined).length
  const parts = [
    ...(removed.length === 0 ? [] : [counted(removed.length, '"removed" entry', '"removed" entries')]),
    ...(ends === 0 ? [] : [counted(ends, 'rule with "expires"', 'rules with "expires"')]),
  ]
  if (parts.length === 0) return []
  const finding: DoctorFinding = {
    code: 'auto-remove-off',
    severity: 'info',
    place: workspace,
    sentence: `auto-remove is off, and the declaration has ${listed(parts)}: when a mapping goes, its people keep their access`,
    cure: 'declare groupSync: { autoRemove: true }, or remove these people in Plane when the time comes',
  }
  return [finding]
}
