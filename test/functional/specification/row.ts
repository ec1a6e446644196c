import type { differences } from '../../../src/sandbox/dialect.ts'
import type { World } from '../specification-world.ts'

/** One line of the specification, quoted, with two checks: over bare HTTP and through the client. Both run in both dialects. */
export type Row = {
  readonly line: string
  /** The differences between the running service and this line. */
  readonly differs?: readonly (keyof typeof differences)[]
  readonly raw: Check
} & ({ readonly client: Check; readonly clientless?: never } | { readonly client?: never; readonly clientless: string })

export type Check = (world: World) => Promise<void>

/** The lines under one heading of the specification. */
export type Section = { readonly section: string; readonly rows: readonly Row[] }
