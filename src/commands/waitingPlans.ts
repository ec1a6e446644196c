import type { WaitingPlan } from '../render/approvable.ts'
import { hasPlan } from '../render/hasPlan.ts'
import { workspaceOf } from '../render/json.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { serviceOf } from '../settings/service.ts'
import type { Call } from './command.ts'
import { dryCycle } from './dryCycle.ts'
import { failuresText } from './failures.ts'
import { lastOf } from './lastOf.ts'
import { openProgramOf } from './open.ts'
import { ownHolder } from './orders/askDaemon.ts'
import { shownViews } from './render.ts'
import { onlyWorkspaces } from './workspaces.ts'

/** `ofDaemon`: they are those of the last cycle of the daemon that holds the journal. `isWhole`: every workspace has a plan. */
type WaitingPlans = { readonly plans: readonly WaitingPlan[]; readonly ofDaemon: boolean; readonly isWhole: boolean }

/** The plans in which changes wait: beside a daemon those that it left, so that Plane is not asked; otherwise fresh ones. */
export async function waitingPlans(loaded: LoadedSettings, call: Call): Promise<WaitingPlans> {
  return (await plansOfDaemon(loaded, call)) ?? (await freshPlans(loaded, call))
}

/** Whether a daemon of the same service holds the journal. */
export async function isDaemonHere({ settings, path }: LoadedSettings, { terminal }: Pick<Call, 'terminal'>): Promise<boolean> {
  const { journal } = settings
  const holder = journal === 'none' ? undefined : await ownHolder(path(journal.folder), serviceOf(settings), terminal)
  return holder?.as === 'daemon'
}

async function plansOfDaemon(loaded: LoadedSettings, call: Call): Promise<WaitingPlans | undefined> {
  const { settings, path } = loaded
  if (settings.journal === 'none' || !(await isDaemonHere(loaded, call))) return undefined
  const found = await lastOf(path(settings.journal.folder), serviceOf(settings))
  if (found.kind !== 'last') return undefined
  const only = onlyWorkspaces(call.values, settings) as ReadonlySet<string> | undefined
  const workspaces = found.last.workspaces.filter(({ plan }) => only?.has(plan.workspace) !== false)
  const plans = workspaces.flatMap((one) => (hasPlan(one) ? [one.plan] : []))
  const isWhole = found.last.leftOut === undefined && workspaces.every((one) => hasPlan(one) && one.leftOut === undefined)
  return { plans, ofDaemon: true, isWhole }
}

export async function freshPlans(loaded: LoadedSettings, { values, terminal, signal }: Call): Promise<WaitingPlans> {
  const only = onlyWorkspaces(values, loaded.settings)
  await using open = await openProgramOf(loaded, values, terminal, [], signal)
  const { clock } = open.world
  const report = await dryCycle(open, { only }, signal)
  terminal.err(failuresText(report, { ...terminal, isTerminal: { ...terminal.isTerminal, out: false } }))
  const documents = shownViews(report, terminal, clock.now()).map(workspaceOf)
  const plans = documents.flatMap((one) => (one.standing === 'failed' ? [] : [one]))
  return { plans, ofDaemon: false, isWhole: plans.length === documents.length }
}
