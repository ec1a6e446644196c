import { latest, seriesOf } from './query.ts'

/** One panel of the dashboard. A legend names labels: `{{workspace}}`. */
export type PanelRow = {
  readonly title: string
  readonly kind: 'stat' | 'timeseries'
  readonly unit: 's' | 'short' | 'percentunit'
  readonly queries: readonly { readonly expression: string; readonly legend: string }[]
  /** Orange and red from these values on. */
  readonly limits?: readonly [orange: number, red: number]
  /** Words in the place of numbers. */
  readonly words?: Readonly<Record<string, string>>
}

const by = (label: string, series: string): string => `sum by (${label}) (${series})`
const inAnHour = (label: string, counter: string): string => by(label, `increase(${counter}[1h])`)
const average = (label: string, key: 'cycleDuration' | 'readingDuration'): string =>
  `${inAnHour(label, seriesOf(key, {}, '_sum'))} / ${inAnHour(label, seriesOf(key, {}, '_count'))}`

/** The dashboard: five questions, and the panels of each. One row of the screen answers one question. */
export const dashboardTable: Readonly<Record<string, readonly PanelRow[]>> = {
  'Is it right?': [
    {
      title: 'Since the last success',
      kind: 'stat',
      unit: 's',
      limits: [1800, 3600],
      queries: [{ expression: `time() - ${latest(seriesOf('lastSuccess'))}`, legend: '{{workspace}}' }],
    },
    {
      title: 'Settings and declaration',
      kind: 'stat',
      unit: 'short',
      words: { 0: 'invalid', 1: 'valid' },
      queries: [{ expression: `min by (part) (${seriesOf('configurationValid')})`, legend: '{{part}}' }],
    },
    {
      title: 'Mappings',
      kind: 'timeseries',
      unit: 'short',
      queries: [
        { expression: by('workspace', seriesOf('unchanged')), legend: '{{workspace}} as declared' },
        { expression: by('workspace', seriesOf('undeclared')), legend: '{{workspace}} undeclared' },
        { expression: by('workspace', seriesOf('dangling')), legend: '{{workspace}} dangling' },
      ],
    },
    {
      title: 'Cycles in an hour, by outcome',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expression: inAnHour('outcome', seriesOf('cycles')), legend: '{{outcome}}' }],
    },
  ],
  'What changed?': [
    {
      title: 'Writes in an hour',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expression: inAnHour('action, result', seriesOf('changes')), legend: '{{action}} {{result}}' }],
    },
    {
      title: 'Sets of changes that wait for a limit',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expression: by('workspace, limit', seriesOf('waitingSets')), legend: '{{workspace}} {{limit}}' }],
    },
    {
      title: 'Versions in use',
      kind: 'timeseries',
      unit: 'short',
      queries: [
        { expression: `count by (part, hash) (${seriesOf('configurationInfo')})`, legend: '{{part}} {{hash}}' },
        { expression: `count by (version) (${seriesOf('buildInfo')})`, legend: 'program {{version}}' },
      ],
    },
  ],
  'What waits?': [
    {
      title: 'Changes that wait for approval',
      kind: 'stat',
      unit: 'short',
      limits: [1, 20],
      queries: [{ expression: by('workspace', seriesOf('waitingForApproval')), legend: '{{workspace}}' }],
    },
    {
      title: 'Suspended or observing',
      kind: 'stat',
      unit: 'short',
      words: { 0: 'writes', 1: 'stopped' },
      queries: [
        { expression: latest(seriesOf('suspended', { what: 'all' })), legend: '{{workspace}} suspended' },
        { expression: latest(seriesOf('suspended', { what: 'grants' })), legend: '{{workspace}} grants suspended' },
        { expression: latest(seriesOf('observing')), legend: '{{workspace}} observing' },
      ],
    },
    {
      title: 'Held, by reason',
      kind: 'timeseries',
      unit: 'short',
      queries: [
        { expression: `topk(8, ${by('reason', seriesOf('held'))})`, legend: '{{reason}}' },
        { expression: by('workspace', seriesOf('pending')), legend: '{{workspace}} approved, not written' },
      ],
    },
    {
      title: 'By owner',
      kind: 'timeseries',
      unit: 'short',
      queries: [
        { expression: by('owner', seriesOf('ownerWaiting')), legend: '{{owner}} for approval' },
        { expression: by('owner', seriesOf('ownerHeld')), legend: '{{owner}} held' },
        { expression: by('owner', seriesOf('ownerExpiring')), legend: '{{owner}} ends in 14 days' },
      ],
    },
  ],
  'What is slow?': [
    {
      title: 'A cycle, and a reading of a directory',
      kind: 'timeseries',
      unit: 's',
      queries: [
        { expression: average('job', 'cycleDuration'), legend: 'cycle' },
        { expression: average('directory', 'readingDuration'), legend: '{{directory}}' },
      ],
    },
    {
      title: 'Since a directory was read whole',
      kind: 'timeseries',
      unit: 's',
      queries: [{ expression: `time() - ${latest(seriesOf('directoryComplete'))}`, legend: '{{directory}}' }],
    },
    {
      title: 'Requests to Plane: 95 of 100 are faster',
      kind: 'timeseries',
      unit: 's',
      queries: [
        {
          expression: `histogram_quantile(0.95, ${inAnHour('le, operation', seriesOf('requestDuration', {}, '_bucket'))})`,
          legend: '{{operation}}',
        },
      ],
    },
    {
      title: 'Load of the schedule',
      kind: 'timeseries',
      unit: 'percentunit',
      limits: [0.8, 1],
      queries: [{ expression: by('credential', seriesOf('scheduleLoad')), legend: '{{credential}}' }],
    },
  ],
  'Who else uses the key?': [
    {
      title: 'Requests in the window of the rate limit',
      kind: 'timeseries',
      unit: 'short',
      queries: [
        { expression: by('credential', seriesOf('budgetOthers')), legend: '{{credential}} of others' },
        { expression: by('credential', seriesOf('budgetRemaining')), legend: '{{credential}} left' },
        { expression: by('credential', seriesOf('budgetLimit')), legend: '{{credential}} limit' },
      ],
    },
    {
      title: 'Wait for the rate limit',
      kind: 'timeseries',
      unit: 's',
      queries: [{ expression: by('credential', seriesOf('budgetWait')), legend: '{{credential}}' }],
    },
    {
      title: 'Answers of Plane in an hour',
      kind: 'timeseries',
      unit: 'short',
      queries: [{ expression: inAnHour('status', seriesOf('requests')), legend: '{{status}}' }],
    },
    {
      title: 'Another writer',
      kind: 'stat',
      unit: 'short',
      limits: [1, 10],
      queries: [
        { expression: `sum(${seriesOf('findings', { code: 'another-writer' })})`, legend: 'findings' },
        { expression: `sum(${seriesOf('held', { reason: '=~anotherWriter|flapping' })})`, legend: 'held' },
      ],
    },
  ],
}
