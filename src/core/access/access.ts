import type { GroupSize } from '../bounds.ts'
import { by } from '../compare.ts'
import { type GroupIndex } from '../group.ts'
import {
  type GroupName,
  groupOfKey,
  type Key,
  type List,
  listOfKey,
  lists,
  type Mapping,
  type MappingId,
  type Role,
  type Target,
  targetOfKey,
  type WorkspaceName,
  workspaceOfKey,
} from '../mapping.ts'
import { listName } from '../memory/knownMappings.ts'
import type { SeenLists, SeenMapping, Since } from '../memory/seen.ts'
import { at, recordOf } from '../memory/shardedMap.ts'
import { defined } from '../optionalFields.ts'
import type { Plan } from '../plan.ts'
import { type Reading, valueIfRead } from '../reading.ts'
import type { Revision } from '../revision.ts'
import type { Provenance } from '../rule.ts'
import type { Agreement, WrittenFor } from './agreed.ts'

/** One mapping: which role a group has on a target, why, and since when. */
export type AccessRow = {
  readonly id: MappingId
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly role: Role | null
  readonly standing: MappingStanding
  /** How people call the group, if its name is an id. */
  readonly label?: string
  /** As its directory says. */
  readonly size?: GroupSize
  /** The rule. Of the past: that of the last write. */
  readonly because?: Provenance
  /** Absent: the journal has not seen the mapping. */
  readonly since?: Since
  /** The commit of the declaration from which this program wrote it. */
  readonly revision?: Revision
  /** Who let the last write pass. */
  readonly agreements?: readonly Agreement[]
  /** The mapping changed between two readings, and it is not known whether before or after the moment of the report. */
  readonly unsure?: Unsure
}

/** A change between two readings: what the later one shows. Without `key` it shows no mapping. `isNew`: the earlier one shows none. */
export type Unsure = {
  readonly afterMs: number
  readonly atMs: number
  readonly key?: Key
  readonly role?: Role | null
  readonly isNew?: true
}

/**
 * What the declaration says of a mapping. `declared`: a rule gives it, perhaps with another role, which the plan writes. `ending`: the plan deletes it. `held`: what
 * becomes of it waits. `undeclared`: no rule names it. `unmanaged`: the declaration says that it is not touched. `notManaged`: the declaration does not manage it.
 * `unknown`: it is of the past.
 */
type MappingStanding = 'declared' | 'ending' | 'held' | 'undeclared' | 'unmanaged' | 'notManaged' | 'unknown'

type AccessInput = {
  readonly plan: Plan
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly directories: readonly GroupIndex[]
  readonly seen: SeenLists
  readonly written: ReadonlyMap<Key, WrittenFor>
}

/** The mappings that Plane has now, by target, role and group. @param plan with its unchanged mappings */
export function accessRows({ plan, lists: readings, directories, seen, written }: AccessInput): readonly AccessRow[] {
  const standings = standingsIn(plan)
  const rows = lists.flatMap((list) => {
    const known = at(seen, listName(plan.workspace, list))
    const isManaged = plan.owned[list] !== undefined
    return (valueIfRead(readings.get(list)) ?? []).map(({ id, key, group, target, role }): AccessRow => {
      const standing = standings.get(id) ?? standings.get(key) ?? { standing: isManaged ? 'unmanaged' : 'notManaged' }
      const [inDirectory, ...others] = directories.flatMap((index) => index.get(group) ?? [])
      const facts = inDirectory === undefined || others.length > 0 ? {} : { label: inDirectory.label, size: inDirectory.size }
      return {
        ...{ id, key, group, target, role, standing: standing.standing },
        ...defined({ ...facts, because: standing.because, since: sinceOf(known && at(known.mappings, id), role) }),
        ...ofWrite(writeOf(written, { id, key, role })),
      }
    })
  })
  return sorted(rows)
}

/** The mappings of one workspace as the journal knew them, and those that may have been there already. */
export function pastRows(
  workspace: WorkspaceName,
  { seen, written, unsure }: Pick<AccessInput, 'seen' | 'written'> & { readonly unsure: ReadonlyMap<MappingId, Unsure> },
): readonly AccessRow[] {
  const rowOf = (mapping: Pick<AccessRow, 'id' | 'key' | 'role' | 'since' | 'unsure'>): AccessRow => {
    const write = writeOf(written, mapping)
    const { key } = mapping
    return {
      ...mapping,
      group: groupOfKey(key),
      target: targetOfKey(key),
      standing: 'unknown',
      ...defined({ because: write?.because }),
      ...ofWrite(write),
    }
  }
  const known = lists.flatMap((list) => {
    const mappings = at(seen, listName(workspace, list))?.mappings
    return Object.entries<SeenMapping>(mappings === undefined ? {} : recordOf(mappings)).flatMap(([name, { key, role, since, hidden }]) => {
      const id = name as MappingId
      return hidden === undefined ? [rowOf({ id, key, role, since, ...defined({ unsure: unsure.get(id) }) })] : []
    })
  })
  const fresh = [...unsure].flatMap(([id, change]) =>
    change.isNew === true && change.key !== undefined && workspaceOfKey(change.key) === workspace
      ? [rowOf({ id, key: change.key, role: change.role ?? null, unsure: change })]
      : [],
  )
  return sorted([...known, ...fresh])
}

/** The last write of a key, if it is what left this mapping as it is. */
function writeOf(written: ReadonlyMap<Key, WrittenFor>, { id, key, role }: Pick<AccessRow, 'id' | 'key' | 'role'>): WrittenFor | undefined {
  const write = written.get(key)
  return write?.mapping === id && write.role === role ? write : undefined
}

const ofWrite = (write: WrittenFor | undefined): Pick<AccessRow, 'agreements' | 'revision'> =>
  defined({ agreements: write?.agreements.length === 0 ? undefined : write?.agreements, revision: write?.revision })

/** A role that Plane has now and the journal has not is newer than the last reading that the journal has. */
const sinceOf = (known: SeenMapping | undefined, role: Role | null): Since | undefined => (known?.role === role ? known.since : undefined)

type StandingOf = Pick<AccessRow, 'standing' | 'because'>

/** What the plan says of each mapping, by its id, or by its key where the plan knows no id. */
function standingsIn({ changes, holds, unchangedMappings = [] }: Plan): ReadonlyMap<string, StandingOf> {
  const standings = new Map<string, StandingOf>()
  for (const { key, because, reason, change } of holds) {
    const standing = reason.kind === 'undeclared' ? 'undeclared' : 'held'
    const name = change !== undefined && 'mapping' in change ? change.mapping : key
    standings.set(name, { standing, ...defined({ because }) })
  }
  for (const { id, because } of unchangedMappings) standings.set(id, { standing: 'declared', because })
  for (const change of changes) {
    // After it is written, the list has the mapping.
    if (change.action === 'create') standings.set(change.key, { standing: 'declared', ...defined({ because: change.because }) })
    if ('mapping' in change)
      standings.set(change.mapping, {
        standing: change.action === 'delete' ? 'ending' : 'declared',
        ...defined({ because: change.because }),
      })
  }
  return standings
}

const sorted = (rows: readonly AccessRow[]): readonly AccessRow[] =>
  rows.toSorted(by(({ key, role, id }) => `${listOrder(key)} ${key} ${role ?? ''} ${id}`))
const listOrder = (key: Key): number => lists.indexOf(listOfKey(key))
