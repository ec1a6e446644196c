/** What Stryker reports, as far as it is read (mutation-testing-report-schema). */
export type StrykerReport = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}
type Mutant = {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError' | 'CompileError' | 'Pending'
  readonly location: { readonly start: Point; readonly end: Point }
}
/** Both from 1; `end` is after the last character. */
type Point = { readonly line: number; readonly column: number }

/** One file's mutants, and the names of those that no test noticed. */
export type FileScore = {
  readonly killed: number
  /** Noticed because the tests did not come to an end. */
  readonly timeout: number
  /** In a `default` that the compiler proves unreachable; not counted. */
  readonly unreachable: number
  readonly survived: readonly Survivor[]
}

/** `code`: the line that was changed. `mutant`: what became of what. `reached`: a test ran it, and did not notice. */
export type Survivor = { readonly code: string; readonly mutant: string; readonly reached: boolean }

export type MutationReport = {
  readonly measured: string
  readonly versions: Readonly<Record<'node' | 'stryker' | 'vitest', string>>
  readonly files: Readonly<Record<string, FileScore>>
}

/** The scores by file, sorted by path. */
export function scoresOf(report: StrykerReport): MutationReport['files'] {
  const files = Object.entries(report.files).filter(([, { mutants }]) => mutants.length > 0)
  return Object.fromEntries(
    files.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, { source, mutants }]) => [path, scoreOf(path, source, mutants)]),
  )
}

function scoreOf(path: string, source: string, mutants: readonly Mutant[]): FileScore {
  const score = { killed: 0, timeout: 0, unreachable: 0, survived: [] as Survivor[] }
  const lines = source.split('\n')
  for (const mutant of mutants.toSorted(inOrder)) {
    switch (mutant.status) {
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
        score.survived.push(survivorOf(mutant, lines))
        break
      default:
        throw new Error(`${path}: a mutant was left ${mutant.status}`)
    }
  }
  return score
}

const inOrder = ({ location: { start: a } }: Mutant, { location: { start: b } }: Mutant): number => a.line - b.line || a.column - b.column

function survivorOf({ status, replacement = '', location: { start, end } }: Mutant, lines: readonly string[]): Survivor {
  const touched = lines.slice(start.line - 1, end.line)
  const original = touched
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === touched.length - 1 ? end.column - 1 : undefined))
    .join('\n')
  return {
    code: (touched[0] ?? '').trim(),
    mutant: `${short(original)} → ${short(replacement)}`,
    reached: status === 'Survived',
  }
}

/** On one line, its middle left out where it is long. */
function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length <= 100 ? line : `${line.slice(0, 60)} … ${line.slice(-30)}`
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
  const killed = sum((score) => score.killed)
  const timeout = sum((score) => score.timeout)
  const survived = sum((score) => score.survived.filter(({ reached }) => reached).length)
  const unreached = sum((score) => score.survived.filter(({ reached }) => !reached).length)
  return {
    mutants: killed + timeout + survived + unreached,
    killed,
    timeout,
    survived,
    unreached,
    unreachable: sum((score) => score.unreachable),
  }
}

/** Of all mutants the share that a test noticed, 0 to 1. */
export const shareOf = ({ mutants, killed, timeout }: Total): number => (mutants === 0 ? 1 : (killed + timeout) / mutants)
