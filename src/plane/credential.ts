import { NotSent } from './notSent.ts'

/** An API key or a token. Its secret is asked for again and again, so a rotated secret needs no restart. */
export type Credential = {
  /** The name in the settings. People see only this of a credential. */
  readonly name: string
  /** The headers for a request. @throws {NotSent} if there is no secret or no token */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** Called after a 401. Returns whether to try once more with new headers. */
  renew(refused: Readonly<Record<string, string>>): boolean
  /** The values that no text may show. */
  secrets(): readonly string[]
}

/** A secret by reference: a file, an environment variable. */
export type Secret = () => Promise<string>

/**
 * The error if there is no usable credential. `status`: the status of the answer that refused to give a token, or of the earlier answer that refused
 * the credential.
 */
export const noCredential = (message: string, more: { readonly status?: number | undefined; readonly cause?: unknown } = {}): NotSent =>
  new NotSent('credential', message, {
    ...more,
    cure: 'check that the credential in the settings exists and is correct',
  })

/** A personal access token, which Plane calls API key. */
export function apiKey(name: string, key: Secret): Credential {
  let last: string | undefined
  return {
    name,
    headers: async () => {
      last = await credentialSecret(name, key)
      return { 'x-api-key': last }
    },
    renew: () => false,
    secrets: () => (last === undefined ? [] : [last]),
  }
}

/** The secret without surrounding blanks. @throws {NotSent} if it cannot be read, is empty, or cannot be a header */
export async function credentialSecret(name: string, secret: Secret): Promise<string> {
  let value: string
  try {
    value = (await secret()).trim()
  } catch (error) {
    throw noCredential(`credential "${name}" cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`, {
      cause: error,
    })
  }
  if (value === '') throw noCredential(`credential "${name}" is empty`)
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw noCredential(`credential "${name}" contains characters that a header cannot have: check that it is the right file`)
  }
  return value
}
