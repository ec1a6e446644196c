import type { List } from '../core/mapping.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { perPageMax } from '../plane/pages.ts'

/** The estimate before anything was read: both lists and one page of projects. */
const usualCalls = 3

/**
 * The same reader, and `quietCalls`: the calls of a cycle without changes. They are one for each list that was read, since mappings come in
 * one answer, and one for each page of the projects that were found. Retries and second readings do not count. `callsById`: for how many mappings the
 * last cycle asked by id.
 */
export function withQuietCalls(read: Reader): { readonly read: Reader; quietCalls(): number; callsById(): number } {
  const calls: Partial<Record<List | 'projects', number>> = {}
  const byId: Partial<Record<List, number>> = {}
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, count) => total + count, 0)
  return {
    callsById: () => sum(byId),
    quietCalls: () => sum(calls) || usualCalls,
    read: {
      ...read,
      async mappings(list, signal) {
        calls[list] = 1
        byId[list] = 0
        return read.mappings(list, signal)
      },
      async mapping(list, id, signal) {
        byId[list] = (byId[list] ?? 0) + 1
        return read.mapping(list, id, signal)
      },
      async projects(signal) {
        const reading = await read.projects(signal)
        if (reading.status !== 'failed') calls.projects = Math.max(1, Math.ceil(reading.value.size / perPageMax))
        return reading
      },
    },
  }
}
