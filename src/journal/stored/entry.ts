import { defined, whole } from '../../core/fields.ts'
import type { List, WorkspaceName } from '../../core/mapping.ts'
import type { Entry, GroupIds } from '../../core/memory/entry.ts'
import type { MappingIds } from '../../core/memory/knownMappings.ts'
import type { LearnedIds, MeantIds } from '../../core/memory/meantIds.ts'
import { approvalFromStored, type StoredApproval, storedApproval } from './approval.ts'
import { changeFromStored, type StoredChange, storedChange } from './change.ts'
import { cycleFromStored, type StoredCycle, storedCycle } from './lastCycle.ts'
import { meantGroupsFromStored, type StoredMeantGroups, storedMeantGroups } from './meantGroups.ts'
import { outcomeFromStored, type StoredOutcome, storedOutcome } from './outcome.ts'
import { type StoredService, serviceFromStored, storedService } from './service.ts'
import { inField, read, type Tell } from './unknown.ts'

/** One line of a journal's file. */
export type StoredEntry = { readonly run: string; readonly atMs: number } & (
  | {
      readonly entry: 'start'
      readonly version: string
      readonly command: string
      readonly waits: 'yes' | 'no' | 'waived'
      readonly service: StoredService
    }
  | { readonly entry: 'service'; readonly service: StoredService }
  | { readonly entry: 'reading'; readonly of: string; readonly size: number }
  | { readonly entry: 'mappings'; readonly workspace: WorkspaceName; readonly list: List; readonly ids: MappingIds; readonly left?: true }
  | { readonly entry: 'intent'; readonly workspace: WorkspaceName; readonly change: StoredChange; readonly declaration: string }
  | {
      readonly entry: 'result'
      readonly workspace: WorkspaceName
      readonly change: StoredChange
      readonly declaration: string
      readonly outcome: StoredOutcome
    }
  | {
      readonly entry: 'waiver'
      readonly workspace: WorkspaceName
      readonly fingerprint: string
      readonly passes: readonly string[]
      readonly by: string
      readonly source: string
    }
  | { readonly entry: 'approval'; readonly approval: StoredApproval }
  | { readonly entry: 'withdrawal'; readonly approval: string; readonly by: string; readonly account: string }
  | { readonly entry: 'groups'; readonly ids: GroupIds; readonly meant?: StoredLearnedIds | undefined }
  | { readonly entry: 'projects'; readonly workspace: WorkspaceName; readonly ids: MeantIds }
  | { readonly entry: 'end'; readonly cycle?: StoredCycle | undefined }
)

type StoredLearnedIds = { readonly workspace: WorkspaceName; readonly ids: StoredMeantGroups | MeantIds }

/** The kinds that this version knows. A later version may write more kinds in the same format. Such entries are ignored and reported. */
const kinds: Readonly<Record<StoredEntry['entry'], true>> = {
  start: true,
  service: true,
  reading: true,
  mappings: true,
  intent: true,
  result: true,
  waiver: true,
  approval: true,
  withdrawal: true,
  groups: true,
  projects: true,
  end: true,
}
export const isKnownKind = (kind: string): kind is StoredEntry['entry'] => Object.hasOwn(kinds, kind)

export function storedEntry(entry: Entry): StoredEntry {
  switch (entry.kind) {
    case 'start': {
      const { atMs, run, kind: _, version, command, waits, service, ...rest } = entry
      return whole({ atMs, run, entry: 'start', version, command, waits, service: storedService(service) }, rest)
    }
    case 'service': {
      const { run, atMs, kind: _, service, ...rest } = entry
      return whole({ run, atMs, entry: 'service', service: storedService(service) }, rest)
    }
    case 'reading': {
      const { run, atMs, kind: _, of, size, ...rest } = entry
      return whole({ run, atMs, entry: 'reading', of, size }, rest)
    }
    case 'mappings': {
      const { kind: _, ...parts } = entry
      return { ...parts, entry: 'mappings' }
    }
    case 'intent': {
      const { run, atMs, kind: _, workspace, change, declaration, ...rest } = entry
      return whole({ run, atMs, entry: 'intent', workspace, change: storedChange(change), declaration }, rest)
    }
    case 'result': {
      const { run, atMs, kind: _, workspace, change, declaration, outcome, ...rest } = entry
      const parts = {
        run,
        atMs,
        entry: 'result',
        workspace,
        change: storedChange(change),
        declaration,
        outcome: storedOutcome(outcome),
      } as const
      return whole(parts, rest)
    }
    case 'waiver': {
      const { run, atMs, kind: _, workspace, fingerprint, passes, by, source, ...rest } = entry
      return whole({ run, atMs, entry: 'waiver', workspace, fingerprint, passes, by, source }, rest)
    }
    case 'approval': {
      const { run, atMs, kind: _, approval, ...rest } = entry
      return whole({ run, atMs, entry: 'approval', approval: storedApproval(approval) }, rest)
    }
    case 'withdrawal': {
      const { run, atMs, kind: _, approval, by, account, ...rest } = entry
      return whole({ run, atMs, entry: 'withdrawal', approval, by, account }, rest)
    }
    case 'groups': {
      const { run, atMs, kind: _, ids, meant, ...rest } = entry
      return whole({ run, atMs, entry: 'groups', ids, meant: meant && storedLearnedIds(meant) }, rest)
    }
    case 'projects': {
      const { run, atMs, kind: _, workspace, ids, ...rest } = entry
      return whole({ run, atMs, entry: 'projects', workspace, ids }, rest)
    }
    case 'end': {
      const { atMs, run, kind: _, cycle, ...rest } = entry
      return whole({ atMs, run, entry: 'end', cycle: cycle && storedCycle(cycle) }, rest)
    }
    default:
      return entry satisfies never
  }
}

