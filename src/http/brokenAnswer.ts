import { errorsIn } from './errorsIn.ts'

type Broken = { readonly why: string; readonly cure: string }

/** Why an answer that came cannot be read, because it breaks HTTP. Undefined for any other error. @param error of undici */
export function brokenAnswer(error: unknown, code: string): Broken | undefined {
  const refused = parserErrorIn(error)
  if (refused !== undefined) return { why: notHttp + reasonIn(refused), cure: notHttpCure }
  const known = errorsIn(error).find(({ message }) => byMessage.has(message))
  const what = byMessage.get(known?.message ?? '') ?? byCode[code]
  return what === undefined ? undefined : { why: `${what} (${code})`, cure: proxyCure }
}

/** undici's error for bytes that its parser refuses. It has no code. */
export const parserErrorIn = (error: unknown): Error | undefined => errorsIn(error).find(({ name }) => name === 'HTTPParserError')

export const notHttp = 'the answer is not HTTP/1.1'
const notHttpCure = 'check the address and its port: another kind of server answers there, or a proxy that damages answers'
const proxyCure = 'a proxy in front of the server is the likely cause: see its log, and what it does to answers'

/** The words of llhttp, which undici puts in brackets at the end. */
const reasonIn = ({ message }: Error): string => /\s\([^()]*\)$/.exec(message)?.[0] ?? ''

/**
 * undici has one code for these and for a connection that ends; only its message differs. A client must be able to read a 100 (RFC 9110, 15.2), and
 * undici is not.
 */
const byMessage: ReadonlyMap<string, string> = new Map([
  ['bad response', 'the server sent 100 Continue, for which the request did not ask, so the answer cannot be read'],
  ['bad upgrade', 'the server sent 101 Switching Protocols, for which the request did not ask'],
])

const byCode: Readonly<Record<string, string>> = {
  // The parser ends a body at its length, so this code needs two different lengths.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
    'the answer breaks HTTP: its body does not have the length of its header Content-Length, because the header came twice, or beside Transfer-Encoding',
  UND_ERR_HEADERS_OVERFLOW: 'the answer cannot be read: its headers have more bytes than are allowed',
  ERR_ASSERTION: 'the answer breaks HTTP in a way that the HTTP client does not expect, such as a status below 100',
}
