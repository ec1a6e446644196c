import type { Quota, RateFacts } from '../../http/rateHeaders.ts'
import {
  aged,
  type Budget,
  type BudgetSettings,
  ceiling,
  type ForeignUsage,
  foreignUsageAt,
  freshShare,
  occupyingAt,
  tickMs,
  used,
  windowsUntilRetest,
} from './budget.ts'

/** The result of one request, as far as the budget needs it. `silence`: no answer came; `sent` is false only if no byte left this machine. */
export type RequestResult = RateFacts | { readonly kind: 'silence'; readonly sent: boolean }

/** One answered request. `overlapping`: other requests of ours were in flight at the same time. */
type Request = { readonly sentAtMs: number; readonly now: number; readonly overlapping: boolean }

/**
 * The budget after an answer, or after a request without one.
 *
 * @param sentAtMs the time with which the function `sent` of `budget.ts` counted this request
 * @param now when the answer was complete, or when the request was given up
 */
export function received(budget: Budget, sentAtMs: number, facts: RequestResult, now: number): Budget {
  const before = aged(budget, now)
  const inFlight = before.inFlight.toSpliced(Math.max(0, before.inFlight.indexOf(sentAtMs)), 1)
  const settled = {
    ...before,
    inFlight,
    overlapping: before.overlapping && inFlight.length > 0,
    countedAtMs: isCounted(facts) ? [...before.countedAtMs, now] : before.countedAtMs,
    blockedUntilMs: Math.max(before.blockedUntilMs, blockedUntil(facts, before.settings, now)),
  }
  if (facts.kind === 'silence') return settled
  if (facts.status === 429) return throttled(settled, before, sentAtMs, now)
  const quota = bindingOf(facts.quotas, before.settings)
  const publishedLimit = publication(before, facts, quota?.limit, now)
  const most = ceiling(before.settings, publishedLimit.published)
  const withPublished = { ...settled, ...publishedLimit, limit: before.published === publishedLimit.published ? before.limit : most }
  return {
    ...withForeignUsage(withPublished, quota, { sentAtMs, now, overlapping: before.overlapping }),
    lastAnswer: { atMs: now, remaining: quota?.remaining },
  }
}

/** Plane does not count a 429, a 401, a 403 or a redirect (measured). Any other request may have been counted. */
function isCounted(facts: RequestResult): boolean {
  if (facts.kind === 'silence') return facts.sent
  const { status } = facts
  return !(status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400))
}

/**
 * The published limit after an answer. An error, or an answer that Plane does not count, may tell the limit of a gateway and is ignored.
 * A limit that no answer repeats for one window is dropped.
 */
function publication(before: Budget, facts: RequestResult & { kind: 'answer' }, limit: number | undefined, now: number) {
  const { published, publishedAtMs, settings } = before
  if (facts.status >= 500 || !isCounted(facts)) return { published, publishedAtMs }
  if (limit !== undefined) return { published: limit, publishedAtMs: now }
  return { published: now < publishedAtMs + settings.windowMs ? published : undefined, publishedAtMs }
}

/** The quota with the least remaining, among those for the settings' window. */
const bindingOf = (quotas: readonly Quota[], settings: BudgetSettings): Quota | undefined =>
  quotas
    .filter((quota) => isOfWindow(quota, settings))
    .toSorted((a, b) => (a.remaining ?? Number.POSITIVE_INFINITY) - (b.remaining ?? Number.POSITIVE_INFINITY))[0]

const isOfWindow = ({ windowS }: Quota, { windowMs }: BudgetSettings) => windowS === undefined || windowS === Math.ceil(windowMs / 1000)

function blockedUntil(facts: RequestResult, settings: BudgetSettings, now: number): number {
  if (facts.kind === 'silence') return 0
  const { windowMs, blockedMaxMs, reserve } = settings
  // The budget counts the settings' window only. For a quota with another window, such as a day: as soon as nothing but the reserve is
  // left, we wait for the reset of that quota.
  const spent = facts.quotas.filter((quota) => !isOfWindow(quota, settings) && isSpent(quota, reserve))
  // After its limit was lowered, Plane sends a 429 without `Retry-After`. After one window without requests, the service has forgotten every
  // request that it counted.
  const unsaidMs = facts.status === 429 ? Math.min(bindingOf(facts.quotas, settings)?.resetMs ?? windowMs, windowMs) : undefined
  const waitsMs = [facts.retryAfterMs ?? unsaidMs, ...spent.map(({ resetMs }) => resetMs)].filter((ms) => ms !== undefined)
  // A 429 that allows the next request at once cannot be right, so after a 429 there is always a small pause.
  const leastMs = facts.status === 429 ? Math.ceil(windowMs / 60) : tickMs
  const longestMs = waitsMs.reduce((longest, ms) => Math.max(longest, ms), leastMs)
  return waitsMs.length === 0 ? 0 : now + Math.min(longestMs, blockedMaxMs)
}

