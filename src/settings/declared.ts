import { basename } from 'node:path'
import { defined } from '../core/optionalFields.ts'
import { knownRoles } from '../core/roles.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import type { LastValidFiles } from '../declaration/files.ts'
import type { ExhaustedFiles } from '../declaration/load.ts'
import type { Context, Loaded } from '../declaration/understand.ts'
import type { Parse } from '../yaml/parse.ts'
import { type InvalidFiles, InvalidInput } from '../yaml/problem.ts'
import type { Environment, LoadedSettings } from './load.ts'
import type { Settings } from './schema.ts'

/** The last valid text of each file of the declaration, in the memory of a daemon. */
export type LastValidTexts = { lastValid: LastValidFiles }

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
 * `env`: for git, which says the commit; absent: nobody asks for it. `texts`: the last valid texts of a daemon; absent in any other command. `parse`: in place of that
 * of YAML.
 */
type DeclaredOptions = { readonly env?: Environment; readonly texts?: LastValidTexts | undefined; readonly parse?: Parse }

/**
 * A function that reads the declaration of these settings. Files that have not changed since its last call are not parsed again, because a mebibyte
 * takes a second.
 *
 * @param place the file or folder of the declaration
 * @param dateMs returns the present moment, epoch ms
 * @returns the function; it throws {InvalidDeclaration}
 */
export function openDeclared(
  place: string,
  settings: DeclarationSettings,
  dateMs: () => number,
  { env, texts, parse }: DeclaredOptions = {},
): (signal?: AbortSignal) => Promise<Declared> {
  let previous: Loaded | undefined
  const exhausted: ExhaustedFiles = new Map()
  const revision = env && { env }
  return async (signal = new AbortController().signal) => {
    const { loadDeclaration } = await reading()
    const read = await loadDeclaration(
      place,
      defined({ ...contextOf(settings, dateMs()), previous, texts, exhausted, revision, parse }),
      signal,
    )
    if (!read.valid) throw new InvalidDeclaration(read, place)
    if (read.invalid === undefined) previous = read
    return declaredOf(read)
  }
}

/** What is declared if the settings name no declaration. */
export const noDeclaration: Declared = { workspaces: new Map(), hash: '', files: 0 }

/**
 * Reads the declaration of these settings once, with hints for the people who edit it.
 *
 * @param nowMs rules that ended at or before this time give a hint
 * @param env for git, which says the commit; absent: nobody asks for it
 * @throws {InvalidDeclaration} if a file is invalid, also inside a fence
 */
export async function readDeclared(
  loaded: LoadedSettings,
  nowMs: number,
  signal: AbortSignal,
  env?: Environment,
): Promise<{ readonly declared: Declared; readonly hints: Loaded['hints'] }> {
  const place = loaded.path(loaded.settings.declaration)
  const { loadDeclaration } = await reading()
  const read = await loadDeclaration(
    place,
    defined({ ...contextOf(loaded.settings, nowMs), endedByMs: nowMs, revision: env && { env } }),
    signal,
  )
  if (!read.valid) throw new InvalidDeclaration(read, place)
  if (read.invalid !== undefined) throw new InvalidDeclaration(read.invalid, place)
  return { declared: declaredOf(read), hints: read.hints }
}

/** What the settings say about a declaration. */
type DeclarationSettings = Pick<Settings, 'fences' | 'waivers' | 'roles' | 'unknownGroups' | 'unknownProjects'> & {
  readonly workspaces: Readonly<Record<string, unknown>>
  readonly directories: Readonly<Record<string, unknown>>
}

/** @param dateMs now, epoch ms */
const contextOf = (settings: DeclarationSettings, dateMs: number): Context => ({
  ...(settings.fences === undefined ? {} : { fences: settings.fences }),
  dateMs,
  waiverFiles: settings.waivers.files,
  workspaces: Object.keys(settings.workspaces),
  directories: Object.keys(settings.directories),
  roles: knownRoles(settings.roles),
  defaults: { unknownGroups: settings.unknownGroups, unknownProjects: settings.unknownProjects },
})

const declaredOf = ({ declaration, hash, revision, files, names, invalid, kept }: Loaded): Declared =>
  defined({ workspaces: declaration, hash, revision, files, names: new Set(names), kept: invalid?.text, keptFiles: kept })
