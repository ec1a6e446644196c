import { sharedFindings } from '../core/findings/shared.ts'
import type { CycleReport } from '../cycle/report.ts'
import { reportFindings } from './metricTable.ts'
import type { Series } from './series.ts'

/** How many findings of each code there are. A workspace that failed keeps those of its last plan: a failed cycle must not end an alert on them. */
type FindingMetrics = {
  readonly expect: (workspaces: readonly string[]) => void
  /** @param all the last report of each workspace, also of those that the cycle was not about */
  readonly observe: (workspaces: CycleReport['workspaces'], all: CycleReport['workspaces']) => void
}

export function openFindingMetrics(series: Series): FindingMetrics {
  const codesOf = new Map<string, readonly string[]>()
  return {
    expect(workspaces) {
      for (const name of codesOf.keys()) if (!workspaces.includes(name)) codesOf.delete(name)
    },
    observe(workspaces, all) {
      for (const one of workspaces)
        if (one.kind === 'judged' || one.kind === 'moved')
          codesOf.set(
            one.workspace,
            one.verdict.plan.findings.map(({ code }) => code),
          )
      const codes = [...[...codesOf.values()].flat(), ...sharedFindings(all).map(({ code }) => code)]
      for (const code of reportFindings) series.set('findings', { code }, codes.filter((one) => one === code).length)
    },
  }
}
