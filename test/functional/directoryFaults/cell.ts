import { openPlace, stateOf } from '../process/program.ts'
import { type Fault, faults, type Kind } from './faults.ts'
import type { FaultyDirectory } from './faultyDirectory.ts'
import { fileDirectory } from './fileDirectory.ts'
import { httpDirectory, httpKinds } from './httpDirectory.ts'
import { ldapDirectory } from './ldapDirectory.ts'
import type { Trial } from './lists.ts'
import { reportingPeak } from './peak.ts'
import { declaration, healthy, workspaces } from './teams.ts'

/** What came of a run of the program beside a faulty directory. */
export type Outcome = {
  readonly code: number | null
  /** All that it printed. */
  readonly text: string
  /** The report of the faulty directory. */
  readonly status: string
  readonly why: string
  readonly tookMs: number
  readonly state: readonly string[]
  /** The most memory that the process had. */
  readonly megabytes: number
  readonly outer: Pick<FaultyDirectory, 'address' | 'struck' | 'leaked'>
}

/** A short limit where nothing else ends the reading. It is long enough that the fault is reached on a busy machine, too. */
export const readingTimeoutMs = ({ endless }: Partial<Fault>): number => (endless ? 5_000 : 30_000)

const unlimited = { count: 1_000, share: '100%', minExisting: 1_000 }
const together = { raises: 1_000, lowers: 1_000, deletes: 1_000, creates: 1_000 }
/** No guard holds a change, so a wrong change would be written. */
const guards = { raises: unlimited, lowers: unlimited, deletes: unlimited, run: together, day: together }

/** Runs the program beside a directory of this kind with this fault. */
export async function runCell(kind: Kind, trial: Trial | undefined): Promise<Outcome> {
  const fault: Partial<Fault> = trial === undefined || trial === 'groupRemoved' ? {} : faults[trial]
  await using outer = await directoryOf(kind, trial)
  const limits = { readingTimeout: `${readingTimeoutMs(fault)}ms`, timeout: '10s' }
  const directory = {
    ...outer.settings,
    ...(kind === 'file' ? {} : limits),
    ...(fault.expects ? { expect: { atLeast: 12 } } : {}),
  }
  const settings = { policy: 'exclusive', guards, directories: { outer: directory } }
  await using place = await openPlace({ declaration, groups: healthy, workspaces, settings })
  const env = { OUTER_SECRET: outer.secret }
  await outer.prepare?.(place)
  if (fault.knownBefore) {
    await place.settings({ policy: 'observe' })
    const { code, out, err } = await place.run(['apply', '--yes'], { env })
    if (code !== 0) throw new Error(`the directory was not read before the fault:\n${out}${err}`)
    await place.settings({})
  }
  await outer.strike(place)
  const { code, out, err } = await place.run(['apply', '--yes', '--format', 'json'], { env: { ...env, ...reportingPeak } })
  const megabytes = Number(await place.read('peak').catch(() => Number.NaN)) / 1_000
  return { code, text: out + err, ...reportIn(out), state: stateOf(place.sandbox), megabytes, outer }
}

function directoryOf(kind: Kind, trial: Trial | undefined): Promise<FaultyDirectory> {
  if (kind === 'ldap') return ldapDirectory(trial)
  return kind === 'file' ? fileDirectory(trial) : httpDirectory(httpKinds[kind], trial)
}

type Report = { readonly name: string; readonly status: string; readonly why?: string; readonly tookMs: number }

function reportIn(out: string): Pick<Outcome, 'status' | 'why' | 'tookMs'> {
  const planned = out.startsWith('{')
    ? (JSON.parse(out) as { readonly workspaces: readonly { readonly directories?: readonly Report[] }[] })
    : undefined
  const found = planned?.workspaces.flatMap(({ directories = [] }) => directories).find(({ name }) => name === 'outer')
  return { status: found?.status ?? 'unread', why: found?.why ?? '', tookMs: found?.tookMs ?? Number.NaN }
}
