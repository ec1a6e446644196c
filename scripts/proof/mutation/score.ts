import type { StrykerFile, StrykerReport } from './mutants.ts'

/** The mutants of a file by what became of them. `timeout`: noticed, because the tests did not end in time. */
export type Score = {
  readonly killed: number
  readonly timeout: number
  /** Tests ran this code and did not notice. */
  readonly survived: number
  /** No test ran this code. */
  readonly unreached: number
  /** Mutants in a `default` that the compiler proves unreachable. They are not counted. */
  readonly unreachable: number
}

const none = { killed: 0, timeout: 0, survived: 0, unreached: 0, unreachable: 0 } satisfies Score

/** @throws if a mutant was not tried to the end */
export function scoreOf(path: string, { mutants }: StrykerFile): Score {
  const score = { ...none }
  for (const { status } of mutants) {
    const name = fieldOf[status]
    if (name === undefined) throw new Error(`${path}: a mutant was left ${status}`)
    score[name]++
  }
  return score
}

const fieldOf: Readonly<Record<string, keyof Score | undefined>> = {
  Killed: 'killed',
  // A module that cannot be loaded any more fails every test.
  RuntimeError: 'killed',
  Timeout: 'timeout',
  Survived: 'survived',
  NoCoverage: 'unreached',
  Ignored: 'unreachable',
}

export const mutantsOf = ({ killed, timeout, survived, unreached }: Score): number => killed + timeout + survived + unreached

/** The share of the mutants that a test noticed, 0 to 1. */
export const shareOf = (score: Score): number => (mutantsOf(score) === 0 ? 1 : (score.killed + score.timeout) / mutantsOf(score))

/** The table of a report, in Markdown. A file without mutants is left out. */
export function table({ files }: StrykerReport): readonly string[] {
  const scores = Object.entries(files).flatMap(([path, file]) => (file.mutants.length === 0 ? [] : [{ path, score: scoreOf(path, file) }]))
  const row = (name: string, score: Score) => {
    const { killed, timeout, survived, unreached, unreachable } = score
    return `| ${[name, mutantsOf(score), killed, timeout, survived, unreached, unreachable, percent(score)].join(' | ')} |`
  }
  const sum = (name: keyof Score) => scores.reduce((total, { score }) => total + score[name], 0)
  const all = Object.fromEntries(Object.keys(none).map((name) => [name, sum(name as keyof Score)])) as Score
  return [
    '| file | mutants | killed | timeout | survived | no coverage | unreachable | score |',
    '|---|---|---|---|---|---|---|---|',
    ...scores.map(({ path, score }) => row(`\`${path}\``, score)),
    row('all', all),
  ]
}

/** Rounded down: 89.96 % is shown as 89.9 %. */
const percent = (score: Score): string => `${(Math.floor(shareOf(score) * 1000) / 10).toFixed(1)} %`
