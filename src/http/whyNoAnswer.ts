import { messageOf } from '../core/errorText.ts'
import { type ConnectionTrouble, cannotConnect, closedInTls, connectionTrouble, resolverCure } from './connectionTrouble.ts'
import { type NodeError, nodeErrorOf } from './tlsTrouble.ts'

/** Why there is no complete answer, for programs. */
export type NoAnswerCode = 'unreachable' | 'tls' | 'deadline' | 'cut' | 'tooLarge' | 'aborted'

/** The same for people. The cure is absent where it depends on what was asked. */
type WhyNoAnswer = { readonly code: NoAnswerCode; readonly why: string; readonly cure?: string }

/** The answer has more bytes than are allowed. */
export class TooLarge extends Error {}

type FailedAttempt = {
  /** The address of the origin. */
  readonly url: URL
  readonly deadlineMs: number
  /** Whether the settings name the trusted certificates. */
  readonly hasCaFile: boolean
  /** Whether the request may have left this machine. */
  readonly sent: boolean
  /** The caller has given up. */
  readonly aborted: boolean
  /** The deadline has passed. */
  readonly late: boolean
  /** The step in which the connection waited. */
  readonly waitedFor: ConnectionStep | undefined
  readonly proxy: UsedProxy
}

/** The proxy of such a request, if there is one. `hasPassword`: its address has a name and a password. */
export type UsedProxy = { readonly variable: 'http_proxy' | 'https_proxy'; readonly hasPassword: boolean }

const proxyCure = 'check the proxy and the variables http_proxy, https_proxy; no_proxy takes names of hosts that need no proxy'

/** Explains an error of undici or Node in words for the operator. */
export function whyNoAnswer(error: unknown, failed: FailedAttempt): WhyNoAnswer {
  const { url, deadlineMs, hasCaFile, sent, aborted, late, waitedFor } = failed
  const host = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
  const within = `within ${deadlineMs / 1000} s`
  if (error instanceof TooLarge) return { code: 'tooLarge', why: `the answer has ${error.message}` }
  if (aborted) return { code: 'aborted', why: 'given up' }
  const code = errorCode(error)
  if (late || timeouts.has(code)) {
    if (sent || waitedFor === undefined) return { code: 'deadline', why: `no complete answer ${within}` }
    return waitedFor.kind === 'resolver'
      ? { code: 'deadline', why: `the resolver did not answer for the name ${waitedFor.host} ${within}`, cure: resolverCure }
      : { code: 'deadline', why: `the proxy ${waitedFor.proxy} did not open a connection to ${host} ${within}`, cure: proxyCure }
  }
  const failure = proxyFailureIn(error)
  if (failure !== undefined) return whyNoTunnel(failure, host, proxyPasswordCure(failed))
  if (isForwardRefusal(error))
    return { code: 'unreachable', why: 'the proxy asks for a name and a password (407)', cure: proxyPasswordCure(failed) }
  const broken = brokenAnswer(error, code)
  if (broken !== undefined) return { code: sent ? 'cut' : 'unreachable', ...broken }
  if (sent) return whyCut(connectionTrouble(nodeError(error), url.hostname, hasCaFile ? 'caFile' : 'system'), code)
  const trouble = connectionTrouble(nodeError(error), url.hostname, hasCaFile ? 'caFile' : 'system')
  return whyNoConnection(trouble ?? (url.protocol === 'https:' && code === 'ECONNRESET' ? closedInTls(code) : undefined), code)
}

/** In TLS 1.3 a server looks at the certificate of the client after the request may have left. */
const whyCut = (trouble: ConnectionTrouble | undefined, code: string): WhyNoAnswer =>
  trouble?.kind === 'clientCertificate'
    ? { code: 'cut', why: trouble.why, cure: trouble.cure }
    : { code: 'cut', why: `the connection ended before the answer was complete (${code})` }

function whyNoConnection(trouble: ConnectionTrouble | undefined, code: string): WhyNoAnswer {
  if (trouble === undefined) return { code: 'unreachable', why: cannotConnect(code) }
  const { kind, why, cure } = trouble
  switch (kind) {
    case 'certificate':
    case 'otherName':
    case 'plainText':
    case 'clientCertificate':
    case 'handshake':
      return { code: 'tls', why, cure }
    case 'closed':
    case 'resolver':
      return { code: 'unreachable', why, cure }
    case 'network':
      return { code: 'unreachable', why }
    default:
      return kind satisfies never
  }
}

