import { type ClientAuth, ClientSecretPost, modifyAssertion, PrivateKeyJwt, TlsClientAuth } from 'openid-client'
import type { ClientCertificate } from './connections.ts'
import type { SigningKey } from './signingKey.ts'

/**
 * How a client proves its identity at the token endpoint, under the names of OAuth (RFC 8414, RFC 8705). `client_assertion` is a JWT that another
 * issuer has signed (RFC 7523 §2.2), such as the token of a Kubernetes service account.
 */
export type ClientAuthentication =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  | { readonly method: 'private_key_jwt'; readonly key: SigningKey }
  | { readonly method: 'client_assertion'; readonly assertion: string }
  | { readonly method: 'tls_client_auth'; readonly certificate: ClientCertificate }

/**
 * The ways to prove the identity of a client, in the order in which they are tried. By RFC 6749 (§2.3.1, appendix B) the id and the secret are
 * form-encoded, then joined for Basic. Some servers do not decode them, and so refuse a secret with characters such as `+`, `/` or `=`. So after a
 * 401 the id and the secret are sent without this encoding. `-`, `_` and `.` are the same in both ways.
 */
export function authenticationsFor(clientId: string, authentication: ClientAuthentication): readonly ClientAuth[] {
  switch (authentication.method) {
    case 'client_secret_post':
      return [ClientSecretPost(authentication.secret)]
    case 'client_secret_basic':
      return basicAuthentications(clientId, authentication.secret)
    case 'private_key_jwt':
      return [signedBy(authentication.key)]
    case 'client_assertion':
      return [assertedBy(clientId, authentication.assertion)]
    case 'tls_client_auth':
      return [TlsClientAuth()]
    default:
      return authentication satisfies never
  }
}

function basicAuthentications(clientId: string, secret: string): readonly ClientAuth[] {
  const encoded = `${formEncoded(clientId)}:${formEncoded(secret)}`
  const plain = `${clientId}:${secret}`
  // The first colon ends the id.
  return plain === encoded || clientId.includes(':') ? [basic(encoded)] : [basic(encoded), basic(plain)]
}

const formEncoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)

const basic =
  (account: string): ClientAuth =>
  (_server, _client, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(account).toString('base64')}`)

/** The audience is the issuer, or the token endpoint if no issuer is known. openid-client writes it. The assertion lives 60 s. */
const signedBy = ({ key, algorithm, keyId, thumbprint, type }: SigningKey): ClientAuth =>
  PrivateKeyJwt(keyId === undefined ? { key } : { key, kid: keyId }, {
    [modifyAssertion](header) {
      header['alg'] = algorithm
      if (type !== undefined) header['typ'] = type
      if (thumbprint !== undefined) header['x5t#S256'] = thumbprint
    },
  })

const assertedBy =
  (clientId: string, assertion: string): ClientAuth =>
  (_server, _client, body) => {
    body.set('client_id', clientId)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', assertion)
  }
