import { bridged, latest, rise, seriesOf } from './query.ts'

/** One alert. Texts may name labels of its series: `{{ $labels.workspace }}`. */
export type AlertRow = {
  readonly name: string
  readonly expression: string
  /** How long the expression is true before the alert fires. */
  readonly lasts: `${number}${'m' | 'h' | 'd'}`
  readonly severity: 'critical' | 'warning' | 'info'
  readonly summary: string
  readonly meaning: string
  /** The first command of the person who is called. Beside the daemon, it reads and writes nothing. */
  readonly command: string
  /** The title of the section in docs/operations.md. */
  readonly section: string
}

const status = 'plane-group-sync status'
const plan = 'plane-group-sync plan -w {{ $labels.workspace }}'
const approvals = 'Changes wait for approval'
const invalid = 'The declaration or the settings are invalid'

/** All alerts, the most urgent first. `helm/plane-group-sync/files/alerts.yaml` and a table of `docs/metrics.md` are generated from it. */
export const alertTable: readonly AlertRow[] = [
  {
    name: 'PlaneGroupSyncAbsent',
    expression: `absent(${seriesOf('buildInfo')})`,
    lasts: '15m',
    severity: 'critical',
    summary: 'plane-group-sync does not run, or its metrics are not read',
    meaning: 'The mappings in Plane stay as they are. Changes of the declaration and ends of grants are not written.',
    command: 'kubectl -n plane-group-sync get pods',
    section: 'No cycle at all',
  },
  {
    name: 'PlaneGroupSyncNoCycle',
    expression: `time() - ${latest(seriesOf('lastAttempt'))} > 3600`,
    lasts: '15m',
    severity: 'critical',
    summary: 'Workspace {{ $labels.workspace }}: no cycle has ended for an hour',
    meaning:
      'The program runs, and its cycles hang or fail as a whole. Nothing is written to Plane. If the schedule has longer pauses than an hour, leave this alert out.',
    command: status,
    section: 'No cycle at all',
  },
  {
    name: 'PlaneGroupSyncNoSuccess',
    expression: `time() - ${latest(seriesOf('lastSuccess'))} > 3600 unless ${rise(seriesOf('cycles', { outcome: 'waiting' }), '1h', 'outcome')} > 0`,
    lasts: '15m',
    severity: 'critical',
    summary: 'Workspace {{ $labels.workspace }}: for an hour no cycle has finished what needs no decision of a person',
    meaning:
      'Plane differs from the declaration, or may differ. What only waits for an approval, or for the end of suspend, has alerts of its own. If the schedule has longer pauses than an hour, leave this alert out.',
    command: status,
    section: 'No success for an hour',
  },
  {
    name: 'PlaneGroupSyncCredentialRefused',
    expression: `${rise(seriesOf('requests', { status: '=~401|403' }), '30m', 'operation')} > 0`,
    lasts: '5m',
    severity: 'critical',
    summary: 'Plane refuses the credential with status {{ $labels.status }}',
    meaning: '401: the API key is wrong or has expired. 403: its owner lost a permission, or the slug of a workspace is wrong.',
    command: status,
    section: 'Plane does not answer, or refuses',
  },
  {
    name: 'PlaneGroupSyncCircuitOpen',
    expression: `${latest(seriesOf('circuitOpen'))} == 1`,
    lasts: '10m',
    severity: 'warning',
    summary: 'Plane fails, and only test requests are sent with the credential {{ $labels.credential }}',
    meaning: 'Plane has failed for a while. The program continues by itself when Plane answers again.',
    command: status,
    section: 'Plane does not answer, or refuses',
  },
  {
    name: 'PlaneGroupSyncRateLimited',
    expression: `${rise(seriesOf('requests', { status: '429' }), '15m', 'operation')} > 3`,
    lasts: '15m',
    severity: 'warning',
    summary: 'Plane answers 429',
    meaning: 'Others use the rate limit of the same credential, or Plane allows less than the settings say.',
    command: status,
    section: 'Plane does not answer, or refuses',
  },
  {
    name: 'PlaneGroupSyncConfigurationInvalid',
    expression: `min without (instance, pod, container) (${seriesOf('configurationValid')}) == 0`,
    lasts: '15m',
    severity: 'warning',
    summary: 'Invalid {{ $labels.part }}: not all edits take effect',
    meaning:
      'Of the declaration, all edits in valid files take effect. An invalid file gives nothing and takes nothing, or its last valid text is used. Of the settings, no edit does: the process goes on with what it read before. With invalid settings a new process does not start.',
    command: 'plane-group-sync validate',
    section: invalid,
  },
  {
    name: 'PlaneGroupSyncFilesInvalid',
    expression: `${latest(seriesOf('declarationFilesInvalid'))} > 0`,
    lasts: '15m',
    severity: 'warning',
    summary: 'Files of {{ $labels.owner }} are invalid',
    meaning: 'The other files take effect. Of these the last valid text is used, or what they name or gave is held.',
    command: 'plane-group-sync validate',
    section: invalid,
  },
  {
    name: 'PlaneGroupSyncDirectoryIncomplete',
    expression: `time() - ${latest(seriesOf('directoryComplete'))} > 3600`,
    lasts: '30m',
    severity: 'warning',
    summary: 'Directory {{ $labels.directory }} has not been read whole for an hour',
    meaning: 'Changes that rest on this directory are held. A directory that no rule asks is not read: remove it from the settings.',
    command: 'plane-group-sync groups',
    section: 'A directory is not read whole',
  },
  {
    name: 'PlaneGroupSyncLimitExceeded',
    expression: `${bridged(seriesOf('waitingSets'))} > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Workspace {{ $labels.workspace }}: changes wait, since together they exceed the limit {{ $labels.limit }}',
    meaning:
      'Perhaps a file or a group was removed by mistake. These changes are not written until the declaration is corrected, or a person approves them. The other changes of the plan are written.',
    command: status,
    section: approvals,
  },
  {
    name: 'PlaneGroupSyncApprovalWaits',
    expression: `${bridged(seriesOf('waitingForApproval'))} > 0`,
    lasts: '1d',
    severity: 'warning',
    summary: 'Workspace {{ $labels.workspace }}: {{ $value }} changes have waited for approval for a day',
    meaning: 'The other changes of the plan are written.',
    command: status,
    section: approvals,
  },
  {
    name: 'PlaneGroupSyncUndeclaredRisen',
    expression: `${latest(seriesOf('undeclared'))} - ${latest(`max_over_time(${seriesOf('undeclared')}[1h] offset 1h)`)} > 5`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Workspace {{ $labels.workspace }}: {{ $value }} more mappings than an hour ago are declared by no rule',
    meaning: 'A commit removed a part of the declaration, a file is not mounted, or a person added mappings in Plane.',
    command: plan,
    section: 'Half of the declaration is gone',
  },
  {
    name: 'PlaneGroupSyncAnotherWriter',
    expression: `${latest(seriesOf('findings', { code: 'another-writer' }))} > 0 or ${latest(seriesOf('held', { reason: '=~anotherWriter|flapping' }))} > 0`,
    lasts: '15m',
    severity: 'warning',
    summary: 'Another program or person writes the same mappings',
    meaning: 'Two writers undo each other, or create the same mappings twice.',
    command: 'plane-group-sync plan',
    section: 'Another writer undoes changes',
  },
  {
    name: 'PlaneGroupSyncSuspended',
    expression: `${bridged(seriesOf('suspended'))} > 0`,
    lasts: '1d',
    severity: 'warning',
    summary: 'Workspace {{ $labels.workspace }}: writing has been suspended for a day ({{ $labels.what }})',
    meaning: 'The settings have suspend. Nothing is written, or with grants nothing is granted.',
    command: status,
    section: 'Stop writing, now',
  },
  {
    name: 'PlaneGroupSyncObserving',
    expression: `${bridged(seriesOf('observing'))} > 0`,
    lasts: '1d',
    severity: 'info',
    summary: 'Workspace {{ $labels.workspace }}: the policy has been observe for a day',
    meaning: 'The program plans, and writes nothing to Plane.',
    command: plan,
    section: 'Stop writing, now',
  },
  {
    name: 'PlaneGroupSyncScheduleTooShort',
    expression: `${latest(seriesOf('scheduleLoad'))} > 1`,
    lasts: '1h',
    severity: 'warning',
    summary: 'The schedule is too short for the credential {{ $labels.credential }}',
    meaning: 'A cycle without changes needs more requests than the rate limit allows between two scheduled cycles.',
    command: 'plane-group-sync plan',
    section: 'The schedule cannot be kept',
  },
  {
    name: 'PlaneGroupSyncGrantExpires',
    expression: `${latest(seriesOf('ownerExpiring'))} > 0`,
    lasts: '1h',
    severity: 'info',
    summary: 'Grants end within 14 days: {{ $value }} (owner: {{ $labels.owner }})',
    meaning: 'The date expires of their rules is near. Then the mappings are deleted.',
    command: 'plane-group-sync plan',
    section: 'People keep access that should have ended',
  },
  {
    name: 'PlaneGroupSyncRemovalNotFelt',
    // A delete is in the plan of one cycle only.
    expression: `${latest(`max_over_time(${seriesOf('findings', { code: 'removal-not-felt' })}[1h])`)} > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Mappings are deleted, or end soon, and people keep their access',
    meaning:
      'A workspace has auto-remove off, so Plane takes no membership away. Its mappings were deleted within the last hour, wait to be deleted, or end within 14 days.',
    command: 'plane-group-sync plan',
    section: 'People keep access that should have ended',
  },
]
