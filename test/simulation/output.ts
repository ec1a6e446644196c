import { viewsOf } from '../../src/commands/render.ts'
import type { CycleReport } from '../../src/cycle/cycleReport.ts'
import type { LineSink } from '../../src/log/line.ts'
import { openLogger } from '../../src/log/logger.ts'
import { openReportLog } from '../../src/log/report.ts'
import { planJson } from '../../src/render/json.ts'
import { planMarkdown } from '../../src/render/markdown.ts'
import { plansText } from '../../src/render/plansText.ts'

/** The output of a world for people: the plan in each format, and the log. */
export type Output = {
  readonly report: (report: CycleReport, nowMs: number) => void
  readonly error: (error: unknown) => void
  /** For the writes. */
  readonly log: LineSink
  readonly texts: readonly string[]
}

export function openOutput(scrub: (text: string) => string): Output {
  const texts: string[] = []
  const log = openLogger({
    level: 'debug',
    format: 'json',
    color: false,
    stream: { write: (text: string) => texts.push(text) },
    scrub,
    now: () => 0,
  })
  const logReport = openReportLog(log)
  return {
    report(report, nowMs) {
      logReport(report)
      const views = viewsOf(report, nowMs)
      texts.push(plansText(views, { colour: false, width: 100 }), planMarkdown(views), planJson(views))
    },
    error: (error) => log.error({ err: error }, 'this cycle came to nothing'),
    log,
    texts,
  }
}
