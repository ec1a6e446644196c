import { expect, test } from 'vitest'
import { errorSentence, loggedError } from '../../../src/log/errorText.ts'

test('an error in a log shows no credentials of an address, neither in its message nor in its causes or stack', () => {
  const cause = new Error('no answer of https://u:SECRET@host')
  for (const error of [new Error('cannot reach https://u:SECRET@host', { cause }), new TypeError('https://u:SECRET@host is no address')]) {
    const text = JSON.stringify(loggedError(error)) + errorSentence(error)
    expect(text).toContain('https://•••@host')
    expect(text).not.toContain('SECRET')
  }
})
