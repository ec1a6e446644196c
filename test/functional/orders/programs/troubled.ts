import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { submitOrder } from '../../../../src/orders/hand.ts'
import { watchOrders } from '../../../../src/orders/watch.ts'
import { hurried } from './hurried.ts'

/** Daemon and asker in one process, on a disk with a trouble: it begins with the answer to the first order, and ends before the last order. Prints what both say. */
const [kind = '', folder = ''] = process.argv.slice(2)
const never = new AbortController().signal
const refused: string[] = []
const orders: unknown[] = []

const troubles: Readonly<Record<string, () => () => void>> = {
  none: () => () => undefined,
  full() {
    const filler = join(folder, 'filler')
    let size = 0
    try {
      for (; ; size += 512) writeFileSync(filler, Buffer.alloc(512), { flag: 'a' })
    } catch {
      return () => rmSync(filler, { force: true })
    }
  },
  readOnly() {
    execFileSync('mount', ['-o', 'remount,ro', folder])
    return () => void execFileSync('mount', ['-o', 'remount,rw', folder])
  },
  manyFiles() {
    const open: number[] = []
    try {
      for (;;) open.push(openSync('/dev/null', 'r'))
    } catch {
      return () => open.forEach((file) => closeSync(file))
    }
  },
}

const trouble = troubles[kind] as () => () => void
const endings: (() => void)[] = []
await using _ = watchOrders({
  folder,
  run: 'run',
  clock: hurried,
  onOrder(taken) {
    orders.push(taken.order)
    // The trouble begins while the order is executed, so its answer meets it.
    if (taken.order === 'during' && kind !== 'readOnly') endings.push(trouble())
    void taken.answer(taken.order)
  },
  onRefused: (why) => refused.push(why),
})
const ask = (order: string, signal = never) =>
  submitOrder(order, { folder, run: 'run', clock: hurried, holder: () => Promise.resolve('run') }, signal)

const during = kind === 'none' ? undefined : await ask('during')
// Whatever was still in use when the trouble began gives back its room: the trouble takes that, too.
for (let round = 0; round < 5; round += 1) {
  endings.push(trouble())
  await setTimeout(50)
}
const meanwhile = await ask('meanwhile', AbortSignal.timeout(1_500))
await hurried.sleep(5_000, never)
for (const end of endings.toReversed()) end()
const after = kind === 'none' ? undefined : await ask('after', AbortSignal.timeout(10_000))
process.stdout.write(JSON.stringify({ refused, orders, during, meanwhile, after }))
