import { isIP } from 'node:net'

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
 * A client that guesses waits, until a second after its last wrong password. Others wait only while all together exceed 50 wrong passwords a second; then also
 * a right password is not compared. What all clients together owe is never more than about a second.
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

/**
 * Wrong passwords for the log: the first at once, the next ones together with the first that comes a minute later, or at the end.
 *
 * @param say gets how many there were, and the client that was wrong most often
 * @param now by a steady clock, in ms
 */
export function openWrongs(say: (wrongs: Wrongs) => void, now: () => number) {
  let tries = new Map<string, number>()
  let [compared, tooSoon] = [0, 0]
  let nextMs = Number.NEGATIVE_INFINITY
  const sayAll = () => {
    if (tries.size === 0) return
    const [client] = tries.entries().reduce((a, b) => (b[1] > a[1] ? b : a))
    const wrongs = { compared, tooSoon, client, clients: tries.size }
    tries = new Map()
    compared = tooSoon = 0
    nextMs = now() + saidEachMs
    say(wrongs)
  }
  return {
    count(client: string, is: 'wrong' | 'tooSoon') {
      if (tries.has(client) || tries.size < clientsMax) tries.set(client, (tries.get(client) ?? 0) + 1)
      if (is === 'wrong') compared++
      else tooSoon++
      if (now() >= nextMs) sayAll()
    },
    /** Says what has not been said yet. */
    close: sayAll,
  }
}

/** `compared`, `tooSoon`: passwords that were wrong, and those that were not compared. `client`: the one with the most of them. */
export type Wrongs = { readonly compared: number; readonly tooSoon: number; readonly client: string; readonly clients: number }

/**
 * By what the guesses of an address are counted. An address of IPv6 counts by its first half, since one machine has all of the second, and one that stands for
 * IPv4 by that. A port is left out: each connection has another one.
 *
 * @param text `203.0.113.7`, `203.0.113.7:51234`, `2001:db8::1`, `[2001:db8::1]:443`; any other text counts as it is
 */
export function guesserAt(text: string): string {
  const short = text.slice(0, 64)
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(short) ?? []
  const address = bracketed ?? dotted ?? short
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : short
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  const isOfFour = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff
  if (isOfFour) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The eight groups of an address of IPv6 (RFC 4291 §2.2): `::` stands for as many zeros as are missing, and the last four bytes may be those of IPv4. */
function groupsOf(address: string): readonly number[] {
  const [plain = ''] = address.split('%')
  const [before = '', after] = plain.split('::')
  const [first, last] = [partGroups(before), partGroups(after ?? '')]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

const partGroups = (part: string): readonly number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [(a << 8) | b, (c << 8) | d]
      })
