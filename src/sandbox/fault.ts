import type { Chance } from './chance.ts'

/** Whether the operation has run (and changed the state) when the fault strikes. */
export type When = 'before commit' | 'after commit'

/** Something that goes wrong with one request. docs/dev/sandbox-reference.md shows each with its text form. */
export type Fault =
  /** The answer takes longer. The operation runs even if the client has disconnected. */
  | { readonly kind: 'latency'; readonly fromMs: number; readonly toMs: number; readonly when: When }
  /** No answer: the connection stays open and silent, then closes. */
  | { readonly kind: 'lost'; readonly silenceMs: number; readonly when: When }
  | { readonly kind: 'reset'; readonly when: When }
  /** The connection is reset at once; the operation runs later, and nothing shows it until then. */
  | { readonly kind: 'late'; readonly afterMs: number }
  | { readonly kind: 'throttled'; readonly retryAfterS: number | undefined }
  | { readonly kind: 'status'; readonly status: number; readonly when: When }
  /** 200 with a web page, as from a proxy or a login form. */
  | { readonly kind: 'html'; readonly when: When }
  /** Half of the body, in an answer that ends normally (`whole`), or in one with fewer bytes than its Content-Length. */
  | { readonly kind: 'truncated'; readonly answer: 'whole' | 'cut off' }
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 307 | 308; readonly location: string }
  /** All connections are cut, and no request is answered until `silenceMs` is over. */
  | { readonly kind: 'outage'; readonly silenceMs: number; readonly when: When }
  | Quirk

/** A fault of the service itself: the answer arrives, but has other content or another effect. */
type Quirk =
  /**
   * A list that was an array comes in pages of `perPage`. `asked`: the largest page size that a request gets with `per_page`; absent: `perPage`;
   * `refused`: a request with `per_page` is refused.
   */
  | { readonly kind: 'envelope'; readonly perPage: number; readonly asked?: number | 'refused' }
  | { readonly kind: 'drift'; readonly by: 'grow' | 'shrink' }
  /** Each page begins with the last row of the page before. */
  | { readonly kind: 'overlap' }
  /** A list without a share of its rows, and without a sign of it. `which`: other rows in each answer, always the same, or the last ones. */
  | { readonly kind: 'lacking'; readonly share: number; readonly which: 'random' | 'same' | 'last' }
  | { readonly kind: 'roleEchoed'; readonly sent: string; readonly echoed: string }
  | { readonly kind: 'duplicates'; readonly status: 400 | 409 }

const quirkKinds = ['envelope', 'drift', 'overlap', 'lacking', 'roleEchoed', 'duplicates'] as const satisfies readonly Quirk['kind'][]
export type QuirkKind = Quirk['kind']
export type Quirks = { readonly [Kind in Quirk['kind']]?: Extract<Quirk, { kind: Kind }> }
type Latency = Extract<Fault, { kind: 'latency' }>
export type WireFault = Exclude<Fault, Quirk | Latency>

/** The requests that a fault strikes: every `every`-th matching one, from the `from`-th on, at most `times`, each with `probability`. */
export type Rule = {
  readonly method?: string
  /** See `matchesPath`. */
  readonly path: string
  readonly from?: number
  readonly every?: number
  readonly times?: number
  /** 0 to 1. */
  readonly probability?: number
  readonly fault: Fault
}

/** A fault as its text with its counts: `matched` requests, and `struck` ones that got it. */
export type FaultCount = { readonly text: string; readonly matched: number; readonly struck: number }

/** A rule that counts. */
export type ArmedRule = { readonly text: string; readonly rule: Rule; matched: number; struck: number }
export const arm = (rule: Rule, text: string): ArmedRule => ({ text, rule, matched: 0, struck: 0 })

/** The faults of one request. Latencies add up, all quirks apply, and only the first fault on the wire applies. */
type Misfortune = {
  readonly latencyMs: Readonly<Record<When, number>>
  readonly wire: WireFault | undefined
  readonly quirks: Quirks
  /** The texts of the faults. */
  readonly texts: readonly string[]
}

/** A request as faults see it. `quirks`: the kinds of quirks that its operation can show. */
type Target = { readonly method: string; readonly path: string; readonly quirks: readonly QuirkKind[] }

export function strike(rules: readonly ArmedRule[], target: Target, { draw }: Pick<Chance, 'draw'>): Misfortune {
  const latencyMs: Record<When, number> = { 'before commit': 0, 'after commit': 0 }
  const quirks: Record<string, Quirk> = {}
  const texts: string[] = []
  let wire: WireFault | undefined
  for (const armed of rules) {
    const { fault } = armed.rule
    const waits = wire !== undefined && isWire(fault) // it strikes a later request
    if (!counts(armed, target) || waits || !strikes(armed, draw)) continue
    texts.push(armed.text)
    if (fault.kind === 'latency') latencyMs[fault.when] += fault.fromMs + draw() * (fault.toMs - fault.fromMs)
    else if (isWire(fault)) wire = fault
    else quirks[fault.kind] = fault
  }
  return { latencyMs, wire, quirks, texts }
}

