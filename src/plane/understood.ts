import type { Answer } from '../http/origin.ts'
import { UnexpectedBody } from './wire.ts'

/** @throws what `fail` makes, where the body is not JSON or not of the expected shape */
export function understood<T>(answer: Answer, make: (body: unknown) => T, fail: (reason: string) => Error): T {
  if (isTooMany(answer.body)) throw fail('more values than any list has')
  let body: unknown
  try {
    body = JSON.parse(answer.body)
  } catch {
    throw fail('not JSON')
  }
  try {
    return make(body)
  } catch (error) {
    if (error instanceof UnexpectedBody) throw fail(error.message)
    throw error
  }
}

/** As many values as 400,000 mappings. A few bytes each would fill the memory hundredfold when parsed (measured: 62 MiB of `{},` are over 900 MB). */
const valuesMax = 4_000_000

function isTooMany(body: string): boolean {
  if (body.length < valuesMax) return false
  let values = 0
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if ((code === 0x2c || code === 0x5b || code === 0x7b) && ++values > valuesMax) return true
  }
  return false
}
