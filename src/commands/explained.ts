import { compare } from '../core/compare.ts'
import type { Explanation } from '../core/explain/explanation.ts'
import type { KeyEvent } from '../core/explain/keyEvents.ts'
import { originOf } from '../core/explain/origin.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { complete } from '../core/optionalFields.ts'
import { visible } from '../core/safeName.ts'
import { type CycleReport, stoppedText } from '../cycle/cycleReport.ts'
import type { OrderAnswer } from '../documents/daemonOrder.ts'
import { explainJson } from '../render/explainJson.ts'
import { type ExplainView, explainText } from '../render/explainText.ts'
import type { RecordedView } from '../render/view.ts'
import { exitCodes, type Terminal } from './command.ts'
import { failuresText } from './render.ts'

/** What a key is explained from. `report`: of one workspace, with the explanation. `memory`: that of the journal; absent without one. */
export type ReadForKey = {
  readonly report: CycleReport
  readonly memory?: Memory
  readonly events?: readonly KeyEvent[]
  readonly recorded?: RecordedView
  /** It is what the daemon has read last. */
  readonly byDaemon?: true
  /** The names of all directories. */
  readonly directories: readonly string[]
  readonly nowMs: number
}

/** The most entries of the journal that are shown. */
export const eventsMax = 10

/** `columns`: of the text. */
type Shown = { readonly format: 'text' | 'json'; readonly colour: boolean; readonly columns: number }

/**
 * The answer of `explain`, for the streams of the command.
 *
 * @throws the error because of which there is no plan
 */
export function explainAnswer(
  workspace: WorkspaceName,
  read: ReadForKey,
  { format, colour, columns }: Shown,
  terminal: Pick<Terminal, 'isTerminal' | 'secrets'>,
): OrderAnswer {
  const [planned] = read.report.workspaces
  if (planned?.kind === 'failed') throw planned.error
  if (planned?.kind !== 'judged' || planned.explained === undefined)
    return { exit: exitCodes.failed, out: '', err: `${visible(workspace)}: ${stoppedText}\n` }
  const view = viewOf({ ...planned, explained: planned.explained }, read)
  const isAnswered = view.explained.mappingsUnread === undefined || view.explained.mappings.length > 0
  return {
    exit: isAnswered ? exitCodes.done : exitCodes.failed,
    out: format === 'json' ? `${explainJson(view)}\n` : explainText(view, { colour, width: columns }),
    err: failuresText(read.report, terminal),
  }
}

type Judged = Extract<CycleReport['workspaces'][number], { kind: 'judged' }> & { readonly explained: Explanation }

const viewOf = (
  { about, judged, explained }: Judged,
  { report, memory, events, recorded, byDaemon, directories, nowMs }: ReadForKey,
): ExplainView =>
  complete<ExplainView>({
    about,
    judged,
    explained,
    declaration: report.declaration,
    origins: memory && new Map(explained.mappings.map((mapping) => [mapping.id, originOf(mapping, about.workspace, memory)])),
    events,
    recorded,
    byDaemon,
    unasked: directories.filter((name) => !explained.directories.some((asked) => asked.name === name)).toSorted(compare),
    nowMs,
  })
