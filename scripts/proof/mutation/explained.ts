import { functionsOf } from '../../source/functions.ts'
import { type StrykerReport, type Survivor, survivorsOf } from './mutants.ts'
import type { Reasons } from './reasons.ts'

/**
 * The differences between the survivors of a report and the reasons, as sentences; empty if the reasons count each survivor. Only the reasons of functions
 * in the report's files are looked at.
 */
export function disagreements(report: StrykerReport, reasons: Reasons): readonly string[] {
  const survivors = Map.groupBy(survivorsOf(report), (one) => `${one.path}: ${one.function}`)
  return Object.entries(report.files).flatMap(([path, { source }]) =>
    [...functionsOf(source).names].flatMap((name) => {
      const left = Map.groupBy(survivors.get(`${path}: ${name}`) ?? [], ({ mutator }) => mutator)
      const counted = countsOf(reasonsFor(reasons, path, name))
      return [...new Set([...left.keys(), ...counted.keys()])].flatMap((mutator) => {
        const here = left.get(mutator) ?? []
        const count = counted.get(mutator) ?? 0
        return here.length === count ? [] : [`${path}: ${name}: ${disagreement(mutator, here, count)}`]
      })
    }),
  )
}

/** The reasons of a function: under its name, or under its path and name. */
const reasonsFor = (reasons: Reasons, path: string, name: string): Reasons[string] => reasons[`${path}: ${name}`] ?? reasons[name] ?? {}

function countsOf(ofFunction: Reasons[string]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const mutators of Object.values(ofFunction))
    for (const [mutator, times] of Object.entries(mutators)) counts.set(mutator, (counts.get(mutator) ?? 0) + times)
  return counts
}

function disagreement(mutator: string, survivors: readonly Survivor[], count: number): string {
  const places = survivors.map(({ line, change }) => `\n  line ${line}: ${change}`).join('')
  return survivors.length > count
    ? `no test notices ${survivors.length} × ${mutator}, and the reasons count ${count}: write a test, or a reason in scripts/proof/mutation/reasons.ts${places}`
    : `the reasons count ${count} × ${mutator}, and no test notices ${survivors.length}: remove a reason${places}`
}

/** The keys of reasons that name no function, or one that several files have, as sentences. @param sources path → source */
export function wrongKeys(reasons: Reasons, sources: ReadonlyMap<string, string>): readonly string[] {
  const pathsOf = Map.groupBy(
    [...sources].flatMap(([path, source]) => [...functionsOf(source).names].map((name) => ({ path, name }))),
    ({ name }) => name,
  )
  return Object.keys(reasons).flatMap((key) => {
    const [name = '', path] = key.split(': ', 2).toReversed()
    const paths = (pathsOf.get(name) ?? []).map((one) => one.path)
    if (path === undefined ? paths.length === 1 : paths.includes(path) && paths.length > 1) return []
    return [`${key}: ${paths.length === 0 ? 'no function has this name' : `this name is in ${paths.join(', ')}`}`]
  })
}
