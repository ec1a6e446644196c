import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type MetricKey, type MetricRow, metricPrefix, metricTable } from './metricTable.ts'

/** Names from the settings that label series. */
export type Known = {
  readonly workspaces: readonly string[]
  readonly directories: readonly string[]
  readonly credentials: readonly string[]
}

type LabelsOf<K extends MetricKey> = { readonly [L in keyof (typeof metricTable)[K]['labels']]: string }

/** The metrics of the table, registered. A label that the table does not have, or one too few, is a type error. */
export type Series = {
  /** Adds to a counter. */
  add<K extends MetricKey>(key: K, labels: LabelsOf<K>, count?: number): void
  /** Sets a gauge. */
  set<K extends MetricKey>(key: K, labels: LabelsOf<K>, value: number): void
  /** Observes into a histogram. */
  observe<K extends MetricKey>(key: K, labels: LabelsOf<K>, value: number): void
  /** Ends all series of a metric, for those whose label says what was. */
  drop(key: MetricKey): void
  /** Lets every series that can be known exist with 0, and those of names that are gone end. Others keep their values. */
  readonly expect: (known: Known) => void
}

export function openSeries(registry: Registry): Series {
  const metrics = new Map(Object.entries<MetricRow>(metricTable).map(([key, row]) => [key, make(row, registry)]))
  const living = new Map<string, ReadonlyMap<string, Readonly<Record<string, string>>>>()
  const metric = (key: MetricKey) => metrics.get(key)
  const mismatch = (key: MetricKey, what: string) => new TypeError(`the metric ${key} is not a ${what}`)

  function expectSeries(known: Known): void {
    for (const [key, row] of Object.entries<MetricRow>(metricTable)) {
      const now = new Map(product(row, known).map((labels) => [JSON.stringify(labels), labels]))
      const before = living.get(key) ?? new Map()
      const one = metrics.get(key)
      for (const [id, labels] of before) if (!now.has(id)) one?.remove(labels)
      for (const [id, labels] of now) if (!before.has(id) && one !== undefined) zero(one, labels)
      living.set(key, now)
    }
  }

  return {
    add(key, labels, count = 1) {
      const one = metric(key)
      if (!(one instanceof Counter)) throw mismatch(key, 'counter')
      one.inc({ ...labels }, count)
    },
    set(key, labels, value) {
      const one = metric(key)
      if (!(one instanceof Gauge)) throw mismatch(key, 'gauge')
      one.set({ ...labels }, value)
    },
    observe(key, labels, value) {
      const one = metric(key)
      if (!(one instanceof Histogram)) throw mismatch(key, 'histogram')
      one.observe({ ...labels }, value)
    },
    drop: (key) => metric(key)?.reset(),
    expect: expectSeries,
  }
}

type Metric = Counter | Gauge | Histogram

function make({ name, type, labels, help, buckets }: MetricRow, registry: Registry): Metric {
  const options = { name: metricPrefix + name, help, labelNames: Object.keys(labels), registers: [registry] }
  switch (type) {
    case 'counter':
      return new Counter(options)
    case 'gauge':
      return new Gauge(options)
    case 'histogram':
      return new Histogram({ ...options, ...(buckets === undefined ? {} : { buckets: [...buckets] }) })
    default:
      return type satisfies never
  }
}

/** prom-client shows nothing of a labelled metric before its first value, and an alert on nothing never fires. */
function zero(metric: Metric, labels: Readonly<Record<string, string>>): void {
  if (metric instanceof Counter) metric.inc({ ...labels }, 0)
  else if (metric instanceof Gauge) metric.set({ ...labels }, 0)
  else metric.zero({ ...labels })
}

/** All combinations of a row's label values; none where one of them is not known before it happens. */
function product({ labels }: MetricRow, known: Known): Readonly<Record<string, string>>[] {
  let combinations: Readonly<Record<string, string>>[] = [{}]
  for (const [label, values] of Object.entries(labels)) {
    const all = typeof values === 'string' ? namesOf(values, known) : 'example' in values ? [] : values
    combinations = combinations.flatMap((one) => all.map((value) => Object.assign({}, one, { [label]: value })))
  }
  return combinations
}

function namesOf(kind: 'workspace' | 'directory' | 'credential', known: Known): readonly string[] {
  switch (kind) {
    case 'workspace':
      return known.workspaces
    case 'directory':
      return known.directories
    case 'credential':
      return known.credentials
    default:
      return kind satisfies never
  }
}