const isSpent = ({ limit = 0, remaining = Number.POSITIVE_INFINITY }: Quota, reserve: number) => remaining <= Math.ceil(limit * reserve)

/**
 * The budget after a 429. If the last pause ended less than a window ago, the new one is at least twice as long, up to one window. Requests of others
 * that occupy a place at this time occupy it for one more window.
 *
 * The limit stays in three cases:
 * - our estimate said that some requests of others had expired before this request was sent. The estimate was wrong. For the next few windows each
 *   request of others therefore occupies its place for a whole window;
 * - the occupied places (`used`) had reached the limit;
 * - the process runs for less than a window, and less than half the limit is occupied: requests before its start may explain the 429.
 *
 * Otherwise the limit was too high. It is lowered by 1 if `Remaining` falls when we send (`remainingFollows`), else to the number of occupied places,
 * but never below half of the limit.
 */
function throttled(settled: Budget, before: Budget, sentAtMs: number, now: number): Budget {
  const { windowMs } = settled.settings
  // This request was sent before the credential was blocked, so its 429 says nothing new.
  if (before.blockedUntilMs > now) return { ...settled, lastAnswer: undefined }
  const isRepeated = now < before.blockedUntilMs + windowMs
  const pauseMs = Math.max(settled.blockedUntilMs - now, isRepeated ? Math.min(windowMs, 2 * before.pauseMs) : 0)
  const estimateWasWrong = someHadExpired(settled, sentAtMs)
  const noEvenExpiryUntilMs = estimateWasWrong ? now + windowsUntilRetest * windowMs : settled.foreignUsage.noEvenExpiryUntilMs
  const foreignUsage: ForeignUsage = { count: foreignUsageAt(settled, now), atMs: now, expiredMs: now + windowMs, noEvenExpiryUntilMs }
  const refused = { ...settled, foreignUsage, pauseMs, blockedUntilMs: now + pauseMs, lastAnswer: undefined }
  const counted = used(settled, now)
  const half = Math.floor(before.limit / 2)
  const maybeEarlierUsage = counted < half && now < (before.beganMs ?? now) + windowMs
  if (estimateWasWrong || counted >= before.limit || maybeEarlierUsage) return refused
  const remainingFollows = before.remainingFollows && !answerShowedRoom(before, sentAtMs)
  const limit = Math.max(1, half, remainingFollows ? before.limit - 1 : counted)
  return { ...refused, remainingFollows, limit, growsAtMs: now + windowsUntilRetest * windowMs }
}

/** When the request was sent, some of others' requests had expired by our estimate. */
const someHadExpired = (budget: Budget, sentAtMs: number) => foreignUsageAt(budget, sentAtMs) < budget.foreignUsage.count

/** Shortly before the request was sent, an answer said that more requests remained than were in flight. */
const answerShowedRoom = ({ lastAnswer, inFlight, settings }: Budget, sentAtMs: number) =>
  lastAnswer?.remaining !== undefined &&
  lastAnswer.remaining > inFlight.length &&
  sentAtMs < lastAnswer.atMs + settings.windowMs * freshShare

/**
 * The budget after an answer that is no 429. Others' usage is the service's count minus our own requests. One low `Remaining` raises this usage. Only
 * the answer to a request that was alone in flight lowers it: a service without a lock counts too few of overlapping requests. The service made its
 * count at an unknown time after `sentAtMs`. So our own requests, which are subtracted, are those that occupied a place at `sentAtMs`, and those in
 * flight now.
 */
function withForeignUsage(budget: Budget, quota: Quota | undefined, { sentAtMs, now, overlapping }: Request): Budget {
  if (quota?.remaining === undefined) return budget
  const { remaining, resetMs } = quota
  const { settings, inFlight, lastAnswer, foreignUsage } = budget
  const most = ceiling(settings, budget.published)
  // The limit that `Remaining` is counted from. If `Remaining` does not follow our sending, a lowered limit is the better guess.
  const limitOfRemaining = budget.remainingFollows ? most : budget.limit
  const count = Math.max(0, limitOfRemaining - remaining - occupyingAt(budget.countedAtMs, sentAtMs, settings).length - inFlight.length)
  const fell = remaining < (lastAnswer?.remaining ?? 0)
  const remainingFollows = budget.remainingFollows || fell
  // Once `Remaining` follows our sending, it prevents a 429, and the lowered limit is no longer needed.
  const withFollows = { ...budget, remainingFollows, limit: remainingFollows && !budget.remainingFollows ? most : budget.limit }
  if (overlapping && count <= foreignUsageAt(budget, now)) return withFollows
  const expiredMs = now + Math.min(settings.windowMs, resetMs ?? settings.windowMs)
  const estimateWasWrong = someHadExpired(budget, sentAtMs) && fell
  const noEvenExpiryUntilMs = estimateWasWrong ? now + windowsUntilRetest * settings.windowMs : foreignUsage.noEvenExpiryUntilMs
  return { ...withFollows, foreignUsage: { count, atMs: now, expiredMs, noEvenExpiryUntilMs } }
}
