import { reasonOf } from './explained.ts'
import type { Reason } from './reasons.ts'
import { type FileScore, type MutationReport, shareOf, type Total, totalOf } from './score.ts'

/** The report as Markdown: how it was measured, a table of the files, and each survivor with its reason. The page lies in docs/. */
export function mutationSection(
  { measured, versions, files }: MutationReport,
  reasons: Readonly<Record<string, readonly Reason[]>>,
): string {
  const scores = Object.entries(files)
  const total = totalOf(Object.values(files))
  return [
    `Measured on ${measured}: StrykerJS ${versions.stryker}, vitest ${versions.vitest}, Node ${versions.node}. ` +
      `Of ${total.mutants} small changes to the code that decides, tests notice ${total.killed + total.timeout}, ${percent(total)}.`,
    '',
    ...table(files),
    '',
    '### What no test notices, and why that is left so',
    ...scores.flatMap(([path, score]) => survivorsOf(path, score, reasons)),
  ].join('\n')
}

/** As a person reads it in a terminal, too. */
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

/** Rounded down: 90 % is not said of 89.96. */
const percent = (total: Total): string => `${(Math.floor(shareOf(total) * 1000) / 10).toFixed(1)} %`

function survivorsOf(path: string, score: FileScore, reasons: Readonly<Record<string, readonly Reason[]>>): readonly string[] {
  const byReason = Map.groupBy(score.survived, (survivor) => reasonOf(reasons, path, survivor) ?? 'no reason is given')
  if (byReason.size === 0) return []
  return [
    '',
    `[${path}](../${path})`,
    ...[...byReason].map(([reason, survivors]) => `- ${survivors.map(({ mutant }) => quoted(mutant)).join(', ')}: ${reason}`),
  ]
}

/** A Markdown code span, whatever stands in it. */
function quoted(code: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  return fence.length === 1 ? `\`${code}\`` : `${fence} ${code} ${fence}`
}
