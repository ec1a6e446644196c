import { doubt } from './doubt.ts'
import { type GroupIndex, indexSize } from './group.ts'
import { counted, listedFirst } from './quantity.ts'
import type { Reading } from './reading.ts'
import { visible } from './safeName.ts'

/** The least that a complete reading of a directory has: so many groups, and groups with these names. */
export type Expected = { readonly atLeast?: number; readonly names?: readonly string[] }

const shownMax = 5

/**
 * Demotes a complete reading to partial if it lacks something that is expected. An account that may see only 8 of 500 groups gets an answer that
 * looks complete. The shrink check finds this only if an earlier reading had more.
 *
 * @param setting the setting with the expectation: `directories.corp.expect`
 */
export function checkExpected(reading: Reading<GroupIndex>, { atLeast = 0, names = [] }: Expected, setting: string): Reading<GroupIndex> {
  if (reading.status !== 'complete') return reading
  const size = indexSize(reading.value)
  const known = new Set<string>(reading.value.keys())
  const absent = names.filter((name) => !known.has(name))
  const shown = listedFirst(absent.slice(0, shownMax).map(visible), absent.length)
  const lacks = [
    ...(size < atLeast ? [`it has ${counted(size, 'group')}, and ${setting}.atLeast is ${atLeast}`] : []),
    ...(absent.length > 0
      ? [`it lacks ${shown}, and ${setting}.names requires ${absent.length === 1 ? 'this group' : 'these groups'}`]
      : []),
  ]
  if (lacks.length === 0) return reading
  const cure = `check that the account may read all groups, or correct ${setting}`
  return { ...reading, status: 'partial', missing: doubt('reading.lacksExpected', `${lacks.join('; ')}; ${cure}`) }
}
