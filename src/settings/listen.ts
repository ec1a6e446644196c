import { isIPv6 } from 'node:net'
import { OperationalError } from '../core/operationalError.ts'
import { listenAddressPattern } from './patterns/address.ts'

/** The message names the setting and the address. */
export class ListenError extends OperationalError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('ListenError', message, options)
  }
}

/** Parses `host:port`, `[::1]:port`, or `:port` for every address. @throws {ListenError} */
export function parseListen(listen: string): { readonly host: string; readonly port: number } {
  const [, v6, name, digits] = address.exec(listen) ?? []
  if (digits === undefined || (v6 !== undefined && !isIPv6(v6.replace(/%.*/, ''))))
    throw new ListenError(`http.listen "${listen}" is not host:port, as in 127.0.0.1:9464`)
  return { host: v6 ?? (name === undefined || name === '' ? '::' : name), port: Number(digits) }
}

const address = new RegExp(listenAddressPattern, 'u')
