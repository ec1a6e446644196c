import { expect, test } from 'vitest'
import { NoAnswer, type Origin } from '../../../src/http/origin.ts'
import { oauthCharactersMax, originFetch } from '../../../src/http/tokenServer.ts'

const url = new URL('https://sso.example.org/')
const fetched = (body: string) => {
  const request: Origin['request'] = async () => ({ status: 200, headers: {}, body, sentAtMs: 1, receivedAtMs: 2 })
  return originFetch(
    { url, request },
    () => undefined,
    new AbortController().signal,
  )(`${url.href}token?a=b`, { method: 'POST', headers: {} })
}

test('an answer about tokens is handed on up to its bound', async () => {
  const body = 'x'.repeat(oauthCharactersMax)
  expect(await (await fetched(body)).text()).toHaveLength(oauthCharactersMax)
  const error = await fetched(`${body}x`).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NoAnswer)
  expect(error).toMatchObject({
    code: 'tooLarge',
    sent: true,
    message: expect.stringMatching(/^POST https:\/\/sso\.example\.org\/token: the answer has more than 1000000/) as string,
  })
})
