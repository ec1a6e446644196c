import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../..')
/** The folder through which `npm run mutation` and a process of vitest exchange files. Not in git. */
export const folder = join(root, 'coverage/mutation/oneProcess')
/** Modules that vitest has transformed. With a cache of its own, another run never sees a module with mutants, or mutants with other ids. */
export const cacheFolder = join(folder, 'cache')
export const orderFile = join(folder, 'order.json')
export const eventsFile = join(folder, 'events.jsonl')

/** What a process of vitest does. Mutants are named by their ids, test files by their paths below the root. */
export type Order = {
  /** Path → the source with all its mutants. */
  readonly sources: Readonly<Record<string, string>>
  /** Test files. Absent: all that import one of the sources. */
  readonly tests?: readonly string[]
  /** Test files that are not run. */
  readonly skipped?: readonly string[]
  /** `each`: try these mutants one after the other. `only`: this mutant is active from the start. */
  readonly mutants: { readonly each: readonly string[] } | { readonly only: string }
}

export type Event =
  /** A test file ended. `reached`: mutants in code that its tests ran. `loaded`: mutants in code that ran while modules were loaded, up to now. */
  | { readonly kind: 'finished'; readonly file: string; readonly reached: readonly string[]; readonly loaded: readonly string[] }
  /** A test begins. It should end within this time. */
  | { readonly kind: 'begins'; readonly mutant: string | undefined; readonly limitMs: number }
  | { readonly kind: 'noticed'; readonly mutant: string; readonly isTimeout: boolean }
  /** After this mutant, a test also fails without it. The process waits to be ended. */
  | { readonly kind: 'disturbed'; readonly mutant: string }
  /** A test fails without mutants. The process waits to be ended. */
  | { readonly kind: 'broken'; readonly test: string; readonly error: string }

export const readOrder = (): Order => JSON.parse(readFileSync(orderFile, 'utf8')) as Order
export const report = (event: Event): void => appendFileSync(eventsFile, `${JSON.stringify(event)}\n`)
