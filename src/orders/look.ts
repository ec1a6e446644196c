import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeErrnoText } from '../files/errno.ts'
import { crowdedText, namesIn, namesMax, type OrdersFolder } from './folder.ts'
import { headOf, isTakenName, nonceOfOrder, orderBytesMax, orderIn } from './orderFiles.ts'
import { type OwnFile, openOwn, removeName } from './ownFile.ts'
import { takeOrder } from './take.ts'
import { addLook, isSilent, type Touches } from './touches.ts'

/** What the watch remembers from one look to the next. */
export type Sightings = {
  /** The touches of each order that waits, by its name. */
  readonly waiting: Map<string, Touches>
  /** When each other file was first seen, by its name: answers, drafts and files of others. */
  readonly strays: Map<string, number>
  /** The nonces of the orders that are executed now. */
  readonly inFlight: Set<string>
  /** The names of refused files that could not be deleted. Each is reported once. */
  readonly stuck: Set<string>
}

type Looked = { readonly refused: readonly string[]; readonly failed: readonly string[] }

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
export async function lookOnce(looking: Looking, signal: AbortSignal): Promise<Looked> {
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

function forgetMissing({ waiting, strays, stuck }: Sightings, names: ReadonlySet<string>): void {
  for (const list of [waiting, strays, stuck]) {
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
  const { strays, inFlight } = sightings
  for (const name of names) {
    if (nonceOfOrder(name) !== undefined || inFlight.has(name.replace(/\.taken$/, ''))) continue
    const sinceMs = strays.get(name) ?? nowMs
    strays.set(name, sinceMs)
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
