import { type MetricRow, metricPrefix, type Values } from './metricTable.ts'
import type { Rows } from './rows.ts'

type Labels = Readonly<Record<string, string>>

/**
 * All series of one counter or gauge. Some labels have open values: names of workspaces, directories or credentials. Each combination of these names
 * has one row of numbers. The values of the other labels are in the metric table. A row has one place for each combination of those values.
 */
export type Family = {
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
export function openFamily({ name, type, labels, help }: MetricRow, rows: Rows): Family {
  const openLabels = Object.entries(labels).flatMap(([label, values]) => (isKnown(values) ? [] : [label]))
  const listedLabels = Object.entries(labels).flatMap(([label, values]) => (isKnown(values) ? [[label, values] as const] : []))
  const places = placesOf(name, labels)
  const from = rows.reserve(places.length)

  function change(said: Labels, next: (before: number) => number): void {
    const row = rows.of(openLabels.map((label) => said[label]).join(joint))
    const at = from + listedLabels.reduce((sofar, [label, values]) => sofar * values.length + indexOf(values, label, said[label]), 0)
    const before = row[at] as number
    row[at] = next(Number.isNaN(before) ? 0 : before)
  }

  function indexOf(values: readonly string[], label: string, value = ''): number {
    const index = values.indexOf(value)
    if (index < 0) throw new TypeError(`the metric ${name} has no ${label} "${value}"`)
    return index
  }

  return {
    add: (said, count) => change(said, (before) => before + count),
    set: (said, value) => change(said, () => value),
    drop: () => rows.clear(from, places.length),
    text() {
      const lines = [`# HELP ${metricPrefix}${name} ${help}`, `# TYPE ${metricPrefix}${name} ${type}`]
      for (const [key, row] of rows.all()) {
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
export const isKnown = (values: Values): values is readonly string[] => Array.isArray(values)

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
  pieces.reduce((sofar, piece, index) => sofar + names[index - 1] + piece)

const escaped = (name: string): string => name.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
