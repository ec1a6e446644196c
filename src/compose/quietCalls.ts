import type { List } from '../core/mapping.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { perPageMax } from '../plane/pages.ts'

/** Both lists and a page of projects: before anything was read. */
const usualCalls = 3

/** The same reader, and how many calls its last look at everything took: that is what a cycle costs in which nothing changes. */
export function countingCalls(read: Reader): { readonly read: Reader; quietCalls(): number } {
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
