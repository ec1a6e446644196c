import { expect, test } from 'vitest'
import { saysObjectMissing } from '../../../src/plane/call.ts'
import { detail, encode, error, objectNotFound, type Reply } from '../../../src/sandbox/reply.ts'

/** An answer as it comes over the wire, with header names in lower case. */
const answer = (status: number, body: string, type: string | undefined = 'application/json') => ({
  status,
  body,
  headers: type === '' ? {} : { 'content-type': type },
})
const sandboxed = (reply: Reply) => answer(reply.status, encode(reply).bytes.toString(), encode(reply).headers['Content-Type'])

test.each<[string, Reply]>([
  ['the sandbox', objectNotFound()],
  ['the framework', detail(404, 'Not found.')],
  ['the framework, newer', detail(404, 'No Sticky matches the given query.')],
  ['the framework, of a name of several words', detail(404, 'No project mapping matches the given query.')],
  ['the views, older', error(404, 'The required object does not exist.')],
])('an object that is not there: %s', (_, reply) => {
  expect(saysObjectMissing(sandboxed(reply))).toBe(true)
})

test('an address that is not there is no object', () => {
  expect(saysObjectMissing(sandboxed(error(404, 'Page not found.')))).toBe(false)
})

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ; charset=utf-8'])('as %s', (type) => {
  expect(saysObjectMissing(answer(404, '{ "detail" : "Not found." }\n', type))).toBe(true)
})

test.each([
  '',
  ' ',
  '{',
  '{}',
  '[]',
  'null',
  '0',
  'true',
  '"Not found."',
  '["Not found."]',
  '[{"detail":"Not found."}]',
  '{"detail":"Not fou',
  '{"detail":"Not found."}{"detail":"Not found."}',
  '{"detail":null}',
  '{"detail":["Not found."]}',
  '{"detail":{"detail":"Not found."}}',
  '{"detail":"Not found.","status":404}',
  '{"error":"Page not found.","detail":"Not found."}',
  '{"Detail":"Not found."}',
  '{"message":"Not found."}',
  '{"message":"no Route matched with those values"}',
  // The same in other spellings.
  '{"detail":"Not Found"}',
  '{"detail":"Not found"}',
  '{"detail":"not found."}',
  '{"detail":" Not found."}',
  '{"detail":"Not found.\\n"}',
  '{"error":"Not found."}',
  '{"error":"Not Found"}',
  '{"detail":"The requested resource does not exist."}',
  '{"error":"The requested resource does not exist"}',
  '{"error":"the requested resource does not exist. Or does it?"}',
  '{"detail":"Page not found."}',
  '{"error":"Page not found"}',
  '{"error":"Workspace not found."}',
  '{"detail":"No <a href=x> matches the given query."}',
  '{"timestamp":"2026-01-01","status":404,"error":"Not Found","path":"/api/v1/"}',
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"Not found."}',
  '{"__proto__":{"detail":"Not found."}}',
  '<html><title>404 Not Found</title></html>',
  '404 page not found',
  '\uFEFF{"detail":"Not found."}',
])("none of Plane's: %s", (body) => {
  expect(saysObjectMissing(answer(404, body))).toBe(false)
})

test.each(['', 'text/html', 'text/plain; charset=utf-8', 'application/jsonp', 'application/problem+json', 'text/json'])(
  "none of Plane's as %j",
  (type) => {
    expect(saysObjectMissing(answer(404, '{"detail":"Not found."}', type))).toBe(false)
  },
)

test.each([200, 204, 301, 400, 403, 405, 410, 500])('%i is no 404', (status) => {
  expect(saysObjectMissing(answer(status, '{"detail":"Not found."}'))).toBe(false)
})

test('what is too long is not looked into', () => {
  const padded = (length: number) => '{"detail":"Not found."}'.padEnd(length)
  expect(saysObjectMissing(answer(404, padded(1_000)))).toBe(true)
  expect(saysObjectMissing(answer(404, padded(1_001)))).toBe(false)
})
