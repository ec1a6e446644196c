import { describe, expect, test } from 'vitest'
import { NoAnswer } from '../../../../src/http/origin.ts'
import { type Fault, type Kind, otherGroup, person, type Sort, type Told, toldOf, worlds } from './fakeWorlds.ts'

/**
 * What a person reads when a request to a directory over HTTP fails: each kind, each sort of request, each answer. http.md has all sentences and cures.
 * Read its diff: does the cure fit the request that failed, and the cause?
 */

const json = { 'content-type': 'application/json' }
const html = `<html><h1>Sorry</h1>${person} at proxy.example.com</html>`
const ofServer =
  (status: number): Fault =>
  (_, errorBody) => ({ status, headers: json, body: JSON.stringify(errorBody(status)) })
const ofProxy =
  (status: number): Fault =>
  () => ({ status, headers: { 'content-type': 'text/html' }, body: html })
const body =
  (text: string, headers: Readonly<Record<string, string>> = json): Fault =>
  () => ({ status: 200, headers, body: text })
const silent =
  (...[code, why, cure]: readonly [NoAnswer['code'], string, string?]): Fault =>
  ({ method, path, shownPath }) => {
    throw new NoAnswer(code, true, 0, why, undefined, `${method} https://h.example.com${(shownPath ?? path).split('?', 1)[0]}`, cure)
  }

const ownStatuses = [400, 401, 403, 404, 405, 408, 409, 410, 429, 500, 501, 503]
const proxyStatuses = [403, 407, 413, 414, 431, 502, 503, 504]

const faults: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['302', () => ({ status: 302, headers: { location: 'https://login.example.com/' } })],
  ...ownStatuses.map((status): [string, Fault] => [`${status}`, ofServer(status)]),
  ...proxyStatuses.map((status): [string, Fault] => [`${status} of a proxy`, ofProxy(status)]),
  [
    '400 of nginx, whose headers are full',
    () => ({ status: 400, headers: { 'content-type': 'text/html' }, body: '<h1>400 Bad Request</h1>Request Header Or Cookie Too Large' }),
  ],
  [
    '401 that wants DPoP',
    (_, errorBody) => ({
      status: 401,
      headers: { ...json, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
      body: JSON.stringify(errorBody(401)),
    }),
  ],
  ['206', () => ({ status: 206, headers: json, body: '[]' })],
  ['200, HTML', body(html, { 'content-type': 'text/html' })],
  ['200, cut', body(`{"value":[{"mail":"${person}"`)],
  ['200, no body', body('')],
  ['200, another object', body(JSON.stringify({ [person]: person }))],
  ['200, compressed', body('\u001f', { ...json, 'content-encoding': 'gzip' })],
  ['cannot connect', silent('unreachable', 'cannot connect (ECONNREFUSED)')],
  ['too late', silent('deadline', 'no complete answer within 30 s')],
  ['the connection ends', silent('cut', 'the connection ended before the answer was complete (UND_ERR_SOCKET)')],
  ['TLS fails', silent('tls', 'the certificate has expired (CERT_HAS_EXPIRED)', "renew the server's certificate")],
  ['too large', silent('tooLarge', 'the answer has more than 33554432 bytes')],
])

const kinds = Object.keys(worlds) as readonly Kind[]
const sortsOf = (kind: Kind): readonly Sort[] => ['token', 'list', 'members', ...(kind === 'scim' ? (['person'] as const) : [])]
type Row = Told & { readonly kind: Kind; readonly sort: Sort; readonly fault: string }

const rows: readonly Row[] = (
  await Promise.all(
    kinds.flatMap((kind) =>
      sortsOf(kind).flatMap((sort) =>
        [...faults].map(async ([name, fault]): Promise<Row> => ({ kind, sort, fault: name, ...(await toldOf(kind, sort, fault)) })),
      ),
    ),
  )
).flat()

const called = ({ kind, sort, fault }: Row): string => `${kind} ${sort}: ${fault}`
const isOfPeople = ({ sort }: Row): boolean => sort === 'members' || sort === 'person'
/** A user who is not there is no failure: such a member is gone. Only if all are, the address of users may be wrong. */
const isGone = (row: Row): boolean => called(row) === 'scim person: 404'
const failed = rows.filter((row) => !isGone(row))

test('without a fault each world is read whole', async () => {
  for (const kind of kinds)
    expect(await toldOf(kind, 'token', ({ path }) => ({ status: 200, body: JSON.stringify(worlds[kind].good(path)) })), kind).toMatchObject(
      { why: '(complete)' },
    )
})

