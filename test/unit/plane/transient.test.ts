import { expect, test } from 'vitest'
import { NoAnswer } from '../../../src/http/origin.ts'
import { isTransient, type SendResult, transientFailure } from '../../../src/plane/transient.ts'

const answered = (status: number): SendResult => ({ answer: { status, headers: {}, body: '', sentAtMs: 0, receivedAtMs: 0 } })
const silent = (code: NoAnswer['code']): SendResult => ({ error: new NoAnswer(code, true, 0, 'it broke') })

test.each<[string, SendResult, boolean]>([
  ['499', answered(499), false],
  ['500', answered(500), true],
  ['503', answered(503), true],
  ['407', answered(407), false],
  ['408', answered(408), true],
  ['429, which has rules of its own', answered(429), false],
  ['nobody there', silent('unreachable'), true],
  ['nothing in time', silent('deadline'), true],
  ['half an answer', silent('cut'), true],
  ['a certificate that is refused', silent('tls'), false],
  ['too much', silent('tooLarge'), false],
  ['given up', silent('aborted'), false],
  ['a bug', { error: new TypeError('a bug') }, false],
])('%s: what may be over at the next attempt', (_, tried, is) => {
  expect(isTransient(tried)).toBe(is)
  expect(transientFailure(tried, () => []) !== undefined).toBe(is)
})

test('a failure keeps the words of its error, without secrets, and its own cure', () => {
  const secrets = () => ['s3cret-key']
  const refused = new NoAnswer('unreachable', false, 0, 'cannot connect to s3cret-key (ECONNREFUSED)')
  expect(transientFailure({ error: refused }, secrets)).toEqual({
    sentence: expect.stringMatching(/^cannot connect to (?!s3cret).* \(ECONNREFUSED\)$/) as string,
    cure: expect.stringMatching(/^check the address of Plane .*, that Plane runs, .*network policies/) as string,
  })
  const named = new NoAnswer('unreachable', false, 0, 'the name cannot be resolved', undefined, 'GET x', 'check the DNS')
  expect(transientFailure({ error: named }, secrets)?.cure).toBe('check the DNS')
  const page = {
    ...answered(502),
    answer: { status: 502, headers: {}, body: '<title>Bad s3cret-key</title>', sentAtMs: 0, receivedAtMs: 0 },
  }
  const { sentence, cure } = transientFailure(page, secrets) ?? expect.unreachable()
  expect(sentence).toMatch(/^status 502 \(a web page "Bad (?!s3cret)/)
  expect(cure).toBe('see the log of Plane and of any proxy in front of it')
})
