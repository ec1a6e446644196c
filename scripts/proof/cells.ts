import type { Made } from './report.ts'

/** The parts of sentences and tables that several sections of docs/proof.md share. */

export const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
export const count = (n: number): string => n.toLocaleString('en-US')

export const madeText = ({ measured, commit, node, processors, seconds }: Made): string =>
  `Measured on ${measured} on commit ${commit}: Node ${node}, ${processors} processors, ${timeText(seconds)}`

export function timeText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
