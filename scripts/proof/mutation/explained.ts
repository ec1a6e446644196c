import type { Reason } from './reasons.ts'
import type { MutationReport, Survivor } from './score.ts'

type Reasons = Readonly<Record<string, readonly Reason[]>>

/** The reason that somebody gave for a survivor. */
export const reasonOf = (reasons: Reasons, path: string, { code, mutant }: Survivor): string | undefined =>
  reasons[path]?.find((one) => one.code === code && one.mutants.includes(mutant))?.reason

/** What is wrong between the survivors and their reasons: a survivor without one, a reason without a survivor. Empty where all is well. */
export function disagreements({ files }: Pick<MutationReport, 'files'>, reasons: Reasons): readonly string[] {
  const unexplained = Object.entries(files).flatMap(([path, { survived }]) =>
    survived
      .filter((survivor) => reasonOf(reasons, path, survivor) === undefined)
      .map(({ code, mutant }) => `${path}: no test notices ${mutant} in ${code}: write one, or its reason`),
  )
  const outdated = Object.entries(reasons).flatMap(([path, ofFile]) =>
    ofFile.flatMap(({ code, mutants }) =>
      mutants
        .filter((mutant) => files[path]?.survived.some((one) => one.code === code && one.mutant === mutant) !== true)
        .map((mutant) => `${path}: ${mutant} in ${code} has a reason and does not survive: take the reason out`),
    ),
  )
  return [...unexplained, ...outdated]
}
