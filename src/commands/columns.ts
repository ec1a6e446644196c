import type { Terminal } from './command.ts'

/** The width of the output that the variable `COLUMNS` asks for, where the output is no terminal; undefined if it is no such number. */
export function columnsOf({ COLUMNS = '' }: Terminal['env']): number | undefined {
  return /^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : undefined
}
