/** One line of the table: the measure, the comparison, and whether the goal is reached. */
export type Row = {
  readonly measure: string
  readonly figure: string
  readonly against: string
  /** Ours ÷ theirs, if there is a comparison. */
  readonly ratio?: number
  readonly goal: string
  readonly reached: boolean
}

export function rowText({ measure, figure, against, ratio, goal, reached }: Row): string {
  return `| ${[measure, figure, against, ratio === undefined ? '' : ratio.toFixed(2), goal, reached ? 'yes' : '**no**'].join(' | ')} |`
}

export const heading = ['| measure | figure | against | ratio | goal | reached |', '|---|---|---|---|---|---|'].join('\n')

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
