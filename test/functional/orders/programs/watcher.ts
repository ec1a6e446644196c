import { appendFileSync } from 'node:fs'
import { watchOrders } from '../../../../src/orders/watch.ts'
import { hurried, upTo } from './hurried.ts'

/** Watches for orders, adds each order that it executes to a file, and answers after a while. Some orders it never answers. */
const [folder = '', run = '', executedFile = ''] = process.argv.slice(2)

watchOrders({
  folder,
  run,
  clock: hurried,
  onOrder(taken) {
    appendFileSync(executedFile, `${JSON.stringify(taken.order)}\n`)
    if (Math.random() > 0.02) setTimeout(() => void taken.answer(`did ${String(taken.order)}`), upTo(200))
  },
  onRefused: (why) => process.stdout.write(`${why}\n`),
})
