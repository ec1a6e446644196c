import { basename } from 'node:path'
import { OperationalError } from '../core/operationalError.ts'
import type { Declared } from '../cycle/workspace.ts'
import { type Loaded, loadDeclaration } from '../declaration/load.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import type { LoadedSettings } from './load.ts'

/** The declaration is invalid; nothing of it is used. `files.text` shows every problem with its line. */
export class InvalidDeclaration extends OperationalError {
  readonly files: InvalidFiles
  constructor(files: InvalidFiles, place: string) {
    super(
      'InvalidDeclaration',
      `${basename(place)}: ${files.problems.length} ${files.problems.length === 1 ? 'problem' : 'problems'}, the first at ${placeOf(files)}`,
    )
    this.files = files
  }
}

const placeOf = ({ problems: [first] }: InvalidFiles): string =>
  first === undefined ? 'an unknown place' : `${first.at.file}:${first.at.line}:${first.at.column}: ${first.message}`

/**
 * A function that reads the declaration of these settings. Files that have not changed since its last call are not parsed again, because a
 * mebibyte takes a second.
 *
 * @returns the function; it throws {InvalidDeclaration}
 */
export function openDeclared({ settings, path }: LoadedSettings): (signal?: AbortSignal) => Promise<Declared> {
  const place = path(settings.declaration)
  const context = {
    workspaces: Object.keys(settings.workspaces),
    directories: Object.keys(settings.directories),
    defaults: { unknownGroups: settings.unknownGroups, unknownProjects: settings.unknownProjects },
  }
  let previous: Loaded | undefined
  return async (signal = new AbortController().signal) => {
    const loaded = await loadDeclaration(place, previous === undefined ? context : { ...context, previous }, signal)
    if (!loaded.valid) throw new InvalidDeclaration(loaded, place)
    previous = loaded
    return { workspaces: loaded.declaration, hash: loaded.hash, files: loaded.files }
  }
}
