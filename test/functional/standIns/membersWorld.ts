import { expect } from 'vitest'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { defined } from '../../../src/core/optionalFields.ts'
import type { Members, NotCounted } from '../../../src/core/people/members.ts'
import { type Deadline, noDeadline } from '../../../src/directories/deadline.ts'
import type { DirectoryReader } from '../../../src/directories/overHttp/reader.ts'

type Told = {
  readonly status: string
  /** Id of a group → its people, sorted. */
  readonly people: Readonly<Record<string, readonly string[]>>
  readonly notCounted: Readonly<Record<string, NotCounted | undefined>>
  /** Why the people of a group are perhaps not all: how many members are doubtful, and why; why there may be others. Absent for a group without gaps. */
  readonly gaps: Readonly<Record<string, { readonly doubtful?: number; readonly why?: string; readonly more?: string }>>
  readonly why: string | undefined
  readonly cure: string | undefined
}

/** Reads the members of groups with these ids. No sentence of the reading may have one of these identities in it. */
export async function membersOf(
  { members }: DirectoryReader,
  ids: readonly string[],
  identities: readonly string[],
  { signal = AbortSignal.timeout(20_000), deadline = noDeadline }: { readonly signal?: AbortSignal; readonly deadline?: Deadline } = {},
): Promise<Told> {
  if (members === undefined) throw new Error('this reader reads no members')
  const groups = ids.map((id): Group => ({ id, name: id as GroupName, place: `/groups/${id}` }))
  const reading = await members(groups, 0, signal, deadline)
  const value = reading.status === 'failed' ? new Map<string, Members>() : reading.value
  const told = {
    status: reading.status,
    people: Object.fromEntries([...value].map(([id, { people }]) => [id, people.toSorted()])),
    notCounted: Object.fromEntries([...value].map(([id, { notCounted }]) => [id, notCounted])),
    gaps: Object.fromEntries([...value].flatMap(([id, members]) => (hasGap(members) ? [[id, gapOf(members)]] : []))),
    why: reading.status === 'complete' ? undefined : reading.status === 'partial' ? reading.missing : reading.why,
    cure: reading.status === 'failed' ? reading.cure : undefined,
  }
  for (const identity of identities) expect(`${told.why} ${told.cure} ${JSON.stringify(told.gaps)}`).not.toContain(identity)
  return told
}

const hasGap = ({ doubtful, more }: Members): boolean => doubtful !== undefined || more !== undefined
const gapOf = ({ doubtful, more }: Members) => defined({ doubtful: doubtful?.members.length, why: doubtful?.why, more })
