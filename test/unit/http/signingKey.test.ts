import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signingKey, UnusableKey } from '../../../src/http/signingKey.ts'
import { chain } from '../../functional/certificateChain.ts'
import { selfSigned } from '../../functional/selfSigned.ts'

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey.export(pkcs8)
const jwk = (more: object = {}) => JSON.stringify({ ...rsa.privateKey.export({ format: 'jwk' }), ...more })

function refusalOf(text: string, more: Parameters<typeof signingKey>[1] = {}): UnusableKey {
  try {
    signingKey(text, more)
  } catch (error) {
    if (error instanceof UnusableKey) return error
    throw error
  }
  throw new Error('the key was taken')
}

describe('a key', () => {
  test.each([
    ['RSA in PKCS#8', rsa.privateKey.export(pkcs8), 'RS256'],
    ['RSA in PKCS#1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }), 'RS256'],
    ['P-256', ec('P-256'), 'ES256'],
    ['P-384', ec('P-384'), 'ES384'],
    ['P-521', ec('P-521'), 'ES512'],
    ['Ed25519', generateKeyPairSync('ed25519').privateKey.export(pkcs8), 'EdDSA'],
    ['a JWK', jwk(), 'RS256'],
    ['a JWK of PS384', jwk({ alg: 'PS384' }), 'PS384'],
    ['a JWK behind blanks', `\n ${jwk({ alg: 'RS512' })}\n`, 'RS512'],
    ['PEM behind a certificate', `${selfSigned.cert}\n${selfSigned.key}\n`, 'ES256'],
    ['PEM with line ends of Windows', selfSigned.key.replaceAll('\n', '\r\n'), 'ES256'],
  ])('%s signs with %s', (_, text, algorithm) => {
    expect(signingKey(text, {})).toMatchObject({ algorithm, key: { extractable: false, usages: ['sign'] } })
    expect(signingKey(text, {})).not.toHaveProperty('keyId')
  })

  test.each([
    ['RSA in PEM', rsa.privateKey.export(pkcs8), 'PS256'],
    ['a JWK that names its algorithm', jwk({ alg: 'RS512' }), 'RS512'],
    ['P-256', ec('P-256'), 'ES256'],
  ])('%s for a server that wants RSA keys to sign with PS256', (_, text, algorithm) => {
    expect(signingKey(text, { rsaAlgorithm: 'PS256', type: 'JWT' })).toMatchObject({ algorithm, type: 'JWT' })
  })

  test('signs what its public key verifies', async () => {
    const { key } = signingKey(jwk({ alg: 'RS256' }), {})
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key, Buffer.from('x'))
    expect(verify('sha256', Buffer.from('x'), rsa.publicKey, Buffer.from(signature))).toBe(true)
    expect(sign('sha256', Buffer.from('x'), rsa.privateKey).equals(Buffer.from(signature))).toBe(true)
  })

  test('has the key id of the settings, else that of the JWK', () => {
    expect(signingKey(jwk({ kid: 'of-jwk' }), {}).keyId).toBe('of-jwk')
    expect(signingKey(jwk({ kid: 'of-jwk' }), { keyId: 'said' }).keyId).toBe('said')
  })

  test('has the SHA-256 thumbprint of its certificate', () => {
    // openssl x509 -outform der | openssl dgst -sha256 -binary | basenc --base64url
    expect(signingKey(selfSigned.key, { certificate: selfSigned.cert }).thumbprint).toBe('Q55mni6mdshkDtHyQW_yBLaUuEZ3SsSfKwr6jixfqtw')
    expect(signingKey(chain.key, { certificate: `${chain.leaf}\n${chain.intermediate}` }).thumbprint).toMatch(/^[\w-]{43}$/)
  })

  test('tells its secret parts', () => {
    const { d = '' } = rsa.privateKey.export({ format: 'jwk' })
    expect(signingKey(jwk(), {}).secrets).toContain(d)
    const inPem = signingKey(`${selfSigned.cert}\n${selfSigned.key}`, {}).secrets
    expect(inPem).toEqual([expect.stringMatching(/^MIG[\w+/=]+$/)])
  })
})

describe('no key', () => {
  const passphrase = { cipher: 'aes-256-cbc', passphrase: 'a-passphrase' } as const
  test.each<[text: string, why: string]>([
    ['nonsense', 'is not a private key that can be read'],
    ['', 'is not a private key that can be read'],
    ['{"kty":"RSA"', 'its JSON cannot be parsed'],
    ['{"kty":"RSA","n":"AQAB","e":"AQAB"}', 'without its private part'],
    ['{"kty":"oct","k":"c2VjcmV0"}', 'private'],
    ['{}', 'is not a private key that can be read'],
    [rsa.publicKey.export({ type: 'spki', format: 'pem' }), 'not a private key'],
    [selfSigned.cert, 'is a certificate or a public key'],
    [rsa.privateKey.export({ ...pkcs8, ...passphrase }), 'is encrypted with a passphrase'],
    [generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pkcs8), 'is an RSA key of 1024 bits, too few'],
    [ec('secp256k1'), 'of the kind ec secp256k1'],
    [generateKeyPairSync('x25519').privateKey.export(pkcs8), 'of the kind x25519'],
    [jwk({ alg: 'HS256' }), 'of the kind rsa with the algorithm HS256'],
    [jwk({ alg: { a: 1 } }), 'of the kind rsa'],
  ])('%#', (text, why) => {
    const { message, cure } = refusalOf(text)
    expect(message).toContain(why)
    expect(cure).toBeTruthy()
    for (const line of text.split(/[\n"]/).filter((line) => line.length > 20 && !line.startsWith('-----')))
      expect(message + cure).not.toContain(line.slice(0, 20))
  })

  test('with a certificate that belongs to another key, or is none', () => {
    expect(refusalOf(selfSigned.key, { certificate: chain.leaf }).message).toBe('does not belong to its certificate')
    expect(refusalOf(selfSigned.key, { certificate: 'x' }).message).toContain('has a certificate that cannot be read')
  })
})
