import type { Approved } from './audit/approvals.ts'

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
  | { readonly is: 'cycle'; readonly process: number }
  /** `judged`: the workspaces for which everything was read and a plan was made. */
  | { readonly is: 'cycled'; readonly process: number; readonly outcome: string; readonly judged: readonly string[] }
  /** The report of the program says that it has written this mapping. */
  | { readonly is: 'reported'; readonly process: number; readonly workspace: string; readonly does: string; readonly row: string }
  /** All that the process has written to its journal so far survives a power failure. */
  | { readonly is: 'durable'; readonly process: number }
  /** A declaration was accepted as valid; `versions` were on disk while it was read. With fences: it was read, and something of it may be invalid. */
  | { readonly is: 'declared'; readonly process: number; readonly versions: readonly number[]; readonly torn?: boolean }
  /** With fences: the process may now keep the declaration for a restart. */
  | { readonly is: 'declaring'; readonly process: number; readonly versions: readonly number[]; readonly torn?: boolean }
  /** A person has approved a change, and the process may count on that from now on. */
  | { readonly is: 'approved'; readonly process: number; readonly workspace: string; readonly approved: Approved }
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
