import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperationalError } from '../core/operationalError.ts'
import { errnoOf } from './errno.ts'

/** What an open file says of itself. */
type FileFacts = Pick<Stats, 'isFile' | 'uid' | 'gid' | 'mode' | 'nlink'>

/** `uid`: undefined on Windows, where files do not say their account. `folderUid`: the owner of the file's folder. */
type Accounts = { readonly uid: number | undefined; readonly groups: readonly number[]; readonly folderUid: number }

/** `why`: a sentence without its subject. */
type Doubt = { readonly why: string; readonly cure: string }

/**
 * Whether a file may be believed that this program wrote for itself: journal, lock, order, answer, document of the last cycle.
 *
 * | the file | believed |
 * |---|---|
 * | belongs to this account | yes |
 * | belongs to root | yes: root can write as any account |
 * | belongs to the owner of its folder | yes: the owner can replace each file of it. Some network file systems show one account for all files |
 * | belongs to another account | no, also in a folder in which everybody may write |
 * | may be written by its group | if this process has this group: `fsGroup` of Kubernetes makes all files of a volume so |
 * | may be written by everybody | no |
 * | is no regular file, or has a second name | no: it may be a file that was written for another purpose |
 *
 * @returns undefined if it may be believed
 */
export function doubtOf(path: string, file: FileFacts, accounts: Accounts, linksMax = 1): Doubt | undefined {
  const { uid, gid, mode, nlink } = file
  if (!file.isFile()) return { why: 'is not a regular file', cure: 'move it away' }
  if (nlink > linksMax) return { why: 'has a second name (a hard link)', cure: 'remove the other name, or move this one away' }
  if (accounts.uid === undefined) return undefined
  const shown = `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
  if (![accounts.uid, 0, accounts.folderUid].includes(uid)) {
    return {
      why: `belongs to account ${uid} instead of ${accounts.uid} (${shown})`,
      cure: `if the daemon runs as that account: ${asAccount(uid)}; otherwise find out who wrote it and move it away; if its content is right: chown ${accounts.uid} ${path}`,
    }
  }
  const isRightFirst = 'see whether its content is right, then:'
  if ((mode & 0o002) !== 0) return { why: `may be written by every account (${shown})`, cure: `${isRightFirst} chmod o-w ${path}` }
  if ((mode & 0o020) === 0 || accounts.groups.includes(gid)) return undefined
  return { why: `may be written by group ${gid}, which this process does not have (${shown})`, cure: `${isRightFirst} chmod g-w ${path}` }
}

/** The account of this process; undefined on Windows. */
export const ownUid = (): number | undefined => process.geteuid?.()

/** The form of a command that another account has to run. */
export const asAccount = (uid: number): string => `sudo -u '#${uid}' plane-group-sync …`

/** A file that is not believed, so nothing is decided from it. */
export class NotBelieved extends OperationalError {
  readonly why: string
  constructor(path: string, { why, cure }: Doubt) {
    super('JournalUnusable', `${path}: this file ${why}, so it is not believed`, { cure })
    this.why = `this file ${why}, so it is not believed`
  }
}

/** Without O_NONBLOCK, opening a pipe without a writer would block one of the few threads that read files, and no signal would end it. */
const flags = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a file that this program wrote for itself. The open file is checked, so another file that gets the name meanwhile changes nothing; on a network
 * file system only the file that is open is certainly the current one.
 *
 * @param linksMax how many names the file may have
 * @throws {NotBelieved} or the error of the system if it cannot be opened
 */
export async function openBelieved(path: string, access: number = constants.O_RDONLY, linksMax = 1): Promise<FileHandle> {
  const handle = await open(path, flags | access).catch((error: unknown) => {
    throw errnoOf(error) === 'ELOOP' ? new NotBelieved(path, { why: 'is a link', cure: 'move the link away' }) : error
  })
  try {
    const [file, folder] = await Promise.all([handle.stat(), stat(dirname(path))])
    const groups = [process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])]
    const doubt = doubtOf(path, file, { uid: ownUid(), groups, folderUid: folder.uid }, linksMax)
    if (doubt !== undefined) throw new NotBelieved(path, doubt)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
