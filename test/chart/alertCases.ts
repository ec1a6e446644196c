/** What Prometheus reads minute by minute, and when an alert must be quiet, fire, and be resolved. */
type AlertCase = {
  readonly alert: string
  readonly what?: string
  /** Series without prefix and without the labels that Prometheus adds → values, in promtool's notation. A restart has two pods. */
  readonly series: Readonly<Record<string, string>>
  readonly quiet: readonly number[]
  readonly fires: number
  readonly resolved: number
  /** Labels of the alert, besides those that are the same for all alerts. */
  readonly labels: Readonly<Record<string, string>>
}

const workspace = { workspace: 'acme' }
/** Rises with the time for an hour, stands still for two, and rises again. */
const stoppedClock = '0+60x60 3600x119 10860+60x60'
/** One for ten hours; then the pod restarts, and its process knows nothing for eight minutes; then one until 1800 minutes. */
const overRestart = (name: string, labels: string) => ({
  [`${name}{${labels},pod="a"}`]: '1x600 stale',
  [`${name}{${labels},pod="b"}`]: '_x602 0x7 1x1190 0x200',
})

export const alertCases: readonly AlertCase[] = [
  { alert: 'Absent', series: { build_info: '1x60 stale _x59 1x60' }, quiet: [60], fires: 90, resolved: 130, labels: {} },
  {
    alert: 'NoCycle',
    series: { 'last_attempt_timestamp_seconds{workspace="acme"}': stoppedClock },
    quiet: [60, 119],
    fires: 150,
    resolved: 190,
    labels: workspace,
  },
  {
    alert: 'NoSuccess',
    series: { 'last_success_timestamp_seconds{workspace="acme"}': stoppedClock },
    quiet: [60, 119],
    fires: 150,
    resolved: 190,
    labels: workspace,
  },
  {
    alert: 'NoSuccess',
    what: 'of a program that never had one',
    series: { 'last_success_timestamp_seconds{workspace="acme"}': '0x120 7260+60x60' },
    quiet: [60],
    fires: 90,
    resolved: 125,
    labels: workspace,
  },
  {
    alert: 'NoSuccess',
    what: 'only when no cycle finishes any more what nobody has to decide',
    series: {
      'last_success_timestamp_seconds{workspace="acme"}': '3600x700',
      'cycles_total{workspace="acme",outcome="waiting"}': '0x59 0+0.1x120 12x148 12+0.1x120 24x400',
      'cycles_total{workspace="acme",outcome="failed"}': '0x180 0+0.1x120 12x400',
    },
    quiet: [125, 180, 240],
    fires: 260,
    resolved: 340,
    labels: workspace,
  },
  {
    alert: 'CredentialRefused',
    series: { 'requests_total{operation="projects.list",status="401"}': '_x10 2x10 4x10 6x120' },
    quiet: [20],
    fires: 40,
    resolved: 80,
    labels: { status: '401' },
  },
  {
    alert: 'CircuitOpen',
    series: { 'circuit_open{credential="default"}': '0x30 1x60 0x60' },
    quiet: [30, 35],
    fires: 60,
    resolved: 95,
    labels: { credential: 'default' },
  },
  {
    alert: 'RateLimited',
    series: { 'requests_total{operation="projects.list",status="429"}': '0+1x60 60x60' },
    quiet: [3],
    fires: 45,
    resolved: 90,
    labels: { status: '429' },
  },
  {
    alert: 'ConfigurationInvalid',
    series: { 'configuration_valid{part="settings"}': '1x30 0x60 1x60' },
    quiet: [30, 40],
    fires: 60,
    resolved: 95,
    labels: { part: 'settings' },
  },
  {
    alert: 'FilesInvalid',
    series: { 'declaration_files_invalid{owner="team-pay"}': '_x30 2x60 stale' },
    quiet: [20, 40],
    fires: 60,
    resolved: 95,
    labels: { owner: 'team-pay' },
  },
  {
    alert: 'DirectoryIncomplete',
    series: { 'directory_last_complete_timestamp_seconds{directory="corp"}': stoppedClock },
    quiet: [60, 140],
    fires: 160,
    resolved: 190,
    labels: { directory: 'corp' },
  },
  {
    alert: 'LimitExceeded',
    series: { 'waiting_sets{workspace="acme",limit="deletes"}': '0x60 1x60 0x60' },
    quiet: [60],
    fires: 75,
    resolved: 150,
    labels: { ...workspace, limit: 'deletes' },
  },
  {
    alert: 'ApprovalWaits',
    what: 'over a restart of the pod',
    series: overRestart('waiting_for_approval', 'workspace="acme"'),
    quiet: [600, 1430],
    fires: 1450,
    resolved: 1850,
    labels: workspace,
  },
  {
    alert: 'UndeclaredRisen',
    what: 'and not by a restart of the pod',
    series: {
      'undeclared_mappings{workspace="acme",pod="a"}': '10x90 stale',
      'undeclared_mappings{workspace="acme",pod="b"}': '_x92 0x3 10x80 20x120',
    },
    quiet: [94, 105, 150],
    fires: 190,
    resolved: 245,
    labels: workspace,
  },
  {
    alert: 'AnotherWriter',
    series: { 'findings{code="another-writer"}': '0x30 1x60 0x60', 'findings{code="budget-near"}': '1x200' },
    quiet: [30],
    fires: 60,
    resolved: 95,
    labels: { code: 'another-writer' },
  },
  {
    alert: 'AnotherWriter',
    what: 'by a hold',
    series: { 'held{workspace="acme",reason="flapping"}': '0x30 1x60 0x60' },
    quiet: [30],
    fires: 60,
    resolved: 95,
    labels: { ...workspace, reason: 'flapping' },
  },
  {
    alert: 'Suspended',
    what: 'over a restart of the pod',
    series: overRestart('suspended', 'workspace="acme",what="grants"'),
    quiet: [600, 1430],
    fires: 1450,
    resolved: 1850,
    labels: { ...workspace, what: 'grants' },
  },
  {
    alert: 'Observing',
    what: 'over a restart of the pod',
    series: overRestart('observing', 'workspace="acme"'),
    quiet: [600, 1430],
    fires: 1450,
    resolved: 1850,
    labels: workspace,
  },
  {
    alert: 'ScheduleTooShort',
    series: { 'schedule_load{credential="default"}': '0.5x30 1.5x120 0.5x60' },
    quiet: [30, 80],
    fires: 120,
    resolved: 160,
    labels: { credential: 'default' },
  },
  {
    alert: 'GrantExpires',
    series: { 'owner_expiring_mappings{owner="team-pay"}': '0x30 4x120 0x60' },
    quiet: [30],
    fires: 120,
    resolved: 160,
    labels: { owner: 'team-pay' },
  },
  {
    alert: 'RemovalNotFelt',
    what: 'by a delete that is written in the cycle that plans it',
    series: { 'findings{code="removal-not-felt"}': '0x30 1x9 0x100' },
    quiet: [30],
    fires: 60,
    resolved: 105,
    labels: { code: 'removal-not-felt' },
  },
]
