import { lstat, rename } from 'node:fs/promises'
import { errnoOf } from '../files/errno.ts'
import { idOf, isSameId } from '../journal/fileId.ts'
import { filesOf, takenMode } from './orderFiles.ts'
import { type OwnFile, removeName } from './ownFile.ts'

/**
 * Takes an order, so that its asker cannot withdraw it any more.
 *
 * | step | daemon | what the asker can do until then |
 * |---|---|---|
 * | 1 | renames `<nonce>.order` to `<nonce>.taken` | delete `<nonce>.order` |
 * | 2 | marks the open file (mode 0400) | delete `<nonce>.taken` |
 * | 3 | checks that `<nonce>.taken` is still this file | – |
 *
 * The asker deletes the name first and looks for the mark after that; the daemon does it the other way round. So if the asker sees no mark, the daemon
 * sees no name, and only one of them believes that it was first. A process that is killed between two steps has executed nothing.
 *
 * @returns false if the order was withdrawn, or another file has its name
 * @throws the error of the disk; the order is then not executed
 */
export async function takeOrder(folder: string, nonce: string, file: OwnFile): Promise<boolean> {
  const { order, taken } = filesOf(folder, nonce)
  try {
    await rename(order, taken)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  try {
    await file.handle.chmod(takenMode)
    const [named, open] = await Promise.all([lstat(taken, { bigint: true }), file.handle.stat({ bigint: true })])
    // With a second name somebody could give the order its first name again.
    if (isSameId(idOf(named), file.id) && open.nlink === 1n) return true
    await removeName(taken)
    return false
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    await removeName(taken).catch(() => undefined)
    throw error
  }
}
