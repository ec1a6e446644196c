import type { Allowance } from './audit/approvals.ts'
import type { Shown } from './audit/orders.ts'

/** The events of a world, for the auditor. Times are true times, epoch ms. */
export type Happened = { readonly atMs: number } & (
  | {
      readonly is: 'start'
      readonly process: number
      readonly mode: 'daemon' | 'once'
      readonly skewMs: number
      /** How much faster its clock runs. */
      readonly drift: number
      /** The folder of the process's journal. */
      readonly folder: string
    }
  /** The clock of the machine was set, for all processes on it. */
  | { readonly is: 'clockSet'; readonly byMs: number }
  | { readonly is: 'end' | 'kill' | 'power' | 'stop' | 'refusedStart'; readonly process: number }
  | { readonly is: 'broke'; readonly process: number; readonly error: string }
  | { readonly is: 'restless' }
  /** Another program used the key. */
  | { readonly is: 'foreign' }
  /** `isOrdered`: it is the cycle of an order. */
  | { readonly is: 'cycle'; readonly process: number; readonly isOrdered?: true }
  /** `judged`: the workspaces for which everything was read and a plan was made. */
  | { readonly is: 'cycled'; readonly process: number; readonly outcome: string; readonly judged: readonly string[] }
  /** The report of the program says that it has written this mapping. */
  | { readonly is: 'reported'; readonly process: number; readonly workspace: string; readonly does: string; readonly row: string }
  /** All that the process has written to its journal so far survives a power failure. */
  | { readonly is: 'durable'; readonly process: number }
  /** A declaration was accepted as valid; `versions` were on disk while it was read. With fences: it was read, and something of it may be invalid. */
  | { readonly is: 'declared'; readonly process: number; readonly versions: readonly number[]; readonly torn?: boolean }
  /** With fences: the process may now keep the declaration for a restart. */
  /** A person has approved a change, and the process may count on that from now on. */
  | { readonly is: 'approved'; readonly process: number; readonly approved: Allowance }
  /**
   * A person or a job hands an order to a process. `run`: the process that it is for; absent: one that has ended long ago. `allowed`: the changes that it
   * lets pass. `shown`: the changes that the person was shown, if these alone may be written. `ends`: an approval that it takes back.
   */
  | {
      readonly is: 'asks'
      readonly asker: number
      readonly order: string
      readonly kind: 'plan' | 'cycle' | 'approve' | 'withdraw'
      readonly run?: number
      readonly only?: readonly string[]
      readonly allowed: readonly Allowance[]
      readonly shown?: readonly Shown[]
      readonly ends?: string
    }
  /** A process executes an order from now on. `untilMs`: the end of the approvals that it has, by the date of the process. */
  | { readonly is: 'took'; readonly process: number; readonly order: string; readonly untilMs?: number }
  /** A process has executed an order. `ofCycle`: the last cycle was that of the order. */
  | { readonly is: 'answers'; readonly process: number; readonly order: string; readonly ofCycle: boolean; readonly exit: number }
  /** What the asker learns. `wasTaken`: whether the order may have been executed. */
  | {
      readonly is: 'heard'
      readonly asker: number
      readonly order: string
      readonly how: 'answered' | 'gone' | 'withdrawn' | 'left'
      readonly wasTaken?: boolean
      readonly exit?: number
    }
  | { readonly is: 'askerGone'; readonly asker: number }
  | { readonly is: 'askerBroke'; readonly asker: number; readonly error: string }
  /** The answer of a directory. */
  | {
      readonly is: 'directory'
      readonly process: number
      readonly directory: string
      readonly whole: boolean
      readonly names: readonly string[]
      /** The ids of these groups. */
      readonly ids: readonly string[]
    }
  /** The answer of a directory about the members of groups. */
  | { readonly is: 'members'; readonly process: number; readonly of: Readonly<Record<string, readonly string[]>> }
  | {
      readonly is: 'sent'
      readonly process: number
      readonly request: number
      readonly method: string
      readonly path: string
      readonly query: string
      readonly body: string
      readonly fate: string
    }
  | { readonly is: 'counted'; readonly request: number; readonly process: number }
  | { readonly is: 'throttled'; readonly request: number; readonly process: number; readonly byFate: boolean }
  | {
      readonly is: 'committed'
      readonly request: number
      readonly process: number
      readonly row: string | undefined
      readonly status: number
    }
  /** A complete answer arrived at the process. */
  | {
      readonly is: 'answered'
      readonly request: number
      readonly process: number
      readonly status: number
      readonly body: string
      readonly intact: boolean
      /** How long the answer asks to wait. */
      readonly retryAfterS?: number
    }
  | { readonly is: 'silence'; readonly request: number; readonly process: number; readonly why: string }
  /** `how`: the event in words. */
  | { readonly is: 'happening'; readonly what: string; readonly how: string; readonly others: number }
  /** A person writes a new version of the declaration's file. */
  | { readonly is: 'edit'; readonly version: number; readonly torn: boolean }
  /** The faults end here. From now on the world must settle. */
  | { readonly is: 'calm' }
)

export const traceLine = (beginMs: number, event: Happened): string => {
  const { atMs, is, ...rest } = event
  const told = Object.entries(rest).filter(([, value]) => value !== '' && value !== undefined)
  const said = told.map(([name, value]) => `${name}=${short(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`)
  return `${((atMs - beginMs) / 1000).toFixed(3).padStart(10)} s  ${is.padEnd(12)} ${said.join(' ')}`
}

const short = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
