import { type Clock, steppedMs } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
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
  isFencedBy,
  type KeepDeclaration,
  type LastValid,
  type RestoreDeclaration,
} from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type FoundSecrets, findSecrets, secretText, withoutFiles } from './declarationSecrets.ts'

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
  let kept: { readonly hash: string; readonly atMs: number; readonly secret: FoundSecrets } | undefined
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
    if (typeof last === 'object') named = namesIn(last)
    return named ?? []
  }

  async function keptHash(): Promise<string | undefined> {
    const last = await readLastDeclaration(folder)
    return typeof last === 'object' ? last.hash : undefined
  }

  async function keep(declared: DeclarationFiles, isFenced: (file: string) => boolean): Promise<void> {
    const atMs = clock.now()
    if (!isOurs()) return
    const isSame = kept?.hash === declared.hash
    if (kept !== undefined && isSame && atMs - kept.atMs < refreshMs) return
    const secret = kept !== undefined && isSame ? kept.secret : await findSecrets(declared.files, scrub, isFenced)
    if (secret.why !== undefined) return await drop(secret.why)
    const toKeep = withoutFiles(declared, secret.fenced)
    try {
      const why = await keepLastDeclaration(folder, { ...toKeep, lastValidMs: clock.wall() }, disk)
      if (why !== undefined) return await drop(why)
      kept = { hash: declared.hash, atMs, secret }
      named = namesIn(toKeep)
      if (secret.fenced.length > 0) return sayWithheld(secret.fenced)
      if (loggedWhy !== '')
        log.info({ event: 'declaration', inUse: declared.hash }, `${place}: the declaration in use is kept here again for a restart`)
      loggedWhy = ''
    } catch (error) {
      // If this declaration is kept already, only its time is older.
      if (isSame || (await keptHash()) === toKeep.hash)
        return say(
          writeErrnoText(error),
          `${place} could not be written (${writeErrnoText(error)}); the declaration in it is the one in use, but the file still says that it was last valid at an earlier time`,
        )
      await drop(`${place} cannot be written (${writeErrnoText(error)})`)
    }
  }

  const sayWithheld = (files: readonly string[]) =>
    say(
      `secret in ${files.join(', ')}`,
      `the declaration is valid, but not all of it is kept for a restart: ${files.map((file) => visible(secretText(file))).join('. ')}. If it is invalid later, nothing of it is used`,
    )

  async function restore(loaded: LoadedSettings, signal: AbortSignal): Promise<LastValid | undefined> {
    const last = await readLastDeclaration(folder, signal)
    if (last === undefined) return undefined
    const unused = (why: string): undefined =>
      say(why, `the last valid declaration is kept in ${place}, but it cannot be used: ${visible(why)}`)
    if (typeof last === 'string') return unused(last)
    const around = await declaredAround(loaded, last, clock.wall(), signal)
    if (around !== undefined) return await partly(around, last, isFencedBy(loaded))
    const declared = await declaredFromKept(loaded, last, clock.wall(), signal)
    if (typeof declared === 'string') return unused(declared)
    loggedWhy = ''
    // The file has a date, since the next process does not know the steady clock of this one.
    return { declared, lastValid: { steadyMs: last.lastValidMs - steppedMs(clock), wallMs: last.lastValidMs } }
  }

  /** The present declaration, with the kept text of some files. It is kept with the times at which these were valid. */
  async function partly(
    { declared, files, used }: AroundInvalid,
    last: LastDeclaration,
    isFenced: (file: string) => boolean,
  ): Promise<LastValid> {
    const times = new Map(last.files.map(({ file, validMs = last.lastValidMs }) => [file, validMs]))
    const invalid = new Set(files.map(({ file }) => file))
    const dated = used.files.map((one) => (invalid.has(one.file) ? { ...one, validMs: times.get(one.file) ?? last.lastValidMs } : one))
    const secret = await findSecrets(used.files, scrub, isFenced)
    const toKeep = withoutFiles({ ...used, files: dated }, secret.fenced)
    const isKept =
      isOurs() &&
      secret.why === undefined &&
      (await keepLastDeclaration(folder, { ...toKeep, lastValidMs: clock.wall() }, disk).then(
        (why) => why === undefined,
        () => false,
      ))
    if (isKept) {
      kept = { hash: used.hash, atMs: clock.now(), secret }
      named = namesIn(toKeep)
    }
    const oldestMs = files.reduce((sofar, { file }) => Math.min(sofar, times.get(file) ?? last.lastValidMs), clock.wall())
    return {
      declared: { ...declared, keptFiles: files },
      lastValid: { steadyMs: oldestMs - steppedMs(clock), wallMs: oldestMs },
    }
  }

  return { kept: { keep, names }, restore }
}

const namesIn = ({ files, withheld = [] }: Pick<LastDeclaration, 'files' | 'withheld'>): readonly string[] =>
  files.map(({ file }) => file).concat(withheld)
