import { lstat, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, writeErrnoText } from '../files/errno.ts'
import { type FileId, idOf, isSameId } from '../journal/fileId.ts'
import { crowdedText, namesIn, namesMax, type OrdersFolder } from './folder.ts'
import { filesOf, headOf, isTakenName, nonceOfOrder, orderBytesMax, orderIn, takenMode } from './orderFiles.ts'
import { type OwnFile, openOwn, removeName } from './ownFile.ts'

/** What the watch remembers from one look to the next. */
export type Sightings = {
  /** The touches of each order that waits, by its name. */
  readonly waiting: Map<string, Heartbeat>
  /** When each other file was first seen, by its name: answers, drafts and files of others. */
  readonly unknownFiles: Map<string, number>
  /** The nonces of the orders that are executed now. */
  readonly inFlight: Set<string>
  /** The names of refused files that could not be deleted. Each is reported once. */
  readonly stuck: Set<string>
}

type LookResult = { readonly refused: readonly string[]; readonly failed: readonly string[] }

type Looking = {
  readonly run: string
  readonly folder: OrdersFolder
  readonly sightings: Sightings
  readonly nowMs: number
  readonly onOrder: (nonce: string, order: unknown) => void
}

/** At most so many orders are opened in one look, and so many are executed at the same time. All others wait. */
const ordersMax = 100
/** An answer that nobody fetches for this time is deleted. */
const strayMs = 60_000

/**
 * Looks at the folder once: takes each order that its asker touched since an earlier look, and deletes what breaks a rule.
 *
 * @returns sentences: of each file that was refused, and of each order that the disk keeps from being taken
 * @throws the error of the disk if the folder cannot be read
 */
export async function lookOnce(looking: Looking, signal: AbortSignal): Promise<LookResult> {
  const { folder, sightings } = looking
  const names = await namesIn(folder)
  const orders = names.filter((name) => nonceOfOrder(name) !== undefined).slice(0, ordersMax)
  forgetMissing(sightings, new Set(names))
  await dropStrays(names, looking)
  const refused: string[] = []
  const failed: string[] = []
  for (const name of orders) {
    if (signal.aborted) break
    const path = join(folder.path, name)
    try {
      const why = await judgeOrder(name, looking)
      if (why === undefined || sightings.stuck.has(name)) continue
      const isGone = await tryRemove(path)
      if (!isGone) sightings.stuck.add(name)
      refused.push(`${path}: ${why}. It was not executed, and ${isGone ? 'it was deleted' : 'it cannot be deleted'}`)
    } catch (error) {
      failed.push(`${path}: this order waits, because it cannot be taken: ${writeErrnoText(error)}`)
    }
  }
  if (names.length >= namesMax) failed.push(crowdedText(folder))
  return { refused, failed }
}

function forgetMissing({ waiting, unknownFiles, stuck }: Sightings, names: ReadonlySet<string>): void {
  for (const list of [waiting, unknownFiles, stuck]) {
    for (const name of list.keys()) if (!names.has(name)) list.delete(name)
  }
}

/**
 * @returns why the order is refused; undefined: it was taken, waits, or was withdrawn
 * @throws the error of the disk; the order then waits
 */
async function judgeOrder(name: string, { folder, sightings, nowMs, run, onOrder }: Looking): Promise<string | undefined> {
  const nonce = nonceOfOrder(name) as string
  await using file = await openOwn(join(folder.path, name), { uid: folder.uid, bytesMax: orderBytesMax })
  if (file === undefined) return undefined
  if ('broken' in file) return `this order ${file.broken}`
  const touches = addLook(sightings.waiting.get(name), file, nowMs)
  sightings.waiting.set(name, touches)
  if (isSilent(touches, nowMs)) return 'its asker did not touch this order for 10 s'
  const head = headOf(run, nonce)
  if (!head.equals(await file.read(head.length))) return 'this order is for another process than this daemon'
  if (!touches.isTouched || sightings.inFlight.size >= ordersMax) return undefined
  return await takeIfValid(file, { nonce, head, folder, sightings, onOrder })
}

type Taking = Pick<Looking, 'folder' | 'sightings' | 'onOrder'> & { readonly nonce: string; readonly head: Buffer }

async function takeIfValid(file: OwnFile, { nonce, head, folder, sightings, onOrder }: Taking): Promise<string | undefined> {
  const bytes = await file.read(orderBytesMax)
  const content = orderIn(bytes.subarray(head.length))
  if (content === undefined) return 'this order is no valid JSON'
  sightings.inFlight.add(nonce)
  const isTaken = await takeOrder(folder.path, nonce, file).catch((error: unknown) => {
    sightings.inFlight.delete(nonce)
    throw error
  })
  if (isTaken) onOrder(nonce, content.order)
  else sightings.inFlight.delete(nonce)
  return undefined
}

/**
 * Deletes files that are no orders. A `.taken` of another process is deleted at once: its asker then knows whether it was executed. All other files may
 * still be fetched or completed by an asker, so they stay for a minute.
 */
async function dropStrays(names: readonly string[], { folder, sightings, nowMs }: Looking): Promise<void> {
  const { unknownFiles, inFlight } = sightings
  for (const name of names) {
    if (nonceOfOrder(name) !== undefined || inFlight.has(name.replace(/\.taken$/, ''))) continue
    const sinceMs = unknownFiles.get(name) ?? nowMs
    unknownFiles.set(name, sinceMs)
    if (isTakenName(name) || nowMs - sinceMs > strayMs) await tryRemove(join(folder.path, name))
  }
}

/** Deletes a file or an empty folder. @returns false if it is still there */
async function tryRemove(path: string): Promise<boolean> {
  try {
    await removeName(path)
    return true
  } catch {
    return rmdir(path).then(
      () => true,
      () => false,
    )
  }
}

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

/**
 * What the daemon saw of the touches of one order. All times are its own steady clock, in ms. The time that a touch writes comes from another process
 * and maybe another machine, so it is only compared with the time that an earlier look found.
 */
export type Heartbeat = {
  readonly id: FileId
  readonly mtimeNs: bigint
  readonly lookedMs: number
  /** The last look that found another time than the look before; the first look if there was no such. */
  readonly changedMs: number
  /** Two looks found different times, so the asker was alive between them. */
  readonly isTouched: boolean
}

/** The asker touches its order each second. After this time without a touch it is gone, or stands still. */
const silentMs = 10_000

/**
 * Adds a look. If the looks are too far apart (this process stood still), a new time does not show that the asker is still alive. Watching then starts
 * anew.
 */
export function addLook(before: Heartbeat | undefined, { id, mtimeNs }: Pick<Heartbeat, 'id' | 'mtimeNs'>, nowMs: number): Heartbeat {
  const first = { id, mtimeNs, lookedMs: nowMs, changedMs: nowMs, isTouched: false }
  if (before === undefined || !isSameId(before.id, id)) return first
  if (before.mtimeNs === mtimeNs) return { ...before, lookedMs: nowMs }
  return { ...first, isTouched: nowMs - before.lookedMs <= silentMs }
}

/** Whether nobody has touched the order for so long that it must not be executed any more. */
export const isSilent = ({ changedMs }: Heartbeat, nowMs: number): boolean => nowMs - changedMs > silentMs
