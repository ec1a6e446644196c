import { rename } from 'node:fs/promises'
import type { SteadyClock } from '../core/clock.ts'
import { errorText } from '../core/errorText.ts'
import { counted } from '../core/quantity.ts'
import { accountText } from '../files/account.ts'
import { writeErrnoText } from '../files/errno.ts'
import { folderTrouble, type OrdersFolder, openOrdersFolder } from './folder.ts'
import { isSilent, lookOnce, type Sightings } from './look.ts'
import { answerBytesMax, answerContent, filesOf } from './orderFiles.ts'
import { createOwn, removeName } from './ownFile.ts'

/** An order that the daemon has to execute now. Its asker cannot withdraw it any more. */
export type TakenOrder = {
  /** Random, and known to its asker. */
  readonly nonce: string
  /** The order as its asker gave it, read from JSON. It is not checked. */
  readonly order: unknown
  /** The account that owns the order's file: `plane (uid 65532)`. It is the account of the daemon, since orders of others are refused. */
  readonly account: string
  /** Hands the answer to the asker. Only the first one counts. If it cannot be saved, `onRefused` is told, and the asker sees `gone`. Never throws. */
  answer(answer: unknown): Promise<void>
}

/** The end of the watch. What was taken can still be answered. */
export type OrderWatch = AsyncDisposable

type WatchOptions = {
  /** The journal's folder. This process must hold its lock. */
  readonly folder: string
  /** The token of the lock that this process holds. Orders for another one are deleted. */
  readonly run: string
  readonly clock: SteadyClock
  readonly onOrder: (taken: TakenOrder) => void
  /** A sentence for the log: an order was refused, or the folder cannot be used. A trouble that lasts is reported once. */
  readonly onRefused: (why: string) => void
}

const lookEveryMs = 500
/** An order is taken at the second look that shows a living asker, so this look comes soon. */
const secondLookMs = 100

/** Watches for orders, twice a second, until it is disposed. An error of the disk never ends it. */
export function watchOrders({ folder, run, clock, onOrder, onRefused }: WatchOptions): OrderWatch {
  const stop = new AbortController()
  const sightings: Sightings = { waiting: new Map(), unknownFiles: new Map(), inFlight: new Set(), stuck: new Set() }
  let trouble: string | undefined
  let known: OrdersFolder | undefined

  const take = ({ path, uid }: OrdersFolder, nonce: string, order: unknown): void => {
    let isAnswered = false
    const account = accountText(uid)
    const answer = async (value: unknown): Promise<void> => {
      if (isAnswered) return
      isAnswered = true
      try {
        await saveAnswer(path, nonce, value)
      } catch (error) {
        onRefused(`${path}: an order was executed, but its answer cannot be saved: ${answerTrouble(error)}`)
      } finally {
        sightings.inFlight.delete(nonce)
      }
    }
    try {
      onOrder({ nonce, order, account, answer })
    } catch (error) {
      // The next look deletes the file, so the asker does not wait any longer.
      sightings.inFlight.delete(nonce)
      onRefused(`${path}: an order was taken, but could not be executed: ${errorText(error)}`)
    }
  }

  const report = (why: string | undefined): void => {
    if (why !== undefined && why !== trouble) onRefused(why)
    trouble = why
  }

  const look = async (): Promise<void> => {
    try {
      const now = await openOrdersFolder(folder, known)
      known = now
      const looking = {
        run,
        folder: now,
        sightings,
        nowMs: clock.now(),
        onOrder: (nonce: string, order: unknown) => take(now, nonce, order),
      }
      const { refused, failed } = await lookOnce(looking, stop.signal)
      report(failed[0])
      const [first, ...others] = refused
      if (first !== undefined) onRefused(others.length === 0 ? first : `${first} (and ${counted(others.length, 'other file')})`)
    } catch (error) {
      report(`${folderTrouble(folder, error)}. The daemon takes no orders until this is mended`)
    }
  }

  const watching = (async () => {
    while (!stop.signal.aborted) {
      await look()
      await clock.sleep(isSeenOnce(sightings, clock.now()) ? secondLookMs : lookEveryMs, stop.signal).catch(() => undefined)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await watching
    },
  }
}

/** Whether an order waits for the look that takes it. */
const isSeenOnce = ({ waiting }: Sightings, nowMs: number): boolean =>
  [...waiting.values()].some((seen) => !seen.isTouched && !isSilent(seen, nowMs))

/** The answer has its name before the order loses its last one, so the asker finds one of the two at any time. */
async function saveAnswer(folder: string, nonce: string, answer: unknown): Promise<void> {
  const { answer: path, answerDraft, taken } = filesOf(folder, nonce)
  try {
    const content = answerContent(answer)
    if (content.length > answerBytesMax) throw new RangeError(`it is larger than ${answerBytesMax / 1024 / 1024} MiB`)
    await (await createOwn(answerDraft, content)).close()
    await rename(answerDraft, path)
  } catch (error) {
    await removeName(answerDraft).catch(() => undefined)
    throw error
  } finally {
    await removeName(taken).catch(() => undefined)
  }
}

const answerTrouble = (error: unknown): string => (error instanceof RangeError ? error.message : writeErrnoText(error))
