import { createHash, createPrivateKey, type KeyObject, type webcrypto, X509Certificate } from 'node:crypto'
import { OperationalError } from '../core/operationalError.ts'
import { parseJson } from './json.ts'

/** A key that signs JWTs. `algorithm`: its name in JWS. `thumbprint`: that of the certificate of the key, `x5t#S256` (RFC 7515 §4.1.8). */
export type SigningKey = {
  readonly key: webcrypto.CryptoKey
  readonly algorithm: string
  readonly keyId?: string
  readonly thumbprint?: string
  /** The `typ` of its JWTs. */
  readonly type?: string
  /** The parts of the text that are secret. */
  readonly secrets: readonly string[]
}

/** A key cannot sign. The message follows the name of the key in a sentence, and never has any of its content. */
export class UnusableKey extends OperationalError<'UnusableKey'> {
  constructor(why: string, cure: string) {
    super('UnusableKey', why, { cure })
  }
}

export type SigningOptions = {
  readonly keyId?: string
  /** PEM. */
  readonly certificate?: string
  /** The algorithm of an RSA key that does not name one itself. Default: `RS256`. */
  readonly rsaAlgorithm?: 'RS256' | 'PS256'
  /** The `typ` of JWTs. Default: none is sent. */
  readonly type?: string
}

/** @param text a private key as PEM or JWK. @throws {UnusableKey} */
export function signingKey(text: string, { keyId, certificate, rsaAlgorithm = 'RS256', type }: SigningOptions): SigningKey {
  const jwk = jwkIn(text)
  const key = keyObjectOf(jwk ?? text)
  const { algorithm, usage } = algorithmFor(key, jwk?.['alg'], rsaAlgorithm)
  const named = keyId ?? (typeof jwk?.['kid'] === 'string' ? jwk['kid'] : undefined)
  return {
    key: key.toCryptoKey(usage, false, ['sign']),
    algorithm,
    ...(named === undefined ? {} : { keyId: named }),
    ...(certificate === undefined ? {} : { thumbprint: thumbprintOf(certificate, key) }),
    ...(type === undefined ? {} : { type }),
    secrets: secretsIn(jwk ?? text),
  }
}

const makeOne = 'write a private key as PEM (-----BEGIN PRIVATE KEY-----) or as a JWK ({"kty": …}), RSA of 2048 bits or more, EC or Ed25519'

type Jwk = webcrypto.JsonWebKey & Readonly<Record<string, unknown>>

function jwkIn(text: string): Jwk | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return parseJson({ body: text }) as Jwk
  } catch {
    throw new UnusableKey('is not a JWK: its JSON cannot be parsed', makeOne)
  }
}

function keyObjectOf(source: string | webcrypto.JsonWebKey): KeyObject {
  try {
    if (typeof source !== 'string') return createPrivateKey({ key: source, format: 'jwk' })
    return createPrivateKey(source)
  } catch (error) {
    const isEncrypted = typeof source === 'string' && source.includes('ENCRYPTED')
    if (isEncrypted) throw new UnusableKey('is encrypted with a passphrase', 'decrypt it with: openssl pkcs8 -in FILE -out FILE.plain')
    if (typeof source !== 'string' && source.d === undefined && source.kty !== undefined)
      throw new UnusableKey('is a JWK without its private part', makeOne)
    if (typeof source === 'string' && /-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----/.test(source))
      throw new UnusableKey('is a certificate or a public key, not a private key', makeOne)
    throw new UnusableKey(`is not a private key that can be read (${nodeCodeOf(error)})`, makeOne)
  }
}

type Usage = Parameters<KeyObject['toCryptoKey']>[0]
const curves: Readonly<Record<string, { readonly algorithm: string; readonly namedCurve: string }>> = {
  prime256v1: { algorithm: 'ES256', namedCurve: 'P-256' },
  secp384r1: { algorithm: 'ES384', namedCurve: 'P-384' },
  secp521r1: { algorithm: 'ES512', namedCurve: 'P-521' },
}
const bitsMin = 2048

/** @param wanted the `alg` of a JWK */
function algorithmFor(key: KeyObject, wanted: unknown, rsaAlgorithm: string): { readonly algorithm: string; readonly usage: Usage } {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      if (modulusLength < bitsMin) throw new UnusableKey(`is an RSA key of ${modulusLength} bits, too few`, makeOne)
      const algorithm = wanted ?? rsaAlgorithm
      const [, family, bits] = typeof algorithm === 'string' ? (/^(RS|PS)(256|384|512)$/.exec(algorithm) ?? []) : []
      if (family === undefined) break
      return {
        algorithm: `${family}${bits}`,
        usage: { name: family === 'PS' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5', hash: `SHA-${bits}` },
      }
    }
    case 'ec': {
      const curve = curves[namedCurve]
      if (curve === undefined || (wanted !== undefined && wanted !== curve.algorithm)) break
      return { algorithm: curve.algorithm, usage: { name: 'ECDSA', namedCurve: curve.namedCurve } }
    }
    case 'ed25519':
      if (wanted !== undefined && wanted !== 'EdDSA' && wanted !== 'Ed25519') break
      return { algorithm: 'EdDSA', usage: { name: 'Ed25519' } }
    default:
  }
  const kind = `${key.asymmetricKeyType ?? 'unknown'}${namedCurve === '' ? '' : ` ${namedCurve}`}`
  const named = typeof wanted === 'string' && /^\w{1,20}$/.test(wanted) ? ` with the algorithm ${wanted}` : ''
  throw new UnusableKey(`cannot sign: it is a key of the kind ${kind}${named}`, makeOne)
}

function thumbprintOf(pem: string, key: KeyObject): string {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(pem)
  } catch (error) {
    throw new UnusableKey(`has a certificate that cannot be read (${nodeCodeOf(error)})`, 'write the certificate of this key as PEM')
  }
  if (!certificate.checkPrivateKey(key))
    throw new UnusableKey('does not belong to its certificate', 'name the certificate that was made for this key')
  return createHash('sha256').update(certificate.raw).digest('base64url')
}

/** The secret parts of a key: the private members of a JWK (RFC 7518 §6), or the base64 text of each private key in PEM. */
function secretsIn(source: string | Record<string, unknown>): readonly string[] {
  if (typeof source === 'string') return privateKeysIn(source)
  return ['d', 'p', 'q', 'dp', 'dq', 'qi'].flatMap((name) => (typeof source[name] === 'string' ? [source[name]] : []))
}

export const privateKeysIn = (pem: string): readonly string[] =>
  [...pem.matchAll(/PRIVATE KEY-----([^-]*)-----END/g)].map(([, base64 = '']) => base64.replaceAll(/\s/g, ''))

/** The code of an error of Node, such as `ERR_OSSL_UNSUPPORTED`. Unlike the message, it has no content of a file. */
export const nodeCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no code'
