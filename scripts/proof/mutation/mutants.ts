import { functionsOf } from '../../source/functions.ts'

/** The part of Stryker's report that is used here (mutation-testing-report-schema). */
export type StrykerReport = { readonly files: Readonly<Record<string, StrykerFile>> }
export type StrykerFile = { readonly source: string; readonly mutants: readonly Mutant[] }
export type Mutant = {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError' | 'CompileError' | 'Pending'
  readonly location: { readonly start: Point; readonly end: Point }
}
/** Lines and columns are counted from 1. `end` is after the last character. */
type Point = { readonly line: number; readonly column: number }

/** A mutant that no test notices. */
export type Survivor = {
  readonly path: string
  /** The name of the function by `functionsOf`. */
  readonly function: string
  readonly mutator: string
  readonly line: number
  /** The original code and its replacement. */
  readonly change: string
}

/** The survivors of a report, by file and line. */
export const survivorsOf = ({ files }: StrykerReport): readonly Survivor[] =>
  Object.entries(files).flatMap(([path, { source, mutants }]) => {
    const { nameAt } = functionsOf(source)
    return mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .toSorted((a, b) => before(a.location.start, b.location.start))
      .map((mutant) => ({
        path,
        function: nameAt(fromZero(mutant.location)),
        mutator: mutant.mutatorName,
        line: mutant.location.start.line,
        change: changeText(mutant, source),
      }))
  })

const before = (a: Point, b: Point): number => a.line - b.line || a.column - b.column

const fromZero = ({ start, end }: Mutant['location']) => ({
  start: { line: start.line, column: start.column - 1 },
  end: { line: end.line, column: end.column - 1 },
})

function changeText({ replacement = '', location: { start, end } }: Mutant, source: string): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const original = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
  )
  return `${short(original.join('\n'))} → ${short(replacement)}`
}

/** The code on one line. The middle of long code is left out. */
function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length <= 100 ? line : `${line.slice(0, 60)} … ${line.slice(-30)}`
}
