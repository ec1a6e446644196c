import { freshShare } from './budget.ts'
import { aged, alive, type Budget, type BudgetSettings, ceiling, othersAt, tickMs, used, windowsToDoubt } from './budgetState.ts'

/** What an answer, or its absence, says about the budget. */
export type Facts =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number; readonly quotas: readonly Quota[] }
  | { readonly kind: 'silence'; readonly sent: boolean }

/** One limit as the service tells of it. */
export type Quota = {
  readonly limit?: number
  readonly remaining?: number
  /** Until the service starts anew: what it counts now is then forgotten. */
  readonly resetMs?: number
  /** In whole seconds; undefined where the service does not say: then it is the settings'. */
  readonly windowS?: number
}

/** One request as it went; `crowded`: others of ours were on their way with it. */
type Request = { readonly sentAtMs: number; readonly now: number; readonly crowded: boolean }

/**
 * The budget after an answer, or the absence of one.
 *
 * @param sentAtMs what `sent` was told
 * @param now when the answer was complete, or the request given up
 */
export function received(budget: Budget, sentAtMs: number, facts: Facts, now: number): Budget {
  const before = aged(budget, now)
  const inFlight = before.inFlight.toSpliced(Math.max(0, before.inFlight.indexOf(sentAtMs)), 1)
  const settled = {
    ...before,
    inFlight,
    crowded: before.crowded && inFlight.length > 0,
    ours: isCounted(facts) ? [...before.ours, now] : before.ours,
    blockedUntilMs: Math.max(before.blockedUntilMs, blockedUntil(facts, before.settings, now)),
  }
  if (facts.kind === 'silence') return settled
  if (facts.status === 429) return throttled(settled, before, sentAtMs, now)
  const quota = bindingOf(facts.quotas, before.settings)
  const said = publication(before, facts, quota?.limit, now)
  const most = ceiling(before.settings, said.published)
  const known = { ...settled, ...said, limit: before.published === said.published ? before.limit : most }
  return { ...learned(known, quota, { sentAtMs, now, crowded: before.crowded }), heard: { atMs: now, remaining: quota?.remaining } }
}

/** Plane counts neither refused requests nor refused credentials nor redirects (measured). All else may have been counted. */
function isCounted(facts: Facts): boolean {
  if (facts.kind === 'silence') return facts.sent
  const { status } = facts
  return !(status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400))
}

/** What the service says of its limit: beside an error a gateway speaks of its own, and what a window of answers does not repeat is over. */
function publication(before: Budget, facts: Facts & { kind: 'answer' }, limit: number | undefined, now: number) {
  const { published, publishedAtMs, settings } = before
  if (facts.status >= 500 || !isCounted(facts)) return { published, publishedAtMs }
  if (limit !== undefined) return { published: limit, publishedAtMs: now }
  return { published: now < publishedAtMs + settings.windowMs ? published : undefined, publishedAtMs }
}

/** Of the quotas that are about the settings' window the one with the least left. */
const bindingOf = (quotas: readonly Quota[], settings: BudgetSettings): Quota | undefined =>
  quotas
    .filter((quota) => isOurs(quota, settings))
    .toSorted((a, b) => (a.remaining ?? Number.POSITIVE_INFINITY) - (b.remaining ?? Number.POSITIVE_INFINITY))[0]

const isOurs = ({ windowS }: Quota, { windowMs }: BudgetSettings) => windowS === undefined || windowS === Math.ceil(windowMs / 1000)

function blockedUntil(facts: Facts, settings: BudgetSettings, now: number): number {
  if (facts.kind === 'silence') return 0
  const { windowMs, blockedMaxMs, reserve } = settings
  // Of another window, a day's perhaps, nothing is counted here: when its reserve is reached we wait for its end.
  const spent = facts.quotas.filter((quota) => !isOurs(quota, settings) && isSpent(quota, reserve))
  // Plane leaves Retry-After out after its limit was lowered; a window of silence empties every log.
  const unsaidMs = facts.status === 429 ? Math.min(bindingOf(facts.quotas, settings)?.resetMs ?? windowMs, windowMs) : undefined
  const waitsMs = [facts.retryAfterMs ?? unsaidMs, ...spent.map(({ resetMs }) => resetMs)].filter((ms) => ms !== undefined)
  // A 429 that says "now" is wrong, at least by the round trip.
  const leastMs = facts.status === 429 ? Math.ceil(windowMs / 60) : tickMs
  const longestMs = waitsMs.reduce((longest, ms) => Math.max(longest, ms), leastMs)
  return waitsMs.length === 0 ? 0 : now + Math.min(longestMs, blockedMaxMs)
}