const timeouts: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** For a proxy that answers 407. */
function proxyPasswordCure({ proxy: { variable, hasPassword } }: FailedAttempt): string {
  return hasPassword
    ? `the proxy refuses the name and the password that it was given: check them in ${variable}`
    : `give the proxy a name and a password: ${variable}=http://NAME:PASSWORD@HOST:PORT`
}

function whyNoTunnel({ proxy, status, cause }: ProxyFailure, host: string, passwordCure: string): WhyNoAnswer {
  if (status === undefined) {
    const code = parserErrorIn(cause) !== undefined ? notHttp : errorCode(cause)
    const reason = whyNoConnection(connectionTrouble({ ...nodeError(cause), code }, proxy, 'proxy'), code)
    if (reason.code === 'tls') return { ...reason, why: `the proxy ${proxy}: ${reason.why}` }
    return { code: 'unreachable', why: `cannot connect to the proxy ${proxy} (${code})`, cure: proxyCure }
  }
  const why = `the proxy ${proxy} does not open a connection to ${host} (${status})`
  switch (status) {
    case 407:
      return { code: 'unreachable', why, cure: passwordCure }
    case 401:
    case 403:
    case 405:
      return { code: 'unreachable', why, cure: `allow CONNECT to ${host} in the proxy, or add the host to no_proxy` }
    default:
      return { code: 'unreachable', why, cure: `the proxy cannot reach it: look into the log of the proxy, or add the host to no_proxy` }
  }
}

/** undici's error where a proxy of plain http refuses a request for want of a password. The request ended at the proxy. */
const isForwardRefusal = (error: unknown): boolean => messageOf(error).startsWith('Proxy Authentication Required (407)')

const proxyFailureIn = (error: unknown): ProxyFailure | undefined => errorsIn(error).find((at) => at instanceof ProxyFailure)

const errorCode = (error: unknown): string => nodeError(error).code

/** The first error of a chain that has a code. Without one the text of the error stands in the place of the code. */
function nodeError(error: unknown): NodeError {
  const coded = errorsIn(error).find((at) => 'code' in at && typeof at.code === 'string')
  if (coded === undefined || !('code' in coded)) return { code: messageOf(error), message: messageOf(error) }
  return nodeErrorOf(coded, String(coded.code))
}

type Broken = { readonly why: string; readonly cure: string }

/** Why an answer that came cannot be read, because it breaks HTTP. Undefined for any other error. @param error of undici */
function brokenAnswer(error: unknown, code: string): Broken | undefined {
  const refused = parserErrorIn(error)
  if (refused !== undefined) return { why: notHttp + reasonIn(refused), cure: notHttpCure }
  const known = errorsIn(error).find(({ message }) => byMessage.has(message))
  const what = byMessage.get(known?.message ?? '') ?? byCode[code]
  return what === undefined ? undefined : { why: `${what} (${code})`, cure: damagingProxyCure }
}

/** undici's error for bytes that its parser refuses. It has no code. */
const parserErrorIn = (error: unknown): Error | undefined => errorsIn(error).find(({ name }) => name === 'HTTPParserError')

const notHttp = 'the answer is not HTTP/1.1'
const notHttpCure = 'check the address and its port: another kind of server answers there, or a proxy that damages answers'
const damagingProxyCure = 'a proxy in front of the server is the likely cause: see its log, and what it does to answers'

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

const errorsMax = 5

/** An error and its causes, the outermost first. Of several errors in one it gives the first. */
function* errorsIn(error: unknown): Generator<Error> {
  let at = error
  for (let depth = 0; at instanceof Error && depth < errorsMax; depth++) {
    yield at
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
}

/** `resolver`: the resolver of this machine was asked for a name. `proxy`: the proxy was asked for a tunnel; its address is without a password. */
export type ConnectionStep = { readonly kind: 'resolver'; readonly host: string } | { readonly kind: 'proxy'; readonly proxy: string }

/** The proxy could not be reached, or did not open a tunnel. `status`: that of its answer; undefined if it gave none. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'
  readonly proxy: string
  readonly status: number | undefined
  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(`${proxy} did not open a tunnel`, { cause })
    this.proxy = proxy
    this.status = status
  }
}
