import type { IncomingMessage } from 'node:http'
import type { Target } from './request.ts'

/**
 * Why a request may not use `/_sandbox/`; undefined if it may. These endpoints need no credential, so only programs on this machine may use them.
 * A page in a browser on this machine is not one of them, whatever name its server's address has (DNS rebinding).
 */
export function localOnly({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, target: Target): string | undefined {
  const peer = socket.remoteAddress
  if (peer === undefined || !isLoopbackAddress(peer))
    return `/_sandbox/ is only for this machine, and this request came from ${peer ?? 'elsewhere'}`
  const host = target.host ?? headers.host
  if (host !== undefined && !isLoopbackHost(host)) {
    return `/_sandbox/ is only for this machine: ask it by localhost, 127.0.0.1 or [::1], and not by ${host}`
  }
  const site = headers['sec-fetch-site']
  const isOfPage = headers.origin !== undefined || (site !== undefined && site !== 'none')
  return isOfPage ? '/_sandbox/ is not for pages in a browser: this request has the header Origin or Sec-Fetch-Site' : undefined
}

const isLoopbackAddress = (address: string): boolean => /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address)

function isLoopbackHost(host: string): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/.exec(host) ?? []
  return name.toLowerCase() === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
}
