import { type ClientAuth, ClientSecretPost } from 'openid-client'

type Client = { readonly clientId: string; readonly authentication: 'client_secret_basic' | 'client_secret_post' }

/**
 * The ways to send a client's id and secret, in the order in which they are tried. By RFC 6749 (§2.3.1, appendix B) the id and the secret are
 * form-encoded, then joined for Basic. Some servers do not decode them, and so refuse a secret with characters such as `+`, `/` or `=`. So after a
 * 401 the id and the secret are sent without this encoding. `-`, `_` and `.` are the same in both ways.
 */
export function authenticationsFor({ clientId, authentication }: Client, secret: string): readonly ClientAuth[] {
  if (authentication === 'client_secret_post') return [ClientSecretPost(secret)]
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