describe('for each kind of directory, sort of request, and answer', () => {
  test('there is a failure', () => {
    expect(rows.filter(({ why }) => why === '(complete)').map(called)).toEqual([])
  })

  test('the sentence has the address, and a status if there was one', () => {
    for (const row of failed) {
      expect(row.why, called(row)).toContain('https://h.example.com')
      if (/^[345]/.test(row.fault)) expect(row.why, called(row)).toContain(row.fault.slice(0, 3))
    }
  })

  test('there is a cure, in the place of the cure or at the end of a partial reading', () => {
    // A group of its own trouble is left out of the numbers, and the sentence about it ends with the cure.
    const leftOut = rows.filter(({ cure }) => cure === undefined)
    for (const row of leftOut) expect(row.why, called(row)).toMatch(/; (?:if|check|its people)\b.{20,}/)
    expect(leftOut.map(called)).toMatchInlineSnapshot(`
      [
        "keycloak members: 404",
        "okta members: 404",
        "google members: 404",
        "entra members: 404",
        "scim members: 404",
        "scim members: 200, another object",
        "scim members: too large",
        "scim person: 404",
        "scim person: 200, another object",
        "scim person: too large",
      ]
    `)
    for (const row of failed) if (row.cure !== undefined) expect(row.cure.length, called(row)).toBeGreaterThan(10)
  })

  test('no text about members is shown, and where there was one it is said', () => {
    for (const row of failed.filter(isOfPeople)) {
      expect(`${row.why} ${row.cure}`, called(row)).not.toMatch(/alice|Sorry|proxy\.example|it cannot be done/)
      if (/^[345]/.test(row.fault) && row.fault !== '302') expect(row.why, called(row)).toContain('text not shown: it may name people')
    }
  })

  test('nor is the text of another request while members are read', async () => {
    const fault: Fault = ({ path }, errorBody) =>
      path.endsWith('/members')
        ? { status: 200, body: '{"value":[]}' }
        : { status: 500, headers: json, body: JSON.stringify(errorBody(500)) }
    const { why } = await toldOf('entra', 'members', fault)
    expect(why).toMatch(/\/groups\/[\w-]+: 500 \(InternalServerError; text not shown: it may name people\)$/)
  })

  test('a secret is never shown', () => {
    for (const row of rows) expect(`${row.why} ${row.cure}`, called(row)).not.toMatch(/not-a-real-secret|a-token-of-this-test|PRIVATE KEY/)
  })

  test('a right is given only where a right is missing', () => {
    const gives = /\bgive\b.*\b(?:role|permission|scope|right)\b|\bgrant the scope\b|\badmin role\b/i
    for (const row of rows) if (gives.test(row.cure ?? '') && row.sort !== 'token') expect(row.fault, called(row)).toBe('403')
  })

  test('a cure about the secret or the id of the client is only for the token', () => {
    for (const row of rows)
      if (/its secret|the public key of this private key/.test(row.cure ?? '')) expect(row.sort, called(row)).toBe('token')
  })

  test('a cure about the token, its clock or its issuer is only for 401', () => {
    for (const row of rows)
      if (/\btoken\b/.test(row.cure ?? '') && row.sort !== 'token' && !/DPoP|headers/.test(row.cure ?? ''))
        expect(row.fault, called(row)).toMatch(/^40[13]$/)
  })

  test('who wants DPoP is told to switch it off', () => {
    for (const row of rows.filter(({ fault }) => fault.includes('DPoP'))) expect(row.cure, called(row)).toMatch(/^switch DPoP off/)
  })

  test('what may pass is asked again, what stays so is not', () => {
    const passing = /^(?:408|429|500|502|503|504)|HTML|cut|no body|compressed|cannot connect|too late|connection ends/
    const lasting = /^400 of nginx|^(?:302|401|403|404|405|407|409|410|413|414|431|501|206)|another object|TLS fails|too large/
    // What the page of an error says is not read at the token address, and a request for a token has no long headers.
    for (const row of rows.filter(({ sort, fault }) => sort !== 'token' || !fault.includes('nginx'))) {
      // A page of HTML at the token address is most often the sign-in page of a proxy.
      const isSignIn = row.sort === 'token' && row.fault === '200, HTML'
      const expected = isSignIn ? false : passing.test(row.fault) ? true : lasting.test(row.fault) ? false : row.isRetried
      expect(row.isRetried, called(row)).toBe(expected)
    }
  })

  test.each(
    kinds.map(
      (kind) => [kind, kind === 'google' ? /another organization: no role helps/ : /the members of other groups are read/] as const,
    ),
  )('%s: one group among others that may not be read is no lack of the role that reads all of them', async (kind, cure) => {
    const fault: Fault = ({ path }, errorBody) =>
      path.includes(otherGroup) ? { status: 403, headers: json, body: JSON.stringify(errorBody(403)) } : undefined
    const { why, cure: ofReading } = await toldOf(kind, 'members', fault, [otherGroup])
    expect(ofReading).toBeUndefined()
    expect(why).toMatch(/: 403, /)
    expect(why).toMatch(cure)
    expect(why).not.toMatch(/give an admin role|User\.Read\.All/)
  })

  test('all sentences and cures are those that a person has read', async () => {
    await expect(table()).toMatchFileSnapshot('http.md')
  })
})

/** Rows that differ only in the status are one row. */
function table(): string {
  const sections = kinds.flatMap((kind) =>
    sortsOf(kind).map((sort) => {
      const ofSection = rows.filter((row) => row.kind === kind && row.sort === sort)
      const folded = Map.groupBy(ofSection, ({ fault, why, cure, isRetried }) =>
        JSON.stringify([isRetried, /^\d{3}/.test(fault) ? why.replaceAll(fault.slice(0, 3), 'NNN') : why, cure]),
      )
      const lines = [...folded].map(([key, same]) => {
        const [isRetried, why, cure] = JSON.parse(key) as readonly [boolean, string, string | null]
        return [same.map(({ fault }) => fault).join('; '), isRetried ? 'yes' : 'no', why, cure ?? ''].map(cell).join(' | ')
      })
      return [
        `## ${kind}: ${sort}`,
        '',
        '| answer | asked again | sentence | cure |',
        '|---|---|---|---|',
        ...lines.map((line) => `| ${line} |`),
      ].join('\n')
    }),
  )
  return `# Failures of directories over HTTP\n\nWritten by httpCauses.test.ts; NNN stands for the status.\n\n${sections.join('\n\n')}\n`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
