import type { Controls } from './controls.ts'
import { matchesPath } from './fault.ts'
import { SandboxError } from './problem.ts'
import type { LoggedRequest } from './request-log.ts'

const filters = ['method', 'path', 'since']

/** The logged requests that match the filters of a query, with times as ISO 8601. @throws {SandboxError} if a filter cannot be read */
export function shownRequests({ requests, forgotten }: Controls, query: URLSearchParams): object {
  const unknown = [...query.keys()].find((name) => !filters.includes(name))
  if (unknown !== undefined) throw new SandboxError(`"${unknown}" is none of the filters ${filters.join(', ')}`)
  const method = query.get('method')?.toUpperCase()
  const path = query.get('path')
  const since = query.get('since')
  const sinceMs = since === null ? Number.NEGATIVE_INFINITY : timeOf(since)
  const isWanted = (one: LoggedRequest) =>
    one.receivedAt >= sinceMs && (method === undefined || one.method === method) && (path === null || matchesPath(path, one.path))
  return { forgotten: forgotten(), requests: requests.filter(isWanted).map(shown) }
}

function shown({ receivedAt, committedAt, answeredAt, ...request }: LoggedRequest): object {
  return {
    ...request,
    receivedAt: iso(receivedAt),
    ...(committedAt !== undefined && { committedAt: iso(committedAt) }),
    ...(answeredAt !== undefined && { answeredAt: iso(answeredAt) }),
  }
}

const iso = (atMs: number): string => new Date(atMs).toISOString()

function timeOf(text: string): number {
  // In a query `+` means a blank. The `+` of an offset such as +01:00 is often sent without being encoded.
  const atMs = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text.replace(' ', '+'))
  if (Number.isNaN(atMs)) throw new SandboxError(`since "${text}" is no time: write it as 2026-01-31T12:00:00Z, or as epoch milliseconds`)
  return atMs
}
