import { expect, test } from 'vitest'
import { NoAnswer } from '../../../src/http/origin.ts'
import { type SendResult, transience } from '../../../src/plane/transient.ts'

const answered = (status: number): SendResult => ({ answer: { status, headers: {}, body: '', sentAtMs: 0, receivedAtMs: 0 } })
const silent = (code: NoAnswer['code']): SendResult => ({ error: new NoAnswer(code, true, 0, 'it broke') })

test.each<[string, SendResult, string | undefined]>([
  ['499', answered(499), undefined],
  ['500', answered(500), 'status 500'],
  ['503', answered(503), 'status 503'],
  ['407', answered(407), undefined],
  ['408', answered(408), 'status 408'],
  ['429, which has rules of its own', answered(429), undefined],
  ['nobody there', silent('unreachable'), 'no connection'],
  ['nothing in time', silent('deadline'), 'no answer in time'],
  ['half an answer', silent('cut'), 'an answer cut off'],
  ['a certificate that is refused', silent('tls'), undefined],
  ['too much', silent('tooLarge'), undefined],
  ['given up', silent('aborted'), undefined],
  ['a bug', { error: new TypeError('a bug') }, undefined],
])('%s: what may be over at the next attempt, in a word', (_, tried, word) => {
  expect(transience(tried)).toBe(word)
})
