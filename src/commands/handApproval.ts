import type { WorkspaceName } from '../core/mapping.ts'
import type { WaiverWords } from '../core/waiverWords.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type Call, choice, type ExitCode, UsageError } from './command.ts'
import { formats } from './options.ts'
import { printAnswer, type RunningDaemon, runningDaemon, showOf } from './orders/askDaemon.ts'

/**
 * One approval for a daemon. `words`: the changes that may pass. `plan`: the fingerprint of a plan that may exceed its limits. `passes`: the names of
 * projects and groups with another id that are accepted.
 */
export type HandedApproval = {
  readonly workspace: WorkspaceName
  readonly words?: WaiverWords
  readonly plan?: string
  readonly passes: readonly string[]
}

/** For how long approvals count, why, and the name that the person gives. */
type Given = { readonly forMs: number; readonly reason: string; readonly by: string }

/** Hands approvals to the daemon that has the journal open. It ends with the report of the daemon's next cycle. @throws {UsageError} if there is none */
export async function handApproval(
  loaded: LoadedSettings,
  approvals: readonly HandedApproval[],
  { forMs, reason, by }: Given,
  call: Call,
): Promise<ExitCode> {
  const { values, terminal, signal } = call
  const show = showOf(values, choice('format', values.format, formats, 'text'), terminal)
  const daemon = await daemonOf(loaded, call)
  return printAnswer(await daemon.ask({ kind: 'approve', approvals, forMs, reason, by, show }, signal), terminal)
}

/** Ends an approval of the daemon that has the journal open. @throws {UsageError} if there is none */
export async function handWithdrawal(
  loaded: LoadedSettings,
  { name, by }: { readonly name: string; readonly by: string },
  call: Call,
): Promise<ExitCode> {
  const daemon = await daemonOf(loaded, call)
  return printAnswer(await daemon.ask({ kind: 'withdraw', approval: name, by }, call.signal), call.terminal)
}

async function daemonOf(loaded: LoadedSettings, { values, terminal }: Call): Promise<RunningDaemon> {
  const daemon = await runningDaemon(loaded, values, terminal)
  if (daemon === undefined) throw noDaemon()
  return daemon
}

export const noDaemon = (): UsageError =>
  new UsageError('no daemon takes an order: none holds the journal of these settings', {
    cure: 'without --now, approve prints the words for a file of the declaration; apply --allow ID lets a change pass without a daemon',
  })
