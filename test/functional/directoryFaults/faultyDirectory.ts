import type { Place } from '../process/program.ts'

/** A directory that can get a fault, and the settings with which the program reads it. */
export type FaultyDirectory = AsyncDisposable & {
  readonly settings: object
  /** The place that an error names. */
  readonly address: string
  readonly secret: string
  /** Called before the first run of the program. */
  prepare?(place: Place): Promise<void>
  /** Switches the fault on. */
  strike(place: Place): Promise<void>
  /** Whether the fault has had an effect on an answer. */
  readonly struck: () => boolean
  /** What a server that must not be asked has heard. */
  readonly leaked: () => string
}
