import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { folderWith } from './program.ts'
import { median, ms, type Row } from './row.ts'
import { type Size, writeFiles } from './scale/files.ts'
import type { ScaleRun } from './scale/run.ts'

const [many, fewer, each] = [10_000, 1_000, 10]
const goal = { cpuMs: 1, idleBytes: 10_240, growth: 1.05 }

/**
 * Measures the daemon with 10,000 workspaces and a key for each, in virtual time, against a service in memory; and with 100,000 mappings in one
 * workspace. Times are processor times of all threads, without the time that the service needed for its answers. Each run is a process of its own.
 */
export async function scaleRows(): Promise<readonly Row[]> {
  const small = await run({ workspaces: fewer, mappings: each }, 3, 'all')
  const large = await run({ workspaces: many, mappings: each }, 6, 'all')
  const [early, late] = [
    await run({ workspaces: 300, mappings: each }, 60, 'all'),
    await run({ workspaces: 300, mappings: each }, 120, 'all'),
  ]
  const creating = await run({ workspaces: fewer, mappings: each }, 2, 'none')
  const wide = await run({ workspaces: 1, mappings: 100_000 }, 5, 'all')

  const quietMs = median(large.cyclesMs.slice(1)) / many
  const idleBytes = (large.heapBytes - small.heapBytes) / (many - fewer)
  const changes = fewer * each
  const world = `${many} workspaces with a key and ${each} mappings each`
  return [
    measured(`quiet cycle, ${world}`, `${quietMs.toFixed(2)} ms of CPU a workspace`, `≤ ${goal.cpuMs} ms`, quietMs <= goal.cpuMs),
    {
      ...measured(
        `memory between cycles, a workspace`,
        `${kb(idleBytes)} (${mb(large.heapBytes)} in all)`,
        `≤ ${kb(goal.idleBytes)}`,
        idleBytes <= goal.idleBytes,
      ),
      against: `${fewer} of them: ${mb(small.heapBytes)}`,
    },
    {
      ...measured(
        'memory after 120 cycles, 300 workspaces',
        mb(late.heapBytes),
        `≤ ${goal.growth}`,
        late.heapBytes <= goal.growth * early.heapBytes,
      ),
      against: `after 60: ${mb(early.heapBytes)}`,
      ratio: late.heapBytes / early.heapBytes,
    },
    measured(`settings of ${many} workspaces and keys, read once`, seconds(large.settingsMs)),
    measured(`declaration of ${many * each} mappings, read once`, seconds(large.declarationMs)),
    measured(`first cycle of ${many} workspaces`, `${((large.cyclesMs[0] as number) / many).toFixed(2)} ms of CPU a workspace`),
    measured(
      `first cycle with ${changes} creates, ${fewer} keys`,
      `${((creating.cyclesMs[0] as number) / changes).toFixed(2)} ms of CPU and ${kb((creating.journalBytes - small.journalBytes) / changes)} of journal a change`,
    ),
    measured('quiet cycle, 100000 mappings in one workspace', seconds(median(wide.cyclesMs.slice(1)))),
    measured(`/metrics of ${many} workspaces`, `${mb(large.page.bytes)}, ${large.page.series} series, ${ms(large.page.ms)}`),
    measured(`journal of ${many} quiet workspaces`, mb(large.journalBytes)),
  ]
}

const measured = (measure: string, figure: string, goal = 'none', reached = true): Row => ({ measure, figure, against: '', goal, reached })

/** Runs the daemon in a process of its own, on generated files. */
async function run(size: Size, cycles: number, existing: 'all' | 'none'): Promise<ScaleRun> {
  await using folder = await folderWith({})
  await writeFiles(folder.path, size)
  const args = [folder.path, size.workspaces, size.mappings, cycles, existing].map(String)
  const said = execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'scale/run.ts'), ...args], { encoding: 'utf8' })
  return JSON.parse(said) as ScaleRun
}

const kb = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const seconds = (ofMs: number): string => `${(ofMs / 1_000).toFixed(1)} s of CPU`
