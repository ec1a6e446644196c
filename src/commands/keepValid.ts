import type { Clock } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
import type { DeclarationFiles } from '../declaration/files.ts'
import { writeErrnoText } from '../files/errno.ts'
import type { Disk } from '../journal/disk.ts'
import { dropKeptFiles, type KeptFiles, keepFiles, readKeptFiles } from '../journal/keptFiles.ts'
import type { LineSink } from '../log/line.ts'
import { type FoundSecrets, findSecrets, secretText, withoutFiles } from './declarationSecrets.ts'

/** How the last valid version is kept, and where its warnings go. */
export type KeepingParts = {
  readonly disk: Disk
  /** Whether the journal is certainly still ours. */
  readonly isOurs: () => boolean
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly log: Pick<LineSink, 'info' | 'warn'>
  /** Hides every secret that was read so far in a text. */
  readonly scrub: (text: string) => string
}

/** The words about what is kept: the declaration or the settings. */
type Kept = {
  readonly event: 'declaration' | 'settings'
  /** `the declaration is valid, but it is` */
  readonly valid: string
  /** `the declaration in use is` */
  readonly inUse: string
  /** The effect of a restart if nothing is kept. */
  readonly without: string
}

export const keptWords = {
  declaration: {
    event: 'declaration',
    valid: 'the declaration is valid, but it is',
    inUse: 'the declaration in use is',
    without: 'After a restart with an invalid declaration nothing would be written',
  },
  settings: {
    event: 'settings',
    valid: 'the settings are valid, but they are',
    inUse: 'the settings in use are',
    without: 'After a restart with invalid settings the program would not start',
  },
} as const satisfies Record<string, Kept>

/** The last valid version of some files, kept for a restart. Nothing throws: what cannot be kept is used all the same, and the log says so. */
type Keeping = {
  readonly keep: (files: DeclarationFiles, isFenced: (file: string) => boolean) => Promise<void>
  /** Keeps files of which some were last valid at an earlier time. */
  readonly keepDated: (files: DeclarationFiles & Pick<KeptFiles, 'files'>, isFenced: (file: string) => boolean) => Promise<void>
  /** The names of the files that are kept now. */
  readonly names: () => Promise<readonly string[]>
  /** Logs a reason once. While the reason stays the same, it is not logged again. Without a reason the next one is logged in any case. */
  readonly warn: (why: string, message: string) => undefined
}

/** The file of an unchanged version is written again after this time, so that it says until when the version was valid. */
const refreshMs = 3_600_000

export function openKeeping(place: string, words: Kept, { disk, isOurs, clock, log, scrub }: KeepingParts): Keeping {
  let kept: { readonly hash: string; readonly atMs: number; readonly secret: FoundSecrets } | undefined
  let named: readonly string[] | undefined
  let loggedWhy = ''

  const warn = (why: string, message: string): undefined => {
    if (why !== '' && why !== loggedWhy) log.warn({ event: words.event, why }, message)
    loggedWhy = why
  }

  /** After a restart the program must not use an older version than now. So if the one in use cannot be kept, the kept older one is deleted. */
  async function drop(why: string): Promise<void> {
    kept = undefined
    named = []
    const dropped = await dropKeptFiles(place, disk).then(
      () => words.without,
      (error: unknown) => `The older one in ${place} could not be deleted either (${writeErrnoText(error)})`,
    )
    warn(why, `${words.valid} not kept for a restart: ${visible(why)}. ${dropped}`)
  }

  async function keptHash(): Promise<string | undefined> {
    const last = await readKeptFiles(place)
    return typeof last === 'object' ? last.hash : undefined
  }

  /** Only a declaration has fences. */
  const sayWithheld = (files: readonly string[]) =>
    warn(
      `secret in ${files.join(', ')}`,
      `the declaration is valid, but not all of it is kept for a restart: ${files.map((file) => visible(secretText(file))).join('. ')}. If it is invalid later, nothing of it is used`,
    )

  async function keep(files: DeclarationFiles, isFenced: (file: string) => boolean): Promise<void> {
    const atMs = clock.now()
    if (!isOurs()) return
    const isSame = kept?.hash === files.hash
    if (kept !== undefined && isSame && atMs - kept.atMs < refreshMs) return
    const secret = kept !== undefined && isSame ? kept.secret : await findSecrets(files.files, scrub, isFenced)
    if (secret.why !== undefined) return await drop(secret.why)
    const toKeep = withoutFiles(files, secret.fenced)
    try {
      const why = await keepFiles(place, { ...toKeep, lastValidMs: clock.wall() }, disk)
      if (why !== undefined) return await drop(why)
      kept = { hash: files.hash, atMs, secret }
      named = namesIn(toKeep)
      if (secret.fenced.length > 0) return sayWithheld(secret.fenced)
      if (loggedWhy !== '') log.info({ event: words.event, inUse: files.hash }, `${place}: ${words.inUse} kept here again for a restart`)
      warn('', '')
    } catch (error) {
      // If this version is kept already, only its time is older.
      if (isSame || (await keptHash()) === toKeep.hash)
        return warn(
          writeErrnoText(error),
          `${place} could not be written (${writeErrnoText(error)}); its content is in use, but the file still says that it was last valid at an earlier time`,
        )
      await drop(`${place} cannot be written (${writeErrnoText(error)})`)
    }
  }

  return {
    keep,
    async keepDated(files, isFenced) {
      const secret = await findSecrets(files.files, scrub, isFenced)
      if (!isOurs() || secret.why !== undefined) return
      const toKeep = withoutFiles(files, secret.fenced)
      const why = await keepFiles(place, { ...toKeep, lastValidMs: clock.wall() }, disk).catch(writeErrnoText)
      if (why !== undefined) return
      kept = { hash: files.hash, atMs: clock.now(), secret }
      named = namesIn(toKeep)
    },
    async names() {
      const last = named === undefined ? await readKeptFiles(place) : undefined
      if (typeof last === 'object') named = namesIn(last)
      return named ?? []
    },
    warn,
  }
}

const namesIn = ({ files, withheld = [] }: Pick<KeptFiles, 'files' | 'withheld'>): readonly string[] =>
  files.map(({ file }) => file).concat(withheld)
