import { isDeepStrictEqual } from 'node:util'
import { recordedSources } from '../compose/recordedSources.ts'
import { clocksAgreeMs } from '../core/dates.ts'
import { OperationalError } from '../core/operationalError.ts'
import { durationText, momentText } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { Waiver } from '../core/waiver.ts'
import type { Recording } from '../recording/recording.ts'
import { recordingBytesMax, recordingFrom } from '../recording/stored.ts'
import type { RecordedView } from '../render/view.ts'
import { openDeclared } from '../settings/declared.ts'
import { loadSettings } from '../settings/load.ts'
import { durationMs } from '../settings/patterns/time.ts'
import { recordedSettings } from '../settings/recordedSettings.ts'
import { openParsing } from '../yaml/parse.ts'
import { type Call, type Terminal, text, UsageError } from './command.ts'
import { inputName, readInput } from './input.ts'
import type { DryParts } from './planOnly.ts'
import { InvalidSettings, settingsFile } from './settings.ts'

/** `place`: the declaration. `nowMs`: the present moment by the clock of the recording, for ages. */
type OpenRecorded = {
  readonly recording: Recording
  readonly place: string
  readonly nowMs: number
  readonly view: RecordedView
  /** What plans of a declaration are made from. */
  partsOf(place: string): DryParts
}

const maxAgeUsually = '24h'

/**
 * Opens a recording in place of Plane, the directories, the journal and the settings that decide. Of the settings file only the place of the declaration counts.
 * No secret is read, and nothing is asked over the network.
 *
 * @param dateMs the present moment, epoch ms. `--at` names another one for the plans
 * @throws {UsageError} if the file is no recording, or older than `--recorded-max-age`; {InvalidSettings}
 */
export async function openRecorded(
  file: string,
  values: Call['values'],
  terminal: Terminal,
  waivers: readonly Waiver[],
  dateMs: number,
  signal: AbortSignal,
): Promise<OpenRecorded> {
  const recording = await readRecording(file, terminal, signal)
  requireFresh(recording, file, text(values['recorded-max-age']) ?? maxAgeUsually, dateMs)
  const loaded = await settingsHere(values, terminal, recording, signal).catch((error: unknown) => {
    if (error instanceof InvalidSettings && values.declaration !== undefined) return undefined
    throw error
  })
  const place = text(values.declaration) ?? (loaded?.valid === true ? loaded.path(loaded.settings.declaration) : undefined)
  if (place === undefined) throw loaded === undefined || loaded.valid ? noDeclaration() : new InvalidSettings(loaded)
  const { steadyMs, takenMs, readMs, memory, settings } = recording
  const planMs = momentNamed(text(values.at)) ?? dateMs
  const wall = () => planMs
  const parse = openParsing()
  return {
    recording,
    place,
    nowMs: steadyMs + dateMs - takenMs,
    view: {
      takenMs: readMs,
      ageMs: Math.max(0, dateMs - readMs),
      ...(planMs === dateMs ? {} : { planMs }),
      differs: loaded === undefined ? [] : loaded.valid ? differences(recordedSettings(loaded), settings) : 'invalid',
    },
    partsOf: (declaration) => ({
      sources: recordedSources(recording, openDeclared(declaration, settings, wall, { env: terminal.env, parse }), waivers, wall),
      memory,
      // What waits for a time, waits as it did when the recording was made. Dates are compared with the date of the plan.
      clock: { now: () => steadyMs, wall },
      unknownOutcomeWaitMs: settings.service.unknownOutcomeWait,
      isBesideDaemon: false,
    }),
  }
}

const noDeclaration = (): UsageError =>
  new UsageError('nothing says where the declaration is', { cure: 'name its file or folder with --declaration' })

/** @throws {UsageError} */
export function momentNamed(at: string | undefined): number | undefined {
  if (at === undefined) return undefined
  const ms = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.test(at) ? Date.parse(at) : Number.NaN
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(at.slice(0, 10)))
    throw new UsageError(`--at takes a day or a moment in UTC, as 2027-01-31 or 2027-01-31T08:00Z, not "${visible(at)}"`)
  return ms
}

async function readRecording(file: string, terminal: Terminal, signal: AbortSignal): Promise<Recording> {
  const read = await readInput(file, recordingBytesMax, terminal, signal)
  const name = visible(inputName(file))
  if ('why' in read) throw new UsageError(`${name}: ${read.why}`, { cure: 'name a recording, as record --out FILE saves it' })
  const parsed = recordingFrom(read.bytes.toString())
  if (parsed.kind === 'recording') return parsed.recording
  throw new UsageError(`${name} is no recording: ${parsed.why}`, {
    cure: 'make one with record --out FILE, with this version of the program',
  })
}

function requireFresh({ readMs }: Recording, file: string, maxAge: string, dateMs: number): void {
  const maxMs = durationMs(maxAge)
  if (maxMs === undefined || maxMs === 0)
    throw new UsageError(`--recorded-max-age takes a duration, as 24h or 7d, not "${visible(maxAge)}"`)
  const ageMs = dateMs - readMs
  if (!(ageMs > -clocksAgreeMs))
    throw new OperationalError(
      'RecordingFromFuture',
      `${visible(inputName(file))}: this recording is from the future, ${momentText(readMs)}`,
      {
        cure: 'set the clock of this machine, or of the one that made it',
      },
    )
  if (ageMs <= maxMs) return
  throw new RecordingTooOld(visible(inputName(file)), ageMs, maxMs)
}

/** Plane and the directories may have changed much since. Exit code 1. */
class RecordingTooOld extends OperationalError {
  constructor(name: string, ageMs: number, maxMs: number) {
    super('RecordingTooOld', `${name}: this recording is ${durationText(ageMs)} old, and at most ${durationText(maxMs)} are allowed`, {
      cure: 'make a new one with record --out FILE, or allow more with --recorded-max-age',
    })
  }
}

/** The settings of this folder. What they lack without the environment comes from the recording, so that they are valid without it. */
async function settingsHere(
  values: Call['values'],
  terminal: Terminal,
  { settings: { service, workspaces } }: Recording,
  signal: AbortSignal,
): ReturnType<typeof loadSettings> {
  const [only, ...others] = Object.entries(workspaces)
  const slug = only === undefined || others.length > 0 ? undefined : (only[1].slug ?? only[0])
  const env = { PLANE_BASE_URL: service.baseUrl, PLANE_API_KEY: '', ...(slug === undefined ? {} : { PLANE_WORKSPACE_SLUG: slug }) }
  return loadSettings(await settingsFile(values, terminal), env, undefined, signal)
}

const shownMax = 10

/** The paths of settings that have another value: `guards.deletes.count`. */
function differences(here: unknown, recorded: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(here, recorded)) return []
  if (!isRecord(here) || !isRecord(recorded)) return [path]
  const names = [...new Set([...Object.keys(here), ...Object.keys(recorded)])].toSorted()
  const all = names.flatMap((name) => differences(here[name], recorded[name], path === '' ? name : `${path}.${name}`))
  return path === '' && all.length > shownMax ? [...all.slice(0, shownMax), `${all.length - shownMax} more`] : all
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
