import { Histogram, type Registry } from 'prom-client'
import { type MetricKey, type MetricRow, metricPrefix, metricTable, type Values } from './metricTable.ts'

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

type Labels = Readonly<Record<string, string>>

/**
 * All series of one counter or gauge. Some labels have open values: names of workspaces, directories or credentials. Each combination of these names
 * has one row of numbers. The values of the other labels are in the metric table. A row has one place for each combination of those values.
 */
type Family = {
  /** @throws {TypeError} for a label value that is not in the metric table */
  add(labels: Labels, count: number): void
  /** @throws {TypeError} for a label value that is not in the metric table */
  set(labels: Labels, value: number): void
  /** Removes all series. */
  drop(): void
  /** In Prometheus' text format 0.0.4. */
  text(): string
}

/** Separates the names of a row with several names. No name contains it. */
const joint = '\0'

/** @param rows one row for each value of the labels that the metric table leaves open; a metric without such labels has one row, named `''` */
function openFamily({ name, type, labels, help }: MetricRow, rows: Rows): Family {
  const openLabels = Object.entries(labels).flatMap(([label, values]) => (isKnown(values) ? [] : [label]))
  const listedLabels = Object.entries(labels).flatMap(([label, values]) => (isKnown(values) ? [[label, values] as const] : []))
  const places = placesOf(name, labels)
  const from = rows.reserve(places.length)

  function change(given: Labels, next: (before: number) => number): void {
    const row = rows.of(openLabels.map((label) => given[label]).join(joint))
    const at = from + listedLabels.reduce((index, [label, values]) => index * values.length + indexOf(values, label, given[label]), 0)
    const before = row[at] as number
    row[at] = next(Number.isNaN(before) ? 0 : before)
  }

  function indexOf(values: readonly string[], label: string, value = ''): number {
    const index = values.indexOf(value)
    if (index < 0) throw new TypeError(`the metric ${name} has no ${label} "${value}"`)
    return index
  }

  return {
    add: (given, count) => change(given, (before) => before + count),
    set: (given, value) => change(given, () => value),
    drop: () => rows.clear(from, places.length),
    text() {
      const lines = [`# HELP ${metricPrefix}${name} ${help}`, `# TYPE ${metricPrefix}${name} ${type}`]
      for (const [key, row] of rows.entries()) {
        const names = key.split(joint).map(escaped)
        for (const [at, pieces] of places.entries()) {
          const value = row[from + at] as number
          if (!Number.isNaN(value)) lines.push(`${seriesText(pieces, names)} ${value}`)
        }
      }
      return lines.join('\n')
    },
  }
}

/** Whether the table has all values of a label. */
const isKnown = (values: Values): values is readonly string[] => Array.isArray(values)

/** The text of each place's series, in pieces. The names of the row go between the pieces. */
function placesOf(name: string, labels: MetricRow['labels']): readonly (readonly string[])[] {
  let places: readonly (readonly string[])[] = [[`${metricPrefix}${name}`]]
  const ending = (text: string) => (pieces: readonly string[]) => [...pieces.slice(0, -1), `${pieces.at(-1)}${text}`]
  for (const [index, [label, values]] of Object.entries(labels).entries()) {
    const begins = `${index === 0 ? '{' : ','}${label}="`
    places = isKnown(values)
      ? places.flatMap((pieces) => values.map((value) => ending(`${begins}${value}"`)(pieces)))
      : places.map((pieces) => [...ending(begins)(pieces), '"'])
  }
  return Object.keys(labels).length === 0 ? places : places.map(ending('}'))
}

const seriesText = (pieces: readonly string[], names: readonly string[]): string =>
  pieces.reduce((text, piece, index) => text + names[index - 1] + piece)

const escaped = (name: string): string => name.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

/**
 * A row of numbers for each name. All metrics with the label `workspace` share one row for each workspace; it is the same for directories and
 * credentials. With thousands of workspaces, one object for each series would take too much memory.
 */
type Rows = {
  /** Reserves `places` numbers in every row. Call it before the first row exists. @returns the index of the first of them */
  reserve(places: number): number
  /** The row of a name; a new row without any number if there is none. */
  of(name: string): number[]
  /** Removes the rows of all other names, adds missing rows, and sets places without a number to 0. */
  expect(names: readonly string[]): void
  /** Removes the numbers of a reserved part from all rows. */
  clear(from: number, places: number): void
  entries(): Iterable<readonly [name: string, row: readonly number[]]>
}

/** The number of a place whose series does not exist. */
const absent = Number.NaN

function openRows(): Rows {
  const rows = new Map<string, number[]>()
  let width = 0

  function of(name: string): number[] {
    const presentRow = rows.get(name)
    if (presentRow !== undefined) return presentRow
    const row = Array.from({ length: width }, () => absent)
    rows.set(name, row)
    return row
  }

  return {
    reserve(places) {
      width += places
      return width - places
    },
    of,
    expect(names) {
      const wanted = new Set(names)
      for (const name of rows.keys()) if (!wanted.has(name)) rows.delete(name)
      for (const name of wanted) for (const [at, value] of of(name).entries()) if (Number.isNaN(value)) of(name)[at] = 0
    },
    clear(from, places) {
      for (const [name, row] of rows) {
        row.fill(absent, from, from + places)
        if (row.every((value) => Number.isNaN(value))) rows.delete(name)
      }
    },
    entries: () => rows,
  }
}
