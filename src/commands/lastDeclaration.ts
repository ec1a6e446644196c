import { momentOfDate } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
import { allValidMs, type KeptFiles, lastDeclarationFile, readKeptFiles } from '../journal/keptFiles.ts'
import {
  type AroundInvalid,
  declaredAround,
  declaredFromKept,
  isFencedBy,
  type KeepDeclaration,
  type LastValid,
  type RestoreDeclaration,
} from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type KeepingParts, keptWords, openKeeping } from './keepValid.ts'

/** The last valid declaration, kept beside the journal for a start at which the declaration is invalid. */
export type KeptDeclarations = {
  /** Never throws: a declaration that cannot be kept is used all the same, and the log says so. */
  readonly kept: KeepDeclaration
  /** The kept declaration; undefined if there is none, or if these settings do not allow it. If they do not, the log says why. */
  readonly restore: RestoreDeclaration
}

/** Undefined without a journal: then there is no place for it. */
export const keptDeclarationsOf = ({ settings, path }: LoadedSettings, parts: KeepingParts): KeptDeclarations | undefined =>
  settings.journal === 'none' ? undefined : openKeptDeclarations(lastDeclarationFile(path(settings.journal.folder)), parts)

function openKeptDeclarations(place: string, parts: KeepingParts): KeptDeclarations {
  const { keep, keepDated, names, warn } = openKeeping(place, keptWords.declaration, parts)
  const { clock } = parts

  async function restore(loaded: LoadedSettings, signal: AbortSignal): Promise<LastValid | undefined> {
    const last = await readKeptFiles(place, signal)
    if (last === undefined) return undefined
    const unused = (why: string): undefined =>
      warn(why, `the last valid declaration is kept in ${place}, but it cannot be used: ${visible(why)}`)
    if (typeof last === 'string') return unused(last)
    const around = await declaredAround(loaded, last, clock.wall(), signal)
    if (around !== undefined) return await partly(around, last, isFencedBy(loaded))
    const declared = await declaredFromKept(loaded, last, clock.wall(), signal)
    if (typeof declared === 'string') return unused(declared)
    warn('', '')
    return { declared, lastValid: momentOfDate(clock, allValidMs(last)) }
  }

  /** The present declaration, with the kept text of some files. It is kept with the times at which these were valid. */
  async function partly(
    { declared, files, used }: AroundInvalid,
    last: KeptFiles,
    isFenced: (file: string) => boolean,
  ): Promise<LastValid> {
    const times = new Map(last.files.map(({ file, validMs = last.lastValidMs }) => [file, validMs]))
    const invalid = new Set(files.map(({ file }) => file))
    const dated = used.files.map((one) => (invalid.has(one.file) ? { ...one, validMs: times.get(one.file) ?? last.lastValidMs } : one))
    await keepDated({ ...used, files: dated }, isFenced)
    const oldestMs = files.reduce((sofar, { file }) => Math.min(sofar, times.get(file) ?? last.lastValidMs), clock.wall())
    return { declared: { ...declared, keptFiles: files }, lastValid: momentOfDate(clock, oldestMs) }
  }

  return { kept: { keep, names }, restore }
}
