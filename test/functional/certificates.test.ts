import { expect, test } from 'vitest'
import { connectOrigin, NoAnswer } from '../../src/http/origin.ts'
import { chain } from './certificateChain.ts'
import { rawServer } from './rawServer.ts'
import { selfSigned } from './selfSigned.ts'

const { key, root, intermediate, leaf, expired, future, otherName } = chain
const server = (...certificates: readonly string[]) => ({ key, cert: certificates.join('\n') })
const options = { deadlineMs: 5_000, bytesMax: 1_000, idleMs: 1_000, connections: 1, now: Date.now }

async function askedOf(tls: { readonly key: string; readonly cert: string } | undefined, ca?: string): Promise<string> {
  await using service = await rawServer((_, response) => response.end('[]'), tls)
  const url = new URL(service.url.href.replace('http:', 'https:'))
  const origin = connectOrigin(url, { ...options, ...(ca === undefined ? {} : { ca }) })
  try {
    const { status } = await origin.request({ method: 'GET', path: '/' }, new AbortController().signal)
    return String(status)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    expect([error.code, error.sent]).toEqual(['tls', false])
    return `${error.why}; ${error.cure}`
  } finally {
    await origin.close()
  }
}

test.each([
  ['the whole chain, its root is trusted', server(leaf, intermediate), root, '200'],
  [
    'a private CA that nothing names',
    server(leaf, intermediate),
    undefined,
    'no trusted CA issued it (UNABLE_TO_GET_ISSUER_CERT_LOCALLY); name the CA that issued it in the settings (caFile)',
  ],
  [
    'a private CA, and another one is named',
    server(leaf, intermediate),
    selfSigned.cert,
    'no trusted CA issued it (UNABLE_TO_GET_ISSUER_CERT_LOCALLY); add the CA that issued it (PEM) to caFile, which does not contain it',
  ],
  [
    'the root is sent along',
    server(leaf, intermediate, root),
    undefined,
    'the server sends a root that is not trusted (SELF_SIGNED_CERT_IN_CHAIN); name the CA',
  ],
  [
    'signed by itself',
    selfSigned,
    undefined,
    'the server has signed it itself (DEPTH_ZERO_SELF_SIGNED_CERT); name this certificate itself (PEM) in the settings (caFile)',
  ],
  [
    'the intermediate is missing, the root is named',
    server(leaf),
    root,
    'its issuer is neither sent along nor trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); let the server send its intermediate certificates, too, or add the issuer (PEM) to caFile',
  ],
  [
    'the intermediate is missing, nothing is named',
    server(leaf),
    undefined,
    'let the server send its intermediate certificates, too; if the CA is private, name',
  ],
  [
    'expired',
    server(expired, intermediate),
    root,
    "the certificate has expired (CERT_HAS_EXPIRED); renew the server's certificate; if it is valid, check its issuers, the certificates in caFile and the clock of this machine",
  ],
  [
    'not valid yet',
    server(future, intermediate),
    root,
    'the certificate is not valid yet (CERT_NOT_YET_VALID); check the clock of this machine',
  ],
  [
    'for another name',
    server(otherName, intermediate),
    root,
    'the certificate is for another name: it is for plane.example.com, not for 127.0.0.1 (ERR_TLS_CERT_ALTNAME_INVALID); use a name of the certificate in the address',
  ],
  ['no TLS at all', undefined, root, '); check that this port speaks TLS'],
])('a certificate has its sentence and its cure: %s', async (_what, tls, ca, expected) => {
  const seen = await askedOf(tls, ca)
  expect(seen).toContain(expected)
  // The cure names `caFile` only if the settings do not have it.
  if (ca !== undefined) expect(seen).not.toContain('in the settings (caFile)')
})
