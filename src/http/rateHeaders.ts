import type { Answer } from './origin.ts'

/** One limit as a service reports it. */
export type Quota = {
  readonly limit?: number
  readonly remaining?: number
  /** Time until the service forgets everything that it counts now. */
  readonly resetMs?: number
  /** The window in whole seconds. Undefined: the service does not say. */
  readonly windowS?: number
}

/** What an answer says about the rate limit. `retryAfterMs`: the wait that the service asks for. */
export type RateFacts = {
  readonly kind: 'answer'
  readonly status: number
  readonly retryAfterMs?: number
  readonly quotas: readonly Quota[]
}

type RateAnswer = Pick<Answer, 'status' | 'headers'>

/**
 * Reads the rate-limit headers of an answer, under any of the names that are in use: `X-RateLimit-Limit`, `-Remaining`, `-Reset`; `X-Rate-Limit-Limit`
 * and so on (Okta); the same without `X-`, and their policies (`100, 100;w=60`); `RateLimit: limit=…, remaining=…, reset=…`; `RateLimit: "default";r=50;t=30` with
 * `RateLimit-Policy: "default";q=60;w=60`. A value that is no number is ignored. Several values of one header are ignored, too: two proxies may each
 * have sent their own.
 *
 * @param wallMs the time of the machine's clock, for dates of an answer that has no date itself
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ drafts 03, 07 and 10
 */
