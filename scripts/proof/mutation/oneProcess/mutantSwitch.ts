/**
 * The object that sources with mutants read and write. `hitCount` and `hitLimit` end a loop that would run through the active mutant forever.
 * `static`: code that ran while a module was loaded. `perTest`: code that ran in a test, by `currentTestId`.
 */
export type MutantSwitch = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { readonly static: Hits; readonly perTest: Record<string, Hits> }
}
type Hits = Readonly<Record<string, number>>

const name = '__stryker__'
export const mutantSwitch: MutantSwitch = ((globalThis as { [name]?: MutantSwitch })[name] ??= {})
