import { counted } from '../core/quantity.ts'
import { compressionOf } from '../http/compression.ts'
import type { Answer } from '../http/origin.ts'
import { explanation } from './errorBody.ts'
import { excerpt } from './excerpt.ts'

type BodyFault = { readonly code: 'notJson' | 'malformed'; readonly sentence: string; readonly cure: string }

/** What is wrong with the body of a success, and what to do. @param reason what its reader says of it */
export function bodyFault(answer: Answer, reason: string, secrets: readonly string[]): BodyFault {
  const { body, status } = answer
  if (reason === compressionOf(answer)) {
    const cure = 'check that Plane, or the proxy in front of it, obeys the header Accept-Encoding: identity'
    return { code: 'notJson', sentence: `the answer is ${reason}, although the request asks for none that is`, cure }
  }
  const code = reason === 'not JSON' ? 'notJson' : 'malformed'
  if (/^\s*</.test(body)) {
    const cure = 'service.baseUrl must be the address of the API, not of the web application or of a login page in front of it'
    return { code, sentence: `a web page instead of JSON (${status}: ${explanation(answer, secrets)})`, cure }
  }
  if (code === 'notJson') {
    const size = counted(body.length, 'character')
    const cure = 'Plane, or a proxy in front of it, ended the answer early: see its log; the next run reads again'
    return { code, sentence: `JSON that is cut off or broken (${status}, ${size}: ${excerpt(body, secrets, 80)})`, cure }
  }
  const words = isErrorBody(body) ? ` (${status}: ${explanation(answer, secrets)})` : ''
  return { code, sentence: `an answer of unexpected shape: ${excerpt(reason, secrets)}${words}`, cure: shapeCure }
}

/** Whether the body begins like that of an error, although its status is a success. */
const isErrorBody = (body: string): boolean => /^\s*\{\s*"(?:detail|error|error_code|error_message)"/.test(body)

export const shapeCure = 'check that service.baseUrl is the address of Plane, and that this program supports its version'
