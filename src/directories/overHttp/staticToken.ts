import { headerText } from '../../http/tokenSource.ts'
import { readCredential } from '../credentials.ts'
import { DirectoryError } from '../directoryError.ts'
import type { DirectoryTokens, HttpEnvironment } from './reader.ts'

/**
 * A token that a person or another program puts into a file or a variable. It is read at each reading, and once more after a 401 or 403, since it may
 * have been replaced meanwhile.
 *
 * @param read gives the secret behind its reference
 * @throws {DirectoryError} without the token
 */
export function staticToken(read: () => Promise<string>, { secretSeen }: Pick<HttpEnvironment, 'secretSeen'>): DirectoryTokens {
  async function fresh(): Promise<string> {
    const token = (await readCredential('the token', read)).trim()
    if (!headerText.test(token)) {
      throw new DirectoryError('credentials', `the token ${token === '' ? 'is empty' : 'has a character that no header may have'}`, {
        cure: 'put the token alone into the file or variable that the settings name',
      })
    }
    secretSeen?.(token)
    return token
  }

  return {
    async open() {
      let current: string | undefined = await fresh()
      return {
        async token() {
          return (current ??= await fresh())
        },
        forget(refused) {
          if (current === refused) current = undefined
        },
      }
    },
  }
}
