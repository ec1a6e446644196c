import { messageOf } from '../../core/errorText.ts'
import { DirectoryError } from '../directoryError.ts'

/** @param named what it is, in words, such as `the secret of client "reader"`. @throws {DirectoryError} if it cannot be read, or is empty */
export async function readProofText(named: string, read: () => Promise<string>): Promise<string> {
  const secret = await read().catch((error: unknown) => {
    throw new DirectoryError('credentials', `${named}: ${messageOf(error)}`)
  })
  if (secret !== '') return secret
  throw new DirectoryError('credentials', `${named} is empty`, { cure: 'fill the file or variable that the settings name' })
}

/** A JWT of another issuer. @throws {DirectoryError} also if it is no JWT */
export async function readForeignJwt(named: string, read: () => Promise<string>): Promise<string> {
  const jwt = (await readProofText(named, read)).trim()
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) return jwt
  throw new DirectoryError('credentials', `${named} is not a JWT`, {
    cure: 'name the file in which the other issuer puts its token, such as a projected service-account token of Kubernetes',
  })
}
