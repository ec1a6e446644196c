import { isLoopback } from '../http/loopback.ts'
import { DirectoryError } from './directoryError.ts'

/** A secret or a token over http: can be read on the way, so only to this machine itself, or where the settings say that they know. */
export function refusePlainHttp(url: URL, allowed: boolean): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (allowed || isLoopback(url.hostname)))) return
  throw new DirectoryError('insecure', `${url.origin}: a credential would travel without encryption`, {
    cure: 'use https, or say allowPlaintext: true where the network itself is trusted',
  })
}
