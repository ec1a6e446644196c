import { by } from '../core/compare.ts'
import type { LastDocument, LastWorkspace } from '../documents/last.ts'
import type { DocumentHold } from '../documents/plan.ts'
import { documentLine } from './documentText.ts'
import { hasPlan } from './hasPlan.ts'
import { isProtectedChange } from './statusEntries.ts'

/**
 * The document as one line of JSON with at most `bytesMax` bytes. If it is larger, rows are left out from the least dangerous on, and counted. If it is
 * too large without any row, workspaces are left out, those with success first.
 */
export function lastText(document: LastDocument, bytesMax: number): string {
  const frame = documentLine({ ...document, workspaces: [] })
  // The first workspace has no comma before it.
  let bytes = bytesOf(frame) - 1
  const texts: string[] = []
  for (const workspace of document.workspaces) {
    const text = documentLine(workspace)
    bytes += bytesOf(text) + 1
    if (bytes > bytesMax) return documentLine(shortened(document, bytesMax - bytesOf(frame)))
    texts.push(text)
  }
  return frame.replace('"workspaces":[]', () => `"workspaces":[${texts.join(',')}]`)
}

/** One row of a workspace, and how dangerous it would be to leave it out. */
type LastRow = { readonly danger: number; readonly row: object; readonly bytes: number }

/** A part of the room is for the numbers of what is left out. */
const numbersBytes = 100

function shortened(document: LastDocument, room: number): LastDocument {
  let left = room
  const kept = document.workspaces.toSorted(by(({ outcome }) => (outcome === 'success' ? 'b' : 'a'))).filter((workspace) => {
    const bytes = bytesOf(documentLine(withRows(workspace, new Set()))) + numbersBytes
    if (bytes > left) return false
    left -= bytes
    return true
  })
  const named = new Set(kept)
  const rows = kept.flatMap(rowsOf).toSorted((a, b) => b.danger - a.danger)
  const shown = new Set<object>()
  for (const { row, bytes } of rows) {
    if (bytes > left) break
    left -= bytes
    shown.add(row)
  }
  return {
    ...document,
    workspaces: document.workspaces.filter((workspace) => named.has(workspace)).map((workspace) => withRows(workspace, shown)),
    ...(kept.length === document.workspaces.length ? {} : { leftOut: document.workspaces.length - kept.length }),
  }
}

function rowsOf(workspace: LastWorkspace): readonly LastRow[] {
  if (!hasPlan(workspace)) return []
  const { changes, holds, later, findings, applied } = workspace.plan
  const row = (row: object, danger: number): LastRow => ({ row, danger, bytes: bytesOf(documentLine(row)) + 1 })
  return [
    ...changes.map((change) => row(change, isProtectedChange(change) ? 5 : 2)),
    ...holds.map((hold) => row(hold, dangerOf(hold))),
    ...later.map((change) => row(change, change.protected === true ? 5 : 1)),
    ...findings.map((finding) => row(finding, dangers[finding.severity])),
    ...(applied?.results ?? []).map((result) => row(result, result.outcome.is === 'done' ? 1 : 6)),
  ]
}

const dangers = { error: 6, warning: 3, info: 1 } as const

function dangerOf({ reason, change, would }: DocumentHold): number {
  if (reason.kind === 'approval') return reason.why === 'limit' ? 7 : 8
  if (change !== undefined) return isProtectedChange(change) ? 6 : 5
  if (reason.kind === 'undeclared' || would?.action === 'keep' || would?.action === 'unknown') return 0
  return 4
}

/** The workspace with only those rows. */
function withRows(workspace: LastWorkspace, shown: ReadonlySet<object>): LastWorkspace {
  if (!hasPlan(workspace)) return workspace
  const { plan } = workspace
  const { applied } = plan
  const isShown = (row: object) => shown.has(row)
  const changes = plan.changes.filter(isShown)
  const holds = plan.holds.filter(isShown)
  const later = plan.later.filter(isShown)
  const findings = plan.findings.filter(isShown)
  const leftOut = {
    changes: plan.changes.length - changes.length,
    holds: plan.holds.length - holds.length,
    later: plan.later.length - later.length,
    findings: plan.findings.length - findings.length,
  }
  return {
    ...workspace,
    plan: {
      ...plan,
      changes,
      holds,
      later,
      findings,
      ...(applied === undefined ? {} : { applied: { ...applied, results: applied.results.filter(isShown), holds: [], left: [] } }),
    },
    ...(leftOut.changes + leftOut.holds + leftOut.later + leftOut.findings === 0 ? {} : { leftOut }),
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text)
