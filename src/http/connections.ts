import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isInRanges, isLoopback } from './addressRanges.ts'
import { type ConnectionStep, ProxyFailure } from './whyNoAnswer.ts'

/** A certificate and its private key (PEM), which the client shows to a server that asks for them (mutual TLS). */
export type ClientCertificate = { readonly certificate: string; readonly key: string }

export type ConnectionOptions = {
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string
  readonly clientCertificate?: ClientCertificate
  /** Time limit for opening a connection or a tunnel, and for each wait within an answer. */
  readonly deadlineMs: number
  /** Idle sockets are closed after this time. Plane closes them after 2 s, and no header says so (measured, gunicorn). */
  readonly idleMs: number
  readonly connections: number
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly except?: string }
}

/** The connections to one origin, direct or through a proxy. This file is the only one that makes clients of undici. */
export type Connections = {
  readonly dispatcher: Dispatcher
  /** The step in which a new connection waits now; undefined if no connection waits, or if it waits for the origin itself. */
  waitsFor(): ConnectionStep | undefined
  /** Closes all connections, also those that are being opened. */
  close(): Promise<void>
}

/**
 * The proxies for an origin; undefined if it is asked directly. A request to this machine does not go through the proxy, which could read the credential
 * over plain http. undici compares names and addresses with `except`, but knows no ranges.
 */
function proxyFor(url: URL, { proxy }: Pick<ConnectionOptions, 'proxy'>): ConnectionOptions['proxy'] {
  return isLoopback(url.hostname) || isInRanges(url.hostname, proxy?.except ?? '') ? undefined : proxy
}

export function openConnections(url: URL, options: ConnectionOptions): Connections {
  const { deadlineMs, idleMs } = options
  // The steps in the order in which they began. A step of the proxy may itself wait for the resolver, so two steps can be open. Then `waitsFor` names
  // the resolver.
  const steps = new Set<ConnectionStep>()
  function begin(step: ConnectionStep): () => void {
    steps.add(step)
    return () => void steps.delete(step)
  }

  const named: LookupFunction = (host, how, callback) => {
    const end = begin({ kind: 'resolver', host })
    lookup(host, how, (error, address, family) => {
      end()
      callback(error, address, family)
    })
  }

  /** The client for requests to the proxy itself. */
  function proxyClient(address: URL, pool: object): Dispatcher {
    // undici gives a request for a tunnel neither our deadline nor a signal; its own limit is five minutes.
    const client = new Pool(address, { ...pool, headersTimeout: deadlineMs })
    // Node refuses an IP address as the server name of TLS, and undici sends one.
    const serverName = isIP(address.hostname.replaceAll(/[[\]]/g, '')) === 0 ? {} : { servername: '' }
    const proxy = address.origin
    const open: (tunnel: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = client.connect.bind(client)
    async function connect(tunnel: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const end = begin({ kind: 'proxy', proxy })
      const opened = await open({ ...tunnel, ...serverName })
        .catch((error: unknown) => {
          throw new ProxyFailure(proxy, undefined, error)
        })
        .finally(end)
      if (opened.statusCode === 200) return opened
      opened.socket.on('error', () => undefined).destroy()
      throw new ProxyFailure(proxy, opened.statusCode)
    }
    return Object.assign(client, { connect })
  }

  // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect.
  const tls = {
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.clientCertificate === undefined ? {} : { cert: options.clientCertificate.certificate, key: options.clientCertificate.key }),
  }
  const proxy = proxyFor(url, options)
  const dispatcher = new EnvHttpProxyAgent({
    // With HTTP/2, undici would send a POST again after REFUSED_STREAM.
    allowH2: false,
    pipelining: 1,
    connections: options.connections,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connectTimeout: deadlineMs,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    httpProxy: proxy?.http ?? '',
    httpsProxy: proxy?.https ?? '',
    noProxy: proxy?.except ?? '',
    connect: { ...tls, lookup: named },
    requestTls: tls,
    proxyTls: { rejectUnauthorized: true, lookup: named },
    clientFactory: proxyClient,
  })
  return {
    dispatcher,
    waitsFor: () => [...steps].find(({ kind }) => kind === 'resolver') ?? [...steps][0],
    close: () => dispatcher.destroy(),
  }
}
