import type { State } from './state.ts'

/** The state in the form of a state file: `newState` makes the same state of it. Times are ISO 8601. */
export function stateDocument({ users, ...rest }: State): object {
  const document = {
    ...rest,
    users: users.map(({ utcOffsetMinutes, ...user }) => ({ ...user, utcOffset: offsetText(utcOffsetMinutes) })),
  }
  return JSON.parse(JSON.stringify(document, withTimes)) as object
}

const timeFields: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'archived_at', 'expiresAt'])

/** A time that no date can show stays a number. */
function withTimes(name: string, value: unknown): unknown {
  if (!timeFields.has(name) || typeof value !== 'number' || Number.isNaN(new Date(value).getTime())) return value
  return new Date(value).toISOString()
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
