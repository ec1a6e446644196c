import type { Order, OrderAnswer } from '../../documents/daemonOrder.ts'
import { answerBytesMax } from '../../orders/orderFiles.ts'
import { exitCodes, type Terminal } from '../command.ts'
import { errorReport } from '../errorReport.ts'
import { eventsMax, explainAnswer } from '../explained.ts'
import { keyEventsOf } from '../open.ts'
import { failuresText } from '../render.ts'
import { evidenceNow, filteredReport, viewOfReadings } from '../reportReadings.ts'
import { terminalOf } from './cycleOrder.ts'
import { type DaemonParts, planOfLast } from './lastRead.ts'
import { recordOrder } from './recordOrder.ts'

/** An order that is answered from what the last cycles have read: neither Plane nor a directory is asked. */
export type ReadOrder = Extract<Order, { kind: 'record' | 'explain' | 'report' }>
type OrderOf<Kind extends ReadOrder['kind']> = Extract<Order, { kind: Kind }>
type Parts = DaemonParts & { readonly terminal: Terminal }

export async function answerReadOrder(order: ReadOrder, parts: Parts, signal: AbortSignal): Promise<OrderAnswer> {
  try {
    switch (order.kind) {
      case 'record':
        return await recordOrder(order, parts, signal)
      case 'explain':
        return await explainOrder(order, parts, signal)
      case 'report':
        return await reportOrder(order, parts, signal)
      default:
        return order satisfies never
    }
  } catch (error) {
    const { text, code } = errorReport(error)
    return { exit: code, out: '', err: text }
  }
}

async function explainOrder(
  { workspace, target, group, show }: OrderOf<'explain'>,
  { terminal, ...parts }: Parts,
  signal: AbortSignal,
): Promise<OrderAnswer> {
  const { loaded, memory, clock } = parts
  const options = { only: new Set([workspace]), listsUnchanged: true, asked: { target, group } }
  const { report } = await planOfLast(parts, 'explain --fresh', options, signal)
  const [planned] = report.workspaces
  const key = planned?.kind === 'judged' ? planned.explained?.key : undefined
  const events = key === undefined ? undefined : await keyEventsOf(loaded, key, eventsMax, terminal, signal)
  const read = { report, memory, ...(events && { events }), byDaemon: true, directories: [...parts.sources.directories.keys()] } as const
  const format = show.format === 'json' ? 'json' : 'text'
  return explainAnswer(workspace, { ...read, nowMs: clock.now() }, { ...show, format }, terminalOf(show, terminal))
}

/** @returns the document as JSON on standard output */
async function reportOrder(
  { only, filter, show }: OrderOf<'report'>,
  { terminal, ...parts }: Parts,
  signal: AbortSignal,
): Promise<OrderAnswer> {
  const options = { only: only && new Set(only), listsUnchanged: true }
  const { report: planned, recording } = await planOfLast(parts, 'report --fresh', options, signal)
  const { takenMs: atMs } = recording
  const evidence = await evidenceNow(parts.loaded, terminal, atMs, signal)
  const { report, notFound } = filteredReport(viewOfReadings(planned, recording, { ...evidence, atMs }), filter)
  const out = JSON.stringify(report)
  if (Buffer.byteLength(out) > answerBytesMax / 2)
    return {
      exit: exitCodes.failed,
      out: '',
      err: 'The report is too large for an answer of the daemon. Name fewer workspaces, or ask for all now: report --fresh.\n',
    }
  return { exit: exitCodes.done, out, err: failuresText(planned, terminalOf(show, terminal)) + notFound }
}
