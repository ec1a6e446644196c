import type { StoredChange } from './change.ts'
import type { StoredEntry } from './entry.ts'
import type { StoredMemory } from './memory.ts'

/**
 * The types of all stored fields. A line of JSON whose fields have other types is not a line of a journal. If it were read, a time that is not a
 * number could end a quarantine. Unknown fields and unknown words are not checked here, since a newer version may write them.
 */
type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => Number.isFinite(value)
const flag: Check = (value) => typeof value === 'boolean'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const recordOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]))
/**
 * Checks a value that may have several forms: `field` names its form. If the name is unknown, the check accepts the value, and the code that reads it
 * decides.
 */
const oneOf =
  (field: string, forms: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const name = isObject(value) ? value[field] : undefined
    if (typeof name !== 'string') return false
    return !Object.hasOwn(forms, name) || forms[name]?.(value) === true
  }

const texts = recordOf(text)
const service = fields({ host: text, slugs: texts })
const meantIds = recordOf(recordOf(listOf(text)))
const meantGroups: Check = (value) => meantIds(value) || listOf(fields({ texts: listOf(text), groups: texts }))(value)
const position = fields({ file: text, line: number, column: number })
const because = optional(fields({ at: position, owner: optional(text), reason: optional(text), directory: optional(text) }))
const target = oneOf('kind', { workspace: isObject, allProjects: isObject, project: fields({ project: text }) })
const settings = recordOf((value) => value === null || text(value) || flag(value))
const named = { id: text, key: text, because, requires: listOf(text) }
const placed = { ...named, group: text, target, allowProtected: optional(flag), people: optional(number) }

/** A mapping may have had no role. */
const roleBefore: Check = (value) => value === null || text(value)

const change = oneOf('action', {
  create: fields({ ...placed, role: text }),
  patch: fields({ ...placed, role: text, mapping: text, before: roleBefore }),
  rename: fields({ ...placed, role: text, mapping: text, before: roleBefore, from: text, fromGroup: text }),
  delete: fields({ ...placed, mapping: text, before: roleBefore, why: text }),
  settings: fields({ ...named, before: settings, after: settings }),
} satisfies Record<StoredChange['action'], Check>)

const earlier = { earlierLastByteMs: optional(number) }
const outcome = oneOf('is', {
  done: fields({ ...earlier, mapping: optional(text), echoed: optional(text), keptAs: optional(text), answered: optional(settings) }),
  notSent: fields({ ...earlier, why: text }),
  refused: fields({ ...earlier, status: number, code: text, sentence: text, retryAfterMs: optional(number) }),
  unknown: fields({ why: text, lastByteMs: number, status: optional(number) }),
})

const limit = fields({ guard: text, count: number })
const described: Check = (value) =>
  fields({ key: text, fromGroup: optional(text), before: optional(roleBefore), after: optional(text), groupId: optional(text) })(value) ||
  fields({ settings: fields({ before: settings, after: settings }) })(value)
const words = fields({ changes: listOf(described), limit: optional(limit), people: optional((value) => value === 'any' || number(value)) })
const approval = fields({
  name: text,
  workspace: text,
  words: optional(words),
  passes: listOf(text),
  by: text,
  account: text,
  reason: text,
  fromMs: number,
  untilMs: number,
})

const stamp = { atMs: number, run: text }
const write = { ...stamp, workspace: text, declaration: text, change }
const mappingIds = recordOf(listOf(text))
const entries: Readonly<Record<StoredEntry['entry'], Check>> = {
  start: fields({ ...stamp, version: text, command: text, waits: text, service }),
  service: fields({ ...stamp, service }),
  reading: fields({ ...stamp, of: text, size: number }),
  mappings: fields({ ...stamp, workspace: text, list: text, ids: mappingIds, left: optional(flag) }),
  intent: fields(write),
  result: fields({ ...write, outcome }),
  waiver: fields({ ...stamp, workspace: text, fingerprint: text, passes: listOf(text), by: text, source: text }),
  approval: fields({ ...stamp, approval }),
  withdrawal: fields({ ...stamp, approval: text, by: text, account: text }),
  groups: fields({ ...stamp, ids: texts, meant: optional(fields({ workspace: text, ids: meantGroups })) }),
  projects: fields({ ...stamp, workspace: text, ids: meantIds }),
  end: fields({ ...stamp, cycle: optional(fields({ workspaces: optional(listOf(text)), unsuccessful: listOf(text) })) }),
}

const tried = { atMs: number, deletes: flag, creates: optional(flag) }
const written = fields({
  key: text,
  role: optional(text),
  echoed: optional(text),
  made: optional(listOf(text)),
  declaration: text,
  atMs: listOf(number),
  shownFromMs: number,
})
const memory: Readonly<Record<keyof StoredMemory, Check>> = {
  endedClean: flag,
  endedMs: number,
  open: recordOf(change),
  quarantine: recordOf(number),
  rejections: recordOf(fields({ status: number, sentence: text, untilMs: number, declaration: text })),
  refusals: recordOf(number),
  undecided: recordOf(fields({ ...tried, times: number, why: text, againFromMs: number, declaration: text })),
  echoes: recordOf(texts),
  keptAs: texts,
  baselines: recordOf(number),
  mappings: recordOf(fields({ ids: mappingIds, left: optional(flag) })),
  revisions: listOf(fields(tried)),
  written: listOf(written),
  createsFromMs: number,
  groupIds: texts,
  projectIds: recordOf(meantIds),
  meantGroups: recordOf(meantGroups),
  service,
  unconfirmed: listOf(text),
  approvals: listOf(approval),
  lastCycle: fields({ atMs: number, workspaces: listOf(text), succeededMs: recordOf(number) }),
}

export const isEntryShaped = (kind: StoredEntry['entry'], stored: unknown): boolean => entries[kind](stored)

/** An older version did not store every field. */
export const isMemoryShaped = (stored: unknown): boolean =>
  isObject(stored) && Object.entries(memory).every(([name, check]) => optional(check)(stored[name]))
