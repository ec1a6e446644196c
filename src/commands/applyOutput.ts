import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/report.ts'
import type { Call } from './command.ts'
import { failuresText } from './failures.ts'
import type { formats } from './options.ts'
import { renderReport } from './render.ts'
import { unmatchedText } from './waivers.ts'

type Format = (typeof formats)[number]
type OutputOptions = { readonly format: Format; readonly waivers: readonly Waiver[]; readonly now: () => number }

/**
 * Prints the reports of one `apply`. If the format is a document, standard output gets exactly one, at the end. The plan about which a person is asked goes
 * to standard error then.
 */
export function openApplyOutput({ format, waivers, now }: OutputOptions, { values, terminal }: Pick<Call, 'values' | 'terminal'>) {
  const isDocument = format !== 'text'
  const rendered = (report: CycleReport, as: Format, goesOn = false) => renderReport(report, as, terminal, values, now(), goesOn)
  let isUnmatchedSaid = false
  function sayUnmatched(report: CycleReport): void {
    if (!isUnmatchedSaid) terminal.err(unmatchedText(waivers, report))
    isUnmatchedSaid = true
  }
  return {
    /** The report of a cycle after which there is nothing to write. */
    result(report: CycleReport): void {
      terminal.out(rendered(report, format))
      terminal.err(failuresText(report, terminal))
    },
    /** The plan about which a person is asked. */
    plan(report: CycleReport): void {
      if (isDocument) terminal.err(rendered(report, 'text'))
      else terminal.out(rendered(report, 'text'))
      sayUnmatched(report)
    },
    /** The document of a plan that the person did not approve. The text was shown before the question. */
    unwritten(report: CycleReport): void {
      if (isDocument) terminal.out(rendered(report, format))
    },
    round(report: CycleReport, goesOn: boolean): void {
      if (!isDocument) terminal.out(rendered(report, format, goesOn))
      sayUnmatched(report)
    },
    /** `report`: of all rounds; `last`: of the last one, which may have failed after earlier rounds wrote. */
    end(report: CycleReport, last: CycleReport): void {
      if (isDocument) terminal.out(rendered(report, format))
      const failed = last.workspaces.filter(({ kind }, index) => kind === 'failed' && report.workspaces[index]?.kind !== kind)
      terminal.err(failuresText({ ...last, directories: [], workspaces: failed }, terminal))
      terminal.err(failuresText(report, terminal))
    },
  }
}
