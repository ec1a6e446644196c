import type { WorkspaceCall } from './call.ts'

/**
 * Changes a list behind its reader's back, once a page of it has gone out: a row more or a row less at its front moves every
 * later page by one. Only where a fault asks for it.
 */
export function drift<Row>({ quirks, chance }: WorkspaceCall, rows: Row[], another: (row: Row, id: string) => Row): void {
  const [first] = rows
  if (quirks.drift === undefined || first === undefined) return
  if (quirks.drift.by === 'grow') rows.unshift(another(first, chance.uuid()))
  else rows.shift()
}
