import { type GroupIndex, groupCount, indexSize } from '../core/group.ts'
import { baselineOf } from '../core/memory/baselines.ts'
import type { Memory } from '../core/memory/memory.ts'
import { looksExchanged } from '../core/memory/sharedNames.ts'
import type { Reading } from '../core/reading.ts'
import type { DirectoryReport } from '../core/report.ts'
import { checkDirectory, type DirectoryChecks } from './checkDirectory.ts'
import type { ReadMembers } from './readPeople.ts'

export type Directory = DirectoryChecks & {
  readonly kind: string
  read(signal: AbortSignal): Promise<Reading<GroupIndex>>
  /** Absent if the directory is not asked who the members of groups are. */
  readonly members?: ReadMembers
}

/** The readings of one cycle. A directory is read once, when it is first asked for. */
type DirectoryReadings = {
  of(names: readonly string[]): Promise<ReadonlyMap<string, Reading<GroupIndex>>>
  /** The directories that were asked for, in the order of the settings. */
  report(): Promise<readonly DirectoryReport[]>
}

type Seen = { readonly reading: Reading<GroupIndex>; readonly stopped: boolean }

/** @param storeSize stores the size of an accepted reading; absent in a dry run */
export function openDirectoryReadings(
  directories: ReadonlyMap<string, Directory>,
  memory: () => Memory,
  storeSize: ((of: string, size: number) => Promise<void>) | undefined,
  signal: AbortSignal,
): DirectoryReadings {
  const begun = new Map<string, Promise<Seen>>()

  async function read(name: string, directory: Directory): Promise<Seen> {
    const first = await directory.read(signal)
    // If two groups exchanged their names meanwhile, a second reading has both names.
    const isDoubtful = first.status === 'complete' && looksExchanged(name, first.value, memory())
    const answer = isDoubtful ? await directory.read(signal) : first
    const reading = checkDirectory(name, answer, directory, memory())
    const size = reading.status === 'complete' ? indexSize(reading.value) : undefined
    if (size !== undefined && size !== baselineOf(memory(), name)) await storeSize?.(name, size)
    return { reading, stopped: signal.aborted && answer.status !== 'complete' }
  }

  function begin(name: string, directory: Directory): Promise<Seen> {
    const reading = begun.get(name) ?? read(name, directory)
    begun.set(name, reading)
    return reading
  }

  return {
    async of(names) {
      const asked = [...directories].filter(([name]) => names.includes(name))
      return new Map(await Promise.all(asked.map(async ([name, directory]) => [name, (await begin(name, directory)).reading] as const)))
    },
    report() {
      const asked = [...directories].flatMap(([name, { kind }]) => {
        const reading = begun.get(name)
        return reading === undefined ? [] : [reading.then((seen) => directoryReport(name, kind, seen))]
      })
      return Promise.all(asked)
    },
  }
}

function directoryReport(name: string, kind: string, { reading, stopped }: Seen): DirectoryReport {
  const { status, atMs, tookMs } = reading
  // `stopped`: the reading is incomplete because the program was asked to stop.
  const base = { name, kind, status, atMs, tookMs, ...(stopped ? { stopped: true as const } : {}) }
  switch (reading.status) {
    case 'complete':
      return { ...base, groups: groupCount(reading.value) }
    case 'partial':
      return { ...base, groups: groupCount(reading.value), why: reading.missing }
    case 'failed':
      return { ...base, groups: 0, why: reading.cure === undefined ? reading.why : `${reading.why}: ${reading.cure}` }
    default:
      return reading satisfies never
  }
}

/**
 * Collects the items (workspaces) that ask the same directories into one list each. A name may contain blanks and commas, so the names are not
 * joined.
 */
export const byDirectories = <T extends { readonly directories: readonly string[] }>(items: readonly T[]): readonly (readonly T[])[] => [
  ...Map.groupBy(items, ({ directories }) => JSON.stringify(directories)).values(),
]
