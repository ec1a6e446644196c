import { endingSoon } from '../core/later.ts'
import type { CycleReport } from '../cycle/report.ts'
import { sectionsOf } from '../render/sections.ts'
import type { Series } from './series.ts'

/** What waits, is held, or ends soon, by the owner of the rules. A workspace that failed keeps the numbers of its last plan. */
type Owners = {
  /** The owners that the fences of the settings name. All others count as `none`, so that the number of series is bounded. */
  readonly expect: (owners: readonly string[], workspaces: readonly string[]) => void
  /** @param dateMs of the report, epoch ms */
  readonly observe: (workspaces: CycleReport['workspaces'], dateMs: number) => void
}

const metricKeys = ['ownerWaiting', 'ownerHeld', 'ownerExpiring'] as const
type Numbers = Readonly<Record<(typeof metricKeys)[number], ReadonlyMap<string, number>>>

const nobody = 'none'

export function openOwnerMetrics(series: Series): Owners {
  let known = new Set<string>([nobody])
  const last = new Map<string, Numbers>()

  function show(): void {
    for (const key of metricKeys) {
      const sums = new Map([...known].map((owner) => [owner, 0]))
      for (const numbers of last.values())
        for (const [name, number] of numbers[key]) {
          const owner = known.has(name) ? name : nobody
          sums.set(owner, (sums.get(owner) ?? 0) + number)
        }
      series.drop(key)
      for (const [owner, sum] of sums) series.set(key, { owner }, sum)
    }
  }

  return {
    expect(owners, workspaces) {
      known = new Set([nobody, ...owners])
      for (const name of last.keys()) if (!workspaces.includes(name)) last.delete(name)
      show()
    },
    observe(workspaces, dateMs) {
      for (const one of workspaces) {
        const numbers = numbersOf(one, dateMs)
        if (numbers !== undefined) last.set(one.workspace, numbers)
      }
      show()
    },
  }
}

function numbersOf(report: CycleReport['workspaces'][number], dateMs: number): Numbers | undefined {
  if (report.kind !== 'judged') return undefined
  const { plan } = report.verdict
  const { waiting, held, kept, dangling } = sectionsOf(plan)
  return {
    ownerWaiting: countByOwner(waiting),
    ownerHeld: countByOwner([...held, ...kept, ...dangling]),
    ownerExpiring: countByOwner(endingSoon(plan.later, dateMs)),
  }
}

type Owned = { readonly because?: { readonly owner?: string } }

function countByOwner(rows: readonly Owned[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { because } of rows) {
    const owner = because?.owner ?? ''
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}
