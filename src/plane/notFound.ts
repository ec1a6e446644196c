import { jsonObjectIn } from '../core/jsonText.ts'
import type { Answer } from '../http/origin.ts'

/** Plane itself says that something does not exist: the object that an address names, or the address. */
export type NotFound = 'object' | 'address'

/**
 * Reads a 404 that Plane itself sent. Undefined for any other answer, also for a 404 of a proxy or of another application behind it, which
 * says nothing about Plane's objects. Texts are compared exactly, since others answer almost the same: `{"detail":"Not Found"}` (FastAPI),
 * `{"status":404,"error":"Not Found",…}` (Spring), `{"message":"no Route matched with those values"}` (Kong).
 */
export function notFoundIn({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): NotFound | undefined {
  if (status !== 404 || !isJson.test(headers['content-type'] ?? '') || body.length > charactersMax) return undefined
  const [name, text] = onlyTextIn(body) ?? []
  return own.find((one) => one.name === name && one.text.test(text ?? ''))?.missing
}

const own: readonly { readonly missing: NotFound; readonly name: string; readonly text: RegExp }[] = [
  // Texts of the framework, older and newer.
  { missing: 'object', name: 'detail', text: /^Not found\.$/ },
  { missing: 'object', name: 'detail', text: /^No [\w ]+ matches the given query\.$/ },
  // Texts of Plane's views, newer and older.
  { missing: 'object', name: 'error', text: /^The (requested resource|required object) does not exist\.$/ },
  { missing: 'address', name: 'error', text: /^Page not found\.$/ },
]

const isJson = /^application\/json\s*(;|$)/i
/** Ten times the longest of these texts. */
const charactersMax = 1_000

/** The field of an object that has one field, a text. */
function onlyTextIn(body: string): readonly [name: string, text: string] | undefined {
  const [only, ...others] = Object.entries(jsonObjectIn(body) ?? {})
  return only === undefined || others.length > 0 || typeof only[1] !== 'string' ? undefined : [only[0], only[1]]
}
