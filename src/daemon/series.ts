import { Histogram, type Registry } from 'prom-client'
import { type Family, isKnown, openFamily } from './family.ts'
import { type MetricKey, type MetricRow, metricPrefix, metricTable } from './metricTable.ts'
import { openRows, type Rows } from './rows.ts'

/** The names from the settings that are label values. */
export type SeriesNames = {
  readonly workspaces: readonly string[]
  readonly directories: readonly string[]
  readonly credentials: readonly string[]
}

type Table = typeof metricTable
type ValueOf<V> = V extends readonly (infer Value extends string)[] ? Value : string
type LabelsOf<K extends MetricKey> = { readonly [L in keyof Table[K]['labels']]: ValueOf<Table[K]['labels'][L]> }

/** The metrics of the table. TypeScript refuses an unknown label or value, and a missing label. */
export type Series = {
  /** Adds to a counter. */
  add<K extends MetricKey>(key: K, labels: LabelsOf<K>, count?: number): void
  /** Sets a gauge. */
  set<K extends MetricKey>(key: K, labels: LabelsOf<K>, value: number): void
  /** Observes into a histogram. */
  observe<K extends MetricKey>(key: K, labels: LabelsOf<K>, value: number): void
  /** Removes all series of a counter or gauge, such as those of `configuration_info` with the hash of an older file. */
  drop(key: MetricKey): void
  /** Creates, with the value 0, every series whose labels are known. Removes the series of other names. Existing series keep their values. */
  readonly expect: (known: SeriesNames) => void
  /** The text of each counter and gauge. */
  readonly texts: () => readonly string[]
}

/** @param registry holds the histograms; there are few of them */
export function openSeries(registry: Registry): Series {
  const shared: Readonly<Record<RowOwner, Rows>> = {
    workspace: openRows(),
    directory: openRows(),
    credential: openRows(),
    nothing: openRows(),
  }
  const families = new Map<string, Family>()
  const histograms = new Map<string, Histogram>()
  for (const [key, row] of table) {
    const named = namedAfter(row)
    if (row.type === 'histogram') histograms.set(key, openHistogram(row, registry))
    else families.set(key, openFamily(row, named === undefined ? openRows() : shared[named]))
  }
  const living = new Map<string, ReadonlySet<string>>()

  function familyOf(key: MetricKey, type: MetricRow['type']): Family {
    const family = families.get(key)
    if (family === undefined || metricTable[key].type !== type) throw new TypeError(`the metric ${key} is not a ${type}`)
    return family
  }

  function expectHistogram(key: string, histogram: Histogram, label: string | undefined, names: readonly string[]): void {
    const labels = (name: string) => (label === undefined ? {} : { [label]: name })
    const before = living.get(key) ?? new Set<string>()
    const now = new Set(names)
    for (const name of before.difference(now)) histogram.remove(labels(name))
    for (const name of now.difference(before)) histogram.zero(labels(name))
    living.set(key, now)
  }

  return {
    add: (key, labels, count = 1) => familyOf(key, 'counter').add(labels, count),
    set: (key, labels, value) => familyOf(key, 'gauge').set(labels, value),
    observe(key, labels, value) {
      const histogram = histograms.get(key)
      if (histogram === undefined) throw new TypeError(`the metric ${key} is not a histogram`)
      histogram.observe({ ...labels }, value)
    },
    drop: (key) => families.get(key)?.drop(),
    expect({ workspaces, directories, credentials }) {
      const names = { workspace: workspaces, directory: directories, credential: credentials, nothing: [''] }
      for (const [named, rows] of Object.entries(shared)) rows.expect(names[named as RowOwner])
      for (const [key, row] of table) {
        const named = namedAfter(row)
        const histogram = histograms.get(key)
        if (named !== undefined && histogram !== undefined) expectHistogram(key, histogram, Object.keys(row.labels)[0], names[named])
      }
    },
    texts: () => [...families.values()].map((family) => family.text()),
  }
}

const table = Object.entries<MetricRow>(metricTable)

function openHistogram({ name, labels, help, buckets }: MetricRow, registry: Registry): Histogram {
  const options = { name: metricPrefix + name, help, labelNames: Object.keys(labels), registers: [registry] }
  return new Histogram({ ...options, ...(buckets === undefined ? {} : { buckets: [...buckets] }) })
}

type RowOwner = 'workspace' | 'directory' | 'credential' | 'nothing'

/** The names for which a metric has rows; undefined if its label values are not known beforehand. */
function namedAfter({ labels }: MetricRow): RowOwner | undefined {
  const open = Object.values(labels).find((values) => !isKnown(values))
  if (open === undefined) return 'nothing'
  return typeof open === 'string' ? open : undefined
}
