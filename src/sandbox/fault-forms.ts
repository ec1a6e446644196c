import type { Fault, Rule, When } from './fault.ts'
import { SandboxError } from './sandboxError.ts'
import { readDuration } from './throttle.ts'

type FaultForm = {
  readonly example: string
  readonly says: string
  readonly pattern: RegExp
  readonly fault: (groups: Readonly<Record<string, string | undefined>>) => Fault | undefined
}
const when = '(?: (?<when>before|after) commit)?'
const whenOf = ({ when }: Readonly<Record<string, string | undefined>>, otherwise: When): When =>
  when === 'before' ? 'before commit' : when === 'after' ? 'after commit' : otherwise
const form = (example: string, says: string, pattern: string, fault: FaultForm['fault']): FaultForm => ({
  example,
  says,
  pattern: new RegExp(`^${pattern}$`),
  fault,
})

/** Every fault in its text form; docs/dev/sandbox-reference.md shows the same table. Each `example` is read by a test. */
export const forms: readonly FaultForm[] = [
  form(
    'latency 200ms',
    'the operation is delayed by that time, and runs even if the client has disconnected; `100ms-900ms`: a random time; `after commit`: only the answer is late',
    `latency (?<from>\\S+?)(?:-(?<to>\\S+))?${when}`,
    (groups) => {
      const fromMs = readDuration(groups.from ?? '')
      const toMs = groups.to === undefined ? fromMs : readDuration(groups.to)
      return fromMs === undefined || toMs === undefined || toMs === 0
        ? undefined
        : { kind: 'latency', fromMs, toMs, when: whenOf(groups, 'before commit') }
    },
  ),
  form(
    'lost after commit',
    'no answer: the connection stays open and silent for one second (`for 5s`: for 5 s), then it is closed',
    `lost${when}(?: for (?<silence>\\S+))?`,
    (groups) => {
      const silenceMs = readDuration(groups.silence ?? '1s')
      return silenceMs === undefined ? undefined : { kind: 'lost', silenceMs, when: whenOf(groups, 'after commit') }
    },
  ),
  form('reset before commit', 'the connection is reset', `reset${when}`, (groups) => ({
    kind: 'reset',
    when: whenOf(groups, 'after commit'),
  })),
  form(
    'commit late after 2s',
    'the connection is reset at once, the operation runs later, and no list shows it until then',
    'commit late after (?<after>\\S+)',
    (groups) => {
      const afterMs = readDuration(groups.after ?? '')
      return afterMs === undefined ? undefined : { kind: 'late', afterMs }
    },
  ),
  form('429', 'a refusal without Retry-After', '429', () => ({ kind: 'throttled', retryAfterS: undefined })),
  form('429 retry after 5s', 'a refusal with Retry-After', '429 retry after (?<seconds>\\d{1,6})s', ({ seconds }) => ({
    kind: 'throttled',
    retryAfterS: Number(seconds),
  })),
  form(
    '503 after commit',
    'any status from 400 to 599; the body is HTML from 500 on; `before commit` by default',
    `(?<status>[45]\\d\\d)${when}`,
    (groups) => ({
      kind: 'status',
      status: Number(groups.status),
      when: whenOf(groups, 'before commit'),
    }),
  ),
  form('html', '200 with a web page, as from a proxy', `html${when}`, (groups) => ({
    kind: 'html',
    when: whenOf(groups, 'before commit'),
  })),
  form('truncated', 'an answer that ends normally, with half of its JSON', 'truncated', () => ({ kind: 'truncated', answer: 'whole' })),
  form('cut off', 'an answer that ends before its Content-Length', 'cut off', () => ({ kind: 'truncated', answer: 'cut off' })),
  form(
    'redirect to http://other.example/',
    'a redirect with 302; a number before it chooses another status (301, 307 or 308): `307 redirect to …`',
    '(?:(?<status>30[1278]) )?redirect to (?<location>\\S+)',
    ({ status, location }) => ({
      kind: 'redirect',
      status: Number(status ?? 302) as 301 | 302 | 307 | 308,
      location: location ?? '',
    }),
  ),
  form('outage 3s', 'all connections are cut, and nothing is answered for that long', `outage (?<silence>\\S+?)${when}`, (groups) => {
    const silenceMs = readDuration(groups.silence ?? '')
    return silenceMs === undefined ? undefined : { kind: 'outage', silenceMs, when: whenOf(groups, 'before commit') }
  }),
  form(
    'envelope of 50',
    'a list that was an array comes in pages of 50; a larger `per_page` gets 50, too',
    'envelope(?: of (?<perPage>[1-9]\\d{0,5}))?',
    ({ perPage }) => ({ kind: 'envelope', perPage: Number(perPage ?? 100) }),
  ),
  form(
    'envelope of 20 up to 100',
    'the same in pages of 20; a request with `per_page` gets pages of that size, at most 100',
    'envelope of (?<perPage>[1-9]\\d{0,5}) up to (?<most>[1-9]\\d{0,5})',
    ({ perPage, most }) => ({ kind: 'envelope', perPage: Number(perPage), asked: Number(most) }),
  ),
  form(
    'envelope of 20 without per_page',
    'the same in pages of 20; a request with `per_page` is refused with 400',
    'envelope of (?<perPage>[1-9]\\d{0,5}) without per_page',
    ({ perPage }) => ({ kind: 'envelope', perPage: Number(perPage), asked: 'refused' }),
  ),
  form('list grows', 'a row appears at the front of the list once the page has gone out', 'list grows', () => ({
    kind: 'drift',
    by: 'grow',
  })),
  form('list shrinks', 'the first row of the list disappears once the page has gone out', 'list shrinks', () => ({
    kind: 'drift',
    by: 'shrink',
  })),
  form(
    'list repeats',
    'each page begins with the last row of the page before, as in an order that is not stable; the last rows do not come',
    'list repeats',
    () => ({ kind: 'overlap' }),
  ),
  form(
    'list lacks 25%',
    'each answer lacks other rows, chosen at random, and its totals do not count them; `list lacks the same 25%`: always the same rows; `the last 25%`: the rows at the end',
    'list lacks (?:the (?<which>same|last) )?(?<share>\\d{1,3}(?:\\.\\d{1,3})?)%',
    ({ which = 'random', share }) => {
      const lacking = { kind: 'lacking', share: Number(share) / 100, which: which as 'random' | 'same' | 'last' } as const
      return lacking.share > 0 && lacking.share <= 1 ? lacking : undefined
    },
  ),
  form(
    'role member becomes contributor',
    'the role is stored and shown under another name',
    'role (?<sent>\\S{1,255}) becomes (?<echoed>\\S{1,255})',
    ({ sent = '', echoed = '' }) => (sent === echoed ? undefined : { kind: 'roleEchoed', sent, echoed }),
  ),
  form(
    'duplicates 409',
    'a second mapping for the same group and target is refused with 409, or with 400 if that stands there; without this fault duplicates are allowed',
    'duplicates (?<status>400|409)',
    ({ status }) => ({
      kind: 'duplicates',
      status: status === '400' ? 400 : 409,
    }),
  ),
]

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
    const parsedFault = groups && fault(groups.groups ?? {})
    if (parsedFault)
      return { ...(method !== undefined && method !== '*' && { method }), path, ...frequency(text, often), fault: parsedFault }
  }
  throw unreadable(text, `"${what}" is none of: ${forms.map(({ example }) => example).join(' · ')}`)
}

type Frequency = Omit<Rule, 'method' | 'path' | 'fault'>

function frequency(text: string, parts: readonly string[]): Frequency {
  const often: { -readonly [Name in keyof Frequency]: Frequency[Name] } = {}
  for (const part of parts) {
    const frequencyForm = frequencies.find(({ pattern }) => pattern.test(part))
    if (frequencyForm === undefined) throw unreadable(text, `"${part}" is none of: ${frequencyExamples.join(' · ')}`)
    const { field, pattern, value } = frequencyForm
    if (often[field] !== undefined) throw unreadable(text, `"${part}" says a second time how often it strikes`)
    const number = value(pattern.exec(part)?.[1] ?? '')
    if (number === 0) throw unreadable(text, `with "${part}" it can never strike; the smallest number is 1`)
    if (field === 'probability' && number > 1) throw unreadable(text, `"${part}" is more than 100%`)
    often[field] = number
  }
  return often
}

const unreadable = (text: string, why: string) => new SandboxError(`fault "${text}" cannot be read: ${why}`)
