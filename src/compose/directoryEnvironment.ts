import type { DirectorySettings } from '../settings/directories/directory.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Bounds } from './bounds.ts'
import type { ProgramEnvironment } from './environment.ts'

/** What every kind of directory gets beside its settings. */
export type DirectoryEnvironment = {
  /** The name in the settings. */
  readonly name: string
  /** The path of a file that the settings name. */
  readonly path: LoadedSettings['path']
  readonly world: ProgramEnvironment
  readonly bounds: Bounds
}

/** The settings of one kind of directory. */
export type SettingsOf<Kind extends DirectorySettings['kind']> = Extract<DirectorySettings, { kind: Kind }>
