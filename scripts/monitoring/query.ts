import { type MetricKey, type MetricRow, metricPrefix, metricTable } from '../../src/daemon/metricTable.ts'

/** A label's value, or for several values a regular expression: `=~401|403`. */
type Labels<Key extends MetricKey> = Partial<Record<Extract<keyof (typeof metricTable)[Key]['labels'], string>, string>>

/**
 * The series of a metric in a query: `plane_group_sync_suspended{what="all"}`. Only metrics and labels of the metric table can be named.
 *
 * @param part of a histogram
 * @throws if a label cannot have the value
 */
export function seriesOf<Key extends MetricKey>(key: Key, labels: Labels<Key> = {}, part: '' | '_bucket' | '_sum' | '_count' = ''): string {
  const row: MetricRow = metricTable[key]
  if ((row.type === 'histogram') !== (part !== '')) throw new Error(`${key}: a query names a part of a histogram, and of no other metric`)
  const given = Object.entries<string | undefined>(labels).flatMap(([label, value]) => {
    if (value === undefined) return []
    const isPattern = value.startsWith('=~')
    const known = row.labels[label]
    const values = isPattern ? value.slice(2).split('|') : [value]
    for (const one of values)
      if (Array.isArray(known) && !known.includes(one)) throw new Error(`${key}: the label ${label} has no value ${one}`)
    return [isPattern ? `${label}=~"${values.join('|')}"` : `${label}="${value}"`]
  })
  return `${metricPrefix}${row.name}${part}${given.length > 0 ? `{${given.join(',')}}` : ''}`
}

/** A restart of the pod changes these labels. Without them a series goes on. */
const ofThePod = 'instance, pod, container'

/** The largest value of series that differ only by the pod. */
export const latest = (series: string): string => `max without (${ofThePod}) (${series})`

/** Bridges the minutes after a restart in which a new process has no numbers yet. */
export const bridged = (series: string): string => latest(`max_over_time(${series}[15m])`)

/** How much a counter rose in this time. A restart is no fall. */
export const rise = (counter: string, time: string, without = ''): string =>
  `sum without (${[ofThePod, without].filter((names) => names !== '').join(', ')}) (increase(${counter}[${time}]))`

/** The same query over fewer series. @param matcher such as `job="groups"` */
export const within = (query: string, matcher: string): string =>
  query.replaceAll(new RegExp(`(${metricPrefix}\\w+)(\\{)?`, 'g'), (_, name: string, brace?: string) =>
    brace === undefined ? `${name}{${matcher}}` : `${name}{${matcher},`,
  )
