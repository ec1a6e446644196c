import type { HoldReason } from '../core/hold.ts'
import type { Role } from '../core/mapping.ts'
import { lineText } from '../core/rule.ts'

/** What the file inside a fence says of a mapping, and what the file without limits says. */
export function outrankedSentence({ by, inside, outside, unmanaged }: Extract<HoldReason, { kind: 'outranked' }>): string {
  const own = unmanaged === undefined ? `the file inside the fence ${wants(inside)}` : `${lineText(unmanaged.at)} says unmanaged`
  return `${own}, but ${lineText(by.at)}, in a file without limits, ${wants(outside)}`
}

const wants = (role: Role | null | undefined): string =>
  role === undefined ? 'says something else' : role === null ? 'asks for no mapping' : `gives ${role}`
