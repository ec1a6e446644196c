import { isLoopback } from '../http/loopback.ts'
import { DirectoryError } from './directoryError.ts'

/** Refuses to send a secret or a token over plain http, except to this machine or if the settings allow it. @throws {DirectoryError} */
export function refusePlainHttp(url: URL, allowed: boolean): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (allowed || isLoopback(url.hostname)))) return
  throw new DirectoryError('insecure', `${url.origin}: a credential would travel without encryption`, {
    cure: 'use https, or set allowPlaintext: true if the network is trusted',
  })
}
