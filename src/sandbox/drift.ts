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

/** The rows without those that a fault hides. */
export function withoutHidden<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { quirks: { lacking }, chance }: WorkspaceCall,
): readonly Row[] {
  if (lacking === undefined) return rows
  const { share, which } = lacking
  const hidden = Math.round(rows.length * share)
  if (which === 'last') return rows.slice(0, rows.length - hidden)
  if (which === 'same') return rows.filter(({ id }) => fraction(id) >= share)
  const drawn = rows.map((row) => ({ row, at: chance.draw() })).toSorted((a, b) => a.at - b.at)
  const lacks = new Set(drawn.slice(0, hidden).map(({ row }) => row))
  return rows.filter((row) => !lacks.has(row))
}

/** A number from 0 to 1 that depends on the text alone (FNV-1a, mixed as in MurmurHash3). */
function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}
