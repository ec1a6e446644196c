import { userInfo } from 'node:os'
import { ownUid } from './believed.ts'

/**
 * The account of this process by name and number: `plane (uid 65532)`.
 *
 * @param uid its number; a file system may show another one than the process has
 */
export function accountText(uid: bigint | number): string {
  try {
    return `${userInfo().username} (uid ${uid})`
  } catch {
    // The machine has no name for it, as is usual in a container.
    return `uid ${uid}`
  }
}

/** The account of this process, with its own number. */
export const ownAccount = (): string => accountText(ownUid() ?? userInfo().uid)
