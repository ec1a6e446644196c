import { setImmediate } from 'node:timers/promises'
import { type Clock, steppedMs } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import type { DeclarationFiles } from '../declaration/files.ts'
import { writeErrnoText } from '../files/errno.ts'
import type { Disk } from '../journal/disk.ts'
import {
  dropLastDeclaration,
  keepLastDeclaration,
  type LastDeclaration,
  lastDeclarationFile,
  readLastDeclaration,
} from '../journal/lastDeclaration.ts'
import type { LineSink } from '../log/line.ts'
import {
  type AroundInvalid,
  declaredAround,
  declaredFromKept,
  type KeepDeclaration,
  type LastValid,
  type RestoreDeclaration,
} from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'

/** The last valid declaration, kept beside the journal for a start at which the declaration is invalid. */
export type KeptDeclarations = {
  /** Never throws: a declaration that cannot be kept is used all the same, and the log says so. */
  readonly kept: KeepDeclaration
  /** The kept declaration; undefined if there is none, or if these settings do not allow it. If they do not, the log says why. */
  readonly restore: RestoreDeclaration
}

type KeptOptions = {
  readonly folder: string
  readonly disk: Disk
  /** Whether the journal is certainly still ours. */
  readonly isOurs: () => boolean
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly log: Pick<LineSink, 'info' | 'warn'>
  /** Hides every secret that was read so far in a text. */
  readonly scrub: (text: string) => string
}

/** Undefined without a journal: then there is no place for it. */
export const keptDeclarationsOf = (
  { settings, path }: LoadedSettings,
  options: Omit<KeptOptions, 'folder'>,
): KeptDeclarations | undefined =>
  settings.journal === 'none' ? undefined : openKeptDeclarations({ ...options, folder: path(settings.journal.folder) })

/** The file of an unchanged declaration is written again after this time, so that it says until when the declaration was valid. */
const refreshMs = 3_600_000

function openKeptDeclarations({ folder, disk, isOurs, clock, log, scrub }: KeptOptions): KeptDeclarations {
  const place = lastDeclarationFile(folder)
  let kept: { readonly hash: string; readonly atMs: number } | undefined
  let loggedWhy = ''

  /** Logs a reason once. While the reason stays the same, it is not logged again. */
  const say = (why: string, message: string): undefined => {
    if (why !== loggedWhy) log.warn({ event: 'declaration', why }, message)
    loggedWhy = why
  }

  /**
   * After a restart the program must not use an older declaration than now. So if the declaration in use cannot be kept, the kept older one is
   * deleted.
   */
  async function drop(why: string): Promise<void> {
    kept = undefined
    named = []
    const dropped = await dropLastDeclaration(folder, disk).then(
      () => 'After a restart with an invalid declaration nothing would be written',
      (error: unknown) => `The older one in ${place} could not be deleted either (${writeErrnoText(error)})`,
    )
    say(why, `the declaration is valid, but it is not kept for a restart: ${visible(why)}. ${dropped}`)
  }

  let named: readonly string[] | undefined
  async function names(): Promise<readonly string[]> {
    const last = named === undefined ? await readLastDeclaration(folder) : undefined
    if (typeof last === 'object') named = last.files.map(({ file }) => file)
    return named ?? []
  }

  async function keptHash(): Promise<string | undefined> {
    const last = await readLastDeclaration(folder)
    return typeof last === 'object' ? last.hash : undefined
  }

  async function keep({ files, hash }: DeclarationFiles): Promise<void> {
    const atMs = clock.now()
    if (!isOurs()) return
    const isSame = kept?.hash === hash
    if (kept !== undefined && isSame && atMs - kept.atMs < refreshMs) return
    try {
      const why =
        (isSame ? undefined : await secretIn(files, scrub)) ??
        (await keepLastDeclaration(folder, { lastValidMs: clock.wall(), hash, files }, disk))
      if (why !== undefined) return await drop(why)
      kept = { hash, atMs }
      named = files.map(({ file }) => file)
      if (loggedWhy !== '')
        log.info({ event: 'declaration', inUse: hash }, `${place}: the declaration in use is kept here again for a restart`)
      loggedWhy = ''
    } catch (error) {
      // If this declaration is kept already, only its time is older.
      if (isSame || (await keptHash()) === hash)
        return say(
          writeErrnoText(error),
          `${place} could not be written (${writeErrnoText(error)}); the declaration in it is the one in use, but the file still says that it was last valid at an earlier time`,
        )
      await drop(`${place} cannot be written (${writeErrnoText(error)})`)
    }
  }

  async function restore(loaded: LoadedSettings, signal: AbortSignal): Promise<LastValid | undefined> {
    const last = await readLastDeclaration(folder, signal)
    if (last === undefined) return undefined
    const unused = (why: string): undefined =>
      say(why, `the last valid declaration is kept in ${place}, but it cannot be used: ${visible(why)}`)
    if (typeof last === 'string') return unused(last)
    const around = await declaredAround(loaded, last, clock.wall(), signal)
    if (around !== undefined) return await partly(around, last)
    const declared = await declaredFromKept(loaded, last, clock.wall(), signal)
    if (typeof declared === 'string') return unused(declared)
    loggedWhy = ''
    // The file has a date, since the next process does not know the steady clock of this one.
    return { declared, lastValid: { steadyMs: last.lastValidMs - steppedMs(clock), wallMs: last.lastValidMs } }
  }

  /** The present declaration, with the kept text of some files. It is kept with the times at which these were valid. */
  async function partly({ declared, files, used }: AroundInvalid, last: LastDeclaration): Promise<LastValid> {
    const times = new Map(last.files.map(({ file, validMs = last.lastValidMs }) => [file, validMs]))
    const invalid = new Set(files.map(({ file }) => file))
    const dated = used.files.map((one) => (invalid.has(one.file) ? { ...one, validMs: times.get(one.file) ?? last.lastValidMs } : one))
    const isKept =
      isOurs() &&
      (await secretIn(used.files, scrub)) === undefined &&
      (await keepLastDeclaration(folder, { lastValidMs: clock.wall(), hash: used.hash, files: dated }, disk).then(
        (why) => why === undefined,
        () => false,
      ))
    if (isKept) {
      kept = { hash: used.hash, atMs: clock.now() }
      named = used.files.map(({ file }) => file)
    }
    const oldestMs = files.reduce((sofar, { file }) => Math.min(sofar, times.get(file) ?? last.lastValidMs), clock.wall())
    return {
      declared: { ...declared, keptFiles: files },
      lastValid: { steadyMs: oldestMs - steppedMs(clock), wallMs: oldestMs },
    }
  }

  return { kept: { keep, names }, restore }
}

/** Secrets belong in no declaration, but a comment may have one. */
async function secretIn(files: DeclarationFiles['files'], scrub: (text: string) => string): Promise<string | undefined> {
  for (const { file, bytes } of files) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    if (scrub(text) !== text || withoutSecretForms(text) !== text)
      return `${file} contains a secret, or a text that looks like one. Remove it`
    // One MiB takes a tenth of a second, so other work gets its turn between two files.
    await setImmediate()
  }
  return undefined
}
