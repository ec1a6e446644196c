import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answered, type HandOptions, submitOrder } from '../../../src/orders/hand.ts'
import { type OrderWatch, type TakenOrder, watchOrders } from '../../../src/orders/watch.ts'
import { type SteppedTime, steppedTime } from './steppedTime.ts'

/** A journal's folder, a clock that the test moves, and a list of all that was executed and refused. */
export type Desk = AsyncDisposable & {
  /** The journal's folder. */
  readonly folder: string
  readonly orders: string
  readonly time: SteppedTime
  readonly executed: unknown[]
  readonly refused: string[]
  readonly taken: TakenOrder[]
  /** The token that the lock shows. A test changes it. */
  holder: string | undefined
  /** What the daemon does with an order. By default it answers at once. */
  onOrder: (taken: TakenOrder) => void
  watch(run?: string): OrderWatch
  ask(order: unknown, options?: { readonly signal?: AbortSignal; readonly run?: string; readonly stepMs?: number }): Asked
  files(): Promise<readonly string[]>
}

export type Asked = { readonly ended: Promise<Answered>; isTaken: boolean }

const never = new AbortController().signal

export async function openDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'orders-'))
  await mkdir(join(folder, 'orders'), { mode: 0o700 })
  const time = steppedTime()
  const desk: Desk = {
    folder,
    orders: join(folder, 'orders'),
    time,
    executed: [],
    refused: [],
    taken: [],
    holder: 'run-1',
    onOrder: (taken) => void taken.answer(`did ${JSON.stringify(taken.order)}`),
    watch(run = 'run-1') {
      const leave = time.enter()
      const watch = watchOrders({
        folder,
        run,
        clock: time,
        onOrder(handed) {
          // Time stands still while an answer is saved.
          const taken: TakenOrder = { ...handed, answer: (answer) => time.party(handed.answer(answer)) }
          desk.executed.push(taken.order)
          desk.taken.push(taken)
          desk.onOrder(taken)
        },
        onRefused: (why) => desk.refused.push(why),
      })
      return {
        async [Symbol.asyncDispose]() {
          leave()
          await watch[Symbol.asyncDispose]()
        },
      }
    },
    ask(order, { signal = never, run = 'run-1', stepMs } = {}) {
      const options: HandOptions = {
        folder,
        run,
        clock: time,
        ...(stepMs === undefined ? {} : { stepMs }),
        holder: () => Promise.resolve(desk.holder),
        onTaken: () => void (asked.isTaken = true),
      }
      const asked: Asked = { ended: time.party(submitOrder(order, options, signal)), isTaken: false }
      return asked
    },
    files: async () => (await readdir(desk.orders)).toSorted(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  return desk
}
