import { describe, expect, test } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { excerpt } from '../../../src/plane/answerBody.ts'
import { errorOfAnswer, errorOfBody, errorOfSilence, type PlaneErrorCode, type Where } from '../../../src/plane/errors.ts'

const key = 'plane_api_0123456789abcdef'
const where = (method = 'GET'): Where => ({
  method,
  url: 'https://plane.example.com/api/v1/workspaces/acme-stg/group-sync/project-mappings/',
  credential: 'default',
  workspace: 'acme',
  slug: 'acme-stg',
  secrets: [key],
})
const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  sentAtMs: 1,
  receivedAtMs: 2,
})

test.each([
  [401, { detail: 'Authentication credentials were not provided.' }, 'GET', 'credential'],
  [401, '', 'GET', 'credential'],
  [403, { detail: 'Given API token is not valid' }, 'GET', 'credential'],
  [403, { error: 'The API key has expired' }, 'GET', 'credential'],
  [403, { detail: 'Token has expired' }, 'GET', 'credential'],
  [403, { detail: 'The provided key is expired.' }, 'GET', 'credential'],
  [403, { detail: 'Expired token' }, 'GET', 'credential'],
  [403, { detail: 'Invalid credentials' }, 'GET', 'credential'],
  [403, { error: 'The trial of this workspace has expired' }, 'GET', 'forbidden'],
  [403, { error: 'The license key has expired' }, 'GET', 'forbidden'],
  [403, { detail: 'You do not have permission to perform this action.' }, 'GET', 'forbidden'],
  [403, { detail: 'You do not have permission to perform this action.' }, 'POST', 'forbidden'],
  [402, { type: 'about:blank', code: 'payment', detail: 'Upgrade' }, 'POST', 'rejected'],
  [404, { error: 'The required object does not exist.' }, 'GET', 'notFound'],
  [409, { detail: 'exists' }, 'POST', 'conflict'],
  [400, { role: ['Invalid role.'] }, 'POST', 'rejected'],
  [429, { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' }, 'GET', 'throttled'],
  [500, '<html><title>Server Error</title></html>', 'GET', 'server'],
  [503, '', 'GET', 'server'],
  [300, '', 'POST', 'redirected'],
  [399, '', 'POST', 'redirected'],
  [499, '', 'POST', 'rejected'],
  [299, '', 'POST', 'malformed'],
] satisfies [number, unknown, string, PlaneErrorCode][])('%i %j on %s is %s', (status, body, method, code) => {
  const error = errorOfAnswer(answer(status, body), where(method), 0)
  expect(error).toMatchObject({ code, status, sent: true, atMs: 2 })
  expect(error.message).toContain('workspace acme, credential "default"')
  expect(error.message).toContain(`${method} https://plane.example.com/api/v1/`)
})

describe('what people read', () => {
  test('each known error body in one line', () => {
    const said = (body: unknown) => errorOfAnswer(answer(400, body), where(), 0).message.split(' (GET')[0]
    expect(said({ role: ['Invalid role.'], project: ['Unknown.', 'Too long.'] })).toBe(
      'the service rejects this (400: role: Invalid role.; project: Unknown.; Too long.)',
    )
    expect(said({ error_code: 5900, error_message: 'X' })).toBe('the service rejects this (400: error_code: 5900; X)')
    expect(said({ error: 'Request body cannot be empty.' })).toBe('the service rejects this (400: Request body cannot be empty.)')
    expect(said(['one', 'two'])).toBe('the service rejects this (400: one; two)')
    expect(said('<!doctype html><title>Welcome\n to nginx</title>')).toBe('the service rejects this (400: a web page "Welcome to nginx")')
    expect(said('')).toBe('the service rejects this (400: no text)')
    expect(said('plain\u001b[31m text\u202e')).toBe('the service rejects this (400: plain\\u{1b}[31m text\\u{202e})')
  })

  /** Each row is one error: the call, the answer, the sentence and the cure. */
  const denied = { detail: 'You do not have permission' }
  const meanwhile =
    'until this can be read, nothing that needs it is written in this workspace, and people keep the access that they have; the next cycle tries again'
  const redirected = { location: 'https://other.example.com/\u001b' }
  test.each<[string, Answer, string, string | undefined]>([
    [
      'GET',
      answer(301, '', redirected),
      '301, a redirect to https://other.example.com/\\u{1b}, which is not followed',
      'set the address of Plane (service.baseUrl, or PLANE_BASE_URL) to the final address',
    ],
    [
      'DELETE',
      answer(304, ''),
      '304, "not modified", which is no answer to this request',
      'a cache or proxy in front of Plane answered in its place: see its log, and let it pass requests to the API on to Plane',
    ],
    [
      'POST',
      answer(302, ''),
      '302, a redirect without an address (no text)',
      'the answer may come from a proxy in front of Plane: see its log, and check the address of Plane (service.baseUrl, or PLANE_BASE_URL)',
    ],
    [
      'POST',
      answer(302, '', { location: 'https://u:secretpw@evil.example/x' }),
      '302, a redirect to https://•••@evil.example/x, which is not followed',
      'set the address of Plane (service.baseUrl, or PLANE_BASE_URL) to the final address',
    ],
    [
      'POST',
      answer(400, { detail: 'see https://u:secretpw@evil.example/' }),
      'the service rejects this (400: see https://•••@evil.example/)',
      undefined,
    ],
    [
      'GET',
      answer(401, { detail: 'Not provided.' }),
      'the service refuses the credential "default" (401: Not provided.)',
      'the service did not get the key: check that no proxy drops the header, and that the secret is not empty',
    ],
    [
      'GET',
      answer(403, { detail: 'Given API token is not valid' }),
      'the service refuses the credential "default" (403: Given API token is not valid)',
      'the key may have expired: make a new key (Plane: profile settings, personal access tokens) and put it into the file or variable that the settings name',
    ],
    [
      'GET',
      answer(403, denied),
      'the service forbids this (403: You do not have permission)',
      'check the workspace slug "acme-stg" (Plane answers 403 for a misspelt one, too), and that the owner of credential "default" is an admin of the workspace, or a member of the project',
    ],
    [
      'PATCH',
      answer(403, denied),
      'the service forbids this (403: You do not have permission)',
      'check the workspace slug "acme-stg" (Plane answers 403 for a misspelt one, too), and that credential "default" may write: its owner must be a workspace admin, an API key must not be read-only, an OAuth token needs the scope workspaces.group_sync:write',
    ],
    [
      'GET',
      answer(404, { error: 'No.' }),
      'not there (404: No.)',
      'check the workspace slug "acme-stg"; if every address answers 404, the address of Plane (service.baseUrl, or PLANE_BASE_URL) is wrong, or this Plane has no group sync (Commercial edition)',
    ],
    ['POST', answer(409, { error: 'exists' }), 'the service reports a conflict (409: exists)', undefined],
    [
      'POST',
      answer(402, { detail: 'Upgrade' }),
      'the subscription (edition) of this Plane instance does not include the feature (402: Upgrade)',
      undefined,
    ],
    [
      'POST',
      answer(429, { detail: 'Slow.' }),
      'too many requests with credential "default" (429: Slow.)',
      'other programs spend the same budget: give this one a key of its own, or lower service.limit',
    ],
    ['POST', answer(500, 'x'), 'the service failed (500: x)', undefined],
    ['POST', answer(400, 'x'), 'the service rejects this (400: x)', undefined],
    [
      'POST',
      answer(299, 'x'),
      'an unexpected answer (299: x)',
      'check the address of Plane (service.baseUrl, or PLANE_BASE_URL), and that this program supports its version',
    ],
    ...[500, 502, 503, 599].map((status): [string, Answer, string, string] => [
      'GET',
      answer(status, 'x'),
      `the service failed (${status}: x)`,
      `see Plane's log; ${meanwhile}`,
    ]),
    ...[400, 408, 410, 422].map((status): [string, Answer, string, string] => [
      'GET',
      answer(status, 'x'),
      `the service rejects this (${status}: x)`,
      `see Plane's log, and check that this program supports its version; ${meanwhile}`,
    ]),
    [
      'GET',
      answer(409, 'x'),
      'the service reports a conflict (409: x)',
      `see Plane's log, and check that this program supports its version; ${meanwhile}`,
    ],
    [
      'GET',
      answer(402, 'x'),
      'the subscription (edition) of this Plane instance does not include the feature (402: x)',
      `group sync needs an edition of Plane that includes it (Commercial edition); ${meanwhile}`,
    ],
  ])('what happened, and what to do next: %s %o', (method, said, sentence, cure) => {
    const error = errorOfAnswer(said, where(method), 0)
    expect([error.sentence, error.cure]).toEqual([sentence, cure])
    const place = `${method} ${where().url}, workspace acme, credential "default"`
    expect(error.message).toBe(`${sentence} (${place})`)
  })

  test.each<[Answer, string]>([
    [answer(301, '', { location: 'https://b.example/' }), 'a redirect to https://b.example/, which is not followed'],
    [answer(400, { role: ['Invalid role.'] }), 'role: Invalid role.'],
    [answer(402, { detail: 'Upgrade' }), 'the subscription (edition) of this Plane instance does not include the feature (Upgrade)'],
    [answer(403, denied), 'the service forbids this (You do not have permission)'],
    [answer(404, ''), 'not there (no text)'],
    [answer(408, 'late'), 'the service rejects this (408: late)'],
    [answer(409, { error: 'exists' }), 'exists'],
    [answer(429, { detail: 'Slow.' }), 'too many requests with credential "default" (Slow.)'],
    [answer(503, 'x'), 'the service failed (503: x)'],
    [answer(299, 'x'), 'an unexpected answer (299: x)'],
  ])('beside the status of a refusal, the rest: %o', (said, brief) => {
    expect(errorOfAnswer(said, where(), 0).brief).toBe(brief)
  })

  test('where no workspace is concerned, none is named', () => {
    const { workspace: _workspace, slug: _slug, ...here } = where()
    const said = (status: number, method: string) => errorOfAnswer(answer(status, ''), { ...here, method }, 0)
    expect(said(500, 'GET').message).toBe(`the service failed (500: no text) (GET ${here.url}, credential "default")`)
    expect(said(500, 'GET').cure).toMatch(/nothing that needs it is written there, /)
    expect(said(403, 'GET').cure).toBe(
      'check that the owner of credential "default" is an admin of the workspace, or a member of the project',
    )
    expect(said(403, 'POST').cure).toMatch(/^check that credential "default" may write: its owner must be a workspace admin/)
    expect(said(404, 'GET').cure).toBe(
      'if every address answers 404, the address of Plane (service.baseUrl, or PLANE_BASE_URL) is wrong, or this Plane has no group sync (Commercial edition)',
    )
  })

  test('how long to wait, where the service says it', () => {
    expect(errorOfAnswer(answer(429, '', { 'retry-after': '3' }), where(), 0).retryAfterMs).toBe(3_000)
    expect(errorOfAnswer(answer(503, '', { 'retry-after': '3' }), where(), 0).retryAfterMs).toBeUndefined()
    const date = { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }
    expect(errorOfAnswer(answer(429, '', date), where(), Date.parse('2026-03-01T12:00:00Z')).retryAfterMs).toBe(9_000)
  })

  test.each<[NoAnswer['code'], string | undefined]>([
    [
      'unreachable',
      'check the address of Plane (service.baseUrl, or PLANE_BASE_URL), that Plane runs, and that proxies, firewalls and network policies let this through',
    ],
    ['tls', undefined],
    ['deadline', 'Plane, or a proxy in front of it, is slow: check both, or raise service.timeout'],
    ['cut', 'Plane, or a proxy in front of it, was restarted or cuts long answers; the next run reads again'],
    ['tooLarge', 'check the address of Plane (service.baseUrl, or PLANE_BASE_URL)'],
    ['aborted', undefined],
  ])('no answer: %s', (code, cure) => {
    const silence = (sent: boolean) => new NoAnswer(code, sent, 7, `why ${key}`)
    for (const sent of [true, false]) {
      expect(errorOfSilence(silence(sent), where())).toMatchObject({ code, sent, cure, atMs: 7, status: undefined })
    }
    const error = errorOfSilence(silence(true), where())
    expect(error.sentence).toMatch(/^why /)
    expect(error.message).not.toContain(key)
    expect(error.cause).toEqual(silence(true))
    expect([error.name, error.earlierLastByteMs]).toEqual(['PlaneError', undefined])
    expect(errorOfSilence(silence(true), where(), { earlierLastByteMs: 5 }).earlierLastByteMs).toBe(5)
  })

  test('a long reason for no answer is cut', () => {
    const { sentence } = errorOfSilence(new NoAnswer('cut', true, 7, 'x'.repeat(1_000)), where())
    expect(sentence.length).toBe(501)
  })

  const aWebPage =
    'the address of Plane (service.baseUrl, or PLANE_BASE_URL) must be that of the API, not of the web application or of a login page in front of it'
  const cutOff = 'Plane, or a proxy in front of it, ended the answer early: see its log; the next run reads again'
  const otherShape = 'check the address of Plane (service.baseUrl, or PLANE_BASE_URL), and that this program supports its version'
  test.each<[string, string, string, PlaneErrorCode, string, string]>([
    [
      'a web page',
      '\n <html><title>Sign in</title>',
      'not JSON',
      'notJson',
      'a web page instead of JSON (200: a web page "Sign in")',
      aWebPage,
    ],
    [
      'JSON that ends early',
      '[{"id":"<1>"',
      'not JSON',
      'notJson',
      'JSON that is cut off or broken (200, 12 characters: [{"id":"<1>")',
      cutOff,
    ],
    [
      'the body of an error',
      '{"error": "quota is used up"}',
      'id: must be a text',
      'malformed',
      'an answer of unexpected shape: id: must be a text (200: quota is used up)',
      otherShape,
    ],
    [
      'the body of an error, with blanks',
      ' \n{ "detail": "quota is used up" }',
      'id: must be a text',
      'malformed',
      'an answer of unexpected shape: id: must be a text (200: quota is used up)',
      otherShape,
    ],
    [
      'a list of rows, one of which has a detail',
      '[{"detail": "quota"}]',
      'id: must be a text',
      'malformed',
      'an answer of unexpected shape: id: must be a text',
      otherShape,
    ],
    ['JSON of another shape', '{}', 'results: Required', 'malformed', 'an answer of unexpected shape: results: Required', otherShape],
  ])('a success that is %s', (_name, body, reason, code, sentence, cure) => {
    const error = errorOfBody(answer(200, body), reason, where())
    expect(error).toMatchObject({ code, sentence, cure, status: 200, sent: true, atMs: 2 })
  })

  test.each([
    [400, false],
    [408, true],
    [499, false],
    [500, true],
  ])('of %i, the brief form has the status (%s) only if it is no refusal', (status, hasStatus) => {
    const { brief, sentence } = errorOfAnswer(answer(status, { detail: 'no' }), where(), 0)
    expect(brief.includes(String(status))).toBe(hasStatus)
    expect(sentence).toContain(String(status))
  })

  test('of a success that is broken, the first characters', () => {
    const { sentence } = errorOfBody(answer(200, `[${'1,'.repeat(200)}`), 'not JSON', where())
    expect(sentence).toBe(`JSON that is cut off or broken (200, 401 characters: [${'1,'.repeat(39)}1…)`)
  })

  test('the key never appears, however it is written', () => {
    for (const form of [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)]) {
      for (const status of [301, 400, 401, 403, 404, 409, 429, 500]) {
        const error = errorOfAnswer(answer(status, { detail: `token ${form} bad`, [form]: form }, { location: `/?k=${form}` }), where(), 0)
        expect(error.message + (error.cure ?? '')).not.toContain(form)
      }
    }
  })

  test('an excerpt is bounded, and no half of a secret stays at its edge', () => {
    expect(excerpt('x'.repeat(10_000)).length).toBeLessThanOrEqual(201)
    const edge = excerpt(`${'x'.repeat(190)}${key}`, [key])
    expect(edge).not.toContain(key.slice(0, 5))
    expect(excerpt(`${'x '.repeat(92)}https://u:secretpw@evil.example/`)).not.toContain('secret')
  })
})
