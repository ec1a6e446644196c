import type { List } from '../core/mapping.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { perPageMax } from '../plane/pages.ts'

/** Both lists and a page of projects: the estimate before anything was read. */
const usualCalls = 3

/**
 * The same reader, and how many calls a cycle costs in which nothing changes: one for each list that was read, since mappings come in one
 * answer, and one for each page of the projects that were found. Retries and second readings do not belong to it.
 */
export function withQuietCalls(read: Reader): { readonly read: Reader; quietCalls(): number } {
  const calls: Partial<Record<List | 'projects', number>> = {}
  return {
    quietCalls: () => Object.values(calls).reduce((sum, count) => sum + count, 0) || usualCalls,
    read: {
      ...read,
      async mappings(list, signal) {
        calls[list] = 1
        return read.mappings(list, signal)
      },
      async projects(signal) {
        const reading = await read.projects(signal)
        if (reading.status !== 'failed') calls.projects = Math.max(1, Math.ceil(reading.value.size / perPageMax))
        return reading
      },
    },
  }
}
