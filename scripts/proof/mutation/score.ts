import { functionsOf } from '../../source/functions.ts'
import { type NamedMutant, namedMutants, type StrykerFile, type StrykerReport } from './mutants.ts'

/** The mutants of one file: the number that tests notice, and the names of those that no test notices. */
export type FileScore = {
  readonly killed: number
  /** Mutants that are noticed because the tests did not end in time. */
  readonly timeout: number
  /** Mutants in a `default` that the compiler proves unreachable. They are not counted. */
  readonly unreachable: number
  /** Function → its survivors. Functions without survivors are absent. */
  readonly survivors: Readonly<Record<string, Survivors>>
}

export type Survivors = {
  /** The shape of the function when its mutants were tried. If the function has another shape now, they must be tried again. */
  readonly shape: string
  /** Name → result. `survived`: tests ran this code and did not notice. `unreached`: no test ran this code. */
  readonly mutants: Readonly<Record<string, 'survived' | 'unreached'>>
}

export type MutationReport = {
  readonly measured: string
  readonly versions: Readonly<Record<'node' | 'stryker' | 'vitest', string>>
  readonly files: Readonly<Record<string, FileScore>>
}

/** The scores by file, sorted by path. */
export function scoresOf(report: StrykerReport): MutationReport['files'] {
  const files = Object.entries(report.files).filter(([, { mutants }]) => mutants.length > 0)
  return Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, file]) => [path, scoreOf(path, file)]))
}

function scoreOf(path: string, file: StrykerFile): FileScore {
  const mutants = namedMutants(file)
  const score = { killed: 0, timeout: 0, unreachable: 0, survivors: survivorsOf(file.source, mutants) }
  for (const { status } of mutants) {
    switch (status) {
      case 'Killed':
      // A module that cannot be loaded any more fails every test.
      case 'RuntimeError':
        score.killed++
        break
      case 'Timeout':
        score.timeout++
        break
      case 'Ignored':
        score.unreachable++
        break
      case 'Survived':
      case 'NoCoverage':
        break
      default:
        throw new Error(`${path}: a mutant was left ${status}`)
    }
  }
  return score
}

function survivorsOf(source: string, mutants: readonly NamedMutant[]): FileScore['survivors'] {
  const { shapes } = functionsOf(source)
  const left = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const entriesOf = (some: readonly NamedMutant[]) =>
    some.map(({ name, status }) => [name, status === 'Survived' ? 'survived' : 'unreached'] as const)
  const functions = Map.groupBy(left, (one) => one.function)
  return Object.fromEntries(
    [...functions].map(([name, some]) => [name, { shape: shapes.get(name) ?? '', mutants: Object.fromEntries(entriesOf(some)) }]),
  )
}

export type Total = {
  readonly mutants: number
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  readonly unreached: number
  readonly unreachable: number
}

export const totalOf = (scores: readonly FileScore[]): Total => {
  const sum = (count: (score: FileScore) => number) => scores.reduce((total, score) => total + count(score), 0)
  const left = (which: 'survived' | 'unreached') =>
    sum(
      ({ survivors }) =>
        Object.values(survivors)
          .flatMap(({ mutants }) => Object.values(mutants))
          .filter((one) => one === which).length,
    )
  const [killed, timeout, survived, unreached] = [sum((one) => one.killed), sum((one) => one.timeout), left('survived'), left('unreached')]
  return {
    mutants: killed + timeout + survived + unreached,
    killed,
    timeout,
    survived,
    unreached,
    unreachable: sum((score) => score.unreachable),
  }
}

/** The share of the mutants that a test noticed, 0 to 1. */
export const shareOf = ({ mutants, killed, timeout }: Total): number => (mutants === 0 ? 1 : (killed + timeout) / mutants)