const isSpent = ({ limit = 0, remaining = Number.POSITIVE_INFINITY }: Quota, reserve: number) => remaining <= Math.ceil(limit * reserve)

/**
 * After a 429. What it contradicts is given up: that others have left; else, where our own count does not explain it, the limit.
 * It is lowered by one place where `Remaining` keeps count of the rest, and otherwise to what was used, but at most by half.
 */
function throttled(settled: Budget, before: Budget, sentAtMs: number, now: number): Budget {
  const { windowMs } = settled.settings
  // Refused together with another one.
  if (before.blockedUntilMs > now) return { ...settled, heard: undefined }
  const again = now < before.blockedUntilMs + windowMs
  const pauseMs = Math.max(settled.blockedUntilMs - now, again ? Math.min(windowMs, 2 * before.pauseMs) : 0)
  const guessed = hadLeft(settled, sentAtMs)
  const stayUntilMs = guessed ? now + windowsToDoubt * windowMs : settled.others.stayUntilMs
  const others = { count: othersAt(settled, now), atMs: now, goneMs: now + windowMs, stayUntilMs }
  const refused = { ...settled, others, pauseMs, blockedUntilMs: now + pauseMs, heard: undefined }
  const known = used(settled, now)
  const half = Math.floor(before.limit / 2)
  const unknownPast = known < half && now < (before.beganMs ?? now) + windowMs
  if (guessed || known >= before.limit || unknownPast) return refused
  const follows = before.follows && !saidMore(before, sentAtMs)
  const limit = Math.max(1, half, follows ? before.limit - 1 : known)
  return { ...refused, follows, limit, growsAtMs: now + windowsToDoubt * windowMs }
}

/** The request was sent because some of the others were believed to have left meanwhile. */
const hadLeft = (budget: Budget, sentAtMs: number) => othersAt(budget, sentAtMs) < budget.others.count

/** Not long before it was sent an answer had said that more was left than was on its way. */
const saidMore = ({ heard, inFlight, settings }: Budget, sentAtMs: number) =>
  heard?.remaining !== undefined && heard.remaining > inFlight.length && sentAtMs < heard.atMs + settings.windowMs * freshShare

/**
 * Others' use is what the service counts beyond our own. It rises with one low `Remaining`, and falls only with an answer that came alone:
 * of requests that overlap a service without a lock counts too few.
 * The service counted at some time since the sending, so it may have counted whatever occupied a place then.
 */
function learned(budget: Budget, quota: Quota | undefined, { sentAtMs, now, crowded }: Request): Budget {
  if (quota?.remaining === undefined) return budget
  const { remaining, resetMs } = quota
  const { settings, inFlight, heard, others } = budget
  const most = ceiling(settings, budget.published)
  // Where it does not follow our sending, a lowered limit is the better guess of what it is counted from.
  const whole = budget.follows ? most : budget.limit
  const count = Math.max(0, whole - remaining - alive(budget.ours, sentAtMs, settings).length - inFlight.length)
  const fell = remaining < (heard?.remaining ?? 0)
  const follows = budget.follows || fell
  // From now on `Remaining` guards against what a lowered limit was to guard against.
  const wiser = { ...budget, follows, limit: follows && !budget.follows ? most : budget.limit }
  if (crowded && count <= othersAt(budget, now)) return wiser
  const goneMs = now + Math.min(settings.windowMs, resetMs ?? settings.windowMs)
  const stayed = hadLeft(budget, sentAtMs) && fell
  const stayUntilMs = stayed ? now + windowsToDoubt * settings.windowMs : others.stayUntilMs
  return { ...wiser, others: { count, atMs: now, goneMs, stayUntilMs } }
}