/** @param tell called with the path of each unknown field, which begins with the entry's kind: `result.change.ticket` */
export function entryFromStored(stored: StoredEntry, tell: Tell): Entry {
  const inside = inField(tell, stored.entry)
  switch (stored.entry) {
    case 'start': {
      const { atMs, run, entry: _, version, command, waits, service, ...rest } = stored
      const from = serviceFromStored(service, inField(inside, 'service'))
      return read({ atMs, run, kind: 'start', version, command, waits, service: from }, rest, inside)
    }
    case 'service': {
      const { run, atMs, entry: _, service, ...rest } = stored
      return read({ run, atMs, kind: 'service', service: serviceFromStored(service, inField(inside, 'service')) }, rest, inside)
    }
    case 'reading': {
      const { run, atMs, entry: _, of, size, ...rest } = stored
      return read({ run, atMs, kind: 'reading', of, size }, rest, inside)
    }
    case 'mappings': {
      const { run, atMs, entry: _, workspace, list, ids, left, ...rest } = stored
      return read(defined({ run, atMs, kind: 'mappings' as const, workspace, list, ids, left }), rest, inside)
    }
    case 'intent': {
      const { run, atMs, entry: _, workspace, change, declaration, ...rest } = stored
      const from = changeFromStored(change, inField(inside, 'change'))
      return read({ run, atMs, kind: 'intent', workspace, change: from, declaration }, rest, inside)
    }
    case 'result': {
      const { run, atMs, entry: _, workspace, change, declaration, outcome, ...rest } = stored
      const from = changeFromStored(change, inField(inside, 'change'))
      const cameOf = outcomeFromStored(outcome, inField(inside, 'outcome'))
      return read({ run, atMs, kind: 'result', workspace, change: from, declaration, outcome: cameOf }, rest, inside)
    }
    case 'waiver': {
      const { run, atMs, entry: _, workspace, fingerprint, passes, by, source, ...rest } = stored
      return read({ run, atMs, kind: 'waiver', workspace, fingerprint, passes, by, source }, rest, inside)
    }
    case 'approval': {
      const { run, atMs, entry: _, approval, ...rest } = stored
      return read({ run, atMs, kind: 'approval', approval: approvalFromStored(approval, inField(inside, 'approval')) }, rest, inside)
    }
    case 'withdrawal': {
      const { run, atMs, entry: _, approval, by, account, ...rest } = stored
      return read({ run, atMs, kind: 'withdrawal', approval, by, account }, rest, inside)
    }
    case 'groups': {
      const { run, atMs, entry: _, ids, meant, ...rest } = stored
      const from = meant && learnedIdsFromStored(meant, inField(inside, 'meant'))
      return read(defined({ run, atMs, kind: 'groups' as const, ids, meant: from }), rest, inside)
    }
    case 'projects': {
      const { run, atMs, entry: _, workspace, ids, ...rest } = stored
      return read({ run, atMs, kind: 'projects', workspace, ids }, rest, inside)
    }
    case 'end': {
      const { atMs, run, entry: _, cycle, ...rest } = stored
      const from = cycle && cycleFromStored(cycle, inField(inside, 'cycle'))
      return read(defined({ atMs, run, kind: 'end' as const, cycle: from }), rest, inside)
    }
    default:
      return stored satisfies never
  }
}

const storedLearnedIds = ({ workspace, ids, ...rest }: LearnedIds): StoredLearnedIds =>
  whole({ workspace, ids: storedMeantGroups(ids) }, rest)

const learnedIdsFromStored = ({ workspace, ids, ...rest }: StoredLearnedIds, tell: Tell): LearnedIds =>
  read({ workspace, ids: meantGroupsFromStored(ids, inField(tell, 'ids')) }, rest, tell)
