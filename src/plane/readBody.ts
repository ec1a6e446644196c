import { NotUtf8, parseJson, TooManyValues } from '../http/json.ts'
import type { Answer } from '../http/origin.ts'
import { UnexpectedBody } from './wire/parse.ts'

/** The body of an answer as `make` reads it. @throws the error of `fail` if the body is not JSON, or not of the expected shape */
export function readBody<T>(answer: Answer, make: (body: unknown) => T, fail: (reason: string) => Error): T {
  let body: unknown
  try {
    body = parseJson(answer)
  } catch (error) {
    throw fail(error instanceof TooManyValues || error instanceof NotUtf8 ? error.message : 'not JSON')
  }
  try {
    return make(body)
  } catch (error) {
    if (error instanceof UnexpectedBody) throw fail(error.message)
    throw error
  }
}
