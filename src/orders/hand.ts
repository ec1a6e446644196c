import { randomUUID } from 'node:crypto'
import { type FileHandle, rename } from 'node:fs/promises'
import type { SteadyClock } from '../core/clock.ts'
import { counted } from '../core/quantity.ts'
import { folderTrouble, type OrdersFolder, openOrdersFolder } from './folder.ts'
import { answerBytesMax, answerIn, filesOf, orderBytesMax, orderContent, takenMode } from './orderFiles.ts'
import { createOwn, hasName, openOwn, removeName } from './ownFile.ts'

export type HandOptions = {
  /** The journal's folder. */
  readonly folder: string
  /** The token of the lock's holder: only this process may execute the order. */
  readonly run: string
  readonly clock: SteadyClock
  /** The token of the present holder; undefined if nobody holds the lock. */
  readonly holder: () => Promise<string | undefined>
  /** The daemon has taken the order. From here on it is executed, whatever the asker does. */
  readonly onTaken?: (nonce: string) => void
  /** The pause between two looks. Absent: a second. */
  readonly stepMs?: number
}

/**
 * How an order ended.
 *
 * - `answered`: the daemon executed it.
 * - `gone`: there will be no answer; `why` is a sentence. If `wasTaken` is false, the order was not executed and never will be. If it is true, it may
 *   have been executed, in part or as a whole.
 * - `withdrawn`: the signal fired first. The order was not executed and never will be.
 * - `left`: the signal fired after the order was taken, or the order could not be withdrawn. The daemon carries it out.
 */
export type Answered =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'gone'; readonly why: string; readonly wasTaken: boolean }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'left' }

/** The asker looks for an answer, for the holder of the lock and touches its order once in this time. */
const usualStepMs = 1_000
/** Another process may move a lock aside for a moment. So the holder is gone only if a second look, after this time, does not find it either. */
const goneAfterMs = 2_000
/** After so many errors in a row the asker gives up reading an answer. */
const faultsMax = 10

/**
 * Hands an order to the daemon that holds the lock, and waits for its answer, without a limit of time. It never throws.
 *
 * @param order a value that JSON can express, at most 64 KiB
 */
export async function submitOrder(order: unknown, options: HandOptions, signal: AbortSignal): Promise<Answered> {
  if (signal.aborted) return { kind: 'withdrawn' }
  const placed = await placeOrder(order, options.run, options.folder)
  if (typeof placed === 'string') return { kind: 'gone', why: placed, wasTaken: false }
  await using held = placed
  return await follow(held, options, signal)
}

async function follow(
  placed: PlacedOrder,
  { run, clock, holder, onTaken, stepMs = usualStepMs }: HandOptions,
  signal: AbortSignal,
): Promise<Answered> {
  let isTaken = false
  let faults = 0
  let goneSinceMs: number | undefined
  for (;;) {
    // The state is read first: after `ended` no answer comes.
    const state = await placed.state()
    if (!isTaken && (state === 'taken' || state === 'ended')) {
      isTaken = true
      onTaken?.(placed.nonce)
    }
    const answer = await answerOf(placed)
    if (answer !== undefined && answer !== 'fault') return answer
    faults = answer === 'fault' ? faults + 1 : 0
    if (faults === faultsMax) return gone('the daemon may have answered, but the disk reports errors', true)
    if (state === 'ended' && faults === 0) return gone('the daemon took the order, but its answer is missing; its log may say more', true)
    if (state === 'deleted') return gone(await whyDeleted(run, holder), false)
    if (signal.aborted) return (await placed.withdraw()) ? { kind: 'withdrawn' } : await lookOnceMore(placed, { kind: 'left' })
    const present = await holder().catch(() => run)
    goneSinceMs = present === run ? undefined : (goneSinceMs ?? clock.now())
    if (goneSinceMs !== undefined && clock.now() - goneSinceMs >= goneAfterMs) return await withdrawFrom(placed, endText(present))
    if (state === 'waiting') await placed.touch(clock.now()).catch(() => undefined)
    await clock.sleep(stepMs, signal).catch(() => undefined)
  }
}

const gone = (why: string, wasTaken: boolean): Answered => ({ kind: 'gone', why, wasTaken })

async function answerOf(placed: PlacedOrder): Promise<Answered | 'fault' | undefined> {
  try {
    const reply = await placed.fetch()
    if (reply === undefined) return undefined
    return 'why' in reply ? gone(reply.why, true) : { kind: 'answered', answer: reply.answer }
  } catch {
    return 'fault'
  }
}

/** The answer may have come in the last moment. */
async function lookOnceMore(placed: PlacedOrder, otherwise: Answered): Promise<Answered> {
  const answer = await answerOf(placed)
  return answer === undefined || answer === 'fault' ? otherwise : answer
}

async function withdrawFrom(placed: PlacedOrder, why: string): Promise<Answered> {
  if (await placed.withdraw()) return gone(`${why} before it took the order`, false)
  return await lookOnceMore(placed, gone(`${why} after it took the order, and left no answer`, true))
}

async function whyDeleted(run: string, holder: HandOptions['holder']): Promise<string> {
  const present = await holder().catch(() => run)
  return present === run
    ? 'the daemon deleted the order and did not execute it; its log says why'
    : `${endText(present)} before it took the order`
}

const endText = (present: string | undefined): string =>
  present === undefined ? 'the daemon ended' : 'the daemon was replaced by another process'

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
  readonly nonce: string
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
    nonce,
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
      const reply = 'broken' in file ? undefined : answerIn(await file.read(file.size))
      await removeName(answer)
      await removeName(taken)
      return reply ?? { why: `${answer}: this answer ${'broken' in file ? file.broken : 'is no valid JSON'}` }
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}