const isQuirk = (fault: Fault): fault is Quirk => (quirkKinds as readonly string[]).includes(fault.kind)
const isWire = (fault: Fault): fault is WireFault => fault.kind !== 'latency' && !isQuirk(fault)

/** Whether a fault changes anything for an operation that can show these quirks. */
const concerns = (fault: Fault, quirks: readonly QuirkKind[]): boolean => !isQuirk(fault) || quirks.includes(fault.kind)

function counts(armed: ArmedRule, { method, path, quirks }: Target): boolean {
  const { rule } = armed
  if ((rule.method !== undefined && rule.method !== method) || !concerns(rule.fault, quirks) || !matchesPath(rule.path, path)) return false
  armed.matched += 1
  return true
}

function strikes(armed: ArmedRule, draw: () => number): boolean {
  const { every = 1, from = every, times = Number.POSITIVE_INFINITY, probability } = armed.rule
  const nth = armed.matched - from
  if (nth < 0 || nth % every !== 0 || armed.struck >= times) return false
  if (probability !== undefined && draw() >= probability) return false
  armed.struck += 1
  return true
}

// A pattern is a sequence of path segments that the path contains; `*` is any one segment. With a leading slash it matches at the
// beginning, with a trailing slash at the end: `project-mappings` matches the list and its items, `project-mappings/` the list,
// `project-mappings/*/` one item, `*` every path.
export const matchesPath = (pattern: string, path: string): boolean => matchesSegments(pattern, path, (wanted, given) => wanted === given)

/** Like `matchesPath`, with another comparison of a segment. `*` fits every segment. */
function matchesSegments(pattern: string, path: string, fits: (wanted: string, given: string) => boolean): boolean {
  const wanted = segments(pattern)
  const given = segments(path)
  const last = given.length - wanted.length
  const starts = pattern.startsWith('/') ? [0] : Array.from({ length: Math.max(0, last + 1) }, (_, start) => start)
  return starts.some((start) => {
    if (pattern.endsWith('/') && pattern !== '/' && start !== last) return false
    return start <= last && wanted.every((segment, index) => segment === '*' || fits(segment, given[start + index] ?? ''))
  })
}

const segments = (path: string) => path.split('/').filter((segment) => segment !== '')

/** An operation that a fault may strike. Its address has parameters such as `:slug`. */
export type Reachable = { readonly method: string; readonly address: string; readonly quirks: readonly QuirkKind[] }

/**
 * Why a fault can never strike; undefined if it can.
 *
 * @param before the faults that come before it: a fault on the wire that strikes every request leaves none to the next one
 * @param slugs the workspaces that exist
 */
export function whyNever(
  rule: Rule,
  before: readonly Rule[],
  operations: readonly Reachable[],
  slugs: readonly string[],
): string | undefined {
  const { method, fault } = rule
  const atPath = operations.filter(({ address }) => matchesSegments(rule.path, address, (wanted, given) => mayBe(wanted, given, slugs)))
  if (atPath.length === 0) return `no address has the path ${rule.path}. The addresses are ${listed(operations.map(shortAddress))}`
  const matching = atPath.filter((operation) => method === undefined || operation.method === method)
  if (matching.length === 0)
    return `no operation there has the method ${method}. The methods are ${listed(atPath.map((operation) => operation.method))}`
  const concerned = matching.filter(({ quirks }) => concerns(fault, quirks))
  if (concerned.length === 0) {
    const others = operations.filter(({ quirks }) => concerns(fault, quirks))
    return `it changes nothing there. It is for ${listed(others.map((operation) => `${operation.method} ${shortAddress(operation)}`))}`
  }
  const first = isWire(fault)
    ? before.find((earlier) => concerned.every((operation) => strikesAlways(earlier, rule, operation)))
    : undefined
  return first && `an earlier fault strikes each of these requests: ${first.method ?? '*'} ${first.path}`
}

/** Whether a segment of a pattern may stand for a segment of an address. An identifier is a UUID. */
function mayBe(wanted: string, given: string, slugs: readonly string[]): boolean {
  if (given === ':slug') return slugs.some((slug) => wanted === slug || wanted === encodeURIComponent(slug))
  return given.startsWith(':') ? /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(wanted) : wanted === given
}

function strikesAlways(first: Rule, then: Rule, { method, address }: Reachable): boolean {
  const { every, from, times, probability, fault } = first
  if (!isWire(fault) || [every, from, times, probability].some((limit) => limit !== undefined && limit !== 1)) return false
  if (times !== undefined || (first.method !== undefined && first.method !== method)) return false
  return first.path === then.path || matchesSegments(first.path, address, (wanted, given) => wanted === given)
}

const shortAddress = ({ address }: Reachable): string => address.replace('/api/v1/workspaces/:slug/', '').replace(/:\w+/, '*')
const listed = (texts: readonly string[]): string => [...new Set(texts)].join(' · ')
