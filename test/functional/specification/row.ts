import type { differences } from '../../../src/sandbox/dialect.ts'
import type { World } from '../specification-world.ts'

/** One line of the specification, quoted, and what shows that it holds: over bare HTTP, and through the client. Both run in both dialects. */
export type Row = {
  readonly line: string
  /** Where the running service does otherwise than the line says. */
  readonly differs?: readonly (keyof typeof differences)[]
  readonly raw: Check
} & ({ readonly client: Check; readonly clientless?: never } | { readonly client?: never; readonly clientless: string })

export type Check = (world: World) => Promise<void>

/** Lines that stand under one heading of the specification. */
export type Section = { readonly section: string; readonly rows: readonly Row[] }
