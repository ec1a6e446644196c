import type { SteadyClock } from '../core/clock.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { openMarks } from '../settings/fileMarks.ts'
import type { LoadedSettings } from '../settings/load.ts'

/** Notices that a person or a program edited the files that the daemon works with. */
export type Edits = {
  /**
   * To be called before a cycle reads the files. As they are now, they start no further cycle.
   *
   * @param refresh reads the settings again; they say where the other files are. It calls its argument before it reads the secrets of edited settings
   */
  begin(refresh: (beforeSecrets: (edited: LoadedSettings) => Promise<void>) => Promise<void>, how: Begin): Promise<void>
  /**
   * The names of what was edited since `begin`, such as `declaration`. A file that differs from the last look may not be written completely yet, so it
   * counts from the next look on. A secret counts only if the last cycle failed with it, because after a rotation the old one usually works for a while, or
   * if settings that are not used yet name it.
   */
  look(last: CycleReport | undefined, signal: AbortSignal): Promise<readonly string[]>
}

/**
 * `isOrder`: the cycle is that of an order. It may be about some workspaces only, so it uses up no edit: what it reads otherwise than the last cycle counts
 * as edited until a cycle begins, even if the files become as they were before.
 */
type Begin = { readonly isOrder?: boolean; readonly signal: AbortSignal }

/** What is looked at → a text that changes with its files. */
type FileStates = ReadonlyMap<string, string>

/** @param loaded returns the settings in use */
export function openEdits(loaded: () => LoadedSettings): Edits {
  const marks = openMarks()
  let known: FileStates = new Map()
  let before: FileStates = new Map()
  let begun = 0
  /** The edited settings that are not used. */
  let refused: LoadedSettings | undefined

  const others = async (only: ReadonlySet<string> | undefined, signal: AbortSignal): Promise<FileStates> =>
    new Map([['declaration', await marks.declaration(loaded(), signal)], ...(await marks.secrets(loaded(), only))])
  const secretsOfEdited = async (edited: LoadedSettings): Promise<FileStates> =>
    new Map([...(await marks.secrets(edited))].map(([name, mark]) => [`${name} of the edited settings`, mark]))

  return {
    async begin(refresh, { isOrder = false, signal }) {
      begun++
      const settings = await marks.settings(loaded(), signal)
      let edited: { readonly settings: LoadedSettings; readonly secrets: FileStates } | undefined
      await refresh(async (newSettings) => {
        edited = { settings: newSettings, secrets: await secretsOfEdited(newSettings) }
      })
      refused = edited?.settings === loaded() ? undefined : edited?.settings
      const read = new Map([['settings', settings], ...(await others(undefined, signal)), ...(edited?.secrets ?? [])])
      known = isOrder ? new Map([...read].filter(([name, mark]) => known.get(name) === mark)) : read
      before = read
    },
    async look(last, signal) {
      const cycle = begun
      const settings = await marks.settings(loaded(), signal)
      const unused = refused === undefined ? [] : await secretsOfEdited(refused)
      const now = new Map([['settings', settings], ...(await others(failedIn(last), signal)), ...unused])
      // A cycle began meanwhile, and it reads the files itself.
      if (cycle !== begun) return []
      const edited = [...now].filter(([name, mark]) => mark !== known.get(name) && mark === before.get(name))
      before = new Map([...before, ...now])
      return edited.map(([name]) => name)
    },
  }
}

/** The credentials and directories with which something failed in a cycle, as the marks of secrets name them. */
function failedIn(last: CycleReport | undefined): ReadonlySet<string> {
  if (last === undefined) return new Set()
  const credentials = last.workspaces
    .filter((workspace) => workspace.kind === 'failed' || (workspace.kind === 'judged' && workspace.applied?.stopped === 'credential'))
    .map(({ about: { credential } }) => `credential ${credential}`)
  return new Set([...credentials, ...last.directories.filter(({ status }) => status === 'failed').map(({ name }) => `directory ${name}`)])
}

type Watch = {
  readonly clock: SteadyClock
  /** Returns the names of what was edited and is written completely. */
  readonly look: (signal: AbortSignal) => Promise<readonly string[]>
  /** Starts a cycle because of an edit. */
  readonly onEdited: (names: readonly string[]) => void
}

/** The pause between two looks. The kubelet needs up to a minute to bring an edit, so a shorter one would hardly be noticed. */
const pauseMs = 2_000
/** A look at many files, or with a small share of a processor, takes long. The pause after it is at least so many times as long. */
const pausesPerLook = 50
/** Edits start cycles at most so often. The cycles of the schedule come besides. */
const cyclesEveryMs = 60_000

/** Looks at files until `signal` fires. It never throws: an edit that is not seen is used by the next cycle of the schedule. */
export async function watchFiles({ clock, look, onEdited }: Watch, signal: AbortSignal): Promise<void> {
  let nextCycleMs = Number.NEGATIVE_INFINITY
  let tookMs = 0
  for (;;) {
    await clock.sleep(Math.max(pauseMs, pausesPerLook * tookMs), signal).catch(() => undefined)
    if (signal.aborted) return
    const beganMs = clock.now()
    const edited = await look(signal).catch((): readonly string[] => [])
    tookMs = clock.now() - beganMs
    if (edited.length === 0 || clock.now() < nextCycleMs) continue
    nextCycleMs = clock.now() + cyclesEveryMs
    onEdited(edited)
  }
}
