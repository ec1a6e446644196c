import { basename } from 'node:path'
import type { Moment } from '../core/clock.ts'
import { defined } from '../core/fields.ts'
import { knownRoles } from '../core/roles.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import { openOwners } from '../declaration/fenceOwner.ts'
import { type DeclarationFiles, hashOf, type LastValidFiles, sizeProblem } from '../declaration/files.ts'
import type { Context, Loaded } from '../declaration/understand.ts'
import { type InvalidFiles, InvalidInput, problemOfFile } from '../yaml/problem.ts'
import type { LoadedSettings } from './load.ts'

/** What reads a declaration is loaded when one is read: most commands need only the settings. */
const reading = () => import('../declaration/load.ts')

/** The declaration is invalid; nothing of it is used. `files.text` shows every problem with its line. */
export class InvalidDeclaration extends InvalidInput {
  constructor(files: InvalidFiles, place: string) {
    super('declaration', `${basename(place)}: ${summaryOf(files)}`, files)
  }
}

function summaryOf({ problems }: InvalidFiles): string {
  const [first] = problems
  const place = first === undefined ? 'an unknown place' : `${first.at.file}:${first.at.line}:${first.at.column}: ${first.message}`
  return `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}, the first at ${place}`
}

/**
 * Keeps the files of a valid declaration for a later start. `isFenced`: whether a file is inside a fence, so that the others can be kept without it.
 * `names`: of the files that are kept now.
 */
export type KeepDeclaration = {
  readonly keep: (files: DeclarationFiles, isFenced: (file: string) => boolean) => Promise<void>
  readonly names: () => Promise<readonly string[]>
}

/** A declaration, and when it was last valid. */
export type LastValid = { readonly declared: Declared; readonly lastValid: Moment }

/**
 * Returns the declaration that was kept, checked with these settings. With fences and only some invalid files, it is the present declaration with the
 * kept text of these files.
 */
export type RestoreDeclaration = (loaded: LoadedSettings, signal: AbortSignal) => Promise<LastValid | undefined>

/**
 * A function that reads the declaration of these settings. Files that have not changed since its last call are not parsed again, because a mebibyte
 * takes a second.
 *
 * @param dateMs returns the present moment, epoch ms
 * @param keep called each time the returned function finds a valid declaration, before the declaration is used
 * @returns the function; it throws {InvalidDeclaration}
 */
export function openDeclared(
  loaded: LoadedSettings,
  dateMs: () => number,
  keep?: KeepDeclaration,
): (signal?: AbortSignal) => Promise<Declared> {
  const place = loaded.path(loaded.settings.declaration)
  let previous: Loaded | undefined
  return async (signal = new AbortController().signal) => {
    const lastNames = loaded.settings.fences === undefined ? undefined : await keep?.names()
    const onValid = keep && ((files: DeclarationFiles) => keep.keep(files, isFencedBy(loaded)))
    const { loadDeclaration } = await reading()
    const read = await loadDeclaration(place, defined({ ...contextOf(loaded, dateMs()), previous, lastNames, onValid }), signal)
    if (!read.valid) throw new InvalidDeclaration(read, place)
    previous = read
    return declaredOf(read)
  }
}

/**
 * Reads the declaration of these settings once, with hints for the people who edit it.
 *
 * @param nowMs rules that ended at or before this time give a hint
 * @throws {InvalidDeclaration}
 */
export async function readDeclared(
  loaded: LoadedSettings,
  nowMs: number,
  signal: AbortSignal,
): Promise<{ readonly declared: Declared; readonly hints: Loaded['hints'] }> {
  const place = loaded.path(loaded.settings.declaration)
  const { loadDeclaration } = await reading()
  const read = await loadDeclaration(place, { ...contextOf(loaded, nowMs), endedByMs: nowMs }, signal)
  if (!read.valid) throw new InvalidDeclaration(read, place)
  return { declared: declaredOf(read), hints: read.hints }
}

/** A declaration in which kept files stand in for invalid ones. `used`: all its files, to be kept in their place. */
export type AroundInvalid = { readonly declared: Declared; readonly files: Loaded['kept']; readonly used: DeclarationFiles }

/**
 * Reads the declaration of these settings, and uses the kept text of each invalid file inside a fence. The other files are used as they are now.
 *
 * @returns undefined if a file without limits is invalid, or if there are no fences
 */
export async function declaredAround(
  loaded: LoadedSettings,
  kept: DeclarationFiles,
  dateMs: number,
  signal: AbortSignal,
): Promise<AroundInvalid | undefined> {
  if (loaded.settings.fences === undefined || sizeProblem(kept.files) !== undefined || hashOf(kept.files) !== kept.hash) return undefined
  let used = kept
  const { loadDeclaration } = await reading()
  const read = await loadDeclaration(
    loaded.path(loaded.settings.declaration),
    { ...contextOf(loaded, dateMs), lastValid: lastValidOf(kept), onValid: (files) => Promise.resolve(void (used = files)) },
    signal,
  )
  return read.valid ? { declared: declaredOf(read), files: read.kept, used } : undefined
}

/** Checks the kept files of an earlier declaration as if they were read now. @returns a sentence if these settings do not allow it */
export async function declaredFromKept(
  loaded: LoadedSettings,
  kept: DeclarationFiles,
  dateMs: number,
  signal: AbortSignal,
): Promise<Declared | string> {
  const tooLarge = sizeProblem(kept.files)
  if (tooLarge !== undefined) return tooLarge
  if (hashOf(kept.files) !== kept.hash) return 'its content does not have the hash that it names, so it is damaged'
  const context = contextOf(loaded, dateMs)
  if (loaded.settings.fences === undefined && kept.withheld !== undefined) return `it does not have the content of ${kept.withheld[0]}`
  const obstacles = kept.withheld?.map((file) => problemOfFile(file, 'its content was not kept'))
  const read = loaded.settings.fences === undefined ? kept : defined({ ...kept, obstacles, lastValid: lastValidOf(kept) })
  const { checkFiles } = await reading()
  const checked = await checkFiles(read, context, signal)
  return checked.valid ? declaredOf(checked) : summaryOf(checked)
}

/** Whether a file is inside a fence of these settings. */
export function isFencedBy({ settings: { fences = {} } }: LoadedSettings): (file: string) => boolean {
  const ownerOf = openOwners(fences)
  return (file) => ownerOf(file) !== undefined
}

const lastValidOf = ({ files, withheld = [] }: DeclarationFiles): LastValidFiles =>
  new Map([...files.map(({ file, bytes }) => [file, bytes] as const), ...withheld.map((file) => [file, undefined] as const)])

/** @param dateMs now, epoch ms */
const contextOf = ({ settings }: LoadedSettings, dateMs: number): Context => ({
  ...(settings.fences === undefined ? {} : { fences: settings.fences }),
  dateMs,
  waiverFiles: settings.waivers.files,
  workspaces: Object.keys(settings.workspaces),
  directories: Object.keys(settings.directories),
  roles: knownRoles(settings.roles),
  defaults: { unknownGroups: settings.unknownGroups, unknownProjects: settings.unknownProjects },
})

const declaredOf = ({ declaration, hash, files }: Loaded): Declared => ({ workspaces: declaration, hash, files })
