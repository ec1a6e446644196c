import { defined } from '../../src/core/optionalFields.ts'
import type { Happened } from './trace.ts'

/** The moment at which a journal may have learned how a mapping is: a list was answered, or a write to `row` was executed. */
type Learning = { readonly folder: string; readonly atMs: number; readonly workspace: string; readonly row?: string }

type Span = {
  readonly folder: string
  readonly workspace: string
  readonly row: string
  readonly atMs: number
  /** The end of the last cycle before the moment that certainly has read all lists; undefined: there was none. */
  readonly beforeMs: number | undefined
  /** The end of the first such cycle after the moment. */
  readonly afterMs: number
}

const mappingsPath = /^\/api\/v1\/workspaces\/([^/]+)\/group-sync\/(?:workspace|project)-mappings\/([^/]*)/

/** When each journal may have learned how mappings are. */
export function openLearnings() {
  const folders = new Map<number, string>()
  /** Requests for a list of mappings, and writes to one → the workspace. */
  const asked = new Map<number, string>()
  const written = new Map<number, string>()
  let learnings: Learning[] = []

  function learn(process: number, atMs: number, workspace: string | undefined, row?: string): void {
    if (workspace !== undefined) learnings.push({ folder: folders.get(process) ?? '', atMs, workspace, ...defined({ row }) })
  }

  return {
    hear(event: Happened): void {
      switch (event.is) {
        case 'start':
          folders.set(event.process, event.folder)
          return
        case 'happening':
          if (event.what === 'journal') learnings = afterJournal(learnings, event.how)
          return
        case 'sent': {
          const [, workspace, id] = mappingsPath.exec(event.path) ?? []
          if (workspace !== undefined && event.method !== 'GET') written.set(event.request, workspace)
          else if (workspace !== undefined && id === '') asked.set(event.request, workspace)
          return
        }
        case 'answered':
          if (event.status === 200) learn(event.process, event.atMs, asked.get(event.request))
          return
        case 'committed':
          learn(event.process, event.atMs, written.get(event.request), event.row)
          return
        default:
      }
    },
    /**
     * Whether what a journal says of a mapping was so when it last learned of it before the moment, and at a reading after it. What was changed and changed
     * back between the two is shown by none. A cycle that failed later has read the lists all the same. An own write before the moment says as much as a
     * reading; what a cycle writes after the moment, its own lists do not show yet.
     *
     * @param wasSo whether it was so at a time
     */
    isShown({ folder, workspace, row, atMs, beforeMs, afterMs }: Span, wasSo: (ms: number) => boolean): boolean {
      const of = learnings.filter((one) => one.folder === folder && one.workspace === workspace)
      const earlier = of.filter((one) => (beforeMs ?? 0) < one.atMs && one.atMs <= atMs && (one.row ?? row) === row)
      const later = of.filter((one) => atMs < one.atMs && one.atMs <= afterMs && one.row === undefined)
      const isEarlier = (beforeMs !== undefined && wasSo(beforeMs)) || earlier.some((one) => wasSo(one.atMs))
      return isEarlier && later.some((one) => wasSo(one.atMs))
    },
  }
}

/** What was learned by each journal after a person has done something with a folder. A copy of a journal has what the journal had learned. */
export function afterJournal<One extends { readonly folder: string }>(all: readonly One[], how: string): One[] {
  const [does, folder, to = ''] = how.split(' ')
  const others = (name: string) => all.filter((one) => one.folder !== name)
  if (does === 'lose') return others(folder ?? '')
  if (does !== 'copy') return [...all]
  return [...others(to), ...all.filter((one) => one.folder === folder).map((one) => ({ ...one, folder: to }))]
}
