import type { Change } from '../change.ts'
import type { Key, Role } from '../mapping.ts'
import type { Entry } from '../memory/entry.ts'
import type { Ownership } from '../memory/ownership.ts'
import type { Outcome } from '../outcome.ts'

/**
 * What one entry of the journal says of a key. `write`: a write was tried; without an outcome no result of it is known. `ownership`: what became known
 * of where the mapping comes from; null: nothing is known of it any more. `seen`: a list showed it so. `isFirst`: in the first reading that the journal has. `approval`: a person let a change of the key pass. `run`: the process. `command`: its
 * command, if that is known.
 */
export type KeyEvent = { readonly atMs: number; readonly run: string; readonly command?: string } & (
  | { readonly kind: 'write'; readonly change: Change; readonly outcome?: Outcome }
  | { readonly kind: 'ownership'; readonly ownership: Ownership | null }
  | { readonly kind: 'seen'; readonly role: Role | null; readonly isFirst?: true }
  | { readonly kind: 'approval'; readonly by: string; readonly account: string; readonly reason: string; readonly untilMs: number }
)

/**
 * The events of a key among the entries of one file of the journal. An intent whose result is known is no event of its own.
 *
 * @param entries the older ones first
 * @param isSettled whether a newer file begins with the result of this change
 */
export function keyEvents(key: Key, entries: readonly Entry[], isSettled: (change: Change['id']) => boolean): readonly KeyEvent[] {
  const events = new Map<Entry, KeyEvent>()
  const open = new Map<Change['id'], Entry>()
  for (const entry of entries) {
    const event = eventOf(key, entry)
    if (event === undefined) continue
    if (entry.kind === 'result') {
      const intent = open.get(entry.change.id)
      if (intent !== undefined) events.delete(intent)
      open.delete(entry.change.id)
    }
    if (entry.kind === 'intent') open.set(entry.change.id, entry)
    events.set(entry, { atMs: entry.atMs, run: entry.run, ...event })
  }
  for (const [id, intent] of open) if (isSettled(id)) events.delete(intent)
  return [...events.values()]
}

type Said<T> = T extends unknown ? Omit<T, 'atMs' | 'run' | 'command'> : never

function eventOf(key: Key, entry: Entry): Said<KeyEvent> | undefined {
  switch (entry.kind) {
    case 'intent':
      return isAbout(key, entry.change) ? { kind: 'write', change: entry.change } : undefined
    case 'result':
      return isAbout(key, entry.change) ? { kind: 'write', change: entry.change, outcome: entry.outcome } : undefined
    case 'ownership': {
      const ownership = entry.keys[key]
      return ownership === undefined ? undefined : { kind: 'ownership', ownership }
    }
    case 'seen': {
      const state = Object.values(entry.mappings).find((mapping) => mapping.key === key)
      return state && { kind: 'seen', role: state.role, ...(entry.first === true ? { isFirst: true } : {}) }
    }
    case 'approval': {
      const { words, by, account, reason, untilMs } = entry.approval
      return words?.changes.some((change) => 'key' in change && change.key === key) === true
        ? { kind: 'approval', by, account, reason, untilMs }
        : undefined
    }
    default:
      return undefined
  }
}

const isAbout = (key: Key, change: Change): boolean => change.key === key || (change.action === 'rename' && change.from === key)
