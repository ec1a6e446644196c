import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/http/origin.ts'
import { errorOfAnswer, errorOfBody, type PlaneErrorCode, type Where } from '../../../src/plane/errors.ts'
import { excerpt } from '../../../src/plane/excerpt.ts'

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
  [401, { detail: 'Authentication credentials were not provided.' }, 'GET', 'credential', false],
  [401, '', 'GET', 'credential', false],
  [403, { detail: 'Given API token is not valid' }, 'GET', 'credential', false],
  [403, { error: 'The API key has expired' }, 'GET', 'credential', false],
  [403, { detail: 'You do not have permission to perform this action.' }, 'GET', 'forbidden', false],
  [403, { detail: 'You do not have permission to perform this action.' }, 'POST', 'forbidden', false],
  [402, { type: 'about:blank', code: 'payment', detail: 'Upgrade' }, 'POST', 'rejected', false],
  [404, { error: 'The required object does not exist.' }, 'GET', 'notFound', false],
  [409, { detail: 'exists' }, 'POST', 'conflict', false],
  [400, { role: ['Invalid role.'] }, 'POST', 'rejected', false],
  [429, { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' }, 'GET', 'throttled', true],
  [500, '<html><title>Server Error</title></html>', 'GET', 'server', true],
  [503, '', 'GET', 'server', true],
  [301, '', 'POST', 'redirected', false],
] satisfies [number, unknown, string, PlaneErrorCode, boolean][])('%i %j on %s is %s', (status, body, method, code, retryable) => {
  const error = errorOfAnswer(answer(status, body), where(method))
  expect(error).toMatchObject({ code, status, retryable, sent: true, atMs: 2 })
  expect(error.message).toContain('workspace acme, credential "default"')
  expect(error.message).toContain(`${method} https://plane.example.com/api/v1/`)
})

describe('what people read', () => {
  test('each known error body in one line', () => {
    const said = (body: unknown) => errorOfAnswer(answer(400, body), where()).message.split(' (GET')[0]
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

  test('what to do next', () => {
    expect(errorOfAnswer(answer(403, { detail: 'You do not have permission' }), where()).cure).toContain('slug "acme-stg"')
    expect(errorOfAnswer(answer(403, { detail: 'You do not have permission' }), where('POST')).cure).toContain('read-only')
    expect(errorOfAnswer(answer(401, { detail: 'credentials were not provided.' }), where()).cure).toContain('proxy')
    expect(errorOfAnswer(answer(301, '', { location: 'https://other.example.com/\u001b' }), where())).toMatchObject({
      message: expect.stringContaining('redirect to https://other.example.com/\\u{1b}') as string,
      cure: expect.stringContaining('service.baseUrl') as string,
    })
  })

  test('a success that is not what it should be', () => {
    expect(errorOfBody(answer(200, '<html><title>Sign in</title>'), 'not JSON', where())).toMatchObject({
      code: 'notJson',
      retryable: false,
      message: expect.stringContaining('a web page instead of JSON (200: a web page "Sign in")') as string,
    })
    expect(errorOfBody(answer(200, '[{"id":"1"'), 'not JSON', where())).toMatchObject({ code: 'notJson', retryable: true })
    expect(errorOfBody(answer(200, '{}'), 'results: Required', where())).toMatchObject({ code: 'malformed', retryable: false })
  })

  test('the key never appears, however it is written', () => {
    for (const form of [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)]) {
      for (const status of [301, 400, 401, 403, 404, 409, 429, 500]) {
        const error = errorOfAnswer(answer(status, { detail: `token ${form} bad`, [form]: form }, { location: `/?k=${form}` }), where())
        expect(error.message + (error.cure ?? '')).not.toContain(form)
      }
    }
  })

  test('an excerpt is bounded, and no half of a secret stays at its edge', () => {
    expect(excerpt('x'.repeat(10_000)).length).toBeLessThanOrEqual(201)
    const edge = excerpt(`${'x'.repeat(190)}${key}`, [key])
    expect(edge).not.toContain(key.slice(0, 5))
  })
})
