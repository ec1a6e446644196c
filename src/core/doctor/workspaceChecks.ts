import { cureText } from '../cures.ts'
import { listsInScope } from '../existing.ts'
import type { Finding } from '../finding.ts'
import type { GroupSync } from '../groupSync.ts'
import type { HoldKind } from '../hold.ts'
import type { GroupName, List, Mapping } from '../mapping.ts'
import type { Plan } from '../plan.ts'
import { count, counted } from '../quantity.ts'
import type { WorkspaceAbout } from '../report.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import { visible } from '../safeName.ts'
import type { Check, DoctorFinding } from './check.ts'
import { mappingFindings } from './mappings.ts'
import { accessFinding, foundCheck, heldText, type ReadRefusals, type Refusal } from './planeChecks.ts'
import { switchFindings } from './switches.ts'

/** What was read of a workspace. */
export type WorkspaceFacts = {
  readonly about: Pick<WorkspaceAbout, 'workspace' | 'slug' | 'credential' | 'roles' | 'suspend' | 'policy' | 'groupSyncUnread'>
} & (
  | { readonly kind: 'unasked'; readonly why: string }
  | { readonly kind: 'failed'; readonly access: ReadRefusals; readonly error: Refusal }
  | {
      readonly kind: 'read'
      readonly plan: Plan
      readonly declared: WorkspaceDeclaration
      readonly existing: readonly Mapping[]
      /** The number of projects; undefined if they were not asked for. */
      readonly projects: number | undefined
      readonly unmanagedLists: ReadonlyMap<List, number>
      /** Undefined: they were not read, or could not be read. */
      readonly groupSync: GroupSync | undefined
    }
)

/** Codes of a plan that belong to another check than `plan`, or that doctor words itself. */
const elsewhere: ReadonlyMap<string, Check['check']> = new Map([
  ['removal-not-felt', 'group sync'],
  ['role-echoed', 'mappings'],
  ['duplicate-mapping', 'mappings'],
  ['lower-in-project', 'mappings'],
  ['budget-near', 'schedule'],
  ['schedule-too-short', 'schedule'],
  ['plan-outlasts-interval', 'schedule'],
  ['sync-without-journal', 'journal'],
  ['file-invalid', 'files'],
])

/** The check to which a finding of a plan belongs. */
export const checkOf = ({ code }: Pick<Finding, 'code'>): Check['check'] => elsewhere.get(code) ?? 'plan'

/** A finding of a plan, with what to do before its cure. */
export const asFound = ({ cure, ...rest }: Finding): DoctorFinding => ({
  ...rest,
  ...(cure === undefined ? {} : { cure: cureText(rest.code, cure) }),
})

/** The checks of one workspace. @param directories the names of each directory that was read whole */
export function workspaceChecks(facts: WorkspaceFacts, directories: ReadonlyMap<string, Iterable<GroupName>>): readonly Check[] {
  const { about } = facts
  const place = visible(about.workspace)
  if (facts.kind === 'unasked') return [{ check: 'access', place, seen: `not asked: ${facts.why}`, skipped: true, findings: [] }]
  if (facts.kind === 'failed') {
    const found = accessFinding(about, facts.access, facts.error)
    const skipped = { seen: 'not looked at: the workspace was not read', skipped: true, findings: [] } as const
    return [
      { check: 'access', place, seen: 'not all can be read that a cycle needs', findings: [found] },
      { check: 'group sync', place, ...skipped },
      { check: 'mappings', place, ...skipped },
      { check: 'plan', place, ...skipped },
    ]
  }
  const { plan, declared, existing, projects, unmanagedLists, groupSync } = facts
  const own = (check: Check['check']) => plan.findings.filter((one) => checkOf(one) === check).map(asFound)
  const seen = projects === undefined ? 'the mappings can be read' : `the mappings and ${counted(projects, 'project')} can be read`
  return [
    { check: 'access', place, seen, findings: [] },
    groupSyncCheck(facts, own('group sync'), groupSync === undefined ? [] : switchFindings({ declared, groupSync, plan })),
    foundCheck('mappings', place, mappingsSeen(existing.length, declared), [
      ...own('mappings'),
      ...mappingFindings({ plan, existing, directories, roles: about.roles, unmanagedLists }),
    ]),
    foundCheck('plan', place, planSeen(plan), [...own('plan'), ...planFindings(plan, about)]),
  ]
}

