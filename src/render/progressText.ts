import { boundText, counted, durationText, roughText } from '../core/quantity.ts'
import { outcomeWords } from './applied.ts'
import { firstColumns, widthOf } from './width.ts'

/** How many changes of an apply have which result, over all workspaces and rounds. */
export type WriteCounts = {
  /** Changes that the service confirmed. */
  readonly written: number
  /** All changes that may be written, those in quarantine included. */
  readonly total: number
  readonly workspaces: number
} & Readonly<Record<FailureKind, number>>

const failureKinds = ['unknown', 'refused', 'notSent'] as const
type FailureKind = (typeof failureKinds)[number]

/** What a command waits for now. */
export type ProgressWait =
  /** `why`: the part of the line that gives the reason; empty: it is not known. */
  | { readonly kind: 'until'; readonly ms: number; readonly why: string }
  /** `of`: who has not answered yet. `ms`: since when. */
  | { readonly kind: 'answer'; readonly of: string; readonly ms: number }

export type ProgressView = {
  readonly counts?: WriteCounts | undefined
  readonly wait?: ProgressWait | undefined
  /** Estimate for the remaining changes; an upper bound if they fit into the budget. Absent: it is not known. */
  readonly toGo?: { readonly ms: number; readonly fits: boolean } | undefined
  /** A signal has asked the command to stop. */
  readonly isStopping?: boolean
  /** Of a cycle of a daemon, if it is about several. */
  readonly workspaces?: { readonly ended: number; readonly of: number } | undefined
}

/**
 * `54/101 written · waits 41 s · about 1 min to go`: one line of at most `columns` columns. The parts that do not fit are left out from the end. Empty
 * if there is nothing to say.
 */
export function progressText(view: ProgressView, columns: number): string {
  const [first = '', ...more] = partsOf(view)
  let line = cut(first, columns)
  for (const part of more) {
    const longer = `${line} · ${part}`
    if (widthOf(longer) > columns) return line
    line = longer
  }
  return line
}

function partsOf({ counts, wait, toGo, isStopping = false, workspaces }: ProgressView): readonly string[] {
  const countParts = [
    ...(counts === undefined ? [] : [countsText(counts)]),
    ...(workspaces === undefined ? [] : [`${workspaces.ended} of ${counted(workspaces.of, 'workspace')} done`]),
  ]
  if (isStopping) return [...countParts, 'stops after the request in flight']
  const estimate = toGo === undefined ? [] : [toGo.fits ? `under ${boundText(toGo.ms)} to go` : `about ${roughText(toGo.ms)} to go`]
  switch (wait?.kind) {
    case undefined:
      return [...countParts, ...estimate]
    case 'until':
      return [...countParts, `waits ${durationText(secondsUp(wait.ms))}`, ...estimate, ...(wait.why === '' ? [] : [wait.why])]
    case 'answer':
      return [...countParts, `waits for ${wait.of}, ${durationText(Math.floor(wait.ms / 1000) * 1000)} so far`, ...estimate]
    default:
      return wait satisfies never
  }
}

/** A countdown ends at 1 s, not at 0 s. */
const secondsUp = (ms: number): number => Math.ceil(ms / 1000) * 1000

function countsText(counts: WriteCounts): string {
  const { written, total, workspaces } = counts
  const where = workspaces > 1 ? ` in ${counted(workspaces, 'workspace')}` : ''
  const failed = failureKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${outcomeWords[kind].short}`)
  return [`${written}/${total} written${where}`, ...failed].join(', ')
}

export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `${firstColumns(text, columns - 1)}…`
}
