import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { valueIfRead } from '../../../src/core/reading.ts'
import type { Composed } from './composed.ts'

/** The people of one group of the directory `corp`, as texts by which they are known; undefined if the settings ask for none. */
export async function peopleInCorp({ program }: Composed, id: string): Promise<readonly string[] | undefined> {
  const group: Group = { id, name: id as GroupName, place: id }
  const reading = await program.sources.directories.get('corp')?.members?.([group], Date.now(), new AbortController().signal)
  return reading && valueIfRead(reading)?.get(id)?.people.toSorted()
}
