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

export type NamedMutant = {
  readonly status: Mutant['status']
  /** The name of the function by `functionsOf`. */
  readonly function: string
  /** One mutant of the function, for example `ConditionalExpression → false, 2 of 5`. Renamed or moved code does not change this name. */
  readonly name: string
  readonly line: number
  /** The original code and its replacement, for a person who reads the source. */
  readonly change: string
}

/**
 * A mutant has the name of its mutator. If a function has several mutants of this mutator, the replacement follows, unless it is long or has an
 * identifier. If this name is still not unique, a number follows.
 */
export function namedMutants({ source, mutants }: StrykerFile): readonly NamedMutant[] {
  const { nameAt } = functionsOf(source)
  const placed = mutants.toSorted(inOrder).map((mutant) => ({ mutant, function: nameAt(fromZero(mutant.location)) }))
  const sameMutator = Map.groupBy(placed, (one) => `${one.function} ${one.mutant.mutatorName}`)
  return [...sameMutator.values()].flatMap((several) => {
    const sameReplacement = Map.groupBy(several, ({ mutant }) => stableText(mutant))
    return [...sameReplacement].flatMap(([replacement, same]) =>
      same.map(({ mutant, function: name }, index) => ({
        status: mutant.status,
        function: name,
        name: `${mutant.mutatorName}${sameReplacement.size === 1 ? '' : replacement}${same.length === 1 ? '' : `, ${index + 1} of ${same.length}`}`,
        line: mutant.location.start.line,
        change: changeText(mutant, source),
      })),
    )
  })
}

/** If two mutants start at the same place, the longer one comes first. */
const inOrder = (a: Mutant, b: Mutant): number =>
  before(a.location.start, b.location.start) ||
  before(b.location.end, a.location.end) ||
  ((a.replacement ?? '') < (b.replacement ?? '') ? -1 : 1)
const before = (a: Point, b: Point): number => a.line - b.line || a.column - b.column

const fromZero = ({ start, end }: Mutant['location']) => ({
  start: { line: start.line, column: start.column - 1 },
  end: { line: end.line, column: end.column - 1 },
})

/** The replacement, if it is short and has no identifier, which might be renamed. */
function stableText({ replacement = '' }: Mutant): string {
  const words = replacement.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/[\p{L}_$]+/gu) ?? []
  const isStable =
    replacement.length <= 40 && !replacement.includes('\n') && words.every((word) => /^(?:true|false|undefined|case|default)$/.test(word))
  return isStable ? ` → ${replacement}` : ''
}

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
