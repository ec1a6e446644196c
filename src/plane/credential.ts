/** What proves to the service who asks. Its values are read anew for each request, so a rotated secret needs no restart. */
export type Credential = {
  /** As the settings call it: the only thing of it that people see. */
  readonly name: string
  /** @throws {NoCredential} then nothing was sent to the service's API */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** After a 401: whether another try with new headers makes sense. */
  renew(refused: Readonly<Record<string, string>>): boolean
  /** What must not appear in any text. */
  secrets(): readonly string[]
}

/** A secret by reference: a file, an environment variable. */
export type Secret = () => Promise<string>

/** There is nothing to send with a request, in words that do not contain the secret. `status`: the service refused to give a token. */
export class NoCredential extends Error {
  override readonly name = 'NoCredential'
  readonly status: number | undefined
  constructor(message: string, options?: { readonly status?: number | undefined; readonly cause?: unknown }) {
    super(message, { cause: options?.cause })
    this.status = options?.status
  }
}

/** A personal access token, which Plane calls API key. */
export function apiKey(name: string, key: Secret): Credential {
  let last: string | undefined
  return {
    name,
    headers: async () => {
      last = await readSecret(name, key)
      return { 'x-api-key': last }
    },
    renew: () => false,
    secrets: () => (last === undefined ? [] : [last]),
  }
}

/** @throws {NoCredential} */
export async function readSecret(name: string, secret: Secret): Promise<string> {
  let value: string
  try {
    value = (await secret()).trim()
  } catch (error) {
    throw new NoCredential(`credential "${name}" cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`, {
      cause: error,
    })
  }
  if (value === '') throw new NoCredential(`credential "${name}" is empty`)
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new NoCredential(`credential "${name}" contains characters that no header can carry: is it the right file?`)
  }
  return value
}
