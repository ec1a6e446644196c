import type { Limiter } from './throttle.ts'

/** Which behaviour the sandbox shows where the two differ: that of the written specification, or of the running service. */
export const dialectNames = ['specification', 'plane'] as const
export type DialectName = (typeof dialectNames)[number]

/** A check before the operation of a request runs. The dialect has their order. */
export type Gate = 'address' | 'accept' | 'credential' | 'rate' | 'rights' | 'method'

type Side<Value> = readonly [value: Value, says: string, source: string]
type Difference<Value> = { readonly about: string; readonly specification: Side<Value>; readonly plane: Side<Value> }
const difference = <Value>(about: string, specification: Side<Value>, plane: Side<Value>): Difference<Value> => ({
  about,
  specification,
  plane,
})

const measured = 'measured on the Community Edition'
const source = 'source of the Community Edition'
const silent = 'the specification is silent: our reading'

/** Every difference between the dialects, with its source. No other code of the sandbox depends on the name of the dialect. */
export const differences = {
  gates: difference<readonly Gate[]>(
    'Which requests count against the limit (this follows from the order of the checks)',
    [
      ['credential', 'rate', 'address', 'rights', 'method'],
      'every request with a good credential counts, also 403, 404 and stickies',
      'Limits: "60 requests per minute per API key"',
    ],
    [
      ['address', 'accept', 'credential', 'rights', 'rate', 'method'],
      'unknown addresses, 301, 406, 401 and 403 do not count and are answered even when the budget is used up; 400, 404 of an object and 405 count',
      measured,
    ],
  ),
  refusedKeyStatus: difference<401 | 403>(
    'Unknown, expired or switched-off key',
    [401, '401 `{"detail": …}`', 'Authentication, rule 5'],
    [403, '403 `{"detail": "Given API token is not valid"}`', measured],
  ),
  unknownWorkspaceStatus: difference<403 | 404>(
    'Workspace that does not exist or that the key does not reach',
    [404, '404', 'Errors: "resource or URL not found"'],
    [403, '403 `{"detail": "You do not have permission to perform this action."}`', measured],
  ),
  unseenProjectStatus: difference<403 | 404>(
    "Work items of a project that does not exist, or that the key's owner is not in",
    [404, '404', 'Errors: "resource or URL not found"; it has no 403'],
    [403, '403, also for a workspace admin', measured],
  ),
  malformedProjectId: difference<'unknown object' | 'unknown address'>(
    'Work items of a project whose identifier is no UUID in lower case',
    ['unknown object', '404 of the object', silent],
    ['unknown address', '404 of the address, which does not count', `${source}, \`urls/work_item.py\``],
  ),
  stickyNotFound: difference<'error' | 'detail'>(
    '404 of a sticky',
    ['error', '`{"error": "The requested resource does not exist."}`, as for other objects', 'Shape of the error body: not shown'],
    [
      'detail',
      '`{"detail": "No Sticky matches the given query."}`; `{"detail": "Not found."}` if the identifier is no UUID',
      `${source}, \`views/sticky.py\``,
    ],
  ),
  stickyProjection: difference<'applied' | 'ignored'>(
    '`fields` and `expand` for a sticky',
    ['applied', 'as for other objects', 'fields and expand: "on read and list operations"'],
    ['ignored', 'ignored', `${source}, \`views/sticky.py\``],
  ),
  formBodies: difference<'refused' | 'read'>(
    'A form as the body of a POST or PATCH (`application/x-www-form-urlencoded`)',
    ['refused', '415', '"request bodies are JSON"; the status is our choice'],
    ['read', 'read like JSON; an empty value is null where null is allowed', `${source}, the parsers of its framework`],
  ),
  throttledBody: difference<'detail' | 'code'>(
    'Body of a 429',
    ['detail', '`{"detail": …}`', 'Shape of the error body: not shown'],
    ['code', '`{"error_code": 5900, "error_message": "RATE_LIMIT_EXCEEDED"}`', `${source}, \`authentication/adapter/exception.py\``],
  ),
  slashless: difference<'work-items' | 'redirect'>(
    'Address without its trailing slash',
    ['work-items', '404, except `work-items`, which is served', 'Endpoints: that form appears in a pagination example'],
    ['redirect', '301 to the address with the slash, for every method', measured],
  ),
  invalidNames: difference<'refused' | 'ignored'>(
    'Unknown name in `fields`, or a name in `expand` that cannot be expanded',
    ['refused', '400 that names the invalid items', 'fields and expand; the status is our choice'],
    ['ignored', 'ignored', 'measured on the Community Edition for `fields`'],
  ),
  blankAfterComma: difference<'trimmed' | 'unknown'>(
    'Blank after a comma in `fields`',
    ['trimmed', 'trimmed', silent],
    ['unknown', 'the name with the blank is another name, so the field is missing', measured],
  ),
  expandedNull: difference<null | 'empty object'>(
    '`expand` of a relation that is null',
    [null, '`null`', silent],
    ['empty object', '`{}`', measured],
  ),
  envelope: difference<'specified' | 'extended'>(
    'Envelope of a list',
    ['specified', 'nine fields; `extra_stats` is `{}`', 'Paginated list envelope'],
    [
      'extended',
      'also `total_count`, and `grouped_by` and `sub_grouped_by`, which are `null`; `extra_stats` is `null`',
      `${source}, \`utils/paginator.py\``,
    ],
  ),
  firstPrevCursor: difference<'empty' | 'negative'>(
    '`prev_cursor` of the first page',
    ['empty', 'the empty string; a request with this cursor returns the first page', 'Pagination, rule 1'],
    ['negative', '`N:-1:1`; a request with this cursor gets 400 `{"detail": "Error in parsing"}`', measured],
  ),
  noPerPageStatus: difference<400 | 500>(
    '`per_page` that is zero or negative',
    [400, '400', 'Errors: "client error in the request"'],
    [500, '500', measured],
  ),
  cursorSize: difference<'page size' | 'ignored'>(
    'A cursor is sent without `per_page`, or with a `per_page` that differs from the page size in the cursor',
    ['page size', "the cursor's first number is the page size", 'Pagination: "value = page size"'],
    [
      'ignored',
      "the cursor's first number is ignored: its page number counts in pages of `per_page`, or of the default size, so rows are skipped or come twice",
      `measured without \`per_page\`; ${source}, \`utils/paginator.py\``,
    ],
  ),
  rolesPerPage: difference<number>(
    'Roles on a page of `roles/`, without `per_page`',
    [100, '100', 'Limits: "default 100"'],
    [20, '20', "documentation of Plane's Python and Node clients"],
  ),
  unknownOrderStatus: difference<200 | 500>(
    'Unknown `order_by`',
    [200, 'ignored, like every parameter that is not specified', silent],
    [500, '500', measured],
  ),
  limiter: difference<Limiter>(
    'The limiter, and what X-RateLimit-Reset means (`--limiter` chooses otherwise)',
    ['fixed-window', "a window that begins with its first request; Reset is the window's end", 'Limits: "resets every minute"'],
    ['sliding-log', 'a sliding log; Reset is always now + 60 s, when the log would be empty', measured],
  ),
  rateHeaders: difference<'always' | 'counted'>(
    'X-RateLimit-Remaining and X-RateLimit-Reset',
    ['always', 'on every answer, 429 included', 'Limits: "on each request"'],
    ['counted', 'only on answers to counted requests: not on 429, 401, 403, unknown addresses, stickies', measured],
  ),
  retryAfter: difference<boolean>(
    'Retry-After on 429',
    [false, 'absent: Reset tells when', 'Limits names two headers, and not this one'],
    [true, 'seconds until one slot is free; absent after the limit was lowered', measured],
  ),
  stickiesCount: difference<boolean>(
    'Requests for stickies',
    [true, 'count like any other', 'Limits'],
    [false, 'are not counted', measured],
  ),
  tokensCount: difference<boolean>(
    'Requests with an OAuth token',
    [true, 'count for each token like those of a key', silent],
    [false, 'are not counted here: Remaining is always the limit', measured],
  ),
  timestamps: difference<'utc' | 'offset'>(
    'Timestamps',
    ['utc', 'ISO 8601 UTC: `2026-01-31T12:00:00Z`', 'Resources: "ISO 8601 UTC form"'],
    ['offset', "microseconds and the offset of the key's owner: `2026-01-31T14:00:00.000000+02:00`", measured],
  ),
  idleConnectionMs: difference<number>(
    'Idle connection',
    [60_000, 'closed after a minute', silent],
    [2_000, 'closed after 2 s, and no header says so', measured],
  ),
} as const

export type Dialect = {
  readonly [Name in keyof typeof differences]: (typeof differences)[Name] extends Difference<infer Value> ? Value : never
}

export function speak(name: DialectName): Dialect {
  return Object.fromEntries(Object.entries(differences).map(([key, sides]) => [key, sides[name][0]])) as Dialect
}
