/** Wrong passwords of one client that cost no time, and how long each further one makes it wait. */
const freeMax = 10
const eachMs = 1_000
/** Over all clients: an attacker may have many addresses. So many wrong passwords a second are compared, and no more. */
const allMax = 50
const allEachMs = 20
/** Clients that are remembered. The one that was wrong least recently is forgotten first. */
const clientsMax = 1_000

type Guesses = {
  /** How long the client must wait before its password is compared, in ms; 0 if it need not wait. */
  readonly waitMs: (client: string) => number
  readonly wrong: (client: string) => void
}

/**
 * Slows down whoever guesses a password, and nobody else: another client is compared at once, and the same one a second after its last wrong password.
 *
 * @param now by a steady clock, in ms
 */
export function openGuesses(now: () => number): Guesses {
  const clients = new Map<string, number>()
  let all = 0
  return {
    waitMs(client) {
      const atMs = now()
      return Math.max(0, (clients.get(client) ?? 0) - freeMax * eachMs - atMs, all - allMax * allEachMs - atMs)
    },
    wrong(client) {
      const atMs = now()
      const paidMs = Math.max(atMs, clients.get(client) ?? 0) + eachMs
      all = Math.max(atMs, all) + allEachMs
      clients.delete(client)
      clients.set(client, paidMs)
      const [oldest] = clients.keys()
      if (clients.size > clientsMax && oldest !== undefined) clients.delete(oldest)
    },
  }
}
