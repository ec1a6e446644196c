import { expect, test } from 'vitest'
import { clear, enter, type LoggedRequest, loggedBody, openRequestLog } from '../../../src/sandbox/request-log.ts'

const entry = (more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  body: '',
  bodyBytes: 0,
  credential: 'none',
  receivedAt: 0,
  faults: [],
  ...more,
})
const mebibyte = 'x'.repeat(1024 * 1024)
const charactersOf = (entries: readonly LoggedRequest[]) =>
  entries.reduce((sum, one) => sum + one.path.length + one.query.length + one.body.length + (one.userAgent ?? '').length, 0)

test.each(['path', 'query', 'body', 'userAgent'] as const)('the log has a limit of characters, whatever has them: %s', (field) => {
  const log = openRequestLog()
  for (let n = 0; n < 100; n += 1) enter(log, entry({ [field]: mebibyte, receivedAt: n }))
  expect(charactersOf(log.entries)).toBeLessThanOrEqual(64 * 1024 * 1024)
  expect(log.entries.at(-1)?.receivedAt).toBe(99)
  expect(log.forgotten + log.entries.length).toBe(100)
  clear(log)
  expect(log).toEqual(openRequestLog())
})

test('the log has a limit of entries, and one of entries without text', () => {
  const log = openRequestLog()
  for (let n = 0; n < 100_010; n += 1) enter(log, entry({ receivedAt: n }))
  expect([log.entries.length, log.forgotten, log.entries[0]?.receivedAt]).toEqual([100_000, 10, 10])
})

test('a body is kept in part, and one with a secret not at all', () => {
  expect(loggedBody('/api/v1/', Buffer.from(mebibyte))).toHaveLength(64 * 1024)
  expect(loggedBody('/api/v1/', Buffer.from('{}'))).toBe('{}')
  expect(loggedBody('/auth/o/token/', Buffer.from('client_secret=x'))).toBe('')
})
