import { jsonObjectIn } from '../core/jsonText.ts'
import type { Service } from '../core/memory/entry.ts'
import { defined } from '../core/optionalFields.ts'
import { isoTime } from '../core/quantity.ts'

/** The kind of process that holds a lock. It says what another process can ask of the holder. */
export type LockedAs = 'daemon' | 'run --once' | 'apply'

/** The process that holds a lock, as the lock file names it. */
export type Holder = {
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly sinceMs: number
  /**
   * The boot of the machine and the process namespace. Process numbers can be compared only if this text is equal, because containers and machines
   * may share a host name.
   */
  readonly numbers?: string
  /** When the process began, in ticks since the boot. A later process may get its number, and began later. */
  readonly began?: string
  /** A `LockedAs`; a newer version may have others. Absent in a lock of an older version. */
  readonly as?: string
  /** The service that it works with. */
  readonly service?: Service
}

/** The holder that the content of a lock file names; undefined if the content is none of this program, for instance because it is damaged. */
export function holderFrom(text: string): Holder | undefined {
  const { token, pid, host, sinceMs, numbers, began, as, service }: Partial<Record<keyof Holder, unknown>> = jsonObjectIn(text) ?? {}
  if (typeof token !== 'string' || typeof host !== 'string') return undefined
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  if (typeof sinceMs !== 'number' || isoTime(sinceMs) === undefined) return undefined
  const about = defined({ numbers: textOr(numbers), began: textOr(began), as: textOr(as), service: serviceIn(service) })
  return { token, pid, host, sinceMs, ...about }
}

function serviceIn(value: unknown): Service | undefined {
  const { host, slugs } = typeof value === 'object' && value !== null ? (value as Partial<Record<keyof Service, unknown>>) : {}
  if (typeof host !== 'string' || typeof slugs !== 'object' || slugs === null) return undefined
  return Object.values(slugs).every((slug) => typeof slug === 'string') ? { host, slugs: slugs as Service['slugs'] } : undefined
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Whether only the touches of the lock show that the holder is alive. */
export const mayBeLeft = (holder: Holder, thisProcess: Holder): boolean =>
  holder.host !== thisProcess.host ||
  holder.pid === thisProcess.pid ||
  (holder.numbers !== undefined && holder.numbers !== thisProcess.numbers)

/** Who holds a lock, and what another process does about it. */
export function holderText(holder: Holder | undefined, thisProcess: Holder): string {
  if (holder === undefined) return `another process holds this journal. ${adviceFor(undefined, thisProcess)}`
  const { pid, host, sinceMs } = holder
  return `process ${pid} on ${host} has held this journal since ${new Date(sinceMs).toISOString()}. ${adviceFor(holder, thisProcess)}`
}

function adviceFor(holder: Holder | undefined, thisProcess: Holder): string {
  switch (holder?.as) {
    case 'daemon':
      // A command hands its order to a daemon. So it only tries to take the lock if the daemon was not there a moment ago.
      if (thisProcess.as !== 'daemon') return 'It is a daemon that has just started: repeat the command, and the daemon carries it out'
      return `It is a daemon: let it do the work${mayBeLeft(holder, thisProcess) ? '' : ` (plane-group-sync reconcile makes it run a cycle now)`}, or stop it first`
    case 'apply':
      return 'It is an `apply`: wait until it ends, or stop it first'
    case 'run --once':
      return 'It is a `run --once`: wait until it ends, or stop it first'
    // An older version does not say what it is, and a newer one may say what this version does not know.
    default:
      return 'Let it do the work, or stop it first'
  }
}
