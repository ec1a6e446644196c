import { kindOf } from './change.ts'
import { cost } from './cost.ts'
import { feltText } from './groupSync.ts'
import { boundText, count, counted } from './quantity.ts'
import type { View } from './view.ts'

/** What a plan means: when people feel it, by the settings as the plan leaves them, and what it costs. */
export function meaningText({ about, verdict: { plan } }: Pick<View, 'about' | 'verdict'>): string {
  const { changes } = plan
  const asSet = changes.find((change) => change.action === 'settings')?.after
  const settings = asSet === undefined ? about.groupSync : { ...about.groupSync, ...asSet }
  const takesAway = changes.some((change) => change.action === 'delete' || kindOf(change, about.roles) === 'lower')
  const { calls, ms } = cost({ changes: changes.length, quietCalls: about.quietCalls, perMinute: about.perMinute })
  return `${feltText(settings, takesAway)} ${counted(calls, 'call')}, under ${boundText(ms)} at ${count(about.perMinute)} a minute.`
}
