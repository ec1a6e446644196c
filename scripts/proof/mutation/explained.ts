import { namedMutants, type StrykerReport } from './mutants.ts'
import type { Reasons } from './reasons.ts'
import { type MutationReport, scoresOf } from './score.ts'

/** A mutant that no test notices, by its place and name, and its reason if there is one. */
export type Survivor = { readonly path: string; readonly function: string; readonly mutant: string; readonly reason: string | undefined }
type Files = MutationReport['files']

/** All survivors of a report in its order. */
export function survivorsOf(files: Files, reasons: Reasons): readonly Survivor[] {
  const given = new Map(givenReasons(reasons).map((one) => [keyOf(one), one.reason]))
  return Object.entries(files).flatMap(([path, { survivors }]) =>
    Object.entries(survivors).flatMap(([name, { mutants }]) =>
      Object.keys(mutants).map((mutant) => {
        const place = { path, function: name, mutant }
        return { ...place, reason: given.get(keyOf(place)) }
      }),
    ),
  )
}

/** The survivors without a reason: their places, and the original and the replaced code. */
export function unexplainedChanges(report: StrykerReport, reasons: Reasons): readonly string[] {
  const unexplained = new Set(
    survivorsOf(scoresOf(report), reasons)
      .filter(({ reason }) => reason === undefined)
      .map(keyOf),
  )
  return Object.entries(report.files).flatMap(([path, file]) =>
    namedMutants(file)
      .filter((one) => unexplained.has(keyOf({ path, function: one.function, mutant: one.name })))
      .map(({ line, name, change }) => `${path}:${line}: ${name}: ${change}`),
  )
}

/** The differences between survivors and reasons, as sentences; empty if each survivor has a reason and each reason a survivor. */
export function disagreements({ files }: Pick<MutationReport, 'files'>, reasons: Reasons): readonly string[] {
  const survivors = survivorsOf(files, reasons)
  const survived = new Set(survivors.map(keyOf))
  return [
    ...survivors
      .filter(({ reason }) => reason === undefined)
      .map((one) => `${keyOf(one)}: no test notices it: write a test, or a reason in scripts/proof/mutation/reasons.ts`),
    ...givenReasons(reasons)
      .filter((one) => !survived.has(keyOf(one)))
      .map((one) => `${keyOf(one)}: a test notices it, or it does not exist: remove its reason`),
  ]
}

const givenReasons = (reasons: Reasons): readonly (Survivor & { readonly reason: string })[] =>
  Object.entries(reasons).flatMap(([path, functions]) =>
    Object.entries(functions).flatMap(([name, all]) =>
      all.flatMap(({ mutants, reason }) => mutants.map((mutant) => ({ path, function: name, mutant, reason }))),
    ),
  )

const keyOf = ({ path, function: name, mutant }: Omit<Survivor, 'reason'>): string => `${path}: ${name}: ${mutant}`
