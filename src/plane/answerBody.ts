import { planeAddress } from '../core/cures.ts'
import { counted } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { openScrubber } from '../core/scrub.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import { compressionOf, NotUtf8, parseJson, TooManyValues } from '../http/json.ts'
import type { Answer } from '../http/origin.ts'
import { UnexpectedBody } from './wire/fields.ts'

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
    const cure = `${planeAddress} must be that of the API, not of the web application or of a login page in front of it`
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

export const shapeCure = `check ${planeAddress}, and that this program supports its version`

/**
 * The text of an error body, from the service or from a proxy in front of it, in one bounded line. The known forms are
 * `{detail}`, `{error}`, `{<field>: ["…"]}`, `{error_code, error_message}`, `{type, code, detail, errors: […]}`, a list of texts, HTML.
 */
export function explanation({ body, headers }: Pick<Answer, 'body' | 'headers'>, secrets: readonly string[]): string {
  if (body.trim() === '') return 'no text'
  if (/^\s*</.test(body) || headers['content-type']?.includes('html')) {
    const title = /<title[^>]*>([^<]{1,500})/i.exec(body.slice(0, 20_000))?.[1] ?? ''
    return `a web page${title.trim() === '' ? '' : ` "${excerpt(title, secrets)}"`}`
  }
  let value: unknown
  try {
    value = parseJson({ body })
  } catch {
    const compressed = compressionOf({ headers })
    return compressed === undefined ? excerpt(body, secrets) : `a text that is ${compressed}`
  }
  return excerpt(sentences(value, 0) || body, secrets, 400)
}

function sentences(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null || depth > 3) return ''
  if (Array.isArray(value)) {
    return value
      .slice(0, 10)
      .map((item) => sentences(item, depth + 1))
      .filter(Boolean)
      .join('; ')
  }
  return Object.entries(value)
    .slice(0, 20)
    .map(([name, item]) => {
      const text = sentences(item, depth + 1)
      return text === '' || spoken.has(name) ? text : `${name}: ${text}`
    })
    .filter(Boolean)
    .join('; ')
}

/** Field names that are left out: their value says enough. */
const spoken = new Set(['detail', 'error', 'error_message', 'message', 'errors', 'non_field_errors'])

/** Only so much of a text is searched for secrets. It is far more than is shown. */
const searchedMax = 10_000

/**
 * The beginning of a text from outside, safe to show: control and direction characters are escaped. Secrets are replaced, also those that are not
 * known, such as the password in an address.
 *
 * @param secrets values that must not appear, in any form that a scrubber knows
 */
export function excerpt(text: string, secrets: readonly string[] = [], lengthMax = 200): string {
  // Secrets are replaced before the text is cut to what is shown, so that no part of a secret stays.
  const { add, scrub } = openScrubber(secrets.length)
  for (const secret of secrets) add(secret)
  const safe = withoutSecretForms(scrub(text.slice(0, searchedMax)))
  const shown = safe.length > lengthMax ? `${safe.slice(0, lengthMax)}…` : safe
  return visible(shown.trim().replaceAll(/\s+/g, ' '))
}
