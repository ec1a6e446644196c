import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { chain } from '../certificateChain.ts'
import { selfSigned } from '../selfSigned.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings of an OAuth client by which it proves its identity without a secret that it sends. */

/** The reading of a directory, the requests that its server got, and the fingerprints of the certificates that the client showed. */
export type SeenClient = {
  readonly reading: unknown
  readonly server: { readonly requests: readonly { readonly path: string; readonly authorization: string; readonly body: string }[] }
  readonly shown: ReadonlySet<string> | undefined
}

/** A row below the settings of a directory. `client`: its settings beside the id. `tls`: the server has TLS. */
type RowOf = (
  setting: string,
  cases: Row['cases'],
  look: (seen: SeenClient) => unknown,
  more: { readonly client: Tree; readonly tls?: true },
) => Row

export const tokenRequest = ({ server }: SeenClient) => {
  const { authorization = '', body = '' } = server.requests.find(({ path }) => path.endsWith('/token')) ?? {}
  const form = new URLSearchParams(body)
  const [id, secret] = authorization.startsWith('Basic ') ? atob(authorization.slice('Basic '.length)).split(':') : []
  return { id, secret, inForm: form.get('client_secret') }
}

/** The assertion in the form of the request for a token. */
const assertion = ({ server }: SeenClient): string =>
  new URLSearchParams(server.requests.find(({ path }) => path.endsWith('/token'))?.body).get('client_assertion') ?? ''
const assertionHeader = (seen: SeenClient) => JSON.parse(Buffer.from(assertion(seen).split('.')[0] ?? '', 'base64url').toString())
/** Which key has signed the assertion. */
function signer(seen: SeenClient): string | undefined {
  const [header = '', payload = '', signature = ''] = assertion(seen).split('.')
  const keys = Object.entries({ first: selfSigned.key, second: chain.key })
  const isSignedBy = (key: string) =>
    verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  return keys.find(([, key]) => isSignedBy(key))?.[0]
}

/** The place of a key, by its kind of reference: the first and the second key. */
export const keyPlaces = [
  ['file', 'signing.pem', 'signing-2.pem'],
  ['env', 'SIGNING_KEY', 'SIGNING_KEY_2'],
] as const
const fingerprint = new X509Certificate(selfSigned.cert).fingerprint256
const read = ({ reading, shown }: SeenClient) => ({ reading, shown: [...(shown ?? [])] })
const wrongPair = {
  reading: { failed: expect.stringContaining('the certificate and the key of client "reader" cannot be used together') },
  shown: [],
}

/** @param whole the reading of the directory */
export function proofRows(row: RowOf, whole: unknown): readonly Row[] {
  const shownOnce = { reading: whole, shown: [fingerprint] }
  const signed = { privateKey: { key: { env: 'SIGNING_KEY' } } }
  return [
    ...keyPlaces.map(([kind, one, other]) =>
      row(`client.privateKey.key.${kind}`, [when(one, 'first'), when(other, 'second')], signer, { client: {} }),
    ),
    row('client.privateKey.keyId', [when(undefined, { alg: 'ES256' }), when('k1', { alg: 'ES256', kid: 'k1' })], assertionHeader, {
      client: signed,
    }),
    row(
      'client.privateKey.certificateFile',
      [when(undefined, { alg: 'ES256' }), when('ca.pem', { alg: 'ES256', 'x5t#S256': expect.stringMatching(/^[\w-]{43}$/) })],
      assertionHeader,
      { client: signed },
    ),
    row(
      'client.assertion.file',
      [when('account.jwt', 'first.foreign.assertion'), when('account-2.jwt', 'second.foreign.assertion')],
      assertion,
      { client: {} },
    ),
    row('client.tls.certificateFile', [when('ca.pem', shownOnce), when('leaf.pem', wrongPair)], read, {
      client: { tls: { key: { file: 'signing.pem' } } },
      tls: true,
    }),
    ...keyPlaces.map(([kind, one, other]) =>
      row(`client.tls.key.${kind}`, [when(one, shownOnce), when(other, wrongPair)], read, {
        client: { tls: { certificateFile: 'ca.pem' } },
        tls: true,
      }),
    ),
  ]
}