export function factsOf({ status, headers: named }: RateAnswer, wallMs: number): RateFacts {
  const headers = usualNames(named)
  const retryAfterMs = retryAfter({ status, headers }, wallMs)
  const single = quotaOf(
    {
      limit: limitOf(headers['x-ratelimit-limit'] ?? headers['ratelimit-limit']),
      remaining: wholeOf(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']),
      resetMs: reset(headers, wallMs),
    },
    policiesOf(headers['ratelimit-policy'] ?? headers['ratelimit-limit'] ?? headers['x-ratelimit-limit']),
  )
  const quotas = [single, ...structured(headers)].filter((quota) => Object.keys(quota).length > 0)
  return { kind: 'answer', status, quotas, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** Headers with the names that most services use, for those of Okta. */
const usualNames = (headers: Answer['headers']): Answer['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace(/^x-rate-limit-/, 'x-ratelimit-'), value]))

/**
 * How long the service asks to wait, in ms: seconds, or an HTTP date (RFC 9110, 10.2.3). Only a 429 and a 503 ask all requests to wait. With a
 * redirect or a 413 the header concerns one request, and with any other status it has no meaning.
 *
 * @param wallMs the time of the machine's clock, for a date in an answer that has no date itself
 */
export function retryAfter({ status, headers }: RateAnswer, wallMs: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = numberOf(headers['retry-after'])
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  const at = httpDate(headers['retry-after'])
  return at === undefined ? undefined : Math.max(0, at - theirClock(headers, wallMs))
}

/**
 * The time until the reset, in ms. The header has whole seconds, and how they are rounded is unknown. The specification calls the reset the end
 * of the window; Plane always sends now + window. In both cases the service has by then forgotten everything that it counts now.
 */
function reset(headers: Answer['headers'], wallMs: number): number | undefined {
  const told = wholeOf(headers['x-ratelimit-reset'])
  if (told !== undefined && told > secondsOfAnEpoch) {
    const leftMs = (told + 1) * 1000 - theirClock(headers, wallMs)
    // A reset that is more than a second in the past comes from another clock and is ignored.
    return leftMs < -1000 ? undefined : Math.max(0, leftMs)
  }
  return secondsOf(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'])
}

/**
 * The time of the service's clock, by the `date` header; without one, that of the machine's clock, which may be minutes off. The steady clock cannot take
 * its place: it may be hours off, after a suspension or a step of the machine's clock.
 */
function theirClock(headers: Answer['headers'], wallMs: number): number {
  return httpDate(headers.date) ?? wallMs
}

/** The three forms of RFC 9110, 5.6.7. `Date.parse` alone reads nearly any text as a date: `5, 10`, `-5`. */
export function httpDate(text = ''): number | undefined {
  const [, withZone, without] =
    /^\s*(?:(\w+, \d\d[ -]\w{3}[ -]\d\d(?:\d\d)? [\d:]{8} GMT)|(\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}))\s*$/.exec(text) ?? []
  const at = Date.parse(withZone ?? `${without} GMT`)
  return Number.isNaN(at) ? undefined : at
}

/** A greater reset is epoch seconds. Some services send the seconds from now instead, and that is a smaller number. */
const secondsOfAnEpoch = 1e9

type Policy = { readonly name: string; readonly limit: number | undefined; readonly windowS: number | undefined; readonly unit: string }

/** The quotas of `RateLimit`: a list of named quotas, or the three pairs of an earlier draft. */
function structured(headers: Answer['headers']): readonly Quota[] {
  const policies = policiesOf(headers['ratelimit-policy'])
  const items = itemsOf(headers.ratelimit)
  const pairs = (name: string) => items.find(({ item }) => item.startsWith(`${name}=`))?.item.slice(name.length + 1)
  const three = { limit: wholeOf(pairs('limit')), remaining: wholeOf(pairs('remaining')), resetMs: secondsOf(pairs('reset')) }
  const named = items.flatMap(({ item, parameters }) => {
    const { limit, windowS, unit = requests } = policies.find(({ name }) => name === item) ?? {}
    // A quota with another unit counts bytes or concurrent requests.
    if (!parameters.has('r') || unit !== requests) return []
    return defined({ limit: positive(limit), remaining: wholeOf(parameters.get('r')), resetMs: secondsOf(parameters.get('t')), windowS })
  })
  return [quotaOf(three, policies), ...named]
}

/** One quota. Its window is that of the policy with the same limit. */
function quotaOf(
  { limit, ...rest }: { [Name in 'limit' | 'remaining' | 'resetMs']: number | undefined },
  policies: readonly Policy[],
): Quota {
  const windowS = policies.find((policy) => policy.limit === limit && policy.windowS !== undefined)?.windowS
  return defined({ limit: positive(limit), ...rest, windowS })
}

const policiesOf = (text: string | undefined): readonly Policy[] =>
  itemsOf(text).map(({ item, parameters }) => ({
    name: item,
    limit: wholeOf(parameters.get('q') ?? item),
    windowS: wholeOf(parameters.get('w')),
    unit: parameters.get('qu') ?? requests,
  }))

const requests = 'requests'

/** The items of a structured list (RFC 9651), unquoted, with their parameters. Other parts of the format are not read. */
function itemsOf(text = ''): readonly { readonly item: string; readonly parameters: ReadonlyMap<string, string> }[] {
  return [...text.slice(0, 2_000).matchAll(/((?:"(?:[^"\\]|\\.)*"|[^",])+)/g)].map(([member]) => {
    const [item = '', ...parameters] = [...member.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^";])+/g)].map(([part]) => part.trim())
    return {
      item: unquoted(item),
      parameters: new Map(parameters.map((part) => [part.split('=')[0] as string, unquoted(part.slice(part.indexOf('=') + 1))])),
    }
  })
}

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text)

/** A limit, alone or before its policies: `100, 100;w=60`. */
function limitOf(text: string | undefined): number | undefined {
  const [first, ...others] = itemsOf(text)
  return others.every(({ parameters }) => parameters.has('w')) ? wholeOf(first?.item) : undefined
}

function numberOf(text = ''): number | undefined {
  const [, digits] = /^\s*(\d{1,10}(?:\.\d{1,10})?)\s*$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const wholeOf = (text: string | undefined): number | undefined => {
  const number = numberOf(text)
  return number === undefined ? undefined : Math.floor(number)
}

const secondsOf = (text: string | undefined): number | undefined => {
  const seconds = numberOf(text)
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}

const positive = (limit: number | undefined) => (limit === 0 ? undefined : limit)
const defined = (quota: { [Name in keyof Quota]-?: number | undefined }): Quota =>
  Object.fromEntries(Object.entries(quota).filter(([, value]) => value !== undefined))
