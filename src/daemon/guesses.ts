/** Wrong passwords of one client that cost no time, and how long each further one makes it wait. */
const freeMax = 10
const eachMs = 1_000
/** Over all clients: an attacker may have many addresses. So many wrong passwords a second are compared, and no more. */
const allMax = 50
const allEachMs = 20
/** Clients that are remembered. The one that was wrong least recently is forgotten first: after so many others it owes nothing any more. */
const clientsMax = 1_000

/** `waitMs`: the password was not compared, and the client must wait so long. */
type Guess = { readonly is: 'right' } | { readonly is: 'wrong' } | { readonly is: 'tooSoon'; readonly waitMs: number }

/**
 * Slows down whoever guesses a password, and nobody else: another client is compared at once, and the same one a second after its last wrong password.
 * What all clients together owe is never more than about a second.
 *
 * @param now by a steady clock, in ms
 */
export function openGuesses(now: () => number) {
  const clients = new Map<string, number>()
  let all = 0
  return {
    /** Compares and counts in one step, so that none of many requests at the same time is compared before the others are counted. */
    guess(client: string, isRight: () => boolean): Guess {
      const atMs = now()
      const owedMs = Math.max(atMs, clients.get(client) ?? 0)
      const waitMs = Math.max(0, owedMs - freeMax * eachMs - atMs, all - allMax * allEachMs - atMs)
      if (waitMs > 0) return { is: 'tooSoon', waitMs }
      if (isRight()) return { is: 'right' }
      all = Math.max(atMs, all) + allEachMs
      clients.delete(client)
      clients.set(client, owedMs + eachMs)
      const [oldest] = clients.keys()
      if (clients.size > clientsMax && oldest !== undefined) clients.delete(oldest)
      return { is: 'wrong' }
    },
  }
}

/** At most so often a line says that somebody guesses. */
const saidEachMs = 60_000

/** Wrong passwords for the log: the first at once, the next ones together. `say` gets how many there were, and the client that was wrong most often. */
export function openWrongs(say: (wrongs: Wrongs) => void) {
  let tries = new Map<string, number>()
  let [compared, tooSoon] = [0, 0]
  let next: NodeJS.Timeout | undefined
  const sayAll = () => {
    next = undefined
    if (tries.size === 0) return
    const [client] = tries.entries().reduce((a, b) => (b[1] > a[1] ? b : a))
    const wrongs = { compared, tooSoon, client, clients: tries.size }
    tries = new Map()
    compared = tooSoon = 0
    next = setTimeout(sayAll, saidEachMs).unref()
    say(wrongs)
  }
  return {
    count(client: string, is: 'wrong' | 'tooSoon') {
      if (tries.has(client) || tries.size < clientsMax) tries.set(client, (tries.get(client) ?? 0) + 1)
      if (is === 'wrong') compared++
      else tooSoon++
      if (next === undefined) sayAll()
    },
  }
}

/** `compared`, `tooSoon`: passwords that were wrong, and those that were not compared. `client`: the one with the most of them. */
export type Wrongs = { readonly compared: number; readonly tooSoon: number; readonly client: string; readonly clients: number }
