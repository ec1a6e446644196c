import type { WorkspaceCall } from './call.ts'

const rowsMax = 100_000

/**
 * Changes a list after a page of it was sent: one row more or less at the front moves every later page by one. Does nothing without the
 * fault.
 */
export function drift<Row>({ quirks, chance }: WorkspaceCall, rows: Row[], another: (row: Row, id: string) => Row): void {
  const [first] = rows
  if (quirks.drift === undefined || first === undefined) return
  if (quirks.drift.by === 'shrink') rows.shift()
  else if (rows.length < rowsMax) rows.unshift(another(first, chance.uuid()))
}
