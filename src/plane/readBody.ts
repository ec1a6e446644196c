import { compressionOf } from '../http/compression.ts'
import { NotUtf8, parseJson, TooManyValues } from '../http/json.ts'
import type { Answer } from '../http/origin.ts'
import { UnexpectedBody } from './wire/parse.ts'

/** Makes a value of the JSON of an answer. @throws {UnexpectedBody} if the body does not have the expected shape */
export type Make<T> = (body: unknown, headers: Answer['headers']) => T

/** The body of an answer as `make` reads it, with the headers of the answer. @throws the error of `fail` if the body is not JSON, or not of the expected shape */
export function readBody<T>(answer: Answer, make: Make<T>, fail: (reason: string) => Error): T {
  let body: unknown
  try {
    body = parseJson(answer)
  } catch (error) {
    if (error instanceof TooManyValues) throw fail(error.message)
    throw fail(compressionOf(answer) ?? (error instanceof NotUtf8 ? error.message : 'not JSON'))
  }
  try {
    return make(body, answer.headers)
  } catch (error) {
    if (error instanceof UnexpectedBody) throw fail(error.message)
    throw error
  }
}
