import type { Size } from './cells.ts'
import { type KindName, kinds, type Measured, type Situation } from './world.ts'

/** One column: one cell for each client, all under the same conditions. */
type Column = { readonly heading: string; readonly cells: readonly Measured[] }

/** Times within this share of each other count as equal: one busy moment of the machine makes as much difference. */
const equal = 0.01
/** A client that takes the second user's places is fast but not best: at least this share of that user's calls must succeed. */
const grantedLeast = 0.9

/** The four tables with their headings. */
export function tablesOf(measured: readonly Measured[], names: ReadonlyMap<string, string>, { calls, callsElsewhere }: Size): string {
  const at = (kind: KindName, situation: Situation, count: number) =>
    measured.filter((one) => one.kind === kind && one.situation === situation && one.calls === count)
  const byKind = (situation: Situation): readonly Column[] =>
    (Object.keys(kinds) as KindName[]).map((kind) => ({ heading: kind, cells: at(kind, situation, callsElsewhere) }))
  const byCalls = calls.map((count) => ({ heading: `${count} calls`, cells: at('sliding log', 'alone', count) }))
  return [
    '### Alone on a sliding log, by the number of calls',
    table(byCalls, names),
    `### Alone, ${callsElsewhere} calls, by limiter`,
    table(byKind('alone'), names),
    `### With a second user who asks a third of the limit, ${callsElsewhere} calls`,
    table(byKind('shared'), names),
    `### On a key that others have just used up, ${callsElsewhere} calls`,
    table(byKind('used up'), names),
  ].join('\n\n')
}

function table(columns: readonly Column[], names: ReadonlyMap<string, string>): string {
  const best = columns.map(({ cells }) => bestOf(cells))
  const rows = [...names].map(([client, name]) => {
    const cells = columns.map(({ cells }, index) => {
      const cell = cells.find((one) => one.client === client)
      if (cell === undefined) return ''
      return best[index]?.includes(cell) ? `**${cellText(cell)}**` : cellText(cell)
    })
    return `| ${[name, ...cells].join(' | ')} |`
  })
  return [`| | ${columns.map(({ heading }) => heading).join(' | ')} |`, `|---${'|---'.repeat(columns.length)}|`, ...rows].join('\n')
}

/**
 * The client with the smallest time ÷ bound, and all others within `equal` of it. Only these clients count: no call failed, the second user got the
 * share `grantedLeast`, and at most one 429 came. If every such client got more than one 429, the clients with the fewest 429s count.
 */
export function bestOf(cells: readonly Measured[]): readonly Measured[] {
  const done = cells.filter(({ failed, wishes }) => failed === 0 && wishes.granted >= grantedLeast * wishes.made)
  const few = Math.max(1, Math.min(...done.map(({ refused }) => refused)))
  const modest = done.filter(({ refused }) => refused <= few)
  const quickest = Math.min(...modest.map(ratio))
  return modest.filter((cell) => ratio(cell) < quickest + equal)
}

/** Time ÷ bound · own 429s · share of the second user's calls that succeeded · failed calls. */
export function cellText(cell: Measured): string {
  const { tookMs, refused, failed, wishes } = cell
  return [
    tookMs === undefined ? 'given up' : ratio(cell).toFixed(3),
    String(refused),
    ...(wishes.made === 0 ? [] : [`${Math.round((100 * wishes.granted) / wishes.made)} %`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(' · ')
}

const ratio = ({ tookMs = Number.POSITIVE_INFINITY, boundMs }: Measured): number => tookMs / boundMs
