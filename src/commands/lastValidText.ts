import type { Clock, Moment } from '../core/clock.ts'
import { grantsKeptMs, isOutdated } from '../core/judge/gate.ts'
import { momentText } from '../core/quantity.ts'
import { lastDeclarationFile, readKeptFiles } from '../journal/keptFiles.ts'
import { keptFilesText } from '../render/keptFiles.ts'
import { declaredAround, declaredFromKept, InvalidDeclaration } from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'

/**
 * Returns a function that throws the error of a cycle again. The error of an invalid declaration then also says what a daemon uses meanwhile: the last
 * valid version of all files, or of the invalid ones inside fences.
 */
export const rethrowWithLastValid =
  (loaded: LoadedSettings, clock: Pick<Clock, 'wall'>, signal: AbortSignal) =>
  async (error: unknown): Promise<never> => {
    throw error instanceof InvalidDeclaration ? await withLastValid(error, loaded, clock.wall(), signal) : error
  }

async function withLastValid(
  error: InvalidDeclaration,
  loaded: LoadedSettings,
  dateMs: number,
  signal: AbortSignal,
): Promise<InvalidDeclaration> {
  const used = await usedMeanwhile(loaded, dateMs, signal)
  if (used === undefined) return error
  const text = `${error.files.text.trimEnd()}\n\nUntil this is corrected, plane-group-sync run uses ${used}\n`
  return new InvalidDeclaration({ ...error.files, text }, loaded.path(loaded.settings.declaration))
}

async function usedMeanwhile(loaded: LoadedSettings, dateMs: number, signal: AbortSignal): Promise<string | undefined> {
  const { settings, path } = loaded
  const last = settings.journal === 'none' ? undefined : await readKeptFiles(lastDeclarationFile(path(settings.journal.folder)), signal)
  if (last === undefined || typeof last === 'string') return undefined
  const around = await declaredAround(loaded, last, dateMs, signal)
  if (around !== undefined) {
    const { files } = around
    if (files.length === 0) return 'the present files; the mappings in dispute stay as they are.'
    const times = new Map(last.files.map(({ file, validMs }) => [file, validMs]))
    const oldestMs = files.reduce((sofar, { file }) => Math.min(sofar, times.get(file) ?? last.lastValidMs), last.lastValidMs)
    const text = `the last valid text of ${keptFilesText(files)}, of ${momentText(oldestMs)}, and all other files as they are now.`
    return `${text} ${grantsText('grants of these files', oldestMs, dateMs)}`
  }
  if (typeof (await declaredFromKept(loaded, last, dateMs, signal)) === 'string') return undefined
  return `the last valid version (${last.hash.slice(0, 8)}, of ${momentText(last.lastValidMs)}). ${grantsText('grants', last.lastValidMs, dateMs)}`
}

function grantsText(which: string, validMs: number, dateMs: number): string {
  const byDate = (ms: number): Moment => ({ steadyMs: ms, wallMs: ms })
  return isOutdated(byDate(validMs), byDate(dateMs))
    ? `It is too old to grant anything, so ${which} wait.`
    : `After ${grantsKeptMs / 3_600_000} hours, ${which} wait.`
}
