import type { Moment } from '../core/clock.ts'
import { type Dates, latestMs } from '../core/dates.ts'
import { type Desired, ruleResult } from '../core/desired.ts'
import type { DiffOptions, Owned } from '../core/diff/draft.ts'
import { type Existing, isOwnedInPart } from '../core/existing.ts'
import type { GoneFiles } from '../core/judge/limits.ts'
import { type List, listOf, lists, type Mapping, type WorkspaceName } from '../core/mapping.ts'
import { knownIds, listName } from '../core/memory/knownMappings.ts'
import { lastAppliedAt } from '../core/memory/lastApplied.ts'
import type { Memory } from '../core/memory/memory.ts'
import {
  type DeclaredMapping,
  isOurs,
  isRecordedEnd,
  type OwnershipChange,
  ownedListOf,
  ownershipAfter,
  ownershipIn,
  type Readings,
  willBeRecordedEnd,
} from '../core/memory/ownership.ts'
import { at } from '../core/memory/shardedMap.ts'
import { defined } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import { deletesUndeclared } from '../core/policy.ts'
import { compareRoles } from '../core/roles.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'

type OwnershipContext = {
  readonly workspace: WorkspaceName
  readonly options: Pick<DiffOptions, 'policy' | 'roles' | 'echoes'>
  readonly dates: () => Dates
  /** When reading of the lists began. */
  readonly readAt: Moment
}

/** What a plan asks the memory about ownership. `isPresent`: whether the declaration has a file. */
export function ownedFrom(memory: Memory, context: OwnershipContext, isPresent: (file: string) => boolean): Owned {
  const { workspace, dates } = context
  const isSameRole = sameRole(context)
  const untilMs = settledFrom(memory, context)
  const owned = Object.fromEntries(
    lists.map((list) => {
      const known = ownedListOf(memory, workspace, list)
      return [list, { known, ownershipOf: ownershipIn(known, { isSameRole }), anyRole: ownershipIn(known, { isSameRole: () => true }) }]
    }),
  ) as Readonly<
    Record<
      List,
      { known: ReturnType<typeof ownedListOf>; ownershipOf: ReturnType<typeof ownershipIn>; anyRole: ReturnType<typeof ownershipIn> }
    >
  >
  return {
    standingOf(mapping) {
      const { known, ownershipOf, anyRole } = owned[listOf(mapping.target)]
      if (isOurs(known, ownershipOf(mapping))) return 'ours'
      const settledMs = isOurs(known, anyRole(mapping)) ? untilMs(mapping, mapping) : undefined
      return settledMs === undefined ? 'others' : { untilMs: settledMs }
    },
    givenOf(mapping) {
      const ownership = owned[listOf(mapping.target)].ownershipOf(mapping)
      return (
        ownership &&
        defined({
          file: ownership.file,
          isGone: ownership.file !== '' && !isPresent(ownership.file),
          isMade: ownership.how === 'made' || ownership.how === 'adopted',
          role: ownership.role,
          endMs: ownership.end?.atMs,
        })
      )
    },
    hasRecordedEnd: (mapping, ended) => isRecordedEnd(owned[listOf(mapping.target)].ownershipOf(mapping)?.end, ended, dates()),
    willRecordEnd(mapping, atMs, sinceMs = latestMs(dates()), naming) {
      const own = mapping && owned[listOf(mapping.target)].ownershipOf(mapping)
      // Of a mapping that others have made, the journal records the end of an exact rule only.
      const isRecorded = mapping === undefined || own !== undefined || naming !== 'pattern'
      return isRecorded && willBeRecordedEnd(own?.end, atMs, sinceMs)
    },
    givingFiles: () =>
      new Set(lists.flatMap((list) => owned[list].known.keys.flatMap((shard) => Array.from(shard, ([, { file }]) => file)))).size,
  }
}

