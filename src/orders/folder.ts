import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, opendir, rmdir } from 'node:fs/promises'
import { errorText } from '../core/errorText.ts'
import { OperationalError } from '../core/operationalError.ts'
import { count } from '../core/quantity.ts'
import { errnoOf, writeErrnoText } from '../files/errno.ts'
import { ordersPath } from './orderFiles.ts'

/** The folder of orders. `uid`: the account of this process, as this file system shows it. */
export type OrdersFolder = { readonly path: string; readonly uid: bigint }

/**
 * Makes the folder if it is missing, and makes sure that only this account can use it. A volume that is mounted again may have got other rights
 * (`fsGroup` of Kubernetes), so the mode is set again.
 *
 * @param known what an earlier call returned: then nothing is written to find out the account
 * @throws {OperationalError} if it is no folder, or belongs to another account; or the error of the disk
 */
export async function openOrdersFolder(journalFolder: string, known?: OrdersFolder): Promise<OrdersFolder> {
  const path = ordersPath(journalFolder)
  const stats = (await statsOf(path)) ?? (await made(path))
  if (!stats.isDirectory()) {
    throw new OperationalError('OrdersFolder', `${path}: this is not a folder, and orders to a daemon lie in a folder of this name`, {
      cure: 'move it away: the program makes the folder itself',
    })
  }
  try {
    // The mode comes first: it may keep this account from writing, too.
    if ((stats.mode & 0o777) !== 0o700) await chmod(path, 0o700)
    const uid = known?.uid ?? (await ownUid(path))
    if (BigInt(stats.uid) === uid) return { path, uid }
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
  throw new OperationalError(
    'OrdersFolder',
    `${path}: this folder belongs to account ${stats.uid} (mode ${mode}), and this process may not use it`,
    { cure: `${asDaemon}, find out who made the folder and move it away: the program makes it again` },
  )
}

const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')
const asDaemon = 'an order needs the account of the daemon: run the command as that account; if that is this one'

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The journal's folder itself is never made here: if it is missing, the journal is lost. */
async function made(path: string): Promise<Stats> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error
  })
  return await lstat(path)
}

/** A network file system may show another account than the one that the process knows. So the owner of a folder that this process makes is read. */
async function ownUid(folder: string): Promise<bigint> {
  const probe = `${folder}/${randomUUID()}.probe`
  await mkdir(probe, { mode: 0o700 })
  try {
    return (await lstat(probe, { bigint: true })).uid
  } finally {
    await rmdir(probe)
  }
}

/** At most so many names are read from the folder. It usually has fewer than ten. */
export const namesMax = 1_000

/** The names in the folder, at most 1,000. @throws the error of the disk */
export async function namesIn({ path }: OrdersFolder): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(path)) {
    names.push(name)
    if (names.length === namesMax) break
  }
  return names
}

export const crowdedText = ({ path }: OrdersFolder): string =>
  `${path}: this folder has ${count(namesMax)} files or more, and only so many are looked at; remove those that do not end with .order, .taken or .answer`

/** An error of the folder in words, with its path and what to do. */
export function folderTrouble(journalFolder: string, error: unknown): string {
  if (error instanceof OperationalError) return errorText(error)
  const code = errnoOf(error) ?? ''
  // The folder of orders is made where it is missing, so what is missing is the one around it.
  const path = code === 'ENOENT' ? journalFolder : ordersPath(journalFolder)
  return `${path}: ${writeErrnoText(error)}${cures[code] ?? ''}`
}

/** None of them says to make the journal's folder: an empty one is a lost journal. */
const noRight = `; ${asDaemon}, let it write into the folder of the journal`
const cures: Readonly<Record<string, string>> = {
  EACCES: noRight,
  EPERM: noRight,
  ENOENT: '; look for a job that cleans up there, or for a volume that was unmounted',
  ENOSPC: '; make room on the volume of journal.folder',
  EROFS: '; mount it for writing, and look in the log of the system whether a disk fails',
}
