import type { Rule } from './fault.ts'
import { forms } from './fault-forms.ts'
import { SandboxError } from './problem.ts'

const charactersMax = 1_000

/** How often a fault strikes: the names of the fields of a rule, with their text forms. */
const frequencies = [
  { field: 'probability', example: '20%', pattern: /^(\d{1,3}(?:\.\d{1,3})?)%$/, value: (text: string) => Number(text) / 100 },
  { field: 'times', example: 'once', pattern: /^once$/, value: () => 1 },
  { field: 'times', example: '3 times', pattern: /^(\d{1,9}) times$/, value: Number },
  { field: 'from', example: 'from the 40th', pattern: /^from the (\d{1,9})(?:st|nd|rd|th)$/, value: Number },
  { field: 'every', example: 'every 5th', pattern: /^every (\d{1,9})(?:st|nd|rd|th)$/, value: Number },
] as const
export const frequencyExamples: readonly string[] = frequencies.map(({ example }) => example)

/**
 * Reads `[METHOD ]PATH: FAULT[, HOW OFTEN]…`, as `POST project-mappings: lost after commit, 20%`.
 *
 * @throws {SandboxError} with the possible forms
 */
export function readFault(text: string): Rule {
  if (text.length > charactersMax) throw unreadable(`${text.slice(0, 40)}…`, `it has more than ${charactersMax} characters`)
  const [, head = '', tail = ''] = /^([^:]+):\s+(.*)$/s.exec(text.trim()) ?? []
  const [, method, path] = /^(?:([A-Z]+|\*)\s+)?(\S+)$/.exec(head.trim()) ?? []
  if (path === undefined) throw unreadable(text, 'begin it with [METHOD] PATH and a colon, as "POST project-mappings: 503"')
  const [what = '', ...often] = tail.split(/,\s+/).map((part) => part.trim())
  for (const { pattern, fault } of forms) {
    const groups = pattern.exec(what)
    const found = groups && fault(groups.groups ?? {})
    if (found) return { ...(method !== undefined && method !== '*' && { method }), path, ...frequency(text, often), fault: found }
  }
  throw unreadable(text, `"${what}" is none of: ${forms.map(({ example }) => example).join(' · ')}`)
}

type Frequency = Omit<Rule, 'method' | 'path' | 'fault'>

function frequency(text: string, parts: readonly string[]): Frequency {
  const often: { -readonly [Name in keyof Frequency]: Frequency[Name] } = {}
  for (const part of parts) {
    const found = frequencies.find(({ pattern }) => pattern.test(part))
    if (found === undefined) throw unreadable(text, `"${part}" is none of: ${frequencyExamples.join(' · ')}`)
    const { field, pattern, value } = found
    if (often[field] !== undefined) throw unreadable(text, `"${part}" says a second time how often it strikes`)
    const number = value(pattern.exec(part)?.[1] ?? '')
    if (number === 0) throw unreadable(text, `with "${part}" it can never strike; the smallest number is 1`)
    if (field === 'probability' && number > 1) throw unreadable(text, `"${part}" is more than 100%`)
    often[field] = number
  }
  return often
}

const unreadable = (text: string, why: string) => new SandboxError(`fault "${text}" cannot be read: ${why}`)
