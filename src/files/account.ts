import { userInfo } from 'node:os'
import { ownUid } from './believed.ts'

/** An account by name and number: `plane (uid 65532)`. */
export function accountText(uid: bigint | number): string {
  try {
    return `${userInfo().username} (uid ${uid})`
  } catch {
    // An account that the machine has no name for, as containers often have.
    return `uid ${uid}`
  }
}

/** The account of this process. */
export const ownAccount = (): string => accountText(ownUid() ?? userInfo().uid)