/** What the limits ask about the files that are gone. */
export const goneFilesIn = ({ givenOf, givingFiles }: Owned): GoneFiles => ({
  of(change) {
    if (change.action !== 'delete' || change.why !== 'undeclared') return undefined
    const given = givenOf({ ...change, id: change.mapping, role: change.before })
    return given?.isGone === true ? given.file : undefined
  },
  giving: givingFiles,
})

/** Whether the service may show the one role for the other. */
export const sameRole =
  ({ options: { roles, echoes } }: Pick<OwnershipContext, 'options'>) =>
  (known: Mapping['role'], shown: Mapping['role'], { target }: Mapping): boolean =>
    known === shown || (known !== null && compareRoles(known, shown, target, echoes[listOf(target)] ?? {}, roles) !== 'other')

/**
 * Returns the time up to which the lists may not show the last write to a mapping; undefined if they show it. A write that is done explains only a list
 * that shows what was there before it. All else is an edit in Plane, however short ago this process or an earlier one wrote.
 */
function settledFrom({ quarantine, lastApplied }: Memory, { readAt: { steadyMs } }: OwnershipContext): Readings['unsettledUntil'] {
  return ({ key, id }, shown) => {
    const place = shown?.key ?? key
    const last = lastAppliedAt(lastApplied, place)
    const shownFromMs = last !== undefined && last.before === shown?.role ? last.shownFromMs : 0
    const untilMs = [key, place, id].reduce((latestMs, name) => Math.max(latestMs, quarantine[name] ?? 0), shownFromMs)
    return steadyMs < untilMs ? untilMs : undefined
  }
}

/** What the declaration says of each mapping of a plan that the guards have not judged yet. */
export function declaredIn(
  desired: Desired,
  { changes, holds }: Pick<Plan, 'changes' | 'holds'>,
  context: Pick<OwnershipContext, 'options'>,
) {
  const { roles, echoes } = context.options
  const planned = [...changes, ...holds.flatMap(({ change }) => change ?? [])]
  const deleted = new Set(planned.filter((change) => change.action === 'delete').map(({ mapping }) => mapping))
  return ({ id, key, group, target, role }: Mapping): DeclaredMapping => {
    if (desired.isUnmanaged(group, target)) return { kind: 'unmanaged' }
    const wanted = desired.mappings.get(key)
    if (wanted === undefined) return deleted.has(id) ? { kind: 'undeclared' } : { kind: 'held', named: false }
    if (wanted.kind === 'unknown' || !desired.isOwned(group, target)) return { kind: 'held', named: ruleResult(wanted) !== undefined }
    const { naming, endMs, ended } = desired.datesOf(key)
    if (wanted.kind === 'absent') return { kind: 'absent', ended }
    const isWritten = compareRoles(wanted.role, role, target, echoes[listOf(target)] ?? {}, roles) !== 'other'
    return { kind: 'role', file: wanted.because.at.file, naming, ended, isWritten, ...defined({ endMs }) }
  }
}

/**
 * What the lists of a cycle change in the ownership. A list that was not read whole changes nothing.
 *
 * @param inForce whether the cycle may write all that its policy lets through
 */
export function ownershipChanges(
  memory: Memory,
  declaration: WorkspaceDeclaration,
  existing: Existing,
  declaredOf: (mapping: Mapping) => DeclaredMapping,
  inForce: boolean,
  context: OwnershipContext,
): readonly OwnershipChange[] {
  const { workspace, dates, options } = context
  const untilMs = settledFrom(memory, context)
  return [...existing.lists].flatMap(([list, reading]) => {
    if (reading.status !== 'complete' || !isOwnedInPart(list, declaration)) return []
    const mappings = at(memory.mappings, listName(workspace, list))
    const change = ownershipAfter(ownedListOf(memory, workspace, list), {
      rows: reading.value,
      declaredOf,
      isSameRole: sameRole(context),
      unsettledUntil: untilMs,
      isKnown: (key, id) => knownIds(mappings, key).includes(id),
      deletes: deletesUndeclared(options.policy),
      inForce,
      dates: dates(),
    })
    return change === undefined ? [] : [{ workspace, list, ...change }]
  })
}