const mappingsSeen = (existing: number, declared: WorkspaceDeclaration): string =>
  listsInScope(declared).size === 0
    ? 'nothing is declared for this workspace'
    : `${counted(existing, 'mapping')} in Plane, ${counted(declared.rules.length, 'declared rule')}`

function groupSyncCheck(
  { about, groupSync }: Extract<WorkspaceFacts, { kind: 'read' }>,
  ofPlan: readonly DoctorFinding[],
  ofSwitches: readonly DoctorFinding[],
): Check {
  const check = { check: 'group sync', place: visible(about.workspace) } as const
  const { groupSyncUnread } = about
  if (groupSyncUnread !== undefined) {
    const cure = 'see whether Plane answers, and whether the owner of the credential is an admin of the workspace'
    const sentence = `the settings of group sync cannot be read, so it is not known whether mappings have an effect: ${groupSyncUnread}`
    return {
      ...check,
      seen: 'not read',
      findings: [{ code: 'group-sync-unread', severity: 'warning', place: about.workspace, sentence, cure }],
    }
  }
  if (groupSync === undefined)
    return {
      ...check,
      seen: 'not read: no managed list has a mapping, and the first read would create its settings',
      skipped: true,
      findings: ofPlan,
    }
  return { ...check, seen: switchesText(groupSync), findings: [...ofPlan, ...ofSwitches] }
}

function switchesText({ enabled, syncOnLogin, offlineSync, autoRemove, groupAttribute }: GroupSync): string {
  const named = [
    ['', enabled],
    ['at login ', syncOnLogin],
    ['offline ', offlineSync],
    ['auto-remove ', autoRemove],
  ] as const
  const switches = named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}${value ? 'on' : 'off'}`]))
  return [...switches, ...(groupAttribute === undefined ? [] : [`claim "${visible(groupAttribute)}"`])].join(', ')
}

const planSeen = ({ changes, holds, unchanged }: Plan): string =>
  `${counted(changes.length, 'change')} to write, ${count(holds.length)} held, ${count(unchanged)} as declared`

/** What waits is no mistake: a person may want it so. `plan` shows each. */
function planFindings({ holds }: Plan, { workspace, suspend, policy }: WorkspaceFacts['about']): readonly DoctorFinding[] {
  const counts = new Map<HoldKind, number>()
  for (const { reason } of holds) counts.set(reason.kind, (counts.get(reason.kind) ?? 0) + 1)
  const waiting = counts.get('approval') ?? 0
  counts.delete('approval')
  counts.delete('suspended')
  const info = (code: 'writes-suspended' | 'approval-waits' | 'held', sentence: string, cure: string): DoctorFinding => ({
    code,
    severity: 'info',
    place: workspace,
    sentence,
    cure,
  })
  const held = [...counts.values()].reduce((sum, one) => sum + one, 0)
  return [
    ...(suspend === false && policy !== 'observe'
      ? []
      : [
          info(
            'writes-suspended',
            policy === 'observe'
              ? 'the policy observe writes nothing'
              : suspend === true
                ? 'the settings suspend all writes'
                : 'the settings suspend grants',
            policy === 'observe' ? 'to write, set another policy in the settings' : 'to go on, set suspend: false in the settings',
          ),
        ]),
    ...(waiting === 0
      ? []
      : [
          info(
            'approval-waits',
            `${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for approval`,
            'plane-group-sync plan shows what for, and the ID that approves',
          ),
        ]),
    ...(held === 0
      ? []
      : [
          info(
            'held',
            `${counted(held, 'key')} ${held === 1 ? 'is' : 'are'} held: ${heldText(counts)}`,
            'plane-group-sync plan shows each with its cure',
          ),
        ]),
  ]
}
