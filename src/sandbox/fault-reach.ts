import { concerns, isWire, matchesSegments, type QuirkKind, type Rule } from './fault.ts'

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
  const there = operations.filter(({ address }) => matchesSegments(rule.path, address, (wanted, given) => mayBe(wanted, given, slugs)))
  if (there.length === 0) return `no address has the path ${rule.path}. The addresses are ${listed(operations.map(shortAddress))}`
  const matching = there.filter((operation) => method === undefined || operation.method === method)
  if (matching.length === 0) return `no operation there has the method ${method}. The methods are ${listed(there.map((one) => one.method))}`
  const concerned = matching.filter(({ quirks }) => concerns(fault, quirks))
  if (concerned.length === 0) {
    const others = operations.filter(({ quirks }) => concerns(fault, quirks))
    return `it changes nothing there. It is for ${listed(others.map((one) => `${one.method} ${shortAddress(one)}`))}`
  }
  const first = isWire(fault) ? before.find((other) => concerned.every((operation) => strikesAlways(other, rule, operation))) : undefined
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
