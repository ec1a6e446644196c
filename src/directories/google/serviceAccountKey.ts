import { visible } from '../../core/safeName.ts'
import { parseJson } from '../../http/json.ts'
import { type SigningKey, signingKey, UnusableKey } from '../../http/signingKey.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'

/** The key of a service account. It signs JWTs in the name of `email`. */
type ServiceAccountKey = { readonly email: string; readonly key: SigningKey }

const named = 'the key of the service account'
const makeOne =
  'make a key of the type JSON for the service account in Google Cloud (IAM, service accounts, keys), and put the whole file there; for workload identity federation use account.workloadIdentity'

const charactersMax = 320
const KeyFile = z
  .object({
    type: z.literal('service_account'),
    client_email: z
      .string()
      .min(3)
      .max(charactersMax)
      .regex(/^[\x21-\x7e]+$/),
    private_key_id: z.string().min(1).max(charactersMax),
    private_key: z.string(),
    token_uri: z.string().optional(),
  })
  .transform(({ client_email: email, private_key_id: keyId, private_key: pem, token_uri: address }) => ({ email, keyId, pem, address }))
type KeyFile = z.output<typeof KeyFile>

/**
 * Reads the JSON file that Google makes for a key of a service account (https://cloud.google.com/iam/docs/keys-create-delete). The file does not
 * decide where the signed JWT goes: its `token_uri` must be the address in the settings.
 *
 * @throws {DirectoryError} without any content of the file but its address
 */
export function serviceAccountKey(text: string, tokenUrl: URL): ServiceAccountKey {
  const file = keyFileIn(text)
  const { email, address } = file
  if (address !== undefined && URL.parse(address)?.href !== tokenUrl.href) {
    throw new DirectoryError(
      'foreign',
      `the key of ${email} names the token address ${visible(address.slice(0, 200))}, but the settings name ${tokenUrl.href}`,
      { cure: 'if the address in the key is right, set tokenUrl to it' },
    )
  }
  return { email, key: signerOf(file) }
}

function keyFileIn(text: string): KeyFile {
  let content: unknown
  try {
    content = parseJson({ body: text })
  } catch {
    throw new DirectoryError('credentials', `${named} is not JSON`, { cure: makeOne })
  }
  const parsed = KeyFile.safeParse(content)
  if (parsed.success) return parsed.data
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].filter((field) => field !== '')
  const wrong = fields.length === 0 ? 'is not an object of JSON' : `is not one that Google made: ${fields.join(', ')} is missing or wrong`
  throw new DirectoryError('credentials', `${named} ${wrong}`, { cure: makeOne })
}

function signerOf({ email, pem, keyId }: KeyFile): SigningKey {
  try {
    const key = signingKey(pem, { keyId })
    if (key.algorithm === 'RS256') return key
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    throw new DirectoryError('credentials', `the private key in the key of ${email} ${error.message}`, { cure: makeOne })
  }
  throw new DirectoryError('credentials', `the private key in the key of ${email} is not an RSA key`, { cure: makeOne })
}
