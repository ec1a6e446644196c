import { NotSent } from './notSent.ts'

/** What proves to the service who asks. Its values are read anew for each request, so a rotated secret needs no restart. */
export type Credential = {
  /** As the settings call it: the only thing of it that people see. */
  readonly name: string
  /** @throws {NotSent} then nothing was sent to the service's API */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** After a 401: whether another try with new headers makes sense. */
  renew(refused: Readonly<Record<string, string>>): boolean
  /** What must not appear in any text. */
  secrets(): readonly string[]
}

/** A secret by reference: a file, an environment variable. */
export type Secret = () => Promise<string>

/** There is nothing to send with a request. `status`: the service refused to give a token, or refused the credential before. */
export const noCredential = (message: string, more: { readonly status?: number | undefined; readonly cause?: unknown } = {}): NotSent =>
  new NotSent('credential', message, {
    ...more,
    cure: 'the credential that the settings name has to be there and right before anything can be asked',
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

/** @throws {NotSent} */
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
    throw noCredential(`credential "${name}" contains characters that no header can carry: is it the right file?`)
  }
  return value
}
