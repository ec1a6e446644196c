import { keyOf, type List, listOf, type Role, type Target, type WorkspaceName } from '../../src/core/mapping.ts'
import { listName } from '../../src/core/memory/knownMappings.ts'
import type { SeenMapping } from '../../src/core/memory/seen.ts'
import { recordOf, at as valueAt } from '../../src/core/memory/shardedMap.ts'
import type { Disk } from '../../src/journal/disk.ts'
import { readPast } from '../../src/journal/past.ts'
import type { Chance } from './chance.ts'
import { lagMaxMs } from './given.ts'
import { afterJournal, openLearnings } from './learnings.ts'
import type { Service, StoredRow } from './service.ts'
import type { Spec } from './spec.ts'
import type { Happened } from './trace.ts'

/** The moments at which the evidence is compared with the truth. */
const momentsMax = 5
/** A list may lag, an answer takes time to arrive, and a clock may run a little faster. */
const toleranceLeastMs = lagMaxMs + 30_000
/** Clocks that differ more give other times. */
const skewMaxMs = 60_000

type Cycle = { readonly folder: string; readonly beganMs: number; readonly endedMs: number; readonly judged: ReadonlySet<string> }

/** Compares what the journals say of past moments with what was so. */
export type EvidenceAudit = {
  hear(event: Happened): void
  /** @returns what is wrong; the number of mappings that were compared */
  compare(disk: Disk, chance: Chance): Promise<{ readonly wrong: readonly string[]; readonly compared: number }>
}

export function openEvidenceAudit(spec: Spec, service: Pick<Service, 'rowsAt'>, unknownOutcomeWaitMs: number): EvidenceAudit {
  const folders = new Map<number, string>()
  const began = new Map<number, number>()
  let cycles: Cycle[] = []
  const learnings = openLearnings()
  // Another clock gives other times, a list that lacks rows shows what is not so, and a journal that was put back lacks what came after.
  const isPutBack = spec.happenings.some((happening) => happening.is === 'journal' && happening.does === 'restore')
  let isComparable = spec.journal !== 'none' && spec.lacking === undefined && !isPutBack
  let toleranceMs = toleranceLeastMs
  return {
    hear(event) {
      learnings.hear(event)
      if (event.is === 'happening' && event.what === 'journal') cycles = afterJournal(cycles, event.how)
      if (event.is === 'clockSet' && event.byMs !== 0) isComparable = false
      if (event.is === 'start') {
        folders.set(event.process, event.folder)
        if (Math.abs(event.skewMs) > skewMaxMs) isComparable = false
        toleranceMs = Math.max(toleranceMs, toleranceLeastMs + 2 * Math.abs(event.skewMs))
      }
      if (event.is === 'cycle') began.set(event.process, event.atMs)
      if (event.is !== 'cycled') return
      const outcomes = new Set(
        event.outcome.split(', ').flatMap((text) => (/ (?:success|waiting)$/.test(text) ? [text.split(' ')[0] as string] : [])),
      )
      const judged = new Set(event.judged.filter((workspace) => outcomes.has(workspace)))
      cycles.push({
        folder: folders.get(event.process) ?? '',
        beganMs: began.get(event.process) ?? event.atMs,
        endedMs: event.atMs,
        judged,
      })
    },
    async compare(disk, chance) {
      const wrong: string[] = []
      let compared = 0
      if (!isComparable || cycles.length === 0) return { wrong, compared }
      const lastMs = Math.max(...cycles.map(({ endedMs }) => endedMs))
      for (const folder of new Set(cycles.map((cycle) => cycle.folder))) {
        const end = await readPast(folder, disk, Number.POSITIVE_INFINITY, unknownOutcomeWaitMs, new AbortController().signal)
        // A list that no file declares any more is not read, so nothing shows later what changed in it.
        const isLeft = (name: string) => end.memory === undefined || valueAt(end.memory.mappings, name)?.unread === true
        const isReadAfter = (name: string, ms: number) =>
          ms < (end.memory === undefined ? 0 : (valueAt(end.memory.seen, name)?.readMs ?? 0))
        for (let moment = 0; moment < momentsMax; moment++) {
          const atMs = chance.between(spec.beginMs, lastMs)
          const past = await readPast(folder, disk, atMs, unknownOutcomeWaitMs, new AbortController().signal)
          if (past.memory === undefined) continue
          for (const workspace of Object.keys(spec.rows) as WorkspaceName[]) {
            // A reading after the moment would show what changed before it.
            const judging = cycles.filter((cycle) => cycle.folder === folder && cycle.judged.has(workspace))
            const next = judging.find(({ beganMs }) => atMs < beganMs)
            if (next === undefined) continue
            const before = judging.findLast(({ endedMs }) => endedMs <= atMs)
            for (const list of ['workspaceRoles', 'projectRoles'] as const) {
              const name = listName(workspace, list)
              const seen = valueAt(past.memory.seen, name)
              if (seen === undefined || isLeft(name) || !isReadAfter(name, atMs) || valueAt(past.memory.mappings, name)?.unread === true)
                continue
              const known = new Map(Object.entries<SeenMapping>(recordOf(seen.mappings)).filter(([, { hidden }]) => hidden === undefined))
              const truths = Array.from({ length: 41 }, (_, index) =>
                rowsOf(service.rowsAt(workspace, atMs + ((index - 20) * toleranceMs) / 20), workspace, list),
              )
              const ids = new Set([...known.keys(), ...truths.flatMap((truth) => [...truth.keys()])])
              for (const id of ids) {
                const claim = known.get(id)
                const key = claim?.key ?? truths.map((truth) => truth.get(id)?.key).find((each) => each !== undefined)
                const isUnsure = past.unsure.has(id as never) || (key !== undefined && Object.hasOwn(seen.doubts, key))
                compared++
                const isClaimed = (truth: ReturnType<typeof rowsOf>) =>
                  truth.get(id)?.key === claim?.key && truth.get(id)?.role === claim?.role
                const span = { folder, workspace, row: id, atMs, beforeMs: before?.endedMs, afterMs: next.endedMs }
                const wasClaimed = (ms: number) => isClaimed(rowsOf(service.rowsAt(workspace, ms), workspace, list))
                if (!isUnsure && !truths.some(isClaimed) && !learnings.isShown(span, wasClaimed))
                  wrong.push(
                    `at ${(atMs - spec.beginMs) / 1000} s of ${folder}: ${id} ${claim === undefined ? 'none' : `${claim.key} ${claim.role}`}, and it was ${JSON.stringify(truths.at(20)?.get(id) ?? 'none')}`,
                  )
              }
            }
          }
        }
      }
      return { wrong, compared }
    },
  }
}

function rowsOf(rows: readonly StoredRow[], workspace: WorkspaceName, list: List) {
  return new Map(
    rows.flatMap(({ id, group, at, role }) => {
      const target = (at === 'workspace' ? { kind: at } : at === '*' ? { kind: 'allProjects' } : { kind: 'project', project: at }) as Target
      return listOf(target) === list
        ? [[id, { key: keyOf(workspace, target, group as never), role: role === '' ? null : (role as Role) }] as const]
        : []
    }),
  )
}
