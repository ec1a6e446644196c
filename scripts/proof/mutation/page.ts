import { type Survivor, survivorsOf } from './explained.ts'
import type { Reasons } from './reasons.ts'
import { type MutationReport, shareOf, type Total, totalOf } from './score.ts'

/** The report as Markdown: how it was measured, a table of the files, and each survivor with its reason. The page lies in docs/. */
export function mutationSection({ measured, versions, files }: MutationReport, reasons: Reasons): string {
  const total = totalOf(Object.values(files))
  return [
    `Measured since ${measured}: the changes are those of StrykerJS ${versions.stryker}, tried by StrykerJS or in one process of vitest ` +
      `${versions.vitest} (see above), with Node ${versions.node}. Tests notice ${total.killed + total.timeout} of ${total.mutants} small changes to the code that decides, ${percent(total)}.`,
    '',
    'Mutants in a `default` that the compiler proves unreachable are not counted among the mutants; the column "unreachable" has their number.',
    '',
    ...table(files),
    '',
    '### What no test notices, and why that is left so',
    '',
    'Each line has the function, the mutator of StrykerJS and, if the function has several mutants of it, the replacement or the number among them.',
    '"Speed only": the result is the same, only later. "Type only": the compiler asks for this code, and it makes no difference for any value that',
    'occurs. "The added text" is what StrykerJS puts into an empty list or text: `Stryker was here`.',
    ...explained(files, reasons),
  ].join('\n')
}

/** The table for the page and for the terminal. */
export function table(files: MutationReport['files']): readonly string[] {
  const row = (name: string, total: Total) => {
    const { mutants, killed, timeout, survived, unreached, unreachable } = total
    return `| ${[name, mutants, killed, timeout, survived, unreached, unreachable, percent(total)].join(' | ')} |`
  }
  return [
    '| file | mutants | killed | timeout | survived | no coverage | unreachable | score |',
    '|---|---|---|---|---|---|---|---|',
    ...Object.entries(files).map(([path, score]) => row(`\`${path}\``, totalOf([score]))),
    row('all', totalOf(Object.values(files))),
  ]
}

/** Rounded down: 89.96 % is shown as 89.9 %. */
const percent = (total: Total): string => `${(Math.floor(shareOf(total) * 1000) / 10).toFixed(1)} %`

/** A link for each file, and below it a line for each reason in a function. */
function explained(files: MutationReport['files'], reasons: Reasons): readonly string[] {
  const byPath = Map.groupBy(survivorsOf(files, reasons), ({ path }) => path)
  return [...byPath].flatMap(([path, ofFile]) => {
    const byReason = Map.groupBy(ofFile, (one) => JSON.stringify([one.function, one.reason]))
    return ['', `[${path}](../${path})`, ...[...byReason.values()].map(lineOf)]
  })
}

function lineOf(alike: readonly Survivor[]): string {
  const { function: name, reason = 'no reason is given' } = alike[0] as Survivor
  return `- \`${name}\`, ${alike.map(({ mutant }) => quoted(mutant)).join(', ')}: ${reason}`
}

/** A Markdown code span. The code may contain backticks. */
function quoted(code: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  return fence.length === 1 ? `\`${code}\`` : `${fence} ${code} ${fence}`
}
