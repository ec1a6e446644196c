import type { WorkspaceName } from '../core/mapping.ts'
import type { WaiverWords } from '../core/waiverWords.ts'
import { type Call, type ExitCode, UsageError } from './command.ts'

/**
 * One approval for a daemon. `words`: the changes that may pass. `passes`: the names of projects and groups with another id that are accepted. `forMs`: for
 * how long it counts. `by`: the name that the person gives. A workspace can have several: one for single changes, and one for each limit of its plan.
 */
export type HandedApproval = {
  readonly workspace: WorkspaceName
  readonly words?: WaiverWords
  readonly passes: readonly string[]
  readonly forMs: number
  readonly reason: string
  readonly by: string
}

/** Hands approvals to the daemon that holds the journal. @throws {UsageError} if there is none */
export async function handApproval(_approvals: readonly HandedApproval[], _call: Call): Promise<ExitCode> {
  throw noDaemon()
}

/** Ends an approval of the daemon that holds the journal. @throws {UsageError} if there is none */
export async function handWithdrawal(_approval: { readonly name: string; readonly by: string }, _call: Call): Promise<ExitCode> {
  throw noDaemon()
}

export const noDaemon = (): UsageError =>
  new UsageError('no daemon takes an order: none holds the journal of these settings', {
    cure: 'without --now, approve prints the words for a file of the declaration; apply --allow ID lets a change pass without a daemon',
  })
