import { randomUUID } from 'node:crypto'
import { type FileHandle, rename } from 'node:fs/promises'
import { counted } from '../core/quantity.ts'
import { folderTrouble, type OrdersFolder, openOrdersFolder } from './folder.ts'
import { answerBytesMax, answerIn, filesOf, orderBytesMax, orderContent, takenMode } from './orderFiles.ts'
import { createOwn, hasName, openOwn, removeName } from './ownFile.ts'

/**
 * - `waiting`: the daemon has not taken it.
 * - `taken`: the daemon executes it.
 * - `ended`: the daemon took it and does not work on it any more. If there is an answer, it has its name already.
 * - `deleted`: it was not executed and never will be.
 * - `unknown`: the disk does not tell at this moment.
 */
type OrderState = 'waiting' | 'taken' | 'ended' | 'deleted' | 'unknown'

/** `why`: the answer is there, but it cannot be used. */
type Fetched = { readonly answer: unknown } | { readonly why: string }

/** An order in the folder, with its file open. */
export type PlacedOrder = AsyncDisposable & {
  state(): Promise<OrderState>
  /** Shows the daemon that the asker is alive. `nowMs` must be another time than at the last touch. */
  touch(nowMs: number): Promise<void>
  /** @returns true if the order was not executed and never will be; false if the daemon has it, or that is not known */
  withdraw(): Promise<boolean>
  /** Reads the answer and deletes it. @returns undefined if there is none @throws the error of the disk */
  fetch(): Promise<Fetched | undefined>
}

/**
 * Places an order in the folder. The daemon does not take it before the first touch.
 *
 * @returns a sentence if it cannot be placed; then it is never executed
 */
export async function placeOrder(order: unknown, run: string, journalFolder: string): Promise<PlacedOrder | string> {
  const nonce = randomUUID()
  const content = orderContent(run, nonce, order)
  if (content.length > orderBytesMax) {
    return `the order has ${counted(content.length, 'byte')}, and a daemon takes at most ${orderBytesMax / 1024} KiB`
  }
  try {
    const folder = await openOrdersFolder(journalFolder)
    const { draft, order: path } = filesOf(folder.path, nonce)
    const handle = await createOwn(draft, content)
    try {
      await rename(draft, path)
    } catch (error) {
      await handle.close()
      await removeName(draft).catch(() => undefined)
      throw error
    }
    return placedOrder(handle, nonce, folder)
  } catch (error) {
    return folderTrouble(journalFolder, error)
  }
}

function placedOrder(handle: FileHandle, nonce: string, { path: folder, uid }: OrdersFolder): PlacedOrder {
  const { order, taken, answer } = filesOf(folder, nonce)
  const isMarked = async () => ((await handle.stat()).mode & 0o777) === takenMode

  async function state(): Promise<OrderState> {
    try {
      if (await isMarked()) return (await hasName(taken)) ? 'taken' : 'ended'
      // The daemon renames `order` to `taken`, so they are looked for in this order.
      if ((await hasName(order)) || (await hasName(taken))) return 'waiting'
      // The daemon marks an order before it checks the name. So an order without a name and, after that, without a mark, is never executed.
      return (await isMarked()) ? 'ended' : 'deleted'
    } catch {
      return 'unknown'
    }
  }

  return {
    state,
    touch: (nowMs) => handle.utimes(new Date(nowMs), new Date(nowMs)),
    async withdraw() {
      try {
        if (await removeName(order)) return true
        // The daemon has renamed it. Until the daemon marks it, the new name can be deleted as well.
        if (await isMarked()) return false
        await removeName(taken)
        return (await state()) === 'deleted'
      } catch {
        return false
      }
    },
    async fetch() {
      await using file = await openOwn(answer, { uid, bytesMax: answerBytesMax })
      if (file === undefined) return undefined
      const found = 'broken' in file ? undefined : answerIn(await file.read(file.size))
      await removeName(answer)
      await removeName(taken)
      return found ?? { why: `${answer}: this answer ${'broken' in file ? file.broken : 'is no valid JSON'}` }
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}
