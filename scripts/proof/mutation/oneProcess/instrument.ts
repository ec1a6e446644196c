import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Mutant } from '../mutants.ts'
import { strykerPlugins } from '../unreachable.ts'

/** A mutant of StrykerJS before it is tried. */
export type Untried = Omit<Mutant, 'status'> & { readonly id: string; readonly path: string; readonly isUnreachable: boolean }

export type Instrumented = {
  readonly mutants: readonly Untried[]
  /** Path → the source with all its mutants. At most one of them is active at a time. */
  readonly sources: Readonly<Record<string, string>>
}

/** The mutants that StrykerJS makes of these sources. */
export async function instrument(sources: ReadonlyMap<string, string>): Promise<Instrumented> {
  const packages = createRequire(join(import.meta.dirname, '../../package.json'))
  const stryker = (await import(pathToFileURL(packages.resolve('@stryker-mutator/instrumenter')).href)) as StrykerInstrumenter
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }))
  const result = await new stryker.Instrumenter(quiet).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: strykerPlugins.map(({ value }) => value),
  })
  return {
    mutants: result.mutants.map(({ id, fileName, mutatorName, replacement, location, status }) => ({
      id,
      path: fileName,
      mutatorName,
      replacement,
      location: { start: fromOne(location.start), end: fromOne(location.end) },
      isUnreachable: status === 'Ignored',
    })),
    sources: Object.fromEntries(result.files.map(({ name, content }) => [name, content])),
  }
}

/** The part of `@stryker-mutator/instrumenter` that is used here. It is only installed when mutants are tried. */
type StrykerInstrumenter = {
  readonly Instrumenter: new (
    log: typeof quiet,
  ) => {
    instrument(
      files: readonly { readonly name: string; readonly content: string; readonly mutate: boolean }[],
      options: { readonly plugins: null; readonly excludedMutations: readonly string[]; readonly ignorers: readonly unknown[] },
    ): Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[]
      readonly mutants: readonly StrykerMutant[]
    }>
  }
}
type StrykerMutant = Required<Pick<Mutant, 'mutatorName' | 'replacement' | 'location'>> & {
  readonly id: string
  readonly fileName: string
  readonly status?: string
}

const quiet = { debug: () => undefined, info: () => undefined, isDebugEnabled: () => false }

/** The instrumenter counts lines and columns from 0, its report from 1. */
const fromOne = ({ line, column }: Mutant['location']['start']) => ({ line: line + 1, column: column + 1 })
